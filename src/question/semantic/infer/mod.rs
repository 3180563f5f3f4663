//! The meaning of a database as far as the database itself tells it: names, keys, comments, and what columns hold.

use std::collections::HashSet;

use crate::question::schema::{
    Codes, ColumnProfile, ColumnRef, ForeignKey, Profile, Schema, Shown, TableProfile,
};

use super::{Dataset, SemanticModel};

mod datasets;
mod display;
mod durations;
mod fields;
mod filters;
mod hierarchies;
mod in_and_out;
mod lexicon;
mod metrics;
mod owed;
mod relationships;
#[cfg(test)]
mod tests;
mod units;
mod views;

pub use fields::says_when;
pub use units::hundredths;

/// All that inference looks at.
#[derive(Debug, Clone)]
pub struct Evidence<'a> {
    /// Tables, columns, keys.
    schema: &'a Schema,
    /// What columns hold, as far as that was read.
    profile: &'a Profile,
    /// The keys that lead out of each table, by position: there may be thousands of keys.
    keys: Vec<Vec<usize>>,
    /// The tables that others refer to.
    referred_to: HashSet<usize>,
    /// What views show.
    shown: Shown,
}

/// The model that a database itself tells of.
pub fn infer(of: &Evidence<'_>) -> SemanticModel {
    let mut model = SemanticModel {
        datasets: vec![Dataset::default(); of.schema.tables.len()],
        ..SemanticModel::default()
    };
    let (views, tables): (Vec<usize>, Vec<usize>) =
        (0..of.schema.tables.len()).partition(|table| of.schema.tables[*table].is_view);
    // What views show is known by then.
    for table in tables.into_iter().chain(views) {
        let mut fields = fields::fields(of, table);
        views::take_over_fields(of, table, &mut fields, &model.datasets);
        let mut dataset = datasets::dataset(of, table, fields);
        views::take_over(of, table, &mut dataset, &model.datasets);
        model.filters.extend(filters::filters(of, table, &dataset));
        model
            .hierarchies
            .extend(hierarchies::hierarchies(of, table, &dataset));
        model.datasets[table] = dataset;
    }
    let keys = of.schema.foreign_keys.iter();
    model.relationships = keys.map(|key| relationships::relationship(of, key)).collect();
    model.metrics = metrics::metrics(of, &model.datasets);
    model
}

impl<'a> Evidence<'a> {
    /// A schema, and what its columns hold as far as that was read.
    pub fn new(schema: &'a Schema, profile: &'a Profile) -> Self {
        let mut keys = vec![Vec::new(); schema.tables.len()];
        let mut referred_to = HashSet::new();
        for (at, key) in schema.foreign_keys.iter().enumerate() {
            let (Some(from), Some(to)) = (key.from.first(), key.to.first()) else {
                continue;
            };
            keys[from.table].push(at);
            // A view is no more than what it shows.
            if from.table != to.table && !schema.tables[from.table].is_view {
                referred_to.insert(to.table);
            }
        }
        Self {
            schema,
            profile,
            keys,
            referred_to,
            shown: Shown::new(schema),
        }
    }

    /// The keys that lead out of a column.
    fn keys_of(&self, at: ColumnRef) -> impl Iterator<Item = &'a ForeignKey> {
        let keys = self.keys[at.table]
            .iter()
            .map(|key| &self.schema.foreign_keys[*key]);
        keys.filter(move |key| key.from.contains(&at))
    }

    /// What a table of codes says of a column.
    fn codes(&self, at: ColumnRef) -> Option<&'a Codes> {
        self.profile.codes.iter().find(|codes| codes.of == at)
    }

    /// True for a table that says what codes of other tables stand for.
    fn tells_codes(&self, table: usize) -> bool {
        let mut codes = self.profile.codes.iter();
        codes.any(|codes| codes.told_by.iter().any(|at| at.table == table))
    }

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
        self.keys_of(at).next().is_some()
    }

    /// True for a table whose rows refer to others.
    fn tells_of_others(&self, table: usize) -> bool {
        let mut keys = self.schema.foreign_keys.iter();
        keys.any(|key| key.from[0].table == table && key.to[0].table != table)
    }

    /// True for a table that others refer to.
    fn is_referred_to(&self, table: usize) -> bool {
        self.referred_to.contains(&table)
    }
}
