//! Operators that stand before one value: signs, NOT, `@` and their like.

use sqlparser::ast::{BinaryOperator, Expr, UnaryOperator};

use super::{
    Refusal, Result, Stop, Translator, Ty,
    scope::{Literal, Typed},
    sql_expr::{list, not, number, text},
};

impl Translator<'_> {
    pub(super) fn unary(&mut self, op: UnaryOperator, inner: &Expr) -> Result<Typed> {
        if let Some(power) = signed_power(op, inner) {
            return self.expression(&power);
        }
        let value = self.expression(inner)?;
        let sign = match op {
            UnaryOperator::Not => {
                let value = self.boolean(value, "NOT")?;
                return Ok(Typed::new(not(value.expr), Ty::Bool));
            }
            UnaryOperator::Minus => "-",
            UnaryOperator::Plus => "+",
            UnaryOperator::BitwiseNot => "~",
            UnaryOperator::PGAbs => "@",
            UnaryOperator::PGSquareRoot => "|/",
            UnaryOperator::PGCubeRoot => "||/",
            _ => return Err(Stop::AsItStands),
        };
        if value.ty == Ty::Unknown && matches!(sign, "-" | "~") {
            return Err(Stop::Refused(Refusal {
                sqlstate: "42725",
                message: format!("operator is not unique: {sign} unknown"),
                detail: None,
                hint: Some(
                    "Could not choose a best candidate operator. You might need to add explicit type casts."
                        .into(),
                ),
                position: value.position,
            }));
        }
        if sign == "-"
            && let Some(Literal::Number(digits)) = &value.literal
            && value.ty == natural(digits)
            && (!digits.starts_with('-') || is_written(inner))
        {
            // There is one zero only.
            let is_zero = !digits.bytes().any(|byte| matches!(byte, b'1'..=b'9'));
            let digits = match digits.strip_prefix('-') {
                _ if is_zero => digits.clone(),
                Some(digits) => digits.to_owned(),
                None => format!("-{digits}"),
            };
            // Of a cast it is that type's: `-2147483648::bigint`.
            let ty = if is_written(inner) {
                natural(&digits)
            } else {
                value.ty
            };
            let expr = if ty == Ty::Numeric {
                text(&digits)
            } else {
                list([number(&digits)])
            };
            return Ok(Typed {
                literal: Some(Literal::Number(digits)),
                position: value.position,
                ..Typed::new(expr, ty)
            });
        }
        self.operate(&format!("unary {sign}"), sign, vec![value])
    }
}

/// True for a number as it is written, with signs and parentheses: a cast makes a value of it.
fn is_written(number: &Expr) -> bool {
    match number {
        Expr::Nested(inner) | Expr::UnaryOp { expr: inner, .. } => is_written(inner),
        Expr::Value(_) => true,
        _ => false,
    }
}

/// The type of digits of which nothing else tells one.
pub(super) fn natural(digits: &str) -> Ty {
    match digits.parse::<i64>() {
        Ok(number) if i32::try_from(number).is_ok() => Ty::Int4,
        Ok(_) => Ty::Int8,
        Err(_) => Ty::Numeric,
    }
}

/// `-2 ^ 2`: a sign binds closer than a power, and is read by the parser as if it did not.
fn signed_power(op: UnaryOperator, inner: &Expr) -> Option<Expr> {
    if !matches!(op, UnaryOperator::Minus | UnaryOperator::Plus) {
        return None;
    }
    if let Expr::UnaryOp { op: next, expr } = inner {
        return signed_power(op, &signed_power(*next, expr)?);
    }
    let Expr::BinaryOp {
        left,
        op: power @ BinaryOperator::PGExp,
        right,
    } = inner
    else {
        return None;
    };
    let signed = signed_power(op, left).unwrap_or_else(|| Expr::UnaryOp {
        op,
        expr: left.clone(),
    });
    Some(Expr::BinaryOp {
        left: Box::new(signed),
        op: power.clone(),
        right: right.clone(),
    })
}
