//! Conditions on rows: filters, what must not exist, what must hold twice.

use super::{Planner, Unplannable, push_new, table_of};
use crate::question::{
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
        for group in grouped(conditions, self.clauses.both) {
            let first = group[0];
            let alternatives = group[1..].iter().any(|condition| condition.alternative);
            if group.iter().any(|condition| of_groups(condition)) {
                if alternatives {
                    return Err(Unplannable::Unsupported("a choice between conditions on groups"));
                }
                for condition in group {
                    if let Target::CountRows(table) = condition.left {
                        push_new(&mut query.tables, table);
                    }
                    query.having.push(self.comparison(condition));
                }
            } else if first.negated {
                for condition in group {
                    let filter = self.negated(query, base, condition)?;
                    query.filters.push(filter);
                }
            } else if let [only] = group[..] {
                query.filters.push(Filter::Compare(self.comparison(only)));
            } else if !alternatives && (self.clauses.both || self.many_from(base, first.left)) {
                let [one, other] = group[..] else {
                    return Err(Unplannable::Unsupported(
                        "more than two things that must all be found",
                    ));
                };
                if both.is_some() {
                    return Err(Unplannable::Unsupported(
                        "two pairs of things that must both be found",
                    ));
                }
                both = Some((
                    Filter::Compare(self.comparison(one)),
                    Filter::Compare(self.comparison(other)),
                ));
            } else {
                let many = |condition: &&Condition| condition.negated && self.many_from(base, condition.left);
                if group.iter().any(many) {
                    return Err(Unplannable::Unsupported(
                        "a choice between what is there and what is not",
                    ));
                }
                let any = group.iter().map(|condition| self.comparison(condition)).collect();
                query.filters.push(Filter::Any(any));
            }
        }
        Ok(both)
    }

    /// What must not hold; of rows that there may be many of, none may meet it.
    fn negated(&self, query: &mut Query, base: usize, condition: &Condition) -> Result<Filter, Unplannable> {
        if !self.many_from(base, condition.left) {
            return Ok(Filter::Compare(self.comparison(&Condition {
                negated: true,
                ..condition.clone()
            })));
        }
        let table = table_of(condition.left).unwrap_or(base);
        let inner = Condition {
            negated: false,
            ..condition.clone()
        };
        let filter = self
            .absence(base, table, &[&inner])
            .ok_or(Unplannable::Unsupported("no keys lead there"))?;
        query
            .tables
            .retain(|mentioned| *mentioned != table || table == base);
        Ok(filter)
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
            Right::Frequent(column, direction) => Operand::Query(Box::new(Query {
                select: vec![Expression::Column(*column)],
                group: vec![Expression::Column(*column)],
                order: vec![(Expression::CountRows, *direction)],
                limit: Some(1),
                ..Query::default()
            })),
            Right::Overall(function, column) => Operand::Query(Box::new(Query {
                select: vec![Expression::Aggregate {
                    function: *function,
                    distinct: false,
                    column: *column,
                }],
                filters: self
                    .within()
                    .map(|inner| Filter::Compare(self.comparison(inner)))
                    .collect(),
                keys: self.clauses.keys.clone(),
                ..Query::default()
            })),
        };
        Comparison {
            left,
            operator,
            right,
        }
    }

    /// The conditions that narrow down what an average is taken over.
    fn within(&self) -> impl Iterator<Item = &Condition> {
        self.clauses
            .conditions
            .iter()
            .filter(|condition| condition.within)
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
        let last = steps.last()?;
        let is_referred_to = self.snapshot.schema.foreign_keys[last.key].to[0].table == table;
        let reaches_only_key = steps.len() > 1 && inside.is_empty() && last.table == table && is_referred_to;
        if reaches_only_key {
            // The last rows in between refer to the table; without a condition on it they say all there is to know.
            inner.tables.truncate(1);
            push_new(&mut inner.tables, steps[steps.len() - 2].table);
        }
        // A row that refers to nothing has none either, which NOT IN would not say.
        let may_be_null = |at: ColumnRef| {
            let is_key = self.snapshot.schema.tables[at.table].primary_key == [at.column];
            !self.snapshot.schema.column(at).not_null && !is_key
        };
        if let [(outer, tied)] = ties[..]
            && !may_be_null(outer)
        {
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

    /// What is not known is neither the lowest nor the first.
    pub(super) fn known_extremes(&self, query: &mut Query) {
        if query.limit.is_none() {
            return;
        }
        for (expression, direction) in &query.order {
            if let (Expression::Column(column), Direction::Ascending) = (expression, direction)
                && !self.snapshot.schema.column(*column).not_null
            {
                query.filters.push(Filter::Compare(Comparison {
                    left: expression.clone(),
                    operator: Comparator::IsNotNull,
                    right: Operand::Nothing,
                }));
            }
        }
    }
}

/// The conditions as the groups that belong together: alternatives, and several values of one column.
fn grouped<'c>(conditions: &[&'c Condition], both: bool) -> Vec<Vec<&'c Condition>> {
    let mut ordered = conditions.to_vec();
    ordered.sort_by_key(|condition| condition.position);
    let mut groups: Vec<Vec<&Condition>> = Vec::new();
    for condition in ordered {
        let fitting = if condition.alternative {
            groups.len().checked_sub(1)
        } else {
            groups
                .iter()
                .position(|group| group[0].left == condition.left && same_sort(group[0], condition, both))
        };
        match fitting {
            Some(at) => groups[at].push(condition),
            None => groups.push(vec![condition]),
        }
    }
    groups
}

/// True for a condition on groups of rows.
fn of_groups(condition: &Condition) -> bool {
    matches!(condition.left, Target::CountRows(_) | Target::Aggregate { .. })
}

/// Two equalities on one column cannot both hold for one row.
fn same_sort(one: &Condition, other: &Condition, both: bool) -> bool {
    let equal =
        one.operator == other.operator && matches!(one.operator, Comparator::Equal | Comparator::Like);
    // `both older than 60 and younger than 30` is two persons.
    let apart = both && one.operator != other.operator;
    (equal || apart) && one.negated == other.negated
}
