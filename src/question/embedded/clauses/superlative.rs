//! `the oldest`, `with the highest price`, `the most orders`, `the top 5`, `the most common country`.

use super::{
    Comparator, Direction, Function, ItemKind, Operator, Reader, Right, Target, comparison::adjective_of,
};
use crate::question::embedded::{
    lexicon::{Degree, lexicon},
    question::TokenKind,
};

/// How sure it is by what they are the best, where only the word says so.
const VAGUE: f32 = 0.6;

impl Reader<'_> {
    pub(super) fn superlatives(&mut self) {
        for at in 0..self.items.len() {
            match self.kind(at) {
                Some(ItemKind::Adjective {
                    index,
                    degree: Degree::Superlative,
                }) if !self.used[at] => {
                    self.superlative_adjective(at, *index);
                }
                Some(ItemKind::Operator(Operator::Highest)) => self.extreme(at, Direction::Descending),
                Some(ItemKind::Operator(Operator::Lowest)) => self.extreme(at, Direction::Ascending),
                Some(ItemKind::Operator(Operator::Maximum)) if self.describes(at) => {
                    self.extreme(at, Direction::Descending);
                }
                Some(ItemKind::Operator(Operator::Minimum)) if self.describes(at) => {
                    self.extreme(at, Direction::Ascending);
                }
                Some(ItemKind::Operator(Operator::MostCommon)) => self.most_common(at, Direction::Descending),
                Some(ItemKind::Operator(Operator::LeastCommon)) => self.most_common(at, Direction::Ascending),
                _ => {}
            }
        }
    }

    /// `the product with the maximum price`: right after the beginning of a relative clause.
    fn describes(&self, at: usize) -> bool {
        let opens = |before: usize| matches!(self.kind(before), Some(ItemKind::Operator(Operator::Boundary)));
        at >= 2 && (opens(at - 1) || (opens(at - 2) && self.operator(at - 1) == Some(Operator::Is)))
    }

    /// How many rows: the number next to the superlative, else one.
    fn rows_wanted(&mut self, at: usize) -> u64 {
        let heading = (0..at).find(|&number| self.limits(number));
        for next in [Some(at + 1), at.checked_sub(1), heading].into_iter().flatten() {
            if let Some(ItemKind::Number(number)) = self.kind(next)
                && !self.used[next]
                && !matches!(
                    self.tokens[self.items[next].span.start].kind,
                    TokenKind::Ordinal(_)
                )
                && let Ok(number) = number.parse::<u64>()
                && (1..=1000).contains(&number)
            {
                self.used[next] = true;
                return number;
            }
        }
        1
    }

    fn rank(&mut self, target: Target, direction: Direction, limit: u64) {
        self.clauses.order.push((target, direction));
        self.clauses.limit = Some(limit);
    }

    /// `the oldest T`, `the longest duration`.
    fn superlative_adjective(&mut self, at: usize, adjective: usize) {
        let limit = self.rows_wanted(at);
        let mut next = self.skip_glue(at + 1);
        if matches!(self.kind(next), Some(ItemKind::Number(_))) {
            next += 1;
        }
        let own = self
            .column(next)
            .filter(|column| self.is_measure(*column) && !self.is_key(*column));
        if let Some(column) = own {
            let direction = if grows_with(adjective) {
                Direction::Descending
            } else {
                Direction::Ascending
            };
            self.extreme_of_column(at, next, column, direction, limit);
            return;
        }
        if let Some((column, rises)) = self.attribute(at, adjective) {
            self.used[at] = true;
            // The best customers may be those with the most points, or not.
            if matches!(self.words(at).as_str(), "best" | "worst") {
                self.clauses.certainty = self.clauses.certainty.min(VAGUE);
            }
            self.rank(
                Target::Column(column),
                if rises {
                    Direction::Descending
                } else {
                    Direction::Ascending
                },
                limit,
            );
        }
    }

    /// `highest …`, `most …`, `fewest …`.
    fn extreme(&mut self, at: usize, direction: Direction) {
        if self.used[at] {
            return;
        }
        let words = self.words(at);
        let counts = words.ends_with("number of")
            || words.ends_with("amount of")
            || matches!(words.as_str(), "most" | "least" | "fewest");
        let limit = self.rows_wanted(at);
        let mut next = self.skip_glue(at + 1);
        if matches!(self.kind(next), Some(ItemKind::Number(_))) {
            next = self.skip_glue(next + 1);
        }
        if self.operator(next) == Some(Operator::Count) {
            self.used[next] = true;
            next = self.skip_glue(next + 1);
        }
        match self.kind(next) {
            Some(ItemKind::Operator(operator @ (Operator::Average | Operator::Sum))) => {
                let function = if *operator == Operator::Average {
                    Function::Average
                } else {
                    Function::Sum
                };
                let column_at = self.skip_glue(next + 1);
                if let Some(column) = self.column(column_at) {
                    self.use_range(at..column_at + 1);
                    self.rank(
                        Target::Aggregate {
                            function,
                            distinct: false,
                            column,
                        },
                        direction,
                        limit,
                    );
                }
            }
            Some(ItemKind::Column(column, _)) if !self.used[next] => {
                let column = *column;
                if (words == "top" || words == "bottom") && self.ranked_by(next).is_some() {
                    self.top(at, next, direction, limit);
                } else if self.is_measure(column) && !(self.is_key(column) && counts) {
                    self.extreme_of_column(at, next, column, direction, limit);
                } else if counts {
                    self.use_range(at..next + 1);
                    self.rank(Target::CountRows(column.table), direction, limit);
                } else if let Some(adjective) = adjective_of(&words)
                    && let Some((attribute, rises)) = self.attribute(at, adjective)
                {
                    self.used[at] = true;
                    let direction = if rises {
                        Direction::Descending
                    } else {
                        Direction::Ascending
                    };
                    self.rank(Target::Column(attribute), direction, limit);
                }
            }
            Some(ItemKind::Table(table)) if counts => {
                let table = *table;
                self.use_range(at..next + 1);
                self.rank(Target::CountRows(table), direction, limit);
            }
            Some(ItemKind::Table(_)) if matches!(words.as_str(), "top" | "bottom") => {
                self.top(at, next, direction, limit);
            }
            Some(ItemKind::Table(_)) => {
                if let Some(adjective) = adjective_of(&words)
                    && let Some((column, rises)) = self.attribute(at, adjective)
                {
                    self.used[at] = true;
                    let direction = if rises {
                        Direction::Descending
                    } else {
                        Direction::Ascending
                    };
                    self.rank(Target::Column(column), direction, limit);
                }
            }
            // `who ordered most`: the thing done stands before.
            _ if counts && at > 1 => {
                if let Some(ItemKind::Table(table)) = self.kind(at - 1)
                    && Some(*table) != self.clauses.subject
                {
                    let table = *table;
                    self.used[at] = true;
                    self.rank(Target::CountRows(table), direction, limit);
                }
            }
            _ => {}
        }
    }

    /// `the top 5 products by price`: ranked by what stands after `by`, as an order that the question also states.
    fn top(&mut self, at: usize, table: usize, direction: Direction, limit: u64) {
        if let Some((_, stated)) = self.clauses.order.first_mut() {
            *stated = direction;
            self.clauses.limit = Some(limit);
            self.used[at] = true;
            return;
        }
        if let Some((used, target)) = self.ranked_by(table) {
            self.used[at] = true;
            self.use_range(used);
            self.rank(target, direction, limit);
        }
    }

    /// What stands after `by` behind an item: a measure, a count or another aggregate.
    fn ranked_by(&self, item: usize) -> Option<(std::ops::Range<usize>, Target)> {
        (item + 1..self.items.len().min(item + 4)).find_map(|next| {
            let says_by = self.tokens[..self.items[next].span.start]
                .last()
                .is_some_and(|token| token.word == "by");
            if !says_by {
                return None;
            }
            let named = self.skip_glue(next + 1);
            match (self.operator(next), self.kind(named)) {
                (Some(Operator::Count), Some(ItemKind::Table(table))) => {
                    Some((next..named + 1, Target::CountRows(*table)))
                }
                (Some(Operator::Count), Some(ItemKind::Column(column, _))) => {
                    Some((next..named + 1, Target::CountRows(column.table)))
                }
                (Some(operator @ (Operator::Average | Operator::Sum)), Some(ItemKind::Column(column, _))) => {
                    let function = if operator == Operator::Average {
                        Function::Average
                    } else {
                        Function::Sum
                    };
                    Some((
                        next..named + 1,
                        Target::Aggregate {
                            function,
                            distinct: false,
                            column: *column,
                        },
                    ))
                }
                _ => {
                    let column = self
                        .column(next)
                        .filter(|column| self.is_measure(*column) && !self.is_key(*column))?;
                    Some((next..next + 1, Target::Column(column)))
                }
            }
        })
    }

    /// `the highest salary`: an aggregate where it is what the question asks for, else the first row by it.
    fn extreme_of_column(
        &mut self,
        at: usize,
        next: usize,
        column: crate::question::schema::ColumnRef,
        direction: Direction,
        limit: u64,
    ) {
        let something_before = (0..at).any(|before| {
            matches!(self.kind(before), Some(ItemKind::Column(..) | ItemKind::Table(_))) && !self.used[before]
                || matches!(
                    self.kind(before),
                    Some(ItemKind::Operator(
                        Operator::Count
                            | Operator::Average
                            | Operator::Sum
                            | Operator::Everything
                            | Operator::Boundary
                    ))
                ) && before > 0
        });
        let continues_list = self.clauses.select.iter().any(Target::is_extreme)
            && matches!(
                self.kind(at.saturating_sub(1)),
                Some(ItemKind::Operator(Operator::And) | ItemKind::Mark(','))
            );
        if limit == 1 && (!something_before || continues_list) {
            self.used[at] = true;
            self.used[next] = true;
            let function = if direction == Direction::Descending {
                Function::Maximum
            } else {
                Function::Minimum
            };
            self.clauses.select.push(Target::Aggregate {
                function,
                distinct: false,
                column,
            });
        } else {
            self.used[at] = true;
            self.used[next] = true;
            self.rank(Target::Column(column), direction, limit);
        }
    }

    /// `the most common nationality`: grouped by it, ranked by how often it occurs.
    fn most_common(&mut self, at: usize, direction: Direction) {
        if self.used[at] {
            return;
        }
        let limit = self.rows_wanted(at);
        let mut next = self.skip_glue(at + 1);
        if matches!(self.kind(next), Some(ItemKind::Number(_))) {
            next += 1;
        }
        // `the most common payment method`
        if self.table(next).is_some() && self.column(next + 1).map(|c| c.table) == self.table(next) {
            next += 1;
        }
        let named = |at: usize| match self.kind(at) {
            Some(ItemKind::Column(column, _)) if !self.used[at] => Some((at, Target::Column(*column))),
            _ => None,
        };
        let target = named(next).or_else(|| (0..at).find_map(named));
        let Some((position, target)) = target else {
            return;
        };
        self.used[at] = true;
        let Target::Column(column) = target else { return };
        let describes = (1..at)
            .any(|before| matches!(self.kind(before), Some(ItemKind::Operator(Operator::Boundary))))
            && (0..at)
                .any(|before| matches!(self.kind(before), Some(ItemKind::Table(_) | ItemKind::Column(..))));
        if position > at && describes && limit == 1 {
            // `who use the most common payment method`
            self.used[position] = true;
            let frequent = Right::Frequent(column, direction);
            self.push(at, target, Comparator::Equal, frequent);
            return;
        }
        if position > at {
            self.used[position] = true;
            self.clauses.select.push(target);
        }
        self.clauses.group.push(target);
        let counted = self.clauses.subject.filter(|subject| {
            *subject != column.table && self.snapshot.joins.distance(*subject, column.table).is_some()
        });
        self.rank(
            Target::CountRows(counted.unwrap_or(column.table)),
            direction,
            limit,
        );
    }
}

/// True for adjectives of much, such as `long`; false for those of little, such as `short`.
fn grows_with(adjective: usize) -> bool {
    !lexicon().adjective(adjective).rising.is_empty()
}

impl Target {
    fn is_extreme(&self) -> bool {
        matches!(
            self,
            Self::Aggregate {
                function: Function::Maximum | Function::Minimum,
                ..
            }
        )
    }
}
