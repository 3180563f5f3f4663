//! Functions of `numeric`.

use std::{cmp::Ordering, fmt::Write as _};

use num_bigint::{BigInt, Sign};

use super::{
    Failure,
    Nature::{Lenient, Strict},
    Out, Scalar, V, allowance,
    decimal::{self, Decimal, is_nan},
    digits, fail, number,
    numeric_special::{self as special, One, Two},
    transcendental,
};

fn two(
    function: Two,
    values: &[V],
    work: impl FnOnce(&Decimal, &Decimal) -> Result<Decimal, Failure>,
) -> Out {
    if let Some(beyond) = special::two(function, values)? {
        return Ok(beyond);
    }
    let found = work(&Decimal::of(&values[0])?, &Decimal::of(&values[1])?)?;
    Ok(found.bounded()?.into())
}

fn one(function: One, values: &[V], work: impl FnOnce(&Decimal) -> Result<Decimal, Failure>) -> Out {
    if let Some(beyond) = special::one(function, &values[0])? {
        return Ok(beyond);
    }
    Ok(work(&Decimal::of(&values[0])?)?.bounded()?.into())
}

/// The greatest number that both are multiples of, or the least that is a multiple of both; NaN where one is not finite.
fn common(values: &[V], is_multiple: bool) -> Out {
    let beyond =
        |value: &V| matches!(value, V::Text(text) if matches!(text.as_str(), "Infinity" | "-Infinity"));
    if values.iter().any(|value| is_nan(value) || beyond(value)) {
        return Ok("NaN".into());
    }
    let (one, other) = (Decimal::of(&values[0])?, Decimal::of(&values[1])?);
    let scale = one.scale.max(other.scale);
    let (one, other) = (one.with_scale(scale), other.with_scale(scale));
    let (mut divisor, mut rest) = (one.clone(), other.clone());
    while rest.sign() != Sign::NoSign {
        allowance::over(usize::try_from(rest.bits()).unwrap_or(usize::MAX))?;
        (divisor, rest) = (rest.clone(), divisor % rest);
    }
    let found = if !is_multiple {
        divisor
    } else if divisor.sign() == Sign::NoSign {
        BigInt::ZERO
    } else {
        one / divisor * other
    };
    let digits = found.magnitude().clone().into();
    Ok(Decimal { digits, scale }.bounded()?.into())
}

fn compare(values: &[V]) -> Out {
    if let [V::Text(one), V::Text(other)] = values {
        return Ok(V::Int(decimal::collate(one, other) as i64));
    }
    // Only texts are no finite numbers.
    let order = match (&values[0], &values[1]) {
        (V::Text(one), other) => decimal::collate(one, &Decimal::of(other)?.to_string()),
        (one, V::Text(other)) => decimal::collate(&Decimal::of(one)?.to_string(), other),
        (one, other) => Decimal::of(one)?.compare(&Decimal::of(other)?),
    };
    Ok(V::Int(order as i64))
}

fn sign(values: &[V]) -> Out {
    let found = match &values[0] {
        V::Text(text) => match text.as_str() {
            "Infinity" => "1",
            "-Infinity" => "-1",
            _ => return one(One::Same, values, |number| Ok(number.sign())),
        },
        _ => return one(One::Same, values, |number| Ok(number.sign())),
    };
    Ok(found.into())
}

pub(super) fn to_int(values: &[V], min: i64, max: i64, name: &str) -> Out {
    special::check_whole(&values[0], name)?;
    let whole = Decimal::of(&values[0])?.round(0);
    match i64::try_from(whole.digits) {
        Ok(number) if (min..=max).contains(&number) => Ok(V::Int(number)),
        _ => fail("22003", format!("{name} out of range")),
    }
}

/// To precision and scale.
pub(super) fn fit(values: &[V]) -> Out {
    if is_nan(&values[0]) {
        return Ok(values[0].clone());
    }
    if special::is_among(&values[..1]) {
        return fail("22003", "numeric field overflow");
    }
    // No type has more digits.
    let (precision, scale) = (
        values[1].int().clamp(0, 1_000),
        values[2].int().clamp(-1_000, 1_000),
    );
    let number = Decimal::of(&values[0])?.round(scale);
    let number = Decimal {
        digits: if scale >= 0 {
            number.with_scale(number.scale.max(scale as u32))
        } else {
            number.digits.clone()
        },
        scale: number.scale.max(scale.max(0) as u32),
    };
    // Where the first digit stands that is not zero may be behind the point.
    let first = number.digits.magnitude().to_string().len() as i64 - i64::from(number.scale);
    if !number.is_zero() && first > precision - scale {
        return fail("22003", "numeric field overflow");
    }
    Ok(number.into())
}

/// A floating point number by so many of its digits.
pub(super) fn of_float(number: f64, digits: usize) -> V {
    let text = number::general(number, digits);
    match Decimal::parse(&text) {
        Some(found) => found.into(),
        None => text.into(),
    }
}

/// `pg_num_…`.
pub(super) const FUNCTIONS: &[Scalar] = &[
    ("pg_num_add", 2, Strict, |v| match digits::sum(v, false)? {
        Some(sum) => Ok(sum),
        None => two(Two::Add, v, |a, b| Ok(a.plus(b))),
    }),
    ("pg_num_sub", 2, Strict, |v| match digits::sum(v, true)? {
        Some(difference) => Ok(difference),
        None => two(Two::Subtract, v, |a, b| Ok(a.minus(b))),
    }),
    ("pg_num_mul", 2, Strict, |v| {
        two(Two::Multiply, v, |a, b| Ok(a.times(b)))
    }),
    ("pg_num_div", 2, Strict, |v| two(Two::Divide, v, Decimal::divided)),
    ("pg_num_mod", 2, Strict, |v| {
        two(Two::Modulo, v, |a, b| {
            if b.is_zero() {
                return fail("22012", "division by zero");
            }
            let scale = a.scale.max(b.scale);
            Ok(Decimal {
                digits: a.with_scale(scale) % b.with_scale(scale),
                scale,
            })
        })
    }),
    ("pg_num_gcd", 2, Strict, |v| common(v, false)),
    ("pg_num_lcm", 2, Strict, |v| common(v, true)),
    ("pg_num_quotient", 2, Strict, |v| {
        two(Two::Divide, v, |a, b| {
            if b.is_zero() {
                return fail("22012", "division by zero");
            }
            let scale = a.scale.max(b.scale);
            Ok(Decimal {
                digits: a.with_scale(scale) / b.with_scale(scale),
                scale: 0,
            })
        })
    }),
    ("pg_num_abs", 1, Strict, |v| {
        one(One::Absolute, v, |a| {
            Ok(Decimal {
                digits: a.digits.magnitude().clone().into(),
                scale: a.scale,
            })
        })
    }),
    ("pg_num_round", 2, Strict, |v| {
        let places = v[1].int();
        one(One::Same, v, |a| {
            let found = a.round(places);
            Ok(if places >= 0 && i64::from(found.scale) > places {
                found.trunc(places)
            } else {
                found
            })
        })
    }),
    ("pg_num_trunc", 2, Strict, |v| {
        one(One::Same, v, |a| Ok(a.trunc(v[1].int())))
    }),
    ("pg_num_floor", 1, Strict, |v| {
        one(One::Same, v, |a| Ok(a.floor()))
    }),
    ("pg_num_ceil", 1, Strict, |v| {
        one(One::Same, v, |a| {
            let zero = Decimal {
                digits: 0.into(),
                scale: 0,
            };
            Ok(zero.minus(&zero.minus(a).floor()))
        })
    }),
    ("pg_num_sqrt", 1, Strict, |v| one(One::Root, v, Decimal::root)),
    ("pg_num_power", 2, Strict, |v| {
        two(Two::Power, v, transcendental::power)
    }),
    ("pg_num_sign", 1, Strict, sign),
    ("pg_num_exp", 1, Strict, |v| {
        one(One::Exponential, v, transcendental::exp)
    }),
    ("pg_num_ln", 1, Strict, |v| {
        one(One::Logarithm, v, transcendental::ln)
    }),
    ("pg_num_log", 2, Strict, |v| {
        two(Two::Logarithm, v, transcendental::log)
    }),
    ("pg_num_cmp", 2, Strict, compare),
    ("pg_num_billionths", 1, Strict, |v| {
        let number = Decimal::of(&v[0])?.trimmed();
        match i64::try_from(number.with_scale(9)) {
            Ok(billionths) if number.scale <= 9 => Ok(V::Int(billionths)),
            _ => fail(
                "0A000",
                "a window's range over numbers of more than 9 digits on a side of the point is not supported on a SQLite file",
            ),
        }
    }),
    ("pg_num_greatest", -1, Lenient, |v| {
        special::extreme(v, Ordering::Greater)
    }),
    ("pg_num_least", -1, Lenient, |v| {
        special::extreme(v, Ordering::Less)
    }),
    ("pg_num_scale", 2, Strict, |v| {
        let places = v[1].int();
        match Decimal::of(&v[0]) {
            Ok(number) => Ok(number.round(places.max(number.scale.into())).into()),
            // Whatever was stored there is shown as it is.
            Err(_) => Ok(v[0].clone()),
        }
    }),
    ("pg_num_scale_of", 1, Strict, |v| {
        if special::is_among(v) {
            return Ok(V::Null);
        }
        Ok(V::Int(Decimal::of(&v[0])?.scale.into()))
    }),
    ("pg_min_scale", 1, Strict, |v| {
        if special::is_among(v) {
            return Ok(V::Null);
        }
        Ok(V::Int(Decimal::of(&v[0])?.trimmed().scale.into()))
    }),
    ("pg_trim_scale", 1, Strict, |v| {
        one(One::Same, v, |a| Ok(a.trimmed()))
    }),
    ("pg_num_fit", 3, Strict, fit),
    ("pg_num_int2", 1, Strict, |v| {
        to_int(v, i16::MIN.into(), i16::MAX.into(), "smallint")
    }),
    ("pg_num_int4", 1, Strict, |v| {
        to_int(v, i32::MIN.into(), i32::MAX.into(), "integer")
    }),
    ("pg_num_int8", 1, Strict, |v| {
        to_int(v, i64::MIN, i64::MAX, "bigint")
    }),
    ("pg_text_numeric", 1, Strict, |v| match &v[0] {
        V::Text(text) => Ok(text.as_str().into()),
        other => Ok(Decimal::of(other)?.into()),
    }),
    ("pg_float4_numeric", 1, Strict, |v| {
        Ok(of_float(f64::from(v[0].real() as f32), 6))
    }),
    ("pg_float8_numeric", 1, Strict, |v| Ok(of_float(v[0].real(), 15))),
    ("pg_factorial", 1, Strict, |v| {
        let count = v[0].int();
        if count < 0 {
            return fail("22003", "factorial of a negative number is undefined");
        }
        if count > 32_177 {
            return fail("22003", "value overflows numeric format");
        }
        let mut product = BigInt::from(1);
        for factor in 2..=count {
            allowance::turn()?;
            product *= factor;
        }
        Ok(product.to_string().into())
    }),
    ("pg_series_numeric", 3, Strict, |v| {
        let (mut at, end, step) = (Decimal::of(&v[0])?, Decimal::of(&v[1])?, Decimal::of(&v[2])?);
        let mut list = String::from("[");
        let direction = step.digits.sign();
        if direction == Sign::NoSign {
            return fail("22023", "step size cannot equal zero");
        }
        let past = if direction == Sign::Plus {
            Ordering::Greater
        } else {
            Ordering::Less
        };
        while at.compare(&end) != past {
            allowance::value_of(list.len())?;
            allowance::over(at.length())?;
            let comma = if list.len() > 1 { "," } else { "" };
            let _ = write!(list, "{comma}\"{at}\"");
            at = at.plus(&step);
        }
        list.push(']');
        Ok(list.into())
    }),
];
