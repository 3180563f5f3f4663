//! `numeric` beyond all numbers: what arithmetic makes of `Infinity`, `-Infinity` and `NaN`. Of a number that has an end only the
//! sign counts there, so that floating point has the same answers.

use std::cmp::Ordering;

use super::{
    Failure, Out, V,
    decimal::{self, Decimal},
    fail,
};
use crate::pgtypes::float::{NAN, float8_text};

/// Which of them a value is.
fn of(value: &V) -> Option<f64> {
    match value {
        V::Text(text) => match text.as_str() {
            "Infinity" => Some(f64::INFINITY),
            "-Infinity" => Some(f64::NEG_INFINITY),
            _ => decimal::is_nan(value).then_some(f64::NAN),
        },
        V::Real(number) => (!number.is_finite()).then_some(*number),
        _ => None,
    }
}

/// True where one of the values is no number with an end.
pub(super) fn is_among(values: &[V]) -> bool {
    values.iter().any(|value| of(value).is_some())
}

/// An operator or a function of two values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Two {
    Add,
    Subtract,
    Multiply,
    Divide,
    Modulo,
    Power,
    Logarithm,
}

/// A function of one value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum One {
    /// It cuts something off that has no end.
    Same,
    Absolute,
    Root,
    Exponential,
    Logarithm,
}

#[expect(clippy::unnecessary_wraps, reason = "it stands where a function of ours does")]
fn told(number: f64) -> Out {
    // There is one zero only.
    Ok(float8_text(if number == 0.0 { 0.0 } else { number }).into())
}

/// What a function of two values makes of them; `None` where both are numbers that have an end.
pub(super) fn two(function: Two, values: &[V]) -> Result<Option<V>, Failure> {
    let (one, other) = (of(&values[0]), of(&values[1]));
    if one.is_none() && other.is_none() {
        return Ok(None);
    }
    let finite = |value: &V| -> Result<f64, Failure> {
        let number = Decimal::of(value)?;
        let near = number.real().clamp(f64::MIN, f64::MAX);
        // What is not nothing stays on its side of it.
        Ok(if near == 0.0 && !number.is_zero() {
            number.sign().real() * f64::MIN_POSITIVE
        } else {
            near
        })
    };
    let one = one.map_or_else(|| finite(&values[0]), Ok)?;
    let other = other.map_or_else(|| finite(&values[1]), Ok)?;
    if function != Two::Power && (one.is_nan() || other.is_nan()) {
        return Ok(Some(NAN.into()));
    }
    let found = match function {
        Two::Add => one + other,
        Two::Subtract => one - other,
        Two::Multiply => one * other,
        Two::Divide | Two::Modulo if other == 0.0 => return fail("22012", "division by zero"),
        Two::Divide => one / other,
        Two::Modulo if one.is_infinite() => f64::NAN,
        Two::Modulo => return Ok(Some(values[0].text().into())),
        Two::Power => power(one, other)?,
        Two::Logarithm => {
            for number in [one, other] {
                check_ln(number)?;
            }
            match (one.is_infinite(), other.is_infinite()) {
                (true, true) => f64::NAN,
                (true, false) => 0.0,
                // Whatever the base is: PostgreSQL does not look whether it is below 1.
                _ => f64::INFINITY,
            }
        }
    };
    told(found).map(Some)
}

fn check_ln(number: f64) -> Result<(), Failure> {
    if number == 0.0 {
        return fail("2201E", "cannot take logarithm of zero");
    }
    if number < 0.0 {
        return fail("2201E", "cannot take logarithm of a negative number");
    }
    Ok(())
}

fn power(base: f64, exponent: f64) -> Result<f64, Failure> {
    check_power(base, exponent)?;
    Ok(base.powf(exponent))
}

/// Refuses what has no power (`dpow`, `numeric_power`).
pub(super) fn check_power(base: f64, exponent: f64) -> Result<(), Failure> {
    if base == 0.0 && exponent < 0.0 {
        return fail("2201F", "zero raised to a negative power is undefined");
    }
    if base < 0.0 && exponent.is_finite() && exponent.fract() != 0.0 {
        return fail(
            "2201F",
            "a negative number raised to a non-integer power yields a complex result",
        );
    }
    Ok(())
}

/// What a function of one value makes of it; `None` where that is a number that has an end.
pub(super) fn one(function: One, value: &V) -> Result<Option<V>, Failure> {
    let Some(number) = of(value) else { return Ok(None) };
    let found = match function {
        _ if number.is_nan() => number,
        One::Absolute => number.abs(),
        One::Root if number < 0.0 => {
            return fail("2201F", "cannot take square root of a negative number");
        }
        One::Same | One::Root => number,
        One::Exponential => number.exp(),
        One::Logarithm => {
            check_ln(number)?;
            number
        }
    };
    told(found).map(Some)
}

/// The first or the last of the values, NULL being none of them.
pub(super) fn extreme(values: &[V], wanted: Ordering) -> Out {
    let known = values.iter().filter(|value| !value.is_null());
    let mut best: Option<String> = None;
    for value in known {
        let text = match of(value) {
            Some(_) => value.text(),
            None => Decimal::of(value)?.to_string(),
        };
        if best
            .as_ref()
            .is_none_or(|best| decimal::collate(&text, best) == wanted)
        {
            best = Some(text);
        }
    }
    Ok(best.map_or(V::Null, V::from))
}

/// That it is no whole number of this type.
pub(super) fn check_whole(value: &V, name: &str) -> Result<(), Failure> {
    match of(value) {
        None => Ok(()),
        Some(number) => {
            let what = if number.is_nan() { NAN } else { "infinity" };
            fail("0A000", format!("cannot convert {what} to {name}"))
        }
    }
}

/// The values without end in a sum, which leave it as they came.
#[derive(Debug, Default, Clone, Copy)]
pub(super) struct Count {
    nans: usize,
    above: usize,
    below: usize,
}

impl Count {
    /// Counts a value that is one of them, or takes it away again.
    pub(super) fn takes(&mut self, value: &V, comes: bool) -> bool {
        let Some(number) = of(value) else { return false };
        let count = if number.is_nan() {
            &mut self.nans
        } else if number > 0.0 {
            &mut self.above
        } else {
            &mut self.below
        };
        *count = if comes {
            count.saturating_add(1)
        } else {
            count.saturating_sub(1)
        };
        true
    }

    /// The sum, where they decide it.
    pub(super) fn sum(self) -> Option<&'static str> {
        match (self.nans, self.above, self.below) {
            (0, 0, 0) => None,
            (0, _, 0) => Some("Infinity"),
            (0, 0, _) => Some("-Infinity"),
            _ => Some(NAN),
        }
    }
}
