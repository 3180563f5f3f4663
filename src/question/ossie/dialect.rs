//! ANSI SQL as the database spells it.

use std::ops::ControlFlow;

use sqlparser::ast::{BinaryOperator, CastKind, DataType, DateTimeField, Expr, Value, VisitMut, VisitorMut};

use super::expression::Wrong;
use crate::{question::schema::Dialect, statement::grammar::call};

/// An expression in the dialect of the database; what that cannot say is an error.
pub(super) fn spelled(mut tree: Expr, dialect: Dialect) -> Result<Expr, Wrong> {
    if dialect == Dialect::Postgres {
        return Ok(tree);
    }
    let mut spelling = Spelling(None);
    let _ = VisitMut::visit(&mut tree, &mut spelling);
    match spelling.0 {
        Some(wrong) => Err(wrong),
        None => Ok(tree),
    }
}

struct Spelling(Option<Wrong>);

impl VisitorMut for Spelling {
    type Break = ();
    fn post_visit_expr(&mut self, expression: &mut Expr) -> ControlFlow<()> {
        match sqlite(expression) {
            Ok(Some(spelled)) => *expression = spelled,
            Ok(None) => {}
            Err(wrong) => {
                self.0 = Some(wrong);
                return ControlFlow::Break(());
            }
        }
        ControlFlow::Continue(())
    }
}

/// What SQLite writes instead; `None` where it writes the same.
fn sqlite(expression: &Expr) -> Result<Option<Expr>, Wrong> {
    Ok(Some(match expression {
        Expr::Extract { field, expr, .. } => {
            let format = match field {
                DateTimeField::Year => "%Y",
                DateTimeField::Month => "%m",
                DateTimeField::Day => "%d",
                DateTimeField::Hour => "%H",
                DateTimeField::Minute => "%M",
                DateTimeField::Dow => "%w",
                DateTimeField::Doy => "%j",
                other => return Err(format!("EXTRACT({other} …) is not known to SQLite")),
            };
            whole_number(call("strftime", vec![text(format), (**expr).clone()]))
        }
        Expr::Cast { expr, data_type, .. } => match data_type {
            DataType::Date => call("date", vec![(**expr).clone()]),
            DataType::Timestamp(..) | DataType::Datetime(_) => call("datetime", vec![(**expr).clone()]),
            DataType::Double(_) | DataType::DoublePrecision | DataType::Float(_) | DataType::Real => {
                cast((**expr).clone(), DataType::Real)
            }
            DataType::Numeric(_) | DataType::Decimal(_) => cast((**expr).clone(), DataType::Real),
            DataType::Int(_) | DataType::Integer(_) | DataType::BigInt(_) | DataType::SmallInt(_) => {
                whole_number((**expr).clone())
            }
            DataType::Text | DataType::Varchar(_) | DataType::Char(_) | DataType::String(_) => {
                cast((**expr).clone(), DataType::Text)
            }
            DataType::Boolean | DataType::Bool => whole_number((**expr).clone()),
            other => return Err(format!("CAST to {other} is not known to SQLite")),
        },
        Expr::TypedString(typed) => match typed.data_type {
            DataType::Date | DataType::Timestamp(..) => Expr::Value(typed.value.clone()),
            ref other => return Err(format!("{other} '…' is not known to SQLite")),
        },
        Expr::Interval(_) => {
            return Err("INTERVAL is not known to SQLite; compare dates, or use a duration".to_owned());
        }
        Expr::ILike {
            negated,
            any,
            expr,
            pattern,
            escape_char,
        } => Expr::Like {
            negated: *negated,
            any: *any,
            expr: expr.clone(),
            pattern: pattern.clone(),
            escape_char: escape_char.clone(),
        },
        Expr::Substring {
            expr,
            substring_from,
            substring_for,
            ..
        } => {
            let mut arguments = vec![(**expr).clone()];
            arguments.extend(substring_from.as_deref().cloned());
            arguments.extend(substring_for.as_deref().cloned());
            call("substr", arguments)
        }
        Expr::IsTrue(value) => is_number(value, "1"),
        Expr::IsFalse(value) => is_number(value, "0"),
        _ => return Ok(None),
    }))
}

/// What a truth value is compared with, which SQLite keeps as a number.
fn is_number(value: &Expr, number: &str) -> Expr {
    Expr::Nested(Box::new(Expr::BinaryOp {
        left: Box::new(value.clone()),
        op: BinaryOperator::Eq,
        right: Box::new(Expr::value(Value::Number(number.to_owned(), false))),
    }))
}

fn text(text: &str) -> Expr {
    Expr::value(Value::SingleQuotedString(text.to_owned()))
}

fn whole_number(of: Expr) -> Expr {
    cast(of, DataType::Integer(None))
}

fn cast(of: Expr, data_type: DataType) -> Expr {
    Expr::Cast {
        kind: CastKind::Cast,
        expr: Box::new(of),
        data_type,
        format: None,
    }
}
