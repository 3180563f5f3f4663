//! Sequences that are kept know the column that owns them by its name, which follows where that is renamed.

use rusqlite::{Connection, Result};

use super::{FoundTable, exists, quoted, text::Text};
use crate::sqlite::{functions::sequence, translate::SequenceName};

pub(super) fn table_renamed(connection: &Connection, found: &FoundTable, new: &str) -> Result<()> {
    for column in Text::read(&found.sql)
        .map(|text| text.columns())
        .unwrap_or_default()
    {
        numbers_follow(connection, found, (&found.name, &column), (new, &column))?;
    }
    follow(connection, found, "owned_table", (&found.name, new))
}

/// The sequence by which SQLite numbers a key is called after its table and its column.
fn numbers_follow(
    connection: &Connection,
    found: &FoundTable,
    before: (&str, &str),
    now: (&str, &str),
) -> Result<()> {
    let name = |(table, column): (&str, &str)| format!("{table}_{column}_seq");
    let kept = SequenceName::of(&name(before), Some(&found.schema));
    if sequence::home(connection, &kept)?.is_none() {
        sequence::renamed(&found.schema, &name(before), &name(now));
    }
    Ok(())
}

pub(super) fn column_renamed(
    connection: &Connection,
    found: &FoundTable,
    (old, new): &(String, String),
) -> Result<()> {
    numbers_follow(connection, found, (&found.name, old), (&found.name, new))?;
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
