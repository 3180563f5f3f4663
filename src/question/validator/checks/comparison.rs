//! Whether two values can be meant to be compared, by SQLite's rules of type affinity.

use sqlparser::ast::{BinaryOperator as Op, Expr};

use super::joins::is_key;
use crate::question::{
    schema::{ColumnKind, Schema},
    validator::{
        Code, Finding,
        scope::{Literal, Value},
    },
};

/// Reports a comparison of `value` with `other`, which stands at `expr`, whose kinds do not match.
pub(in crate::question::validator) fn comparison(
    schema: &Schema,
    value: &Value,
    op: &Op,
    other: &Value,
    expr: &Expr,
    position: Option<usize>,
) -> Option<Finding> {
    let kind = value.kind?;
    let name = value.origin.map_or("the value".to_owned(), |origin| {
        schema.column(origin).name.clone()
    });
    let mismatch = |message: String| Some(Finding::warning(Code::ConditionTypeMismatch, position, message));
    // Only columns have an affinity that makes SQLite convert the other side.
    let converts = value.place.is_some();
    match (&other.literal, kind) {
        (Some(Literal::Text(text)), kind) if kind.is_numeric() => {
            if !is_number(text) {
                mismatch(format!("{name} holds numbers, {expr} is none"))
            } else if converts {
                None
            } else {
                let finding = mismatch(format!("{expr} is text, which never equals a number"))?;
                Some(finding.with_repair(text.trim().to_owned()))
            }
        }
        (Some(Literal::Text(text)), kind) if kind.is_temporal() => {
            if is_iso(text) {
                None
            } else if text.bytes().any(|byte| byte.is_ascii_digit()) {
                let message = format!("{name} holds dates, {expr} is not written like 2001-12-31");
                Some(Finding::warning(Code::ValueFormatWrong, position, message))
            } else {
                mismatch(format!("{name} holds dates, {expr} is none"))
            }
        }
        (Some(Literal::Number), ColumnKind::Text) if value.literal.is_none() => {
            if !converts && is_text_function(value) {
                let message = format!("{expr} is a number, which never equals text");
                let finding = Finding::error(Code::ConditionTypeMismatch, position, message);
                Some(
                    finding
                        .with_hint("compare with text, or CAST")
                        .with_repair(format!("'{expr}'")),
                )
            } else if matches!(op, Op::Lt | Op::LtEq | Op::Gt | Op::GtEq) && converts {
                mismatch(format!("{name} holds text, which is compared letter by letter"))
            } else {
                None
            }
        }
        (Some(Literal::Number), kind) if kind.is_temporal() && converts => {
            mismatch(format!("{name} holds dates, {expr} is a number"))
        }
        (None, kind) => {
            let (Some(one), Some(two)) = (value.origin, other.origin) else {
                return None;
            };
            let other_kind = other.kind?;
            // Each pair comes twice, once from either side.
            let apart = kind.is_numeric() && other_kind == ColumnKind::Text;
            let names = (&schema.column(one).name, &schema.column(two).name);
            if apart && !is_key(schema, one, two) {
                mismatch(format!("{} holds numbers, {} holds text", names.0, names.1))
            } else {
                None
            }
        }
        _ => None,
    }
}

/// Text that is computed, not stored: nothing converts it.
fn is_text_function(value: &Value) -> bool {
    value.origin.is_none() && !value.constant && !value.aggregate
}

fn is_number(text: &str) -> bool {
    text.trim().parse::<f64>().is_ok_and(f64::is_finite)
}

/// A text with a 9 for every digit.
pub(super) fn digits_as_nines(text: &str) -> String {
    let shown = |character: char| {
        if character.is_ascii_digit() {
            '9'
        } else {
            character
        }
    };
    text.chars().map(shown).collect()
}

/// `2001`, `2001-12`, `2001-12-31`, with a time behind it, a pattern of LIKE, or `now`.
fn is_iso(text: &str) -> bool {
    let text = text.trim();
    let shape = digits_as_nines(text);
    let date = ["9999", "9999-99", "9999-99-99"];
    date.contains(&shape.as_str())
        || shape.starts_with("9999-99-99 ")
        || shape.starts_with("9999-99-99T")
        || text.eq_ignore_ascii_case("now")
}
