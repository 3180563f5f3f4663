//! Arrays whose elements PostgreSQL prints otherwise than they are kept: moments and spans of time.

use super::{Failure, Nature::Strict, Out, Scalar, V, allowance, array, array_out, interval, time, zone};

/// An array with something made of each element, in all its dimensions.
pub(super) fn mapped(text: &str, make: &impl Fn(&V) -> Out) -> Out {
    let of = |element: String| {
        allowance::turn()?;
        Ok::<_, Failure>(make(&element.into())?.text())
    };
    Ok(array_out::text(&array::whole(text)?.map(of)?)?.into())
}

/// A value of a type, by the type's internal name, as it is printed.
fn shown(value: &V, ty: &str) -> Out {
    match ty {
        "date" | "timestamp" => Ok(time::shown(value, " ").into()),
        "timestamptz" => Ok(zone::shown(value, " ", false)?.into()),
        "interval" => interval::shown(value),
        _ => Ok(value.clone()),
    }
}

/// `pg_text_array(array, type of its elements)`
pub(super) const FUNCTIONS: &[Scalar] = &[("pg_text_array", 2, Strict, |v| {
    let ty = v[1].text();
    mapped(&v[0].text(), &|element| shown(element, &ty))
})];
