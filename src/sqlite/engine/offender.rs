//! What SQLite names in `t.a, t.b`, where it says which constraint was violated. Names may have dots and commas of their
//! own, so that they are found among those that are there.

use rusqlite::{Connection, Result};

use crate::sqlite::catalog::Named;

/// True if `about` is the columns of this key.
pub(super) fn is_key(named: &Named, about: &str) -> bool {
    let columns = named.columns.iter();
    let columns: Vec<String> = columns
        .map(|column| format!("{}.{column}", named.table))
        .collect();
    columns.join(", ").eq_ignore_ascii_case(about)
}

/// The table and the column that `about` is; a table that is `preferred`, where it may be several.
pub(super) fn column(
    connection: &Connection,
    about: &str,
    preferred: impl Fn(&str) -> bool,
) -> Result<(String, String)> {
    let mut statement = connection.prepare_cached(
        "SELECT t.name, c.name \
         FROM (SELECT * FROM sqlite_schema UNION ALL SELECT * FROM sqlite_temp_schema) AS t, \
         pg_catalog.pragma_table_xinfo(t.name) AS c WHERE t.type = 'table' AND t.name || '.' || c.name = ?1 COLLATE NOCASE",
    )?;
    let found = statement.query_map([about], |row| Ok((row.get(0)?, row.get(1)?)))?;
    let found: Vec<(String, String)> = found.collect::<Result<_>>()?;
    let best = found.into_iter().min_by_key(|(table, _)| !preferred(table));
    Ok(best.unwrap_or_else(|| {
        let (table, column) = about.rsplit_once('.').unwrap_or((about, ""));
        (table.to_owned(), column.to_owned())
    }))
}
