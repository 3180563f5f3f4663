//! Joins without a condition, of the wrong type, of a table too many; columns of the wrong meaning.

use sqlparser::ast::{
    BinaryOperator, Expr, Ident, Join, JoinConstraint, JoinOperator, ObjectName, Select, SelectItem,
    TableAlias, TableFactor, TableWithJoins,
};

use super::{
    Mutator,
    clauses::{aggregate, all_of, argument, binary, function_call, joins, on, rejoined, with_joins},
    scope::{Scope, ident, selected},
    subject::Subject,
};
use crate::question::validator::{
    Code::{ExtraTable, IncorrectCol, JoinMissing, JoinWrongType},
    walk::any_expr,
};

pub(super) const MUTATORS: &[Mutator] = &[
    Mutator(JoinMissing, "ON left out", without_on),
    Mutator(JoinMissing, "comma instead of a join", comma),
    Mutator(JoinWrongType, "outer for inner or the reverse", other_type),
    Mutator(ExtraTable, "neighbour joined", neighbour_joined),
    Mutator(IncorrectCol, "another column of the table", other_column),
    Mutator(IncorrectCol, "the same of another table", same_name),
    Mutator(IncorrectCol, "another aggregate", other_aggregate),
    Mutator(IncorrectCol, "aggregate left out", without_aggregate),
];

fn without_on(subject: &Subject<'_>) -> Vec<String> {
    each_join(subject, |join| {
        matches!(join.join_operator, JoinOperator::Join(_) | JoinOperator::Inner(_))
            .then(|| rejoined(join, JoinConstraint::None))
    })
}

/// Each join that has a condition, changed.
fn each_join(subject: &Subject<'_>, change: impl Fn(&Join) -> Option<Join>) -> Vec<String> {
    subject.selects(|select, _| {
        let list = joins(select);
        let changed = list.iter().enumerate().filter(|(_, join)| on(join).is_some());
        changed
            .filter_map(|(at, join)| {
                let mut list = list.to_vec();
                list[at] = change(join)?;
                Some(with_joins(select, list))
            })
            .collect()
    })
}

fn comma(subject: &Subject<'_>) -> Vec<String> {
    subject.selects(|select, _| match joins(select) {
        [list @ .., last] if on(last).is_some() => {
            let mut changed = with_joins(select, list.to_vec());
            changed.from.push(TableWithJoins {
                relation: last.relation.clone(),
                joins: Vec::new(),
            });
            vec![changed]
        }
        _ => Vec::new(),
    })
}

fn other_type(subject: &Subject<'_>) -> Vec<String> {
    each_join(subject, |join| {
        let constraint = JoinConstraint::On(on(join)?.clone());
        let join_operator = match &join.join_operator {
            JoinOperator::Join(_) | JoinOperator::Inner(_) => JoinOperator::Left(constraint),
            _ => JoinOperator::Join(constraint),
        };
        Some(Join {
            join_operator,
            ..join.clone()
        })
    })
}

/// A table that a key leads to and that nothing reads.
fn neighbour_joined(subject: &Subject<'_>) -> Vec<String> {
    let subject = subject.qualified();
    let schema = subject.schema();
    subject.selects(|select, scope| {
        if select.from.len() != 1 || unknown_sources(scope) {
            return Vec::new();
        }
        let mut found = Vec::new();
        for (source, table) in scope.tables() {
            let mut neighbours: Vec<usize> = subject.snapshot.joins.neighbours(table).collect();
            neighbours.sort_unstable();
            neighbours.dedup();
            for neighbour in neighbours {
                if scope.tables().any(|(_, known)| known == neighbour) {
                    continue;
                }
                let Some(key) = subject
                    .snapshot
                    .joins
                    .keys_between(table, neighbour)
                    .first()
                    .copied()
                else {
                    continue;
                };
                let key = &schema.foreign_keys[key];
                let alias = format!("T{}", scope.sources.len() + 1);
                let named = scope.source(&alias).is_none().then_some(alias);
                let name = named
                    .clone()
                    .unwrap_or_else(|| schema.tables[neighbour].name.clone());
                let pairs = key.from.iter().zip(&key.to).map(|(from, to)| {
                    let (own, other) = if from.table == table {
                        (from, to)
                    } else {
                        (to, from)
                    };
                    let other =
                        Expr::CompoundIdentifier(vec![ident(&name), ident(&schema.column(*other).name)]);
                    binary(
                        scope.written(source, &schema.column(*own).name),
                        BinaryOperator::Eq,
                        other,
                    )
                });
                let Some(condition) = all_of(pairs) else {
                    continue;
                };
                let join = Join {
                    relation: table_factor(&schema.tables[neighbour].name, named.as_deref()),
                    global: false,
                    join_operator: JoinOperator::Join(JoinConstraint::On(condition)),
                };
                found.push(with_joins(select, [joins(select), &[join]].concat()));
            }
        }
        found
    })
}

fn unknown_sources(scope: &Scope) -> bool {
    scope.sources.iter().any(|source| source.table.is_none())
}

fn table_factor(name: &str, alias: Option<&str>) -> TableFactor {
    TableFactor::Table {
        name: ObjectName::from(ident(name)),
        alias: alias.map(|alias| TableAlias {
            explicit: true,
            name: Ident::new(alias),
            columns: Vec::new(),
            at: None,
        }),
        args: None,
        with_hints: Vec::new(),
        version: None,
        with_ordinality: false,
        partitions: Vec::new(),
        json_path: None,
        sample: None,
        index_hints: Vec::new(),
    }
}

/// True if the expression stands in what is selected.
fn is_selected(select: &Select, expr: &Expr) -> bool {
    let items = select.projection.iter().filter_map(selected);
    items.into_iter().any(|item| any_expr(item, &|part| part == expr))
}

/// A selected column, changed in the same way wherever the SELECT names it.
fn selected_column(subject: &Subject<'_>, change: impl Fn(&Expr, &Scope) -> Vec<Expr>) -> Vec<String> {
    let selects = std::cell::RefCell::new(Vec::new());
    subject.selects(|select, _| {
        selects.borrow_mut().push(select.clone());
        Vec::new()
    });
    subject.names(|expr, scope| {
        let chosen = selects
            .borrow()
            .iter()
            .any(|select| select.to_string() == scope.id && is_selected(select, expr));
        if chosen { change(expr, scope) } else { Vec::new() }
    })
}

fn other_column(subject: &Subject<'_>) -> Vec<String> {
    let schema = subject.schema();
    selected_column(subject, |expr, scope| {
        let Some((_, at)) = scope.column(expr, schema) else {
            return Vec::new();
        };
        let kind = schema.column(at).kind;
        scope.siblings(expr, schema, |other| other.kind == kind)
    })
}

fn same_name(subject: &Subject<'_>) -> Vec<String> {
    let schema = subject.schema();
    selected_column(subject, |expr, scope| {
        let Some((own, at)) = scope.column(expr, schema) else {
            return Vec::new();
        };
        let column = schema.column(at);
        let others = scope.tables().filter(|(source, _)| *source != own);
        others
            .filter_map(|(source, table)| {
                let table = &schema.tables[table];
                let same = table.column_named(&column.name);
                let alike = || table.columns.iter().position(|other| other.kind == column.kind);
                let position = same.or_else(alike)?;
                Some(scope.written(source, &table.columns[position].name))
            })
            .collect()
    })
}

/// Each selected aggregate, changed.
fn aggregates(subject: &Subject<'_>, change: impl Fn(&str, Option<Expr>) -> Option<Expr>) -> Vec<String> {
    subject.selects(|select, _| {
        let items = select.projection.iter().enumerate();
        let changed = items.filter_map(|(at, item)| {
            let call = selected(item)?;
            let expr = change(&aggregate(call)?, argument(call))?;
            let mut select = select.clone();
            select.projection[at] = SelectItem::UnnamedExpr(expr);
            Some(select)
        });
        changed.collect()
    })
}

fn other_aggregate(subject: &Subject<'_>) -> Vec<String> {
    aggregates(subject, |name, argument| {
        let other = match name {
            "max" => "min",
            "min" => "max",
            "avg" | "count" => "sum",
            _ => "count",
        };
        Some(function_call(other, vec![argument?]))
    })
}

/// `age` for `AVG(age)`.
fn without_aggregate(subject: &Subject<'_>) -> Vec<String> {
    aggregates(subject, |_, argument| argument)
}
