//! `@ a + b` is `@ (a + b)`: PostgreSQL's operators before a value bind less closely than sums do, signs excepted, and are
//! read by the parser as if they bound more closely.

use std::{mem, ops::ControlFlow};

use sqlparser::{
    ast::{BinaryOperator, Expr, UnaryOperator, Value, VisitMut, VisitorMut},
    tokenizer::{Token, TokenWithSpan},
};

/// True for tokens that may be of such an operator.
pub(super) fn are_there(tokens: &[TokenWithSpan]) -> bool {
    tokens.iter().any(|part| {
        matches!(
            part.token,
            Token::Tilde
                | Token::AtSign
                | Token::PGSquareRoot
                | Token::PGCubeRoot
                | Token::DoubleExclamationMark
                | Token::Sharp
                | Token::AtDashAt
                | Token::AtAt
                | Token::QuestionMarkDash
                | Token::QuestionPipe
        )
    })
}

/// Lets such operators reach over the sums behind them.
pub(super) fn loosen(tree: &mut impl VisitMut) {
    let _ = VisitMut::visit(tree, &mut Sums);
}

struct Sums;

impl VisitorMut for Sums {
    type Break = ();

    fn post_visit_expr(&mut self, expression: &mut Expr) -> ControlFlow<()> {
        let Expr::BinaryOp {
            left,
            op: BinaryOperator::Plus | BinaryOperator::Minus,
            ..
        } = expression
        else {
            return ControlFlow::Continue(());
        };
        if innermost(left).is_none() {
            return ControlFlow::Continue(());
        }
        // What stood to the left of the sum is the whole now, and the sum what its last such operator stands before.
        let nothing = || Expr::Value(Value::Null.into());
        let mut sum = mem::replace(expression, nothing());
        if let Expr::BinaryOp { left, .. } = &mut sum {
            *expression = mem::replace(&mut **left, nothing());
        }
        if let Some(operand) = innermost(expression) {
            let first = mem::replace(operand, nothing());
            if let Expr::BinaryOp { left, .. } = &mut sum {
                **left = first;
            }
            *operand = sum;
        }
        ControlFlow::Continue(())
    }
}

/// What the last of such operators stands before that an expression ends with.
fn innermost(expression: &mut Expr) -> Option<&mut Expr> {
    match expression {
        Expr::BinaryOp { right, .. } => innermost(right),
        Expr::UnaryOp { op, expr } => {
            let is_one = !matches!(
                op,
                UnaryOperator::Plus
                    | UnaryOperator::Minus
                    | UnaryOperator::Not
                    | UnaryOperator::PGPostfixFactorial
            );
            if is_one && !ends_with_one(expr) {
                return Some(expr);
            }
            innermost(expr)
        }
        _ => None,
    }
}

fn ends_with_one(expression: &mut Expr) -> bool {
    innermost(expression).is_some()
}
