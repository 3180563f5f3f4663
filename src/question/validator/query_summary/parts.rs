//! What stands directly inside an expression.

use sqlparser::ast::{
    BinaryOperator, Expr, FunctionArg, FunctionArgExpr, FunctionArguments, JoinConstraint, JoinOperator,
    Query, WindowType,
};

use crate::question::validator::walk::join_constraint;

/// The condition behind ON.
pub(super) fn join_condition(operator: &JoinOperator) -> Option<&Expr> {
    match join_constraint(operator)? {
        JoinConstraint::On(condition) => Some(condition),
        _ => None,
    }
}

/// True for a join that keeps rows without a partner.
pub(super) fn is_outer(operator: &JoinOperator) -> bool {
    matches!(
        operator,
        JoinOperator::Left(_)
            | JoinOperator::LeftOuter(_)
            | JoinOperator::Right(_)
            | JoinOperator::RightOuter(_)
            | JoinOperator::FullOuter(_)
    )
}

/// True for columns and numbers and what is reckoned from them, as `quantity * ROUND(price, 2)`.
pub(super) fn is_amount(expr: &Expr) -> bool {
    use BinaryOperator::{Divide, Minus, Modulo, Multiply, Plus};
    match expr {
        Expr::Identifier(_) | Expr::CompoundIdentifier(_) | Expr::Value(_) => true,
        Expr::BinaryOp { op, .. } if !matches!(op, Plus | Minus | Multiply | Divide | Modulo) => false,
        Expr::Nested(_)
        | Expr::UnaryOp { .. }
        | Expr::Cast { .. }
        | Expr::BinaryOp { .. }
        | Expr::Function(_) => parts(expr).into_iter().all(is_amount),
        _ => false,
    }
}

/// The operands of an expression, from left to right. Of kinds that questions do not need, nothing.
pub(super) fn parts(expr: &Expr) -> Vec<&Expr> {
    match expr {
        Expr::Nested(inner)
        | Expr::UnaryOp { expr: inner, .. }
        | Expr::Cast { expr: inner, .. }
        | Expr::Extract { expr: inner, .. }
        | Expr::Ceil { expr: inner, .. }
        | Expr::Floor { expr: inner, .. }
        | Expr::Collate { expr: inner, .. }
        | Expr::IsNull(inner)
        | Expr::IsNotNull(inner)
        | Expr::IsTrue(inner)
        | Expr::IsNotTrue(inner)
        | Expr::IsFalse(inner)
        | Expr::IsNotFalse(inner)
        | Expr::Trim { expr: inner, .. }
        | Expr::InSubquery { expr: inner, .. }
        | Expr::AtTimeZone { timestamp: inner, .. } => vec![inner],
        Expr::BinaryOp { left, right, .. }
        | Expr::AnyOp { left, right, .. }
        | Expr::AllOp { left, right, .. }
        | Expr::IsDistinctFrom(left, right)
        | Expr::IsNotDistinctFrom(left, right)
        | Expr::Position {
            expr: left,
            r#in: right,
        } => vec![left, right],
        Expr::Like { expr, pattern, .. }
        | Expr::ILike { expr, pattern, .. }
        | Expr::SimilarTo { expr, pattern, .. }
        | Expr::RLike { expr, pattern, .. } => vec![expr, pattern],
        Expr::Between { expr, low, high, .. } => vec![expr, low, high],
        Expr::InList { expr, list, .. } => std::iter::once(expr.as_ref()).chain(list).collect(),
        Expr::Tuple(items) => items.iter().collect(),
        Expr::Case {
            operand,
            conditions,
            else_result,
            ..
        } => {
            let branches = conditions
                .iter()
                .flat_map(|branch| [&branch.condition, &branch.result]);
            operand
                .as_deref()
                .into_iter()
                .chain(branches)
                .chain(else_result.as_deref())
                .collect()
        }
        Expr::Substring {
            expr,
            substring_from,
            substring_for,
            ..
        } => {
            let rest = [substring_from, substring_for].into_iter().flatten();
            std::iter::once(expr).chain(rest).map(AsRef::as_ref).collect()
        }
        Expr::Function(function) => {
            let mut parts: Vec<&Expr> = match &function.args {
                FunctionArguments::List(list) => list.args.iter().filter_map(argument).collect(),
                _ => Vec::new(),
            };
            parts.extend(function.filter.as_deref());
            if let Some(WindowType::WindowSpec(spec)) = &function.over {
                parts.extend(&spec.partition_by);
                parts.extend(spec.order_by.iter().map(|term| &term.expr));
            }
            parts
        }
        _ => Vec::new(),
    }
}

fn argument(argument: &FunctionArg) -> Option<&Expr> {
    match argument {
        FunctionArg::Unnamed(FunctionArgExpr::Expr(expr))
        | FunctionArg::Named {
            arg: FunctionArgExpr::Expr(expr),
            ..
        } => Some(expr),
        _ => None,
    }
}

/// The subqueries directly inside an expression that are no operand of their own.
pub(super) fn queries(expr: &Expr) -> Vec<&Query> {
    match expr {
        Expr::InSubquery { subquery, .. } | Expr::Exists { subquery, .. } => vec![subquery],
        Expr::Function(function) => match &function.args {
            FunctionArguments::Subquery(query) => vec![query],
            _ => Vec::new(),
        },
        _ => Vec::new(),
    }
}
