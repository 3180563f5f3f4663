//! Arrays of constants, which are tested member by member.

use sqlparser::ast::{ArrayElemTypeDef, CastKind, DataType, Expr, UnaryOperator, Value};

/// The members of an array of constants, each of the array's own type: SQLite has no arrays, and takes no query in a CHECK.
pub(super) fn members(array: &Expr) -> Option<Vec<Expr>> {
    match array {
        Expr::Nested(inner) => members(inner),
        Expr::Cast { expr, data_type, .. } => {
            let DataType::Array(ArrayElemTypeDef::SquareBracket(element, _)) = data_type else {
                return None;
            };
            let members = members(expr)?.into_iter();
            Some(members.map(|member| cast(member, (**element).clone())).collect())
        }
        Expr::Array(array) if !array.elem.is_empty() && array.elem.iter().all(is_known) => {
            let is_text = |member: &Expr| matches!(member, Expr::Value(value) if matches!(value.value, Value::SingleQuotedString(_)));
            let texts = array.elem.iter().filter(|member| is_text(member)).count();
            match texts {
                0 => Some(array.elem.clone()),
                all if all == array.elem.len() => {
                    let members = array.elem.iter().cloned();
                    Some(members.map(|member| cast(member, DataType::Text)).collect())
                }
                // What is no text decides of what type the others are.
                _ => None,
            }
        }
        _ => None,
    }
}

/// True for what is written out, whatever is made of it.
pub(super) fn is_constant(expression: &Expr) -> bool {
    is_made_of(expression, |value| !matches!(value, Value::Placeholder(_)))
}

/// The same without NULL.
fn is_known(expression: &Expr) -> bool {
    is_made_of(expression, |value| {
        !matches!(value, Value::Placeholder(_) | Value::Null)
    })
}

fn is_made_of(expression: &Expr, is: fn(&Value) -> bool) -> bool {
    match expression {
        Expr::Value(value) => is(&value.value),
        Expr::TypedString(_) => true,
        Expr::Nested(inner) | Expr::Cast { expr: inner, .. } => is_made_of(inner, is),
        Expr::UnaryOp {
            op: UnaryOperator::Minus | UnaryOperator::Plus,
            expr,
        } => is_made_of(expr, is),
        _ => false,
    }
}

/// True for what is the same however often it is asked for.
pub(super) fn is_simple(value: &Expr) -> bool {
    match value {
        Expr::Identifier(_) | Expr::CompoundIdentifier(_) => true,
        Expr::Nested(inner) | Expr::Cast { expr: inner, .. } => is_simple(inner),
        _ => is_known(value),
    }
}

fn cast(value: Expr, ty: DataType) -> Expr {
    Expr::Cast {
        kind: CastKind::DoubleColon,
        expr: Box::new(value),
        data_type: ty,
        format: None,
    }
}
