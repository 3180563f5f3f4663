//! Arithmetic of `money`: in whole cents, as PostgreSQL has it.

use super::{Failure, Nature::Strict, Out, Scalar, V, fail};
use crate::pgtypes::money::{read, text};

fn cents(value: &V) -> Result<i64, Failure> {
    Ok(read(&value.text())?)
}

#[expect(clippy::unnecessary_wraps, reason = "it stands where a function of ours does")]
fn shown(cents: i64) -> Out {
    Ok(text(cents).into())
}

fn quotient(values: &[V]) -> Out {
    let (cents, divisor) = (cents(&values[0])?, &values[1]);
    match divisor {
        V::Int(0) => fail("22012", "division by zero"),
        // What is less than a cent is cut off.
        V::Int(divisor) => shown(cents.wrapping_div(*divisor)),
        other if other.real() == 0.0 => fail("22012", "division by zero"),
        other => shown((cents as f64 / other.real()).round_ties_even() as i64),
    }
}

pub(super) const FUNCTIONS: &[Scalar] = &[
    ("pg_money_add", 2, Strict, |v| {
        shown(cents(&v[0])?.wrapping_add(cents(&v[1])?))
    }),
    ("pg_money_sub", 2, Strict, |v| {
        shown(cents(&v[0])?.wrapping_sub(cents(&v[1])?))
    }),
    ("pg_money_mul", 2, Strict, |v| {
        let cents = cents(&v[0])?;
        shown(match &v[1] {
            V::Int(times) => cents.wrapping_mul(*times),
            other => (cents as f64 * other.real()).round_ties_even() as i64,
        })
    }),
    ("pg_money_div", 2, Strict, quotient),
    ("pg_money_ratio", 2, Strict, |v| {
        let (one, other) = (cents(&v[0])?, cents(&v[1])?);
        if other == 0 {
            return fail("22012", "division by zero");
        }
        Ok(V::Real(one as f64 / other as f64))
    }),
];

/// The sum of all values.
pub(super) fn sum(rows: &[Vec<V>]) -> Out {
    let mut total = 0_i64;
    for row in rows {
        total = total.wrapping_add(cents(&row[0])?);
    }
    shown(total)
}
