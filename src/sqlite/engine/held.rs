//! A client's statement that writes outside of transactions and can fail after it has written: what it wrote is kept open until
//! the session has told its rows, and commits it.

use std::{collections::HashMap, sync::atomic::Ordering::Relaxed};

use rusqlite::{Connection, Result, Statement};

use super::{
    command::Request, guard::Mode, running::Running, session::Session, watch::CancelFlag, write_lock,
};
use crate::{backend::BackendError, statement::sqlite_lexer::of_client};

/// Functions that write rows of large objects for a statement that itself reads.
const LARGE_OBJECTS: [&str; 8] = [
    "lo_creat",
    "lo_create",
    "lo_from_bytea",
    "lo_put",
    "lo_truncate",
    "lo_truncate64",
    "lo_unlink",
    "lowrite",
];

/// Begins the transaction of such a statement before its first step. `reads` says that something else is read before: who
/// has read could not wait for another writer any more.
pub(super) fn begin(
    connection: &Connection,
    statement: &Statement<'_>,
    request: &Request,
    reads: bool,
) -> Result<()> {
    if !request.held || !connection.is_autocommit() || statement.is_explain() != 0 {
        return Ok(());
    }
    let sql = request.sql.as_str();
    let fails_late = if statement.readonly() {
        writes_large_objects(sql)
    } else {
        // What a setting may be, the session says once the statement is done.
        (statement.column_count() > 0 || sql.contains("set_config")) && !is_pragma(sql)
    };
    if !fails_late {
        Ok(())
    } else if reads || statement.readonly() {
        write_lock::begin(connection)
    } else {
        connection.execute_batch("BEGIN")
    }
}

/// The same for several statements of which the last returns rows.
pub(super) fn begin_steps(connection: &Connection, returns_rows: bool, request: &Request) -> Result<()> {
    if !request.held || !connection.is_autocommit() {
        return Ok(());
    }
    if returns_rows || request.sql.contains("set_config") {
        return write_lock::begin(connection);
    }
    Ok(())
}

impl Session<'_> {
    /// Takes back what a statement that failed wrote outside of transactions.
    pub(super) fn take_back(&self) {
        let own = self.own;
        if own.connection.is_autocommit() {
            return;
        }
        let roll_back = || own.connection.execute_batch("ROLLBACK");
        if let Err(error) = own.guard.during(Mode::Internal, roll_back) {
            tracing::warn!(%error, "a statement that failed could not be taken back");
        }
    }

    /// Reads to their end what writes and has rows left, before another statement runs: no savepoint is released while there
    /// is such a one.
    pub(super) fn end_writes(
        &self,
        cursors: &mut HashMap<u64, Running<'_>>,
        cancelled: &CancelFlag,
    ) -> std::result::Result<(), BackendError> {
        let own = self.own;
        let limit = self.limit(Mode::Client);
        for running in cursors.values_mut().filter(|running| running.writes_on()) {
            let sql = running.sql.clone();
            self.watched(own, Mode::Client, cancelled, (limit, limit), &sql, || {
                running.read_all(&own.connection)
            })?;
        }
        Ok(())
    }

    /// Tells the session whether a transaction is open.
    pub(super) fn tell_transaction(&self) {
        let is_open = !self.own.connection.is_autocommit();
        self.worker.control.in_transaction.store(is_open, Relaxed);
    }
}

/// Some of these, and what cleans the file up, do nothing inside a transaction.
fn is_pragma(sql: &str) -> bool {
    of_client(sql)
        .next()
        .is_some_and(|first| first.eq_ignore_ascii_case("pragma"))
}

fn writes_large_objects(sql: &str) -> bool {
    let may = sql.contains("lo_") || sql.contains("lowrite");
    may && of_client(sql).any(|token| {
        let name = token.trim_matches('"');
        LARGE_OBJECTS.iter().any(|known| known.eq_ignore_ascii_case(name))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_that_write_are_known() {
        for (sql, expected) in [
            ("SELECT lo_create(0)", true),
            ("SELECT pg_catalog.lo_put(1, 0, ''), 1 / n FROM t", true),
            ("SELECT lowrite(0, 'x')", true),
            ("SELECT lo_get(1)", false),
            ("SELECT hello_put FROM t", false),
            ("SELECT 'lo_put(1)'", false),
        ] {
            assert_eq!(writes_large_objects(sql), expected, "{sql}");
        }
    }
}
