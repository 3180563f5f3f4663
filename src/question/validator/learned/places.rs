//! Where in a statement a learned change would have to be made, and the statement with it.

use std::ops::ControlFlow;

use sqlparser::ast::{Expr, JoinOperator, Query, SetExpr, TableFactor};

use super::{
    super::{
        parse::Parsed,
        repair::{
            fragments::{add_condition, expression},
            walk::{change_exprs, change_exprs_first, change_queries, read_exprs},
        },
        resolved::{Clause, Resolved},
    },
    Change,
    canonical::Names,
    pattern::{filled, matched},
};
use crate::question::schema::Snapshot;

/// The statement with the change; `None` where there is nothing to be changed.
pub(super) fn repaired(
    parsed: &Parsed,
    resolved: &Resolved,
    change: &Change,
    snapshot: &Snapshot,
) -> Option<String> {
    let uses = resolved.uses.iter();
    let uses = uses.filter_map(|used| Some((used.position?, used.column)));
    let names = Names::of(parsed, uses, snapshot.dialect)?;
    let mut query = parsed.query.clone();
    let changed = match change {
        Change::Expression { before, after } => {
            expressions(&mut query, (before, after), &names, parsed, snapshot)
        }
        Change::Condition { table, condition } => {
            conditions(&mut query, (table, condition), &names, resolved, snapshot)
        }
        Change::Join { table, outer } => joins(&mut query, table, *outer),
    };
    let text = query.to_string();
    (changed && text != parsed.query.to_string()).then_some(text)
}

/// True if all columns that a change speaks of are there for whoever asks.
pub(super) fn is_visible(change: &Change, snapshot: &Snapshot) -> bool {
    let text = match change {
        Change::Expression { after, .. } => after,
        Change::Condition { condition, .. } => condition,
        Change::Join { table, .. } => return snapshot.schema.table_named(table).is_some(),
    };
    let Some(expr) = expression(text, snapshot.dialect) else {
        return false;
    };
    !read_exprs(&expr, &mut |expr, _| {
        let hidden = match expr {
            Expr::CompoundIdentifier(parts) => match parts.as_slice() {
                [table, column] => {
                    let table = snapshot.schema.table_named(&table.value);
                    let table = table.map(|at| &snapshot.schema.tables[at]);
                    table.is_none_or(|table| table.column_named(&column.value).is_none())
                }
                _ => true,
            },
            _ => false,
        };
        if hidden {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    })
}

/// Changes all expressions of the form.
fn expressions(
    query: &mut Query,
    (before, after): (&str, &str),
    names: &Names,
    parsed: &Parsed,
    snapshot: &Snapshot,
) -> bool {
    let mut changed = false;
    change_exprs_first(query, &mut |expr, _| {
        // What has been changed is not looked into.
        let canonical = names.canonical(expr, parsed, &snapshot.schema).to_string();
        if let Some(holes) = matched(before, &canonical, snapshot.dialect)
            && let Some(new) = filled(after, &holes, snapshot.dialect)
            && let Some(new) = as_called(new, names)
        {
            *expr = new;
            changed = true;
        }
        ControlFlow::Continue(())
    });
    changed
}

/// Adds the condition to the SELECT that reads the table, if nothing is asked of its column yet.
fn conditions(
    query: &mut Query,
    (table, condition): (&str, &str),
    names: &Names,
    resolved: &Resolved,
    snapshot: &Snapshot,
) -> bool {
    let Some(condition) = expression(condition, snapshot.dialect) else {
        return false;
    };
    let mut column = None;
    read_exprs(&condition, &mut |expr, _| {
        if let Expr::CompoundIdentifier(parts) = expr {
            column = parts.last().map(|name| name.value.clone());
        }
        ControlFlow::Continue(())
    });
    let known = column.and_then(|column| {
        let at = snapshot.schema.table_named(table)?;
        snapshot.schema.tables[at]
            .column_named(&column)
            .map(|column| (at, column))
    });
    let Some((at, column)) = known else {
        return false;
    };
    let asked = resolved.uses.iter().any(|used| {
        (used.column.table, used.column.column) == (at, column)
            && matches!(used.clause, Clause::Where | Clause::From)
    });
    let Some(condition) = as_called(condition, names).filter(|_| !asked) else {
        return false;
    };
    let mut changed = false;
    change_queries(query, &mut |query| {
        if let SetExpr::Select(select) = query.body.as_mut()
            && !changed
        {
            let reads = select.from.iter().any(|item| {
                let joined = item.joins.iter().map(|join| &join.relation);
                std::iter::once(&item.relation)
                    .chain(joined)
                    .any(|factor| is_table(factor, table))
            });
            if reads {
                add_condition(&mut select.selection, condition.clone());
                changed = true;
            }
        }
        ControlFlow::Continue(())
    });
    changed
}

/// Makes joins of the table outer ones, or inner ones.
fn joins(query: &mut Query, table: &str, outer: bool) -> bool {
    let mut changed = false;
    change_queries(query, &mut |query| {
        if let SetExpr::Select(select) = query.body.as_mut() {
            for join in select.from.iter_mut().flat_map(|item| &mut item.joins) {
                if !is_table(&join.relation, table) {
                    continue;
                }
                let new = match &join.join_operator {
                    JoinOperator::Join(on) | JoinOperator::Inner(on) if outer => {
                        JoinOperator::Left(on.clone())
                    }
                    JoinOperator::Left(on) | JoinOperator::LeftOuter(on) if !outer => {
                        JoinOperator::Join(on.clone())
                    }
                    _ => continue,
                };
                join.join_operator = new;
                changed = true;
            }
        }
        ControlFlow::Continue(())
    });
    changed
}

fn is_table(factor: &TableFactor, table: &str) -> bool {
    match factor {
        TableFactor::Table { name, .. } => {
            let last = name.0.last().and_then(|part| part.as_ident());
            last.is_some_and(|name| name.value.eq_ignore_ascii_case(table))
        }
        _ => false,
    }
}

/// A canonical expression with tables as the statement calls them; `None` where it does not read one of them.
fn as_called(mut expr: Expr, names: &Names) -> Option<Expr> {
    let mut whole = true;
    let alone = names.called.len() == 1;
    change_exprs(&mut expr, &mut |expr, _| {
        if let Expr::CompoundIdentifier(parts) = expr
            && let [table, column] = parts.as_slice()
        {
            let called = names
                .called
                .iter()
                .find(|(_, of)| of.eq_ignore_ascii_case(&table.value));
            match called {
                Some(_) if alone => *expr = Expr::Identifier(column.clone()),
                Some((name, _)) => {
                    *expr = Expr::CompoundIdentifier(vec![names.ident(name), column.clone()]);
                }
                None => whole = false,
            }
        }
        ControlFlow::Continue(())
    });
    whole.then_some(expr)
}
