//! Conditions on the rows that are listed, and on those that there must or must not be beside them: `with a pending booking but no
//! confirmed one`, `who rented a drill but never a saw`.

use super::{
    super::question::PeriodMention,
    Builder, RelatedWanted, Wanted,
    list::{push_shown, value},
};
use crate::question::{
    analytic::Shown,
    semantic::{Comparison, Condition, DatasetRole, Way},
};

impl Builder<'_> {
    /// What must hold of the rows of a table that are listed. What is said of rows that there must be is said of those.
    pub(super) fn of_rows(
        &mut self,
        subject: usize,
        (wanted, related): (&[Wanted], &[RelatedWanted]),
        (periods, again): (&[PeriodMention], bool),
        shown: &mut Vec<Shown>,
    ) -> Option<Vec<Condition>> {
        let all: Vec<&Wanted> = wanted.iter().collect();
        if let [only] = related {
            return self.of_related(subject, &all, only, (periods, again));
        }
        let mut conditions = self.of_each_related(subject, &all, related)?;
        let own: Vec<&Wanted> = all
            .iter()
            .copied()
            .filter(|found| self.owner(subject, found, related).is_none())
            .collect();
        conditions.extend(self.reach(subject, &own)?);
        if !self.periods_used.get() {
            if again {
                return None;
            }
            for found in periods {
                conditions.push(self.during(subject, found.at, found.period)?);
                // `received last week`: when that was is told.
                if let Some(named) = self.time_field(found.at)
                    && named.table == subject
                    && self.context.model.datasets[subject].role == DatasetRole::Event
                {
                    push_shown(shown, value(Way::here(), named.column));
                }
            }
        }
        Some(conditions)
    }

    /// The same where one kind of rows must be there or not.
    fn of_related(
        &mut self,
        subject: usize,
        all: &[&Wanted],
        only: &RelatedWanted,
        (periods, again): (&[PeriodMention], bool),
    ) -> Option<Vec<Condition>> {
        let mut conditions = Vec::new();
        let (ways, there) = (self.context.ways(subject), self.context.ways(only.table));
        let (inside, outside): (Vec<&Wanted>, Vec<&Wanted>) = all.iter().copied().partition(|found| {
            found.table != subject
                && there.single(found.table).is_some()
                && (ways.single(found.table).is_none() || self.has_rival(all, found))
        });
        // `bookings for both Hamlet and Faust`: some for the one, and some for the other.
        let (rivals, inside): (Vec<&Wanted>, Vec<&Wanted>) =
            inside.into_iter().partition(|found| self.has_rival(all, found));
        // `who rented a drill but no saw`: some for the one, and none for the other.
        let (denied, inside): (Vec<&Wanted>, Vec<&Wanted>) =
            inside.into_iter().partition(|found| is_denied_beside(all, found));
        // `with motor but no home insurance`: the noun is denied with what stands before it.
        let is_of_denied = |found: &&Wanted| found.end == only.at && only.end > 0;
        let there_is = RelatedWanted {
            how_many: (Comparison::AtLeast, 1),
            ..*only
        };
        let only = if only.how_many == (Comparison::Equal, 0) && denied.iter().any(is_of_denied) {
            &there_is
        } else {
            only
        };
        let choices: Vec<Option<&Wanted>> = if rivals.is_empty() {
            vec![None]
        } else {
            rivals.into_iter().map(Some).collect()
        };
        // `who signed up this year and never ordered`: the period is one of what it is said of.
        let (own_periods, of_related): (Vec<PeriodMention>, Vec<PeriodMention>) =
            periods.iter().partition(|found| {
                let named = self.time_field(found.at);
                named.is_some_and(|named| named.table == subject && named.table != only.table)
            });
        for found in &own_periods {
            conditions.push(self.during(subject, found.at, found.period)?);
        }
        for choice in choices {
            let inside: Vec<&Wanted> = inside.iter().copied().chain(choice).collect();
            let inside = self.reach(only.table, &inside)?;
            conditions.extend(self.related_during(subject, only, (&of_related, again), &inside)?);
        }
        let none = RelatedWanted {
            how_many: (Comparison::Equal, 0),
            until: None,
            ..*only
        };
        for found in denied {
            let said = Wanted {
                negated: false,
                ..found.clone()
            };
            let inside = self.reach(only.table, &[&said])?;
            conditions.extend(self.related_condition(subject, &none, &inside)?);
        }
        conditions.extend(self.reach(subject, &outside)?);
        Some(conditions)
    }

    /// That there are rows of each kind or none, with what is said of each.
    pub(super) fn of_each_related(
        &mut self,
        subject: usize,
        all: &[&Wanted],
        related: &[RelatedWanted],
    ) -> Option<Vec<Condition>> {
        let mut conditions = Vec::new();
        for (place, there) in related.iter().enumerate() {
            if there.lacked && place > 0 {
                continue;
            }
            let mut inside = self.said_inside(subject, all, (related, place))?;
            // `with bookings without a skipper`: those bookings have none.
            if let Some(lacked) = related.get(place + 1).filter(|next| next.lacked) {
                let of_lacked = self.said_inside(subject, all, (related, place + 1))?;
                inside.extend(self.related_condition(there.table, lacked, &of_lacked)?);
            }
            conditions.extend(self.related_condition(subject, there, &inside)?);
        }
        Some(conditions)
    }

    /// What is said of the rows of one of several kinds.
    fn said_inside(
        &mut self,
        subject: usize,
        all: &[&Wanted],
        (related, place): (&[RelatedWanted], usize),
    ) -> Option<Vec<Condition>> {
        let inside: Vec<&Wanted> = all
            .iter()
            .copied()
            .filter(|found| self.owner(subject, found, related) == Some(place))
            .collect();
        self.reach(related[place].table, &inside)
    }

    /// Of which of several kinds of rows something is said: of those right behind it, or else of those last named before it.
    pub(super) fn owner(&self, subject: usize, found: &Wanted, related: &[RelatedWanted]) -> Option<usize> {
        let elsewhere = found.table != subject && related.len() > 1;
        if !elsewhere || self.context.ways(subject).single(found.table).is_some() {
            return None;
        }
        let may_say = |there: &RelatedWanted| {
            there.end > 0
                && (there.table == found.table
                    || self.context.ways(there.table).single(found.table).is_some())
        };
        let behind = related
            .iter()
            .position(|there| there.at == found.end && may_say(there));
        behind.or_else(|| {
            let before = |there: &RelatedWanted| there.end <= found.at && there.table == found.table;
            related.iter().rposition(|there| before(there) && may_say(there))
        })
    }
}

/// True where a value is denied of which another one is told.
fn is_denied_beside(all: &[&Wanted], one: &Wanted) -> bool {
    let told = |other: &&Wanted| other.value_of == one.value_of && !other.negated;
    one.negated && one.value_of.is_some() && all.iter().any(told)
}
