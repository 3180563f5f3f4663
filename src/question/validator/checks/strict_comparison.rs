//! Whether PostgreSQL can compare two values: it converts literals, and nothing else between families of types.

use sqlparser::ast::Expr;

use super::comparison::digits_as_nines;
use crate::question::{
    schema::{ColumnKind, Schema},
    validator::{
        Code, Finding,
        scope::{Literal, Value},
    },
};

/// Kinds that compare with each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Family {
    Numbers,
    Text,
    Dates,
    Other(ColumnKind),
}

fn family(kind: ColumnKind) -> Family {
    match kind {
        ColumnKind::Integer | ColumnKind::Number => Family::Numbers,
        ColumnKind::Text => Family::Text,
        ColumnKind::Date | ColumnKind::Timestamp => Family::Dates,
        other => Family::Other(other),
    }
}

/// Reports a comparison of `value` with `other`, which stands at `expr`, that PostgreSQL refuses.
pub(in crate::question::validator) fn strict_comparison(
    schema: &Schema,
    value: &Value,
    other: &Value,
    expr: &Expr,
    position: Option<usize>,
) -> Option<Finding> {
    let kind = value.kind.filter(|kind| *kind != ColumnKind::Other)?;
    if value.literal.is_some() || value.constant {
        return None;
    }
    let name = value.origin.map_or("the value".to_owned(), |origin| {
        schema.column(origin).name.clone()
    });
    let refused = |what: &str| {
        let message = format!("{name} holds {}, {what}", plural(kind));
        Finding::error(Code::ConditionTypeMismatch, position, message)
    };
    match &other.literal {
        Some(Literal::Text(text)) => text_with(kind, text, expr, refused, position, &name),
        Some(Literal::Number) => {
            let finding = || refused(&format!("{expr} is a number"));
            match (kind, expr.to_string().as_str()) {
                (ColumnKind::Integer | ColumnKind::Number, _) => None,
                (ColumnKind::Text, number) => Some(finding().with_repair(format!("'{number}'"))),
                (ColumnKind::Boolean, "0") => Some(finding().with_repair("false")),
                (ColumnKind::Boolean, "1") => Some(finding().with_repair("true")),
                (ColumnKind::Date | ColumnKind::Timestamp, _) => {
                    Some(finding().with_hint("compare with dates like '2001-12-31', or EXTRACT a part"))
                }
                _ => Some(finding()),
            }
        }
        Some(Literal::Boolean) => match kind {
            ColumnKind::Boolean => None,
            ColumnKind::Integer | ColumnKind::Number => {
                let number = if expr.to_string().eq_ignore_ascii_case("true") {
                    "1"
                } else {
                    "0"
                };
                Some(refused(&format!("{expr} is a truth value")).with_repair(number))
            }
            _ => Some(refused(&format!("{expr} is a truth value"))),
        },
        Some(Literal::Null) => None,
        None => {
            let other_kind = other.kind.filter(|kind| *kind != ColumnKind::Other)?;
            // Each pair comes twice, once from either side.
            let (one, two) = (family(kind), family(other_kind));
            let twice = matches!(two, Family::Numbers)
                || (one != Family::Numbers && (other_kind as u8) < (kind as u8));
            if one == two || other.constant || twice {
                return None;
            }
            let finding = refused(&format!("{expr} holds {}", plural(other_kind)));
            Some(finding.with_hint("cast one to the type of the other"))
        }
    }
}

/// Text that a column of another kind is compared with.
fn text_with(
    kind: ColumnKind,
    text: &str,
    expr: &Expr,
    refused: impl Fn(&str) -> Finding,
    position: Option<usize>,
    name: &str,
) -> Option<Finding> {
    let text = text.trim();
    match kind {
        ColumnKind::Integer if text.parse::<i64>().is_err() && is_number(text) => {
            Some(refused(&format!("{expr} is no whole number")).with_repair(text.to_owned()))
        }
        ColumnKind::Integer | ColumnKind::Number if !is_number(text) => {
            Some(refused(&format!("{expr} is none")))
        }
        ColumnKind::Date | ColumnKind::Timestamp => match shape(text) {
            Shape::Day | Shape::Word => None,
            Shape::Part => {
                let message = format!("{name} holds dates, {expr} is only a part of one");
                let finding = Finding::error(Code::ValueFormatWrong, position, message);
                Some(finding.with_hint("compare with the first day and the day after the last"))
            }
            Shape::Digits => {
                let message = format!("{name} holds dates, {expr} is not written like 2001-12-31");
                Some(Finding::warning(Code::ValueFormatWrong, position, message))
            }
            Shape::None => Some(refused(&format!("{expr} is none"))),
        },
        ColumnKind::Boolean if !is_truth(text) => Some(refused(&format!("{expr} is none"))),
        ColumnKind::Uuid if text.bytes().filter(u8::is_ascii_hexdigit).count() != 32 => {
            Some(refused(&format!("{expr} is none")))
        }
        _ => None,
    }
}

fn plural(kind: ColumnKind) -> &'static str {
    match kind {
        ColumnKind::Integer | ColumnKind::Number => "numbers",
        ColumnKind::Text => "text",
        ColumnKind::Boolean => "truth values",
        ColumnKind::Date | ColumnKind::Timestamp => "dates",
        ColumnKind::Time => "times of day",
        ColumnKind::Blob => "bytes",
        ColumnKind::Enum => "labels",
        ColumnKind::Uuid => "identifiers",
        ColumnKind::Interval => "spans of time",
        ColumnKind::Other => "values",
    }
}

fn is_number(text: &str) -> bool {
    text.parse::<f64>().is_ok()
}

fn is_truth(text: &str) -> bool {
    let text = text.to_ascii_lowercase();
    let words = ["true", "false", "yes", "no", "on", "off", "1", "0"];
    !text.is_empty() && words.iter().any(|word| word.starts_with(&text))
}

/// How a text looks that should be a date.
enum Shape {
    /// `2001-12-31`, perhaps with a time behind it.
    Day,
    /// `2001` or `2001-12`.
    Part,
    /// `today` and the like.
    Word,
    /// Something else with digits, which may be a date.
    Digits,
    None,
}

fn shape(text: &str) -> Shape {
    let digits = digits_as_nines(text);
    let words = [
        "now",
        "today",
        "yesterday",
        "tomorrow",
        "epoch",
        "infinity",
        "-infinity",
    ];
    if digits == "9999" || digits == "9999-99" {
        Shape::Part
    } else if digits.starts_with("9999-99-99") {
        Shape::Day
    } else if words.iter().any(|word| text.eq_ignore_ascii_case(word)) {
        Shape::Word
    } else if digits.contains('9') {
        Shape::Digits
    } else {
        Shape::None
    }
}
