//! RENAME of a table and of a column, which SQLite does by itself, down to views and triggers. The words of PostgreSQL that are
//! kept beside expressions follow here.

use rusqlite::{Connection, Result};

use super::{Found, edit_schema, quoted};
use crate::translate::written;

pub(super) fn table(connection: &Connection, found: &Found, new: &str) -> Result<()> {
    alter(connection, found, &format!("TO {}", quoted(new)))
}

pub(super) fn column(connection: &Connection, found: &Found, (old, new): &(String, String)) -> Result<()> {
    alter(
        connection,
        found,
        &format!("COLUMN {} TO {}", quoted(old), quoted(new)),
    )
}

fn alter(connection: &Connection, found: &Found, renamed: &str) -> Result<()> {
    let table = format!("{}.{}", quoted(&found.schema), quoted(&found.name));
    connection.execute_batch(&format!("ALTER TABLE {table} RENAME {renamed}"))
}

/// The texts of a table and its indexes by their row in the table of tables, which stays theirs.
pub(super) fn definitions(connection: &Connection, found: &Found) -> Result<Vec<(i64, String)>> {
    let sql = format!(
        "SELECT rowid, sql FROM {}.sqlite_schema WHERE tbl_name = ?1 AND type IN ('table', 'index') AND sql IS NOT NULL",
        quoted(&found.schema)
    );
    let mut statement = connection.prepare(&sql)?;
    let rows = statement.query_map([&found.name], |row| Ok((row.get(0)?, row.get(1)?)))?;
    rows.collect()
}

/// Gives the words beside expressions the column's new name.
pub(super) fn words_follow(
    connection: &Connection,
    found: &Found,
    before: &[(i64, String)],
    (old, new): &(String, String),
) -> Result<()> {
    let after = definitions(connection, found)?;
    let mut edits = vec![];
    for (row, text) in &after {
        let was = before.iter().find(|(other, _)| other == row);
        if let Some(text) = was.and_then(|(_, was)| written::renamed(was, text, (old, new))) {
            edits.push((text, row));
        }
    }
    if edits.is_empty() {
        return Ok(());
    }
    let edit = format!(
        "UPDATE {}.sqlite_schema SET sql = ?1 WHERE rowid = ?2",
        quoted(&found.schema)
    );
    edit_schema(connection, &found.schema, || {
        edits
            .iter()
            .try_for_each(|(text, row)| connection.execute(&edit, (text, row)).map(|_| ()))
    })
}
