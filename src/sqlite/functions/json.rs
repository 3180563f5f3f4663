//! JSON documents, printed as `jsonb` prints them.

use std::collections::HashSet;

use serde_json::Value;

use super::document::{build_object, elements, fragment, inserted, object, pairs, pretty, stripped, zip};
use super::watched::Watched;
use super::{
    Failure,
    Nature::{Lenient, Strict},
    Out, Scalar, V, allowance, array, fail, number, numeric, single,
};

/// How much more memory a document takes than its text.
const TIMES: usize = 16;

/// A part of a `jsonb`: the digits of a number are kept, and the keys of a document sorted.
fn sorted_fragment(value: &V) -> Result<String, Failure> {
    let text = fragment(value);
    Ok(if text.starts_with(['{', '[']) {
        shown(&sorted(parse(&text)?))
    } else {
        text
    })
}

/// A JSON string.
pub(super) fn quoted(text: &str) -> String {
    Value::String(text.to_owned()).to_string()
}

pub(super) fn parse(text: &str) -> Result<Value, Failure> {
    allowance::memory_of(text.len().saturating_mul(TIMES))?;
    match serde_json::from_str::<Watched>(text) {
        Ok(Watched(value)) => Ok(value),
        Err(error) => {
            allowance::now()?;
            if error.to_string().starts_with("recursion limit exceeded") {
                return fail("54001", "stack depth limit exceeded");
            }
            fail("22P02", "invalid input syntax for type json")
        }
    }
}

pub(super) fn of(value: &V) -> Result<Value, Failure> {
    parse(&value.text())
}

/// A `json` is kept as it is written.
pub(super) fn check(text: &str) -> Out {
    parse(text).map(|_| text.into())
}

/// As `jsonb` keeps it.
pub(super) fn normal(text: &str) -> Out {
    let document = parse(text)?;
    if has_nul(&document) {
        return no_nul();
    }
    Ok(shown(&sorted(document)).into())
}

/// True for a document with a character in it that no text of PostgreSQL's has.
fn has_nul(document: &Value) -> bool {
    match document {
        Value::String(text) => text.contains('\0'),
        Value::Array(values) => values.iter().any(has_nul),
        Value::Object(map) => map
            .iter()
            .any(|(key, value)| key.contains('\0') || has_nul(value)),
        _ => false,
    }
}

fn no_nul<T>() -> Result<T, Failure> {
    fail(
        "22P05",
        "unsupported Unicode escape sequence: \\u0000 cannot be converted to text",
    )
}

/// Keys by their length, then by their bytes.
pub(super) fn sorted(value: Value) -> Value {
    match value {
        Value::Object(map) => {
            let mut pairs: Vec<(String, Value)> =
                map.into_iter().map(|(key, value)| (key, sorted(value))).collect();
            pairs.sort_by(|(one, _), (other, _)| (one.len(), one).cmp(&(other.len(), other)));
            Value::Object(pairs.into_iter().collect())
        }
        Value::Array(values) => Value::Array(values.into_iter().map(sorted).collect()),
        other => other,
    }
}

/// With a blank behind each colon and comma.
pub(super) fn shown(value: &Value) -> String {
    let mut text = String::new();
    show(value, &mut text);
    text
}

fn show(value: &Value, text: &mut String) {
    match value {
        Value::Object(map) => {
            text.push('{');
            for (at, (key, value)) in map.iter().enumerate() {
                text.push_str(if at == 0 { "" } else { ", " });
                text.push_str(&quoted(key));
                text.push_str(": ");
                show(value, text);
            }
            text.push('}');
        }
        Value::Array(values) => {
            text.push('[');
            for (at, value) in values.iter().enumerate() {
                text.push_str(if at == 0 { "" } else { ", " });
                show(value, text);
            }
            text.push(']');
        }
        Value::Number(number) => match number.as_f64() {
            Some(real) if number.is_f64() => text.push_str(
                &number::general(real, 17)
                    .parse::<f64>()
                    .map_or_else(|_| number.to_string(), |r| r.to_string()),
            ),
            _ => text.push_str(&number.to_string()),
        },
        other => text.push_str(&other.to_string()),
    }
}

pub(super) fn text_of(value: &Value) -> Out {
    Ok(match value {
        Value::Null => V::Null,
        Value::String(text) if text.contains('\0') => return no_nul(),
        Value::String(text) => text.as_str().into(),
        other => shown(other).into(),
    })
}

fn step<'v>(value: &'v Value, key: &V) -> Option<&'v Value> {
    match (value, key) {
        (Value::Array(values), V::Int(at)) => index(values, *at),
        (Value::Object(map), V::Text(key)) => map.get(key),
        _ => None,
    }
}

fn index(values: &[Value], at: i64) -> Option<&Value> {
    let at = if at < 0 { values.len() as i64 + at } else { at };
    usize::try_from(at).ok().and_then(|at| values.get(at))
}

fn path<'v>(mut value: &'v Value, keys: &[Option<String>]) -> Option<&'v Value> {
    for key in keys {
        let key = key.as_ref()?;
        value = match value {
            Value::Array(values) => index(values, key.parse().ok()?)?,
            Value::Object(map) => map.get(key)?,
            _ => return None,
        };
    }
    Some(value)
}

/// What was found, as a text or as a document.
fn found(value: Option<&Value>, as_text: bool) -> Out {
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

/// Of the whole documents alone: an array has a value that is none.
fn contains(one: &Value, other: &Value) -> Result<bool, Failure> {
    match (one, other) {
        (Value::Array(values), scalar) if !scalar.is_object() && !scalar.is_array() => {
            for value in values {
                allowance::turn()?;
                if !value.is_array() && !value.is_object() && has_within(value, scalar)? {
                    return Ok(true);
                }
            }
            Ok(false)
        }
        _ => has_within(one, other),
    }
}

fn has_within(one: &Value, other: &Value) -> Result<bool, Failure> {
    Ok(match (one, other) {
        (Value::Object(one), Value::Object(other)) => {
            for (key, value) in other {
                match one.get(key) {
                    Some(found) if has_within(found, value)? => {}
                    _ => return Ok(false),
                }
            }
            true
        }
        (Value::Array(one), Value::Array(other)) => {
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
        (Value::Number(one), Value::Number(other)) => one.as_f64() == other.as_f64(),
        (one, other) => one == other,
    })
}

fn has(document: &Value, key: &str) -> bool {
    Keys::of(document).has(key)
}

/// The keys of an object, or the strings of an array.
struct Keys<'v>(HashSet<&'v str>);

impl<'v> Keys<'v> {
    fn of(document: &'v Value) -> Self {
        Self(match document {
            Value::Object(map) => map.keys().map(String::as_str).collect(),
            Value::Array(values) => values.iter().filter_map(Value::as_str).collect(),
            Value::String(text) => HashSet::from([text.as_str()]),
            _ => HashSet::new(),
        })
    }

    fn has(&self, key: &str) -> bool {
        self.0.contains(key)
    }
}

fn has_some(values: &[V], all: bool) -> Out {
    let document = of(&values[0])?;
    let keys = array::elements(&values[1].text())?;
    let known = Keys::of(&document);
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
        (Value::Object(map), V::Text(key)) => {
            map.shift_remove(key);
        }
        (Value::Array(all), V::Text(key)) => all.retain(|value| value.as_str() != Some(key)),
        (Value::Array(all), V::Int(at)) => {
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

fn set(value: &mut Value, keys: &[Option<String>], new: Option<&Value>, create: bool) {
    let Some((Some(key), rest)) = keys.split_first().map(|(key, rest)| (key.as_ref(), rest)) else {
        return;
    };
    match value {
        Value::Object(map) => {
            if !rest.is_empty() {
                if let Some(inner) = map.get_mut(key) {
                    set(inner, rest, new, create);
                }
            } else if let Some(new) = new {
                if create || map.contains_key(key) {
                    map.insert(key.clone(), new.clone());
                }
            } else {
                map.shift_remove(key);
            }
        }
        Value::Array(values) => {
            let Ok(at) = key.parse::<i64>() else { return };
            let place = if at < 0 { values.len() as i64 + at } else { at };
            match usize::try_from(place).ok().filter(|at| *at < values.len()) {
                Some(at) if !rest.is_empty() => set(&mut values[at], rest, new, create),
                Some(at) => match new {
                    Some(new) => values[at] = new.clone(),
                    None => {
                        values.remove(at);
                    }
                },
                None if create && rest.is_empty() => {
                    if let Some(new) = new {
                        let at = if place < 0 { 0 } else { values.len() };
                        values.insert(at, new.clone());
                    }
                }
                None => {}
            }
        }
        _ => {}
    }
}

fn scalar(values: &[V], name: &str) -> Out {
    let found = of(&values[0])?;
    match (&found, name) {
        (Value::Bool(truth), "bool") => Ok(V::of_bool(*truth)),
        // The digits as they are kept.
        (Value::Number(_), "numeric") => Ok(values[0].text().trim().into()),
        (Value::Number(number), "float8") => Ok(V::Real(number.as_f64().unwrap_or(0.0))),
        (Value::Number(number), "float4") => single::narrowed(&V::Real(number.as_f64().unwrap_or(0.0))),
        (Value::Number(_), "int2") => numeric::to_int(values, i16::MIN.into(), i16::MAX.into(), "smallint"),
        (Value::Number(_), "int4") => numeric::to_int(values, i32::MIN.into(), i32::MAX.into(), "integer"),
        (Value::Number(_), "int8") => numeric::to_int(values, i64::MIN, i64::MAX, "bigint"),
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

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
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
        Ok(V::of_bool(has(&of(&v[0])?, &v[1].text())))
    }),
    ("pg_jsonb_has_any", 2, Strict, |v| has_some(v, false)),
    ("pg_jsonb_has_all", 2, Strict, |v| has_some(v, true)),
    ("pg_jsonb_concat", 2, Strict, |v| {
        let merged = match (of(&v[0])?, of(&v[1])?) {
            (Value::Object(mut one), Value::Object(other)) => {
                one.extend(other);
                Value::Object(one)
            }
            (Value::Array(mut one), Value::Array(other)) => {
                one.extend(other);
                Value::Array(one)
            }
            (Value::Array(mut one), other) => {
                one.push(other);
                Value::Array(one)
            }
            (one, Value::Array(mut other)) => {
                other.insert(0, one);
                Value::Array(other)
            }
            (one, other) => Value::Array(vec![one, other]),
        };
        Ok(shown(&sorted(merged)).into())
    }),
    ("pg_jsonb_minus", 2, Strict, minus),
    ("pg_jsonb_minus_path", 2, Strict, |v| {
        let mut document = of(&v[0])?;
        set(&mut document, &array::elements(&v[1].text())?, None, false);
        Ok(shown(&document).into())
    }),
    ("pg_jsonb_set", 4, Strict, |v| {
        let (mut document, new) = (of(&v[0])?, of(&v[2])?);
        set(
            &mut document,
            &array::elements(&v[1].text())?,
            Some(&new),
            v[3].int() != 0,
        );
        Ok(shown(&sorted(document)).into())
    }),
    ("pg_jsonb_insert", 4, Strict, |v| {
        let (mut document, new) = (of(&v[0])?, of(&v[2])?);
        inserted(
            &mut document,
            &array::elements(&v[1].text())?,
            &new,
            v[3].int() != 0,
        )?;
        Ok(shown(&sorted(document)).into())
    }),
    ("pg_row_json", -1, Lenient, |v| Ok(build_object(v, ":")?.into())),
    ("pg_json_zip", -1, Lenient, zip),
    ("pg_json_build_object", -1, Lenient, |v| {
        Ok(build_object(v, " : ")?.into())
    }),
    ("pg_jsonb_build_object", -1, Lenient, |v| {
        normal(&build_object(v, ": ")?)
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
        Value::Array(values) => Ok(V::Int(values.len() as i64)),
        Value::Object(_) => fail("22023", "cannot get array length of a non-array"),
        _ => fail("22023", "cannot get array length of a scalar"),
    }),
    ("pg_json_elements", 2, Strict, |v| elements(v, v[1].int() != 0)),
    ("pg_json_keys", 1, Strict, |v| {
        let keys: Vec<String> = object(&v[0])?.keys().map(|key| quoted(key)).collect();
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
