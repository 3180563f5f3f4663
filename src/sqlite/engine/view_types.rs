//! What SQLite tells of the columns of views: it calls those BLOB that it knows no type of.

use rusqlite::{Connection, Result};

use super::described;
use crate::statement::sqlite_lexer::quote;

/// What is told of a column without a type.
const UNTYPED: &str = "BLOB";

/// Takes that word from the columns of a view that show no column declared so, of which these are the declared types.
pub(super) fn correct<'d>(
    connection: &Connection,
    (schema, view): (Option<&str>, &str),
    declared: impl Iterator<Item = &'d mut String>,
) -> Result<()> {
    let mut declared: Vec<&mut String> = declared.collect();
    if !declared.iter().any(|declared| *declared == UNTYPED) {
        return Ok(());
    }
    let within = schema.map_or_else(String::new, |schema| quote(schema) + ".");
    let sql = format!("SELECT * FROM {within}{}", quote(view));
    let statement = connection.prepare(&sql)?;
    let described = described::columns(connection, &statement, &sql);
    // A table has columns that are not shown.
    if described.len() == declared.len() {
        for (declared, described) in declared.iter_mut().zip(described) {
            // Of several queries one behind the other only the first one's is told.
            if *declared == UNTYPED && described.declared.as_deref() != Some(UNTYPED) {
                declared.clear();
            }
        }
    }
    Ok(())
}
