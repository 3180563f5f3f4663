//! Lengths of time that rows must have: older than 60, took more than two weeks, came to an end.

use std::ops::Range;

use jiff::{Span, civil::Date};

use super::{
    super::{
        implied::is_birth,
        items::Meaning,
        persons::{is_person, works_here},
        question::{Mention, Number},
    },
    Builder,
    list::time_in,
    operands::operand,
};
use crate::question::{
    schema::ColumnRef,
    semantic::{
        Aggregate, Attribute, Comparison, Condition, FieldRole, Formula, Grain, Operand, Scalar, Unit, Way,
    },
};

/// States of what is still there.
const NOW: [&str; 4] = ["active", "current", "employed", "present"];
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
    /// `live in Ely or joined in 2024`: a period holds of all rows, and is no alternative to another condition.
    pub(super) fn has_period_as_alternative(&self) -> bool {
        let mut parts = self.question.mentions.iter().zip(&self.cast.parts);
        !self.question.periods.is_empty()
            && parts.any(|(mention, (_, sense))| {
                let is_time = match mention.senses[*sense].meaning {
                    Meaning::Field(at) => self.context.model.field(at).role == FieldRole::Time,
                    _ => false,
                };
                mention.alternative && is_time && mention.compared.is_none()
            })
    }

    /// `older than 60`: years since a birthday; `older than 7 days`: so long ago.
    pub(super) fn of_age(&self, at: ColumnRef, mention: &Mention) -> Option<Condition> {
        let Some((comparison, Number::Written(years))) = &mention.compared else {
            return None;
        };
        if let Some(unit) = mention.compared_in
            && self.context.model.field(at).role == FieldRole::Time
            && !is_birth(&self.context.snapshot.schema.column(at).name)
        {
            let since = ago(self.context.today, years.parse().ok()?, unit)?.to_string();
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
        let today = Box::new(Scalar::Moment(self.context.today.to_string()));
        let age = Scalar::Span(born, today, Unit::Year);
        Some(Condition::Compare(
            age,
            *comparison,
            Operand::Number(years.clone()),
        ))
    }

    /// How long it is between the times that a question names, with the table whose rows have both.
    pub(super) fn between(&self) -> Option<(usize, Scalar)> {
        let (from, to) = &self.question.ends;
        if from.is_none() && to.is_none() {
            return None;
        }
        let mut first = self.times_in(from.as_ref(), to.as_ref());
        let last = self.times_in(to.as_ref(), from.as_ref());
        // `time to the first reply`: from when the row itself happened.
        if self.question.from_its_begin {
            first.retain(|(from, _)| last.iter().any(|(to, _)| to.table == from.table));
            for (to, _) in &last {
                let time = self.context.model.datasets[to.table].time;
                let begins = time.map(|column| ColumnRef {
                    table: to.table,
                    column,
                });
                first.extend(begins.map(|begins| (begins, 1.0)));
            }
        }
        let mut best: Option<(f32, usize, Scalar)> = None;
        for (from, sure) in &first {
            for (to, also) in &last {
                if from == to {
                    continue;
                }
                // Rows of the one table, or those of one that leads to the other.
                let up = |of: ColumnRef, other: ColumnRef| {
                    let ways = self.context.ways(of.table);
                    ways.single(other.table).map(|(way, cost)| (way.clone(), *cost))
                };
                let (table, from_way, to_way, cost) = if let Some((way, cost)) = up(*to, *from) {
                    (to.table, way, Way::here(), cost)
                } else if let Some((way, cost)) = up(*from, *to) {
                    (from.table, Way::here(), way, cost)
                } else {
                    continue;
                };
                let score = sure + also - 0.2 * cost;
                if best.as_ref().is_some_and(|(known, ..)| *known >= score) {
                    continue;
                }
                let time = |way: Way, at: &ColumnRef| {
                    Box::new(Scalar::Column(Attribute {
                        way,
                        column: at.column,
                    }))
                };
                let span = Scalar::Span(time(from_way, from), time(to_way, to), self.unit());
                best = Some((score, table, span));
            }
        }
        best.map(|(_, table, span)| (table, span))
    }

    /// The times that some tokens name, or all that are named elsewhere than by the others, with how well they fit.
    fn times_in(
        &self,
        within: Option<&Range<usize>>,
        others: Option<&Range<usize>>,
    ) -> Vec<(ColumnRef, f32)> {
        let model = self.context.model;
        let mut found: Vec<(ColumnRef, f32)> = Vec::new();
        let mut first = None;
        for mention in &self.question.mentions {
            let named = match (within, others) {
                (Some(within), _) => {
                    within.contains(&mention.at) && first.is_none_or(|end| mention.at == end)
                }
                (None, Some(others)) => !others.contains(&mention.at),
                (None, None) => false,
            };
            if !named {
                continue;
            }
            let known = found.len();
            for sense in &mention.senses {
                let (at, score) = match &sense.meaning {
                    Meaning::Field(at) if model.field(*at).role == FieldRole::Time => {
                        (Some(*at), sense.score)
                    }
                    Meaning::Dataset(table) => {
                        let column = model.datasets[*table].time;
                        let at = column.map(|column| ColumnRef {
                            table: *table,
                            column,
                        });
                        (at, sense.score - 0.1)
                    }
                    Meaning::Filter(at) => {
                        let filter = &model.filters[*at];
                        let column = time_in(&filter.condition);
                        let table = filter.dataset;
                        (column.map(|column| ColumnRef { table, column }), sense.score)
                    }
                    _ => (None, 0.0),
                };
                if let Some(at) = at {
                    found.push((at, score));
                }
            }
            if within.is_some() && found.len() > known {
                first = Some(mention.end);
            }
        }
        found
    }

    /// True where the times of one column lie before those of another.
    pub(super) fn comes_before(&self, one: ColumnRef, other: ColumnRef) -> bool {
        let days = |at: ColumnRef| {
            let column = self.context.snapshot.profile.column(at)?;
            Some((column.earliest?, column.latest?))
        };
        match (days(one), days(other)) {
            (Some((from, to)), Some((begin, end))) => from < begin && to <= end || from <= begin && to < end,
            _ => false,
        }
    }

    /// When a row of a table was done, and when it had to be.
    pub(super) fn done_and_due(&self, table: usize) -> Option<(Attribute, Attribute)> {
        let filters = self.context.model.filters.iter();
        let mut late = filters.filter(|filter| filter.dataset == table && filter.name == "late");
        late.find_map(|filter| done_late(&filter.condition))
    }

    /// How much later than due rows of a table were done.
    pub(super) fn late_by(&self, table: usize, unit: Unit) -> Option<Scalar> {
        let (done, due) = self.done_and_due(table)?;
        Some(Scalar::Span(
            Box::new(Scalar::Column(due)),
            Box::new(Scalar::Column(done)),
            unit,
        ))
    }

    /// That a row of a table is not done, though it had to be before today.
    pub(super) fn overdue(&self, table: usize) -> Option<Condition> {
        let (done, due) = self.done_and_due(table)?;
        Some(Condition::All(vec![
            Condition::During(due, None, Some(self.context.today.to_string())),
            Condition::Missing(done),
        ]))
    }

    /// How long rows of a table took: until the time that is named behind a place of the question, else until their end.
    pub(super) fn lasts(
        &mut self,
        table: usize,
        behind: usize,
        (comparison, number, unit): (Comparison, &Number, Grain),
    ) -> Option<Condition> {
        let unit = unit_of(unit)?;
        let named = self
            .named_time(behind, |_| true)
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
            .or_else(|| self.in_no_state_of_now(table))
    }

    /// That a row of a table is in a state that it is no longer there with, or else in none that it is there with.
    fn in_no_state_of_now(&self, table: usize) -> Option<Condition> {
        let profile = self.context.snapshot.profile.tables.get(table)?.as_ref()?;
        let fields = self.context.model.datasets[table].fields.iter().enumerate();
        let mut states =
            fields.filter(|(_, field)| matches!(field.role, FieldRole::Dimension | FieldRole::Code));
        states.find_map(|(column, _)| {
            let stored = &profile.columns.get(column)?.frequent;
            let among = |wanted: &[&str]| -> Vec<Operand> {
                let stored = stored.iter().map(|(value, _)| value);
                let found = stored.filter(|value| wanted.contains(&value.to_lowercase().as_str()));
                found.map(|value| Operand::Text(value.clone())).collect()
            };
            let now = among(&NOW);
            let state = Scalar::Column(Attribute::own(column));
            // Of persons those on leave are still there.
            let schema = &self.context.snapshot.schema;
            let persons = is_person(schema, table) || works_here(&schema.tables[table].name);
            let ends: &[&str] = if persons { &ENDS } else { &[] };
            match among(ends) {
                gone if now.is_empty() || gone.len() == stored.len() => None,
                gone if gone.is_empty() => Some(Condition::Not(Box::new(Condition::In(state, now)))),
                gone => Some(Condition::In(state, gone)),
            }
        })
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
    let days = Span::new().try_days(i64::from(number) * days).ok()?;
    today.checked_sub(days).ok()
}

/// What lengths of time are told in.
pub(super) fn unit_of(grain: Grain) -> Option<Unit> {
    Some(match grain {
        Grain::Hour => Unit::Hour,
        Grain::Day => Unit::Day,
        Grain::Week => Unit::Week,
        Grain::Month => Unit::Month,
        Grain::Quarter | Grain::Year => return None,
    })
}

/// The times that a condition of being late compares: when a row was done, and when it had to be.
pub(super) fn done_late(condition: &Condition) -> Option<(Attribute, Attribute)> {
    match condition {
        Condition::Compare(
            Scalar::Period(done, Grain::Day),
            Comparison::Greater,
            Operand::Scalar(Scalar::Period(due, Grain::Day)),
        ) => Some((done.clone(), due.clone())),
        _ => None,
    }
}
