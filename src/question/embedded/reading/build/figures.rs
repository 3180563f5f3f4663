//! Figures beside each other, sides that are compared, and totals that groups must reach.

use super::{
    super::{
        cues::Gathering,
        items::{Meaning, Sense},
        question::{Bare, Gather, Mention, Number},
        roles::Role,
        ways::rebased_scalar,
    },
    Builder, Choice,
    measures::{push, rows_of},
    operands::written,
};
use crate::question::{
    analytic::{Dimension, Grouping, Measure},
    schema::{ColumnRef, words},
    semantic::{
        Additivity, Aggregate, Attribute, Comparison, Condition, DatasetRole, FieldRole, Formula, Hop,
        Operand, Scalar, Way,
    },
};

/// What is compared with all the rest: `loyalty members against the rest`.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Side {
    table: usize,
    /// What tells the sides apart, and what the one that it is true of is called.
    by: Scalar,
    called: Option<String>,
    column: Option<ColumnRef>,
}

/// Values into one.
fn gathered(gather: Gather, scalar: Scalar) -> Aggregate {
    match gather {
        Gather::Of(Gathering::Sum) => Aggregate::Sum(scalar),
        Gather::Of(Gathering::Average) => Aggregate::Average(scalar),
        Gather::Of(Gathering::Highest) => Aggregate::Maximum(scalar),
        Gather::Of(Gathering::Lowest) => Aggregate::Minimum(scalar),
        Gather::Median => Aggregate::Median(scalar),
        Gather::Distinct => Aggregate::CountDistinct(scalar),
    }
}

/// What is made into one value.
pub(super) fn amount_in(formula: &Formula) -> Option<(usize, Scalar)> {
    let Formula::Rows { table, aggregate, .. } = formula else {
        return None;
    };
    Some((*table, aggregate.amount()?.clone()))
}

/// What the rows of one thing come to is asked about from here on; fewer are a number of rows.
const AMOUNT: f64 = 100.0;

fn is_an_amount(number: &str) -> bool {
    number.parse::<f64>().is_ok_and(|number| number >= AMOUNT)
}

impl Builder<'_> {
    /// Figures that are asked for without a name, of what is measured beside them or else of the rows that are listed.
    pub(super) fn bare_figures(
        &mut self,
        measures: &mut Vec<Measure>,
        head: Option<(&Mention, &Sense)>,
    ) -> Option<()> {
        if self.question.figures.is_empty() {
            return Some(());
        }
        let measured = measures.iter().find_map(|measure| amount_in(&measure.formula));
        let counted = measures.first().and_then(|measure| measure.formula.table());
        let listed = head.or_else(|| self.played(Role::Group).next());
        let listed = listed.map(|(_, sense)| self.table_of(sense));
        let (table, amount) = match (measured, counted.or(listed)) {
            (Some((table, amount)), _) => (table, Some(amount)),
            (None, Some(table)) => (
                table,
                self.main_amount(table)
                    .as_ref()
                    .and_then(amount_in)
                    .map(|(_, amount)| amount),
            ),
            (None, None) => return None,
        };
        for figure in &self.question.figures {
            let formula = match figure {
                Bare::Count => rows_of(table, Aggregate::Count),
                Bare::Of(gather) => rows_of(table, gathered(*gather, amount.clone()?)),
            };
            if measures.iter().any(|measure| measure.formula == formula) {
                continue;
            }
            let name = match figure {
                Bare::Count => "count",
                Bare::Of(Gather::Of(Gathering::Sum)) => "total",
                Bare::Of(Gather::Of(Gathering::Average)) => "average",
                Bare::Of(Gather::Of(Gathering::Highest)) => "highest",
                Bare::Of(Gather::Of(Gathering::Lowest)) => "lowest",
                Bare::Of(Gather::Median) => "median",
                Bare::Of(Gather::Distinct) => "different",
            };
            push(measures, name, formula);
        }
        Some(())
    }

    /// The side that a comparison names, where the other one is all the rest.
    pub(super) fn side(&self) -> Option<Side> {
        if !self.question.versus
            || self.question.periods.len() > 1
            || self.question.difference
            || self.question.growth
            || self.contrast().is_some()
        {
            return None;
        }
        self.played(Role::Condition)
            .find_map(|(mention, sense)| self.side_of(mention, sense))
    }

    /// How rows of which this may be said are told from the others.
    fn side_of(&self, mention: &Mention, sense: &Sense) -> Option<Side> {
        if mention.compared.is_some() {
            return None;
        }
        let own = |column| Scalar::Column(Attribute::own(column));
        match &sense.meaning {
            Meaning::Field(at) if matches!(self.context.model.field(*at).role, FieldRole::Flag(_)) => {
                Some(Side {
                    table: at.table,
                    by: own(at.column),
                    called: None,
                    column: Some(*at),
                })
            }
            Meaning::Value(at, stored) => {
                let column = own(at.column);
                let by = if self.has_two_values(*at) {
                    column
                } else {
                    let is = Condition::Compare(column, Comparison::Equal, Operand::Text(stored.to_string()));
                    Scalar::Truth(Box::new(is))
                };
                Some(Side {
                    table: at.table,
                    by,
                    called: None,
                    column: Some(*at),
                })
            }
            Meaning::Filter(filter) => {
                let filter = &self.context.model.filters[*filter];
                let column = match &filter.condition {
                    Condition::Flag(of, _) | Condition::Compare(Scalar::Column(of), Comparison::Equal, _)
                        if of.way.hops.is_empty() =>
                    {
                        Some(ColumnRef {
                            table: filter.dataset,
                            column: of.column,
                        })
                    }
                    _ => None,
                };
                let by = match column {
                    Some(at) if self.has_two_values(at) => own(at.column),
                    _ => Scalar::Truth(Box::new(filter.condition.clone())),
                };
                Some(Side {
                    table: filter.dataset,
                    by,
                    called: Some(filter.name.replace([' ', '-'], "_")),
                    column,
                })
            }
            _ => None,
        }
    }

    /// True where something that is said is what tells the sides apart.
    pub(super) fn tells_apart(&self, side: &Side, mention: &Mention, sense: &Sense) -> bool {
        self.side_of(mention, sense)
            .is_some_and(|other| other == *side || other.column.is_some() && other.column == side.column)
    }

    /// True for a column that holds two different values, or is one that is so or not.
    fn has_two_values(&self, at: ColumnRef) -> bool {
        let profile = self.context.snapshot.profile.column(at);
        matches!(self.context.model.field(at).role, FieldRole::Flag(_))
            || profile.is_some_and(|profile| profile.frequent.len() == 2)
    }

    /// The sides as what a summary is made by.
    pub(super) fn side_dimension(&mut self, side: &Side, tables: &[usize]) -> Option<Dimension> {
        let mut from: Vec<(usize, Grouping)> = Vec::new();
        for &table in tables {
            if from.iter().any(|(known, _)| *known == table) {
                continue;
            }
            let ways = self.context.ways(table);
            let (way, cost) = ways.grouping(side.table, &self.context.snapshot.schema, self.context.model)?;
            self.distance += cost;
            from.push((table, Grouping::Value(rebased_scalar(&side.by, way))));
        }
        let name = side.called.clone().unwrap_or_else(|| "is_so".to_owned());
        let name = matches!(side.by, Scalar::Truth(_)).then_some(name);
        Some(Dimension { name, from })
    }

    /// True where rows that there must be so many of may also be rows that come to so much.
    pub(super) fn may_reach(&self, head: Option<(&Mention, &Sense)>) -> bool {
        let is_thing = head
            .is_some_and(|(mention, sense)| matches!(sense.meaning, Meaning::Dataset(_)) && !mention.counted);
        is_thing
            && self.question.rank.is_none()
            && self.played(Role::Measure).next().is_none()
            && self.totals().next().is_some()
    }

    /// Rows that come to more or less than a number.
    fn totals(&self) -> impl Iterator<Item = (&Mention, &Sense)> {
        self.played(Role::Related).filter(|(mention, sense)| {
            matches!(&mention.compared, Some((_, Number::Written(number))) if is_an_amount(number))
                && !mention.numbered_before
                && self.main_amount(self.table_of(sense)).is_some()
        })
    }

    /// What the rows come to that must reach a number, and the number.
    pub(super) fn total(&mut self) -> Option<(usize, Measure, Comparison, String)> {
        let (mention, sense) = self.totals().next()?;
        let table = self.table_of(sense);
        let (comparison, number) = mention.compared.as_ref()?;
        let formula = self.main_amount(table)?;
        let measure = Measure {
            name: "total".to_owned(),
            formula,
        };
        Some((table, measure, *comparison, written(number)?))
    }

    /// True for what is counted where values are: `number of ratings`, and no `number of points` that each row has.
    pub(super) fn counts_values(&self, at: ColumnRef) -> bool {
        let name = words::identifier_words(&self.context.snapshot.schema.column(at).name);
        let several = name
            .last()
            .is_some_and(|last| last.ends_with('s') && words::stem(last) != *last);
        self.context.model.field(at).role == FieldRole::Measure(Additivity::Average) && !several
    }

    /// Two amounts of different tables: those of the second may be the ones that rows of the first belong to.
    pub(super) fn linked(&mut self, one: Formula, other: Formula) -> (Formula, Formula) {
        let tables = one.table().zip(other.table()).filter(|(one, other)| one != other);
        let Some((from, to)) = tables else {
            return (one, other);
        };
        let on_rows = |of: &Formula, way: &Way| match of {
            Formula::Rows {
                aggregate: Aggregate::Sum(scalar),
                conditions,
                ..
            } if conditions.is_empty() => Some(Aggregate::Sum(rebased_scalar(scalar, way))),
            _ => None,
        };
        let way = |from: usize, to: usize| {
            let ways = self.context.ways(from);
            let way = ways.single(to).map(|(way, _)| way.clone());
            way.filter(|way| way.hops.len() == 1)
        };
        let second = way(from, to).and_then(|way| on_rows(&other, &way));
        let first = way(to, from).and_then(|way| on_rows(&one, &way));
        match (second, first) {
            (Some(second), _) if self.chosen(Choice::Linked, 2) == 1 => (one, rows_of(from, second)),
            (None, Some(first)) if self.chosen(Choice::Linked, 2) == 1 => (rows_of(to, first), other),
            _ => (one, other),
        }
    }

    /// `percent of its goal that each campaign has reached`: what came in of what is aimed at, or how the aims are shared out.
    pub(super) fn of_goal(&mut self, measures: Vec<Measure>) -> Vec<Measure> {
        let [only] = &measures[..] else {
            return measures;
        };
        let Some((table, Scalar::Column(aim))) = amount_in(&only.formula) else {
            return measures;
        };
        if !aim.way.hops.is_empty() {
            return measures;
        }
        let name = &self.context.snapshot.schema.tables[table].columns[aim.column].name;
        let name = words::identifier_words(name);
        let says = |wanted: &[&str]| name.iter().any(|word| wanted.contains(&word.as_str()));
        let places = says(&["capacity", "seats", "places"]);
        if !places && !says(&["goal", "target", "quota", "budget", "budgeted"]) {
            return measures;
        }
        let Some(event) = self.refers_most(table) else {
            return measures;
        };
        let reached = if places {
            Some(rows_of(event, Aggregate::Count))
        } else {
            self.main_amount(event)
        };
        match reached {
            Some(reached) if self.chosen(Choice::Goal, 2) == 1 => vec![Measure {
                name: "reached".to_owned(),
                formula: Formula::Ratio(
                    Box::new(reached),
                    Box::new(only.formula.clone()),
                    self.question.share.is_some_and(|(_, percent)| percent) || self.question.percent,
                ),
            }],
            _ => measures,
        }
    }

    /// What the lines of an order come to, averaged over the orders.
    pub(super) fn per_event(&self, formula: &Formula) -> Option<Formula> {
        let Formula::Rows {
            table,
            aggregate: Aggregate::Sum(Scalar::Times(..)),
            ..
        } = formula
        else {
            return None;
        };
        let schema = &self.context.snapshot.schema;
        let keys = schema.foreign_keys.iter();
        let of_event = keys
            .filter(|key| key.from[0].table == *table && key.from.len() == 1)
            .filter(|key| self.context.model.datasets[key.to[0].table].role == DatasetRole::Event);
        let [key] = of_event.collect::<Vec<_>>()[..] else {
            return None;
        };
        let owner = Scalar::Column(Attribute::own(key.from[0].column));
        Some(Formula::Ratio(
            Box::new(formula.clone()),
            Box::new(rows_of(*table, Aggregate::CountDistinct(owner))),
            false,
        ))
    }

    /// What the lines of an event come to, made into one value over the events.
    pub(super) fn over_events(&mut self, formula: &Formula, gather: Gather) -> Option<Formula> {
        let Formula::Rows {
            table,
            aggregate: Aggregate::Sum(of_line),
            ..
        } = formula
        else {
            return None;
        };
        let keys = self.context.snapshot.schema.foreign_keys.iter().enumerate();
        let of_event = keys
            .filter(|(_, key)| key.from[0].table == *table && key.from.len() == 1)
            .filter(|(_, key)| self.context.model.datasets[key.to[0].table].role == DatasetRole::Event);
        let [(key, to)] = of_event.collect::<Vec<_>>()[..] else {
            return None;
        };
        let down = Way {
            hops: vec![Hop { key, up: false }],
        };
        let event = to.to[0].table;
        // What says itself what it comes to needs no lines.
        if self.main_amount(event).is_some() {
            return None;
        }
        let total = Scalar::Figure(down, Box::new(Aggregate::Sum(of_line.clone())));
        Some(rows_of(event, gathered(gather, total)))
    }
}
