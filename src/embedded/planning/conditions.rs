//! Conditions on rows: filters, what must not exist, what must hold twice.

use super::{Planner, Unplannable, push_new, table_of};
use crate::{
    embedded::{
        clauses::{Condition, Right, Target},
        logical::{Comparator, Comparison, Direction, Expression, Filter, Function, Operand, Query},
    },
    schema::ColumnRef,
};

impl Planner<'_> {
    /// Adds the filters; returns the two of a column that must both hold for the same thing.
    pub(super) fn conditions(
        &self,
        query: &mut Query,
        base: usize,
        conditions: &[&Condition],
    ) -> Result<Option<(Filter, Filter)>, Unplannable> {
        let mut both = None;
        let mut taken = vec![false; conditions.len()];
        for at in 0..conditions.len() {
            if taken[at] {
                continue;
            }
            let condition = conditions[at];
            let comparison = self.comparison(condition);
            if matches!(condition.left, Target::CountRows(_) | Target::Aggregate { .. }) {
                if let Target::CountRows(table) = condition.left {
                    push_new(&mut query.tables, table);
                }
                query.having.push(comparison);
                continue;
            }
            if condition.negated && self.many_from(base, condition.left) {
                let table = table_of(condition.left).unwrap_or(base);
                let inner = Condition {
                    negated: false,
                    ..condition.clone()
                };
                let filter = self
                    .absence(base, table, &[&inner])
                    .ok_or(Unplannable::Unsupported("no keys lead there"))?;
                query.filters.push(filter);
                query
                    .tables
                    .retain(|mentioned| *mentioned != table || table == base);
                continue;
            }
            let equal_to_other: Vec<usize> = (at + 1..conditions.len())
                .filter(|&other| {
                    let other = conditions[other];
                    !taken[at]
                        && other.left == condition.left
                        && same_sort(condition, other, self.clauses.both)
                        || other.alternative
                })
                .collect();
            if equal_to_other.is_empty() {
                query.filters.push(Filter::Compare(comparison));
                continue;
            }
            for &other in &equal_to_other {
                taken[other] = true;
            }
            let any_alternative = equal_to_other.iter().any(|&other| conditions[other].alternative);
            let must_both = self.clauses.both || (!any_alternative && self.many_from(base, condition.left));
            let second = self.comparison(conditions[equal_to_other[0]]);
            if condition.negated {
                query.filters.push(Filter::Compare(comparison));
                for &other in &equal_to_other {
                    query.filters.push(Filter::Compare(self.comparison(&Condition {
                        negated: true,
                        ..conditions[other].clone()
                    })));
                }
            } else if must_both && !any_alternative && equal_to_other.len() == 1 {
                both = Some((Filter::Compare(comparison), Filter::Compare(second)));
            } else {
                let mut any = vec![comparison];
                any.extend(
                    equal_to_other
                        .iter()
                        .map(|&other| self.comparison(conditions[other])),
                );
                query.filters.push(Filter::Any(any));
            }
        }
        Ok(both)
    }

    fn comparison(&self, condition: &Condition) -> Comparison {
        let left = self
            .expressions(condition.left)
            .into_iter()
            .next()
            .unwrap_or(Expression::CountRows);
        let operator = if condition.negated {
            condition.operator.negated()
        } else {
            condition.operator
        };
        let right = match &condition.right {
            Right::Operand(operand) => operand.clone(),
            Right::Overall(function, column) => Operand::Query(Box::new(Query {
                select: vec![Expression::Aggregate {
                    function: *function,
                    distinct: false,
                    column: *column,
                }],
                ..Query::default()
            })),
        };
        Comparison {
            left,
            operator,
            right,
        }
    }

    /// `base` rows for which no row of `table` exists that meets the conditions.
    pub(super) fn absence(&self, base: usize, table: usize, inside: &[&Condition]) -> Option<Filter> {
        let steps = self.snapshot.joins.connect(&[base, table], &self.clauses.keys)?;
        let first = steps.first()?;
        let key = &self.snapshot.schema.foreign_keys[first.key];
        let ties: Vec<(ColumnRef, ColumnRef)> = key
            .from
            .iter()
            .zip(&key.to)
            .map(|(from, to)| {
                if from.table == base {
                    (*from, *to)
                } else {
                    (*to, *from)
                }
            })
            .collect();
        let mut inner = Query {
            keys: self.clauses.keys.clone(),
            ..Query::default()
        };
        inner.tables.push(first.table);
        push_new(&mut inner.tables, table);
        for condition in inside {
            inner.filters.push(Filter::Compare(self.comparison(condition)));
        }
        let reaches_only_key = steps.len() > 1 && inside.is_empty() && steps.last()?.table == table;
        if reaches_only_key {
            // The rows in between refer to the table; without a condition on it they say all there is to know.
            inner.tables.truncate(1);
        }
        if let [(outer, tied)] = ties[..] {
            inner.select.push(Expression::Column(tied));
            inner.filters.push(Filter::Compare(Comparison {
                left: Expression::Column(tied),
                operator: Comparator::IsNotNull,
                right: Operand::Nothing,
            }));
            return Some(Filter::In {
                column: outer,
                query: Box::new(inner),
                negated: true,
            });
        }
        inner.select.push(Expression::One);
        Some(Filter::Exists {
            ties,
            query: Box::new(inner),
            negated: true,
        })
    }

    /// `the average age in the largest dorm`: an aggregate is not ranked, so the extreme becomes a condition.
    pub(super) fn extreme_as_filter(&self, query: &mut Query) -> bool {
        let only_aggregates = query.select.iter().all(Expression::is_aggregate);
        let [(Target::Column(column), direction)] = self.clauses.order[..] else {
            return false;
        };
        if !only_aggregates || self.clauses.limit != Some(1) || !self.clauses.group.is_empty() {
            return false;
        }
        let function = if direction == Direction::Descending {
            Function::Maximum
        } else {
            Function::Minimum
        };
        let extreme = Query {
            select: vec![Expression::Aggregate {
                function,
                distinct: false,
                column,
            }],
            ..Query::default()
        };
        query.filters.push(Filter::Compare(Comparison {
            left: Expression::Column(column),
            operator: Comparator::Equal,
            right: Operand::Query(Box::new(extreme)),
        }));
        query.limit = None;
        true
    }
}

/// Two equalities on one column cannot both hold for one row.
fn same_sort(one: &Condition, other: &Condition, both: bool) -> bool {
    let equal =
        one.operator == other.operator && matches!(one.operator, Comparator::Equal | Comparator::Like);
    // `both older than 60 and younger than 30` is two persons.
    let apart = both && one.operator != other.operator;
    (equal || apart) && one.negated == other.negated
}
