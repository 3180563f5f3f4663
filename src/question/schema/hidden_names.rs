//! Names that somebody must not hear of, looked for in what people have written.

use std::collections::BTreeSet;

use super::{Schema, Snapshot, words::identifier_words};

/// Names of tables and columns, by their words.
#[derive(Debug, Clone, Default)]
pub struct HiddenNames(Vec<Vec<String>>);

impl HiddenNames {
    /// Those of private columns, and of tables that have no other.
    pub fn private(snapshot: &Snapshot) -> Self {
        if !snapshot.schema.has_private() {
            return Self::default();
        }
        let schema = &snapshot.schema;
        let columns = schema.columns().filter(|(_, column)| column.private);
        let columns = columns.map(|(_, column)| &column.name);
        let tables = schema.tables.iter();
        let tables = tables.filter(|table| table.columns.iter().all(|column| column.private));
        let names = columns.chain(tables.map(|table| &table.name));
        Self(names.map(|name| identifier_words(name)).collect())
    }

    /// Those that only what is kept back from the user has.
    pub fn withheld(snapshot: &Snapshot) -> Self {
        if snapshot.schema.withheld.is_none() {
            return Self::default();
        }
        let names = |schema: &Schema| -> BTreeSet<Vec<String>> {
            let tables = schema.tables.iter().flat_map(|table| {
                let columns = table.columns.iter().map(|column| &column.name);
                std::iter::once(&table.name).chain(columns)
            });
            tables.map(|name| identifier_words(name)).collect()
        };
        let shown = names(&snapshot.schema);
        let all = names(&snapshot.all_that_exists().schema);
        Self(all.difference(&shown).cloned().collect())
    }

    /// True if there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// True if the text mentions one, however it is cased.
    pub fn is_in(&self, text: &str) -> bool {
        if self.0.is_empty() {
            return false;
        }
        let words = identifier_words(text);
        self.0
            .iter()
            .any(|name| !name.is_empty() && words.windows(name.len()).any(|part| part == name.as_slice()))
    }
}
