//! Whole and floating point numbers: their ranges, and how they are shown.
#![expect(clippy::unnecessary_wraps, reason = "the functions of a table have one type")]

use super::{
    Failure,
    Nature::{Lenient, Strict},
    Out, Scalar, V, allowance, fail, numeric_special,
};
use crate::pgtypes::float::{self, float8_text, plain};

/// So many significant digits, without an exponent.
pub(super) fn general(number: f64, digits: usize) -> String {
    if !number.is_finite() {
        return float8_text(number);
    }
    let scientific = format!("{number:.*e}", digits - 1);
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let mantissa = if mantissa.contains('.') {
        mantissa.trim_end_matches('0').trim_end_matches('.')
    } else {
        mantissa
    };
    plain(mantissa, exponent.parse().unwrap_or(0))
}

fn ranged(value: &V, min: i64, max: i64, name: &str) -> Out {
    match value {
        V::Int(number) if (min..=max).contains(number) => Ok(V::Int(*number)),
        _ => fail("22003", format!("{name} out of range")),
    }
}

pub(super) fn float_int(value: &V, min: i64, max: i64, name: &str) -> Out {
    let number = value.real().round_ties_even();
    if number.is_nan()
        || number < min as f64
        || number > max as f64
        || (max == i64::MAX && number >= max as f64)
    {
        return fail("22003", format!("{name} out of range"));
    }
    Ok(V::Int(number as i64))
}

/// The result of arithmetic; SQLite goes on after an overflow.
fn float8(value: &V) -> Out {
    match value {
        V::Real(number) if number.is_infinite() => fail("22003", OVERFLOW),
        other => Ok(other.clone()),
    }
}

pub(super) const OVERFLOW: &str = "value out of range: overflow";
const UNDERFLOW: &str = "value out of range: underflow";

/// A result that can be nothing only where `is_zero` says so.
fn unless_lost(result: f64, is_zero: bool) -> Out {
    if result == 0.0 && !is_zero {
        return fail("22003", UNDERFLOW);
    }
    float8(&V::Real(result))
}

fn sum(one: f64, other: f64) -> Out {
    Ok(V::Real(added(one, other)?))
}

/// A sum that no finite number is beyond.
pub(super) fn added(one: f64, other: f64) -> Result<f64, Failure> {
    let sum = one + other;
    if sum.is_infinite() && one.is_finite() && other.is_finite() {
        return fail("22003", OVERFLOW);
    }
    Ok(sum)
}

/// The quotient of whole numbers, cut off behind the point; no whole number where there is none.
fn whole_quotient(values: &[V]) -> Out {
    let (V::Int(one), V::Int(other)) = (&values[0], &values[1]) else {
        return quotient(values[0].real(), values[1].real());
    };
    if *other == 0 {
        return fail("22012", "division by zero");
    }
    let quotient = one.checked_div(*other);
    Ok(quotient.map_or(V::Null, V::Int))
}

fn product(one: f64, other: f64) -> Out {
    // Nothing times what has no end is no number.
    if one.is_infinite() || other.is_infinite() {
        return Ok(V::Real(one * other));
    }
    unless_lost(one * other, one == 0.0 || other == 0.0)
}

fn quotient(one: f64, other: f64) -> Out {
    // What is no number is none by nothing either.
    if other == 0.0 && !one.is_nan() {
        return fail("22012", "division by zero");
    }
    if one.is_infinite() {
        return Ok(V::Real(one / other));
    }
    unless_lost(one / other, one == 0.0 || other.is_infinite())
}

fn extreme(values: &[V], greatest: bool) -> Out {
    let mut best = V::Null;
    for value in values.iter().filter(|value| !value.is_null()) {
        let better = match (&best, value) {
            (V::Null, _) => true,
            (V::Text(one), V::Text(other)) => (other > one) == greatest && other != one,
            // Two whole numbers may have more digits than one with a floating point.
            (V::Int(one), V::Int(other)) => (other > one) == greatest && other != one,
            (one, other) if greatest => float::order(other.real(), one.real()).is_gt(),
            (one, other) => float::order(other.real(), one.real()).is_lt(),
        };
        if better {
            best = value.clone();
        }
    }
    Ok(best)
}

fn gcd(one: i64, other: i64) -> u64 {
    let (mut one, mut other) = (one.unsigned_abs(), other.unsigned_abs());
    while other != 0 {
        (one, other) = (other, one % other);
    }
    one
}

/// A number without a sign, where PostgreSQL has one so great.
fn bigint(number: Option<u64>) -> Out {
    match number.and_then(|number| i64::try_from(number).ok()) {
        Some(number) => Ok(V::Int(number)),
        None => fail("22003", "bigint out of range"),
    }
}

fn log(number: f64, log: fn(f64) -> f64) -> Out {
    if number == 0.0 {
        return fail("2201E", "cannot take logarithm of zero");
    }
    if number < 0.0 {
        return fail("2201E", "cannot take logarithm of a negative number");
    }
    Ok(V::Real(log(number)))
}

pub(super) fn inverse(number: f64, function: fn(f64) -> f64) -> Out {
    if !number.is_nan() && !(-1.0..=1.0).contains(&number) {
        return fail("22003", "input is out of range");
    }
    Ok(V::Real(function(number)))
}

/// Of an angle that has an end.
pub(super) fn periodic(angle: f64, function: fn(f64) -> f64) -> Out {
    if angle.is_infinite() {
        return fail("22003", "input is out of range");
    }
    Ok(V::Real(function(angle)))
}

/// A power of numbers with a floating point (`dpow`).
fn power(base: f64, exponent: f64) -> Out {
    // What is no number to the power of 0 is 1, as is 1 to any power; C has it so too.
    if base.is_nan() || exponent.is_nan() {
        return Ok(V::Real(base.powf(exponent)));
    }
    numeric_special::check_power(base, exponent)?;
    let result = base.powf(exponent);
    if base.is_infinite() || exponent.is_infinite() {
        return Ok(V::Real(result));
    }
    unless_lost(result, base == 0.0)
}

fn series(values: &[V]) -> Out {
    let (start, end, step) = (values[0].int(), values[1].int(), values[2].int());
    if step == 0 {
        return fail("22023", "step size cannot equal zero");
    }
    let mut sql = String::from("[");
    let mut at = start;
    while (step > 0 && at <= end) || (step < 0 && at >= end) {
        allowance::value_of(sql.len())?;
        if sql.len() > 1 {
            sql.push(',');
        }
        sql.push_str(&at.to_string());
        let Some(next) = at.checked_add(step) else { break };
        at = next;
    }
    sql.push(']');
    Ok(sql.into())
}

/// Functions of numbers.
pub(super) const FUNCTIONS: &[Scalar] = &[
    ("pg_i2", 1, Strict, |v| {
        ranged(&v[0], i16::MIN.into(), i16::MAX.into(), "smallint")
    }),
    ("pg_i4", 1, Strict, |v| {
        ranged(&v[0], i32::MIN.into(), i32::MAX.into(), "integer")
    }),
    ("pg_i8", 1, Strict, |v| {
        ranged(&v[0], i64::MIN, i64::MAX, "bigint")
    }),
    // As views of older files say it.
    ("pg_f8", 1, Strict, |v| float8(&v[0])),
    ("pg_f8_add", 2, Strict, |v| sum(v[0].real(), v[1].real())),
    ("pg_f8_sub", 2, Strict, |v| sum(v[0].real(), -v[1].real())),
    ("pg_int2_div", 2, Strict, |v| {
        ranged(&whole_quotient(v)?, i16::MIN.into(), i16::MAX.into(), "smallint")
    }),
    ("pg_int4_div", 2, Strict, |v| {
        ranged(&whole_quotient(v)?, i32::MIN.into(), i32::MAX.into(), "integer")
    }),
    ("pg_int8_div", 2, Strict, |v| {
        ranged(&whole_quotient(v)?, i64::MIN, i64::MAX, "bigint")
    }),
    ("pg_int_mod", 2, Strict, |v| match (v[0].int(), v[1].int()) {
        (_, 0) => fail("22012", "division by zero"),
        (one, other) => Ok(V::Int(one.wrapping_rem(other))),
    }),
    // As views of older files say it.
    ("pg_nz", 1, Strict, |v| match &v[0] {
        V::Int(0) => fail("22012", "division by zero"),
        V::Real(number) if *number == 0.0 => fail("22012", "division by zero"),
        other => Ok(other.clone()),
    }),
    ("pg_float_int2", 1, Strict, |v| {
        float_int(&v[0], i16::MIN.into(), i16::MAX.into(), "smallint")
    }),
    ("pg_float_int4", 1, Strict, |v| {
        float_int(&v[0], i32::MIN.into(), i32::MAX.into(), "integer")
    }),
    ("pg_float_int8", 1, Strict, |v| {
        float_int(&v[0], i64::MIN, i64::MAX, "bigint")
    }),
    ("pg_text_float8", 1, Strict, |v| {
        Ok(float8_text(v[0].real()).into())
    }),
    ("pg_f8_mul", 2, Strict, |v| product(v[0].real(), v[1].real())),
    ("pg_f8_div", 2, Strict, |v| quotient(v[0].real(), v[1].real())),
    ("pg_f8_neg", 1, Strict, |v| Ok(V::Real(-v[0].real()))),
    ("pg_f8_abs", 1, Strict, |v| Ok(V::Real(v[0].real().abs()))),
    ("pg_f8_sign", 1, Strict, |v| {
        let number = v[0].real();
        // Of what is no number there is neither sign.
        Ok(V::Real(f64::from(
            i8::from(number > 0.0) - i8::from(number < 0.0),
        )))
    }),
    ("pg_abs_int8", 1, Strict, |v| {
        bigint(Some(v[0].int().unsigned_abs()))
    }),
    // As processors do it: by as many bits as are left when whole widths are taken away.
    ("pg_shl2", 2, Strict, |v| {
        let shifted = (v[0].int() as i32).wrapping_shl(v[1].int() as u32);
        Ok(V::Int((shifted as i16).into()))
    }),
    ("pg_shl4", 2, Strict, |v| {
        Ok(V::Int((v[0].int() as i32).wrapping_shl(v[1].int() as u32).into()))
    }),
    ("pg_shl8", 2, Strict, |v| {
        Ok(V::Int(v[0].int().wrapping_shl(v[1].int() as u32)))
    }),
    ("pg_shr4", 2, Strict, |v| {
        Ok(V::Int((v[0].int() as i32).wrapping_shr(v[1].int() as u32).into()))
    }),
    ("pg_shr8", 2, Strict, |v| {
        Ok(V::Int(v[0].int().wrapping_shr(v[1].int() as u32)))
    }),
    ("pg_oid", 1, Strict, |v| ranged(&v[0], 0, u32::MAX.into(), "OID")),
    // Numbers with a sign and without, of the same bits.
    ("pg_int4_oid", 1, Strict, |v| {
        Ok(V::Int((v[0].int() as i32).cast_unsigned().into()))
    }),
    ("pg_oid_int4", 1, Strict, |v| {
        Ok(V::Int((v[0].int() as u32).cast_signed().into()))
    }),
    ("pg_greatest", -1, Lenient, |v| extreme(v, true)),
    ("pg_least", -1, Lenient, |v| extreme(v, false)),
    ("pg_rint", 1, Strict, |v| {
        Ok(V::Real(v[0].real().round_ties_even()))
    }),
    ("pg_sqrt", 1, Strict, |v| {
        if v[0].real() < 0.0 {
            return fail("2201F", "cannot take square root of a negative number");
        }
        Ok(V::Real(v[0].real().sqrt()))
    }),
    ("pg_trunc", 1, Strict, |v| Ok(V::Real(v[0].real().trunc()))),
    ("pg_ceil", 1, Strict, |v| Ok(V::Real(v[0].real().ceil()))),
    ("pg_floor", 1, Strict, |v| Ok(V::Real(v[0].real().floor()))),
    ("pg_exp", 1, Strict, |v| {
        let (number, result) = (v[0].real(), v[0].real().exp());
        if number.is_infinite() {
            return Ok(V::Real(result));
        }
        unless_lost(result, false)
    }),
    ("pg_pi", 0, Strict, |_| Ok(V::Real(std::f64::consts::PI))),
    ("pg_sin", 1, Strict, |v| periodic(v[0].real(), f64::sin)),
    ("pg_cos", 1, Strict, |v| periodic(v[0].real(), f64::cos)),
    ("pg_tan", 1, Strict, |v| periodic(v[0].real(), f64::tan)),
    ("pg_asin", 1, Strict, |v| inverse(v[0].real(), f64::asin)),
    ("pg_acos", 1, Strict, |v| inverse(v[0].real(), f64::acos)),
    ("pg_atan", 1, Strict, |v| Ok(V::Real(v[0].real().atan()))),
    ("pg_atan2", 2, Strict, |v| {
        Ok(V::Real(v[0].real().atan2(v[1].real())))
    }),
    ("pg_degrees", 1, Strict, |v| Ok(V::Real(v[0].real().to_degrees()))),
    ("pg_radians", 1, Strict, |v| {
        Ok(V::Real(v[0].real() * (std::f64::consts::PI / 180.0)))
    }),
    ("pg_cbrt", 1, Strict, |v| Ok(V::Real(v[0].real().cbrt()))),
    ("pg_power", 2, Strict, |v| power(v[0].real(), v[1].real())),
    ("pg_ln", 1, Strict, |v| log(v[0].real(), f64::ln)),
    ("pg_log10", 1, Strict, |v| log(v[0].real(), f64::log10)),
    ("pg_gcd", 2, Strict, |v| bigint(Some(gcd(v[0].int(), v[1].int())))),
    ("pg_lcm", 2, Strict, |v| {
        let (one, other) = (v[0].int(), v[1].int());
        if one == 0 || other == 0 {
            return Ok(V::Int(0));
        }
        let steps = one.unsigned_abs() / gcd(one, other);
        bigint(steps.checked_mul(other.unsigned_abs()))
    }),
    ("pg_width_bucket", 4, Strict, |v| {
        let (value, low, high, count) = (v[0].real(), v[1].real(), v[2].real(), v[3].int());
        if count <= 0 {
            return fail("2201G", "count must be greater than zero");
        }
        if [value, low, high].iter().any(|number| number.is_nan()) {
            return fail("2201G", "operand, lower bound, and upper bound cannot be NaN");
        }
        if low.is_infinite() || high.is_infinite() {
            return fail("2201G", "lower and upper bounds must be finite");
        }
        #[allow(clippy::float_cmp, reason = "PostgreSQL compares the bounds exactly")]
        if low == high {
            return fail("2201G", "lower bound cannot equal upper bound");
        }
        let place = (value - low) / (high - low) * count as f64;
        Ok(V::Int(if place < 0.0 {
            0
        } else if place >= count as f64 {
            count.saturating_add(1)
        } else {
            (place as i64).saturating_add(1)
        }))
    }),
    ("pg_series", 3, Strict, series),
];
