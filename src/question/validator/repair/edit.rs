//! Changes of single expressions in a statement: at a place, or wherever a comparison fits.

use std::ops::ControlFlow;

use sqlparser::ast::{BinaryOperator as Op, Expr, Query, Select, Value};

use super::walk::{Node, change_exprs, change_exprs_first, read, read_exprs};
use crate::question::validator::{parse::Parsed, start::Start};

/// Subqueries of a statement that are looked at.
const MAX_SUBQUERIES: usize = 8;

/// The statement with the smallest expression that begins at a character replaced.
pub(super) fn replace_at(parsed: &Parsed, position: usize, new: &Expr) -> Option<String> {
    let mut done = false;
    let mut query = parsed.query.clone();
    change_exprs(query.as_mut(), &mut |expr, _| {
        if parsed.lines.position(expr.start()) != Some(position) {
            return ControlFlow::Continue(());
        }
        *expr = new.clone();
        done = true;
        ControlFlow::Break(())
    });
    done.then(|| query.to_string())
}

/// The statement with expressions changed wherever `change` finds one; `None` where it finds none.
pub(super) fn rewrite(parsed: &Parsed, change: &mut dyn FnMut(&Expr) -> Option<Expr>) -> Option<String> {
    let mut done = false;
    let mut query = parsed.query.clone();
    change_exprs(query.as_mut(), &mut |expr, _| {
        if let Some(new) = change(expr) {
            *expr = new;
            done = true;
        }
        ControlFlow::Continue(())
    });
    done.then(|| query.to_string())
}

/// The statement with comparisons changed.
pub(super) fn rewrite_comparisons(
    parsed: &Parsed,
    change: &mut dyn FnMut(&Expr, &Op, &Expr) -> Option<Expr>,
) -> Option<String> {
    rewrite(parsed, &mut |expr| match expr {
        Expr::BinaryOp { left, op, right } => change(left, op, right),
        _ => None,
    })
}

/// What is compared with what in a condition that begins at a character, or whose right side does.
pub(super) fn comparisons_at(select: &Select, parsed: &Parsed, position: usize) -> Vec<(Expr, Expr)> {
    let mut found = vec![];
    read_exprs(select, &mut |expr, _| {
        let right = match expr {
            Expr::BinaryOp { right, .. } => Some(right),
            Expr::Like { pattern, .. } => Some(pattern),
            _ => None,
        };
        let starts = |expr: &Expr| parsed.lines.position(expr.start()) == Some(position);
        if starts(expr) || right.is_some_and(|right| starts(right)) {
            found.extend(match expr {
                Expr::BinaryOp { left, op, right } if !matches!(op, Op::And | Op::Or) => {
                    Some((left.as_ref().clone(), right.as_ref().clone()))
                }
                Expr::Like { expr, pattern, .. } => Some((expr.as_ref().clone(), pattern.as_ref().clone())),
                Expr::InList { expr, list, .. } => {
                    list.first().map(|item| (expr.as_ref().clone(), item.clone()))
                }
                Expr::Between { expr, low, .. } => Some((expr.as_ref().clone(), low.as_ref().clone())),
                _ => None,
            });
        }
        ControlFlow::Continue(())
    });
    found
}

/// Changes both sides of the comparisons of a SELECT.
pub(super) fn each_comparison(select: &mut Select, change: &mut dyn FnMut(&mut Expr, &mut Expr)) {
    change_exprs_first(select, &mut |expr, _| {
        match expr {
            Expr::BinaryOp { left, op, right } if !matches!(op, Op::And | Op::Or) => change(left, right),
            Expr::Like { expr, pattern, .. } => change(expr, pattern),
            Expr::InList { expr, list, .. } => {
                if let Some(item) = list.first_mut() {
                    change(expr, item);
                }
            }
            Expr::Between { expr, low, .. } => change(expr, low),
            _ => {}
        }
        ControlFlow::Continue(())
    });
}

/// True if an expression begins at a character or has something that does.
pub(super) fn stands_in(expr: &Expr, parsed: &Parsed, position: usize) -> bool {
    read_exprs(expr, &mut |expr, _| {
        if parsed.lines.position(expr.start()) == Some(position) {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    })
}

/// The texts and numbers in an expression, as they are written.
pub(super) fn literals(expr: &Expr) -> Vec<String> {
    let mut literals = vec![];
    read(expr, &mut |node, _| {
        if let Node::Value(value) = node
            && matches!(value.value, Value::SingleQuotedString(_) | Value::Number(..))
        {
            literals.push(value.to_string());
        }
        ControlFlow::Continue(())
    });
    literals
}

/// The subqueries of conditions, one after the other, each changed alone; the statements that this gives.
pub(super) fn each_subquery(parsed: &Parsed, change: &dyn Fn(&mut Expr) -> bool) -> Vec<String> {
    let mut all = vec![];
    for wanted in 0..MAX_SUBQUERIES {
        let mut query = parsed.query.clone();
        let mut left = wanted;
        let mut outcome = None;
        change_exprs_first(query.as_mut(), &mut |expr, _| {
            if inner(expr).is_none() {
                return ControlFlow::Continue(());
            }
            if left > 0 {
                left -= 1;
                return ControlFlow::Continue(());
            }
            outcome = Some(change(expr));
            ControlFlow::Break(())
        });
        match outcome {
            Some(true) => all.push(query.to_string()),
            Some(false) => {}
            None => break,
        }
    }
    all
}

/// The query of a subquery in a condition.
pub(super) fn inner(expr: &mut Expr) -> Option<&mut Query> {
    match expr {
        Expr::InSubquery { subquery, .. } | Expr::Exists { subquery, .. } => Some(subquery),
        Expr::BinaryOp { left, right, .. } => match (left.as_mut(), right.as_mut()) {
            (_, Expr::Subquery(query)) | (Expr::Subquery(query), _) => Some(query),
            _ => None,
        },
        _ => None,
    }
}
