//! Literals: numbers, strings in their spellings, typed literals, intervals, arrays, parameters.

use std::fmt::Write as _;

use sqlparser::ast::{
    Array, ArrayElemTypeDef, DataType, DateTimeField, Expr, Interval, Value, ValueWithSpan,
};

use super::{
    Refusal, Result, Stop, Translator, Ty,
    cast::How,
    refuse,
    scope::{Literal, Typed},
    sql_expr::{self, call, call_with, null, parameter, text},
    types::{self, Target},
};
use crate::{pgtypes::numeric, statement::adjacent};

/// Refuses a string that stands behind another on one line.
pub(super) fn side_by_side(sql: &str) -> Option<Refusal> {
    let (position, text) = adjacent::side_by_side(sql)?;
    let hint = "Strings are one only where a line break stands between them: || joins others.";
    Some(Refusal {
        sqlstate: "42601",
        message: format!("syntax error at or near \"{text}\""),
        detail: None,
        hint: Some(hint.into()),
        position: Some(position),
    })
}

/// Refuses a number with letters in it or right behind it, which the parser takes for another number or for a name.
pub(super) fn check_numbers(sql: &str) -> Result<()> {
    let Some((position, text)) = adjacent::number_with_letters(sql) else {
        return Ok(());
    };
    let message = format!("trailing junk after numeric literal at or near \"{text}\"");
    refuse("42601", message, Some(position))
}

impl Translator<'_> {
    pub(super) fn value(&mut self, value: &ValueWithSpan) -> Result<Typed> {
        let position = self.position(value.span.start);
        let string = |content: &str| Typed {
            literal: Some(Literal::Text(content.to_owned())),
            ..Typed::new(text(content), Ty::Unknown)
        };
        let typed = match &value.value {
            Value::Number(digits, _) => number(digits, position)?,
            Value::SingleQuotedString(content)
            | Value::EscapedStringLiteral(content)
            | Value::UnicodeStringLiteral(content)
            | Value::NationalStringLiteral(content) => string(content),
            Value::DollarQuotedString(content) => string(&content.value),
            Value::SingleQuotedByteStringLiteral(bits) => return bit_string(bits, position),
            Value::HexStringLiteral(digits) => return hex_string(digits, position),
            Value::Boolean(truth) => Typed::new(sql_expr::number(i32::from(*truth)), Ty::Bool),
            Value::Null => Typed {
                literal: Some(Literal::Null),
                ..Typed::new(null(), Ty::Unknown)
            },
            Value::Placeholder(name) => {
                let Some(number) = name
                    .strip_prefix('$')
                    .and_then(|digits| digits.parse::<usize>().ok())
                else {
                    return Err(Stop::AsItStands);
                };
                let declared = number
                    .checked_sub(1)
                    .and_then(|at| self.declared.get(at).copied().flatten());
                let ty = declared.or_else(|| self.parameters.get(&number).copied());
                if let Some(ty) = declared {
                    self.parameters.insert(number, ty);
                }
                // What stands for a registered one is its name.
                let expr = match ty {
                    Some(Ty::Registered(kind)) => call(format!("{kind}in"), [parameter(name)]),
                    _ => parameter(name),
                };
                Typed {
                    parameter: Some(number),
                    ..Typed::new(expr, ty.unwrap_or(Ty::Unknown))
                }
            }
            _ => return Err(Stop::AsItStands),
        };
        Ok(typed.at(position))
    }

    /// `date '2024-01-02'`.
    pub(super) fn typed_string(&mut self, data_type: &DataType, value: &ValueWithSpan) -> Result<Typed> {
        let value = self.value(value)?;
        let Some(target) = types::target(data_type) else {
            return Err(self.no_type(data_type, value.position));
        };
        // One character and one bit are what a cast leaves: a literal keeps all that it has.
        let is_bare = match data_type {
            DataType::Char(length) | DataType::Character(length) => length.is_none(),
            DataType::Bit(length) => length.is_none(),
            DataType::Custom(_, arguments) => arguments.is_empty(),
            _ => false,
        };
        let target = Target {
            modifier: target.modifier.filter(|_| !is_bare),
            ..target
        };
        let name = target.ty.internal();
        Ok(Typed {
            weak: true,
            ..self.convert(value, target, How::Explicit)?.named(name)
        })
    }

    /// That there is no such type. `otherwise` is where that is told of a type that does not tell its own place.
    pub(super) fn no_type(&self, data_type: &DataType, otherwise: Option<usize>) -> Stop {
        let mut inner = data_type;
        let mut brackets = String::new();
        while let DataType::Array(
            ArrayElemTypeDef::SquareBracket(of, _) | ArrayElemTypeDef::AngleBracket(of),
        ) = inner
        {
            brackets.push_str("[]");
            inner = of;
        }
        let written = match inner {
            DataType::Custom(name, _) => name.0.iter().filter_map(|part| part.as_ident()).collect(),
            _ => vec![],
        };
        let position = written.first().and_then(|name| self.at(name)).or(otherwise);
        let shown: Vec<String> = written.iter().map(|name| super::folded(name)).collect();
        let (sqlstate, message) = match shown.as_slice() {
            [] => {
                let name = inner.to_string().to_lowercase();
                ("42704", format!("type \"{name}{brackets}\" does not exist"))
            }
            [schema, ..] if shown.len() > 1 && !matches!(schema.as_str(), "public" | "pg_catalog") => {
                ("3F000", format!("schema \"{schema}\" does not exist"))
            }
            [one] => ("42704", format!("type \"{one}{brackets}\" does not exist")),
            many => (
                "42704",
                format!("type \"{}{brackets}\" does not exist", many.join(".")),
            ),
        };
        Stop::Refused(Refusal {
            sqlstate,
            message,
            detail: None,
            hint: None,
            position,
        })
    }

    pub(super) fn interval(&mut self, interval: &Interval) -> Result<Typed> {
        let value = self.expression(&interval.value)?;
        let words: Vec<String> = [&interval.leading_field, &interval.last_field]
            .into_iter()
            .flatten()
            .map(|field| field.to_string().to_ascii_lowercase())
            .collect();
        let words = words.join(" to ");
        let fields = if words.is_empty() {
            types::ALL_FIELDS
        } else if !matches!(value.literal, Some(Literal::Text(_))) {
            return Err(Stop::AsItStands);
        } else {
            let has_digits = interval.leading_precision.is_some() && words != "second";
            let stands_before = value.position.and_then(|position| self.digits_before(position));
            match types::fields_named(&words).filter(|_| !has_digits && stands_before.is_none()) {
                Some(fields) => fields,
                // A word that names no field would be a column's name, or nothing.
                None => return refuse("42601", format!("syntax error at or near \"{words}\""), None),
            }
        };
        let digits = match (&interval.leading_field, &interval.last_field) {
            (Some(DateTimeField::Second), _) => interval.leading_precision,
            (_, Some(DateTimeField::Second)) => interval.fractional_seconds_precision,
            _ => value.position.and_then(|position| self.digits_before(position)),
        };
        let is_told = digits.is_some() || fields != types::ALL_FIELDS;
        let modifier = is_told.then(|| (digits.map_or(-1, |digits| digits.min(6) as i64), fields));
        let target = Target {
            ty: Ty::Interval,
            modifier,
        };
        Ok(self.convert(value, target, How::Explicit)?.named("interval"))
    }

    /// What stands in parentheses before the text of `interval(2) '1.234 s'`, which the parser does not tell.
    fn digits_before(&self, position: usize) -> Option<u64> {
        let before: String = self.text.chars().take(position.checked_sub(1)?).collect();
        let (word, digits) = before.trim_end().strip_suffix(')')?.rsplit_once('(')?;
        let word = word.trim_end();
        let start = word.len().checked_sub("interval".len())?;
        let is_type = word.get(start..)?.eq_ignore_ascii_case("interval");
        digits.trim().parse().ok().filter(|_| is_type)
    }

    /// `ARRAY[1, 2]`.
    pub(super) fn array(&mut self, array: &Array) -> Result<Typed> {
        let values = array
            .elem
            .iter()
            .map(|element| self.expression(element))
            .collect::<Result<Vec<_>>>()?;
        let of = Self::common("ARRAY", &values)?;
        if values.is_empty() {
            return refuse("42P18", "cannot determine type of empty array", None);
        }
        let mut parts = vec![];
        for value in values {
            let value = self.implicitly(value, of)?;
            parts.push(value.full());
        }
        if let Ty::Array(of) = of {
            return Ok(Typed::new(call("pg_array_of_arrays", parts), of.array()).named("array"));
        }
        let made = call_with("pg_array", text(of.kept()), parts);
        Ok(Typed::new(made, of.array()).named("array"))
    }

    /// The type that all of these take.
    pub(super) fn common(construct: &str, values: &[Typed]) -> Result<Ty> {
        match Ty::common(values.iter().map(|value| value.ty)) {
            Ok(Ty::Unknown) => Ok(Ty::Text),
            // Texts of all kinds become each other, and the first one stays.
            Ok(Ty::Text | Ty::Bpchar) => {
                let mut known = values
                    .iter()
                    .map(|value| value.ty)
                    .filter(|ty| *ty != Ty::Unknown);
                let first = known
                    .next()
                    .filter(|first| matches!(first, Ty::Varchar | Ty::Bpchar));
                Ok(first.unwrap_or(Ty::Text))
            }
            Ok(ty) => Ok(ty),
            Err((one, other)) => {
                let position = values
                    .iter()
                    .find(|value| value.ty == other)
                    .and_then(|value| value.position);
                let (one_shown, other_shown) = (one.shown(), other.shown());
                if let (Ty::Array(_), Ty::Array(_)) = (one, other) {
                    let message = format!("{construct} could not convert type {other_shown} to {one_shown}");
                    return refuse("42846", message, position);
                }
                let message = format!("{construct} types {one_shown} and {other_shown} cannot be matched");
                refuse("42804", message, position)
            }
        }
    }
}

/// What is told of the lengths or digits of a choice between values of a type: what all of them have.
pub(super) fn modifier_of_all(values: &[Typed], ty: Ty) -> Option<i32> {
    let first = values.first()?.modifier;
    let all = values
        .iter()
        .all(|value| value.ty == ty && value.modifier == first);
    first.filter(|_| all)
}

/// `B'101'`.
fn bit_string(bits: &str, position: Option<usize>) -> Result<Typed> {
    match bits.chars().find(|bit| !matches!(bit, '0' | '1')) {
        Some(other) => refuse(
            "22P02",
            format!("\"{other}\" is not a valid binary digit"),
            position,
        ),
        None => Ok(Typed::new(text(bits), Ty::Bit).at(position)),
    }
}

/// `x'1f'`, four bits a digit.
fn hex_string(digits: &str, position: Option<usize>) -> Result<Typed> {
    let mut bits = String::new();
    for digit in digits.chars() {
        let Some(number) = digit.to_digit(16) else {
            return refuse(
                "22P02",
                format!("\"{digit}\" is not a valid hexadecimal digit"),
                position,
            );
        };
        let _ = write!(bits, "{number:04b}");
    }
    Ok(Typed::new(text(bits), Ty::Bit).at(position))
}

/// The longest exponent that is written out where it stands.
const WRITTEN_OUT: u64 = 400;

fn number(digits: &str, position: Option<usize>) -> Result<Typed> {
    let digits = digits.replace('_', "");
    if let Some((_, exponent)) = digits.split_once(['e', 'E'])
        && exponent.parse::<i64>().map_or(u64::MAX, i64::unsigned_abs) > WRITTEN_OUT
    {
        return match numeric::read(&digits) {
            // A short text may stand for very many digits.
            Ok(_) => Ok(Typed {
                not_null: true,
                ..Typed::new(call("pg_in_numeric", [text(digits)]), Ty::Numeric)
            }),
            Err(error) => refuse(error.sqlstate, error.message, position),
        };
    }
    let literal = Some(Literal::Number(digits.clone()));
    if let Ok(number) = digits.parse::<i64>() {
        let ty = if i32::try_from(number).is_ok() {
            Ty::Int4
        } else {
            Ty::Int8
        };
        return Ok(Typed {
            literal,
            not_null: true,
            ..Typed::new(sql_expr::number(digits), ty)
        });
    }
    let exact = expanded(&digits);
    Ok(Typed {
        literal: Some(Literal::Number(exact.clone())),
        not_null: true,
        ..Typed::new(text(exact), Ty::Numeric)
    })
}

/// `1.5e3` as `1500`, `.5` as `0.5`.
fn expanded(digits: &str) -> String {
    let (mantissa, exponent) = digits.split_once(['e', 'E']).unwrap_or((digits, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let (mut whole, mut fraction) = (whole.to_owned(), fraction.to_owned());
    for _ in 0..exponent {
        whole.push(if fraction.is_empty() {
            '0'
        } else {
            fraction.remove(0)
        });
    }
    for _ in exponent..0 {
        fraction.insert(0, whole.pop().unwrap_or('0'));
    }
    let whole = whole.trim_start_matches('0');
    let whole = if whole.is_empty() { "0" } else { whole };
    if fraction.is_empty() {
        whole.to_owned()
    } else {
        format!("{whole}.{fraction}")
    }
}

/// True for a literal that is not zero.
pub(super) fn is_nonzero(value: &Expr) -> bool {
    matches!(value, Expr::Value(value) if matches!(&value.value, Value::Number(digits, _) if digits.bytes().any(|digit| (b'1'..=b'9').contains(&digit))))
}
