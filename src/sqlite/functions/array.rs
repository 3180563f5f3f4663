//! Arrays as PostgreSQL's text: `{1,2,NULL,"a b"}`.

use std::{cmp::Ordering, collections::HashSet};

use super::{
    Failure,
    Nature::{Lenient, Strict},
    Out, Scalar, V, allowance,
    array_out::{array_text, array_text_of},
    casts, fail, json, text,
};
use crate::pgtypes::{SqlType, array::Array, bytea, float::float4_text};

/// An element: a text, NULL, or an array of the next dimension as text.
pub(super) use crate::pgtypes::array::Element;

/// How much more memory the elements of an array take than its text.
const TIMES: usize = 40;

/// A vector of numbers, `1 2`, as an array.
pub(super) fn of_vector(numbers: &str) -> V {
    format!("{{{}}}", numbers.trim().replace(' ', ",")).into()
}

/// The elements of an array; of one that has several dimensions, the arrays of the first.
pub(super) fn elements(text: &str) -> Result<Vec<Element>, Failure> {
    Ok(whole(text)?.parts())
}

/// An array with all its dimensions.
pub(super) fn whole(text: &str) -> Result<Array, Failure> {
    allowance::memory_of(text.len().saturating_mul(TIMES))?;
    allowance::now()?;
    Array::read(text, allowance::turn)
}

/// The array of values.
pub(super) fn text_of(values: &[V]) -> Result<String, Failure> {
    let elements: Vec<Element> = values
        .iter()
        .map(|value| (!value.is_null()).then(|| value.text()))
        .collect();
    array_text(&elements)
}

/// The text of a value of a type.
pub(super) fn element(value: &V, ty: &str) -> Element {
    match (value, ty) {
        (V::Null, _) => None,
        (V::Int(truth), "bool") => Some(if *truth == 0 { "f" } else { "t" }.into()),
        (V::Blob(bytes), _) => Some(bytea::text(bytes)),
        (V::Real(number), "float4") => Some(float4_text(*number as f32)),
        (other, _) => Some(other.text()),
    }
}

/// An element's text as a value of its type.
fn value(element: &Element, ty: &str) -> V {
    let Some(text) = element else { return V::Null };
    match ty {
        "int2" | "int4" | "int8" | "oid" => text.parse().map_or_else(|_| text.as_str().into(), V::Int),
        "float4" | "float8" => text.parse().map_or_else(|_| text.as_str().into(), V::Real),
        "bool" => V::of_bool(text == "t"),
        _ => text.as_str().into(),
    }
}

fn input(values: &[V]) -> Out {
    let ty = SqlType::named(&values[1].text()).unwrap_or(SqlType::Text);
    read(&values[0].text(), ty)
}

/// A text as an array of elements of a type.
pub(super) fn read(text: &str, ty: SqlType) -> Out {
    let of = |text: String| {
        let value = casts::of_type(&text, ty)?;
        Ok::<_, Failure>(element(&value, ty.name()).unwrap_or_default())
    };
    Ok(whole(text)?.map(of)?.text().into())
}

/// The elements of an array of any depth.
pub(super) fn leaves(text: &str) -> Result<Vec<Element>, Failure> {
    Ok(whole(text)?.elements)
}

fn as_json(values: &[V]) -> Out {
    let ty = values[1].text();
    let text = values[0].text();
    let mut parts = vec![];
    for element in leaves(&text)? {
        parts.push(match (&element, ty.as_str()) {
            (None, _) => "null".to_owned(),
            (Some(text), "int2" | "int4" | "int8" | "oid") => text.clone(),
            (Some(text), "float4" | "float8") if text.parse::<f64>().is_ok_and(f64::is_finite) => {
                text.clone()
            }
            (Some(text), "bool") => if text == "t" { "true" } else { "false" }.into(),
            (Some(text), _) => json::quoted(text),
        });
    }
    Ok(format!("[{}]", parts.join(",")).into())
}

fn compare(values: &[V]) -> Out {
    Ok(V::Int(order(&values[0].text(), &values[1].text(), false)? as i64))
}

/// Texts are compared as these, whatever number they look like.
fn compare_texts(values: &[V]) -> Out {
    Ok(V::Int(order(&values[0].text(), &values[1].text(), true)? as i64))
}

/// The array that is before, or behind, all others.
pub(super) fn extreme(rows: Vec<Vec<V>>, least: bool, as_text: bool) -> Out {
    let wanted = if least { Ordering::Less } else { Ordering::Greater };
    let mut found: Option<String> = None;
    for row in rows {
        let next = row[0].text();
        let is_better = match &found {
            Some(best) => order(&next, best, as_text)? == wanted,
            None => true,
        };
        if is_better {
            found = Some(next);
        }
    }
    Ok(found.map_or(V::Null, V::from))
}

fn order(one: &str, other: &str, as_text: bool) -> Result<Ordering, Failure> {
    let (one, other) = (elements(one)?, elements(other)?);
    let order = one
        .iter()
        .zip(&other)
        .map(|(one, other)| match (one, other) {
            (Some(one), Some(other)) => match (one.parse::<f64>(), other.parse::<f64>()) {
                (Ok(one), Ok(other)) if !as_text => one.partial_cmp(&other).unwrap_or(Ordering::Equal),
                _ => one.cmp(other),
            },
            (None, None) => Ordering::Equal,
            (None, _) => Ordering::Greater,
            (_, None) => Ordering::Less,
        })
        .find(|order| *order != Ordering::Equal)
        .unwrap_or_else(|| one.len().cmp(&other.len()));
    Ok(order)
}

fn changed(array: &V, change: impl FnOnce(&mut Vec<Element>)) -> Out {
    let mut found = if array.is_null() {
        vec![]
    } else {
        elements(&array.text())?
    };
    change(&mut found);
    Ok(array_text_of(&found, true)?.into())
}

fn plain(value: &V) -> Element {
    element(value, "")
}

fn to_string(values: &[V]) -> Out {
    if values[0].is_null() || values[1].is_null() {
        return Ok(V::Null);
    }
    let null = values.get(2).filter(|null| !null.is_null()).map(V::text);
    let parts: Vec<String> = elements(&values[0].text())?
        .into_iter()
        .filter_map(|element| element.or_else(|| null.clone()))
        .collect();
    Ok(text::joined(parts.iter().map(String::as_str), &values[1].text())?.into())
}

fn from_string(values: &[V]) -> Out {
    if values[0].is_null() {
        return Ok(V::Null);
    }
    let (text, null) = (
        values[0].text(),
        values.get(2).filter(|null| !null.is_null()).map(V::text),
    );
    allowance::memory_of(text.len().saturating_mul(TIMES))?;
    let parts: Vec<String> = if text.is_empty() {
        vec![]
    } else if values[1].is_null() {
        text.chars().map(|c| c.to_string()).collect()
    } else if values[1].text().is_empty() {
        vec![text]
    } else {
        text.split(&values[1].text()).map(str::to_owned).collect()
    };
    let elements: Vec<Element> = parts
        .into_iter()
        .map(|part| (Some(&part) != null.as_ref()).then_some(part))
        .collect();
    Ok(array_text(&elements)?.into())
}

/// Functions of arrays.
pub(super) const FUNCTIONS: &[Scalar] = &[
    ("pg_in_array", 2, Strict, input),
    ("pg_array", -2, Lenient, |v| {
        let ty = v[0].text();
        let elements: Vec<Element> = v[1..].iter().map(|value| element(value, &ty)).collect();
        Ok(array_text(&elements)?.into())
    }),
    ("pg_array_of_arrays", -1, Lenient, |v| {
        let parts: Vec<String> = v.iter().map(V::text).collect();
        Ok(format!("{{{}}}", parts.join(",")).into())
    }),
    ("pg_array_json", 2, Lenient, |v| {
        if v[0].is_null() {
            Ok("[]".into())
        } else {
            as_json(v)
        }
    }),
    ("pg_array_at", 3, Strict, |v| {
        let elements = elements(&v[0].text())?;
        let at = v[1].int().checked_sub(1).and_then(|at| usize::try_from(at).ok());
        Ok(at
            .and_then(|at| elements.get(at))
            .map_or(V::Null, |element| value(element, &v[2].text())))
    }),
    ("pg_array_slice", 3, Strict, |v| {
        let elements = elements(&v[0].text())?;
        let low = v[1].int().max(1) as usize - 1;
        let high = (v[2].int().max(0) as usize).min(elements.len());
        Ok(array_text(elements.get(low..high).unwrap_or_default())?.into())
    }),
    ("pg_array_cmp", 2, Strict, compare),
    ("pg_text_array_cmp", 2, Strict, compare_texts),
    ("pg_array_length", 2, Strict, |v| {
        let lengths = whole(&v[0].text())?.lengths;
        let at = v[1].int().checked_sub(1).and_then(|at| usize::try_from(at).ok());
        let length = at.and_then(|at| lengths.get(at).copied());
        Ok(length.map_or(V::Null, |length| V::Int(length as i64)))
    }),
    ("pg_cardinality", 1, Strict, |v| {
        Ok(V::Int(leaves(&v[0].text())?.len() as i64))
    }),
    ("pg_array_ndims", 1, Strict, |v| {
        let dimensions = whole(&v[0].text())?.lengths.len();
        Ok(if dimensions == 0 {
            V::Null
        } else {
            V::Int(dimensions as i64)
        })
    }),
    ("pg_array_append", 2, Lenient, |v| {
        changed(&v[0], |all| all.push(plain(&v[1])))
    }),
    ("pg_array_prepend", 2, Lenient, |v| {
        changed(&v[1], |all| all.insert(0, plain(&v[0])))
    }),
    ("pg_array_cat", 2, Lenient, |v| {
        if v.iter().all(V::is_null) {
            return Ok(V::Null);
        }
        let other = if v[1].is_null() {
            vec![]
        } else {
            elements(&v[1].text())?
        };
        changed(&v[0], |all| all.extend(other))
    }),
    ("pg_array_remove", 2, Lenient, |v| {
        if v[0].is_null() {
            return Ok(V::Null);
        }
        let gone = plain(&v[1]);
        changed(&v[0], |all| all.retain(|element| *element != gone))
    }),
    ("pg_array_replace", 3, Lenient, |v| {
        if v[0].is_null() {
            return Ok(V::Null);
        }
        let (old, new) = (plain(&v[1]), plain(&v[2]));
        let mut all = elements(&v[0].text())?;
        let mut length = v[0].length();
        for element in all.iter_mut().filter(|element| **element == old) {
            length = length.saturating_add(v[2].length());
            allowance::value_of(length)?;
            element.clone_from(&new);
        }
        Ok(array_text_of(&all, true)?.into())
    }),
    ("pg_array_position", 2, Lenient, |v| {
        if v[0].is_null() {
            return Ok(V::Null);
        }
        let wanted = plain(&v[1]);
        let at = elements(&v[0].text())?
            .iter()
            .position(|element| *element == wanted);
        Ok(at.map_or(V::Null, |at| V::Int(at as i64 + 1)))
    }),
    ("pg_array_positions", 2, Lenient, |v| {
        if v[0].is_null() {
            return Ok(V::Null);
        }
        let wanted = plain(&v[1]);
        let all = elements(&v[0].text())?;
        let at = (1..=all.len()).filter(|at| all[at - 1] == wanted);
        let at: Vec<Element> = at.map(|at| Some(at.to_string())).collect();
        Ok(array_text(&at)?.into())
    }),
    ("pg_trim_array", 2, Strict, |v| {
        let mut all = elements(&v[0].text())?;
        let Some(left) = usize::try_from(v[1].int())
            .ok()
            .and_then(|gone| all.len().checked_sub(gone))
        else {
            let words = format!("number of elements to trim must be between 0 and {}", all.len());
            return fail("2202E", words);
        };
        all.truncate(left);
        Ok(array_text(&all)?.into())
    }),
    ("pg_array_contains", 2, Strict, |v| {
        let (one, other) = (elements(&v[0].text())?, elements(&v[1].text())?);
        let known: HashSet<&Element> = one.iter().collect();
        Ok(V::of_bool(
            other
                .iter()
                .all(|element| element.is_some() && known.contains(element)),
        ))
    }),
    ("pg_array_overlaps", 2, Strict, |v| {
        let (one, other) = (elements(&v[0].text())?, elements(&v[1].text())?);
        let known: HashSet<&Element> = one.iter().collect();
        Ok(V::of_bool(
            other
                .iter()
                .any(|element| element.is_some() && known.contains(element)),
        ))
    }),
    ("pg_array_to_string", 2, Lenient, to_string),
    ("pg_array_to_string", 3, Lenient, to_string),
    ("pg_string_to_array", 2, Lenient, from_string),
    ("pg_string_to_array", 3, Lenient, from_string),
];
