//! Conditions on groups and on rows, each to where it belongs.

use std::ops::ControlFlow;

use sqlparser::ast::{BinaryOperator as Op, Expr, GroupByExpr, Select, SelectItem};

use super::{
    fragments::{add_condition, aggregates, conjunction, conjuncts, expression, is_constant},
    grouping::{has_group_by, plain_items},
    selects::{select_around, select_of, with_select},
    sources::Sources,
    walk::read_exprs,
};
use crate::question::{
    schema::Dialect,
    validator::{Asked, parse::Parsed, resolve::LocatedFinding},
};

/// An aggregate in WHERE: a subquery where rows are compared with it, else a condition in HAVING.
pub(super) fn out_of_where(found: &LocatedFinding, parsed: &Parsed, asked: &Asked<'_>) -> Vec<String> {
    let dialect = asked.snapshot.dialect;
    let Some(at) = select_around(parsed, dialect, found.finding.position) else {
        return vec![];
    };
    let Some(select) = select_of(parsed, at) else {
        return vec![];
    };
    let into_subquery = || {
        let sources = Sources::of(&select, parsed, asked.snapshot);
        with_select(parsed, at, |select| {
            let condition = select.selection.take()?;
            let changed: Vec<Expr> = conjuncts(&condition)
                .into_iter()
                .map(|part| compared_with_subquery(part, &sources, dialect).unwrap_or_else(|| part.clone()))
                .collect();
            let is_changed = conjuncts(&condition)
                .into_iter()
                .zip(&changed)
                .any(|(before, after)| before != after);
            select.selection = conjunction(changed);
            is_changed.then_some(())
        })
    };
    let into_having = || {
        with_select(parsed, at, |select| {
            let condition = select.selection.take()?;
            let (groups, rows) = split(&condition, |part| tests_group(part, select, dialect));
            if groups.is_empty() {
                return None;
            }
            select.selection = conjunction(rows);
            if !has_group_by(select) {
                select.group_by = GroupByExpr::Expressions(plain_items(select, dialect)?, vec![]);
            }
            for group in groups {
                add_condition(&mut select.having, group);
            }
            Some(())
        })
    };
    into_subquery().into_iter().chain(into_having()).collect()
}

/// A condition on rows in HAVING: into WHERE. HAVING without groups: GROUP BY what is selected.
pub(super) fn out_of_having(found: &LocatedFinding, parsed: &Parsed, asked: &Asked<'_>) -> Vec<String> {
    let dialect = asked.snapshot.dialect;
    let Some(at) = select_around(parsed, dialect, found.finding.position) else {
        return vec![];
    };
    let into_where = || {
        with_select(parsed, at, |select| {
            let condition = select.having.take()?;
            let grouped = group_terms(select);
            let (groups, rows) = split(&condition, |part| {
                tests_group(part, select, dialect) || names_one_of(part, &grouped)
            });
            if rows.is_empty() {
                return None;
            }
            select.having = conjunction(groups);
            for row in rows {
                add_condition(&mut select.selection, row);
            }
            Some(())
        })
    };
    let grouped = || {
        with_select(parsed, at, |select| {
            if has_group_by(select) || !tests_group(select.having.as_ref()?, select, dialect) {
                return None;
            }
            select.group_by = GroupByExpr::Expressions(plain_items(select, dialect)?, vec![]);
            Some(())
        })
    };
    into_where().into_iter().chain(grouped()).collect()
}

/// The conditions of a clause, those that fit first.
fn split(condition: &Expr, fits: impl Fn(&Expr) -> bool) -> (Vec<Expr>, Vec<Expr>) {
    conjuncts(condition)
        .into_iter()
        .cloned()
        .partition(|part| fits(part))
}

/// True for a condition with an aggregate, or with the name that the select list gives to one.
fn tests_group(part: &Expr, select: &Select, dialect: Dialect) -> bool {
    let named: Vec<Expr> = select
        .projection
        .iter()
        .filter_map(|item| match item {
            SelectItem::ExprWithAlias { expr, alias } if aggregates(expr, dialect) => {
                Some(Expr::Identifier(alias.clone()))
            }
            _ => None,
        })
        .collect();
    aggregates(part, dialect) || names_one_of(part, &named)
}

fn group_terms(select: &Select) -> Vec<Expr> {
    match &select.group_by {
        GroupByExpr::Expressions(terms, _) => terms.clone(),
        GroupByExpr::All(_) => vec![],
    }
}

/// True where one of some expressions stands in a condition, outside of subqueries.
fn names_one_of(condition: &Expr, known: &[Expr]) -> bool {
    read_exprs(condition, &mut |expr, depth| {
        if depth == 0 && known.contains(expr) {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    })
}

/// `height > AVG(height)`: rows against an aggregate over all of them.
fn compared_with_subquery(part: &Expr, sources: &Sources<'_>, dialect: Dialect) -> Option<Expr> {
    let Expr::BinaryOp { left, op, right } = part else {
        return None;
    };
    if !matches!(op, Op::Eq | Op::NotEq | Op::Lt | Op::LtEq | Op::Gt | Op::GtEq) {
        return None;
    }
    let over_all = |side: &Expr| {
        let Expr::Function(function) = side else {
            return None;
        };
        let column = only_argument(function)?;
        let (_, column) = sources.column(&column)?;
        let table = sources.table_text(column.table);
        let name = sources.column_text(column);
        expression(
            &format!("(SELECT {}({name}) FROM {table})", function.name),
            dialect,
        )
    };
    let is_row = |side: &Expr| !aggregates(side, dialect) && !is_constant(side);
    let (left, right) = if aggregates(right, dialect) && is_row(left) {
        (left.as_ref().clone(), over_all(right)?)
    } else if aggregates(left, dialect) && is_row(right) {
        (over_all(left)?, right.as_ref().clone())
    } else {
        return None;
    };
    Some(Expr::BinaryOp {
        left: Box::new(left),
        op: op.clone(),
        right: Box::new(right),
    })
}

/// The column that a function is called with, if that is all.
fn only_argument(function: &sqlparser::ast::Function) -> Option<Expr> {
    use sqlparser::ast::{FunctionArg, FunctionArgExpr, FunctionArguments};
    let FunctionArguments::List(list) = &function.args else {
        return None;
    };
    match list.args.as_slice() {
        [FunctionArg::Unnamed(FunctionArgExpr::Expr(expr))] if list.duplicate_treatment.is_none() => {
            Some(expr.clone())
        }
        _ => None,
    }
}
