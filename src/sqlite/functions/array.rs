//! Arrays as PostgreSQL's text: `{1,2,NULL,"a b"}`.

use std::{cmp::Ordering, collections::HashSet};

use super::{
    Failure,
    Nature::{Lenient, Strict},
    Out, Scalar, V, allowance,
    array_out::{self, array_text},
    bytea, casts, fail,
    finding::split,
    json, order, text,
};
use crate::pgtypes::{
    SqlType,
    array::Array,
    float::{self, float4_text},
};

/// An element: a text, NULL, or an array of the next dimension as text.
pub(super) use crate::pgtypes::array::Element;

/// Bytes that an element of an array takes beside its text.
const ELEMENT: usize = 64;

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
    let mut elements = 1;
    for piece in allowance::pieces(text.as_bytes()) {
        elements += memchr::memchr_iter(b',', piece?).count();
    }
    allowance::memory_of(text.len().saturating_add(elements.saturating_mul(ELEMENT)))?;
    Array::read(text, allowance::turn)
}

/// The array of values.
pub(super) fn text_of(values: &[V]) -> Result<String, Failure> {
    let elements = values
        .iter()
        .map(|value| (!value.is_null()).then(|| value.text()));
    array_text(&allowance::gathered::<_, Vec<Element>>(elements)?)
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
    Ok(array_out::text(&whole(text)?.map(of)?)?.into())
}

/// The elements of an array of any depth.
pub(super) fn leaves(text: &str) -> Result<Vec<Element>, Failure> {
    Ok(whole(text)?.elements)
}

/// A value, thresholds in their order, and their type: how many of them the value has reached.
fn bucket(values: &[V]) -> Out {
    let thresholds = whole(&values[1].text())?;
    if thresholds.lengths.len() > 1 {
        return fail("2202E", "thresholds must be one-dimensional array");
    }
    if thresholds.elements.iter().any(Option::is_none) {
        return fail("22004", "thresholds array must not contain NULLs");
    }
    let ty = values[2].text();
    let reached = |threshold: &Element| {
        let threshold = threshold.as_deref().unwrap_or_default();
        order::values(&ty, &values[0], &threshold.into()).is_ge()
    };
    Ok(V::Int(thresholds.elements.partition_point(reached) as i64))
}

fn as_json(values: &[V]) -> Out {
    let ty = values[1].text();
    let text = values[0].text();
    let mut parts = vec![];
    for element in leaves(&text)? {
        allowance::turn()?;
        parts.push(match (&element, ty.as_str()) {
            (None, _) => "null".to_owned(),
            (Some(text), "int2" | "int4" | "int8" | "oid") => text.clone(),
            (Some(text), "float4" | "float8") => match text.parse::<f64>() {
                // Whole numbers have no sign of nothing.
                Ok(number) if number == 0.0 && number.is_sign_negative() => "-0.0".into(),
                Ok(number) if number.is_finite() => text.clone(),
                // What JSON has for it: no number is as great.
                Ok(number) if number.is_infinite() => if number > 0.0 { "9e999" } else { "-9e999" }.into(),
                _ => json::quoted(text),
            },
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
    let (one, other) = (whole(one)?, whole(other)?);
    let order = one
        .elements
        .iter()
        .zip(&other.elements)
        .map(|(one, other)| match (one, other) {
            (Some(one), Some(other)) => match (one.parse::<f64>(), other.parse::<f64>()) {
                (Ok(one), Ok(other)) if !as_text => float::order(one, other),
                _ => one.cmp(other),
            },
            (None, None) => Ordering::Equal,
            (None, _) => Ordering::Greater,
            (_, None) => Ordering::Less,
        })
        .find(|order| *order != Ordering::Equal);
    let shape = |array: &Array| (array.elements.len(), array.lengths.len(), array.lengths.clone());
    Ok(order.unwrap_or_else(|| shape(&one).cmp(&shape(&other))))
}

/// The elements of an array of one dimension, or the error that tells what cannot be done with more.
fn flat(array: &V, (sqlstate, refused): (&'static str, &str)) -> Result<Vec<Element>, Failure> {
    if array.is_null() {
        return Ok(vec![]);
    }
    let array = whole(&array.text())?;
    if array.lengths.len() > 1 {
        return fail(sqlstate, refused);
    }
    Ok(array.elements)
}

/// A value against the members of an array: the value, the operator, `any` or `all`, the array, the type of its elements.
fn compared(values: &[V]) -> Out {
    let [wanted, operator, quantifier, array, ty] = values else {
        return Ok(V::Null);
    };
    if array.is_null() {
        return Ok(V::Null);
    }
    let (operator, ty) = (operator.text(), ty.text());
    let decides = quantifier.text() == "any";
    let mut is_known = true;
    for element in leaves(&array.text())? {
        allowance::turn()?;
        let member = value(&element, &ty);
        if wanted.is_null() || member.is_null() {
            is_known = false;
            continue;
        }
        let order = super::order::values(&ty, wanted, &member);
        let holds = match operator.as_str() {
            "=" => order.is_eq(),
            "<>" => order.is_ne(),
            "<" => order.is_lt(),
            "<=" => order.is_le(),
            ">" => order.is_gt(),
            _ => order.is_ge(),
        };
        if holds == decides {
            return Ok(V::of_bool(decides));
        }
    }
    Ok(if is_known { V::of_bool(!decides) } else { V::Null })
}

const ONE_DIMENSION: (&str, &str) = ("22000", "argument must be empty or one-dimensional array");
const NO_SEARCH: (&str, &str) = (
    "0A000",
    "searching for elements in multidimensional arrays is not supported",
);
const NO_REMOVAL: (&str, &str) = (
    "0A000",
    "removing elements from multidimensional arrays is not supported",
);

/// Arrays by their texts; NULL is none.
pub(super) fn arrays<'v>(values: impl Iterator<Item = &'v V>) -> Result<Vec<Option<Array>>, Failure> {
    let read = |value: &V| (!value.is_null()).then(|| whole(&value.text())).transpose();
    values.map(read).collect()
}

fn changed(array: &V, refused: (&'static str, &str), change: impl FnOnce(&mut Vec<Element>)) -> Out {
    let mut found = flat(array, refused)?;
    change(&mut found);
    Ok(array_text(&found)?.into())
}

fn plain(value: &V) -> Element {
    element(value, "")
}

fn to_string(values: &[V]) -> Out {
    if values[0].is_null() || values[1].is_null() {
        return Ok(V::Null);
    }
    let null = values.get(2).filter(|null| !null.is_null()).map(V::text);
    let elements = leaves(&values[0].text())?.into_iter();
    let parts: Vec<String> =
        allowance::gathered(elements.filter_map(|element| element.or_else(|| null.clone())))?;
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
    let mut array = String::from("{");
    let mut add = |part: &str| {
        if array.len() > 1 {
            array.push(',');
        }
        let element = (Some(part) != null.as_deref()).then(|| part.to_owned());
        array_out::push(&mut array, &element)?;
        allowance::value_of(array.len())
    };
    let separator = values[1].text();
    if values[1].is_null() {
        let mut bytes = [0; 4];
        for character in text.chars() {
            add(character.encode_utf8(&mut bytes))?;
        }
    } else if separator.is_empty() {
        if !text.is_empty() {
            add(&text)?;
        }
    } else if !text.is_empty() {
        for part in split(&text, &separator)? {
            add(part?)?;
        }
    }
    array.push('}');
    Ok(array.into())
}

/// The first element of a list that is one of another, or that is none.
fn common<'e>(
    one: &[Element],
    other: &'e [Element],
    is_wanted: bool,
) -> Result<Option<&'e Element>, Failure> {
    let known: HashSet<&Element> = allowance::gathered(one.iter())?;
    for element in other {
        allowance::turn()?;
        if (element.is_some() && known.contains(element)) == is_wanted {
            return Ok(Some(element));
        }
    }
    Ok(None)
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
        Ok(array_out::text(&Array::of_arrays(arrays(v.iter())?)?)?.into())
    }),
    ("pg_array_json", 2, Lenient, |v| {
        if v[0].is_null() {
            Ok("[]".into())
        } else {
            as_json(v)
        }
    }),
    // The array, the type of its elements, and the subscripts.
    ("pg_array_at", -4, Strict, |v| {
        let subscripts: Vec<i64> = v[2..].iter().map(V::int).collect();
        let array = whole(&v[0].text())?;
        let found = array.at(&subscripts);
        Ok(found.map_or(V::Null, |element| value(element, &v[1].text())))
    }),
    // The array, and the two bounds of each dimension.
    ("pg_array_slice", -4, Strict, |v| {
        let bounds: Vec<(i64, i64)> = v[1..]
            .chunks_exact(2)
            .map(|pair| (pair[0].int(), pair[1].int()))
            .collect();
        Ok(array_out::text(&whole(&v[0].text())?.slice(&bounds))?.into())
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
    ("pg_array_dims", 1, Strict, |v| {
        let lengths = whole(&v[0].text())?.lengths;
        let dimensions: Vec<String> = lengths.iter().map(|length| format!("[1:{length}]")).collect();
        Ok(if dimensions.is_empty() {
            V::Null
        } else {
            dimensions.concat().into()
        })
    }),
    ("pg_array_append", 2, Lenient, |v| {
        changed(&v[0], ONE_DIMENSION, |all| all.push(plain(&v[1])))
    }),
    ("pg_array_prepend", 2, Lenient, |v| {
        changed(&v[1], ONE_DIMENSION, |all| all.insert(0, plain(&v[0])))
    }),
    ("pg_array_cat", 2, Lenient, |v| {
        let mut both = arrays(v.iter())?.into_iter().flatten();
        let Some(first) = both.next() else {
            return Ok(V::Null);
        };
        let whole = match both.next() {
            Some(second) => first.with(second)?,
            None => first,
        };
        Ok(array_out::text(&whole)?.into())
    }),
    ("pg_array_remove", 2, Lenient, |v| {
        if v[0].is_null() {
            return Ok(V::Null);
        }
        let gone = plain(&v[1]);
        changed(&v[0], NO_REMOVAL, |all| all.retain(|element| *element != gone))
    }),
    ("pg_array_replace", 3, Lenient, |v| {
        if v[0].is_null() {
            return Ok(V::Null);
        }
        let (old, new) = (plain(&v[1]), plain(&v[2]));
        let mut array = whole(&v[0].text())?;
        let mut length = v[0].length();
        for element in array.elements.iter_mut().filter(|element| **element == old) {
            length = length.saturating_add(v[2].length());
            allowance::value_of(length)?;
            element.clone_from(&new);
        }
        Ok(array_out::text(&array)?.into())
    }),
    ("pg_array_bucket", 3, Strict, bucket),
    ("pg_array_compared", 5, Lenient, compared),
    ("pg_array_position", 2, Lenient, |v| {
        if v[0].is_null() {
            return Ok(V::Null);
        }
        let wanted = plain(&v[1]);
        let at = flat(&v[0], NO_SEARCH)?
            .iter()
            .position(|element| *element == wanted);
        Ok(at.map_or(V::Null, |at| V::Int(at as i64 + 1)))
    }),
    ("pg_array_positions", 2, Lenient, |v| {
        if v[0].is_null() {
            return Ok(V::Null);
        }
        let wanted = plain(&v[1]);
        let all = flat(&v[0], NO_SEARCH)?;
        let at = (1..=all.len()).filter(|at| all[at - 1] == wanted);
        let at = at.map(|at| Some(at.to_string()));
        Ok(array_text(&allowance::gathered::<_, Vec<Element>>(at)?)?.into())
    }),
    ("pg_trim_array", 2, Strict, |v| {
        let all = whole(&v[0].text())?;
        let length = all.lengths.first().copied().unwrap_or_default();
        let gone = usize::try_from(v[1].int()).ok();
        let Some(left) = gone.and_then(|gone| length.checked_sub(gone)) else {
            let words = format!("number of elements to trim must be between 0 and {length}");
            return fail("2202E", words);
        };
        Ok(array_out::text(&all.slice(&[(1, left as i64)]))?.into())
    }),
    ("pg_array_contains", 2, Strict, |v| {
        let (one, other) = (leaves(&v[0].text())?, leaves(&v[1].text())?);
        Ok(V::of_bool(common(&one, &other, false)?.is_none()))
    }),
    ("pg_array_overlaps", 2, Strict, |v| {
        let (one, other) = (leaves(&v[0].text())?, leaves(&v[1].text())?);
        Ok(V::of_bool(common(&one, &other, true)?.is_some()))
    }),
    ("pg_array_to_string", 2, Lenient, to_string),
    ("pg_array_to_string", 3, Lenient, to_string),
    ("pg_string_to_array", 2, Lenient, from_string),
    ("pg_string_to_array", 3, Lenient, from_string),
];
