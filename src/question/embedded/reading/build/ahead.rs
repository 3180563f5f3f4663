//! Beginnings and ends that are known ahead: what ends next year has not ended, though it is known when it will.

use jiff::{ToSpan, civil::Date};

use super::{Builder, Wanted};
use crate::question::{
    schema::{ColumnRef, words},
    semantic::{Attribute, Condition, FieldRole},
};

impl Builder<'_> {
    /// Conditions that something has begun or ended, or has not, as of today, where its day may still be to come.
    pub(super) fn as_of_today(&self, mut found: Vec<Wanted>) -> Vec<Wanted> {
        for wanted in &mut found {
            // The day itself is asked for: `contracts with an end date`.
            let says_date = |at: usize| {
                self.question
                    .mentions
                    .iter()
                    .any(|mention| mention.at == at && mention.says_date)
            };
            if says_date(wanted.at) {
                continue;
            }
            let (of, there) = match &wanted.condition {
                Condition::Missing(of) => (of, false),
                Condition::Not(inner) => match inner.as_ref() {
                    Condition::Missing(of) => (of, true),
                    _ => continue,
                },
                _ => continue,
            };
            if !self.is_known_ahead(wanted.table, of) {
                continue;
            }
            // What ends today has not ended, and what begins today has begun.
            let today = self.context.today;
            let bound = if self.begins(wanted.table, of) {
                today.checked_add(1.day()).unwrap_or(today)
            } else {
                today
            };
            let bound = Some(bound.to_string());
            wanted.condition = if there == wanted.negated {
                let ahead = Condition::During(of.clone(), bound, None);
                Condition::Any(vec![Condition::Missing(of.clone()), ahead])
            } else {
                Condition::During(of.clone(), None, bound)
            };
            wanted.negated = false;
        }
        found
    }

    fn begins(&self, table: usize, of: &Attribute) -> bool {
        let column = &self.context.snapshot.schema.tables[table].columns[of.column];
        let name = words::identifier_words(&column.name);
        name.iter()
            .any(|word| word.starts_with("start") || word.starts_with("begin"))
    }

    /// True for a day on which something begins or ends, of which some are still to come.
    fn is_known_ahead(&self, table: usize, of: &Attribute) -> bool {
        const BOUNDS: [&str; 12] = [
            "end", "ends", "ended", "expire", "expires", "expired", "expiry", "until", "start", "starts",
            "begin", "begins",
        ];
        let at = ColumnRef {
            table,
            column: of.column,
        };
        let schema = &self.context.snapshot.schema;
        if !of.way.hops.is_empty() || self.context.model.field(at).role != FieldRole::Time {
            return false;
        }
        let name = words::identifier_words(&schema.column(at).name);
        let bounds = name.iter().any(|word| BOUNDS.contains(&word.as_str()));
        let latest = self
            .context
            .snapshot
            .profile
            .column(at)
            .and_then(|profile| profile.latest);
        bounds && latest.is_some_and(|latest| latest > day_of(self.context.today))
    }
}

/// A date as profiles keep it: 20240331.
fn day_of(date: Date) -> u32 {
    u32::from(date.year().unsigned_abs()) * 10_000
        + u32::from(date.month().unsigned_abs()) * 100
        + u32::from(date.day().unsigned_abs())
}
