//! Conditions on the rows of one table, wherever what they speak of is.

use super::{
    super::{
        ends::End,
        implied::is_birth,
        items::Meaning,
        periods::Period,
        question::{Mention, PeriodMention},
        roles::Role,
        ways::{Ways, rebased},
    },
    Builder, RelatedWanted, Wanted,
};
use crate::question::{
    analytic::Shown,
    schema::ColumnRef,
    semantic::{
        Aggregate, Attribute, Comparison, Condition, DatasetRole, Figure, Operand, Part, Scalar, Way,
    },
};

/// Days at most of a period in which birthdays are looked for in any year.
const MOST_DAYS: i32 = 92;

impl Builder<'_> {
    /// `into English`, where one reference is to the language that something is in and another to the one that it is put into.
    fn way_of_end<'w>(&self, ways: &'w Ways, wanted: &Wanted) -> Option<&'w (Way, f32)> {
        let end = wanted.end_of_way?;
        let schema = &self.context.snapshot.schema;
        let ends = |way: &Way, end: End| {
            let hop = way.hops.last();
            hop.is_some_and(|hop| end.is_of(&schema.column(schema.foreign_keys[hop.key].from[0]).name))
        };
        let single = || ways.to(wanted.table).iter().filter(|(way, _)| way.is_single());
        let is_way = single().any(|(way, _)| ends(way, end.other()));
        single().find(|(way, _)| is_way && ends(way, end))
    }

    /// Conditions in words of other tables, as conditions on the rows of one.
    pub(super) fn reach(&mut self, table: usize, wanted: &[&Wanted]) -> Option<Vec<Condition>> {
        let mut told: Vec<Told> = Vec::new();
        let mut far: Vec<(Way, Vec<Condition>, bool)> = Vec::new();
        let mut often = None;
        let found_in = wanted;
        for wanted in wanted {
            let ways = self.context.ways(table);
            // `visited both Riverside and Northgate`: no row belongs to both of them, but rows of it may.
            let nearest = if self.has_rival(found_in, wanted) {
                ways.to(wanted.table).iter().find(|(way, _)| !way.is_single())
            } else {
                None
            };
            let nearest = nearest
                .or_else(|| self.way_of_end(&ways, wanted))
                .or_else(|| ways.single(wanted.table))
                .or_else(|| ways.nearest(wanted.table));
            let (way, cost) = nearest?;
            self.distance += cost;
            // One of two must be there to be the other's alternative.
            if wanted.alternative && told.is_empty() {
                return None;
            }
            if way.is_single() {
                let condition = rebased(&wanted.condition, way);
                let condition = if wanted.negated {
                    Condition::Not(Box::new(condition))
                } else {
                    condition
                };
                told.push(Told {
                    what: Reached::Here(condition),
                    alternative: wanted.alternative,
                });
                continue;
            }
            self.distance += 0.5;
            often = often.or(wanted.how_often.filter(|_| !wanted.negated));
            // As conditions on the rows that there may be many of, whatever they belong to.
            let last_down = way.hops.iter().rposition(|hop| !hop.up).unwrap_or_default();
            let (near, rest) = way.hops.split_at(last_down + 1);
            let (near, rest) = (Way { hops: near.to_vec() }, Way { hops: rest.to_vec() });
            let condition = rebased(&wanted.condition, &rest);
            let known = far.iter().position(|(known, _, negated)| {
                *known == near && *negated == wanted.negated && !self.question.both
            });
            let behind =
                matches!(told.last(), Some(Told { what: Reached::There(last), .. }) if Some(*last) == known);
            match known {
                // `missed or cancelled lessons`, and none of both where that is denied.
                Some(known) if (wanted.alternative || wanted.neither) && behind => {
                    let conditions = &mut far[known].1;
                    let last = conditions.pop();
                    conditions.push(Condition::Any(last.into_iter().chain([condition]).collect()));
                }
                Some(known) if !wanted.alternative && !wanted.neither => far[known].1.push(condition),
                _ => {
                    told.push(Told {
                        what: Reached::There(far.len()),
                        alternative: wanted.alternative,
                    });
                    far.push((near, vec![condition], wanted.negated));
                }
            }
        }
        // A period is one of what happened, where what is asked for is not what happened.
        let is_thing = self.context.model.datasets[table].role != DatasetRole::Event;
        if is_thing && !far.is_empty() && !self.question.periods.is_empty() && self.question.grains.is_empty()
        {
            let end = |way: &Way| {
                let last = way.hops.last()?;
                Some(self.context.snapshot.schema.foreign_keys[last.key].from[0].table)
            };
            let named = self
                .question
                .periods
                .iter()
                .any(|period| self.time_field(period.at).is_some());
            let ends: Vec<Option<usize>> = far.iter().map(|(way, ..)| end(way)).collect();
            if !named {
                for ((_, conditions, _), end) in far.iter_mut().zip(ends) {
                    let Some(end) = end else { continue };
                    for period in &self.question.periods {
                        conditions.push(self.during(end, period.at, period.period)?);
                    }
                }
                self.periods_used.set(true);
            }
        }
        let contradicts = |conditions: &[Condition]| {
            conditions.iter().enumerate().any(|(at, one)| {
                conditions[at + 1..].iter().any(|other| {
                    match (one, other) {
                        (
                            Condition::Compare(one, Comparison::Equal, Operand::Text(this)),
                            Condition::Compare(other, Comparison::Equal, Operand::Text(that)),
                        ) => one == other && this != that,
                        // `not in country Spain` has a country.
                        (Condition::Missing(missing), needs) | (needs, Condition::Missing(missing)) => {
                            compared(needs) == Some(missing)
                        }
                        _ => false,
                    }
                })
            })
        };
        let here: Vec<Condition> = told
            .iter()
            .filter_map(|told| match &told.what {
                Reached::Here(condition) if !told.alternative => Some(condition.clone()),
                _ => None,
            })
            .collect();
        let either = told.iter().any(|told| told.alternative);
        if !either && contradicts(&here) || far.iter().any(|(_, conditions, _)| contradicts(conditions)) {
            return None;
        }
        let mut there: Vec<Vec<Condition>> = Vec::new();
        for (way, conditions, negated) in far {
            let mut found = Vec::new();
            // `who only ever worked nights`: none of their shifts is another one.
            if self.question.only.is_some() && !negated {
                found.push(Condition::Related {
                    way: way.clone(),
                    how_many: (Comparison::Equal, 0),
                    conditions: vec![Condition::Not(Box::new(Condition::All(conditions.clone())))],
                });
            }
            let how_many = if negated {
                (Comparison::Equal, 0)
            } else {
                often.take().unwrap_or((Comparison::AtLeast, 1))
            };
            found.push(Condition::Related {
                way,
                how_many,
                conditions,
            });
            there.push(found);
        }
        Some(joined(told, there))
    }

    /// True where a value stands right behind: `not in country Spain` speaks of the value, not of what has no country.
    pub(super) fn has_value_behind(&self, name: &Mention) -> bool {
        let mut conditions = self.played(Role::Condition);
        conditions.any(|(mention, sense)| {
            mention.at == name.end && matches!(sense.meaning, Meaning::Value(..) | Meaning::Part(..))
        })
    }

    /// True where the same column is to be two things at once, which different rows may be.
    pub(super) fn has_rival(&self, all: &[&Wanted], one: &Wanted) -> bool {
        self.question.both
            && one.value_of.is_some()
            && !one.negated
            && all
                .iter()
                .any(|other| other.value_of == one.value_of && other.at != one.at && !other.negated)
    }

    /// That there are related rows in these periods: in all of them together, or in each of them `apart`, and none in those
    /// that are negated.
    pub(super) fn related_during(
        &mut self,
        table: usize,
        wanted: &RelatedWanted,
        (periods, apart): (&[PeriodMention], bool),
        inside: &[Condition],
    ) -> Option<Vec<Condition>> {
        let chunks: Vec<&[PeriodMention]> = if apart && !periods.is_empty() {
            periods.chunks(1).collect()
        } else {
            vec![periods]
        };
        let mut found = Vec::new();
        for chunk in chunks {
            let mut conditions = inside.to_vec();
            for period in chunk {
                conditions.push(self.during(wanted.table, period.at, period.period)?);
            }
            let wanted = if chunk.iter().any(|period| period.negated) {
                RelatedWanted {
                    how_many: (Comparison::Equal, 0),
                    until: None,
                    ..*wanted
                }
            } else {
                *wanted
            };
            found.extend(self.related_condition(table, &wanted, &conditions)?);
        }
        Some(found)
    }

    /// That there are related rows of which this holds; nothing where there always are.
    pub(super) fn related_condition(
        &mut self,
        table: usize,
        wanted: &RelatedWanted,
        conditions: &[Condition],
    ) -> Option<Vec<Condition>> {
        let ways = self.context.ways(table);
        let (way, cost) = ways.nearest(wanted.table)?;
        if way.hops.is_empty() {
            return None;
        }
        self.distance += cost;
        if way.is_single() {
            // One row at most: that it is there, and what holds of it.
            let schema = &self.context.snapshot.schema;
            let key = &schema.foreign_keys[way.hops[0].key];
            let always = way.hops.len() == 1 && schema.column(key.from[0]).not_null;
            let mut all: Vec<Condition> = conditions
                .iter()
                .map(|condition| rebased(condition, way))
                .collect();
            if !always {
                let missing = Condition::Missing(Attribute::own(key.from[0].column));
                all.insert(0, Condition::Not(Box::new(missing)));
            }
            return match wanted.how_many {
                (Comparison::Equal, 0) if all.is_empty() => None,
                (Comparison::Equal, 0) if conditions.is_empty() => {
                    Some(vec![Condition::Missing(Attribute::own(key.from[0].column))])
                }
                (Comparison::Equal, 0) => Some(vec![Condition::Not(Box::new(Condition::All(all)))]),
                (Comparison::AtLeast, 1) if all.is_empty() => Some(vec![]),
                (Comparison::AtLeast, 1) => Some(vec![Condition::All(all)]),
                _ => None,
            };
        }
        let bounds = std::iter::once(wanted.how_many).chain(wanted.until);
        let related = bounds.map(|how_many| Condition::Related {
            way: way.clone(),
            how_many,
            conditions: conditions.to_vec(),
        });
        Some(related.collect())
    }

    /// True where rows are asked for that there are none of: `that never booked a flight` has no bookings of another flight.
    pub(super) fn contradicts_itself(conditions: &[Condition]) -> bool {
        // What is missing is at no time.
        let missing = |wanted: &Attribute| {
            conditions
                .iter()
                .any(|condition| matches!(condition, Condition::Missing(at) if at == wanted))
        };
        let timed = |condition: &Condition| matches!(condition, Condition::During(at, ..) if missing(at));
        if conditions.iter().any(timed) {
            return true;
        }
        let none = |condition: &&Condition| matches!(condition, Condition::Related { how_many: (Comparison::Equal, 0), conditions, .. } if conditions.is_empty());
        conditions.iter().filter(none).any(|none| {
            let Condition::Related { way: absent, .. } = none else {
                return false;
            };
            // Whoever has no course by an enrolment has no enrolment either: each of these leads to one.
            let goes_on = |way: &Way| {
                let rest = absent.hops.strip_prefix(&way.hops[..]);
                rest.is_some_and(|rest| !way.hops.is_empty() && rest.iter().all(|hop| hop.up))
            };
            conditions.iter().any(|other| {
                matches!(other, Condition::Related { way, how_many, .. }
                    if *how_many != (Comparison::Equal, 0) && (way.hops.starts_with(&absent.hops) || goes_on(way)))
            })
        })
    }

    pub(super) fn during(&mut self, table: usize, at: usize, period: Period) -> Option<Condition> {
        let named = self.time_field(at);
        let time = self.time_of(table, named)?;
        // Of somebody born in March 2026 the year is said.
        let with_year = |found: &PeriodMention| found.period == period && found.with_year;
        if !self.question.periods.iter().any(with_year)
            && let Some(month) = self.month_of_birth(table, &time, period)
        {
            return Some(month);
        }
        Some(self.at_time(table, time, at, period))
    }

    /// That a time lies in a period, or outside of one that the question excludes.
    pub(super) fn at_time(&self, table: usize, time: Attribute, at: usize, period: Period) -> Condition {
        let (from, to) = period.bounds();
        let during = Condition::During(time.clone(), from, to);
        let mut periods = self.question.periods.iter();
        let Some(excluded) = periods.find(|found| found.at == at && found.outside) else {
            return during;
        };
        let outside = Condition::Not(Box::new(during));
        let may_miss = !time.way.hops.is_empty()
            || !self.context.snapshot.schema.tables[table].columns[time.column].not_null;
        if excluded.or_never && may_miss {
            Condition::Any(vec![outside, Condition::Missing(time)])
        } else {
            outside
        }
    }

    /// `born in December`, `birthday today`, `birthdays next week`: in any year.
    fn month_of_birth(&self, table: usize, time: &Attribute, period: Period) -> Option<Condition> {
        let (from, to) = (period.from?, period.to?);
        let recent = from.year() + 1 >= self.context.today.year();
        let short = from.until(to).is_ok_and(|span| span.get_days() <= MOST_DAYS);
        // The column of another table is no birthday of these rows.
        if !recent || !short || !time.way.hops.is_empty() {
            return None;
        }
        let column = ColumnRef {
            table,
            column: time.column,
        };
        if !is_birth(&self.context.snapshot.schema.column(column).name) {
            return None;
        }
        let part = |part, comparison, number: i8| {
            let scalar = Scalar::Part(time.clone(), part);
            Condition::Compare(scalar, comparison, Operand::Number(number.to_string()))
        };
        let mut months = Vec::new();
        let mut begin = from;
        while begin < to {
            let next = begin.last_of_month().tomorrow().ok()?;
            let mut month = vec![part(Part::Month, Comparison::Equal, begin.month())];
            if begin.tomorrow().ok()? == to {
                month.push(part(Part::DayOfMonth, Comparison::Equal, begin.day()));
            } else {
                if begin.day() > 1 {
                    month.push(part(Part::DayOfMonth, Comparison::AtLeast, begin.day()));
                }
                if to < next {
                    month.push(part(Part::DayOfMonth, Comparison::Less, to.day()));
                }
            }
            months.push(all_of(month));
            begin = next;
        }
        Some(match months.len() {
            1 => months.remove(0),
            _ => Condition::Any(months),
        })
    }
}

/// What holds where all of these do.
fn all_of(mut conditions: Vec<Condition>) -> Condition {
    match conditions.len() {
        1 => conditions.remove(0),
        _ => Condition::All(conditions),
    }
}

/// How many related rows there are, where there must be more or fewer of them than any.
pub(super) fn how_many_there_are(condition: &Condition) -> Option<Shown> {
    let Condition::Related {
        way,
        how_many,
        conditions,
    } = condition
    else {
        return None;
    };
    // Of exactly so many nothing is left to tell.
    let is_known = matches!(how_many, (Comparison::AtLeast, 1) | (Comparison::Equal, _));
    (!is_known).then(|| {
        Shown::Figure(Figure {
            way: way.clone(),
            aggregate: Aggregate::Count,
            conditions: conditions.clone(),
        })
    })
}

/// The column whose value a condition looks at, so that it never holds where that is missing.
fn compared(condition: &Condition) -> Option<&Attribute> {
    match condition {
        Condition::Compare(Scalar::Column(attribute), ..)
        | Condition::In(Scalar::Column(attribute), _)
        | Condition::Like(attribute, _)
        | Condition::During(attribute, ..) => Some(attribute),
        Condition::Not(inner) => compared(inner),
        _ => None,
    }
}

/// A condition on the rows of a table, or on others that belong to them.
enum Reached {
    Here(Condition),
    /// Which of those on others.
    There(usize),
}

/// What was told, and whether it is an alternative to what was told before.
struct Told {
    what: Reached,
    alternative: bool,
}

/// What was told as conditions, alternatives as one.
fn joined(told: Vec<Told>, mut there: Vec<Vec<Condition>>) -> Vec<Condition> {
    let (mut here, mut beyond): (Vec<Condition>, Vec<Condition>) = (Vec::new(), Vec::new());
    let mut last_is_here = true;
    for Told { what, alternative } in told {
        let (is_here, conditions) = match what {
            Reached::Here(condition) => (true, vec![condition]),
            Reached::There(at) => (false, std::mem::take(&mut there[at])),
        };
        if !alternative {
            let found = if is_here { &mut here } else { &mut beyond };
            found.extend(conditions);
            last_is_here = is_here;
            continue;
        }
        let found = if last_is_here { &mut here } else { &mut beyond };
        let one = found.pop();
        let other = match <[Condition; 1]>::try_from(conditions) {
            Ok([only]) => only,
            Err(several) => Condition::All(several),
        };
        found.push(match one {
            Some(Condition::Any(mut any)) => {
                any.push(other);
                Condition::Any(any)
            }
            one => Condition::Any(one.into_iter().chain([other]).collect()),
        });
    }
    here.extend(beyond);
    here
}
