//! What the first of something are the first by, where the question does not say, and what one of something costs.

use super::{
    super::{
        super::lexicon::lexicon,
        implied::says_quantity,
        items::{Meaning, Sense},
        question::{Around, Mention},
    },
    Builder,
    measures::{money, rows_of},
};
use crate::question::{
    schema::{ColumnRef, words},
    semantic::{Additivity, Aggregate, Attribute, DatasetRole, FieldRole, Formula, Scalar},
};

/// What `the best` may be the best by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in super::super) enum RankedBy {
    Rows,
    Money,
    Quantity,
}

impl Builder<'_> {
    /// What the first of something are the first by, of all that happened with it.
    pub(super) fn ranked_by(&mut self, by: RankedBy, sense: &Sense) -> Option<Formula> {
        let table = self.table_of(sense);
        let model = self.context.model;
        let happens = |table: usize| model.datasets[table].role == DatasetRole::Event;
        let reaches = |from: usize| {
            let ways = self.context.ways(from);
            from != table && ways.single(table).is_some() || from == table && happens(table)
        };
        match by {
            RankedBy::Rows if happens(table) && matches!(sense.meaning, Meaning::Field(_)) => {
                Some(rows_of(table, Aggregate::Count))
            }
            RankedBy::Rows => self
                .refers_most(table)
                .map(|from| rows_of(from, Aggregate::Count)),
            RankedBy::Money => {
                let metrics = self.context.money.iter().map(|(at, _)| &model.metrics[*at]);
                let mut near = metrics.filter(|metric| reaches(metric.dataset));
                near.next().map(|metric| metric.formula.clone())
            }
            RankedBy::Quantity => {
                let kept = (0..model.datasets.len())
                    .filter(|from| reaches(*from))
                    .filter_map(|from| Some((from, self.quantity(from)?)));
                // What came back was not sold.
                let (table, column) = kept.min_by_key(|(from, _)| self.comes_back(*from))?;
                Some(rows_of(
                    table,
                    Aggregate::Sum(Scalar::Column(Attribute::own(column))),
                ))
            }
        }
    }

    /// `which product had the largest batch`: true where the greatest of its rows is what each is ranked by, and not how many
    /// they are.
    pub(super) fn ranks_by_greatest<'s>(
        &self,
        mention: &Mention,
        sense: &Sense,
        mut whose: impl Iterator<Item = &'s Sense>,
    ) -> bool {
        let adjective = self.question.rank.and_then(|rank| rank.adjective);
        let compares = adjective.map(|adjective| lexicon().adjective(adjective));
        compares.is_some_and(|by| !(by.rising.is_empty() && by.falling.is_empty()))
            && mention.before == Around::Superlative
            && mention.gathering.is_none()
            && (matches!(sense.meaning, Meaning::Dataset(_)) || self.is_of_one_row(sense))
            && whose.any(|whose| self.table_of(whose) != self.table_of(sense))
    }

    /// The greatest of the rows; `None` where nothing tells how great one is.
    pub(super) fn greatest_of(&mut self, sense: &Sense) -> Option<Formula> {
        let rank = self.question.rank?;
        let table = self.table_of(sense);
        let (scalar, rising) = match self.amount(sense) {
            Some(at) => {
                let adjective = lexicon().adjective(rank.adjective?);
                (
                    Scalar::Column(Attribute::own(at.column)),
                    !adjective.rising.is_empty(),
                )
            }
            None => self.attribute_of(table, rank.adjective)?,
        };
        // What it comes to by prices kept elsewhere is not how large it is.
        let scalar = match (scalar, self.quantity(table)) {
            (Scalar::Times(..), Some(quantity)) => Scalar::Column(Attribute::own(quantity)),
            (scalar, _) => scalar,
        };
        let aggregate = if rising == rank.highest {
            Aggregate::Maximum
        } else {
            Aggregate::Minimum
        };
        Some(rows_of(table, aggregate(scalar)))
    }

    /// `who paid the highest fine`: true for what each row has one of, whatever they come to in all.
    fn is_of_one_row(&self, sense: &Sense) -> bool {
        let Some(at) = self.amount(sense) else {
            return false;
        };
        let name = words::identifier_words(&self.context.snapshot.schema.column(at).name);
        self.context.model.field(at).role.is_measure()
            && name.last().is_some_and(|last| {
                matches!(
                    last.as_str(),
                    "fine"
                        | "fee"
                        | "bid"
                        | "donation"
                        | "tip"
                        | "penalty"
                        | "bonus"
                        | "score"
                        | "rating"
                        | "mark"
                        | "fare"
                )
            })
    }

    /// The column that something is kept in, or that it is the sum of.
    fn amount(&self, sense: &Sense) -> Option<ColumnRef> {
        match sense.meaning {
            Meaning::Field(at) => Some(at),
            Meaning::Metric(at) => {
                let metric = &self.context.model.metrics[at];
                match &metric.formula {
                    Formula::Rows {
                        aggregate: Aggregate::Sum(Scalar::Column(column)),
                        table,
                        conditions,
                        ..
                    } if column.way.hops.is_empty() && conditions.is_empty() => Some(ColumnRef {
                        table: *table,
                        column: column.column,
                    }),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// True for a table of what was given back.
    pub(super) fn comes_back(&self, table: usize) -> bool {
        let name = words::identifier_words(&self.context.snapshot.schema.tables[table].name);
        let mut stems = name.iter().map(|word| words::stem(word));
        stems.any(|stem| matches!(stem.as_str(), "return" | "refund" | "claim" | "complaint"))
    }

    /// The column that says how many of something a row is about.
    pub(super) fn quantity(&self, table: usize) -> Option<usize> {
        let fields = self.context.model.datasets[table].fields.iter();
        let columns = &self.context.snapshot.schema.tables[table].columns;
        let mut known = fields.zip(columns);
        known.position(|(field, column)| {
            field.role == FieldRole::Measure(Additivity::Sum) && says_quantity(&column.name)
        })
    }

    /// What one of something costs, or comes to.
    pub(super) fn price(&self, table: usize) -> Option<Scalar> {
        if let Some(Formula::Rows {
            aggregate: Aggregate::Sum(scalar),
            ..
        }) = self.main_amount(table)
        {
            return Some(scalar);
        }
        let fields = self.context.model.datasets[table].fields.iter().enumerate();
        let measures = fields
            .filter(|(_, field)| field.role.is_measure())
            .map(|(column, _)| column);
        let columns = &self.context.snapshot.schema.tables[table].columns;
        let name = |column: usize| &columns[column].name;
        let column = measures.max_by_key(|column| money(name(*column)))?;
        (money(name(column)) > 0).then(|| Scalar::Column(Attribute::own(column)))
    }
}
