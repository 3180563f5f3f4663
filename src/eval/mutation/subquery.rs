//! Subqueries that nothing reads, that are left out, or that do not fit where they stand.

use sqlparser::ast::{BinaryOperator, Expr, Query, Select, SelectItem, SetExpr};

use super::{
    Mutator,
    clauses::{aggregates, all_of, binary, comparison, conjuncts, has_subquery},
    scope::{Scope, selected},
    subject::Subject,
};
use crate::question::validator::{
    Code::{ExceptMissing, ExtraValuesSelected, SubqueryCorrelationError, SubqueryMissing, UnusedSubquery},
    walk::any_expr,
};

pub(super) const MUTATORS: &[Mutator] = &[
    Mutator(UnusedSubquery, "in WITH, and never read", unread_cte),
    Mutator(UnusedSubquery, "in FROM, and never read", unread_derived),
    Mutator(SubqueryMissing, "aggregate without its subquery", bare_aggregate),
    Mutator(SubqueryMissing, "condition left out", |subject| {
        condition_left_out(subject, false)
    }),
    // These two have their codes in other categories.
    Mutator(ExceptMissing, "condition left out", |subject| {
        condition_left_out(subject, true)
    }),
    Mutator(
        ExtraValuesSelected,
        "column too many in a subquery",
        column_too_many,
    ),
    Mutator(SubqueryCorrelationError, "= for IN", equals_for_in),
    Mutator(SubqueryCorrelationError, "another column", other_column),
    Mutator(SubqueryCorrelationError, "correlation left out", uncorrelated),
];

/// The subquery of a condition.
fn subquery_of(condition: &Expr) -> Option<&Query> {
    match condition {
        Expr::InSubquery { subquery, .. } | Expr::Exists { subquery, .. } | Expr::Subquery(subquery) => {
            Some(subquery)
        }
        Expr::Nested(inner) => subquery_of(inner),
        _ => comparison(condition)
            .and_then(|(left, _, right)| subquery_of(right).or_else(|| subquery_of(left))),
    }
}

/// Each condition with a subquery taken out of its WHERE, with the subquery.
fn taken_out(select: &Select) -> Vec<(Select, Query)> {
    let conditions = select.selection.as_ref().map(conjuncts).unwrap_or_default();
    let with_subquery = conditions.iter().enumerate();
    with_subquery
        .filter_map(|(at, condition)| {
            let subquery = subquery_of(condition)?.clone();
            let rest = conditions.iter().enumerate().filter(|(other, _)| *other != at);
            let selection = all_of(rest.map(|(_, condition)| condition.clone()));
            Some((
                Select {
                    selection,
                    ..select.clone()
                },
                subquery,
            ))
        })
        .collect()
}

fn unread_cte(subject: &Subject<'_>) -> Vec<String> {
    let Some(select) = subject
        .query
        .body
        .as_select()
        .filter(|_| subject.query.with.is_none())
    else {
        return Vec::new();
    };
    let taken = taken_out(select).into_iter();
    taken
        .map(|(left, subquery)| {
            let mut query = subject.query.clone();
            *query.body = SetExpr::Select(Box::new(left));
            format!("WITH filtered AS ({subquery}) {query}")
        })
        .collect()
}

fn unread_derived(subject: &Subject<'_>) -> Vec<String> {
    let text = subject.text();
    let Some(select) = subject.query.body.as_select() else {
        return Vec::new();
    };
    let mut found = Vec::new();
    for (left, subquery) in taken_out(select) {
        let mut query = subject.query.clone();
        let tables = select
            .from
            .iter()
            .map(ToString::to_string)
            .collect::<Vec<_>>()
            .join(", ");
        *query.body = SetExpr::Select(Box::new(left));
        let from = format!(" FROM {tables}");
        let changed = query
            .to_string()
            .replacen(&from, &format!("{from}, ({subquery}) AS filtered"), 1);
        if changed != text {
            found.push(changed);
        }
    }
    found
}

/// `age > AVG(age)` for `age > (SELECT AVG(age) FROM …)`.
fn bare_aggregate(subject: &Subject<'_>) -> Vec<String> {
    subject.exprs(|expr, _| {
        let Some((left, op, Expr::Subquery(subquery))) = comparison(expr) else {
            return Vec::new();
        };
        let item = subquery
            .body
            .as_select()
            .map(|select| select.projection.as_slice());
        match item {
            Some([item]) => selected(item)
                .filter(|expr| aggregates(expr))
                .map(|expr| binary(left.clone(), op.clone(), expr.clone()))
                .into_iter()
                .collect(),
            _ => Vec::new(),
        }
    })
}

/// Conditions with a subquery, those that exclude or those that do not.
fn condition_left_out(subject: &Subject<'_>, excluding: bool) -> Vec<String> {
    subject.selects(|select, _| {
        let conditions = select.selection.as_ref().map(conjuncts).unwrap_or_default();
        let excludes = conditions
            .iter()
            .filter(|condition| subquery_of(condition).is_some());
        let excludes = excludes.map(|condition| match condition {
            Expr::InSubquery { negated, .. } | Expr::Exists { negated, .. } => *negated,
            _ => false,
        });
        let taken = taken_out(select).into_iter().zip(excludes);
        taken
            .filter(|(_, excludes)| *excludes == excluding)
            .map(|((left, _), _)| left)
            .collect()
    })
}

fn equals_for_in(subject: &Subject<'_>) -> Vec<String> {
    subject.exprs(|expr, _| match expr {
        Expr::InSubquery {
            expr,
            subquery,
            negated,
        } => {
            let op = if *negated {
                BinaryOperator::NotEq
            } else {
                BinaryOperator::Eq
            };
            vec![binary((**expr).clone(), op, Expr::Subquery(subquery.clone()))]
        }
        _ => Vec::new(),
    })
}

/// Each subquery of a condition with other select items.
fn reselected(
    subject: &Subject<'_>,
    change: impl Fn(&SelectItem, &Scope) -> Vec<Vec<SelectItem>>,
) -> Vec<String> {
    let changed = |query: &Query| -> Vec<Query> {
        let Some(select) = query.body.as_select() else {
            return Vec::new();
        };
        let [item] = select.projection.as_slice() else {
            return Vec::new();
        };
        let scope = Scope::of(select, subject.schema());
        let lists = change(item, &scope).into_iter();
        lists
            .map(|projection| {
                let mut query = query.clone();
                *query.body = SetExpr::Select(Box::new(Select {
                    projection,
                    ..select.clone()
                }));
                query
            })
            .collect()
    };
    subject.exprs(|expr, _| match expr {
        Expr::InSubquery {
            expr,
            subquery,
            negated,
        } => changed(subquery)
            .into_iter()
            .map(|subquery| Expr::InSubquery {
                expr: expr.clone(),
                subquery: Box::new(subquery),
                negated: *negated,
            })
            .collect(),
        Expr::Subquery(subquery) => changed(subquery)
            .into_iter()
            .map(|subquery| Expr::Subquery(Box::new(subquery)))
            .collect(),
        _ => Vec::new(),
    })
}

fn other_column(subject: &Subject<'_>) -> Vec<String> {
    let schema = subject.schema();
    reselected(subject, |item, scope| {
        let Some(column) = selected(item).filter(|expr| scope.column(expr, schema).is_some()) else {
            return Vec::new();
        };
        let others = scope.siblings(column, schema, |_| true).into_iter();
        others.map(|other| vec![SelectItem::UnnamedExpr(other)]).collect()
    })
}

fn column_too_many(subject: &Subject<'_>) -> Vec<String> {
    let schema = subject.schema();
    reselected(subject, |item, scope| {
        let Some((source, table)) = scope.tables().next() else {
            return Vec::new();
        };
        let own = selected(item).map(ToString::to_string);
        let columns = schema.tables[table]
            .columns
            .iter()
            .map(|column| scope.natural(source, &column.name));
        let other = columns.into_iter().find(|column| Some(column.to_string()) != own);
        other
            .map(|other| vec![item.clone(), SelectItem::UnnamedExpr(other)])
            .into_iter()
            .collect()
    })
}

/// A subquery without the condition that ties it to the outer row.
fn uncorrelated(subject: &Subject<'_>) -> Vec<String> {
    let schema = subject.schema();
    subject.selects(|select, scope| {
        let conditions = select.selection.as_ref().map(conjuncts).unwrap_or_default();
        let outer = |expr: &Expr| {
            any_expr(expr, &|part| {
                matches!(part, Expr::CompoundIdentifier(names)
                    if names.len() == 2 && scope.source(&names[0].value).is_none())
                    && scope.column(part, schema).is_none()
            })
        };
        let ties: Vec<usize> = (0..conditions.len())
            .filter(|at| outer(&conditions[*at]) && !has_subquery(&conditions[*at]))
            .collect();
        ties.into_iter()
            .map(|tie| {
                let rest = conditions.iter().enumerate().filter(|(at, _)| *at != tie);
                Select {
                    selection: all_of(rest.map(|(_, condition)| condition.clone())),
                    ..select.clone()
                }
            })
            .collect()
    })
}
