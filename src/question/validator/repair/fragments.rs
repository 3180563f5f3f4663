//! Small pieces of SQL, taken apart and put together.

use std::ops::ControlFlow;

use sqlparser::ast::{BinaryOperator as Op, Expr, Function, FunctionArguments, Value};

use super::walk::{change_exprs, read_exprs};
use crate::question::{
    schema::Dialect,
    validator::{
        facts::{Call, facts},
        parse::piece,
    },
};

/// An expression from its text.
pub(in crate::question::validator) fn expression(text: &str, dialect: Dialect) -> Option<Expr> {
    piece(text, dialect, |parser| {
        let expression = parser.parse_expr()?;
        Ok(expression)
    })
}

/// The conditions that AND connects, parentheses around them taken off.
pub(in crate::question::validator) fn conjuncts(condition: &Expr) -> Vec<&Expr> {
    match condition {
        Expr::BinaryOp {
            left,
            op: Op::And,
            right,
        } => {
            let mut all = conjuncts(left);
            all.extend(conjuncts(right));
            all
        }
        Expr::Nested(inner)
            if matches!(
                inner.as_ref(),
                Expr::BinaryOp { op: Op::And, .. } | Expr::Nested(_)
            ) =>
        {
            conjuncts(inner)
        }
        other => vec![other],
    }
}

/// All of the conditions in one; `None` of none.
pub(in crate::question::validator) fn conjunction(
    conditions: impl IntoIterator<Item = Expr>,
) -> Option<Expr> {
    conditions
        .into_iter()
        .map(|condition| match condition {
            or @ Expr::BinaryOp { op: Op::Or, .. } => Expr::Nested(Box::new(or)),
            other => other,
        })
        .reduce(|left, right| Expr::BinaryOp {
            left: Box::new(left),
            op: Op::And,
            right: Box::new(right),
        })
}

/// Adds a condition to a clause.
pub(in crate::question::validator) fn add_condition(clause: &mut Option<Expr>, condition: Expr) {
    *clause = conjunction(clause.take().into_iter().chain([condition]));
}

/// True for what has one value per group: it calls an aggregate outside of subqueries and windows.
pub(in crate::question::validator) fn aggregates(expr: &Expr, dialect: Dialect) -> bool {
    read_exprs(expr, &mut |expr, depth| match expr {
        Expr::Function(function) if depth == 0 && is_aggregate(function, dialect) => ControlFlow::Break(()),
        _ => ControlFlow::Continue(()),
    })
}

/// True for what names no column.
pub(in crate::question::validator) fn is_constant(expr: &Expr) -> bool {
    !read_exprs(expr, &mut |expr, _| match expr {
        Expr::Identifier(_) | Expr::CompoundIdentifier(_) => ControlFlow::Break(()),
        _ => ControlFlow::Continue(()),
    })
}

/// True for the call of an aggregate.
pub(in crate::question::validator) fn is_aggregate(function: &Function, dialect: Dialect) -> bool {
    let name = function.name.to_string().to_lowercase();
    let arguments = match &function.args {
        FunctionArguments::List(list) => list.args.len(),
        _ => 0,
    };
    let call = facts(dialect).functions.find(&name, arguments);
    function.over.is_none() && matches!(call, Ok((Call::Aggregate, _)))
}

/// An expression from its text with arguments in place of `$1`, `$2`, ….
pub(super) fn with_arguments(template: &str, arguments: &[Expr], dialect: Dialect) -> Option<Expr> {
    let mut lacks = false;
    let mut expr = expression(template, dialect)?;
    change_exprs(&mut expr, &mut |expr, _| {
        if let Some(name) = placeholder(expr) {
            let number = name
                .strip_prefix('$')
                .and_then(|digits| digits.parse::<usize>().ok());
            match number.and_then(|number| arguments.get(number.checked_sub(1)?)) {
                Some(argument) if matches!(argument, Expr::BinaryOp { .. }) => {
                    *expr = Expr::Nested(Box::new(argument.clone()));
                }
                Some(argument) => *expr = argument.clone(),
                None => lacks = true,
            }
        }
        ControlFlow::Continue(())
    });
    // What is made of an operator stays together wherever it is put.
    let expr = if matches!(expr, Expr::BinaryOp { .. }) {
        Expr::Nested(Box::new(expr))
    } else {
        expr
    };
    (!lacks).then_some(expr)
}

fn placeholder(expr: &Expr) -> Option<&str> {
    match expr {
        Expr::Value(value) => match &value.value {
            Value::Placeholder(name) => Some(name),
            _ => None,
        },
        _ => None,
    }
}
