//! JSON documents built and taken apart.

use std::{collections::BTreeMap, fmt::Write as _};

use super::{
    Failure, Out, V, allowance, fail,
    json::{of, quoted, shown},
    json_path::place_in_path,
    json_value::{Json, Key},
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
fn key(value: &V, at: usize, is_binary: bool) -> Result<String, Failure> {
    if value.is_null() {
        return fail(
            "22023",
            if is_binary {
                format!("argument {at}: key must not be null")
            } else {
                format!("argument {at} cannot be null")
            },
        );
    }
    let text = value.text();
    Ok(if text.starts_with('"') {
        text
    } else {
        quoted(&text)
    })
}

/// `by_lines` sets each field of a row in a line of its own.
pub(super) fn build_object(values: &[V], separator: &str, by_lines: bool) -> Result<String, Failure> {
    if !values.len().is_multiple_of(2) {
        return fail("22023", "argument list must have even number of elements");
    }
    let mut parts = vec![];
    for (at, pair) in values.chunks(2).enumerate() {
        let key = key(&pair[0], at * 2 + 1, separator == ": ")?;
        parts.push(format!("{key}{separator}{}", fragment(&pair[1])));
    }
    let comma = match separator {
        ":" if by_lines => ",\n ",
        ":" => ",",
        _ => ", ",
    };
    Ok(format!("{{{}}}", parts.join(comma)))
}

pub(super) fn elements(values: &[V], as_text: bool) -> Out {
    match of(&values[0])? {
        Json::Array(all) => {
            let parts: Vec<String> = all
                .iter()
                .map(|value| match (as_text, value) {
                    (true, Json::Null) => "null".into(),
                    (true, Json::String(text)) => quoted(text),
                    (_, value) => quoted(&shown(value)),
                })
                .collect();
            Ok(format!("[{}]", parts.join(",")).into())
        }
        Json::Object(_) => fail("22023", "cannot extract elements from an object"),
        _ => fail("22023", "cannot extract elements from a scalar"),
    }
}

pub(super) fn object(value: &V) -> Result<BTreeMap<Key, Json>, Failure> {
    match of(value)? {
        Json::Object(map) => Ok(map),
        Json::Array(_) => fail("22023", "cannot call jsonb_object_keys on an array"),
        _ => fail("22023", "cannot call jsonb_object_keys on a scalar"),
    }
}

pub(super) fn pairs(values: &[V]) -> Out {
    let as_text = values[1].int() != 0;
    let parts: Vec<String> = object(&values[0])?
        .iter()
        .map(|(Key(key), value)| {
            let value = match (as_text, value) {
                (true, Json::Null) => "null".into(),
                (true, Json::String(text)) => quoted(text),
                (_, value) => quoted(&shown(value)),
            };
            format!("[{},{value}]", quoted(key))
        })
        .collect();
    Ok(format!("[{}]", parts.join(",")).into())
}

pub(super) fn stripped(value: Json) -> Json {
    match value {
        _ if allowance::gives_up(0) => Json::Null,
        Json::Object(map) => Json::Object(
            map.into_iter()
                .filter(|(_, value)| *value != Json::Null)
                .map(|(key, value)| (key, stripped(value)))
                .collect(),
        ),
        Json::Array(values) => Json::Array(values.into_iter().map(stripped).collect()),
        other => other,
    }
}

pub(super) fn pretty(value: &Json, depth: usize) -> String {
    let inside = "    ".repeat(depth + 1);
    let outside = "    ".repeat(depth);
    match value {
        _ if allowance::gives_up(0) => String::new(),
        Json::Object(map) if map.is_empty() => format!("{{\n{outside}}}"),
        Json::Array(values) if values.is_empty() => format!("[\n{outside}]"),
        Json::Object(map) => {
            let parts: Vec<String> = map
                .iter()
                .map(|(Key(key), value)| format!("{inside}{}: {}", quoted(key), pretty(value, depth + 1)))
                .collect();
            format!("{{\n{}\n{outside}}}", parts.join(",\n"))
        }
        Json::Array(values) => {
            let parts: Vec<String> = values
                .iter()
                .map(|value| format!("{inside}{}", pretty(value, depth + 1)))
                .collect();
            format!("[\n{}\n{outside}]", parts.join(",\n"))
        }
        other => shown(other),
    }
}

pub(super) fn inserted(
    value: &mut Json,
    keys: &[Option<String>],
    new: &Json,
    after: bool,
    at: usize,
) -> Result<(), Failure> {
    let Some((key, rest)) = keys.split_first() else {
        return Ok(());
    };
    let Some(key) = key else {
        return fail("22004", format!("path element at position {at} is null"));
    };
    match value {
        Json::Object(map) if !rest.is_empty() => match map.get_mut(&Key(key.clone())) {
            Some(inner) => inserted(inner, rest, new, after, at + 1),
            None => Ok(()),
        },
        Json::Object(map) if map.contains_key(&Key(key.clone())) => {
            fail("22023", "cannot replace existing key")
        }
        Json::Object(map) => {
            map.insert(Key(key.clone()), new.clone());
            Ok(())
        }
        Json::Array(values) => {
            let place = place_in_path(key, at)?;
            let count = values.len() as i64;
            let place = if place < 0 { count + place } else { place };
            if !rest.is_empty() {
                return match usize::try_from(place)
                    .ok()
                    .and_then(|place| values.get_mut(place))
                {
                    Some(inner) => inserted(inner, rest, new, after, at + 1),
                    None => Ok(()),
                };
            }
            let place = (place + i64::from(after && place < count)).clamp(0, count);
            values.insert(place as usize, new.clone());
            Ok(())
        }
        _ if at == 1 => fail("22023", "cannot set path in scalar"),
        _ => Ok(()),
    }
}

/// Lists that step together; the shorter ones end in nulls.
pub(super) fn zip(values: &[V]) -> Out {
    let mut lists = vec![];
    for value in values {
        lists.push(match of_or_null(value)? {
            Json::Array(all) => all,
            _ => vec![],
        });
    }
    let longest = lists.iter().map(Vec::len).max().unwrap_or(0);
    let mut rows = String::from("[");
    for at in 0..longest {
        for (place, list) in lists.iter().enumerate() {
            allowance::value_of(rows.len())?;
            rows.push_str(match (place, at) {
                (0, 0) => "[",
                (0, _) => "],[",
                _ => ",",
            });
            let value = list.get(at).unwrap_or(&Json::Null);
            let _ = write!(rows, "{value}");
        }
    }
    rows.push_str(if longest > 0 { "]]" } else { "]" });
    Ok(rows.into())
}

fn of_or_null(value: &V) -> Result<Json, Failure> {
    if value.is_null() {
        Ok(Json::Null)
    } else {
        of(value)
    }
}
