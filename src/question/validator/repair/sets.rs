//! Set operations: two values of one column that must both be found, the other operator, what must not be found.

use std::ops::ControlFlow;

use sqlparser::ast::{BinaryOperator as Op, Expr, Select, SetExpr, SetOperator, SetQuantifier};

use super::{
    case::Case,
    edit::{each_subquery, inner, rewrite},
    fragments::{add_condition, conjunction, conjuncts, expression},
    walk::{Node, change_queries, read},
};
use crate::question::embedded::intent::Cue;

/// What the question combines and the statement does not, or otherwise.
pub(super) fn combine(case: &Case<'_>) -> Vec<String> {
    let mut fixed = vec![];
    let intent = case.intent();
    let cues = [Cue::Not, Cue::Without, Cue::Both, Cue::Or, Cue::Either];
    let says_which = cues.iter().any(|cue| intent.has(*cue));
    let wanted: &[SetOperator] = if intent.has(Cue::Not) || intent.has(Cue::Without) {
        &[SetOperator::Except, SetOperator::Intersect]
    } else if intent.has(Cue::Both) {
        &[SetOperator::Intersect]
    } else if intent.has(Cue::Or) || intent.has(Cue::Either) {
        &[SetOperator::Union, SetOperator::Intersect]
    } else {
        &[SetOperator::Intersect, SetOperator::Union]
    };
    // Whoever wrote an operator knew which, unless the question says another.
    for operator in wanted.iter().filter(|_| says_which) {
        fixed.extend(with_operator(case, *operator));
    }
    for at in case.selects() {
        fixed.extend(split(case, at, wanted));
    }
    fixed.extend(super::conditions::restrict(case));
    fixed
}

/// True for a statement that may read itself: its UNION is no set operation but how it goes on.
fn recurses(case: &Case<'_>) -> bool {
    read(case.parsed.query.as_ref(), &mut |node, _| match node {
        Node::Query(query) if query.with.as_ref().is_some_and(|with| with.recursive) => {
            ControlFlow::Break(())
        }
        _ => ControlFlow::Continue(()),
    })
}

/// The statement with its set operations made another. What takes rows away goes on doing so: whoever wrote it knew what for,
/// and without it the rows that must not be there are.
fn with_operator(case: &Case<'_>, wanted: SetOperator) -> Option<String> {
    if recurses(case) {
        return None;
    }
    let mut whole = case.parsed.query.clone();
    let mut done = false;
    change_queries(whole.as_mut(), &mut |query| {
        if let SetExpr::SetOperation {
            op, set_quantifier, ..
        } = query.body.as_mut()
            && *op != wanted
            && !matches!(op, SetOperator::Except | SetOperator::Minus)
        {
            *op = wanted;
            *set_quantifier = SetQuantifier::None;
            done = true;
        }
        ControlFlow::Continue(())
    });
    done.then(|| whole.to_string())
}

/// `x = a AND x = b` and `x = a OR x = b` as two SELECTs, each with one of the conditions; also as OR.
fn split(case: &Case<'_>, at: usize, wanted: &[SetOperator]) -> Vec<String> {
    let Some(select) = case.select(at) else {
        return vec![];
    };
    let Some(condition) = &select.selection else {
        return vec![];
    };
    let column_of = |part: &Expr| match part {
        Expr::BinaryOp { left, right, .. } if matches!(right.as_ref(), Expr::Value(_)) => {
            Some(left.to_string().to_lowercase())
        }
        _ => None,
    };
    let mut fixed = vec![];
    let parts = conjuncts(condition);
    for (number, one) in parts.iter().enumerate() {
        if let Some(other) = parts[number + 1..]
            .iter()
            .find(|other| column_of(one).is_some() && column_of(one) == column_of(other))
        {
            let rest = || {
                parts
                    .iter()
                    .filter(|part| *part != one && part != &other)
                    .map(|part| (*part).clone())
            };
            if wanted.contains(&SetOperator::Union) {
                let either = Expr::BinaryOp {
                    left: Box::new((*one).clone()),
                    op: Op::Or,
                    right: Box::new((*other).clone()),
                };
                fixed.extend(case.with(at, |query, _| {
                    case.part(query, at)?.selection = conjunction(rest().chain([either.clone()]));
                    Some(())
                }));
            }
            for operator in wanted {
                fixed.extend(set_of(
                    case,
                    at,
                    [one, other],
                    &rest().collect::<Vec<_>>(),
                    *operator,
                ));
            }
        }
        let bare = match one {
            Expr::Nested(inner) => inner.as_ref(),
            other => other,
        };
        let sides = match bare {
            Expr::BinaryOp {
                left,
                op: Op::Or,
                right,
            } => Some([left.as_ref().clone(), right.as_ref().clone()]),
            Expr::InList {
                expr,
                list,
                negated: false,
            } => match list.as_slice() {
                [one, other] => Some([one, other].map(|item| Expr::BinaryOp {
                    left: expr.clone(),
                    op: Op::Eq,
                    right: Box::new(item.clone()),
                })),
                _ => None,
            },
            _ => None,
        };
        if let Some([first, second]) = sides {
            let rest: Vec<Expr> = parts
                .iter()
                .filter(|part| *part != one)
                .map(|part| (*part).clone())
                .collect();
            for operator in wanted {
                fixed.extend(set_of(case, at, [&first, &second], &rest, *operator));
            }
        }
    }
    fixed
}

/// A SELECT combined with itself, one of its conditions replaced by another.
pub(super) fn combined(
    case: &Case<'_>,
    at: usize,
    one: &Expr,
    other: &Expr,
    operator: SetOperator,
) -> Option<String> {
    let select = case.select(at)?;
    let rest: Vec<Expr> = conjuncts(select.selection.as_ref()?)
        .into_iter()
        .filter(|part| *part != one)
        .cloned()
        .collect();
    set_of(case, at, [one, other], &rest, operator)
}

/// Two SELECTs with a condition each and the rest in common, in place of one.
fn set_of(
    case: &Case<'_>,
    at: usize,
    [one, other]: [&Expr; 2],
    rest: &[Expr],
    operator: SetOperator,
) -> Option<String> {
    if recurses(case) {
        return None;
    }
    case.with(at, |query, _| {
        let SetExpr::Select(select) = query.body.as_ref() else {
            return None;
        };
        let plain = query.order_by.is_none() && query.limit_clause.is_none() && select.having.is_none();
        let counts = select.projection.iter().any(|item| {
            let text = item.to_string();
            expression(&text, case.dialect())
                .is_some_and(|expr| super::fragments::aggregates(&expr, case.dialect()))
        });
        if !plain || counts {
            return None;
        }
        let with = |side: &Expr| -> Box<SetExpr> {
            let mut select: Select = select.as_ref().clone();
            select.selection = conjunction(rest.iter().cloned().chain([side.clone()]));
            Box::new(SetExpr::Select(Box::new(select)))
        };
        *query.body = SetExpr::SetOperation {
            op: operator,
            set_quantifier: SetQuantifier::None,
            left: with(one),
            right: with(other),
        };
        Some(())
    })
}

/// What the question excludes and the statement does not. The reverse is left to whoever wrote it.
pub(super) fn exclude(case: &Case<'_>) -> Vec<String> {
    if !case.intent().denies() {
        return vec![];
    }
    let mut fixed = vec![];
    fixed.extend(with_operator(case, SetOperator::Except));
    fixed.extend(each_subquery(case.parsed, &|expr| match expr {
        Expr::InSubquery { negated, .. } | Expr::Exists { negated, .. } if !*negated => {
            *negated = true;
            true
        }
        _ => false,
    }));
    fixed.extend(rewrite(case.parsed, &mut |expr| match expr {
        Expr::Like {
            negated: false,
            any,
            expr,
            pattern,
            escape_char,
        } => Some(Expr::Like {
            negated: true,
            any: *any,
            expr: expr.clone(),
            pattern: pattern.clone(),
            escape_char: escape_char.clone(),
        }),
        _ => None,
    }));
    for text in case.intent().values.iter().map(|named| &named.text) {
        fixed.extend(super::edit::rewrite_comparisons(
            case.parsed,
            &mut |left, op, right| {
                let said = right.to_string().to_lowercase().contains(&text.to_lowercase());
                (*op == Op::Eq && said).then(|| Expr::BinaryOp {
                    left: Box::new(left.clone()),
                    op: Op::NotEq,
                    right: Box::new(right.clone()),
                })
            },
        ));
    }
    fixed.extend(without_match(case));
    fixed.extend(super::conditions::restrict(case));
    fixed
}

/// Rows without a match in a table that the question names and the statement does not read: NOT IN along the key.
fn without_match(case: &Case<'_>) -> Vec<String> {
    let mut fixed = vec![];
    let schema = case.schema();
    for at in case.mains() {
        let Some(sources) = case.sources(at) else { continue };
        for (named, _) in &case.intent().tables {
            for key in &schema.foreign_keys {
                let ([from], [to]) = (key.from.as_slice(), key.to.as_slice()) else {
                    continue;
                };
                if from.table != *named || sources.tables().contains(named) {
                    continue;
                }
                let Some(outer) = sources.named(*to) else { continue };
                let text = format!(
                    "{outer} NOT IN (SELECT {} FROM {})",
                    sources.column_text(*from),
                    sources.table_text(*named)
                );
                fixed.extend(case.with(at, |query, _| {
                    add_condition(
                        &mut case.part(query, at)?.selection,
                        expression(&text, case.dialect())?,
                    );
                    Some(())
                }));
            }
        }
    }
    fixed
}

/// The one query inside of a condition, for those who look at it alone.
pub(super) fn inner_select(expr: &mut Expr) -> Option<&mut Select> {
    match inner(expr)?.body.as_mut() {
        SetExpr::Select(select) => Some(select),
        _ => None,
    }
}
