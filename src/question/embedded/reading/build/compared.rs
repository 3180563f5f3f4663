//! Measures under the conditions of the question, and compared with each other.

use jiff::civil::Date;

use super::{
    super::{
        items::Meaning,
        joined::months_between,
        question::{GrainMention, Mention, PeriodMention},
        roles::Role,
        ways::restricted,
    },
    Builder, Choice, RelatedWanted, Wanted,
    measures::push,
    repeated::several_times,
};
use crate::question::{
    analytic::Measure,
    schema::ColumnRef,
    semantic::{Aggregate, Change, Condition, DatasetRole, Formula, Grain, Scalar},
};

/// Words from one that asks for a share to what it is a share of, at most.
const SHARE_OF: usize = 3;

/// `card payments as a share of all money`: what the rows come to is shared out, and not their number too.
fn amount_alone(measures: Vec<Measure>) -> Vec<Measure> {
    let of = |measure: &Measure| match &measure.formula {
        Formula::Rows { table, aggregate, .. } => Some((*table, aggregate.clone())),
        _ => None,
    };
    if let [one, other] = &measures[..]
        && let (Some((table, first)), Some((of, second))) = (of(one), of(other))
        && table == of
    {
        return match (first, second) {
            (Aggregate::Count, Aggregate::Sum(_)) => vec![other.clone()],
            (Aggregate::Sum(_), Aggregate::Count) => vec![one.clone()],
            _ => measures,
        };
    }
    measures
}

/// True for a number of rows.
fn counts(measure: &Measure) -> bool {
    matches!(
        measure.formula,
        Formula::Rows {
            aggregate: Aggregate::Count,
            ..
        }
    )
}

/// True for sums: what was cancelled may not count in them.
fn sums(formula: &Formula) -> bool {
    formula.aggregates().iter().any(|one| {
        matches!(
            one,
            Formula::Rows {
                aggregate: Aggregate::Sum(_),
                ..
            }
        )
    })
}

impl Builder<'_> {
    /// The measures under the conditions of the question: each for itself, where two periods or groups are compared.
    pub(super) fn compared(
        &mut self,
        measures: Vec<Measure>,
        related: &[RelatedWanted],
    ) -> Option<Vec<Measure>> {
        let wanted = self.conditions()?;
        let periods = self.question.periods.clone();
        // `last year but not this year`
        let but_not = periods.iter().any(|period| period.negated);
        let share = self.question.share;
        let contrast = self.contrast();
        let grows = self.question.growth && periods.len() >= 2;
        let split = (self.question.versus || grows)
            && contrast.is_none()
            && !self.assumed.apart
            && self.side().is_none();
        let (sides, wanted): (Vec<Wanted>, Vec<Wanted>) = wanted
            .into_iter()
            .partition(|found| self.question.difference && contrast.is_some() && found.value_of == contrast);
        let measures = match share {
            // What is told beside the share stays what it is.
            Some(_) if self.question.share_beside && measures.iter().any(counts) => measures,
            Some(_) => amount_alone(measures).into_iter().map(rows_of_average).collect(),
            None => measures,
        };
        let of_numbers = self.question.share_beside && measures.iter().any(counts);
        let noun = self.noun_of_share();
        let mut choice = 0;
        // `share of running servers with a backup`: what stands before the noun may be said of all, or of the part.
        if let Some(noun) = noun
            && wanted
                .iter()
                .any(|found| self.is_of_share(found) && found.at < noun)
            && wanted.iter().any(|found| found.at > noun)
        {
            choice = self.chosen(Choice::Noun, 3);
        }
        let split_at = noun.filter(|_| choice > 0);
        let figures = share.filter(|_| !self.question.share_beside);
        let (measures, share) = match figures.and_then(|share| self.part_of(share, &measures)) {
            Some(ratio) => (vec![ratio], None),
            None => (measures, share),
        };
        let mut found = Vec::new();
        let several = several_times(&measures);
        for measure in &measures {
            let own_time = match &measure.formula {
                Formula::Rows { time, .. } if several => time.clone(),
                _ => None,
            };
            let mut tables: Vec<usize> = Vec::new();
            for table in measure
                .formula
                .aggregates()
                .into_iter()
                .filter_map(Formula::table)
            {
                if !tables.contains(&table) {
                    tables.push(table);
                }
            }
            let mut whole = measure.formula.clone();
            let mut part = measure.formula.clone();
            let mut each_side = vec![measure.formula.clone(); sides.len()];
            for &table in &tables {
                // `each plan's share of the active ones` compares groups with each other.
                let groups_first = self
                    .played(Role::Group)
                    .any(|(group, _)| share.is_some_and(|(at, _)| group.at < at));
                let of_part = |found: &Wanted| match share {
                    // Two sides are compared in all that is told of them.
                    _ if contrast.is_some() && found.value_of == contrast => false,
                    Some((at, _)) if self.question.share_as => found.at < at,
                    Some(_) if let Some(noun) = split_at => {
                        self.is_of_share(found) && (found.at > noun) == (choice == 1)
                    }
                    // `of the cancelled ones, what percentage`: what stands before is of both.
                    Some((at, _)) => {
                        let of_all = self.question.among.is_some_and(|among| found.at > among);
                        found.at > at && !groups_first && !of_all || found.end == at && found.end > 0
                    }
                    // `and how many of them were late` is said of those alone.
                    None => self.question.subset.is_some_and(|at| found.at > at),
                };
                let both = |found: &&Wanted| !of_part(found);
                let (of_rows, both): (Vec<&Wanted>, Vec<&Wanted>) = wanted
                    .iter()
                    .filter(both)
                    .partition(|found| self.owner(table, found, related).is_some());
                let own: Vec<&Wanted> = wanted.iter().filter(|found| of_part(found)).collect();
                let mut shared = self.reach(table, &both)?;
                if sums(&measure.formula)
                    && let Some(condition) = self.not_cancelled(table)
                {
                    self.possible.leaves_out = true;
                    shared.extend(self.assumed.leaves_out.then_some(condition));
                }
                shared.extend(self.still_to_come(table, &shared));
                shared.extend(self.valid_now(table));
                let mut related_to = Vec::new();
                // `customers with orders in 2024`: the period is one of the orders.
                let is_thing = self.context.model.datasets[table].role != DatasetRole::Event;
                let when = is_thing && related.len() == 1 && !split && !periods.is_empty();
                // `who signed up this year and never ordered`: the period is one of what it is said of.
                let (own_periods, of_related): (Vec<PeriodMention>, Vec<PeriodMention>) =
                    periods.iter().partition(|found| {
                        let named = self.time_field(found.at);
                        named.is_some_and(|named| named.table == table)
                    });
                if when {
                    for found in &own_periods {
                        shared.push(self.during(table, found.at, found.period)?);
                    }
                }
                if but_not && !(when && own_periods.is_empty()) {
                    return None;
                }
                let of_each = !of_rows.is_empty() || related.iter().skip(1).any(|there| there.lacked);
                if of_each {
                    related_to.extend(self.of_each_related(table, &of_rows, related)?);
                }
                for wanted in related.iter().filter(|_| !of_each) {
                    let of_related = if when { &of_related[..] } else { &[] };
                    related_to.extend(self.related_during(table, wanted, (of_related, but_not), &[])?);
                }
                if share.is_none() {
                    shared.append(&mut related_to);
                }
                if Self::contradicts_itself(&shared) {
                    return None;
                }
                // What a store has of floors has no time, though what it sells does, and what it had in stock.
                let is_level = self.context.model.datasets[table].role == DatasetRole::Snapshot;
                let timeless = tables.len() > 1 && is_thing && !is_level;
                if self.assumed.apart {
                    let mut any = Vec::new();
                    for found in &periods {
                        any.push(self.during(table, found.at, found.period)?);
                    }
                    shared.push(Condition::Any(any));
                } else if !split && !when && !timeless && !self.periods_used.get() {
                    for found in &periods {
                        shared.push(match &own_time {
                            Some(time) => self.at_time(table, time.clone(), found.at, found.period),
                            None => self.during(table, found.at, found.period)?,
                        });
                    }
                }
                for (formula, side) in each_side.iter_mut().zip(&sides) {
                    let mut conditions = shared.clone();
                    conditions.extend(self.reach(table, &[side])?);
                    *formula = restricted(formula, table, &conditions);
                }
                if share.is_some() {
                    // What is not known to be so or not is in no share.
                    let known = own.iter().filter_map(|found| self.is_known(found));
                    for known in known.collect::<Vec<_>>() {
                        shared.extend(self.reach(table, &[&known])?);
                    }
                }
                let mut of_part = self.reach(table, &own)?;
                of_part.extend(related_to);
                whole = restricted(&whole, table, &shared);
                let mut all = shared;
                all.extend(of_part);
                part = restricted(&part, table, &all);
            }
            if let [one, other] = &each_side[..] {
                found.push(Measure {
                    name: "difference".to_owned(),
                    formula: Formula::Difference(Box::new(one.clone()), Box::new(other.clone())),
                });
                continue;
            }
            if let Some((_, percent)) = share
                && !matches!(measure.formula, Formula::Ratio(..))
                && (!of_numbers || counts(measure))
            {
                let percent = percent || self.question.percent;
                let beside = self
                    .question
                    .share_beside
                    .then(|| (whole.clone(), (part != whole).then(|| part.clone())));
                if part == whole {
                    // Its share of all groups.
                    found.push(Measure {
                        name: "share".to_owned(),
                        formula: Formula::Share(Box::new(whole), Vec::new(), percent),
                    });
                } else {
                    found.push(Measure {
                        name: if percent { "percentage" } else { "share" }.to_owned(),
                        formula: Formula::Ratio(Box::new(part), Box::new(whole), percent),
                    });
                }
                if let Some((whole, part)) = beside {
                    push(&mut found, &measure.name, whole);
                    if let Some(part) = part {
                        push(&mut found, "of_them", part);
                    }
                }
                continue;
            }
            if split && periods.len() >= 2 {
                let mut each = Vec::new();
                for (found, name) in periods.iter().zip(names_of(&periods)) {
                    let mut formula = whole.clone();
                    for &table in &tables {
                        let during = self.during(table, found.at, found.period)?;
                        formula = restricted(&formula, table, &[during]);
                    }
                    each.push((name, formula));
                }
                each.sort_by(|one, other| one.0.cmp(&other.0));
                if !self.question.growth || self.question.versus {
                    for (name, formula) in &each {
                        found.push(Measure {
                            name: format!("{}_{name}", measure.name),
                            formula: formula.clone(),
                        });
                    }
                }
                if self.question.growth {
                    let (old, new) = (each[0].1.clone(), each[1].1.clone());
                    let change = Formula::Difference(Box::new(new), Box::new(old.clone()));
                    let formula = if self.question.versus && !self.question.percent {
                        change
                    } else {
                        Formula::Ratio(Box::new(change), Box::new(old), true)
                    };
                    found.push(Measure {
                        name: "growth".to_owned(),
                        formula,
                    });
                }
                continue;
            }
            if split {
                return None;
            }
            let some = self.question.subset.filter(|_| part != whole);
            found.push(Measure {
                name: measure.name.clone(),
                formula: whole,
            });
            if some.is_some() {
                push(&mut found, "of_them", part);
            }
        }
        Some(found)
    }

    /// The length of the periods that are compared, where each may have a row of its own: `turnover 2024 vs 2025`.
    pub(super) fn periods_apart(&mut self, grains: &[GrainMention]) -> Option<GrainMention> {
        let periods = &self.question.periods;
        let compares = self.question.versus && periods.len() >= 2 && !self.question.growth;
        if !compares || self.question.difference || periods.iter().any(|period| period.negated) {
            return None;
        }
        let firsts: Option<Vec<Date>> = periods.iter().map(|found| found.period.from).collect();
        let firsts = firsts?;
        let differ = |of: fn(Date) -> Date| {
            let mut all: Vec<Date> = firsts.iter().copied().map(of).collect();
            all.sort_unstable();
            all.windows(2).all(|two| two[0] != two[1])
        };
        let within = |months: i32| {
            periods
                .iter()
                .all(|found| match (found.period.from, found.period.to) {
                    (Some(from), Some(to)) => months_between(from, to) <= months,
                    _ => false,
                })
        };
        let grain = if differ(Date::first_of_year) && within(12) {
            Grain::Year
        } else if differ(Date::first_of_month) && within(1) {
            Grain::Month
        } else {
            return None;
        };
        self.possible.apart = true;
        let known = grains.iter().any(|known| known.grain == Ok(grain));
        (self.assumed.apart && !known).then_some(GrainMention {
            at: periods[0].at,
            grain: Ok(grain),
            sure: true,
            asked: false,
        })
    }

    /// That it is known of a row whether it is so, for a flag that has not always a value.
    fn is_known(&self, found: &Wanted) -> Option<Wanted> {
        let Condition::Flag(of, _) = &found.condition else {
            return None;
        };
        let at = ColumnRef {
            table: found.table,
            column: of.column,
        };
        let open = of.way.hops.is_empty() && self.may_miss(at);
        open.then(|| Wanted {
            condition: Condition::Missing(of.clone()),
            negated: true,
            alternative: false,
            value_of: None,
            ..*found
        })
    }

    /// Where the noun stands that a share is asked of.
    fn noun_of_share(&self) -> Option<usize> {
        let (at, _) = self.question.share?;
        let named = self.played(Role::Head).chain(self.played(Role::Measure));
        let nouns =
            named.filter(|(mention, sense)| mention.at > at && matches!(sense.meaning, Meaning::Dataset(_)));
        nouns.map(|(mention, _)| mention.at).min()
    }

    /// True for what stands behind the word that asks for a share.
    fn is_of_share(&self, found: &Wanted) -> bool {
        self.question.share.is_some_and(|(at, _)| found.at > at)
            && !self.question.share_as
            && self.question.among.is_none()
    }

    /// Of two figures the one as a part of the other: `cost as a share of revenue`.
    fn part_of(&mut self, (at, percent): (usize, bool), measures: &[Measure]) -> Option<Measure> {
        let mentions: Vec<&Mention> = self.played(Role::Measure).map(|(mention, _)| mention).collect();
        let ([one, other], [_, second]) = (measures, &mentions[..]) else {
            return None;
        };
        // The whole stands behind `share of`, or else it is named first.
        let (part, whole) = if second.at > at && second.at <= at + SHARE_OF {
            (one, other)
        } else {
            (other, one)
        };
        let percent = percent || self.question.percent;
        let (part, whole) = (part.formula.clone(), whole.formula.clone());
        let (part, whole) = self.linked(part, whole);
        Some(Measure {
            name: if percent { "percentage" } else { "share" }.to_owned(),
            formula: Formula::Ratio(Box::new(part), Box::new(whole), percent),
        })
    }

    /// Running totals and changes along the time.
    pub(super) fn derived(&mut self, measures: &mut Vec<Measure>, time_at: Option<usize>) -> Option<()> {
        if self.question.running {
            let along = time_at?;
            for measure in measures.iter_mut() {
                measure.formula = Formula::Running(Box::new(measure.formula.clone()), along);
            }
        }
        // Growth is told beside what grows.
        if self.question.growth && self.question.periods.len() < 2 {
            let along = time_at?;
            let grown: Vec<Formula> = measures.iter().map(|measure| measure.formula.clone()).collect();
            for formula in grown {
                push(
                    measures,
                    "growth",
                    Formula::Growth(Box::new(formula), along, 1, Change::Percent),
                );
            }
        }
        Some(())
    }
}

/// What periods are called that stand beside each other: by their years, or by their months where a year has several.
fn names_of(periods: &[PeriodMention]) -> Vec<String> {
    let first = |found: &PeriodMention, length: usize| {
        let (from, _) = found.period.bounds();
        from.and_then(|from| from.get(..length).map(|name| name.replace('-', "_")))
            .unwrap_or_default()
    };
    let named = |length| -> Vec<String> { periods.iter().map(|found| first(found, length)).collect() };
    let (years, months) = (named("YYYY".len()), named("YYYY-MM".len()));
    let mut different = years.clone();
    different.sort_unstable();
    different.dedup();
    if different.len() == years.len() {
        years
    } else {
        months
    }
}

/// A share of ratings is one of how many there are, not of what they average.
fn rows_of_average(mut measure: Measure) -> Measure {
    if let Formula::Rows { aggregate, .. } = &mut measure.formula
        && matches!(aggregate, Aggregate::Average(Scalar::Column(_)))
    {
        *aggregate = Aggregate::Count;
    }
    measure
}
