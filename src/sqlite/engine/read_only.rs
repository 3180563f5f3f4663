//! Reading alone on a connection that may write, for as long as a question runs.
//!
//! `PRAGMA query_only` does not serve here: setting it makes every statement of the connection that is at work out of date, and
//! one of these that opens a table later ends by `abort due to ROLLBACK`, a client's own cursors among them.

use rusqlite::{Connection, Error, Result, Statement, ffi};

use super::{Options, bounds, guard::Mode, open::Guarded};

/// The bounds of questions on the session's own connection, for as long as this lives.
pub(super) struct Bounded<'c> {
    connection: &'c Connection,
    before: Option<bounds::Bounds>,
}

impl<'c> Bounded<'c> {
    pub(super) fn during(guarded: &'c Guarded, options: &Options) -> Self {
        let connection = &guarded.connection;
        let before = exchange(connection, bounds::of_questions(options));
        Self { connection, before }
    }
}

impl Drop for Bounded<'_> {
    fn drop(&mut self) {
        if let Some(before) = self.before {
            exchange(self.connection, before);
        }
    }
}

fn exchange(connection: &Connection, bounds: bounds::Bounds) -> Option<bounds::Bounds> {
    let before = bounds::exchange(connection, bounds);
    if let Err(error) = &before {
        tracing::warn!(%error, "could not bound the values of a statement");
    }
    before.ok()
}

/// Refuses what SQLite itself says may write, where a question asks for it; the authorizer has refused it before.
pub(super) fn check(statement: &Statement<'_>, mode: Mode) -> Result<()> {
    if mode.is_question() && !statement.readonly() {
        return Err(refused());
    }
    Ok(())
}

/// The error of a statement that writes where nothing may be written: what the authorizer says too.
pub(super) fn refused() -> Error {
    Error::SqliteFailure(
        ffi::Error::new(ffi::SQLITE_AUTH),
        Some("permission denied: the SQL of a question may only read".to_owned()),
    )
}
