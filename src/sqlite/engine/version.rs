//! Which schema a connection sees, by the numbers that SQLite counts up at each change.

use std::mem;

use rusqlite::{CachedStatement, Connection};

/// A statement at its first row, which keeps a read transaction open.
pub(super) struct ReadLock<'c>(CachedStatement<'c>);

impl Drop for ReadLock<'_> {
    fn drop(&mut self) {
        // Rows reset their statement when they go.
        drop(self.0.raw_query());
    }
}

/// The version of the file's schema, and the lock under which it was read.
pub(super) fn locked_version(connection: &Connection) -> rusqlite::Result<(i64, ReadLock<'_>)> {
    let mut statement = connection.prepare_cached("PRAGMA main.schema_version")?;
    let mut rows = statement.raw_query();
    let version = rows.next()?.map_or(Ok(-1), |row| row.get(0))?;
    // Dropping the rows would let the lock go.
    mem::forget(rows);
    Ok((version, ReadLock(statement)))
}

/// The versions of temporary objects and attached files together: each only grows while nobody rolls back.
pub(super) fn others(connection: &Connection) -> i64 {
    let version = |sql: &str| -> i64 {
        connection
            .prepare_cached(sql)
            .and_then(|mut statement| statement.query_row([], |row| row.get(0)))
            .unwrap_or(-1)
    };
    let attached = (2..).map_while(|at| connection.db_name(at).ok());
    let attached = attached.filter(|name| !matches!(name.as_str(), "pg_catalog" | "information_schema"));
    attached.fold(version("PRAGMA temp.schema_version"), |sum, name| {
        let of_file = version(&format!("PRAGMA \"{name}\".schema_version"));
        sum.wrapping_mul(31).wrapping_add(of_file)
    })
}
