//! What SQL names, held against what a question does.

use std::collections::BTreeSet;

use crate::question::{
    lexicon::similarity,
    schema::{Schema, ValueHit, words},
};

/// How near two words are in meaning at least that tell of the same.
const NEAR: f32 = 0.55;

/// SQL, in lower case, and what it names.
pub(super) struct Taken<'a> {
    pub(super) sql: &'a str,
    names: BTreeSet<&'a str>,
    schema: &'a Schema,
}

impl<'a> Taken<'a> {
    pub(super) fn by(sql: &'a str, schema: &'a Schema) -> Self {
        let names = sql
            .split(|sign: char| !sign.is_alphanumeric() && sign != '_')
            .collect();
        Self { sql, names, schema }
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.names.contains(name.to_lowercase().as_str())
    }

    pub(super) fn has_table(&self, table: usize) -> bool {
        self.has(&self.schema.tables[table].name)
    }

    pub(super) fn has_value(&self, hit: &ValueHit) -> bool {
        self.sql.contains(&hit.stored.to_lowercase().replace('\'', "''"))
    }

    /// True where a value is looked up in its own column.
    pub(super) fn takes(&self, hit: &ValueHit) -> bool {
        let column = &self.schema.column(hit.column).name;
        self.has_value(hit) && self.has_table(hit.column.table) && self.has(column)
    }

    /// The tables that it reads.
    pub(super) fn tables(&self) -> impl Iterator<Item = usize> {
        (0..self.schema.tables.len()).filter(|table| self.has_table(*table))
    }

    /// The stored values and patterns in it.
    pub(super) fn texts(&self) -> impl Iterator<Item = &'a str> {
        self.sql.split('\'').skip(1).step_by(2)
    }

    /// True where a word, or one that is near to it in meaning, is a part of a name or of a stored value in it.
    pub(super) fn says(&self, word: &str) -> bool {
        let stem = words::stem(word);
        let is_near =
            |own: &str| words::stem(own) == stem || similarity(own, word).is_some_and(|near| near >= NEAR);
        let columns = self.schema.columns().map(|(_, column)| &column.name);
        let tables = self.tables().map(|table| &self.schema.tables[table].name);
        let mut names = columns.filter(|name| self.has(name)).chain(tables);
        names.any(|name| words::identifier_words(name).iter().any(|own| is_near(own)))
            || self.texts().any(|text| text.split(' ').any(is_near))
    }
}
