//! Triggers that cannot be run any more where a column goes. SQLite finds that out when somebody writes to the table.

use std::collections::BTreeSet;

use rusqlite::{Connection, Result};

use super::{dependents, quoted};
use crate::{
    sqlite::engine::{view_reads, views},
    statement::sqlite_lexer::{tokens, unquote},
};

/// A trigger: its schema, its name, what it is on, and its tokens.
struct Trigger {
    schema: String,
    name: String,
    table: String,
    tokens: Vec<String>,
}

/// The triggers that no statement can run, by schema and name.
pub(super) fn broken(connection: &Connection) -> Result<BTreeSet<(String, String)>> {
    let mut broken = BTreeSet::new();
    for trigger in all(connection)? {
        if !trigger.runs(connection)? {
            broken.insert((trigger.schema, trigger.name));
        }
    }
    Ok(broken)
}

/// Looks that no trigger is broken that was not before, and none waits for a column that is gone; drops those where that is asked
/// for.
pub(super) fn follow(
    connection: &Connection,
    (table, columns): (&str, &[String]),
    before: &BTreeSet<(String, String)>,
    cascades: bool,
) -> Result<()> {
    for trigger in all(connection)? {
        let is_of_table = trigger.table.eq_ignore_ascii_case(table);
        let waits = columns
            .iter()
            .find(|column| is_of_table && trigger.waits_for(column));
        let was_broken = before.contains(&(trigger.schema.clone(), trigger.name.clone()));
        // One statement fires many triggers: which of them it is that fails is told by their words.
        let named = columns.iter().find(|column| trigger.names(column));
        let Some(column) = waits.or(named.filter(|_| !was_broken)) else {
            continue;
        };
        if waits.is_none() && trigger.runs(connection)? {
            continue;
        }
        if !cascades {
            let depends = format!("trigger {} on table {}", trigger.name, trigger.table);
            return Err(dependents::stands_in_the_way(table, column, &depends));
        }
        let name = format!("{}.{}", quoted(&trigger.schema), quoted(&trigger.name));
        connection.execute_batch(&format!("DROP TRIGGER {name}"))?;
    }
    Ok(())
}

fn all(connection: &Connection) -> Result<Vec<Trigger>> {
    let sql = "SELECT name FROM pg_catalog.pragma_database_list";
    let schemas: Vec<String> = connection
        .prepare(sql)?
        .query_map([], |row| row.get(0))?
        .collect::<Result<_>>()?;
    // Nobody can look at a trigger that reads a view which is made of too many.
    let stuck = view_reads::triggered(connection, &views::too_large(connection)?)?;
    let mut all = vec![];
    for schema in schemas {
        let sql = format!(
            "SELECT name, tbl_name, sql FROM {}.sqlite_schema WHERE type = 'trigger' ORDER BY rowid",
            quoted(&schema)
        );
        let mut statement = connection.prepare(&sql)?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            let (table, text): (String, String) = (row.get(1)?, row.get(2)?);
            if stuck.contains(&table.to_lowercase()) {
                continue;
            }
            let tokens = tokens(&text).map(|(_, token)| token.to_owned());
            all.push(Trigger {
                schema: schema.clone(),
                name: row.get(0)?,
                table,
                tokens: tokens.collect(),
            });
        }
    }
    Ok(all)
}

impl Trigger {
    /// `DELETE ON t …`, `UPDATE OF a, b ON t …`: behind the name, which may be a word too.
    fn event(&self) -> &[String] {
        let is_event = |token: &String| {
            ["delete", "insert", "update"]
                .iter()
                .any(|word| token.eq_ignore_ascii_case(word))
        };
        let name = self.tokens.iter().position(|token| unquote(token) == self.name);
        let behind = &self.tokens[name.map_or(0, |at| at + 1)..];
        let first = behind.iter().position(is_event);
        &behind[first.unwrap_or(behind.len())..]
    }

    /// True where a statement can be compiled that fires it, and all others of the table and event.
    fn runs(&self, connection: &Connection) -> Result<bool> {
        let table = quoted(&self.table);
        // A trigger of the session's own may be on a table of the file.
        let mut schemas: Vec<String> = (0..).map_while(|at| connection.db_name(at).ok()).collect();
        schemas.sort_by_key(|schema| (*schema != self.schema, schema != "temp"));
        let mut found = None;
        for schema in schemas {
            let sql = format!(
                "SELECT 1 FROM {}.sqlite_schema WHERE type IN ('table', 'view') AND name = ?1 COLLATE NOCASE",
                quoted(&schema)
            );
            if connection.prepare(&sql)?.exists([&self.table])? {
                found = Some(schema);
                break;
            }
        }
        let Some(schema) = found else {
            return Ok(false);
        };
        let place = format!("{}.{table}", quoted(&schema));
        let event = self.event().first().map(|word| word.to_ascii_lowercase());
        let sql = match event.as_deref() {
            Some("delete") => format!("DELETE FROM {place}"),
            Some("insert") => format!("INSERT INTO {place} DEFAULT VALUES"),
            _ => {
                let sql = "SELECT name FROM pg_catalog.pragma_table_info(?1, ?2)";
                let columns: Vec<String> = connection
                    .prepare(sql)?
                    .query_map([&self.table, &schema], |row| row.get(0))?
                    .collect::<Result<_>>()?;
                let sets: Vec<String> = columns
                    .iter()
                    .map(|column| format!("{0} = {0}", quoted(column)))
                    .collect();
                format!("UPDATE {place} SET {}", sets.join(", "))
            }
        };
        Ok(connection.prepare(&sql).is_ok())
    }

    /// True where it is fired by a change of a column alone, or of some, of which this is one.
    fn waits_for(&self, column: &str) -> bool {
        let event = self.event();
        let is = |at: usize, word: &str| {
            event
                .get(at)
                .is_some_and(|token| token.eq_ignore_ascii_case(word))
        };
        let columns = event.iter().take_while(|token| !token.eq_ignore_ascii_case("on"));
        is(0, "update")
            && is(1, "of")
            && columns
                .skip(2)
                .any(|token| unquote(token).eq_ignore_ascii_case(column))
    }

    fn names(&self, column: &str) -> bool {
        self.event()
            .iter()
            .any(|token| unquote(token).eq_ignore_ascii_case(column))
    }
}
