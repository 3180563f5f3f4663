//! Values of any type as JSON.

use serde_json::Value;

use super::{
    Failure,
    Nature::{Lenient, Strict},
    Out, Scalar, V, array,
    json::{of, shown, sorted},
    time, zone,
};

/// A value of a type as JSON.
pub(super) fn json_of(value: &V, ty: &str) -> Result<Value, Failure> {
    Ok(match (value, ty) {
        (V::Null, _) => Value::Null,
        (_, "json" | "jsonb") => of(value)?,
        (V::Int(truth), "bool") => Value::Bool(*truth != 0),
        (V::Text(truth), "bool") => Value::Bool(truth == "t"),
        (V::Int(number), "oid") => Value::String(number.to_string()),
        (V::Text(numbers), "int2vector") => json_of(&array::of_vector(numbers), "_int2")?,
        (V::Text(numbers), "oidvector") => json_of(&array::of_vector(numbers), "_oid")?,
        (V::Int(number), _) => (*number).into(),
        (V::Real(number), _) => Value::from(*number),
        (V::Text(text), "numeric" | "int2" | "int4" | "int8" | "float4" | "float8") => {
            serde_json::from_str(text).unwrap_or_else(|_| Value::String(text.clone()))
        }
        (V::Text(_), "date" | "timestamp") => Value::String(time::shown(value, "T")),
        (V::Text(_), "timestamptz") => Value::String(zone::shown(value, "T", true)?),
        (V::Text(text), ty) if ty.starts_with('_') => {
            let of = &ty[1..];
            let mut values = vec![];
            for element in array::elements(text)? {
                values.push(match element {
                    None => Value::Null,
                    Some(nested) if nested.starts_with('{') && !of.starts_with("json") => {
                        json_of(&nested.into(), ty)?
                    }
                    Some(text) => json_of(&text.into(), of)?,
                });
            }
            Value::Array(values)
        }
        (other, _) => Value::String(other.text()),
    })
}

fn to_jsonb(values: &[V]) -> Out {
    if values[0].is_null() {
        return Ok(V::Null);
    }
    // The digits of a number are kept.
    if let (V::Text(digits), "numeric") = (&values[0], values[1].text().as_str()) {
        return Ok(digits.as_str().into());
    }
    Ok(shown(&sorted(json_of(&values[0], &values[1].text())?)).into())
}

/// As PostgreSQL's `json` has it: what is JSON stays as it is written, and arrays are written without blanks.
fn to_json(values: &[V]) -> Out {
    match (&values[0], values[1].text().as_str()) {
        (V::Text(_), "json" | "jsonb") => Ok(values[0].clone()),
        (V::Text(_), ty) if ty.starts_with('_') || ty.ends_with("vector") => {
            Ok(json_of(&values[0], ty)?.to_string().into())
        }
        _ => to_jsonb(values),
    }
}

/// Functions that make JSON of a value and its type.
pub(super) const FUNCTIONS: &[Scalar] = &[
    ("pg_array_to_json", 2, Strict, |v| {
        Ok(json_of(&v[0], &v[1].text())?.to_string().into())
    }),
    ("pg_to_json", 2, Lenient, to_json),
    ("pg_to_jsonb", 2, Lenient, to_jsonb),
];
