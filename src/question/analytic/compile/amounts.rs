//! Amounts of money that a database keeps in hundredths, told as people say them: 12.5 for 1,250 cents.

use super::{Database, aggregate::bracketed};
use crate::question::{
    analytic::{Measure, Shown},
    schema::{ColumnRef, words},
    semantic::{Aggregate, Attribute, Change, Formula, Scalar, in_whole_units, whole_name},
};

impl Database<'_> {
    /// A measure as it is shown, and what it is called.
    pub(super) fn measure_as_told(self, measure: &Measure, expression: &str) -> (String, String) {
        if self.as_kept || self.of_formula(&measure.formula) != 1 {
            return (expression.to_owned(), measure.name.clone());
        }
        let mut name = measure.name.clone();
        for at in self.columns_of(&measure.formula) {
            let kept = &self.snapshot.schema.column(at).name;
            name = name.replace(&spoken(kept), &spoken(whole_name(kept)));
        }
        (self.in_whole(expression), name)
    }

    /// A value of a list as it is shown, and what it is called where no column's name says it.
    pub(super) fn shown_as_told(
        self,
        subject: usize,
        shown: &Shown,
        expression: String,
    ) -> (String, Option<String>) {
        let (power, name) = match shown {
            Shown::Value(scalar) => {
                let computed = self.name_of(subject, scalar).map(str::to_owned);
                (
                    self.of_scalar(subject, scalar),
                    computed.or_else(|| self.amount(subject, scalar)),
                )
            }
            Shown::Figure(figure) => {
                let far = self.end(subject, &figure.way);
                (
                    far.map_or(0, |far| self.of_aggregate(far, &figure.aggregate)),
                    None,
                )
            }
        };
        if power == 1 {
            (self.in_whole(&expression), name)
        } else {
            (expression, name)
        }
    }

    /// What a column of hundredths is called once it is told in whole units.
    fn amount(self, table: usize, scalar: &Scalar) -> Option<String> {
        let Scalar::Column(attribute) = scalar else {
            return None;
        };
        let at = self.hundredths(table, attribute)?;
        let name = &self.snapshot.schema.column(at).name;
        Some(whole_name(name).to_owned())
    }

    fn in_whole(self, expression: &str) -> String {
        in_whole_units(&bracketed(expression), self.snapshot.dialect)
    }

    /// The column, where it keeps hundredths.
    fn hundredths(self, table: usize, attribute: &Attribute) -> Option<ColumnRef> {
        let at = ColumnRef {
            table: self.end(table, &attribute.way).ok()?,
            column: attribute.column,
        };
        let fields = &self.model.datasets.get(at.table)?.fields;
        fields.get(at.column)?.keeps_hundredths().then_some(at)
    }

    /// How often hundredths are a factor: 1 for an amount in cents, 0 for a count, a share, or one amount over another.
    fn of_formula(self, formula: &Formula) -> i32 {
        match formula {
            Formula::Rows { table, aggregate, .. } => self.of_aggregate(*table, aggregate),
            Formula::Ratio(over, under, _) => self.of_formula(over) - self.of_formula(under),
            Formula::Difference(of, _)
            | Formula::Running(of, _)
            | Formula::Moving(of, ..)
            | Formula::Growth(of, _, _, Change::Before | Change::Absolute) => self.of_formula(of),
            Formula::Share(..)
            | Formula::Growth(_, _, _, Change::Fraction | Change::Percent)
            | Formula::Written(_) => 0,
        }
    }

    fn of_aggregate(self, table: usize, aggregate: &Aggregate) -> i32 {
        aggregate.amount().map_or(0, |of| self.of_scalar(table, of))
    }

    fn of_scalar(self, table: usize, scalar: &Scalar) -> i32 {
        match scalar {
            Scalar::Column(attribute) => i32::from(self.hundredths(table, attribute).is_some()),
            Scalar::Times(one, other) => self.of_scalar(table, one) + self.of_scalar(table, other),
            Scalar::Over(one, other) => self.of_scalar(table, one) - self.of_scalar(table, other),
            Scalar::Minus(one, _) | Scalar::Or(one, _) => self.of_scalar(table, one),
            Scalar::Figure(way, aggregate) => {
                let far = self.end(table, way);
                far.map_or(0, |far| self.of_aggregate(far, aggregate))
            }
            Scalar::Number(_)
            | Scalar::Span(..)
            | Scalar::Period(..)
            | Scalar::Part(..)
            | Scalar::Moment(_)
            | Scalar::Truth(_)
            | Scalar::Written(_) => 0,
        }
    }

    /// The columns of hundredths that a measure adds up.
    fn columns_of(self, formula: &Formula) -> Vec<ColumnRef> {
        let of_rows = |rows: &Formula| match rows {
            Formula::Rows { table, aggregate, .. } => match aggregate.amount()? {
                Scalar::Column(of) => self.hundredths(*table, of),
                _ => None,
            },
            _ => None,
        };
        formula.aggregates().into_iter().filter_map(of_rows).collect()
    }
}

/// A name as measures are called.
fn spoken(name: &str) -> String {
    words::identifier_words(name).join("_")
}
