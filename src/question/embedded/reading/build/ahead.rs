//! Beginnings and ends that are known ahead: what ends next year has not ended, though it is known when it will.

use super::{super::anchor::date_of, Builder, Wanted};
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
            let Some(bound) = self.known_ahead(wanted.table, of) else {
                continue;
            };
            // What ends today has not ended, and what begins today has begun.
            let today = self.context.today;
            let day = match bound {
                Bound::Beginning => today.tomorrow().unwrap_or(today),
                Bound::End => today,
            };
            let day = Some(day.to_string());
            wanted.condition = if there == wanted.negated {
                let ahead = Condition::During(of.clone(), day, None);
                Condition::Any(vec![Condition::Missing(of.clone()), ahead])
            } else {
                Condition::During(of.clone(), None, day)
            };
            wanted.negated = false;
        }
        found
    }

    /// What a day is the bound of, of which some are still to come.
    fn known_ahead(&self, table: usize, of: &Attribute) -> Option<Bound> {
        let at = ColumnRef {
            table,
            column: of.column,
        };
        let snapshot = self.context.snapshot;
        if !of.way.hops.is_empty() || self.context.model.field(at).role != FieldRole::Time {
            return None;
        }
        let latest = snapshot.profile.column(at)?.latest.and_then(date_of)?;
        let bound = bound_of(&snapshot.schema.column(at).name)?;
        (latest > self.context.today).then_some(bound)
    }
}

/// What something has on a day.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Bound {
    Beginning,
    End,
}

fn bound_of(column: &str) -> Option<Bound> {
    words::identifier_words(column)
        .iter()
        .find_map(|word| match word.as_str() {
            "start" | "starts" | "begin" | "begins" => Some(Bound::Beginning),
            "end" | "ends" | "ended" | "expire" | "expires" | "expired" | "expiry" | "until" | "left"
            | "leaving" | "terminated" => Some(Bound::End),
            _ => None,
        })
}
