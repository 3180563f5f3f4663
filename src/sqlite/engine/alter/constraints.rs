//! SET CONSTRAINTS: keys that wait for the end of the transaction, and those that are looked at now.

use rusqlite::{Connection, OptionalExtension as _, Result, ffi};

use super::{
    super::{guard::Mode, running::Running, session::Session},
    fault,
};
use crate::backend::BackendError;

/// Lets all keys wait, or looks whether those that did are in order by now.
pub(super) fn set(connection: &Connection, deferred: bool) -> Result<()> {
    if deferred {
        return connection.execute_batch("PRAGMA defer_foreign_keys = ON");
    }
    // Switching this off forgets what it let wait.
    if !are_broken(connection) {
        return connection.execute_batch("PRAGMA defer_foreign_keys = OFF");
    }
    let sql = "SELECT \"table\", parent FROM pragma_foreign_key_check";
    let found: Option<(String, String)> = connection
        .query_row(sql, [], |row| Ok((row.get(0)?, row.get(1)?)))
        .optional()?;
    match found {
        Some((table, _)) => {
            let words = format!("insert or update on table \"{table}\" violates a foreign key constraint");
            Err(fault("23503", words))
        }
        None => Ok(()),
    }
}

/// True while a key of this transaction refers to nothing.
fn are_broken(connection: &Connection) -> bool {
    let (mut now, mut highest) = (0, 0);
    #[allow(unsafe_code, reason = "this one counter has no other way out")]
    // SAFETY: the handle is open, and SQLite writes to the two places before it returns.
    let code = unsafe {
        ffi::sqlite3_db_status(
            connection.handle(),
            ffi::SQLITE_DBSTATUS_DEFERRED_FKS,
            &raw mut now,
            &raw mut highest,
            0,
        )
    };
    code != ffi::SQLITE_OK || now > 0
}

impl Session<'_> {
    /// Behind `SET CONSTRAINTS ALL IMMEDIATE` a statement that leaves a key without what it refers to has failed: the
    /// transaction goes no further, and what was written goes with it.
    pub(in crate::sqlite::engine) fn with_its_keys<'c>(
        &self,
        running: Running<'c>,
    ) -> std::result::Result<Running<'c>, BackendError> {
        let connection = &self.own.connection;
        let is_broken = self.worker.watch.session_context().keys_at_once()
            && running.mode == Mode::Client
            && !connection.is_autocommit()
            && are_broken(connection);
        if is_broken {
            return Err(BackendError::new("23503", "FOREIGN KEY constraint failed"));
        }
        Ok(running)
    }
}
