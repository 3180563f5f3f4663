//! Numbers and dates without an operator: `id 5`, `in 2020`, `with 3 rooms`.

use super::{Comparator, ItemKind, Operand, Operator, Reader, Right, Target, comparison::is_year};
use crate::question::{
    embedded::{lexicon::Degree, question::TokenKind},
    schema::{ColumnKind, ColumnRef},
};

impl Reader<'_> {
    /// What no comparison took.
    pub(super) fn numbers(&mut self) {
        for at in 0..self.items.len() {
            let is_number = matches!(
                self.items[at].kind,
                ItemKind::Number(_) | ItemKind::Date(_) | ItemKind::Parameter(_)
            );
            if is_number && !self.used[at] {
                self.bare_number(at);
            }
        }
    }

    /// A number without an operator: `id 5`, `in 2020`, `with 3 rooms`.
    fn bare_number(&mut self, at: usize) {
        let Some(operand) = self.operand(at) else { return };
        if self.limits(at) {
            return;
        }
        let is_date = matches!(self.kind(at), Some(ItemKind::Date(_)));
        let is_parameter = matches!(self.kind(at), Some(ItemKind::Parameter(_)));
        let year = is_year(&operand);
        let previous = self.before_glue(at);
        let column_before = previous.and_then(|previous| self.column(previous));
        if let Some(column) = column_before
            && let Some(previous) = previous
            && (is_parameter
                || self.accepts(column, is_date || year)
                || !year && !self.is_dated_flag(column, is_date))
        {
            self.use_range(previous..at + 1);
            let left = Target::Column(column);
            let (comparator, operand) = self.fit_operand(left, Comparator::Equal, operand);
            let operand = self.as_stored(column, operand);
            self.push(at, left, comparator, Right::Operand(operand));
        } else if (is_date || year)
            && let Some(column) = self.temporal_column(at, is_date)
        {
            self.used[at] = true;
            let left = Target::Column(column);
            let (comparator, operand) = self.fit_operand(left, Comparator::Equal, operand);
            let operand = self.as_stored(column, operand);
            self.push(at, left, comparator, Right::Operand(operand));
        } else if let Some(target) = self.counted_after(at) {
            self.used[at] = true;
            self.push(at, target, Comparator::Equal, Right::Operand(operand));
        } else if let Some(previous) = previous
            && self.items[previous].span.end == self.items[at].span.start
            && let Some(ItemKind::Table(table)) = self.kind(previous)
            && let [key] = self.snapshot.schema.tables[*table].primary_key[..]
        {
            let column = ColumnRef {
                table: *table,
                column: key,
            };
            self.used[at] = true;
            let operand = self.as_stored(column, operand);
            self.push(
                at,
                Target::Column(column),
                Comparator::Equal,
                Right::Operand(operand),
            );
        }
    }

    /// `done last month`: a flag is no time.
    fn is_dated_flag(&self, column: ColumnRef, is_date: bool) -> bool {
        is_date && self.column_kind(column) == ColumnKind::Boolean
    }

    /// True where a column may hold what a year or date is compared with.
    fn accepts(&self, column: ColumnRef, temporal: bool) -> bool {
        let kind = self.column_kind(column);
        kind.is_temporal() || (kind.is_numeric() && !self.is_key(column)) || !temporal
    }

    /// Numbers in text columns are compared as text.
    fn as_stored(&self, column: ColumnRef, operand: Operand) -> Operand {
        match operand {
            Operand::Number(number) if self.column_kind(column) == ColumnKind::Text => Operand::Text(number),
            other => other,
        }
    }

    fn before_glue(&self, at: usize) -> Option<usize> {
        let mut before = at.checked_sub(1)?;
        while matches!(
            self.kind(before),
            Some(ItemKind::Operator(Operator::Is | Operator::Of | Operator::Not))
        ) {
            before = before.checked_sub(1)?;
        }
        Some(before)
    }

    /// `top 5`, `5 highest`, `three oldest`: the number of rows wanted, left to the superlative.
    pub(super) fn limits(&self, at: usize) -> bool {
        let superlative = |at: usize| match self.kind(at) {
            Some(ItemKind::Operator(
                Operator::Highest | Operator::Lowest | Operator::MostCommon | Operator::LeastCommon,
            )) => true,
            Some(ItemKind::Adjective { degree, .. }) => *degree == Degree::Superlative,
            _ => false,
        };
        let is_ordinal = matches!(self.tokens[self.items[at].span.start].kind, TokenKind::Ordinal(_));
        let counts = !is_ordinal && !self.operand(at).is_some_and(|operand| is_year(&operand));
        let next_to_it = superlative(at + 1) || at.checked_sub(1).is_some_and(superlative);
        // `the three stores with the most orders`
        let heads_list = matches!(self.kind(at + 1), Some(ItemKind::Table(_)))
            && !at.checked_sub(1).is_some_and(|before| {
                matches!(
                    self.kind(before),
                    Some(ItemKind::Operator(_) | ItemKind::Table(_))
                )
            })
            && (at + 2..self.items.len()).any(superlative);
        counts && (next_to_it || heads_list)
    }
}
