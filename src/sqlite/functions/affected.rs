//! The rows that a statement has inserted or updated: `ON CONFLICT DO UPDATE` affects none a second time.

use std::{cell::RefCell, collections::HashSet};

use rusqlite::{Connection, Result, hooks::Action};

use super::{Failure, Nature::Volatile, Out, Scalar, V, fail};
use crate::sqlite::memory::Held;

/// What a row takes in memory, about.
const ROW: usize = 32;

/// The rows of one table that a statement has affected.
#[derive(Default)]
struct Rows {
    database: String,
    table: String,
    numbers: HashSet<i64>,
    /// Of a table whose rows have no numbers, by their keys.
    keys: HashSet<String>,
}

#[derive(Default)]
struct Affected {
    tables: Vec<Rows>,
    held: Held,
    /// There was no room for one more.
    is_full: bool,
}

thread_local! {
    static AFFECTED: RefCell<Option<Affected>> = const { RefCell::new(None) };
}

impl Affected {
    fn rows(&mut self, database: &str, table: &str) -> &mut Rows {
        let is_meant = |rows: &Rows| rows.table == table && rows.database == database;
        let at = self.tables.iter().position(is_meant).unwrap_or_else(|| {
            self.tables.push(Rows {
                database: database.to_owned(),
                table: table.to_owned(),
                ..Rows::default()
            });
            self.tables.len() - 1
        });
        &mut self.tables[at]
    }

    fn take_room(&mut self, bytes: usize) {
        self.is_full |= !self.held.take(bytes);
    }
}

/// Keeps account of the rows that a statement affects, for as long as it lives.
pub(in crate::sqlite) struct Account(bool);

impl Account {
    /// For a statement with these texts.
    pub(in crate::sqlite) fn of<'t>(mut texts: impl Iterator<Item = &'t str>) -> Self {
        let is_needed = texts.any(|text| text.contains("pg_affects("));
        if is_needed {
            AFFECTED.set(Some(Affected::default()));
        }
        Self(is_needed)
    }
}

impl Drop for Account {
    fn drop(&mut self) {
        if self.0 {
            AFFECTED.set(None);
        }
    }
}

/// Notes the rows that come into a connection's tables while somebody keeps account.
pub(in crate::sqlite) fn attach(connection: &mut Connection) -> Result<()> {
    connection.update_hook(Some(|action: Action, database: &str, table: &str, row: i64| {
        if action != Action::SQLITE_INSERT {
            return;
        }
        AFFECTED.with_borrow_mut(|affected| {
            let Some(affected) = affected else { return };
            affected.take_room(ROW);
            if !affected.is_full {
                affected.rows(database, table).numbers.insert(row);
            }
        });
    }))
}

/// True for a row that the statement has not affected before; from now on it has, if it is `updated`.
fn affects(database: &str, table: &str, row: &V, updated: bool) -> Out {
    let is_first = AFFECTED.with_borrow_mut(|affected| {
        let Some(affected) = affected else { return Ok(true) };
        if updated {
            affected.take_room(ROW + row.length());
        }
        if affected.is_full {
            return Err(Failure::out_of_memory());
        }
        let rows = affected.rows(database, table);
        Ok(match (row, updated) {
            (V::Int(number), true) => rows.numbers.insert(*number),
            (V::Int(number), false) => !rows.numbers.contains(number),
            (key, true) => rows.keys.insert(key.text()),
            (key, false) => !rows.keys.contains(&key.text()),
        })
    })?;
    if is_first {
        return Ok(V::of_bool(true));
    }
    fail(
        "21000",
        "ON CONFLICT DO UPDATE command cannot affect row a second time",
    )
}

/// `pg_affects(schema, table, row, updated)`.
pub(super) const FUNCTIONS: &[Scalar] = &[("pg_affects", 4, Volatile, |v| {
    affects(&v[0].text(), &v[1].text(), &v[2], v[3].int() != 0)
})];
