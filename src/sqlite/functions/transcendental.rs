//! Powers, exponentials and logarithms of `numeric`, with the digits that PostgreSQL gives them: worked out by whole numbers
//! that stand for so many digits behind the point.

use std::cmp::Ordering;

use num_bigint::{BigInt, Sign};

use super::{
    Failure,
    decimal::{Decimal, SIGNIFICANT, ten},
    fail,
};

/// Digits that are worked out beyond those that are shown.
const BEYOND: u32 = 24;
/// The longest power that is worked out digit by digit, in bits; PostgreSQL's numbers end before it.
const MOST_BITS: u64 = 500_000;
/// The highest exponent of such a power.
const MOST_TIMES: u32 = 1_000;
/// The most digits in front of the point of any other power.
const MOST_WHOLE: f64 = 3_000.0;
/// Digits that are reckoned with at most.
const MOST_DIGITS: u32 = 4_500;
/// The most digits that PostgreSQL shows behind the point.
const MOST_SHOWN: i64 = 1_000;

/// Numbers with so many digits behind the point.
struct Fixed {
    digits: u32,
    one: BigInt,
}

impl Fixed {
    /// With more digits than these one call would run for minutes, and nothing ends it.
    fn new(digits: u32) -> Result<Self, Failure> {
        if digits > MOST_DIGITS {
            return fail(
                "0A000",
                "powers and logarithms of more than 3000 digits are not supported on a SQLite file",
            );
        }
        let one = ten(digits);
        Ok(Self { digits, one })
    }

    fn of(&self, number: &Decimal) -> BigInt {
        if number.scale <= self.digits {
            number.with_scale(self.digits)
        } else {
            &number.digits / ten(number.scale - self.digits)
        }
    }

    fn times(&self, one: &BigInt, other: &BigInt) -> BigInt {
        one * other / &self.one
    }

    /// The logarithm of a number from 1 to 10: of a root of it that is near 1, by the series of the area tangent.
    fn ln_of_digit(&self, number: BigInt) -> BigInt {
        let near: BigInt = &self.one + &self.one / 32;
        if number.sign() != Sign::Plus {
            return BigInt::ZERO;
        }
        let (mut root, mut factor) = (number, 2_u32);
        while root > near {
            root = (root * &self.one).sqrt();
            factor *= 2;
        }
        let tangent = (&root - &self.one) * &self.one / (root + &self.one);
        let square = self.times(&tangent, &tangent);
        let (mut power, mut sum, mut odd) = (tangent, BigInt::ZERO, 1_u32);
        while power.sign() != Sign::NoSign {
            sum += &power / odd;
            power = self.times(&power, &square);
            odd += 2;
        }
        sum * factor
    }

    /// The logarithm of a number above 0.
    fn ln(&self, number: &Decimal) -> BigInt {
        let place = place(number);
        let mantissa = Decimal {
            digits: number.digits.clone(),
            scale: (place + i64::from(number.scale)) as u32,
        };
        let tens = if place == 0 {
            BigInt::ZERO
        } else {
            self.ln_of_digit(&self.one * 10) * place
        };
        self.ln_of_digit(self.of(&mantissa)) + tens
    }

    /// The exponential, by that of a small part and the power of ten that it is multiplied by.
    fn exp(&self, number: &BigInt) -> Decimal {
        const HALVED: u32 = 8;
        let ten = self.ln_of_digit(&self.one * 10);
        let place = number / &ten;
        let part = (number - &place * ten) >> HALVED;
        let (mut term, mut sum, mut count) = (self.one.clone(), BigInt::ZERO, 1_u32);
        while term.sign() != Sign::NoSign {
            sum += &term;
            term = self.times(&term, &part) / count;
            count += 1;
        }
        for _ in 0..HALVED {
            sum = self.times(&sum, &sum);
        }
        let place = i64::try_from(place).unwrap_or_default();
        let scale = i64::from(self.digits) - place;
        match u32::try_from(scale) {
            Ok(scale) => Decimal { digits: sum, scale },
            Err(_) => Decimal {
                digits: sum * super::decimal::ten(scale.unsigned_abs() as u32),
                scale: 0,
            },
        }
    }
}

/// The place of the first digit: 0 for ones, 1 for tens.
fn place(number: &Decimal) -> i64 {
    number.digits.magnitude().to_string().len() as i64 - 1 - i64::from(number.scale)
}

/// The decimal logarithm of a number that is not 0, near enough to count digits.
fn size(number: &Decimal) -> f64 {
    let digits = number.digits.magnitude().to_string();
    let first: String = digits.chars().take(17).collect();
    let first = first.parse::<f64>().unwrap_or(1.0).log10() - (first.len() - 1) as f64;
    first + place(number) as f64
}

fn whole(number: i64) -> Decimal {
    Decimal {
        digits: number.into(),
        scale: 0,
    }
}

/// How many digits are shown behind the point of what has its first digit in this place (`NUMERIC_MIN_SIG_DIGITS`).
fn shown(place: i64, of: &[&Decimal]) -> u32 {
    let scales = of.iter().map(|number| i64::from(number.scale));
    scales
        .fold(SIGNIFICANT.saturating_sub(place), i64::max)
        .clamp(0, MOST_SHOWN) as u32
}

fn nothing() -> Decimal {
    Decimal {
        digits: BigInt::ZERO,
        scale: MOST_SHOWN as u32,
    }
}

pub(super) fn exp(number: &Decimal) -> Result<Decimal, Failure> {
    let real = number.real();
    if real >= 6_000.0 {
        return fail("22003", "value overflows numeric format");
    }
    if real <= -6_000.0 {
        return Ok(nothing());
    }
    let place = (real * std::f64::consts::LOG10_E) as i64;
    let scale = shown(place, &[number]);
    let fixed = Fixed::new(scale + place.max(0) as u32 + BEYOND)?;
    Ok(fixed.exp(&fixed.of(number)).round(scale.into()))
}

/// About where the first digit of a logarithm is (`estimate_ln_dweight`).
fn place_of_ln(number: &Decimal) -> i64 {
    let tenths = |digits: i64| Decimal {
        digits: digits.into(),
        scale: 1,
    };
    let is_near =
        number.compare(&tenths(9)) != Ordering::Less && number.compare(&tenths(11)) != Ordering::Greater;
    if is_near {
        let beside = number.minus(&whole(1));
        return if beside.is_zero() { 0 } else { place(&beside) };
    }
    (size(number) * std::f64::consts::LN_10).abs().log10() as i64
}

fn check_ln(number: &Decimal) -> Result<(), Failure> {
    match number.digits.sign() {
        Sign::NoSign => fail("2201E", "cannot take logarithm of zero"),
        Sign::Minus => fail("2201E", "cannot take logarithm of a negative number"),
        Sign::Plus => Ok(()),
    }
}

pub(super) fn ln(number: &Decimal) -> Result<Decimal, Failure> {
    check_ln(number)?;
    let scale = shown(place_of_ln(number), &[number]);
    let fixed = Fixed::new(scale + BEYOND)?;
    Ok(Decimal {
        digits: fixed.ln(number),
        scale: fixed.digits,
    }
    .round(scale.into()))
}

pub(super) fn log(base: &Decimal, number: &Decimal) -> Result<Decimal, Failure> {
    check_ln(base)?;
    check_ln(number)?;
    let (below, above) = (place_of_ln(base), place_of_ln(number));
    let scale = shown(above - below, &[base, number]);
    let digits = i64::from(scale) + below.abs().max(above.abs()) * 2 + i64::from(BEYOND);
    let fixed = Fixed::new(digits as u32)?;
    let (divisor, dividend) = (fixed.ln(base), fixed.ln(number));
    if divisor.sign() == Sign::NoSign {
        return fail("22012", "division by zero");
    }
    Ok(Decimal {
        digits: dividend * &fixed.one / divisor,
        scale: fixed.digits,
    }
    .round(scale.into()))
}

pub(super) fn power(base: &Decimal, exponent: &Decimal) -> Result<Decimal, Failure> {
    let falls = exponent.digits.sign() == Sign::Minus;
    if base.is_zero() && falls {
        return fail("2201F", "zero raised to a negative power is undefined");
    }
    let times = exponent.trunc(0);
    let is_whole = exponent.compare(&times) == Ordering::Equal;
    let is_negative = base.digits.sign() == Sign::Minus;
    if is_negative && !is_whole {
        return fail(
            "2201F",
            "a negative number raised to a non-integer power yields a complex result",
        );
    }
    // Nothing stays nothing, however large the exponent is: it has no logarithm.
    if base.is_zero() && (!is_whole || i32::try_from(&times.digits).is_err()) {
        let scale = SIGNIFICANT as u32;
        return Ok(Decimal {
            digits: BigInt::ZERO,
            scale,
        });
    }
    let long = if base.is_zero() {
        0.0
    } else {
        size(base) * exponent.real()
    };
    if long > 131_072.0 {
        return fail("22003", "value overflows numeric format");
    }
    let is_counted = is_whole && i32::try_from(&times.digits).is_ok();
    let scale = if is_counted {
        shown(0, &[base])
    } else {
        shown(long as i64, &[base, exponent])
    };
    if long + 1.0 < -(MOST_SHOWN as f64) {
        return Ok(Decimal {
            scale: if is_counted { scale } else { MOST_SHOWN as u32 },
            ..nothing()
        });
    }
    let count = u32::try_from(times.digits.magnitude().clone()).ok();
    let count = count.filter(|count| {
        let bits = base.digits.bits().max(u64::from(base.scale) * 3);
        is_whole && *count < MOST_TIMES && bits * u64::from(*count) < MOST_BITS
    });
    if let Some(count) = count {
        let exact = Decimal {
            digits: base.digits.pow(count),
            scale: base.scale * count,
        };
        return Ok(if falls {
            whole(1).divided_to(&exact, scale)
        } else {
            exact.round(scale.into())
        });
    }
    if base.is_zero() {
        return Ok(Decimal { scale, ..nothing() });
    }
    if long > MOST_WHOLE {
        return fail(
            "0A000",
            "powers of more than 3000 digits are not supported on a SQLite file",
        );
    }
    let positive = Decimal {
        digits: base.digits.magnitude().clone().into(),
        scale: base.scale,
    };
    let digits = scale + (long.max(0.0) as u32) + BEYOND;
    // What the logarithm lacks is multiplied by the exponent.
    let fixed = Fixed::new(digits + exponent.whole_digits() as u32)?;
    let logarithm = fixed.ln(&positive) * &exponent.digits / ten(exponent.scale);
    let found = fixed.exp(&logarithm).round(scale.into());
    let is_odd = &times.digits % 2 != BigInt::ZERO;
    Ok(if is_negative && is_odd {
        Decimal {
            digits: -found.digits,
            scale: found.scale,
        }
    } else {
        found
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Decimal {
        Decimal::parse(text).unwrap()
    }

    #[test]
    fn digits_are_postgresql_s() {
        for (base, exponent, expected) in [
            ("1.0000001", "1000000", "1.1051709125497934"),
            ("2", "-24", "0.0000000596046448"),
            ("1.05", "100", "131.5012578463034550"),
            ("2", "0.5", "1.4142135623730950"),
            ("-2", "3", "-8.0000000000000000"),
            ("0", "0", "1.0000000000000000"),
        ] {
            let found = power(&read(base), &read(exponent)).ok().unwrap();
            assert_eq!(found.to_string(), expected, "{base} ^ {exponent}");
        }
        assert_eq!(exp(&read("1")).ok().unwrap().to_string(), "2.7182818284590452");
        assert_eq!(ln(&read("10")).ok().unwrap().to_string(), "2.3025850929940457");
        assert_eq!(ln(&read("1")).ok().unwrap().to_string(), "0.0000000000000000");
        assert_eq!(
            log(&read("10"), &read("2")).ok().unwrap().to_string(),
            "0.3010299956639812"
        );
    }
}
