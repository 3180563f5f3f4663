//! How much memory SQLite may take for one statement. SQLite bounds values and caches, but not how many values a statement
//! holds at once; its allocator is the one place that sees all of them. Each connection has a thread of its own, so a
//! thread's account is a connection's.

use std::{
    cell::Cell,
    ffi::{c_int, c_void},
    sync::OnceLock,
    thread::LocalKey,
};

use rusqlite::ffi::{self, sqlite3_mem_methods as Methods};

thread_local! {
    // Without destructors, since SQLite may free memory while the thread ends.
    static ACCOUNT: Account = const { Account::new() };
}

/// What the statements of a thread hold, and may hold.
pub(super) struct Account {
    /// Bytes taken less bytes freed; what another thread took and this one frees makes it less than what there is.
    held: Cell<i64>,
    most: Cell<i64>,
    refused: Cell<bool>,
}

/// SQLite's own allocator.
static SYSTEM: OnceLock<System> = OnceLock::new();

struct System {
    malloc: unsafe extern "C" fn(c_int) -> *mut c_void,
    free: unsafe extern "C" fn(*mut c_void),
    realloc: unsafe extern "C" fn(*mut c_void, c_int) -> *mut c_void,
    size: unsafe extern "C" fn(*mut c_void) -> c_int,
}

/// Puts the account in front of SQLite's allocator. Has to come before anything else that uses SQLite in this process;
/// where it comes later, statements take what they want.
pub(super) fn install() {
    static INSTALLED: OnceLock<bool> = OnceLock::new();
    let installed = *INSTALLED.get_or_init(|| {
        #[allow(unsafe_code, reason = "SQLite's allocator has no other way in")]
        // SAFETY: both calls get what their options say, and the methods live for ever. SQLite refuses both where it is
        // already at work.
        unsafe {
            let mut counted = std::mem::zeroed::<Methods>();
            if ffi::sqlite3_config(ffi::SQLITE_CONFIG_GETMALLOC, &raw mut counted) != ffi::SQLITE_OK {
                return false;
            }
            let (Some(their_malloc), Some(their_free), Some(their_realloc), Some(size)) =
                (counted.xMalloc, counted.xFree, counted.xRealloc, counted.xSize)
            else {
                return false;
            };
            SYSTEM.get_or_init(|| System {
                malloc: their_malloc,
                free: their_free,
                realloc: their_realloc,
                size,
            });
            counted.xMalloc = Some(malloc);
            counted.xFree = Some(free);
            counted.xRealloc = Some(realloc);
            ffi::sqlite3_config(ffi::SQLITE_CONFIG_MALLOC, &raw const counted) == ffi::SQLITE_OK
        }
    });
    if !installed {
        tracing::debug!("the memory of statements is not bounded: SQLite was at work before");
    }
}

/// A bound on what this thread's account holds, for as long as it lives.
pub(super) struct Budget(&'static LocalKey<Account>);

/// A bound on the memory of this thread's SQLite; `None` for any number of bytes.
pub(super) fn budget(bytes: Option<u64>) -> Budget {
    Budget::new(&ACCOUNT, bytes)
}

impl Budget {
    pub(super) fn new(account: &'static LocalKey<Account>, bytes: Option<u64>) -> Self {
        account.with(|account| {
            let most = bytes.map_or(i64::MAX, |bytes| i64::try_from(bytes).unwrap_or(i64::MAX));
            account.most.set(most);
            account.refused.set(false);
        });
        Self(account)
    }

    /// True if more was wanted.
    pub(super) fn exceeded(&self) -> bool {
        self.0.with(|account| account.refused.get())
    }
}

impl Drop for Budget {
    fn drop(&mut self) {
        self.0.with(|account| account.most.set(i64::MAX));
    }
}

/// True if this thread may take so many bytes more.
pub(super) fn has_room(bytes: usize) -> bool {
    let bytes = i64::try_from(bytes).unwrap_or(i64::MAX);
    ACCOUNT.with(|account| !account.refuses(bytes))
}

/// Memory of our own that a statement holds, on the same account.
#[derive(Debug, Default)]
pub(super) struct Held(i64);

impl Held {
    /// False if that is more than there may be.
    pub(super) fn take(&mut self, bytes: usize) -> bool {
        let has_room = has_room(bytes);
        if has_room {
            self.add(i64::try_from(bytes).unwrap_or(i64::MAX));
        }
        has_room
    }

    pub(super) fn bytes(&self) -> usize {
        usize::try_from(self.0).unwrap_or_default()
    }

    pub(super) fn give_back(&mut self, bytes: usize) {
        self.add(-i64::try_from(bytes).unwrap_or(i64::MAX).min(self.0));
    }

    fn add(&mut self, bytes: i64) {
        self.0 += bytes;
        ACCOUNT.with(|account| account.add(bytes));
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        self.add(-self.0);
    }
}

impl Account {
    pub(super) const fn new() -> Self {
        Self {
            held: Cell::new(0),
            most: Cell::new(i64::MAX),
            refused: Cell::new(false),
        }
    }

    pub(super) fn refuses(&self, bytes: i64) -> bool {
        let refuses = bytes > 0 && self.held.get().saturating_add(bytes) > self.most.get();
        if refuses {
            self.refused.set(true);
        }
        refuses
    }

    pub(super) fn add(&self, bytes: i64) {
        self.held.set(self.held.get().saturating_add(bytes));
    }
}

#[allow(unsafe_code, reason = "SQLite calls it")]
unsafe extern "C" fn malloc(bytes: c_int) -> *mut c_void {
    if ACCOUNT.with(|account| account.refuses(bytes.into())) {
        return std::ptr::null_mut();
    }
    let Some(system) = SYSTEM.get() else {
        return std::ptr::null_mut();
    };
    // SAFETY: it is asked for what SQLite asks us for, here and below.
    let memory = unsafe { (system.malloc)(bytes) };
    ACCOUNT.with(|account| account.add(size(memory)));
    memory
}

#[allow(unsafe_code, reason = "SQLite calls it")]
unsafe extern "C" fn free(memory: *mut c_void) {
    ACCOUNT.with(|account| account.add(-size(memory)));
    if let Some(system) = SYSTEM.get() {
        // SAFETY: as above.
        unsafe { (system.free)(memory) }
    }
}

#[allow(unsafe_code, reason = "SQLite calls it")]
unsafe extern "C" fn realloc(memory: *mut c_void, bytes: c_int) -> *mut c_void {
    let before = size(memory);
    if ACCOUNT.with(|account| account.refuses(i64::from(bytes) - before)) {
        return std::ptr::null_mut();
    }
    let Some(system) = SYSTEM.get() else {
        return std::ptr::null_mut();
    };
    // SAFETY: as above.
    let moved = unsafe { (system.realloc)(memory, bytes) };
    if !moved.is_null() {
        ACCOUNT.with(|account| account.add(size(moved) - before));
    }
    moved
}

fn size(memory: *mut c_void) -> i64 {
    if memory.is_null() {
        return 0;
    }
    #[allow(unsafe_code, reason = "SQLite's allocator knows it alone")]
    // SAFETY: the memory is that allocator's.
    let size = SYSTEM.get().map_or(0, |system| unsafe { (system.size)(memory) });
    size.into()
}
