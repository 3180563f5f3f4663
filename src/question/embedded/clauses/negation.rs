//! `without any orders`, `never`, `not from France`, `do not have`.

use super::{Absence, ColumnRef, Comparator, Condition, ItemKind, Operand, Operator, Reader, Right, Target};
use crate::question::{embedded::states::tells_apart, schema::ColumnProfile};

/// How far a `not` reaches, in items.
const REACH: usize = 5;

impl Reader<'_> {
    /// Things that must not exist; runs before the values, which may narrow what must not exist.
    pub(super) fn absences(&mut self) {
        for at in 0..self.items.len() {
            let strong = self.operator(at) == Some(Operator::Without);
            if !strong && self.operator(at) != Some(Operator::Not) {
                continue;
            }
            let restricts = self
                .clauses
                .conditions
                .iter()
                .any(|c| c.position > at && c.position <= at + REACH);
            if restricts {
                continue;
            }
            let next = self.skip_glue(at + 1);
            let value_follows =
                (next..self.items.len().min(at + REACH)).any(|position| self.is_value(position));
            let target =
                (next..self.items.len().min(next + 3)).find_map(|position| match self.kind(position)? {
                    ItemKind::Table(table) if Some(*table) != self.clauses.subject => {
                        Some((position, Target::Table(*table)))
                    }
                    ItemKind::Column(column, _) if !self.used[position] => {
                        Some((position, Target::Column(*column)))
                    }
                    _ => None,
                });
            // `no unpaid bills`: there may be others, and no bill lacks anything.
            if let Some((position, Target::Column(column))) = target
                && tells_apart(self.tokens, self.items[position].span.start)
                && matches!(self.kind(position + 1), Some(ItemKind::Table(table)) if *table == column.table)
            {
                self.clauses.unsupported = Some("what there must be none of is only said in part");
            }
            if target.is_some() && self.lacked_by_another(at) {
                self.clauses.unsupported = Some("what rows beside those that are listed are without");
            }
            match target {
                Some((position, Target::Table(table))) => {
                    // `without a failed payment`: a value between them narrows it down.
                    for between in (at..=position)
                        .filter(|between| !self.is_value(*between))
                        .collect::<Vec<_>>()
                    {
                        self.used[between] = true;
                    }
                    self.clauses.absent.push(Absence { table, position: at });
                }
                Some((position, Target::Column(column))) if strong && !value_follows => {
                    self.use_range(at..at + 1);
                    self.used[position] = true;
                    let own = self.clauses.subject == Some(column.table);
                    if own {
                        let (operator, right) = self.none_of(column);
                        self.clauses.conditions.push(Condition {
                            position: at,
                            left: Target::Column(column),
                            operator,
                            right: Right::Operand(right),
                            negated: false,
                            within: false,
                            alternative: false,
                        });
                    } else {
                        self.clauses.absent.push(Absence {
                            table: column.table,
                            position: at,
                        });
                    }
                }
                _ => {}
            }
        }
        self.presences();
        for at in 0..self.items.len() {
            let operator = match self.operator(at) {
                Some(Operator::Null) => Comparator::IsNull,
                Some(Operator::NotNull) => Comparator::IsNotNull,
                _ => continue,
            };
            let column = (0..at)
                .rev()
                .take(3)
                .find_map(|before| Some((before, self.column(before)?)));
            if let Some((before, column)) = column {
                self.used[at] = true;
                self.used[before] = true;
                self.clauses.conditions.push(Condition {
                    position: at,
                    left: Target::Column(column),
                    operator,
                    right: Right::Operand(Operand::Nothing),
                    negated: false,
                    within: false,
                    alternative: false,
                });
            }
        }
    }

    /// `boats with bookings without a skipper`: true where it is denied of another table than the one that is listed.
    fn lacked_by_another(&self, at: usize) -> bool {
        let boundary = |at: &usize| self.operator(*at) == Some(Operator::Boundary);
        let before = (0..at).rev().find(|at| !boundary(at));
        let table = before.and_then(|before| self.kind(before));
        matches!(table, Some(ItemKind::Table(table)) if Some(*table) != self.clauses.subject)
    }

    /// How a column keeps that there is none of it: as 0 where it counts and always has a value.
    fn none_of(&self, column: ColumnRef) -> (Comparator, Operand) {
        let profile = self.snapshot.profile.column(column);
        let numeric = self.snapshot.schema.column(column).kind.is_numeric();
        if numeric && profile.is_some_and(ColumnProfile::counts_none) {
            (Comparator::Equal, Operand::Number("0".to_owned()))
        } else {
            (Comparator::IsNull, Operand::Nothing)
        }
    }

    /// `customers with a phone`, `who have an e-mail`: a column that need not have a value has one.
    fn presences(&mut self) {
        for at in 1..self.items.len() {
            let Some(column) = self.column(at).filter(|column| self.may_be_had(at, *column)) else {
                continue;
            };
            self.used[at] = true;
            self.clauses.conditions.push(Condition {
                position: at,
                left: Target::Column(column),
                operator: Comparator::IsNotNull,
                right: Right::Operand(Operand::Nothing),
                negated: false,
                within: false,
                alternative: false,
            });
        }
    }

    /// True for a column behind `with a` or `have a`, behind which nothing is said of it.
    fn may_be_had(&self, at: usize, column: ColumnRef) -> bool {
        let span = &self.items[at].span;
        let word = |at: usize| self.tokens.get(at).map_or("", |token| token.word.as_str());
        let before = |far: usize| span.start.checked_sub(far).map_or("", word);
        let article = matches!(before(1), "a" | "an" | "any");
        let has = matches!(before(2), "with" | "have" | "has" | "having");
        let not = matches!(before(3), "not" | "never" | "nobody") || before(3).ends_with("n't");
        let number = usize::from(matches!(word(span.end), "number" | "address"));
        let over = matches!(
            word(span.end + number),
            "" | "," | "and" | "but" | "or" | "in" | "from" | "are" | "is" | "who"
        );
        let described = self.snapshot.schema.column(column);
        let told = described.kind.is_wording() || described.kind.is_temporal();
        article && has && !not && over && told && !described.not_null
    }

    /// A `not` that is left negates the condition that follows it.
    pub(super) fn negations(&mut self) {
        for at in 0..self.items.len() {
            if !matches!(self.operator(at), Some(Operator::Not | Operator::Without)) {
                continue;
            }
            let next = self
                .clauses
                .conditions
                .iter_mut()
                .filter(|condition| condition.position > at && condition.position <= at + REACH)
                .min_by_key(|condition| condition.position);
            if let Some(condition) = next {
                condition.negated = true;
                self.used[at] = true;
            }
        }
    }

    /// An `or` between two conditions joins them, whatever they compare.
    pub(super) fn alternatives(&mut self) {
        for at in 0..self.items.len() {
            if self.operator(at) != Some(Operator::Or) {
                continue;
            }
            let conditions = &mut self.clauses.conditions;
            let none = conditions.is_empty();
            let before = conditions.iter().any(|condition| condition.position < at);
            let after = conditions
                .iter_mut()
                .filter(|condition| condition.position > at && condition.position <= at + REACH)
                .min_by_key(|condition| condition.position);
            match after {
                Some(condition) if before => condition.alternative = true,
                _ if none => {}
                // Only one side of it was understood.
                _ => self.clauses.unsupported = Some("a choice of which one side is not clear"),
            }
        }
    }

    fn is_value(&self, at: usize) -> bool {
        matches!(self.kind(at), Some(ItemKind::Value { .. })) && !self.used[at]
    }
}
