//! What is measured: how it comes about.

use super::{
    super::{
        cues::Gathering,
        implied::is_birth,
        items::{Meaning, Sense},
        money::is_money_moved,
        question::{Gather, Mention},
        sizes::minutes_in,
        ways::has_amounts,
    },
    Builder, Choice,
    figures::amount_in,
    repeated::count_name,
    units::in_unit,
};
use crate::question::{
    analytic::Measure,
    schema::{ColumnRef, words},
    semantic::{
        Additivity, Aggregate, Attribute, Condition, DatasetRole, FieldRole, Formula, Grain, Scalar, Unit,
    },
};

impl Builder<'_> {
    pub(super) fn formula(&mut self, mention: &Mention, sense: &Sense) -> Option<Formula> {
        match &sense.meaning {
            Meaning::Metric(at) => {
                let metric = &self.context.model.metrics[*at];
                let formula = &self.in_unit_of(mention, &metric.formula);
                if let Some(gather @ (Gather::Median | Gather::Of(Gathering::Average))) = mention.gathering
                    && let Some(over_events) = self.over_events(formula, gather)
                    && self.chosen(Choice::PerEvent, 2) == 1
                {
                    return Some(over_events);
                }
                Some(match mention.gathering {
                    Some(Gather::Of(Gathering::Average)) => match self.per_event(formula) {
                        Some(each) => each,
                        None => self.in_asked_unit(averaged(formula)),
                    },
                    Some(Gather::Median) => self.in_asked_unit(regathered(formula, Aggregate::Median)?),
                    Some(Gather::Of(Gathering::Highest)) => {
                        self.in_asked_unit(regathered(formula, Aggregate::Maximum)?)
                    }
                    Some(Gather::Of(Gathering::Lowest)) => {
                        self.in_asked_unit(regathered(formula, Aggregate::Minimum)?)
                    }
                    _ => self.in_asked_unit(formula.clone()),
                })
            }
            Meaning::Dataset(table) => {
                if let Some(unit) = mention.unit
                    && let Some(formula) = self.spent(*table, unit)
                {
                    return match mention.gathering {
                        Some(Gather::Of(Gathering::Average)) => regathered(&formula, Aggregate::Average),
                        Some(Gather::Of(Gathering::Highest)) => regathered(&formula, Aggregate::Maximum),
                        Some(Gather::Of(Gathering::Lowest)) => regathered(&formula, Aggregate::Minimum),
                        Some(Gather::Median) => regathered(&formula, Aggregate::Median),
                        _ => Some(formula),
                    };
                }
                if self.question.how_long && !mention.counted {
                    if let Some(between) = self.takes(mention) {
                        return Some(between);
                    }
                    let until = self
                        .named_end()
                        .and_then(|until| self.span(*table, until, self.unit()));
                    let lasting = match until {
                        Some(span) => rows_of(*table, Aggregate::Average(span)),
                        None => self.lasting(*table)?,
                    };
                    return match mention.gathering {
                        Some(Gather::Median) => regathered(&lasting, Aggregate::Median),
                        _ => Some(lasting),
                    };
                }
                // Numbers of rows are averaged over something.
                if mention.counted && mention.gathering == Some(Gather::Of(Gathering::Average)) {
                    return None;
                }
                // The best are not those that there is most of.
                if mention.most
                    && self.question.best
                    && let Some(column) = self.mark(*table)
                {
                    return Some(rows_of(*table, Aggregate::Average(column)));
                }
                if self.question.running
                    && !mention.counted
                    && is_money_moved(&self.context.snapshot.schema.tables[*table].name)
                    && let Some(formula) = self.main_amount(*table)
                {
                    return Some(formula);
                }
                let gathers = matches!(mention.gathering, Some(Gather::Of(_) | Gather::Median));
                if mention.counted || !(self.question.how_much || gathers) {
                    return Some(rows_of(*table, Aggregate::Count));
                }
                self.guesses += 0.5;
                // What has no amounts is averaged by its marks.
                let marks = || {
                    let mark = self.mark(*table).filter(|_| mention.gathering.is_some())?;
                    Some(rows_of(*table, Aggregate::Average(mark)))
                };
                let formula = self.main_amount(*table).or_else(marks)?;
                match mention.gathering {
                    Some(Gather::Of(Gathering::Sum))
                        if matches!(
                            formula,
                            Formula::Rows {
                                aggregate: Aggregate::Average(_),
                                ..
                            }
                        ) =>
                    {
                        None
                    }
                    Some(Gather::Of(Gathering::Average)) => Some(averaged(&formula)),
                    Some(Gather::Median) => regathered(&formula, Aggregate::Median),
                    Some(Gather::Of(Gathering::Highest)) => regathered(&formula, Aggregate::Maximum),
                    Some(Gather::Of(Gathering::Lowest)) => regathered(&formula, Aggregate::Minimum),
                    _ => Some(formula),
                }
            }
            Meaning::Field(at) if self.context.model.field(*at).role == FieldRole::Time => {
                self.timed(mention, *at)
            }
            // `number of ratings`: how many there are, not how many different ones.
            Meaning::Field(at)
                if mention.counted && mention.gathering.is_none() && self.counts_values(*at) =>
            {
                let there = Condition::Not(Box::new(Condition::Missing(Attribute::own(at.column))));
                Some(Formula::Rows {
                    table: at.table,
                    aggregate: Aggregate::Count,
                    conditions: vec![there],
                    time: None,
                })
            }
            Meaning::Field(at) => {
                let column = self.told_in(*at, mention.unit);
                let aggregate = match (mention.gathering, self.context.model.field(*at).role) {
                    (None | Some(Gather::Of(Gathering::Sum)), FieldRole::Measure(_)) if mention.counted => {
                        Aggregate::Sum(column)
                    }
                    (None | Some(Gather::Distinct), _) if mention.counted => Aggregate::CountDistinct(column),
                    (Some(Gather::Of(Gathering::Sum)), FieldRole::Measure(_)) => Aggregate::Sum(column),
                    (Some(Gather::Of(Gathering::Average)), FieldRole::Measure(_)) => {
                        Aggregate::Average(column)
                    }
                    (Some(Gather::Of(Gathering::Highest)), _) => Aggregate::Maximum(column),
                    (Some(Gather::Of(Gathering::Lowest)), _) => Aggregate::Minimum(column),
                    (Some(Gather::Median), FieldRole::Measure(_)) => Aggregate::Median(column),
                    (Some(Gather::Distinct), _) => Aggregate::CountDistinct(column),
                    (_, FieldRole::Measure(Additivity::Average)) => Aggregate::Average(column),
                    (_, FieldRole::Measure(_)) => Aggregate::Sum(column),
                    _ => return None,
                };
                Some(rows_of(at.table, aggregate))
            }
            Meaning::Filter(_) | Meaning::Value(..) | Meaning::Part(..) => None,
        }
    }

    /// How much time the rows of a table come to, in a unit.
    pub(super) fn spent(&self, table: usize, unit: Grain) -> Option<Formula> {
        let fields = self.context.model.datasets[table].fields.iter().enumerate();
        let kept = fields
            .filter(|(_, field)| field.role == FieldRole::Measure(Additivity::Sum))
            .find_map(|(column, _)| {
                let unit = self.kept_in(ColumnRef { table, column })?;
                minutes_in(&unit).map(|(unit, _)| (column, unit))
            });
        let Some((column, kept)) = kept else {
            // Nor is there a column of hours where there are two times.
            let mut lasted = self.lasting(table)?;
            if let Formula::Rows { aggregate, .. } = &mut lasted
                && let Aggregate::Average(Scalar::Span(from, to, _)) = aggregate
            {
                let unit = if unit == Grain::Hour {
                    Unit::Hour
                } else {
                    Unit::Day
                };
                *aggregate = Aggregate::Sum(Scalar::Span(from.clone(), to.clone(), unit));
            }
            return Some(lasted);
        };
        let scalar = in_unit(Scalar::Column(Attribute::own(column)), Some(unit), Some(kept));
        Some(rows_of(table, Aggregate::Sum(scalar)))
    }

    /// The unit of a column's values, by the model or by its name.
    pub(super) fn kept_in(&self, at: ColumnRef) -> Option<String> {
        let said = || {
            let name = words::identifier_words(&self.context.snapshot.schema.column(at).name);
            let mut units = name.iter().filter_map(|word| minutes_in(word));
            units.next().map(|(unit, _)| unit.to_owned())
        };
        self.context.model.field(at).unit.clone().or_else(said)
    }

    /// What the rows of a table are marked by: stars, a score.
    pub(super) fn mark(&self, table: usize) -> Option<Scalar> {
        let fields = &self.context.model.datasets[table].fields;
        let column = fields
            .iter()
            .position(|field| field.role == FieldRole::Measure(Additivity::Average))?;
        Some(Scalar::Column(Attribute::own(column)))
    }

    /// What a time measures: how long it took until then, its first or last, or how often it came.
    pub(super) fn timed(&mut self, mention: &Mention, at: ColumnRef) -> Option<Formula> {
        let column = Scalar::Column(Attribute::own(at.column));
        match mention.gathering {
            Some(Gather::Of(Gathering::Highest)) => Some(rows_of(at.table, Aggregate::Maximum(column))),
            Some(Gather::Of(Gathering::Lowest)) => Some(rows_of(at.table, Aggregate::Minimum(column))),
            Some(Gather::Of(Gathering::Average) | Gather::Median)
                if is_birth(&self.context.snapshot.schema.column(at).name) =>
            {
                // An age is one on a day.
                let day = match self.question.periods[..] {
                    [period] => {
                        self.periods_used.set(true);
                        period.period.bounds().0?
                    }
                    [] => self.context.today.to_string(),
                    _ => return None,
                };
                let span = Scalar::Span(Box::new(column), Box::new(Scalar::Moment(day)), Unit::Year);
                Some(rows_of(
                    at.table,
                    match mention.gathering {
                        Some(Gather::Median) => Aggregate::Median(span),
                        _ => Aggregate::Average(span),
                    },
                ))
            }
            gathering
                if matches!(gathering, Some(Gather::Of(Gathering::Average) | Gather::Median))
                    || gathering.is_none() && self.question.how_long =>
            {
                if self.question.how_long
                    && let Some(between) = self.takes(mention)
                {
                    return Some(between);
                }
                let span = self.span(at.table, at, self.unit())?;
                let aggregate = if mention.gathering == Some(Gather::Median) {
                    Aggregate::Median(span)
                } else {
                    Aggregate::Average(span)
                };
                Some(rows_of(at.table, aggregate))
            }
            // Signups are counted by their date.
            None if !mention.counted || !self.question.grains.is_empty() => Some(Formula::Rows {
                table: at.table,
                aggregate: Aggregate::Count,
                conditions: vec![Condition::Not(Box::new(Condition::Missing(Attribute::own(
                    at.column,
                ))))],
                time: Some(Attribute::own(at.column)),
            }),
            _ => None,
        }
    }

    /// How long it takes between the times that a question names.
    fn takes(&self, mention: &Mention) -> Option<Formula> {
        let (table, span) = self.between()?;
        let aggregate = match mention.gathering {
            Some(Gather::Median) => Aggregate::Median(span),
            Some(Gather::Of(Gathering::Highest)) => Aggregate::Maximum(span),
            Some(Gather::Of(Gathering::Lowest)) => Aggregate::Minimum(span),
            _ => Aggregate::Average(span),
        };
        Some(rows_of(table, aggregate))
    }

    /// How long the rows of a table last.
    pub(super) fn lasting(&self, table: usize) -> Option<Formula> {
        let metrics = self.context.model.metrics.iter();
        let formula = metrics
            .filter(|metric| metric.dataset == table)
            .map(|metric| &metric.formula)
            .find(|formula| {
                matches!(
                    formula,
                    Formula::Rows {
                        aggregate: Aggregate::Average(Scalar::Span(..)),
                        ..
                    }
                )
            })?;
        Some(self.in_asked_unit(formula.clone()))
    }

    /// From when something happened in a table to another time of it.
    pub(super) fn span(&self, table: usize, until: ColumnRef, unit: Unit) -> Option<Scalar> {
        let from = self.context.model.datasets[table].time?;
        let own = |column| Box::new(Scalar::Column(Attribute::own(column)));
        if until.table != table || until.column == from {
            return None;
        }
        // `how many days people book ahead`: what happened later is the end.
        let begins = ColumnRef { table, column: from };
        Some(if self.comes_before(until, begins) {
            Scalar::Span(own(until.column), own(from), unit)
        } else {
            Scalar::Span(own(from), own(until.column), unit)
        })
    }

    /// What the rows of an event come to.
    pub(super) fn main_amount(&self, table: usize) -> Option<Formula> {
        // What all things of a kind are worth is not what one of them comes to.
        let happens = matches!(
            self.context.model.datasets[table].role,
            DatasetRole::Event | DatasetRole::Snapshot
        );
        if !happens {
            return None;
        }
        let metrics = self.context.model.metrics.iter();
        let sums = metrics.filter(|metric| {
            metric.dataset == table
                && matches!(
                    &metric.formula,
                    Formula::Rows {
                        aggregate: Aggregate::Sum(_),
                        ..
                    }
                )
        });
        // Nor is what is left to be paid of it.
        sums.filter(|metric| !metric.name.contains("outstanding"))
            .filter(|metric| !is_beside(&words::identifier_words(&metric.name)))
            .max_by_key(|metric| money(&metric.name))
            .map(|metric| metric.formula.clone())
    }

    /// The table that refers to another with the most rows.
    pub(super) fn refers_most(&self, table: usize) -> Option<usize> {
        let schema = &self.context.snapshot.schema;
        let referring = schema
            .foreign_keys
            .iter()
            .filter(|key| key.to[0].table == table && key.from[0].table != table);
        let trades = |from: usize| self.context.trades && has_amounts(from, schema, self.context.model);
        referring
            .map(|key| key.from[0].table)
            .max_by_key(|from| (trades(*from), schema.tables[*from].rows))
    }

    /// What a measure is called: what the rows come to has the name of its column, and only a count is called one.
    pub(super) fn measure_name(&self, measures: &[Measure], sense: &Sense, formula: &Formula) -> String {
        match (&sense.meaning, amount_in(formula)) {
            (Meaning::Dataset(_), None) => count_name(measures, &self.name_of(sense)),
            (Meaning::Dataset(_), Some((table, Scalar::Column(of)))) => {
                let schema = &self.context.snapshot.schema;
                let table = of.way.end(table, schema);
                let column = of.column;
                words::identifier_words(&schema.column(ColumnRef { table, column }).name).join("_")
            }
            _ => self.name_of(sense),
        }
    }

    pub(super) fn name_of(&self, sense: &Sense) -> String {
        let schema = &self.context.snapshot.schema;
        let name = match &sense.meaning {
            Meaning::Dataset(table) => &schema.tables[*table].name,
            Meaning::Field(at) | Meaning::Value(at, _) | Meaning::Part(at, _) => &schema.column(*at).name,
            Meaning::Metric(at) => &self.context.model.metrics[*at].name,
            Meaning::Filter(at) => &self.context.model.filters[*at].name,
        };
        words::identifier_words(name).join("_")
    }
}

pub(super) fn rows_of(table: usize, aggregate: Aggregate) -> Formula {
    Formula::Rows {
        table,
        aggregate,
        conditions: Vec::new(),
        time: None,
    }
}

pub(super) fn averaged(formula: &Formula) -> Formula {
    let mut formula = formula.clone();
    if let Formula::Rows { aggregate, .. } = &mut formula
        && let Aggregate::Sum(scalar) = aggregate
    {
        *aggregate = Aggregate::Average(scalar.clone());
    }
    formula
}

/// What a sum adds up, or an average averages, made into one value in another way.
fn regathered(formula: &Formula, gather: fn(Scalar) -> Aggregate) -> Option<Formula> {
    let mut formula = formula.clone();
    let Formula::Rows { aggregate, .. } = &mut formula else {
        return None;
    };
    let (Aggregate::Sum(scalar) | Aggregate::Average(scalar)) = aggregate else {
        return None;
    };
    *aggregate = gather(scalar.clone());
    Some(formula)
}

pub(super) fn push(measures: &mut Vec<Measure>, name: &str, formula: Formula) {
    let mut unique = name.to_owned();
    let mut number = 1;
    while measures.iter().any(|known| known.name == unique) {
        number += 1;
        unique = format!("{name}_{number}");
    }
    measures.push(Measure {
        name: unique,
        formula,
    });
}

/// True for the name of an amount that comes beside what something costs.
fn is_beside(words: &[String]) -> bool {
    words.iter().any(|word| {
        matches!(
            word.as_str(),
            "tax"
                | "vat"
                | "discount"
                | "refund"
                | "shipping"
                | "freight"
                | "tip"
                | "deposit"
                | "commission"
                | "unit"
        )
    })
}

/// Words of amounts of money that are told apart.
const AMOUNTS: usize = 10;

/// How likely a name is one of an amount of money.
pub(super) fn money(name: &str) -> usize {
    let words = words::identifier_words(name);
    if is_beside(&words) {
        return 0;
    }
    [
        "total", "amount", "amt", "revenue", "net", "gross", "price", "paid", "cost", "value",
    ]
    .iter()
    .position(|word| words.iter().any(|own| own == word))
    .map_or(0, |place| AMOUNTS - place)
}
