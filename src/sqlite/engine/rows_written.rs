//! The rows that a statement that failed would have written, whole and one by one in their order: what PostgreSQL tells of the
//! first of them that violates something.

use rusqlite::Result;

use super::{
    alter, binding,
    command::Parameters,
    definition, running,
    unique::Unique,
    violation::{Row, Violation},
};
use crate::{
    backend::Value,
    sqlite::translate::{OnConflict, OnConflictUpdate, Write, WriteKind},
};

impl Violation<'_> {
    fn write_to(&self, table: &str) -> Option<&Write> {
        let write = self.write.as_ref();
        write.filter(|written| written.table.eq_ignore_ascii_case(table))
    }

    /// The rows that the statement writes or deletes, as far as its text tells them.
    pub(super) fn rows(&self, table: &str) -> Result<Vec<Row>> {
        let Some(written) = self.write_to(table) else {
            return Ok(vec![]);
        };
        let Some(query) = &written.rows else {
            return Ok(vec![]);
        };
        let rows = self.rows_of(query, written)?;
        let Some(before) = &written.before else {
            return Ok(rows);
        };
        let mut whole = self.rows_of(before, written)?;
        if whole.len() != rows.len() {
            return Ok(rows);
        }
        for (row, set) in whole.iter_mut().zip(rows) {
            row.take_over(set);
        }
        whole
            .iter_mut()
            .try_for_each(|row| self.without_computed(table, row))?;
        Ok(whole)
    }

    /// The columns that the statement names.
    pub(super) fn set_columns(&self, written: &Write) -> Result<Vec<String>> {
        let Some(query) = &written.rows else {
            return Ok(vec![]);
        };
        let first = self.rows_of(query, written)?.into_iter().next();
        Ok(first.map(|row| row.names).unwrap_or_default())
    }

    /// The first row of which this holds, as it would have been written: new ones, and what becomes of those in their way.
    pub(super) fn first_written(
        &self,
        table: &str,
        mut is_meant: impl FnMut(&Row) -> Result<bool>,
    ) -> Result<Option<Row>> {
        let Some(written) = self.write_to(table) else {
            return Ok(None);
        };
        let keys = match (&written.on_conflict, &self.schema) {
            (Some(_), Some(schema)) => self.uniques(schema, table)?,
            _ => vec![],
        };
        for mut row in self.rows(table)? {
            if written.kind == WriteKind::Insert {
                self.complete(table, &mut row)?;
            }
            let row = self.computed(table, self.kept(table, row)?)?;
            if is_meant(&row)? {
                return Ok(Some(row));
            }
            let Some(OnConflict::Update(update)) = &written.on_conflict else {
                continue;
            };
            let there = self.in_the_way(&row, written, keys.iter());
            let there = there.map(|there| self.in_place_of(&row, there, (update, written)));
            if let Some(updated) = there.transpose()?.flatten() {
                let updated = self.computed(table, self.kept(table, updated)?)?;
                if is_meant(&updated)? {
                    return Ok(Some(updated));
                }
            }
        }
        Ok(None)
    }

    /// What becomes of the row that is in the way of a new one.
    pub(super) fn in_place_of(
        &self,
        new: &Row,
        mut there: Row,
        (update, written): (&OnConflictUpdate, &Write),
    ) -> Result<Option<Row>> {
        let own = match self.parameters {
            Parameters::Given(values) => values.clone(),
            Parameters::Nulls => vec![],
        };
        let (first, second) = (own.len() + 1, own.len() + 1 + there.values.len());
        let condition = update.condition.as_deref().unwrap_or("TRUE");
        let sql = format!(
            "SELECT {} FROM {}, {} WHERE {condition}",
            update.values,
            there.query_from(&update.own, first),
            new.query_from("excluded", second)
        );
        let Ok(mut statement) = self.connection.prepare(&sql) else {
            return Ok(None);
        };
        let all = [own, there.values.clone(), new.values.clone()].concat();
        binding::bind(&mut statement, &Parameters::Given(all))?;
        let names = statement.column_names().map(str::to_owned).collect();
        let Some(values) = statement.raw_query().next()?.map(running::values).transpose()? else {
            return Ok(None);
        };
        there.take_over(Row { names, values });
        self.without_computed(&written.table, &mut there)?;
        Ok(Some(there))
    }

    /// The row that has the values of a new one for one of these keys.
    pub(super) fn in_the_way<'k>(
        &self,
        new: &Row,
        written: &Write,
        mut keys: impl Iterator<Item = &'k Unique>,
    ) -> Option<Row> {
        keys.find_map(|key| self.standing(key, new, written))
    }

    /// The row that has the values of a new one for a key.
    fn standing(&self, key: &Unique, new: &Row, written: &Write) -> Option<Row> {
        let (sql, values) = self.twice(key, new)?;
        let sql = format!("SELECT * {sql}");
        let mut statement = self.connection.prepare(&sql).ok()?;
        binding::bind(&mut statement, &Parameters::Given(values)).ok()?;
        let names = statement.column_names().map(str::to_owned).collect();
        let values = running::values(statement.raw_query().next().ok()??).ok()?;
        let mut row = Row { names, values };
        self.without_computed(&written.table, &mut row).ok()?;
        Some(row)
    }

    /// A row without what is computed from it, which is to be done anew.
    fn without_computed(&self, table: &str, row: &mut Row) -> Result<()> {
        for (column, _) in self.expressions(table)? {
            row.forget(&column);
        }
        Ok(())
    }

    /// A row with what is computed from it.
    pub(super) fn computed(&self, table: &str, mut row: Row) -> Result<Row> {
        let mut left = self.expressions(table)?;
        left.retain(|(column, _)| row.of(std::slice::from_ref(column)).is_empty());
        // One may be computed from another.
        loop {
            let before = left.len();
            let mut still = vec![];
            for (column, expression) in left {
                let sql = format!("SELECT {expression} FROM {}", row.query(table));
                let Ok(mut statement) = self.connection.prepare(&sql) else {
                    still.push((column, expression));
                    continue;
                };
                binding::bind(&mut statement, &row.parameters())?;
                let value = statement.raw_query().next()?.map(running::values).transpose()?;
                row.set(column, value.and_then(|mut row| row.pop()).unwrap_or(Value::Null));
            }
            if still.len() == before || still.is_empty() {
                return Ok(row);
            }
            left = still;
        }
    }

    /// The columns of a table that are computed, with their expressions.
    fn expressions(&self, table: &str) -> Result<Vec<(String, String)>> {
        let schema = self
            .schema
            .as_deref()
            .filter(|_| self.writes(table))
            .unwrap_or("main");
        let create = definition::text(self.connection, schema, table)?;
        let computed = alter::computed(&create.unwrap_or_default());
        let parts = computed.into_iter().filter_map(|(column, words)| {
            let expression = words.get(words.find('(')?..=words.rfind(')')?)?;
            Some((column, expression.to_owned()))
        });
        Ok(parts.collect())
    }
}

impl Row {
    /// Gives a column a value.
    pub(super) fn set(&mut self, name: String, value: Value) {
        self.forget(&name);
        self.names.push(name);
        self.values.push(value);
    }

    fn take_over(&mut self, other: Row) {
        for (name, value) in other.names.into_iter().zip(other.values) {
            self.set(name, value);
        }
    }

    pub(super) fn forget(&mut self, column: &str) {
        if let Some(at) = self
            .names
            .iter()
            .position(|name| name.eq_ignore_ascii_case(column))
        {
            self.names.remove(at);
            self.values.remove(at);
        }
    }
}
