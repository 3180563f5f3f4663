//! `array_fill`.

use super::{Failure, Nature::Lenient, Out, Scalar, V, allowance, array, fail};
use crate::pgtypes::{SqlType, array::Array, array::DIMENSIONS};

/// How many elements PostgreSQL's arrays have at most (`MaxArraySize`).
const MOST: usize = 134_217_727;

/// The numbers of an array of one dimension.
fn numbers(value: &V, what: &str) -> Result<Vec<i64>, Failure> {
    if value.is_null() {
        return fail("22004", "dimension array or low bound array cannot be null");
    }
    let found = array::whole(&value.text())?;
    if found.lengths.len() > 1 {
        return fail("2202E", "wrong number of array subscripts");
    }
    let number = |element: Option<String>| match element {
        Some(text) => Ok(text.parse().unwrap_or_default()),
        None => fail("22004", format!("{what} values cannot be null")),
    };
    found.elements.into_iter().map(number).collect()
}

/// The value, its type, the lengths, and where subscripts begin.
fn filled(values: &[V]) -> Out {
    let ty = values[1].text();
    if ty.starts_with('_') {
        let of = ty.trim_start_matches('_');
        let shown = SqlType::named(of).map_or("unknown", SqlType::sql_name);
        return fail(
            "42704",
            format!("could not find array type for data type {shown}[]"),
        );
    }
    let lengths = numbers(&values[2], "dimension")?;
    if lengths.len() > DIMENSIONS {
        let message = format!(
            "number of array dimensions ({}) exceeds the maximum allowed ({DIMENSIONS})",
            lengths.len()
        );
        return fail("54000", message);
    }
    if let Some(bounds) = values.get(3) {
        let bounds = numbers(bounds, "dimension")?;
        if bounds.len() != lengths.len() {
            return fail("2202E", "wrong number of array subscripts");
        }
        if bounds.iter().any(|bound| *bound != 1) {
            return fail("0A000", "arrays begin at the subscript 1 on a SQLite file");
        }
    }
    let mut count = 1_usize;
    for length in &lengths {
        let length = usize::try_from(*length).unwrap_or(usize::MAX);
        count = count.saturating_mul(length);
    }
    if lengths.is_empty() || count == 0 {
        return Ok("{}".into());
    }
    if count > MOST {
        return fail(
            "54000",
            format!("array size exceeds the maximum allowed ({MOST})"),
        );
    }
    let one = Array {
        lengths: vec![1],
        elements: vec![array::element(&values[0], &ty)],
    };
    let one = one.text();
    // Without the braces around it.
    let mut text = one[1..one.len() - 1].to_owned();
    for length in lengths.iter().rev() {
        let length = usize::try_from(*length).unwrap_or(usize::MAX);
        allowance::value_of(length.saturating_mul(text.len() + 1).saturating_add(2))?;
        let mut whole = String::with_capacity(length * (text.len() + 1) + 1);
        for at in 0..length {
            allowance::turn()?;
            whole.push(if at == 0 { '{' } else { ',' });
            whole.push_str(&text);
        }
        whole.push('}');
        text = whole;
    }
    Ok(text.into())
}

pub(super) const FUNCTIONS: &[Scalar] = &[("pg_array_fill", -4, Lenient, filled)];
