//! Sequences that are kept know the column that owns them by its name, which follows where that is renamed.

use rusqlite::{Connection, Result};

use super::{FoundTable, exists, quoted};

pub(super) fn table_renamed(connection: &Connection, found: &FoundTable, new: &str) -> Result<()> {
    follow(connection, found, "owned_table", (&found.name, new))
}

pub(super) fn column_renamed(
    connection: &Connection,
    found: &FoundTable,
    (old, new): &(String, String),
) -> Result<()> {
    follow(connection, found, "owned_column", (old, new))
}

fn follow(connection: &Connection, found: &FoundTable, what: &str, (old, new): (&str, &str)) -> Result<()> {
    let schema = quoted(&found.schema);
    let kept = format!("SELECT 1 FROM {schema}.sqlite_schema WHERE name = 'querent_sequences'");
    if !exists(connection, &kept)? {
        return Ok(());
    }
    let sql =
        format!("UPDATE {schema}.querent_sequences SET {what} = ?3 WHERE owned_table = ?1 AND {what} = ?2");
    connection.execute(&sql, (&found.name, old, new)).map(|_| ())
}
