//! Text read as a value of a type, and what casts need beside it.

use super::{
    Failure,
    Nature::Strict,
    Out, Scalar, V, array,
    decimal::{self, Decimal},
    fail, json, rare,
};
use crate::backend::float::float8_text;

fn integer(text: &str, min: i64, max: i64, name: &str) -> Out {
    match text.trim().parse::<i128>() {
        Ok(number) if (i128::from(min)..=i128::from(max)).contains(&number) => Ok(V::Int(number as i64)),
        Ok(_) => fail(
            "22003",
            format!("value \"{text}\" is out of range for type {name}"),
        ),
        Err(_) => fail(
            "22P02",
            format!("invalid input syntax for type {name}: \"{text}\""),
        ),
    }
}

fn float(text: &str, name: &str) -> Result<f64, Failure> {
    let lower = text.trim().to_ascii_lowercase();
    let found = match lower.as_str() {
        "nan" => return fail("0A000", "NaN is not supported on a SQLite file"),
        "inf" | "infinity" | "+infinity" => Some(f64::INFINITY),
        "-inf" | "-infinity" => Some(f64::NEG_INFINITY),
        other => other.parse::<f64>().ok(),
    };
    match found {
        Some(number) if number.is_infinite() && !lower.contains("inf") => {
            fail("22003", format!("\"{text}\" is out of range for type {name}"))
        }
        // Nothing was left of its digits.
        Some(number) if number == 0.0 && digits(&lower).any(|digit| digit != '0') => {
            fail("22003", format!("\"{text}\" is out of range for type {name}"))
        }
        Some(number) => Ok(number),
        None => fail(
            "22P02",
            format!("invalid input syntax for type {name}: \"{text}\""),
        ),
    }
}

/// The digits of a number, without those of its exponent.
fn digits(number: &str) -> impl Iterator<Item = char> {
    let mantissa = number.split('e').next().unwrap_or_default();
    mantissa.chars().filter(char::is_ascii_digit)
}

fn boolean(text: &str) -> Out {
    let lower = text.trim().to_ascii_lowercase();
    let is = |word: &str, least: usize| lower.len() >= least && word.starts_with(&lower);
    if is("true", 1) || is("yes", 1) || lower == "on" || lower == "1" {
        Ok(V::Int(1))
    } else if is("false", 1) || is("no", 1) || is("off", 2) || lower == "0" {
        Ok(V::Int(0))
    } else {
        fail(
            "22P02",
            format!("invalid input syntax for type boolean: \"{text}\""),
        )
    }
}

fn uuid(text: &str) -> Out {
    let digits: String = text
        .trim()
        .trim_start_matches('{')
        .trim_end_matches('}')
        .chars()
        .filter(|c| *c != '-')
        .collect::<String>()
        .to_ascii_lowercase();
    if digits.len() != 32 || !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return fail("22P02", format!("invalid input syntax for type uuid: \"{text}\""));
    }
    Ok(format!(
        "{}-{}-{}-{}-{}",
        &digits[..8],
        &digits[8..12],
        &digits[12..16],
        &digits[16..20],
        &digits[20..]
    )
    .into())
}

fn numeric(text: &str) -> Out {
    if text.trim().eq_ignore_ascii_case("nan") {
        return Ok("NaN".into());
    }
    match Decimal::parse(text) {
        Some(number) => Ok(number.into()),
        None => decimal::unread(text),
    }
}

/// A text as a value of a type, by the type's internal name.
pub(super) fn read(text: &str, ty: &str) -> Out {
    match ty {
        "int2" => integer(text, i16::MIN.into(), i16::MAX.into(), "smallint"),
        "int4" => integer(text, i32::MIN.into(), i32::MAX.into(), "integer"),
        "int8" => integer(text, i64::MIN, i64::MAX, "bigint"),
        "oid" => integer(text, 0, u32::MAX.into(), "oid"),
        "float4" => float(text, "real").map(V::Real),
        "float8" => float(text, "double precision").map(V::Real),
        "numeric" => numeric(text),
        "bool" => boolean(text),
        "uuid" => uuid(text),
        "json" => json::check(text),
        "jsonb" => json::normal(text),
        other if other.starts_with('_') => array::read(text, &other[1..]),
        other => {
            if let Some(found) = rare::read(text, other) {
                return found;
            }
            let function = FUNCTION_OF.iter().find(|(name, _)| *name == other);
            match function.and_then(|(_, function)| {
                super::time::FUNCTIONS
                    .iter()
                    .chain(super::interval::FUNCTIONS)
                    .chain(super::text::FUNCTIONS)
                    .chain(super::bytea::FUNCTIONS)
                    .find(|(name, ..)| name == function)
            }) {
                Some((.., function)) => function(&[text.into()]),
                None => Ok(text.into()),
            }
        }
    }
}

const FUNCTION_OF: &[(&str, &str)] = &[
    ("date", "pg_in_date"),
    ("time", "pg_in_time"),
    ("timestamp", "pg_in_timestamp"),
    ("timestamptz", "pg_in_timestamptz"),
    ("interval", "pg_in_interval"),
    ("bytea", "pg_in_bytea"),
];

/// Casts.
pub(super) const FUNCTIONS: &[Scalar] = &[
    ("pg_in_int2", 1, Strict, |v| read(&v[0].text(), "int2")),
    ("pg_in_int4", 1, Strict, |v| read(&v[0].text(), "int4")),
    ("pg_in_int8", 1, Strict, |v| read(&v[0].text(), "int8")),
    ("pg_in_oid", 1, Strict, |v| read(&v[0].text(), "oid")),
    ("pg_in_float4", 1, Strict, |v| {
        let number = float(&v[0].text(), "real")? as f32;
        Ok(V::Real(
            number.to_string().parse().unwrap_or_else(|_| number.into()),
        ))
    }),
    ("pg_in_float8", 1, Strict, |v| read(&v[0].text(), "float8")),
    ("pg_in_numeric", 1, Strict, |v| read(&v[0].text(), "numeric")),
    ("pg_in_bool", 1, Strict, |v| read(&v[0].text(), "bool")),
    ("pg_in_uuid", 1, Strict, |v| read(&v[0].text(), "uuid")),
    ("pg_in_json", 1, Strict, |v| read(&v[0].text(), "json")),
    ("pg_in_jsonb", 1, Strict, |v| read(&v[0].text(), "jsonb")),
    ("pg_text_bool", 1, Strict, |v| {
        Ok(if v[0].int() == 0 { "false" } else { "true" }.into())
    }),
    ("pg_tag_bool", 1, Strict, |v| {
        Ok(if v[0].int() == 0 { "f" } else { "t" }.into())
    }),
    ("pg_text_any", 1, Strict, |v| Ok(float8_text(v[0].real()).into())),
];
