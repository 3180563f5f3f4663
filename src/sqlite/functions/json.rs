//! JSON documents, printed as `jsonb` prints them.

use std::collections::HashSet;

use super::document::{build_object, elements, fragment, inserted, object, pairs, pretty, stripped, zip};
use super::json_path::changed;
pub(super) use super::json_value::quoted;
use super::json_value::{self, Json, Key};
use super::{
    Failure,
    Nature::{Lenient, Strict},
    Out, Scalar, V, allowance, array, decimal, fail, numeric, single,
};
use crate::pgtypes::float;

/// How much more memory a document takes than its text.
const TIMES: usize = 16;

/// A part of a `jsonb`.
fn sorted_fragment(value: &V) -> Result<String, Failure> {
    Ok(shown(&parse(&fragment(value))?))
}

pub(super) fn parse(text: &str) -> Result<Json, Failure> {
    allowance::memory_of(text.len().saturating_mul(TIMES))?;
    json_value::read(text)
}

pub(super) fn of(value: &V) -> Result<Json, Failure> {
    parse(&value.text())
}

/// A `json` is kept as it is written.
pub(super) fn check(text: &str) -> Out {
    parse(text).map(|_| text.into())
}

/// As `jsonb` keeps it.
pub(super) fn normal(text: &str) -> Out {
    let document = parse(text)?;
    check_kept(&document)?;
    Ok(shown(&document).into())
}

/// That no character is in it which no text of PostgreSQL's has, and no number of too many digits.
fn check_kept(document: &Json) -> Result<(), Failure> {
    allowance::turn()?;
    match document {
        Json::String(text) if text.contains('\0') => no_nul(),
        Json::Number(number) if json_value::digits(number).is_none() => {
            fail("22003", "value overflows numeric format")
        }
        Json::Array(values) => values.iter().try_for_each(check_kept),
        Json::Object(map) if map.keys().any(|key| key.0.contains('\0')) => no_nul(),
        Json::Object(map) => map.values().try_for_each(check_kept),
        _ => Ok(()),
    }
}

pub(super) fn no_nul<T>() -> Result<T, Failure> {
    fail(
        "22P05",
        "unsupported Unicode escape sequence: \\u0000 cannot be converted to text",
    )
}

/// With a blank behind each colon and comma.
pub(super) fn shown(value: &Json) -> String {
    let mut text = String::new();
    show(value, &mut text);
    text
}

fn show(value: &Json, text: &mut String) {
    match value {
        _ if allowance::gives_up(0) => {}
        Json::Object(map) => {
            text.push('{');
            for (at, (Key(key), value)) in map.iter().enumerate() {
                text.push_str(if at == 0 { "" } else { ", " });
                text.push_str(&quoted(key));
                text.push_str(": ");
                show(value, text);
            }
            text.push('}');
        }
        Json::Array(values) => {
            text.push('[');
            for (at, value) in values.iter().enumerate() {
                text.push_str(if at == 0 { "" } else { ", " });
                show(value, text);
            }
            text.push(']');
        }
        Json::Number(number) => match json_value::digits(number) {
            Some(digits) => text.push_str(&digits),
            None => text.push_str(number),
        },
        other => text.push_str(&other.to_string()),
    }
}

pub(super) fn text_of(value: &Json) -> Out {
    Ok(match value {
        Json::Null => V::Null,
        Json::String(text) if text.contains('\0') => return no_nul(),
        Json::String(text) => text.as_str().into(),
        other => shown(other).into(),
    })
}

fn step<'v>(value: &'v Json, key: &V) -> Option<&'v Json> {
    match (value, key) {
        (Json::Array(values), V::Int(at)) => index(values, *at),
        (Json::Object(_), V::Text(key)) => value.get(key),
        (Json::Object(_) | Json::Array(_), _) => None,
        // As an array of one element.
        (scalar, V::Int(0 | -1)) => Some(scalar),
        _ => None,
    }
}

fn index(values: &[Json], at: i64) -> Option<&Json> {
    let at = if at < 0 { values.len() as i64 + at } else { at };
    usize::try_from(at).ok().and_then(|at| values.get(at))
}

fn path<'v>(mut value: &'v Json, keys: &[Option<String>]) -> Option<&'v Json> {
    for key in keys {
        let key = key.as_ref()?;
        value = match value {
            Json::Array(values) => index(values, key.parse().ok()?)?,
            Json::Object(_) => value.get(key)?,
            _ => return None,
        };
    }
    Some(value)
}

/// What was found, as a text or as a document.
fn found(value: Option<&Json>, as_text: bool) -> Out {
    match value {
        None => Ok(V::Null),
        Some(value) if as_text => text_of(value),
        Some(value) => Ok(shown(value).into()),
    }
}

fn get(values: &[V], as_text: bool) -> Out {
    let document = of(&values[0])?;
    found(step(&document, &values[1]), as_text)
}

fn at_path(values: &[V], as_text: bool) -> Out {
    let document = of(&values[0])?;
    let keys = array::elements(&values[1].text())?;
    found(path(&document, &keys), as_text)
}

fn extract_path(values: &[V], as_text: bool) -> Out {
    if values.iter().any(V::is_null) {
        return Ok(V::Null);
    }
    let document = of(&values[0])?;
    let keys: Vec<_> = values[1..].iter().map(|key| Some(key.text())).collect();
    found(path(&document, &keys), as_text)
}

pub(super) fn is_scalar(value: &Json) -> bool {
    !matches!(value, Json::Array(_) | Json::Object(_))
}

/// Of the whole documents alone: an array has a value that is none.
fn contains(one: &Json, other: &Json) -> Result<bool, Failure> {
    match (one, other) {
        (Json::Array(values), scalar) if is_scalar(scalar) => {
            for value in values {
                allowance::turn()?;
                if is_scalar(value) && has_within(value, scalar)? {
                    return Ok(true);
                }
            }
            Ok(false)
        }
        _ => has_within(one, other),
    }
}

fn has_within(one: &Json, other: &Json) -> Result<bool, Failure> {
    Ok(match (one, other) {
        (Json::Object(one), Json::Object(other)) => {
            for (key, value) in other {
                allowance::turn()?;
                match one.get(key) {
                    Some(found) if has_within(found, value)? => {}
                    _ => return Ok(false),
                }
            }
            true
        }
        (Json::Array(one), Json::Array(other)) => {
            'values: for value in other {
                for found in one {
                    allowance::turn()?;
                    if has_within(found, value)? {
                        continue 'values;
                    }
                }
                return Ok(false);
            }
            true
        }
        (Json::Number(one), Json::Number(other)) => match decimal::compared(one, other) {
            Some(order) => order.is_eq(),
            None => one == other,
        },
        (one, other) => one == other,
    })
}

fn has(document: &Json, key: &str) -> Result<bool, Failure> {
    Ok(Keys::of(document)?.has(key))
}

fn string_of(value: &Json) -> Option<&str> {
    match value {
        Json::String(text) => Some(text),
        _ => None,
    }
}

/// The keys of an object, or the strings of an array.
struct Keys<'v>(HashSet<&'v str>);

impl<'v> Keys<'v> {
    fn of(document: &'v Json) -> Result<Self, Failure> {
        Ok(Self(match document {
            Json::Object(map) => allowance::gathered(map.keys().map(|key| key.0.as_str()))?,
            Json::Array(values) => allowance::gathered(values.iter().filter_map(string_of))?,
            Json::String(text) => HashSet::from([text.as_str()]),
            _ => HashSet::new(),
        }))
    }

    fn has(&self, key: &str) -> bool {
        self.0.contains(key)
    }
}

fn has_some(values: &[V], all: bool) -> Out {
    let document = of(&values[0])?;
    let keys = array::elements(&values[1].text())?;
    let known = Keys::of(&document)?;
    let mut keys = keys.iter().flatten();
    Ok(V::of_bool(if all {
        keys.all(|key| known.has(key))
    } else {
        keys.any(|key| known.has(key))
    }))
}

fn minus(values: &[V]) -> Out {
    let mut document = of(&values[0])?;
    match (&mut document, &values[1]) {
        (Json::Object(map), V::Text(key)) => {
            map.remove(&Key(key.clone()));
        }
        (Json::Array(all), V::Text(key)) => all.retain(|value| string_of(value) != Some(key.as_str())),
        (Json::Array(all), V::Int(at)) => {
            let at = if *at < 0 { all.len() as i64 + at } else { *at };
            if let Ok(at) = usize::try_from(at)
                && at < all.len()
            {
                all.remove(at);
            }
        }
        _ => return fail("22023", "cannot delete from scalar"),
    }
    Ok(shown(&document).into())
}

/// Without all of these keys, or all of these texts among an array's members.
fn minus_all(values: &[V]) -> Out {
    let mut document = of(&values[0])?;
    let keys = array::elements(&values[1].text())?;
    let gone: HashSet<String> = keys.into_iter().flatten().collect();
    match &mut document {
        Json::Object(map) => map.retain(|key, _| !gone.contains(&key.0)),
        Json::Array(all) => all.retain(|value| string_of(value).is_none_or(|text| !gone.contains(text))),
        _ => return fail("22023", "cannot delete from scalar"),
    }
    Ok(shown(&document).into())
}

fn scalar(values: &[V], name: &str) -> Out {
    let found = of(&values[0])?;
    match (&found, name) {
        (Json::Bool(truth), "bool") => Ok(V::of_bool(*truth)),
        // The digits as they are kept.
        (Json::Number(_), "numeric") => Ok(values[0].text().trim().into()),
        (Json::Number(number), "float8") => Ok(V::Real(float::read_float8(number)?)),
        (Json::Number(number), "float4") => single::narrowed(&V::Real(float::read_float8(number)?)),
        (Json::Number(_), "int2") => numeric::to_int(values, i16::MIN.into(), i16::MAX.into(), "smallint"),
        (Json::Number(_), "int4") => numeric::to_int(values, i32::MIN.into(), i32::MAX.into(), "integer"),
        (Json::Number(_), "int8") => numeric::to_int(values, i64::MIN, i64::MAX, "bigint"),
        (other, _) => {
            let shown = match name {
                "int4" => "integer",
                "int8" => "bigint",
                "int2" => "smallint",
                "bool" => "boolean",
                "float4" => "real",
                "float8" => "double precision",
                other => other,
            };
            let kind = match kind(other) {
                "number" => "numeric",
                kind => kind,
            };
            fail("22023", format!("cannot cast jsonb {kind} to type {shown}"))
        }
    }
}

fn kind(value: &Json) -> &'static str {
    match value {
        Json::Null => "null",
        Json::Bool(_) => "boolean",
        Json::Number(_) => "number",
        Json::String(_) => "string",
        Json::Array(_) => "array",
        Json::Object(_) => "object",
    }
}

/// Functions of JSON.
pub(super) const FUNCTIONS: &[Scalar] = &[
    ("pg_json_get", 2, Strict, |v| get(v, false)),
    ("pg_json_get_text", 2, Strict, |v| get(v, true)),
    ("pg_json_path", 2, Strict, |v| at_path(v, false)),
    ("pg_json_path_text", 2, Strict, |v| at_path(v, true)),
    ("pg_json_extract_path", -2, Lenient, |v| extract_path(v, false)),
    ("pg_json_extract_path_text", -2, Lenient, |v| {
        extract_path(v, true)
    }),
    ("pg_jsonb_contains", 2, Strict, |v| {
        Ok(V::of_bool(contains(&of(&v[0])?, &of(&v[1])?)?))
    }),
    ("pg_jsonb_has", 2, Strict, |v| {
        Ok(V::of_bool(has(&of(&v[0])?, &v[1].text())?))
    }),
    ("pg_jsonb_has_any", 2, Strict, |v| has_some(v, false)),
    ("pg_jsonb_has_all", 2, Strict, |v| has_some(v, true)),
    ("pg_jsonb_concat", 2, Strict, |v| {
        let merged = match (of(&v[0])?, of(&v[1])?) {
            (Json::Object(mut one), Json::Object(other)) => {
                one.extend(other);
                Json::Object(one)
            }
            (Json::Array(mut one), Json::Array(other)) => {
                one.extend(other);
                Json::Array(one)
            }
            (Json::Array(mut one), other) => {
                one.push(other);
                Json::Array(one)
            }
            (one, Json::Array(mut other)) => {
                other.insert(0, one);
                Json::Array(other)
            }
            (one, other) => Json::Array(vec![one, other]),
        };
        Ok(shown(&merged).into())
    }),
    ("pg_jsonb_minus", 2, Strict, minus),
    ("pg_jsonb_minus_all", 2, Strict, minus_all),
    ("pg_jsonb_minus_path", 2, Strict, |v| changed(v, None, false)),
    ("pg_jsonb_set", 4, Strict, |v| {
        changed(v, Some(&of(&v[2])?), v[3].int() != 0)
    }),
    ("pg_jsonb_insert", 4, Strict, |v| {
        let (mut document, new) = (of(&v[0])?, of(&v[2])?);
        inserted(
            &mut document,
            &array::elements(&v[1].text())?,
            &new,
            v[3].int() != 0,
            1,
        )?;
        Ok(shown(&document).into())
    }),
    ("pg_row_json", -1, Lenient, |v| {
        Ok(build_object(v, ":", false)?.into())
    }),
    ("pg_row_json_lines", -1, Lenient, |v| {
        Ok(build_object(v, ":", true)?.into())
    }),
    ("pg_json_zip", -1, Lenient, zip),
    ("pg_json_build_object", -1, Lenient, |v| {
        Ok(build_object(v, " : ", false)?.into())
    }),
    ("pg_jsonb_build_object", -1, Lenient, |v| {
        normal(&build_object(v, ": ", false)?)
    }),
    ("pg_json_build_array", -1, Lenient, |v| {
        let parts: Vec<String> = v.iter().map(fragment).collect();
        Ok(format!("[{}]", parts.join(", ")).into())
    }),
    ("pg_jsonb_build_array", -1, Lenient, |v| {
        let parts: Vec<String> = v.iter().map(sorted_fragment).collect::<Result<_, _>>()?;
        Ok(format!("[{}]", parts.join(", ")).into())
    }),
    ("pg_json_typeof", 1, Strict, |v| Ok(kind(&of(&v[0])?).into())),
    ("pg_json_array_length", 1, Strict, |v| match of(&v[0])? {
        Json::Array(values) => Ok(V::Int(values.len() as i64)),
        Json::Object(_) => fail("22023", "cannot get array length of a non-array"),
        _ => fail("22023", "cannot get array length of a scalar"),
    }),
    ("pg_json_elements", 2, Strict, |v| elements(v, v[1].int() != 0)),
    ("pg_json_keys", 1, Strict, |v| {
        let keys: Vec<String> = object(&v[0])?.keys().map(|key| quoted(&key.0)).collect();
        Ok(format!("[{}]", keys.join(",")).into())
    }),
    ("pg_json_pairs", 2, Strict, pairs),
    ("pg_jsonb_strip_nulls", 1, Strict, |v| {
        Ok(shown(&stripped(of(&v[0])?)).into())
    }),
    (
        "pg_jsonb_pretty",
        1,
        Strict,
        |v| Ok(pretty(&of(&v[0])?, 0).into()),
    ),
    ("pg_jsonb_bool", 1, Strict, |v| scalar(v, "bool")),
    ("pg_jsonb_int2", 1, Strict, |v| scalar(v, "int2")),
    ("pg_jsonb_int4", 1, Strict, |v| scalar(v, "int4")),
    ("pg_jsonb_int8", 1, Strict, |v| scalar(v, "int8")),
    ("pg_jsonb_numeric", 1, Strict, |v| scalar(v, "numeric")),
    ("pg_jsonb_float4", 1, Strict, |v| scalar(v, "float4")),
    ("pg_jsonb_float8", 1, Strict, |v| scalar(v, "float8")),
];
