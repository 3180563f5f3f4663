//! A value that stands twice where a key or a unique index lets it stand once: which key it is, and which value.

use std::collections::HashSet;

use rusqlite::Result;

use super::{
    binding,
    command::Parameters,
    lossy, offender, running,
    violation::{Row, Violation, place, quoted},
};
use crate::{
    backend::{BackendError, Value},
    sqlite::{
        catalog::{Named, index_parts, shown_column, shown_key},
        translate::{OnConflict, WriteKind},
    },
    statement::sqlite_lexer::of_client,
};

/// A key or a unique index.
pub(super) struct Unique {
    name: String,
    /// Where the table is, as SQLite calls it.
    schema: String,
    table: String,
    /// In SQLite's words.
    parts: Vec<String>,
    /// Of each part the words by which it is told, and the column that it is.
    shown: Vec<(String, Option<String>)>,
    /// Of a partial index, in SQLite's words.
    condition: Option<String>,
}

impl Unique {
    fn of_key(named: &Named) -> Self {
        let columns = named.columns.iter();
        Self {
            name: named.name.clone(),
            schema: named.schema.clone(),
            table: named.table.clone(),
            parts: columns.clone().map(|column| quoted(column)).collect(),
            shown: columns
                .map(|column| (shown_column(column), Some(column.clone())))
                .collect(),
            condition: None,
        }
    }

    /// An index by the statement that makes it.
    pub(super) fn of_index(name: &str, (schema, table): (&str, &str), sql: &str) -> Self {
        let (items, condition) = index_parts(sql);
        let keys = items.iter().map(|item| item.trim_end_matches(" DESC"));
        Self {
            name: name.to_owned(),
            schema: schema.to_owned(),
            table: table.to_owned(),
            parts: keys.clone().map(|key| format!("({key})")).collect(),
            shown: keys.map(shown_key).collect(),
            condition,
        }
    }

    /// The rows that have certain values for it.
    fn same(&self) -> String {
        let same = (1..).zip(&self.parts).map(|(at, part)| format!("{part} = ?{at}"));
        let same: Vec<String> = same.collect();
        format!(
            "FROM {}.{} WHERE {} AND {}",
            quoted(&self.schema),
            quoted(&self.table),
            same.join(" AND "),
            self.condition()
        )
    }

    /// Whether what is asked of the rows of the index holds.
    fn condition(&self) -> String {
        let condition = self.condition.as_ref();
        condition.map_or_else(|| "TRUE".to_owned(), |condition| format!("({condition})"))
    }
}

impl Violation<'_> {
    pub(super) fn unique(&self, about: &str) -> Result<Option<BackendError>> {
        // So SQLite tells an index that is not by columns alone.
        let index = about
            .strip_prefix("index '")
            .map(|name| name.trim_end_matches('\''));
        let is_told = |named: &&Named| match index {
            Some(name) => named.name == name,
            None => matches!(named.kind, 'p' | 'u' | 'i') && offender::is_key(named, about),
        };
        // A key comes before an index that somebody made beside it.
        let told = self
            .named
            .iter()
            .filter(is_told)
            .min_by_key(|named| (!self.writes(&named.table), named.kind == 'i'));
        let Some(told) = told else {
            return self.of_new_index();
        };
        let keys = self.uniques(&told.schema, &told.table)?;
        let Some(told) = keys.iter().position(|key| key.name == told.name) else {
            return Ok(None);
        };
        let (violated, values) = self.first_violated(&keys, told)?;
        let key = &keys[violated];
        let detail = values.map(|values| self.unique_key(key, &values)).transpose()?;
        Ok(Some(BackendError {
            detail: detail.map(|key| format!("Key {key} already exists.")),
            place: Some(Box::new(place((&key.schema, &key.table), None, Some(&key.name)))),
            ..BackendError::new(
                "23505",
                format!("duplicate key value violates unique constraint \"{}\"", key.name),
            )
        }))
    }

    /// The keys and the unique indexes of a table in the order in which PostgreSQL looks at them.
    pub(super) fn uniques(&self, schema: &str, table: &str) -> Result<Vec<Unique>> {
        let mut keys: Vec<&Named> = self
            .named
            .iter()
            .filter(|named| {
                matches!(named.kind, 'p' | 'u') && (&*named.schema, &*named.table) == (schema, table)
            })
            .collect();
        keys.sort_by_key(|named| named.kind != 'p');
        let mut all: Vec<Unique> = keys.into_iter().map(Unique::of_key).collect();
        let sql = format!(
            "SELECT name, sql FROM {}.sqlite_schema \
             WHERE type = 'index' AND tbl_name = ?1 COLLATE NOCASE AND sql LIKE 'create unique index%'",
            quoted(schema)
        );
        let mut statement = self.connection.prepare(&sql)?;
        let made = statement.query_map([table], |row| {
            Ok(Unique::of_index(
                &lossy::text(row, 0)?,
                (schema, table),
                &lossy::text(row, 1)?,
            ))
        })?;
        for index in made {
            all.push(index?);
        }
        Ok(all)
    }

    /// SQLite tells one of the keys that a row violates, PostgreSQL the first; with the values that stand there.
    fn first_violated(&self, keys: &[Unique], told: usize) -> Result<(usize, Option<Vec<Value>>)> {
        let table = &keys[told].table;
        let mut rows = self.rows(table)?;
        for row in &mut rows {
            self.complete(table, row)?;
        }
        let mut before = HashSet::new();
        let mut found = None;
        for (at, row) in rows.iter().enumerate() {
            let Some(values) = self.written_for(keys, told, row)? else {
                continue;
            };
            if self.stands_twice(&keys[told], &values) || !before.insert(format!("{values:?}")) {
                found = Some((at, values));
                break;
            }
        }
        let Some((at, twice)) = found else {
            return Ok((told, None));
        };
        let writes = self.write.as_ref();
        let inserts = writes.is_some_and(|write| write.kind == WriteKind::Insert);
        // A row that is updated has its own key already, and one that gives way to another is no violation.
        if inserts && !of_client(self.asked).any(|word| word.eq_ignore_ascii_case("conflict")) {
            for (place, key) in keys[..told].iter().enumerate() {
                let Some(values) = self.values(key, &rows[at]) else {
                    continue;
                };
                let mut earlier = rows[..at].iter();
                if self.stands_twice(key, &values)
                    || earlier.any(|row| self.values(key, row).as_ref() == Some(&values))
                {
                    return Ok((place, Some(values)));
                }
            }
        }
        Ok((told, Some(twice)))
    }

    /// The values that come into a key with a row of the statement: those of another row, where that is updated in its place, and
    /// none, where it is left out. The key that is told is none by which a row may give way.
    fn written_for(&self, keys: &[Unique], told: usize, row: &Row) -> Result<Option<Vec<Value>>> {
        let key = &keys[told];
        let others = keys.iter().enumerate().filter(|(at, _)| *at != told);
        let writes = self.write.as_ref();
        let conflict = writes.and_then(|written| Some((written, written.on_conflict.as_ref()?)));
        let there = conflict.and_then(|(written, conflict)| {
            let there = self.in_the_way(row, written, others.map(|(_, key)| key))?;
            Some((written, conflict, there))
        });
        match there {
            None => Ok(self.values(key, row)),
            Some((_, OnConflict::Nothing, _)) => Ok(None),
            Some((written, OnConflict::Update(update), there)) => {
                let own = self.values(key, &there);
                let updated = self.in_place_of(row, there, (update, written))?;
                let values = updated.and_then(|updated| self.values(key, &updated));
                Ok(values.filter(|values| own.as_ref() != Some(values)))
            }
        }
    }

    /// The values that a row has for a key; none where it may stand beside any other, or nobody knows them.
    fn values(&self, key: &Unique, row: &Row) -> Option<Vec<Value>> {
        let sql = format!(
            "SELECT {} FROM {} WHERE {}",
            key.parts.join(", "),
            row.query(&key.table),
            key.condition()
        );
        let mut statement = self.connection.prepare(&sql).ok()?;
        binding::bind(&mut statement, &row.parameters()).ok()?;
        let values = running::values(statement.raw_query().next().ok()??).ok()?;
        (!values.contains(&Value::Null)).then_some(values)
    }

    /// What comes behind SELECT to find the row that has the values of another one for a key, and these.
    pub(super) fn twice(&self, key: &Unique, row: &Row) -> Option<(String, Vec<Value>)> {
        self.values(key, row).map(|values| (key.same(), values))
    }

    fn stands_twice(&self, key: &Unique, values: &[Value]) -> bool {
        let sql = format!("SELECT 1 {}", key.same());
        let look = || -> Result<bool> {
            let mut statement = self.connection.prepare(&sql)?;
            binding::bind(&mut statement, &Parameters::Given(values.to_vec()))?;
            Ok(statement.raw_query().next()?.is_some())
        };
        look().unwrap_or_default()
    }

    /// `(a, lower(b))=(1, x)`.
    pub(super) fn unique_key(&self, unique: &Unique, values: &[Value]) -> Result<String> {
        let columns: Vec<Option<&String>> = unique.shown.iter().map(|(_, column)| column.as_ref()).collect();
        let shown = self.shown_values(&unique.table, &columns, values)?;
        let words: Vec<&str> = unique.shown.iter().map(|(words, _)| words.as_str()).collect();
        Ok(format!("({})=({})", words.join(", "), shown.join(", ")))
    }
}
