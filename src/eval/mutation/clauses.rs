//! Parts of a SELECT that several ways to break it take hold of: conditions, joins, aggregates, grouping.

use sqlparser::ast::{
    BinaryOperator, Expr, FunctionArg, FunctionArgExpr, FunctionArguments, GroupByExpr, Join, JoinConstraint,
    JoinOperator, Select,
};

use super::scope::last_name;
use crate::{question::validator::walk::any_expr, statement::grammar::call};

/// The parts of a condition that AND joins.
pub(super) fn conjuncts(expr: &Expr) -> Vec<Expr> {
    parts(expr, &BinaryOperator::And)
}

/// The parts of an expression that one operator joins.
pub(super) fn parts(expr: &Expr, operator: &BinaryOperator) -> Vec<Expr> {
    match expr {
        Expr::BinaryOp { left, op, right } if op == operator => {
            let mut found = parts(left, operator);
            found.extend(parts(right, operator));
            found
        }
        Expr::Nested(inner) if matches!(&**inner, Expr::BinaryOp { op, .. } if op == operator) => {
            parts(inner, operator)
        }
        other => vec![other.clone()],
    }
}

/// Conditions joined by AND; `None` where there is none.
pub(super) fn all_of(conditions: impl IntoIterator<Item = Expr>) -> Option<Expr> {
    joined(conditions, &BinaryOperator::And)
}

/// Expressions joined by one operator.
pub(super) fn joined(expressions: impl IntoIterator<Item = Expr>, operator: &BinaryOperator) -> Option<Expr> {
    expressions
        .into_iter()
        .reduce(|left, right| binary(left, operator.clone(), right))
}

pub(super) fn binary(left: Expr, op: BinaryOperator, right: Expr) -> Expr {
    let side = |expr: Expr| match &expr {
        // What binds less tightly than AND needs its parentheses there.
        Expr::BinaryOp {
            op: BinaryOperator::Or,
            ..
        } if op == BinaryOperator::And => Expr::Nested(Box::new(expr)),
        _ => expr,
    };
    Expr::BinaryOp {
        left: Box::new(side(left)),
        right: Box::new(side(right)),
        op,
    }
}

/// The list without one of its members, for each of them.
pub(super) fn each_without<T: Clone>(list: &[T]) -> Vec<Vec<T>> {
    (0..list.len())
        .map(|at| {
            let mut rest = list.to_vec();
            rest.remove(at);
            rest
        })
        .collect()
}

/// The grouping expressions; empty where nothing is grouped.
pub(super) fn grouping(select: &Select) -> &[Expr] {
    match &select.group_by {
        GroupByExpr::Expressions(expressions, _) => expressions,
        GroupByExpr::All(_) => &[],
    }
}

/// The same SELECT with other grouping.
pub(super) fn grouped_by(select: &Select, expressions: Vec<Expr>) -> Select {
    Select {
        group_by: GroupByExpr::Expressions(expressions, Vec::new()),
        ..select.clone()
    }
}

/// The condition of a join.
pub(super) fn on(join: &Join) -> Option<&Expr> {
    match &join.join_operator {
        JoinOperator::Join(JoinConstraint::On(expr))
        | JoinOperator::Inner(JoinConstraint::On(expr))
        | JoinOperator::Left(JoinConstraint::On(expr))
        | JoinOperator::LeftOuter(JoinConstraint::On(expr)) => Some(expr),
        _ => None,
    }
}

/// The same join with another condition.
pub(super) fn rejoined(join: &Join, constraint: JoinConstraint) -> Join {
    let join_operator = match &join.join_operator {
        JoinOperator::Inner(_) => JoinOperator::Inner(constraint),
        JoinOperator::Left(_) => JoinOperator::Left(constraint),
        JoinOperator::LeftOuter(_) => JoinOperator::LeftOuter(constraint),
        _ => JoinOperator::Join(constraint),
    };
    Join {
        join_operator,
        ..join.clone()
    }
}

/// The SELECT with another list of joins of its first table.
pub(super) fn with_joins(select: &Select, joins: Vec<Join>) -> Select {
    let mut select = select.clone();
    select.from[0].joins = joins;
    select
}

/// The joins of the first table, where the SELECT has one table list only.
pub(super) fn joins(select: &Select) -> &[Join] {
    match select.from.as_slice() {
        [from] => &from.joins,
        _ => &[],
    }
}

/// The name of an aggregate that an expression calls, in lower case.
pub(super) fn aggregate(expr: &Expr) -> Option<String> {
    match expr {
        Expr::Function(function) if function.over.is_none() => {
            let name = last_name(&function.name).to_lowercase();
            ["count", "sum", "avg", "min", "max"]
                .contains(&name.as_str())
                .then_some(name)
        }
        _ => None,
    }
}

/// True if an aggregate is called in it, subqueries apart.
pub(super) fn aggregates(expr: &Expr) -> bool {
    any_expr(expr, &|part| aggregate(part).is_some()) && !has_subquery(expr)
}

/// True if a subquery stands in it.
pub(super) fn has_subquery(expr: &Expr) -> bool {
    any_expr(expr, &|part| {
        matches!(
            part,
            Expr::Subquery(_) | Expr::InSubquery { .. } | Expr::Exists { .. }
        )
    })
}

/// A comparison of a column with something: the two sides, the column's first.
pub(super) fn comparison(expr: &Expr) -> Option<(&Expr, &BinaryOperator, &Expr)> {
    match expr {
        Expr::BinaryOp {
            left,
            op:
                op @ (BinaryOperator::Eq
                | BinaryOperator::NotEq
                | BinaryOperator::Lt
                | BinaryOperator::LtEq
                | BinaryOperator::Gt
                | BinaryOperator::GtEq),
            right,
        } => Some((left, op, right)),
        _ => None,
    }
}

/// True for the name of a column.
pub(super) fn is_name(expr: &Expr) -> bool {
    matches!(expr, Expr::Identifier(_) | Expr::CompoundIdentifier(_))
}

/// The column that an aggregate is of.
pub(super) fn argument(call: &Expr) -> Option<Expr> {
    let Expr::Function(function) = call else {
        return None;
    };
    match &function.args {
        FunctionArguments::List(list) => match list.args.as_slice() {
            [FunctionArg::Unnamed(FunctionArgExpr::Expr(expr))] => Some(expr.clone()),
            _ => None,
        },
        _ => None,
    }
}

/// `NAME(arguments)`.
pub(super) fn function_call(name: &str, arguments: Vec<Expr>) -> Expr {
    call(&name.to_uppercase(), arguments)
}
