//! Which of several tables of one name a statement writes: the session's own, the file's or an attached file's.

use rusqlite::{Connection, OptionalExtension, Result};

use crate::sqlite::{catalog::Named, translate::Write};

/// The schema of the table that is written, as SQLite calls it: the one that is named, or the first that has such a table.
pub(super) fn of(connection: &Connection, write: Option<&Write>) -> Result<Option<String>> {
    let Some(write) = write else {
        return Ok(None);
    };
    match write.schema.as_deref() {
        // The file has two names, of which SQLite lists one.
        Some("main" | "public") => {
            let sql = "SELECT name FROM pg_catalog.pragma_database_list WHERE seq = 0";
            return connection
                .prepare_cached(sql)?
                .query_row([], |row| row.get(0))
                .optional();
        }
        Some(schema) => return Ok(Some(schema.to_owned())),
        None => {}
    }
    first(connection, &write.table)
}

/// The first schema that has a table of this name: the session's own comes before the file.
pub(super) fn first(connection: &Connection, table: &str) -> Result<Option<String>> {
    let sql = "SELECT list.schema FROM pg_catalog.pragma_table_list AS list \
               JOIN pg_catalog.pragma_database_list AS file ON file.name = list.schema \
               WHERE list.name = ?1 COLLATE NOCASE ORDER BY list.schema <> 'temp', file.seq LIMIT 1";
    connection
        .prepare_cached(sql)?
        .query_row([table], |row| row.get(0))
        .optional()
}

/// The constraints that the statement may violate: a foreign key keeps to its file, and of tables of that name the written one
/// counts alone.
pub(super) fn reached(mut named: Vec<Named>, write: Option<&Write>, schema: Option<&str>) -> Vec<Named> {
    if let (Some(write), Some(schema)) = (write, schema) {
        named.retain(|named| {
            let is_elsewhere = named.kind != 'f' && !named.table.eq_ignore_ascii_case(&write.table);
            is_elsewhere || named.schema.eq_ignore_ascii_case(schema)
        });
    }
    named
}
