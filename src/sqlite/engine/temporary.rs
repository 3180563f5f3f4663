//! How much a session's statements may put into temporary files: what SQLite sorts, gathers and journals beside the database.
//! SQLite has no bound of its own on them, so its access to files gets one: each write to such a file is counted first.

use std::{
    ffi::{CStr, c_int, c_void},
    sync::OnceLock,
    thread::LocalKey,
};

use rusqlite::ffi::{self, sqlite3_file as File, sqlite3_io_methods as Methods, sqlite3_vfs as Vfs};

use crate::sqlite::memory::{Account, Budget};

/// What SQLite knows this access to files by.
const NAME: &CStr = c"querent";

/// Files that a statement makes for itself. The tables of `temp` are the client's, as they are in PostgreSQL.
const TEMPORARY: c_int =
    ffi::SQLITE_OPEN_TRANSIENT_DB | ffi::SQLITE_OPEN_TEMP_JOURNAL | ffi::SQLITE_OPEN_SUBJOURNAL;

thread_local! {
    // A connection has a thread of its own.
    static WRITTEN: Account = const { Account::new() };
}

/// A bound on what this thread's statements have in temporary files; `None` for any number of bytes.
pub(super) fn budget(bytes: Option<u64>) -> Budget {
    let account: &'static LocalKey<Account> = &WRITTEN;
    Budget::new(account, bytes)
}

/// SQLite's own access to files, and where our part of a file begins in what SQLite keeps of it.
struct Theirs {
    vfs: *mut Vfs,
    ours_at: usize,
}

#[allow(
    unsafe_code,
    reason = "SQLite's access to files is registered for ever and is the same for all threads"
)]
// SAFETY: as it says.
unsafe impl Send for Theirs {}
#[allow(unsafe_code, reason = "as above")]
// SAFETY: as above.
unsafe impl Sync for Theirs {}

static THEIRS: OnceLock<Option<Theirs>> = OnceLock::new();

/// Our part of a temporary file, behind SQLite's.
struct Ours {
    /// As SQLite's own, but for what is counted.
    methods: Methods,
    theirs: *const Methods,
    /// Bytes that were counted.
    size: i64,
}

/// The name to open databases with; `None` where SQLite's files are not what they are expected to be.
pub(super) fn vfs() -> Option<&'static CStr> {
    THEIRS.get_or_init(register).is_some().then_some(NAME)
}

#[allow(unsafe_code, reason = "SQLite's access to files has no other way in")]
fn register() -> Option<Theirs> {
    // SAFETY: SQLite's own stays registered, and so does the copy of it, which is never freed.
    unsafe {
        let theirs = ffi::sqlite3_vfs_find(std::ptr::null());
        if theirs.is_null() {
            return None;
        }
        let ours_at = usize::try_from((*theirs).szOsFile)
            .ok()?
            .next_multiple_of(align_of::<Ours>());
        let ours = Box::leak(Box::new(*theirs));
        ours.zName = NAME.as_ptr();
        ours.szOsFile = c_int::try_from(ours_at + size_of::<Ours>()).ok()?;
        ours.pNext = std::ptr::null_mut();
        ours.xOpen = Some(open);
        (ffi::sqlite3_vfs_register(ours, 0) == ffi::SQLITE_OK).then_some(Theirs { vfs: theirs, ours_at })
    }
}

#[allow(unsafe_code, reason = "SQLite calls it")]
unsafe extern "C" fn open(
    _: *mut Vfs,
    name: ffi::sqlite3_filename,
    file: *mut File,
    flags: c_int,
    given: *mut c_int,
) -> c_int {
    let Some(theirs) = THEIRS.get().and_then(Option::as_ref) else {
        return ffi::SQLITE_CANTOPEN;
    };
    // SAFETY: it is asked for what SQLite asks us for; behind its part of the file there is room for ours.
    unsafe {
        let Some(open) = (*theirs.vfs).xOpen else {
            return ffi::SQLITE_CANTOPEN;
        };
        let code = open(theirs.vfs, name, file, flags, given);
        let methods = (*file).pMethods;
        if code == ffi::SQLITE_OK && flags & TEMPORARY != 0 && !methods.is_null() {
            let ours = file.byte_add(theirs.ours_at).cast::<Ours>();
            ours.write(Ours {
                methods: Methods {
                    // Without the ways past `xWrite`.
                    iVersion: 1,
                    xClose: Some(close),
                    xWrite: Some(write),
                    xTruncate: Some(truncate),
                    ..*methods
                },
                theirs: methods,
                size: 0,
            });
            (*file).pMethods = &raw const (*ours).methods;
        }
        code
    }
}

#[allow(unsafe_code, reason = "a file of ours has our part behind SQLite's")]
unsafe fn ours<'f>(file: *mut File) -> Option<&'f mut Ours> {
    let theirs = THEIRS.get()?.as_ref()?;
    // SAFETY: only files that were opened above have these methods.
    unsafe { file.byte_add(theirs.ours_at).cast::<Ours>().as_mut() }
}

impl Ours {
    /// False where the file may not be as large.
    fn comes_to(&mut self, size: i64) -> bool {
        let more = size - self.size;
        let comes = WRITTEN.with(|written| {
            let comes = !written.refuses(more);
            if comes {
                written.add(more);
            }
            comes
        });
        if comes {
            self.size = size;
        }
        comes
    }
}

#[allow(unsafe_code, reason = "SQLite calls it")]
unsafe extern "C" fn write(file: *mut File, bytes: *const c_void, count: c_int, at: i64) -> c_int {
    // SAFETY: SQLite calls it with such a file, here and below.
    let Some(ours) = (unsafe { ours(file) }) else {
        return ffi::SQLITE_IOERR_WRITE;
    };
    let end = at.saturating_add(count.into());
    if end > ours.size && !ours.comes_to(end) {
        return ffi::SQLITE_FULL;
    }
    unsafe {
        (*ours.theirs)
            .xWrite
            .map_or(ffi::SQLITE_IOERR_WRITE, |write| write(file, bytes, count, at))
    }
}

#[allow(unsafe_code, reason = "SQLite calls it")]
unsafe extern "C" fn truncate(file: *mut File, size: i64) -> c_int {
    let Some(ours) = (unsafe { ours(file) }) else {
        return ffi::SQLITE_IOERR_TRUNCATE;
    };
    ours.comes_to(size.min(ours.size));
    unsafe {
        (*ours.theirs)
            .xTruncate
            .map_or(ffi::SQLITE_IOERR_TRUNCATE, |truncate| truncate(file, size))
    }
}

#[allow(unsafe_code, reason = "SQLite calls it")]
unsafe extern "C" fn close(file: *mut File) -> c_int {
    let Some(ours) = (unsafe { ours(file) }) else {
        return ffi::SQLITE_IOERR_CLOSE;
    };
    ours.comes_to(0);
    unsafe {
        (*ours.theirs)
            .xClose
            .map_or(ffi::SQLITE_IOERR_CLOSE, |close| close(file))
    }
}
