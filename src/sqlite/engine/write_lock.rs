//! The first statement of a transaction that writes waits for its turn before anything is read: a transaction that has
//! read cannot wait for another writer any more, since it could not see what that one wrote. At READ COMMITTED, where each
//! statement may see more than the one before, it begins anew and so can wait after all.

use std::time::Duration;

use rusqlite::{Connection, ErrorCode, TransactionState};

use super::{guard::Mode, session::Session, watch::CancelFlag};
use crate::{backend::BackendError, statement::sqlite_lexer::of_client};

/// Begins to write and changes nothing: the file has no pages that wait to be given back, or may do without one.
const BEGIN_TO_WRITE: &str = "PRAGMA main.incremental_vacuum(1)";

/// Opens a savepoint for several statements that write in the end. Outside of a transaction they take their turn here: one that
/// reads before could not wait any more.
pub(super) fn open_savepoint(connection: &Connection, name: &str) -> rusqlite::Result<()> {
    let is_alone = connection.is_autocommit();
    connection.execute_batch(&format!("SAVEPOINT \"{name}\""))?;
    if !is_alone {
        return Ok(());
    }
    match connection.execute_batch(BEGIN_TO_WRITE) {
        Err(error) if is_locked(&error) => {
            // The first error is the one to tell.
            let _ = connection.execute_batch(&format!("RELEASE \"{name}\""));
            Err(error)
        }
        // Whatever else is wrong the statements themselves find.
        _ => Ok(()),
    }
}

/// Begins a transaction that writes in the end, and takes its turn.
pub(super) fn begin(connection: &Connection) -> rusqlite::Result<()> {
    connection.execute_batch("BEGIN")?;
    match connection.execute_batch(BEGIN_TO_WRITE) {
        // The first error is the one to tell.
        Err(error) if is_locked(&error) => connection.execute_batch("ROLLBACK").and(Err(error)),
        // Whatever else is wrong the statements themselves find.
        _ => Ok(()),
    }
}

/// What a statement begins with that writes.
const WRITING: [&str; 9] = [
    "insert", "update", "delete", "truncate", "copy", "create", "alter", "drop", "comment",
];

impl Session<'_> {
    /// True in a transaction that has neither read nor written, and could as well begin now.
    pub(super) fn has_done_nothing(&self) -> bool {
        let connection = &self.own.connection;
        !connection.is_autocommit()
            && matches!(
                connection.transaction_state(None::<&str>),
                Ok(TransactionState::None)
            )
    }

    /// Lets go what a statement read of the schema that was compiled and has not run: a client may take its time to run
    /// it, and meanwhile neither holds others up nor has seen anything.
    pub(super) fn forget_reading(&self) {
        let state = self.own.connection.transaction_state(None::<&str>);
        if matches!(state, Ok(TransactionState::Read)) {
            // Where it cannot, it has read, and another writer may be told so: no more than that.
            let _ = self.own.guard.during(Mode::Internal, || self.begin_anew("BEGIN"));
        }
    }

    /// Waits until this transaction may write, if a statement will and is the first to do so. `idle` says that no cursor is open.
    pub(super) fn take_turn(
        &self,
        sql: &str,
        idle: bool,
        cancelled: &CancelFlag,
        limit: Option<Duration>,
    ) -> Result<(), BackendError> {
        let connection = &self.own.connection;
        if connection.is_autocommit() {
            return if idle {
                self.take_turn_alone(sql, cancelled, limit)
            } else {
                Ok(())
            };
        }
        let has_read = match connection.transaction_state(Some("main")) {
            Ok(TransactionState::None) => false,
            Ok(TransactionState::Read) if idle => true,
            _ => return Ok(()),
        };
        if !writes(sql) || has_read && !self.may_see_more() {
            return Ok(());
        }
        let begun = self.watched(self.own, Mode::Internal, cancelled, (limit, limit), sql, || {
            self.worker.watch.impatient(waits_for_nothing(sql));
            match connection.execute_batch(BEGIN_TO_WRITE) {
                Err(error) if has_read && is_locked(&error) => self.begin_anew("BEGIN IMMEDIATE"),
                begun => begun,
            }
        });
        match begun {
            // Whatever else is wrong the statement itself finds, in its own words.
            Err(error) if !matches!(error.sqlstate.get(..2), Some("55" | "57" | "40")) => Ok(()),
            begun => begun,
        }
    }

    /// Waits for other writers before a query that locks rows and stands alone: it reads what they leave. Once it has ended its
    /// locks would be gone, so that it needs none.
    fn take_turn_alone(
        &self,
        sql: &str,
        cancelled: &CancelFlag,
        limit: Option<Duration>,
    ) -> Result<(), BackendError> {
        if !locks_rows(sql) {
            return Ok(());
        }
        let connection = &self.own.connection;
        let taken = self.watched(self.own, Mode::Internal, cancelled, (limit, limit), sql, || {
            self.worker.watch.impatient(waits_for_nothing(sql));
            connection.execute_batch("BEGIN IMMEDIATE")?;
            connection.execute_batch("COMMIT")
        });
        match taken {
            // Whatever else is wrong the statement itself finds, in its own words.
            Err(error) if !matches!(error.sqlstate.get(..2), Some("55" | "57" | "40")) => Ok(()),
            taken => taken,
        }
    }

    /// True where a statement may see what others committed since the transaction began, and nothing was written that would
    /// be lost if it began anew.
    fn may_see_more(&self) -> bool {
        let connection = &self.own.connection;
        let isolation = self
            .worker
            .watch
            .session_context()
            .setting("transaction_isolation");
        let mut files = (0..).map_while(|at| connection.db_name(at).ok());
        isolation.is_some_and(|level| matches!(level.as_str(), "read committed" | "read uncommitted"))
            && files.all(|name| {
                let state = connection.transaction_state(Some(name.as_str()));
                // The catalogue is ours, and the same in every transaction.
                matches!(name.as_str(), "pg_catalog" | "information_schema")
                    || matches!(state, Ok(TransactionState::None | TransactionState::Read))
            })
    }

    /// Ends a transaction that has only read, and begins another with the same savepoints.
    fn begin_anew(&self, begin: &str) -> rusqlite::Result<()> {
        let connection = &self.own.connection;
        let deferred: bool = connection.query_row("PRAGMA defer_foreign_keys", [], |row| row.get(0))?;
        connection.execute_batch("COMMIT")?;
        let begun = connection.execute_batch(begin);
        if begun.is_err() {
            connection.execute_batch("BEGIN")?;
        }
        for number in 0..self.worker.watch.session_context().savepoints() {
            connection.execute_batch(&format!("SAVEPOINT querent_{number}"))?;
        }
        if deferred {
            connection.execute_batch("PRAGMA defer_foreign_keys = ON")?;
        }
        begun
    }
}

/// True for what another's lock is the reason of.
fn is_locked(error: &rusqlite::Error) -> bool {
    matches!(
        error.sqlite_error_code(),
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked)
    )
}

/// Functions that write: of sequences and of large objects.
const DRAWING: [&str; 10] = [
    "nextval",
    "setval",
    "lo_creat",
    "lo_create",
    "lo_from_bytea",
    "lo_put",
    "lo_truncate",
    "lo_truncate64",
    "lo_unlink",
    "lowrite",
];

/// True for a statement that asks not to wait for locks. Which rows the other writer changes nobody knows, so that none can be
/// skipped either.
pub(super) fn waits_for_nothing(sql: &str) -> bool {
    let mut words = sql.as_bytes().windows(6);
    if !words.any(|word| {
        [b"nowait", b"locked"]
            .iter()
            .any(|known| word.eq_ignore_ascii_case(*known))
    }) {
        return false;
    }
    let mut before = String::new();
    of_client(sql).any(|token| {
        let token = token.to_ascii_lowercase();
        let found = token == "nowait" && before != "." || token == "locked" && before == "skip";
        before = token;
        found
    })
}

/// True for a query that locks rows.
fn locks_rows(sql: &str) -> bool {
    let mut before = String::new();
    let mut words = of_client(sql).map(str::to_ascii_lowercase);
    let first = words.by_ref().find(|word| word != "(");
    matches!(first.as_deref(), Some("select" | "with"))
        && words.any(|word| {
            let locks = before == "for" && matches!(word.as_str(), "update" | "no" | "share" | "key");
            before = word;
            locks
        })
}

/// True for a statement that changes the file, or locks rows of it.
fn writes(sql: &str) -> bool {
    let mut words = of_client(sql).map(str::to_ascii_lowercase);
    let Some(first) = words.by_ref().find(|word| word != "(") else {
        return false;
    };
    match first.as_str() {
        // A temporary table that reads others is often what is written to them next, and could not begin anew then.
        "create" => {
            !matches!(words.next().as_deref(), Some("temp" | "temporary")) || words.any(|word| word == "as")
        }
        "with" => words.any(|word| WRITING[..3].contains(&word.as_str())),
        "select" => {
            let mut before = String::new();
            words.any(|word| {
                let locks = before == "for" && matches!(word.as_str(), "update" | "no" | "share" | "key");
                let writes = word == "into" || DRAWING.contains(&word.as_str());
                before = word;
                locks || writes
            })
        }
        first => WRITING.contains(&first),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statements_that_do_not_wait_are_known() {
        for (sql, expected) in [
            ("SELECT a FROM t FOR UPDATE NOWAIT", true),
            ("SELECT a FROM t FOR NO KEY UPDATE OF t skip  locked", true),
            ("SELECT 'nowait' FROM t FOR UPDATE", false),
            ("SELECT skip FROM locked FOR UPDATE", false),
        ] {
            assert_eq!(waits_for_nothing(sql), expected, "{sql}");
        }
    }

    #[test]
    fn queries_that_lock_are_known() {
        for (sql, expected) in [
            ("SELECT a FROM t FOR UPDATE NOWAIT", true),
            ("(SELECT a FROM t FOR NO KEY UPDATE)", true),
            (
                "WITH q AS (SELECT a FROM t FOR SHARE SKIP LOCKED) SELECT * FROM q",
                true,
            ),
            ("SELECT substring(a FROM 2 FOR 3), update FROM t", false),
            ("SELECT 'for update'", false),
            ("INSERT INTO t SELECT a FROM u FOR UPDATE", false),
        ] {
            assert_eq!(locks_rows(sql), expected, "{sql}");
        }
    }

    #[test]
    fn statements_that_write_are_known() {
        for (sql, expected) in [
            ("UPDATE t SET a = 1", true),
            ("/* why */ insert into t values (1)", true),
            (
                "WITH gone AS (DELETE FROM t RETURNING a) SELECT * FROM gone",
                true,
            ),
            ("SELECT a FROM t FOR UPDATE", true),
            ("SELECT nextval('s')", true),
            ("SELECT a INTO u FROM t", true),
            ("COPY t FROM STDIN", true),
            ("CREATE TABLE t (a int)", true),
            ("CREATE TEMP TABLE t (a int)", false),
            ("CREATE TEMP TABLE t AS SELECT a FROM u", true),
            ("SELECT 'for update' FROM t", false),
            ("SELECT $$it's$$ FROM t FOR UPDATE", true),
            (r"SELECT E'it\'s' FROM t FOR UPDATE", true),
            ("/* a /* b */ c */ SELECT $a$ nextval( $a$", false),
            ("WITH t AS (SELECT 1) SELECT * FROM t", false),
            ("SELECT substring(a FOR 2) FROM t", false),
            ("TABLE t", false),
            ("", false),
        ] {
            assert_eq!(writes(sql), expected, "{sql}");
        }
    }
}
