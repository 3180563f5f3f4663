//! Values of any type as JSON.

use super::{
    Failure,
    Nature::{Lenient, Strict},
    Out, Scalar, V, allowance,
    array::{self, Element},
    bytea, fail,
    json::{self, of, shown},
    json_value::Json,
    time, zone,
};
use crate::pgtypes::float::{float4_text, float8_text};

/// A value of a type as JSON.
pub(super) fn json_of(value: &V, ty: &str) -> Result<Json, Failure> {
    Ok(match (value, ty) {
        (V::Null, _) => Json::Null,
        (V::Blob(bytes), _) => Json::String(bytea::text(bytes)),
        (_, "json" | "jsonb") => of(value)?,
        (V::Int(truth), "bool") => Json::Bool(*truth != 0),
        (V::Text(truth), "bool") => Json::Bool(truth == "t"),
        (V::Int(number), "oid") => Json::String(number.to_string()),
        (V::Text(numbers), "int2vector") => json_of(&array::of_vector(numbers), "_int2")?,
        (V::Text(numbers), "oidvector") => json_of(&array::of_vector(numbers), "_oid")?,
        (V::Int(number), _) => Json::Number(number.to_string()),
        (V::Real(number), "float4") => Json::number_or_string(&float4_text(*number as f32)),
        (V::Real(_), _) => Json::number_or_string(&value.text()),
        (V::Text(text), "numeric" | "int2" | "int4" | "int8" | "float4" | "float8") => {
            Json::number_or_string(text)
        }
        (V::Text(_), "date" | "timestamp") => Json::String(time::shown(value, "T")),
        (V::Text(_), "timestamptz") => Json::String(zone::shown(value, "T", true)?),
        (V::Text(text), ty) if ty.starts_with('_') => Json::Array(each_element(text, ty, json_of)?),
        (other, _) => Json::String(other.text()),
    })
}

/// The elements of an array of this type, one by one; arrays within it are of the same type.
fn each_element<T>(
    array: &str,
    ty: &str,
    element: impl Fn(&V, &str) -> Result<T, Failure>,
) -> Result<Vec<T>, Failure> {
    let of = &ty[1..];
    let mut values = vec![];
    for found in array::elements(array)? {
        allowance::turn()?;
        values.push(match found {
            None => element(&V::Null, of)?,
            Some(nested) if nested.starts_with('{') && !of.starts_with("json") => {
                element(&nested.into(), ty)?
            }
            Some(text) => element(&text.into(), of)?,
        });
    }
    Ok(values)
}

fn to_jsonb(values: &[V]) -> Out {
    if values[0].is_null() {
        return Ok(V::Null);
    }
    // The digits of a number are kept.
    if let (V::Text(digits), "numeric") = (&values[0], values[1].text().as_str()) {
        return Ok(number(digits.clone()).into());
    }
    Ok(shown(&json_of(&values[0], &values[1].text())?).into())
}

/// A number in its own words; in quotes where JSON has no such number.
fn number(words: String) -> String {
    if words.ends_with(|last: char| last.is_ascii_digit()) {
        words
    } else {
        json::quoted(&words)
    }
}

/// As PostgreSQL's `json` has a value: what is JSON stays as it is written, so do numbers, and arrays are written without blanks.
pub(super) fn written(value: &V, ty: &str) -> Result<String, Failure> {
    Ok(match (value, ty) {
        (V::Text(text), "json" | "jsonb" | "record") => text.clone(),
        (V::Real(real), "float4") => number(float4_text(*real as f32)),
        (V::Real(real), _) => number(float8_text(*real)),
        (V::Text(text), "numeric" | "int2" | "int4" | "int8" | "float4" | "float8") => number(text.clone()),
        (V::Text(text), ty) if ty.starts_with('_') => {
            format!("[{}]", each_element(text, ty, written)?.join(","))
        }
        _ => json_of(value, ty)?.to_string(),
    })
}

fn to_json(values: &[V]) -> Out {
    if values[0].is_null() {
        return Ok(V::Null);
    }
    Ok(written(&values[0], &values[1].text())?.into())
}

type Pair = (Element, Element);

/// The keys and values of an array in which they take turns, or stand side by side.
fn paired(array: &V) -> Result<Vec<Pair>, Failure> {
    let text = array.text();
    let is_nested = array::elements(&text)?
        .first()
        .is_some_and(|first| first.as_ref().is_some_and(|first| first.starts_with('{')));
    let all = array::leaves(&text)?;
    if is_nested && array::elements(&text)?.len() * 2 != all.len() {
        return fail("2202E", "array must have two columns");
    }
    if !all.len().is_multiple_of(2) {
        return fail("2202E", "array must have even number of elements");
    }
    let pairs = all.chunks(2).map(|pair| (pair[0].clone(), pair[1].clone()));
    Ok(pairs.collect())
}

fn zipped(keys: &V, values: &V) -> Result<Vec<Pair>, Failure> {
    let (keys, values) = (array::elements(&keys.text())?, array::elements(&values.text())?);
    if keys.len() != values.len() {
        return fail("2202E", "mismatched array dimensions");
    }
    Ok(keys.into_iter().zip(values).collect())
}

fn object(pairs: &[Pair], between: &str) -> Result<String, Failure> {
    let mut parts = vec![];
    for (key, value) in pairs {
        let Some(key) = key else {
            return fail("22004", "null value not allowed for object key");
        };
        let value = value
            .as_ref()
            .map_or_else(|| "null".into(), |value| json::quoted(value));
        parts.push(format!("{}{between}{value}", json::quoted(key)));
    }
    Ok(format!("{{{}}}", parts.join(", ")))
}

/// Functions that make JSON of a value and its type.
pub(super) const FUNCTIONS: &[Scalar] = &[
    ("pg_array_to_json", 2, Strict, |v| {
        Ok(written(&v[0], &v[1].text())?.into())
    }),
    ("pg_array_to_json", 3, Strict, |v| {
        let (text, ty) = (v[0].text(), v[1].text());
        if v[2].int() == 0 {
            return Ok(written(&v[0], &ty)?.into());
        }
        let mut parts = vec![];
        for element in array::elements(&text)? {
            let of = match &element {
                Some(nested) if nested.starts_with('{') && !ty.starts_with("_json") => ty.as_str(),
                _ => ty.trim_start_matches('_'),
            };
            parts.push(written(&element.map_or(V::Null, V::from), of)?);
        }
        Ok(format!("[{}]", parts.join(",\n ")).into())
    }),
    ("pg_json_object", 1, Strict, |v| {
        Ok(object(&paired(&v[0])?, " : ")?.into())
    }),
    ("pg_json_object", 2, Strict, |v| {
        Ok(object(&zipped(&v[0], &v[1])?, " : ")?.into())
    }),
    ("pg_jsonb_object", 1, Strict, |v| {
        json::normal(&object(&paired(&v[0])?, ": ")?)
    }),
    ("pg_jsonb_object", 2, Strict, |v| {
        json::normal(&object(&zipped(&v[0], &v[1])?, ": ")?)
    }),
    ("pg_to_json", 2, Lenient, to_json),
    ("pg_to_jsonb", 2, Lenient, to_jsonb),
];
