//! Sums over things of which a row tells how many: `total watts per project`, where a project has so many panels of a model.

use super::{super::ways::rebased_scalar, Builder, measures::rows_of};
use crate::question::{
    analytic::Measure,
    schema::words,
    semantic::{Aggregate, Attribute, DatasetRole, Formula, Hop, Scalar, Way},
};

impl Builder<'_> {
    /// Sums that are reached from other tables over rows that tell how many, as sums of so many times the value.
    pub(super) fn times_how_many(&self, measures: &mut [Measure], others: &[usize]) {
        for measure in measures {
            let Formula::Rows {
                table,
                aggregate: Aggregate::Sum(scalar @ Scalar::Column(_)),
                conditions,
                time: None,
            } = &measure.formula
            else {
                continue;
            };
            let counted = others
                .iter()
                .find_map(|other| self.counted_between(*table, *other));
            if let Some((between, key, quantity)) = counted.filter(|_| conditions.is_empty()) {
                let way = Way {
                    hops: vec![Hop { key, up: true }],
                };
                // The price at which it was sold is not what it costs today.
                let own = self.column_alike(between, *table, scalar);
                let value = own.unwrap_or_else(|| rebased_scalar(scalar, &way));
                let times = Scalar::Times(
                    Box::new(value),
                    Box::new(Scalar::Column(Attribute::own(quantity))),
                );
                measure.formula = rows_of(between, Aggregate::Sum(times));
            }
        }
    }

    /// The column of a table that is called by the last word of another one's: `unit_price` for `price`.
    fn column_alike(&self, table: usize, of: usize, scalar: &Scalar) -> Option<Scalar> {
        let Scalar::Column(attribute) = scalar else {
            return None;
        };
        let tables = &self.context.snapshot.schema.tables;
        let last = |name: &str| words::identifier_words(name).pop();
        let wanted = last(&tables[of].columns[attribute.column].name)?;
        let mut columns = tables[table].columns.iter();
        let found = columns
            .position(|column| column.kind.is_numeric() && last(&column.name).as_ref() == Some(&wanted))?;
        Some(Scalar::Column(Attribute::own(found)))
    }

    /// The table between things and what has them that tells how many, its reference to the things, and the column.
    fn counted_between(&self, things: usize, other: usize) -> Option<(usize, usize, usize)> {
        let ways = self.context.ways(things);
        if things == other
            || self.context.model.datasets[things].role == DatasetRole::Event
            || ways.single(other).is_some()
        {
            return None;
        }
        let (way, _) = ways.nearest(other)?;
        let first = way.hops.first().filter(|hop| !hop.up)?;
        let between = self.context.snapshot.schema.foreign_keys[first.key].from[0].table;
        // All that follows leads to one row.
        let is_single = way.hops[1..].iter().all(|hop| hop.up);
        let quantity = self.quantity(between).filter(|_| is_single)?;
        Some((between, first.key, quantity))
    }
}
