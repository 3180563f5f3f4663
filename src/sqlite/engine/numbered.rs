//! Rows whose keys SQLite numbers by itself: it knows nothing of keys that are narrower than its own.

use rusqlite::{Connection, Error, ErrorCode, OptionalExtension as _, Result};

use super::write_lock;
use crate::{
    sqlite::{functions::sequence, translate::KeySequence},
    statement::sqlite_lexer,
};

/// How many rows are thought to come from one statement at most.
const ROOM: i64 = 10_000_000;

/// The last number that SQLite gave; none where it has given none.
fn last(connection: &Connection, key_sequence: &KeySequence) -> Option<i64> {
    let homes = match key_sequence.schema.as_deref() {
        Some("temp" | "pg_temp") => vec!["temp"],
        Some("public") => vec!["main"],
        Some(other) => vec![other],
        None => vec!["main", "temp"],
    };
    homes.iter().find_map(|home| {
        let sql = format!(
            "SELECT seq FROM {}.sqlite_sequence WHERE name = ?1 COLLATE NOCASE",
            sqlite_lexer::quote(home)
        );
        // The table is there once it is needed.
        let mut statement = connection.prepare_cached(&sql).ok()?;
        statement
            .query_row([&key_sequence.table], |row| row.get(0))
            .optional()
            .ok()?
    })
}

/// Writes rows, and takes back what got a number that is none for its key.
pub(super) fn write<T>(
    connection: &Connection,
    key_sequence: Option<&KeySequence>,
    write: impl FnOnce(bool) -> Result<T>,
) -> Result<T> {
    let Some(key_sequence) = key_sequence else {
        return write(false);
    };
    if key_sequence.most == i64::MAX {
        return write(false).map_err(|error| no_more_of(connection, key_sequence, error));
    }
    let may_end = key_sequence.most <= i16::MAX.into()
        || last(connection, key_sequence).is_some_and(|last| last > key_sequence.most - ROOM);
    if !may_end {
        return write(false);
    }
    write_lock::open_savepoint(connection, "querent:numbered")?;
    let written = write(true).and_then(|written| within(connection, key_sequence).map(|()| written));
    if written.is_err() && !connection.is_autocommit() {
        connection.execute_batch("ROLLBACK TO \"querent:numbered\"")?;
    }
    if !connection.is_autocommit() {
        connection.execute_batch("RELEASE \"querent:numbered\"")?;
    }
    written
}

/// Looks that SQLite gave no number which is none for its key.
pub(super) fn within(connection: &Connection, key_sequence: &KeySequence) -> Result<()> {
    if key_sequence.most == i64::MAX {
        return Ok(());
    }
    match last(connection, key_sequence) {
        Some(last) if last > key_sequence.most => {
            sequence::at_its_end(&key_sequence.sequence, ("maximum", key_sequence.most))
        }
        _ => Ok(()),
    }
}

/// Of a key that is as wide as its own, SQLite says that the disk is full.
fn no_more_of(connection: &Connection, key_sequence: &KeySequence, error: Error) -> Error {
    let is_full = error.sqlite_error_code() == Some(ErrorCode::DiskFull);
    match sequence::at_its_end(&key_sequence.sequence, ("maximum", key_sequence.most)) {
        Err::<(), _>(ended) if is_full && last(connection, key_sequence) == Some(key_sequence.most) => ended,
        _ => error,
    }
}
