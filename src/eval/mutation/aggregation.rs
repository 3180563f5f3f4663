//! GROUP BY left out or by something else; HAVING without groups, on rows, or taken for WHERE.

use sqlparser::ast::{Expr, Select};

use super::{
    Mutator,
    clauses::{
        aggregate, aggregates, all_of, argument, conjuncts, each_without, function_call, grouped_by,
        grouping, has_subquery,
    },
    scope::{Scope, selected},
    subject::Subject,
};
use crate::question::{
    schema::Schema,
    validator::{
        Code::{AggNoGroupby, GroupbyMissingCol, HavingIncorrect, HavingVsWhere, HavingWithoutGroupby},
        walk::any_expr,
    },
};

pub(super) const MUTATORS: &[Mutator] = &[
    Mutator(AggNoGroupby, "GROUP BY left out", without_grouping),
    Mutator(AggNoGroupby, "column beside the aggregate", column_beside),
    Mutator(GroupbyMissingCol, "grouped by another column", grouped_by_another),
    Mutator(
        GroupbyMissingCol,
        "a grouping column left out",
        grouping_column_left_out,
    ),
    Mutator(HavingWithoutGroupby, "GROUP BY left out", having_alone),
    Mutator(HavingWithoutGroupby, "HAVING for WHERE", having_for_where),
    Mutator(HavingIncorrect, "column for its aggregate", column_for_aggregate),
    Mutator(HavingIncorrect, "another aggregate", other_aggregate),
    Mutator(HavingVsWhere, "aggregate in WHERE", aggregate_in_where),
    Mutator(HavingVsWhere, "condition on rows in HAVING", rows_in_having),
];

fn without_grouping(subject: &Subject<'_>) -> Vec<String> {
    subject.queries(|query, _| {
        let Some(select) = query.body.as_select() else {
            return Vec::new();
        };
        let ordered = query
            .order_by
            .as_ref()
            .is_some_and(|order| any_expr(order, &|part| aggregate(part).is_some()));
        let aggregated = ordered || select.projection.iter().filter_map(selected).any(aggregates);
        if grouping(select).is_empty() || select.having.is_some() || !aggregated {
            return Vec::new();
        }
        let mut changed = query.clone();
        *changed.body = sqlparser::ast::SetExpr::Select(Box::new(grouped_by(select, Vec::new())));
        vec![changed]
    })
}

/// `SELECT name, MAX(age)` for `SELECT MAX(age)`.
fn column_beside(subject: &Subject<'_>) -> Vec<String> {
    let schema = subject.schema();
    subject.queries(|query, scope| {
        let Some(select) = query.body.as_select() else {
            return Vec::new();
        };
        let only_aggregates = select
            .projection
            .iter()
            .all(|item| selected(item).is_some_and(aggregates));
        if query.to_string() != subject.text() || !grouping(select).is_empty() || !only_aggregates {
            return Vec::new();
        }
        let Some((source, table)) = scope.tables().next() else {
            return Vec::new();
        };
        let wording = schema.tables[table]
            .columns
            .iter()
            .find(|column| column.kind.is_wording());
        wording
            .map(|column| {
                let mut select = select.clone();
                let item = sqlparser::ast::SelectItem::UnnamedExpr(scope.natural(source, &column.name));
                select.projection.insert(0, item);
                let mut changed = query.clone();
                *changed.body = sqlparser::ast::SetExpr::Select(Box::new(select));
                changed
            })
            .into_iter()
            .collect()
    })
}

fn grouped_by_another(subject: &Subject<'_>) -> Vec<String> {
    let schema = subject.schema();
    subject.selects(|select, scope| {
        let [only] = grouping(select) else {
            return Vec::new();
        };
        let Some((_, at)) = scope.column(only, schema) else {
            return Vec::new();
        };
        let key = schema.tables[at.table].primary_key == [at.column];
        let others = scope.siblings(only, schema, |other| !other.unique || !key);
        others
            .into_iter()
            .map(|other| grouped_by(select, vec![other]))
            .collect()
    })
}

fn grouping_column_left_out(subject: &Subject<'_>) -> Vec<String> {
    subject.selects(|select, _| match grouping(select) {
        [] | [_] => Vec::new(),
        several => each_without(several)
            .into_iter()
            .map(|rest| grouped_by(select, rest))
            .collect(),
    })
}

fn having_alone(subject: &Subject<'_>) -> Vec<String> {
    subject.selects(|select, _| {
        if select.having.is_none() || grouping(select).is_empty() {
            return Vec::new();
        }
        vec![grouped_by(select, Vec::new())]
    })
}

fn having_for_where(subject: &Subject<'_>) -> Vec<String> {
    subject.selects(|select, _| {
        let condition = select
            .selection
            .as_ref()
            .filter(|condition| !has_subquery(condition));
        if select.having.is_some() || !grouping(select).is_empty() || condition.is_none() {
            return Vec::new();
        }
        vec![Select {
            having: condition.cloned(),
            selection: None,
            ..select.clone()
        }]
    })
}

/// `HAVING age > 30` for `HAVING AVG(age) > 30`; for a count, some number of the table.
fn column_for_aggregate(subject: &Subject<'_>) -> Vec<String> {
    let schema = subject.schema();
    having(subject, |call, scope, grouped| {
        let argument = argument(call).filter(|argument| scope.column(argument, schema).is_some());
        let numbers = numbers(schema, scope);
        let mut columns: Vec<Expr> = argument.into_iter().chain(numbers).collect();
        columns.retain(|column| !grouped.contains(column));
        columns
    })
}

/// `HAVING SUM(age) > 3` for `HAVING COUNT(*) > 3`, `MAX` for `AVG` and so on.
fn other_aggregate(subject: &Subject<'_>) -> Vec<String> {
    let schema = subject.schema();
    having(subject, |call, scope, grouped| {
        let argument = argument(call);
        let numbers = numbers(schema, scope);
        let columns: Vec<Expr> = match argument {
            Some(column) => vec![column],
            None => numbers
                .filter(|column| !grouped.contains(column))
                .take(2)
                .collect(),
        };
        let own = aggregate(call).unwrap_or_default();
        let others = ["sum", "max", "count"].into_iter().filter(|name| *name != own);
        others
            .flat_map(|name| {
                columns
                    .iter()
                    .map(move |column| function_call(name, vec![column.clone()]))
            })
            .collect()
    })
}

/// The columns of numbers of the tables in reach.
fn numbers<'a>(schema: &'a Schema, scope: &'a Scope) -> impl Iterator<Item = Expr> + 'a {
    scope.tables().flat_map(move |(source, table)| {
        let numbers = schema.tables[table]
            .columns
            .iter()
            .filter(|column| column.kind.is_numeric());
        numbers.map(move |column| scope.natural(source, &column.name))
    })
}

/// Each aggregate of a HAVING, changed; the change is told what is grouped by.
fn having(
    subject: &Subject<'_>,
    change: impl Fn(&Expr, &super::scope::Scope, &[Expr]) -> Vec<Expr>,
) -> Vec<String> {
    subject.selects(|select, scope| {
        let Some(Expr::BinaryOp { left, op, right }) = &select.having else {
            return Vec::new();
        };
        if aggregate(left).is_none() || grouping(select).is_empty() {
            return Vec::new();
        }
        let changed = change(left, scope, grouping(select)).into_iter();
        changed
            .map(|left| Select {
                having: Some(Expr::BinaryOp {
                    left: Box::new(left),
                    op: op.clone(),
                    right: right.clone(),
                }),
                ..select.clone()
            })
            .collect()
    })
}

fn aggregate_in_where(subject: &Subject<'_>) -> Vec<String> {
    subject.selects(|select, _| {
        let Some(having) = &select.having else {
            return Vec::new();
        };
        let conditions = select.selection.iter().chain([having]).cloned();
        vec![Select {
            selection: all_of(conditions),
            having: None,
            ..select.clone()
        }]
    })
}

fn rows_in_having(subject: &Subject<'_>) -> Vec<String> {
    subject.selects(|select, _| {
        let conditions = select.selection.as_ref().map(conjuncts).unwrap_or_default();
        if grouping(select).is_empty() || conditions.is_empty() || conditions.iter().any(has_subquery) {
            return Vec::new();
        }
        vec![Select {
            having: all_of(conditions.into_iter().chain(select.having.clone())),
            selection: None,
            ..select.clone()
        }]
    })
}
