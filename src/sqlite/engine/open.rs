//! Opening the file: what can be wrong with it in words that help, and how a connection is set up.

use std::{
    collections::BTreeSet,
    fs, io,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
    time::SystemTime,
};

use rusqlite::{Connection, OpenFlags, config::DbConfig, ffi};

use super::{
    Options, attached, bounds, errors,
    guard::Guard,
    judged, large_object, session_functions, temporary,
    watch::{Interruptible, Watch},
};
use crate::{
    backend::BackendError,
    sqlite::{
        catalog::{self, Catalog, Client},
        functions,
    },
};

/// Which file a path leads to; another file under the same path has another identity.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Identity {
    device: u64,
    inode: u64,
    /// Of the files that are attached.
    attached: u64,
}

/// A connection with the state of its hooks.
pub(super) struct Guarded {
    pub(super) connection: Connection,
    pub(super) guard: Arc<Guard>,
    pub(super) watch: Arc<Watch>,
    pub(super) interruptible: Interruptible,
    /// What clients find in `pg_catalog`; nothing on a connection of our own.
    pub(super) catalog: Option<Arc<Catalog>>,
    /// What questions are judged by here.
    pub(super) known: judged::LastJudged,
}

impl Guarded {
    /// True where nobody may write to the file.
    pub(super) fn reads_only(&self, options: &Options) -> bool {
        options.read_only || self.connection.is_readonly(rusqlite::MAIN_DB).unwrap_or_default()
    }
}

/// The file that the path leads to now, or why there is none.
pub(super) fn identify(path: &Path) -> Result<Identity, BackendError> {
    let metadata = fs::metadata(path).map_err(|error| cannot_read(path, &error))?;
    if metadata.is_dir() {
        return Err(
            BackendError::new("58P01", format!("{} is a directory", path.display()))
                .with_hint("Give the path of the SQLite file in it."),
        );
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        Ok(Identity {
            device: metadata.dev(),
            inode: metadata.ino(),
            attached: 0,
        })
    }
    #[cfg(not(unix))]
    Ok(Identity {
        device: 0,
        inode: 0,
        attached: 0,
    })
}

impl Identity {
    /// The identity of this file together with others.
    pub(super) fn with(self, attached: u64) -> Self {
        Self { attached, ..self }
    }
}

/// Looks at the file without SQLite, whose own messages say little: is it there, readable, a database?
///
/// Its beginning is read once, before anybody here has it open: closing any handle of a file gives up all locks that the process
/// has on it, and SQLite would go on as if it had them.
pub(super) fn inspect(path: &Path) -> Result<Identity, BackendError> {
    // A file that is gone may leave its inode to another one, which was made later.
    static LOOKED_AT: Mutex<BTreeSet<(u64, u64, Option<SystemTime>)>> = Mutex::new(BTreeSet::new());
    let identity = identify(path)?;
    let made = fs::metadata(path).and_then(|metadata| metadata.created()).ok();
    let of_file = (identity.device, identity.inode, made);
    let mut looked_at = LOOKED_AT.lock().unwrap_or_else(PoisonError::into_inner);
    if looked_at.contains(&of_file) {
        rustix::fs::access(path, rustix::fs::Access::READ_OK)
            .map_err(|error| cannot_read(path, &error.into()))?;
        return Ok(identity);
    }
    check_signature(path)?;
    looked_at.insert(of_file);
    Ok(identity)
}

/// A SQLite file begins with SQLite's signature; an empty file is an empty database.
fn check_signature(path: &Path) -> Result<(), BackendError> {
    use io::Read;
    let mut header = Vec::with_capacity(16);
    fs::File::open(path)
        .and_then(|file| file.take(16).read_to_end(&mut header))
        .map_err(|error| cannot_read(path, &error))?;
    if !header.is_empty() && header != b"SQLite format 3\0" {
        return Err(
            BackendError::new("58030", format!("{} is not a SQLite database", path.display()))
                .with_detail("The file does not begin with SQLite's signature.")
                .with_hint("Give the path of a SQLite 3 file; an encrypted one cannot be read."),
        );
    }
    Ok(())
}

fn cannot_read(path: &Path, error: &io::Error) -> BackendError {
    let shown = path.display();
    match error.kind() {
        io::ErrorKind::NotFound => BackendError::new("58P01", format!("the file {shown} does not exist"))
            .with_hint("Check the path; Querent never creates a database file by itself."),
        io::ErrorKind::PermissionDenied => BackendError::new(
            "42501",
            format!("the file {shown} cannot be read: permission denied"),
        )
        .with_hint("Give the user that runs Querent the right to read the file and its folder."),
        _ => BackendError::new("58030", format!("the file {shown} cannot be read: {error}")),
    }
}

/// Reads the schema once, so that a damaged or locked file is told of now.
pub(super) fn probe(connection: &Connection, path: &Path) -> Result<(), BackendError> {
    let sql = "SELECT count(*) FROM sqlite_schema";
    connection
        .query_row(sql, [], |row| row.get::<_, i64>(0))
        .map(|_| ())
        .map_err(|error| {
            let mut shown = errors::from_sqlite(&error, sql);
            shown.position = None;
            if shown.sqlstate == "58P01" || shown.sqlstate == "25006" {
                // A database in WAL mode needs its -shm file, even to be read; and what a journal has must be taken back.
                shown = shown.with_hint(if has_journal(path) {
                    "A writer died in the middle of a change. Give Querent the right to write to the file and its folder, so that \
                     SQLite can take it back."
                } else {
                    "A database in WAL mode needs write permission on its folder, or existing -wal and -shm files."
                });
            }
            shown.message = format!("{}: {}", path.display(), shown.message);
            shown
        })
}

/// True where a writer's journal lies beside the file.
fn has_journal(path: &Path) -> bool {
    let mut journal = path.as_os_str().to_owned();
    journal.push("-journal");
    fs::metadata(journal).is_ok_and(|journal| journal.len() > 0)
}

/// Lets SQLite take back what a writer that died has left half written, which a connection that only reads cannot do; nothing that
/// was committed changes by that. A journal of somebody who still writes is let be; where nothing can be done, whoever reads next
/// says why.
fn recover(path: &Path) {
    if !has_journal(path) {
        return;
    }
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let read = Connection::open_with_flags(path, flags).and_then(|connection| {
        connection.busy_timeout(std::time::Duration::ZERO)?;
        connection.query_row("SELECT count(*) FROM sqlite_schema", [], |row| {
            row.get::<_, i64>(0)
        })
    });
    if let Err(error) = read {
        tracing::debug!(%error, "the journal beside the file was not looked at");
    }
}

/// What a connection is for.
#[derive(Debug, Clone, Copy)]
pub(super) enum Purpose<'c> {
    /// A client's own statements.
    Session(&'c Client),
    /// Questions that this client asks.
    Questions(&'c Client),
    /// Our own looks at schema and values.
    Reading,
}

/// A connection under guard and watch.
pub(super) fn connect(
    path: &Path,
    options: &Options,
    watch: &Arc<Watch>,
    purpose: Purpose<'_>,
) -> Result<Guarded, BackendError> {
    let access = match purpose {
        // SQLite falls back to reading where the file may not be written. What is attached inherits these
        // flags, so `read_only` is enforced by query_only and the guard.
        Purpose::Session(_) => OpenFlags::SQLITE_OPEN_READ_WRITE,
        Purpose::Questions(_) | Purpose::Reading => OpenFlags::SQLITE_OPEN_READ_ONLY,
    };
    let attached = options.attached.values().map(PathBuf::as_path);
    std::iter::once(path).chain(attached).for_each(recover);
    let guard = Guard::new(options);
    // One thread uses a connection at a time, so SQLite needs no mutex of its own.
    let flags = access | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let opened = match temporary::vfs() {
        Some(vfs) => Connection::open_with_flags_and_vfs(path, flags, vfs),
        None => Connection::open_with_flags(path, flags),
    };
    let connection = opened
        .and_then(|mut connection| {
            set_up(&mut connection, watch, &guard)?;
            bounds::set_up(&connection, options)?;
            functions::add(&connection)?;
            let database = path.file_stem().unwrap_or_default().to_string_lossy();
            let mut catalog = None;
            match purpose {
                Purpose::Session(client) => {
                    call_it_public(&connection)?;
                    catalog = Some(catalog::add(
                        &connection,
                        &database,
                        client,
                        Arc::clone(watch) as _,
                    )?);
                    session_functions::add(&connection, watch)?;
                    large_object::add(&connection, watch)?;
                    connection.pragma_update(None, "query_only", options.read_only)?;
                }
                Purpose::Questions(client) => {
                    call_it_public(&connection)?;
                    catalog = Some(catalog::add(
                        &connection,
                        &database,
                        client,
                        Arc::clone(watch) as _,
                    )?);
                    connection.pragma_update(None, "query_only", true)?;
                    bounds::exchange(&connection, bounds::of_questions(options))?;
                }
                Purpose::Reading => connection.pragma_update(None, "query_only", true)?,
            }
            Ok((connection, catalog))
        })
        .map_err(|error| errors::from_sqlite(&error, ""));
    let (connection, catalog) = connection?;
    attached::attach(&connection, &options.attached)?;
    Ok(Guarded {
        interruptible: Interruptible::of(&connection),
        connection,
        guard,
        watch: Arc::clone(watch),
        catalog,
        known: judged::LastJudged::default(),
    })
}

impl Guarded {
    /// Adds the tables of the catalogue that a statement names.
    pub(super) fn add_catalog(&self, sql: &str) -> rusqlite::Result<()> {
        let query_only: bool = self
            .connection
            .pragma_query_value(None, "query_only", |row| row.get(0))?;
        self.connection.pragma_update(None, "query_only", false)?;
        let added = catalog::create_tables(&self.connection, sql);
        self.connection.pragma_update(None, "query_only", query_only)?;
        added
    }
}

/// The schema of the file is `public`, as PostgreSQL's clients expect it; `main` goes on meaning it too.
fn call_it_public(connection: &Connection) -> rusqlite::Result<()> {
    #[allow(unsafe_code, reason = "this one setting has no other way in")]
    // SAFETY: the handle is open, and SQLite keeps the pointer to a text that lives for ever.
    let code = unsafe {
        ffi::sqlite3_db_config(
            connection.handle(),
            ffi::SQLITE_DBCONFIG_MAINDBNAME,
            c"public".as_ptr(),
        )
    };
    if code == ffi::SQLITE_OK {
        Ok(())
    } else {
        Err(rusqlite::Error::SqliteFailure(ffi::Error::new(code), None))
    }
}

fn set_up(connection: &mut Connection, watch: &Arc<Watch>, guard: &Arc<Guard>) -> rusqlite::Result<()> {
    watch.attach(connection)?;
    functions::affected::attach(connection)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_FKEY, true)?;
    guard.attach_to(connection)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_writer_that_died_left_is_taken_back() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.db");
        let mut writer = Connection::open(&path).unwrap();
        writer
            .execute_batch(
                "PRAGMA cache_size = 1; CREATE TABLE t (x);
                 WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)
                 INSERT INTO t SELECT hex(zeroblob(100)) FROM n",
            )
            .unwrap();
        let writes = writer.transaction().unwrap();
        writes.execute("UPDATE t SET x = 'half'", []).unwrap();
        let (died, journal) = (folder.path().join("b.db"), folder.path().join("b.db-journal"));
        fs::copy(&path, &died).unwrap();
        fs::copy(folder.path().join("a.db-journal"), journal).unwrap();
        let whole = || {
            let only_reads = Connection::open_with_flags(&died, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
            let sql = "SELECT count(*) FROM t WHERE x <> 'half'";
            only_reads.query_row(sql, [], |row| row.get::<_, i64>(0))
        };
        assert!(whole().is_err());
        recover(&died);
        assert_eq!(whole().unwrap(), 5000);
    }
}
