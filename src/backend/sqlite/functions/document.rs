//! JSON documents built and taken apart.

use serde_json::{Map, Value};

use super::{
    Failure, Out, V, fail,
    json::{of, quoted, shown},
};

/// JSON texts as they come, NULL as `null`.
pub(super) fn fragment(value: &V) -> String {
    if value.is_null() {
        "null".into()
    } else {
        value.text()
    }
}

/// A key as JSON: whatever was a number becomes a string.
pub(super) fn key(value: &V) -> Result<String, Failure> {
    if value.is_null() {
        return fail("22004", "null value not allowed for object key");
    }
    let text = value.text();
    Ok(if text.starts_with('"') {
        text
    } else {
        quoted(&text)
    })
}

pub(super) fn build_object(values: &[V], separator: &str) -> Result<String, Failure> {
    if !values.len().is_multiple_of(2) {
        return fail("22023", "argument list must have even number of elements");
    }
    let mut parts = vec![];
    for pair in values.chunks(2) {
        parts.push(format!("{}{separator}{}", key(&pair[0])?, fragment(&pair[1])));
    }
    Ok(format!("{{{}}}", parts.join(", ")))
}

pub(super) fn elements(values: &[V], as_text: bool) -> Out {
    match of(&values[0])? {
        Value::Array(all) => {
            let parts: Vec<String> = all
                .iter()
                .map(|value| match (as_text, value) {
                    (true, Value::Null) => "null".into(),
                    (true, Value::String(text)) => quoted(text),
                    (_, value) => quoted(&shown(value)),
                })
                .collect();
            Ok(format!("[{}]", parts.join(",")).into())
        }
        Value::Object(_) => fail("22023", "cannot extract elements from an object"),
        _ => fail("22023", "cannot extract elements from a scalar"),
    }
}

pub(super) fn object(value: &V) -> Result<Map<String, Value>, Failure> {
    match of(value)? {
        Value::Object(map) => Ok(map),
        Value::Array(_) => fail("22023", "cannot call jsonb_object_keys on an array"),
        _ => fail("22023", "cannot call jsonb_object_keys on a scalar"),
    }
}

pub(super) fn pairs(values: &[V]) -> Out {
    let as_text = values[1].int() != 0;
    let parts: Vec<String> = object(&values[0])?
        .iter()
        .map(|(key, value)| {
            let value = match (as_text, value) {
                (true, Value::Null) => "null".into(),
                (true, Value::String(text)) => quoted(text),
                (_, value) => quoted(&shown(value)),
            };
            format!("[{},{value}]", quoted(key))
        })
        .collect();
    Ok(format!("[{}]", parts.join(",")).into())
}

pub(super) fn stripped(value: Value) -> Value {
    match value {
        Value::Object(map) => Value::Object(
            map.into_iter()
                .filter(|(_, value)| !value.is_null())
                .map(|(key, value)| (key, stripped(value)))
                .collect(),
        ),
        Value::Array(values) => Value::Array(values.into_iter().map(stripped).collect()),
        other => other,
    }
}

pub(super) fn pretty(value: &Value, depth: usize) -> String {
    let inside = "    ".repeat(depth + 1);
    let outside = "    ".repeat(depth);
    match value {
        Value::Object(map) if !map.is_empty() => {
            let parts: Vec<String> = map
                .iter()
                .map(|(key, value)| format!("{inside}{}: {}", quoted(key), pretty(value, depth + 1)))
                .collect();
            format!("{{\n{}\n{outside}}}", parts.join(",\n"))
        }
        Value::Array(values) if !values.is_empty() => {
            let parts: Vec<String> = values
                .iter()
                .map(|value| format!("{inside}{}", pretty(value, depth + 1)))
                .collect();
            format!("[\n{}\n{outside}]", parts.join(",\n"))
        }
        other => shown(other),
    }
}
