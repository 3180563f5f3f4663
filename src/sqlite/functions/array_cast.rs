//! Casts of arrays whose elements are no other type by their words alone: `{1.5}` as whole numbers.

use super::{
    Nature::Strict,
    Out, Scalar, V, array, array_out, casts,
    number::float_int,
    numeric::{of_float, to_int},
};

/// An element as one of another type; none where its words say it.
fn element(text: &str, from: &str, to: &str) -> Option<Out> {
    let (min, max, name) = match to {
        "int2" => (i16::MIN.into(), i16::MAX.into(), "smallint"),
        "int4" => (i32::MIN.into(), i32::MAX.into(), "integer"),
        _ => (i64::MIN, i64::MAX, "bigint"),
    };
    let is_integer = matches!(to, "int2" | "int4" | "int8");
    let real = || text.parse().map(V::Real).ok();
    match (from, to) {
        ("numeric", _) if is_integer => Some(to_int(&[text.into()], min, max, name)),
        ("float4" | "float8", _) if is_integer => real().map(|real| float_int(&real, min, max, name)),
        ("float4", "numeric") => real().map(|real| Ok(of_float(real.real(), 6))),
        ("float8", "numeric") => real().map(|real| Ok(of_float(real.real(), 15))),
        ("bool", "int4") => Some(Ok(V::Int((text == "t").into()))),
        ("int4", "bool") => Some(Ok(if text == "0" { "f" } else { "t" }.into())),
        _ => None,
    }
}

fn cast(values: &[V]) -> Out {
    let (from, to) = (values[1].text(), values[2].text());
    let changed = array::whole(&values[0].text())?.map(|text| match element(&text, &from, &to) {
        Some(changed) => Ok(changed?.text()),
        None => Ok::<_, super::Failure>(text),
    })?;
    casts::read(&array_out::text(&changed)?, &format!("_{to}"))
}

pub(super) const FUNCTIONS: &[Scalar] = &[("pg_array_cast", 3, Strict, cast)];
