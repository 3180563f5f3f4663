//! Lengths of time that rows must have: older than 60, took more than two weeks, came to an end.

use time::{Date, Duration};

use super::{
    super::{
        implied::is_birth,
        periods::iso,
        question::{Mention, Number},
    },
    Builder,
    conditions::operand,
};
use crate::question::{
    schema::ColumnRef,
    semantic::{
        Aggregate, Attribute, Comparison, Condition, FieldRole, Formula, Grain, Operand, Scalar, Unit,
    },
};

/// Names of filters that say that something has come to an end, the surest first.
const ENDS: [&str; 16] = [
    "left",
    "retired",
    "inactive",
    "ended",
    "closed",
    "terminated",
    "discontinued",
    "delisted",
    "scrapped",
    "decommissioned",
    "withdrawn",
    "removed",
    "archived",
    "deleted",
    "sold",
    "returned",
];

impl Builder<'_> {
    /// `older than 60`: years since a birthday; `older than 7 days`: so long ago.
    pub(super) fn of_age(&self, at: ColumnRef, mention: &Mention) -> Option<Condition> {
        let Some((comparison, Number::Written(years))) = &mention.compared else {
            return None;
        };
        if let Some(unit) = mention.compared_in
            && self.context.model.field(at).role == FieldRole::Time
            && !is_birth(&self.context.snapshot.schema.column(at).name)
        {
            let since = iso(ago(self.context.today, years.parse().ok()?, unit)?);
            let time = Attribute::own(at.column);
            return match comparison {
                Comparison::Greater | Comparison::AtLeast => Some(Condition::During(time, None, Some(since))),
                Comparison::Less | Comparison::AtMost => Some(Condition::During(time, Some(since), None)),
                _ => None,
            };
        }
        let is_age = years.parse::<u32>().is_ok_and(|years| years < 150);
        if !is_age || !is_birth(&self.context.snapshot.schema.column(at).name) {
            return None;
        }
        let born = Box::new(Scalar::Column(Attribute::own(at.column)));
        let today = Box::new(Scalar::Moment(iso(self.context.today)));
        let age = Scalar::Span(born, today, Unit::Year);
        Some(Condition::Compare(
            age,
            *comparison,
            Operand::Number(years.clone()),
        ))
    }

    /// How long rows of a table took: until the time that is named behind a place of the question, else until their end.
    pub(super) fn lasts(
        &mut self,
        table: usize,
        behind: usize,
        (comparison, number, unit): (Comparison, &Number, Grain),
    ) -> Option<Condition> {
        let unit = match unit {
            Grain::Hour => Unit::Hour,
            Grain::Day => Unit::Day,
            Grain::Week => Unit::Week,
            Grain::Month => Unit::Month,
            _ => return None,
        };
        let named = self
            .time_field(behind)
            .and_then(|until| self.span(table, until, unit));
        let span = match named {
            Some(span) => span,
            None => match self.lasting(table)? {
                Formula::Rows {
                    aggregate: Aggregate::Average(Scalar::Span(from, to, _)),
                    ..
                } => Scalar::Span(from, to, unit),
                _ => return None,
            },
        };
        Some(Condition::Compare(span, comparison, operand(number)))
    }

    /// True where rows of a table have ended, and a period can only say when.
    pub(super) fn ends_in_period(&self, table: usize) -> bool {
        let asks = !self.question.periods.is_empty() || self.question.grains.iter().any(|grain| grain.sure);
        self.question.current == Some(false) && asks && self.end_of(table).is_some()
    }

    /// The time at which a row of a table comes to an end.
    pub(super) fn end_of(&self, table: usize) -> Option<usize> {
        match self.ended(table)? {
            Condition::Not(inner) => match *inner {
                Condition::Missing(at) => at.way.hops.is_empty().then_some(at.column),
                _ => None,
            },
            _ => None,
        }
    }

    /// That a row of a table has come to an end.
    pub(super) fn ended(&self, table: usize) -> Option<Condition> {
        let model = self.context.model;
        let named = |wanted: &[&str]| {
            model
                .filters
                .iter()
                .find(|filter| filter.dataset == table && wanted.contains(&filter.name.as_str()))
        };
        if let Some(active) = named(&["active", "current", "available"]) {
            return Some(Condition::Not(Box::new(active.condition.clone())));
        }
        ENDS.iter()
            .find_map(|name| named(&[name]))
            .map(|ended| ended.condition.clone())
    }
}

/// The day that lies so many days, weeks, months or years before another.
fn ago(today: Date, number: u16, unit: Grain) -> Option<Date> {
    let days = match unit {
        Grain::Day => 1,
        Grain::Week => 7,
        Grain::Month => 30,
        Grain::Year => 365,
        _ => return None,
    };
    today.checked_sub(Duration::days(i64::from(number) * days))
}
