//! Conditions on groups and on rows, each to where it belongs.

use std::ops::ControlFlow;

use sqlparser::ast::{BinaryOperator as Op, Expr, GroupByExpr, Select, SelectItem, Value};

use super::{
    fragments::{add_condition, aggregates, conjunction, conjuncts, expression, is_aggregate, is_constant},
    grouping::{has_group_by, plain_items},
    selects::{select_around, select_of, with_select},
    sources::Sources,
    walk::{change_exprs_first, read_exprs},
};
use crate::question::{
    schema::Dialect,
    validator::{Asked, parse::Parsed, resolve::LocatedFinding},
};

/// `height > AVG(height)` alone: a subquery over all rows. With other conditions or tables it might as well be over some of them.
pub(super) fn into_subquery(found: &LocatedFinding, parsed: &Parsed, asked: &Asked<'_>) -> Vec<String> {
    let dialect = asked.snapshot.dialect;
    let subquery = || {
        let at = select_around(parsed, dialect, found.finding.position)?;
        let sources = Sources::of(&select_of(parsed, at)?, parsed, asked.snapshot);
        with_select(parsed, at, |select| {
            if sources.iter().count() != 1 || has_group_by(select) {
                return None;
            }
            let changed = compared_with_subquery(select.selection.as_ref()?, &sources, dialect)?;
            select.selection = Some(changed);
            Some(())
        })
    };
    subquery().into_iter().collect()
}

/// An aggregate in WHERE: a condition in HAVING.
pub(super) fn out_of_where(found: &LocatedFinding, parsed: &Parsed, asked: &Asked<'_>) -> Vec<String> {
    let dialect = asked.snapshot.dialect;
    let Some(at) = select_around(parsed, dialect, found.finding.position) else {
        return vec![];
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
            // A column beside the aggregate is one of a row, whose value is held against that of all: of which rows, nobody says.
            let known = known_of_groups(select, dialect);
            if groups.iter().any(|group| names_row(group, &known, dialect)) {
                return None;
            }
            for group in groups {
                add_condition(&mut select.having, group);
            }
            Some(())
        })
    };
    into_having().into_iter().collect()
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
            let known = known_of_groups(select, dialect);
            (!names_row(select.having.as_ref()?, &known, dialect)).then_some(())
        })
    };
    into_where().into_iter().chain(grouped()).collect()
}

/// What has one value for each group: what it is grouped by, and the names of aggregates.
fn known_of_groups(select: &Select, dialect: Dialect) -> Vec<Expr> {
    let named = select.projection.iter().filter_map(|item| match item {
        SelectItem::ExprWithAlias { expr, alias } if aggregates(expr, dialect) => {
            Some(Expr::Identifier(alias.clone()))
        }
        _ => None,
    });
    group_terms(select).into_iter().chain(named).collect()
}

/// True for a condition with a column outside of its aggregates and subqueries that is none of these.
fn names_row(condition: &Expr, known: &[Expr], dialect: Dialect) -> bool {
    let mut condition = condition.clone();
    change_exprs_first(&mut condition, &mut |expr, _| {
        let is_over_all = matches!(expr, Expr::Function(function) if is_aggregate(function, dialect));
        if is_over_all || known.contains(expr) {
            *expr = Expr::value(Value::Null);
        }
        ControlFlow::Continue(())
    });
    read_exprs(&condition, &mut |expr, depth| match expr {
        Expr::Identifier(_) | Expr::CompoundIdentifier(_) if depth == 0 => ControlFlow::Break(()),
        _ => ControlFlow::Continue(()),
    })
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
