//! What is wrong with a SELECT although all its names are right: grouping, joins, kinds of values.

use std::collections::HashSet;

use super::{
    Code, Finding,
    scope::{Columns, ROWID, Scope, ScopedColumn},
};
use crate::question::schema::{Dialect, Schema};

mod comparison;
mod grouping;
mod joins;
mod strict_comparison;

pub(super) use comparison::comparison;
pub(super) use grouping::{Grouped, grouping, having_alone};
pub(super) use joins::{joins, unrelated};
pub(super) use strict_comparison::strict_comparison;

use super::scope::Output;

/// The same expression selected twice says nothing new.
pub(super) fn duplicates(outputs: &[Output], position: Option<usize>) -> Option<Finding> {
    let mut seen = HashSet::new();
    // Columns behind a * may repeat each other in a join; only what was written out is a slip.
    let written = outputs.iter().filter(|output| !output.text.is_empty());
    let mut twice = written.filter(|output| match output.value.place {
        Some(place) => !seen.insert((Some(place), "")),
        None => !seen.insert((None, &output.text)),
    });
    let output = twice.next()?;
    Some(Finding::warning(
        Code::DuplicateSelect,
        position,
        format!("{} is selected twice", output.name),
    ))
}

/// Columns that have one value wherever some others have one: by keys, and by equality.
pub(super) struct Determined<'s> {
    schema: &'s Schema,
    scope: &'s Scope,
    places: HashSet<ScopedColumn>,
    sources: HashSet<usize>,
}

impl<'s> Determined<'s> {
    /// Everything that `given` determines in a SELECT.
    pub(super) fn by(
        schema: &'s Schema,
        scope: &'s Scope,
        given: impl Iterator<Item = ScopedColumn>,
    ) -> Self {
        let places = given.chain(scope.fixed.iter().copied()).collect();
        let sources = scope
            .sources
            .iter()
            .enumerate()
            .filter(|(_, source)| source.single_row);
        let sources = sources.map(|(at, _)| at).collect();
        let mut determined = Self {
            schema,
            scope,
            places,
            sources,
        };
        while determined.grow() {}
        determined
    }

    /// True if the column has one value.
    pub(super) fn contains(&self, place: ScopedColumn) -> bool {
        self.sources.contains(&place.source) || self.places.contains(&place)
    }

    /// True if the source has one row.
    pub(super) fn is_one_row(&self, source: usize) -> bool {
        self.sources.contains(&source)
    }

    fn grow(&mut self) -> bool {
        let before = (self.places.len(), self.sources.len());
        for equality in &self.scope.equalities {
            if self.contains(equality.left) {
                self.places.insert(equality.right);
            }
            if self.contains(equality.right) {
                self.places.insert(equality.left);
            }
        }
        for (at, source) in self.scope.sources.iter().enumerate() {
            if let Columns::Table(table) = source.columns
                && !self.sources.contains(&at)
                && self.has_key(at, table)
            {
                self.sources.insert(at);
            }
        }
        (self.places.len(), self.sources.len()) != before
    }

    /// A key of the source is among the determined columns.
    fn has_key(&self, source: usize, table: usize) -> bool {
        let table = &self.schema.tables[table];
        // What PostgreSQL adds to GROUP BY must not split a group: what inherits from a table has keys of its own, and a column
        // that is unique may be NULL in several rows.
        let strict = self.scope.dialect == Dialect::Postgres;
        if strict && table.loose_keys {
            return false;
        }
        let of_source: Vec<_> = self
            .places
            .iter()
            .filter(|place| place.source == source)
            .map(|place| place.column)
            .collect();
        let key = &table.primary_key;
        (!key.is_empty() && key.iter().all(|column| of_source.contains(column)))
            || of_source.iter().any(|column| {
                *column == ROWID
                    || table
                        .columns
                        .get(*column)
                        .is_some_and(|column| column.unique && (column.not_null || !strict))
            })
    }
}
