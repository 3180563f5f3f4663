//! Parts of a `json`, which stay as they are written: digits, blanks, and keys that are there twice. Of a `jsonb` see
//! `json`.

use super::{
    Failure,
    Nature::{Lenient, Strict},
    Out, Scalar, V, allowance, array, fail,
    json::{no_nul, quoted},
    json_value::{Parts, decoded, parts},
};

/// The part of a document at a key or a place.
fn step<'t>(document: &'t str, key: &V) -> Result<Option<&'t str>, Failure> {
    Ok(match (parts(document)?, key) {
        (Parts::Array(values), V::Int(at)) => place(&values, *at),
        (Parts::Object(pairs), V::Text(key)) => named(&pairs, key)?,
        _ => None,
    })
}

fn place<'t>(values: &[&'t str], at: i64) -> Option<&'t str> {
    let at = if at < 0 { values.len() as i64 + at } else { at };
    usize::try_from(at).ok().and_then(|at| values.get(at).copied())
}

/// The last one counts.
fn named<'t>(pairs: &[(&'t str, &'t str)], wanted: &str) -> Result<Option<&'t str>, Failure> {
    for (key, value) in pairs.iter().rev() {
        if decoded(key)? == wanted {
            return Ok(Some(value));
        }
    }
    Ok(None)
}

fn path<'t>(mut document: &'t str, keys: &[Option<String>]) -> Result<Option<&'t str>, Failure> {
    for key in keys {
        let Some(key) = key else { return Ok(None) };
        let found = match parts(document)? {
            Parts::Array(values) => key.parse().ok().and_then(|at| place(&values, at)),
            Parts::Object(pairs) => named(&pairs, key)?,
            Parts::Scalar(_) => None,
        };
        match found {
            Some(found) => document = found,
            None => return Ok(None),
        }
    }
    Ok(Some(document))
}

/// The text of a part: of a string what it says, of nothing NULL.
fn text_of(part: &str) -> Out {
    Ok(match part.as_bytes().first() {
        Some(b'"') => {
            let text = decoded(part)?;
            if text.contains('\0') {
                return no_nul();
            }
            text.into()
        }
        Some(b'n') => V::Null,
        _ => part.into(),
    })
}

fn found(part: Option<&str>, as_text: bool) -> Out {
    match part {
        None => Ok(V::Null),
        Some(part) if as_text => text_of(part),
        Some(part) => Ok(part.into()),
    }
}

fn get(values: &[V], as_text: bool) -> Out {
    found(step(&values[0].text(), &values[1])?, as_text)
}

fn at_path(values: &[V], as_text: bool) -> Out {
    let document = values[0].text();
    parts(&document)?;
    let keys = array::elements(&values[1].text())?;
    found(path(document.trim_ascii(), &keys)?, as_text)
}

fn extract_path(values: &[V], as_text: bool) -> Out {
    if values.iter().any(V::is_null) {
        return Ok(V::Null);
    }
    let keys: Vec<_> = values[1..].iter().map(|key| Some(key.text())).collect();
    let document = values[0].text();
    parts(&document)?;
    found(path(document.trim_ascii(), &keys)?, as_text)
}

/// A part as an element of a list of rows.
fn listed(part: &str, as_text: bool) -> Result<String, Failure> {
    Ok(match (as_text, text_of(part)) {
        (true, text) => match text? {
            V::Null => "null".into(),
            text => quoted(&text.text()),
        },
        (false, _) => quoted(part),
    })
}

fn elements(values: &[V]) -> Out {
    let as_text = values[1].int() != 0;
    let name = if as_text {
        "json_array_elements_text"
    } else {
        "json_array_elements"
    };
    match parts(&values[0].text())? {
        Parts::Array(all) => list(all.into_iter().map(|part| listed(part, as_text))),
        Parts::Object(_) => fail("22023", format!("cannot call {name} on a non-array")),
        Parts::Scalar(_) => fail("22023", format!("cannot call {name} on a scalar")),
    }
}

fn list(parts: impl Iterator<Item = Result<String, Failure>>) -> Out {
    let mut list = String::from("[");
    for part in parts {
        allowance::value_of(list.len())?;
        if list.len() > 1 {
            list.push(',');
        }
        list.push_str(&part?);
    }
    list.push(']');
    Ok(list.into())
}

fn pairs(values: &[V]) -> Out {
    let as_text = values[1].int() != 0;
    match parts(&values[0].text())? {
        Parts::Object(pairs) => list(pairs.into_iter().map(|(key, part)| {
            let key = quoted(&decoded(key)?);
            Ok(format!("[{key},{}]", listed(part, as_text)?))
        })),
        Parts::Array(_) => fail("22023", "cannot deconstruct an array as an object"),
        Parts::Scalar(_) => fail("22023", "cannot deconstruct a scalar"),
    }
}

fn keys(values: &[V]) -> Out {
    match parts(&values[0].text())? {
        Parts::Object(pairs) => list(pairs.into_iter().map(|(key, _)| Ok(quoted(&decoded(key)?)))),
        Parts::Array(_) => fail("22023", "cannot call json_object_keys on an array"),
        Parts::Scalar(_) => fail("22023", "cannot call json_object_keys on a scalar"),
    }
}

/// Without the fields that are null, and without blanks.
fn stripped(document: &str, text: &mut String) -> Result<(), Failure> {
    match parts(document)? {
        Parts::Object(pairs) => {
            text.push('{');
            let start = text.len();
            for (key, value) in pairs.into_iter().filter(|(_, value)| *value != "null") {
                if text.len() > start {
                    text.push(',');
                }
                text.push_str(&quoted(&decoded(key)?));
                text.push(':');
                stripped(value, text)?;
            }
            text.push('}');
        }
        Parts::Array(values) => {
            text.push('[');
            for (at, value) in values.into_iter().enumerate() {
                if at > 0 {
                    text.push(',');
                }
                stripped(value, text)?;
            }
            text.push(']');
        }
        Parts::Scalar(scalar) if scalar.starts_with('"') => text.push_str(&quoted(&decoded(scalar)?)),
        Parts::Scalar(scalar) => text.push_str(scalar),
    }
    Ok(())
}

/// The rows that records are read from: the elements of an array, or one document alone.
fn records(values: &[V]) -> Out {
    let (document, name) = (values[0].text(), values[1].text());
    let is_set = name.ends_with("set");
    match parts(&document)? {
        Parts::Object(_) if !is_set => list([Ok(quoted(&document))].into_iter()),
        Parts::Array(_) if !is_set => fail("22023", "cannot call populate_composite on an array"),
        Parts::Scalar(_) if !is_set => fail("22023", "cannot call populate_composite on a scalar"),
        Parts::Array(all) => list(all.into_iter().map(|part| {
            if !part.starts_with('{') {
                let words = format!("argument of {name} must be an array of objects");
                return fail("22023", words);
            }
            Ok(quoted(part))
        })),
        Parts::Object(_) => fail("22023", format!("cannot call {name} on an object")),
        Parts::Scalar(_) => fail("22023", format!("cannot call {name} on a scalar")),
    }
}

/// An array of JSON as an array of a type's texts, where the dimensions fit; a string is read as an array itself.
fn array_of(values: &[V]) -> Out {
    let document = values[0].text();
    match parts(&document)? {
        Parts::Scalar("null") => Ok(V::Null),
        Parts::Scalar(scalar) if scalar.starts_with('"') => Ok(decoded(scalar)?.into()),
        Parts::Array(all) => {
            let depth = depth(&all)?;
            let mut text = String::new();
            dimension(&all, depth, values[1].int() != 0, &mut text)?;
            Ok(text.into())
        }
        _ => fail("22P02", "expected JSON array"),
    }
}

/// How many dimensions there are: as many as the first elements are arrays.
fn depth(values: &[&str]) -> Result<usize, Failure> {
    Ok(match values.first() {
        Some(first) if first.starts_with('[') => match parts(first)? {
            Parts::Array(inner) => 1 + depth(&inner)?,
            _ => 1,
        },
        _ => 1,
    })
}

/// `are_json` says that the elements are documents themselves.
fn dimension(values: &[&str], depth: usize, are_json: bool, text: &mut String) -> Result<usize, Failure> {
    let mut length = None;
    text.push('{');
    for (at, value) in values.iter().enumerate() {
        allowance::value_of(text.len())?;
        if at > 0 {
            text.push(',');
        }
        if depth == 1 {
            let element = match value {
                _ if are_json && *value != "null" => Some((*value).to_owned()),
                _ => match text_of(value)? {
                    V::Null => None,
                    found => Some(found.text()),
                },
            };
            super::array_out::push(text, &element)?;
            continue;
        }
        let Parts::Array(inner) = parts(value)? else {
            return fail("22P02", "expected JSON array");
        };
        let inner = dimension(&inner, depth - 1, are_json, text)?;
        if *length.get_or_insert(inner) != inner {
            return fail("22P02", "malformed JSON array");
        }
    }
    text.push('}');
    Ok(values.len())
}

/// Functions of `json`.
pub(super) const FUNCTIONS: &[Scalar] = &[
    ("pg_raw_get", 2, Strict, |v| get(v, false)),
    ("pg_raw_get_text", 2, Strict, |v| get(v, true)),
    ("pg_raw_path", 2, Strict, |v| at_path(v, false)),
    ("pg_raw_path_text", 2, Strict, |v| at_path(v, true)),
    ("pg_raw_extract_path", -2, Lenient, |v| extract_path(v, false)),
    ("pg_raw_extract_path_text", -2, Lenient, |v| extract_path(v, true)),
    ("pg_raw_elements", 2, Strict, elements),
    ("pg_raw_pairs", 2, Strict, pairs),
    ("pg_raw_keys", 1, Strict, keys),
    ("pg_raw_records", 2, Strict, records),
    ("pg_raw_array", 2, Strict, array_of),
    ("pg_json_strip_nulls", 1, Strict, |v| {
        let mut text = String::new();
        stripped(&v[0].text(), &mut text)?;
        Ok(text.into())
    }),
];
