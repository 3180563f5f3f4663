//! The first statement of a transaction, where it writes, waits for its turn before anything is read: a transaction
//! that has read cannot wait for another writer any more, since it could not see what that one wrote.

use std::time::Duration;

use rusqlite::TransactionState;

use super::{guard::Mode, session::Session, watch::CancelFlag};
use crate::{
    backend::BackendError,
    catalog::lexical::{Piece, pieces},
};

/// Begins to write and changes nothing: the file has no pages that wait to be given back, or may do without one.
const BEGIN_TO_WRITE: &str = "PRAGMA main.incremental_vacuum(1)";

/// What a statement begins with that writes.
const WRITING: [&str; 8] = [
    "insert", "update", "delete", "truncate", "copy", "create", "alter", "drop",
];

impl Session<'_> {
    /// Waits until this transaction may write, if a statement will and is its first.
    pub(super) fn take_turn(
        &self,
        sql: &str,
        cancelled: &CancelFlag,
        limit: Option<Duration>,
    ) -> Result<(), BackendError> {
        let connection = &self.own.connection;
        let is_new = !connection.is_autocommit()
            && matches!(
                connection.transaction_state(Some("main")),
                Ok(TransactionState::None)
            );
        if !is_new || !writes(sql) {
            return Ok(());
        }
        let begun = self.watched(self.own, Mode::Internal, cancelled, (limit, limit), sql, || {
            connection.execute_batch(BEGIN_TO_WRITE)
        });
        match begun {
            // Whatever else is wrong the statement itself finds, in its own words.
            Err(error) if !matches!(error.sqlstate.get(..2), Some("55" | "57" | "40")) => Ok(()),
            begun => begun,
        }
    }
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

/// True for a statement that changes the file, or locks rows of it.
fn writes(sql: &str) -> bool {
    let mut words = pieces(sql).filter_map(|(_, piece)| match piece {
        Piece::Token(token) => Some(token.to_ascii_lowercase()),
        _ => None,
    });
    let Some(first) = words.by_ref().find(|word| word != "(") else {
        return false;
    };
    match first.as_str() {
        "create" => !matches!(words.next().as_deref(), Some("temp" | "temporary")),
        "with" => words.any(|word| WRITING[..3].contains(&word.as_str())),
        "select" => {
            let mut before = String::new();
            words.any(|word| {
                let locks = before == "for" && matches!(word.as_str(), "update" | "no" | "share" | "key");
                let draws = DRAWING.contains(&word.as_str());
                before = word;
                locks || draws
            })
        }
        first => WRITING.contains(&first),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
            ("COPY t FROM STDIN", true),
            ("CREATE TABLE t (a int)", true),
            ("CREATE TEMP TABLE t (a int)", false),
            ("SELECT 'for update' FROM t", false),
            ("WITH t AS (SELECT 1) SELECT * FROM t", false),
            ("SELECT substring(a FOR 2) FROM t", false),
            ("TABLE t", false),
            ("", false),
        ] {
            assert_eq!(writes(sql), expected, "{sql}");
        }
    }
}
