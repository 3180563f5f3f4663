//! What is said where the rows of a table do not meet a constraint that comes.

use rusqlite::{Connection, OptionalExtension as _, Result};

use super::{
    FoundTable, exists,
    plan::Plan,
    quoted, string,
    text::{Clause, ClauseKind},
};
use crate::{backend::BackendError, sqlite::engine::violation::place};

impl FoundTable {
    fn of_constraint(
        &self,
        sqlstate: &'static str,
        words: String,
        name: &str,
        detail: Option<String>,
    ) -> rusqlite::Error {
        told(BackendError {
            detail,
            place: Some(Box::new(place((&self.schema, &self.name), None, Some(name)))),
            ..BackendError::new(sqlstate, words)
        })
    }

    pub(super) fn has_null(&self, column: &str) -> rusqlite::Error {
        let words = format!(
            "column \"{column}\" of relation \"{}\" contains null values",
            self.name
        );
        told(BackendError {
            place: Some(Box::new(place((&self.schema, &self.name), Some(column), None))),
            ..BackendError::new("23502", words)
        })
    }

    pub(super) fn violates(&self, check: &str) -> rusqlite::Error {
        let words = format!(
            "check constraint \"{check}\" of relation \"{}\" is violated by some row",
            self.name
        );
        self.of_constraint("23514", words, check, None)
    }

    fn has_twice(&self, index: &str, key: Option<String>) -> rusqlite::Error {
        let words = format!("could not create unique index \"{index}\"");
        let detail = key.map(|key| format!("Key {key} is duplicated."));
        self.of_constraint("23505", words, index, detail)
    }

    fn refers_nowhere(&self, key: &str, detail: Option<String>) -> rusqlite::Error {
        let words = format!(
            "insert or update on table \"{}\" violates foreign key constraint \"{key}\"",
            self.name
        );
        self.of_constraint("23503", words, key, detail)
    }
}

/// An error on its way through SQLite's own.
pub(super) fn told(error: BackendError) -> rusqlite::Error {
    rusqlite::Error::UserFunctionError(Box::new(error))
}

impl Plan<'_> {
    /// `(a, b)=(1, x)` of the first of some rows of the table, as PostgreSQL shows values.
    fn key(&self, columns: &[String], rows: &str) -> Result<Option<String>> {
        let table = format!("{}.{}", quoted(&self.found.schema), quoted(&self.found.name));
        self.key_in(&table.replacen("\"main\".", "", 1), columns, rows)
    }

    /// A key of the table as it would become that several rows have.
    fn twice(&self, columns: &[String]) -> Result<Option<String>> {
        let name = quoted(&self.found.name);
        let schema = match self.found.schema.as_str() {
            "main" => String::new(),
            schema => format!("{}.", quoted(schema)),
        };
        let filled = self.filled.iter().map(|(column, from)| {
            let column = quoted(column);
            from.as_ref()
                .map_or_else(|| column.clone(), |from| format!("{from} AS {column}"))
        });
        let filled: Vec<String> = filled.collect();
        let table = format!("(SELECT {} FROM {schema}{name}) AS {name}", filled.join(", "));
        let list: Vec<String> = columns.iter().map(|column| quoted(column)).collect();
        let given: Vec<String> = list
            .iter()
            .map(|column| format!("{column} IS NOT NULL"))
            .collect();
        let rows = format!(
            "WHERE {} GROUP BY {} HAVING count(*) > 1",
            given.join(" AND "),
            list.join(", ")
        );
        self.key_in(&table, columns, &rows)
    }

    fn key_in(&self, table: &str, columns: &[String], rows: &str) -> Result<Option<String>> {
        let values: Vec<String> = columns
            .iter()
            .map(|column| format!("{}::text", quoted(column)))
            .collect();
        let query = format!(
            "SELECT concat_ws(', ', {}) FROM {table} {rows} LIMIT 1",
            values.join(", ")
        );
        let Ok(query) = self.in_sqlite(&query) else {
            return Ok(None);
        };
        let shown: Option<String> = self
            .connection
            .query_row(&query, [], |row| row.get(0))
            .optional()?;
        Ok(shown.map(|shown| format!("({})=({shown})", columns.join(", "))))
    }

    /// Looks that no rows have the same values in a key that came.
    pub(super) fn is_unique(&self) -> Result<()> {
        let table = format!("{}.{}", quoted(&self.found.schema), quoted(&self.found.name));
        // What a column gets anew is looked at when it has it, and one that is computed is not there yet.
        let stays = |column: &String| {
            let mut filled = self.filled.iter();
            filled.any(|(name, from)| name.eq_ignore_ascii_case(column) && from.is_none())
        };
        for (name, key) in self.unique.iter().filter(|(_, key)| key.iter().all(stays)) {
            let columns: Vec<String> = key.iter().map(|column| quoted(column)).collect();
            let list = columns.join(", ");
            let given: Vec<String> = columns
                .iter()
                .map(|column| format!("{column} IS NOT NULL"))
                .collect();
            let twice = format!(
                "WHERE {} GROUP BY {list} HAVING count(*) > 1",
                given.join(" AND ")
            );
            if exists(self.connection, &format!("SELECT 1 FROM {table} {twice}"))? {
                return Err(self.found.has_twice(name, self.key(key, &twice)?));
            }
        }
        Ok(())
    }

    /// Looks that every key of the table refers to a row.
    pub(super) fn keys_refer(&self) -> Result<()> {
        let connection = self.connection;
        let table = string(&self.found.name);
        let check = format!("SELECT rowid, parent, fkid FROM pg_catalog.pragma_foreign_key_check({table})");
        let found: Option<(Option<i64>, String, i64)> = connection
            .query_row(&check, [], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))
            .optional()
            .map_err(matches_no_key)?;
        let Some((row, parent, key)) = found else {
            return Ok(());
        };
        let columns: Vec<String> = connection
            .prepare(&format!(
                "SELECT \"from\" FROM pg_catalog.pragma_foreign_key_list({table}) WHERE id = ?1 ORDER BY seq"
            ))?
            .query_map([key], |row| row.get(0))?
            .collect::<Result<_>>()?;
        let shown = match row {
            Some(row) => self.key(&columns, &format!("WHERE rowid = {row}"))?,
            None => None,
        };
        let detail = shown.map(|shown| format!("Key {shown} is not present in table \"{parent}\"."));
        let named = self.named(ClauseKind::References, |clause| clause.columns == columns);
        Err(self.found.refers_nowhere(&named.unwrap_or_default(), detail))
    }

    fn named(&self, kind: ClauseKind, fits: impl Fn(&Clause) -> bool) -> Option<String> {
        let named = self.named_clauses();
        let mut found = named
            .into_iter()
            .filter(|(_, clause)| clause.kind == kind && fits(clause));
        found.next_back().map(|(name, _)| name)
    }

    /// The error of moving rows, which names a table that nobody knows.
    pub(super) fn told_of(&self, error: rusqlite::Error) -> rusqlite::Error {
        let rusqlite::Error::SqliteFailure(code, Some(message)) = error else {
            return error;
        };
        let message = message.replace(&format!("{}.", self.new), &format!("{}.", self.found.name));
        let told = message
            .split_once(" constraint failed")
            .and_then(|(what, about)| {
                let about = about.trim_start_matches(": ");
                let own = |column: &str| {
                    column
                        .strip_prefix(&format!("{}.", self.found.name))
                        .map(str::to_owned)
                };
                match what {
                    "NOT NULL" => Some(self.found.has_null(&own(about)?)),
                    "UNIQUE" => {
                        let columns: Vec<String> = about.split(", ").filter_map(own).collect();
                        let is_it = |clause: &Clause| clause.columns == columns;
                        let named = self
                            .named(ClauseKind::Unique, is_it)
                            .or_else(|| self.named(ClauseKind::PrimaryKey, is_it))?;
                        let key = self.twice(&columns).unwrap_or_default();
                        Some(self.found.has_twice(&named, key))
                    }
                    "CHECK" => {
                        let text = self.text();
                        let is_it = |clause: &Clause| {
                            clause.name.as_deref() == Some(about)
                                || text.words(&clause.tokens).contains(about)
                        };
                        Some(self.found.violates(&self.named(ClauseKind::Check, is_it)?))
                    }
                    "FOREIGN KEY" => {
                        let is_new = |clause: &Clause| {
                            let mut new = self.filled.iter().filter(|(_, from)| from.is_some());
                            new.any(|(column, _)| clause.columns.contains(column))
                        };
                        Some(
                            self.found
                                .refers_nowhere(&self.named(ClauseKind::References, is_new)?, None),
                        )
                    }
                    _ => None,
                }
            });
        told.unwrap_or(rusqlite::Error::SqliteFailure(code, Some(message)))
    }
}

/// `foreign key mismatch - "child" referencing "parent"` in PostgreSQL's words.
fn matches_no_key(error: rusqlite::Error) -> rusqlite::Error {
    let words = error.to_string();
    match words
        .split_once("foreign key mismatch")
        .and_then(|(_, rest)| rest.split_once(" referencing "))
    {
        Some((_, parent)) => super::fault(
            "42830",
            format!(
                "there is no unique constraint matching given keys for referenced table {}",
                parent.trim()
            ),
        ),
        None => error,
    }
}

/// The columns of a table as it stands in the file.
pub(super) fn has_column(connection: &Connection, table: &FoundTable, column: &str) -> Result<bool> {
    let sql = "SELECT 1 FROM pg_catalog.pragma_table_info(?1, ?2) WHERE name = ?3 COLLATE NOCASE";
    connection
        .prepare(sql)?
        .exists((&table.name, &table.schema, column))
}
