//! The meaning of a database as far as the database itself tells it: names, keys, comments, and what columns hold.

use crate::schema::{ColumnProfile, ColumnRef, Profile, Schema, TableProfile};

use super::SemanticModel;

mod datasets;
mod display;
mod fields;
mod filters;
mod hierarchies;
mod lexicon;
mod metrics;
mod relationships;

/// All that inference looks at.
#[derive(Debug, Clone, Copy)]
pub struct Evidence<'a> {
    /// Tables, columns, keys.
    pub schema: &'a Schema,
    /// What columns hold, as far as that was read.
    pub profile: &'a Profile,
}

/// The model that a database itself tells of.
pub fn infer(of: &Evidence<'_>) -> SemanticModel {
    let mut model = SemanticModel::default();
    for table in 0..of.schema.tables.len() {
        let fields = fields::fields(of, table);
        let dataset = datasets::dataset(of, table, fields);
        model.filters.extend(filters::filters(of, table, &dataset));
        model
            .hierarchies
            .extend(hierarchies::hierarchies(of, table, &dataset));
        model.datasets.push(dataset);
    }
    let keys = of.schema.foreign_keys.iter();
    model.relationships = keys.map(|key| relationships::relationship(of, key)).collect();
    model.metrics = metrics::metrics(of, &model.datasets);
    model
}

impl<'a> Evidence<'a> {
    /// What is known of a table's rows.
    fn table(&self, table: usize) -> Option<&'a TableProfile> {
        self.profile.tables.get(table)?.as_ref()
    }

    /// What is known of a column's values.
    fn column(&self, at: ColumnRef) -> Option<&'a ColumnProfile> {
        self.table(at.table)?.columns.get(at.column)
    }

    /// True for a column that a key leads out of.
    fn refers(&self, at: ColumnRef) -> bool {
        self.schema.foreign_keys.iter().any(|key| key.from.contains(&at))
    }

    /// True for a table that others refer to.
    fn is_referred_to(&self, table: usize) -> bool {
        let refers = |key: &crate::schema::ForeignKey| {
            key.to.first().is_some_and(|to| to.table == table)
                && key.from.first().is_some_and(|from| from.table != table)
        };
        self.schema.foreign_keys.iter().any(refers)
    }
}
