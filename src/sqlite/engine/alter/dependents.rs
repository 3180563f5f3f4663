//! What depends on a table that changes: views that read it, and keys of other tables that refer to it.

use std::collections::BTreeSet;

use rusqlite::{Connection, Result};

use super::{FoundTable, fault, quoted, violated::told};
use crate::{backend::BackendError, sqlite::engine::views};

/// The views of a connection with their schemas, without those that are made of too many others to be looked at.
pub(super) fn views(connection: &Connection) -> Result<Vec<(String, String)>> {
    let too_large = views::too_large(connection)?;
    let mut found = vec![];
    let schemas = (0..).map_while(|at| connection.db_name(at).ok());
    for schema in schemas.filter(|schema| !matches!(schema.as_str(), "pg_catalog" | "information_schema")) {
        let sql = format!(
            "SELECT name FROM {}.sqlite_schema WHERE type = 'view'",
            quoted(&schema)
        );
        let mut statement = connection.prepare(&sql)?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            let name: String = row.get(0)?;
            if !too_large.contains(&name.to_lowercase()) {
                found.push((schema.clone(), name));
            }
        }
    }
    Ok(found)
}

/// The views that cannot be read, with their schemas.
pub(super) fn broken_views(connection: &Connection) -> Result<BTreeSet<(String, String)>> {
    let views = views(connection)?;
    let is_broken = |(schema, name): &(String, String)| {
        let sql = format!("SELECT 1 FROM {}.{}", quoted(schema), quoted(name));
        connection.prepare(&sql).is_err()
    };
    Ok(views.into_iter().filter(is_broken).collect())
}

/// Looks that no view is broken that was not before; drops those that are where that is asked for.
pub(super) fn views_follow(
    connection: &Connection,
    table: &str,
    before: &BTreeSet<(String, String)>,
    cascades: bool,
) -> Result<()> {
    let now = broken_views(connection)?;
    let news = now.difference(before);
    if cascades {
        return news.into_iter().try_for_each(|(schema, name)| {
            connection.execute_batch(&format!("DROP VIEW {}.{}", quoted(schema), quoted(name)))
        });
    }
    match news.into_iter().next() {
        None => Ok(()),
        Some((_, view)) => Err(fault(
            "2BP01",
            format!("cannot change table {table} because view {view} depends on it"),
        )),
    }
}

/// What only CASCADE drops with a column.
pub(super) fn stands_in_the_way(table: &str, column: &str, depends: &str) -> rusqlite::Error {
    let words = format!("cannot drop column {column} of table {table} because other objects depend on it");
    told(BackendError {
        detail: Some(format!("{depends} depends on column {column} of table {table}")),
        hint: Some("Use DROP ... CASCADE to drop the dependent objects too.".into()),
        ..BackendError::new("2BP01", words)
    })
}

/// A foreign key of another table.
pub(super) struct Referring {
    pub(super) table: String,
    /// The columns that it refers to, by position.
    pub(super) columns: Vec<String>,
    /// True if it names none of them: it refers to the primary key.
    pub(super) to_primary: bool,
}

impl Referring {
    pub(super) fn refers_to(&self, column: &str) -> bool {
        self.columns
            .iter()
            .any(|other| other.eq_ignore_ascii_case(column))
    }
}

/// The foreign keys of other tables that refer to a table.
pub(super) fn referring(connection: &Connection, found: &FoundTable) -> Result<Vec<Referring>> {
    let sql = format!(
        "SELECT list.name, key.id, coalesce(key.\"to\", own.name), key.\"to\" IS NULL FROM {}.sqlite_schema AS list \
         JOIN pg_catalog.pragma_foreign_key_list(list.name, ?2) AS key \
         LEFT JOIN pg_catalog.pragma_table_info(?1, ?2) AS own ON key.\"to\" IS NULL AND own.pk = key.seq + 1 \
         WHERE list.type = 'table' AND key.\"table\" = ?1 COLLATE NOCASE AND list.name <> ?1 COLLATE NOCASE \
         ORDER BY 1, 2, key.seq",
        quoted(&found.schema)
    );
    let mut statement = connection.prepare(&sql)?;
    let mut rows = statement.query([&found.name, &found.schema])?;
    let (mut all, mut last): (Vec<Referring>, Option<i64>) = (vec![], None);
    while let Some(row) = rows.next()? {
        let (table, id): (String, i64) = (row.get(0)?, row.get(1)?);
        let column = row.get::<_, Option<String>>(2)?.unwrap_or_default();
        match all.last_mut() {
            Some(key) if key.table == table && last == Some(id) => key.columns.push(column),
            _ => all.push(Referring {
                table,
                columns: vec![column],
                to_primary: row.get(3)?,
            }),
        }
        last = Some(id);
    }
    Ok(all)
}

/// What only CASCADE drops because a foreign key needs it.
pub(super) fn is_referred_to(found: &FoundTable, what: &str, table: &str) -> rusqlite::Error {
    let words = format!(
        "cannot drop {what} of table {} because a foreign key of table {table} depends on it",
        found.name
    );
    told(BackendError {
        hint: Some("Use DROP ... CASCADE to drop the dependent objects too.".into()),
        ..BackendError::new("2BP01", words)
    })
}

/// True where two lists name the same columns in any order.
pub(super) fn are_same(one: &[String], other: &[String]) -> bool {
    let sorted = |columns: &[String]| {
        let mut columns: Vec<String> = columns.iter().map(|column| column.to_lowercase()).collect();
        columns.sort();
        columns
    };
    sorted(one) == sorted(other)
}
