//! The text that made a table, and what that says of keys and of rows that break them.

use rusqlite::{Connection, OptionalExtension as _};

use super::lossy;
use crate::{sqlite::translate::HandedOn, statement::sqlite_lexer};

/// The columns of each key. A key with an expression in it is none of columns.
pub(super) fn unique(
    connection: &Connection,
    schema: Option<&str>,
    name: &str,
) -> rusqlite::Result<Vec<Vec<String>>> {
    let sql = "SELECT (SELECT json_group_array(name) FROM pg_catalog.pragma_table_info(?1, ?2) WHERE pk > 0) \
               UNION ALL SELECT (SELECT json_group_array(name) FROM pg_catalog.pragma_index_info(list.name, ?2)) \
               FROM pg_catalog.pragma_index_list(?1, ?2) AS list WHERE list.\"unique\" AND NOT list.partial";
    let mut statement = connection.prepare_cached(sql)?;
    let keys = statement.query_map((name, schema), |row| row.get::<_, String>(0))?;
    let mut found = vec![];
    for key in keys {
        if let Ok(columns) = serde_json::from_str::<Vec<String>>(&key?)
            && !columns.is_empty()
        {
            found.push(columns);
        }
    }
    Ok(found)
}

/// The foreign keys that refer to a table and are ON UPDATE CASCADE.
pub(super) fn handed_on(
    connection: &Connection,
    schema: &str,
    name: &str,
) -> rusqlite::Result<Vec<HandedOn>> {
    let sql = format!(
        "SELECT made.name, json_group_array(json_array(key.\"from\", coalesce(key.\"to\", \
         (SELECT own.name FROM pg_catalog.pragma_table_info(?2, ?1) AS own WHERE own.pk = key.seq + 1)))) \
         FROM {}.sqlite_schema AS made, pg_catalog.pragma_foreign_key_list(made.name, ?1) AS key \
         WHERE made.type = 'table' AND made.sql LIKE '%cascade%' AND key.\"table\" = ?2 COLLATE NOCASE \
         AND key.on_update = 'CASCADE' GROUP BY made.name, key.id ORDER BY made.rowid, key.id DESC",
        sqlite_lexer::quote(schema)
    );
    let mut statement = connection.prepare_cached(&sql)?;
    let keys = statement.query_map([schema, name], |row| {
        let columns: String = row.get(1)?;
        Ok(HandedOn {
            table: row.get(0)?,
            // A key whose columns nobody knows is refused where it is looked at.
            columns: serde_json::from_str(&columns).unwrap_or_default(),
        })
    })?;
    keys.collect()
}

/// Whether the actions of foreign keys lead from a table back to it.
pub(super) fn acts_on_itself(connection: &Connection, schema: &str, name: &str) -> rusqlite::Result<bool> {
    let sql = format!(
        "WITH RECURSIVE acting(parent, child) AS MATERIALIZED ( \
         SELECT lower(key.\"table\"), lower(made.name) \
         FROM {}.sqlite_schema AS made, pg_catalog.pragma_foreign_key_list(made.name, ?1) AS key \
         WHERE made.type = 'table' AND (made.sql LIKE '%cascade%' OR made.sql LIKE '%set%') \
         AND (key.on_update IN ('CASCADE', 'SET NULL', 'SET DEFAULT') \
         OR key.on_delete IN ('CASCADE', 'SET NULL', 'SET DEFAULT'))), \
         reached(name) AS (SELECT child FROM acting WHERE parent = lower(?2) \
         UNION SELECT child FROM acting JOIN reached ON parent = reached.name) \
         SELECT EXISTS (SELECT 1 FROM reached WHERE name = lower(?2))",
        sqlite_lexer::quote(schema)
    );
    let mut statement = connection.prepare_cached(&sql)?;
    statement.query_row([schema, name], |row| row.get(0))
}

/// Whether the rows of a relation have numbers; where no schema is named, of the session's own one, which hides the others.
pub(super) fn numbers_rows(
    connection: &Connection,
    schema: Option<&str>,
    name: &str,
) -> rusqlite::Result<bool> {
    let sql = "SELECT type <> 'view' AND NOT wr FROM pg_catalog.pragma_table_list \
               WHERE name = ?1 COLLATE NOCASE AND schema = coalesce(?2, schema) \
               ORDER BY schema = 'temp' DESC, schema = 'main' DESC LIMIT 1";
    let mut statement = connection.prepare_cached(sql)?;
    let found = statement.query_row((name, schema), |row| row.get(0));
    Ok(found.optional()?.unwrap_or(false))
}

/// Whether a table's definition says what becomes of a row that breaks a constraint; where no schema is named, of the
/// session's own table or the file's.
pub(super) fn resolves_conflicts(
    connection: &Connection,
    schema: Option<&str>,
    name: &str,
) -> rusqlite::Result<bool> {
    let made = first_text(connection, schema, name)?.unwrap_or_default();
    let mut tokens = sqlite_lexer::tokens(&made).map(|(_, token)| token);
    Ok(tokens.any(|token| token.eq_ignore_ascii_case("conflict")))
}

/// The text that made a table; `None` for what is none.
pub(super) fn text(connection: &Connection, schema: &str, table: &str) -> rusqlite::Result<Option<String>> {
    let sql = format!(
        "SELECT sql FROM {}.sqlite_schema WHERE type = 'table' AND name = ?1 COLLATE NOCASE",
        sqlite_lexer::quote(schema)
    );
    let mut statement = connection.prepare_cached(&sql)?;
    statement.query_row([table], |row| lossy::text(row, 0)).optional()
}

/// The same; where no schema is named, of the session's own table, which hides the file's.
pub(super) fn first_text(
    connection: &Connection,
    schema: Option<&str>,
    table: &str,
) -> rusqlite::Result<Option<String>> {
    if let Some(schema) = schema {
        return text(connection, schema, table);
    }
    let own = text(connection, "temp", table)?;
    own.map_or_else(|| text(connection, "main", table), |own| Ok(Some(own)))
}
