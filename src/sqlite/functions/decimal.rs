//! `numeric`: decimal numbers with all their digits, and with as many as PostgreSQL shows.

use std::{cmp::Ordering, fmt};

use num_bigint::{BigInt, Sign};

use super::{
    Failure, V, allowance,
    digits::{self, Written},
    fail,
};
use crate::pgtypes::numeric::{self, MOST_BEHIND_THE_POINT, MOST_DIGITS};

/// Digits, and how many of them stand behind the point.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Decimal {
    pub(super) digits: BigInt,
    pub(super) scale: u32,
}

/// Digits that a quotient has at least (`NUMERIC_MIN_SIG_DIGITS`).
pub(super) const SIGNIFICANT: i64 = 16;

/// Places that no digit of a number is beyond.
const MOST_PLACES: i64 = (MOST_DIGITS + MOST_BEHIND_THE_POINT) as i64;

/// The error of a text that is no number.
pub(super) fn unread<T>(text: &str) -> Result<T, Failure> {
    if beyond(text).is_some() {
        return fail(
            "0A000",
            "arithmetic with infinite numbers is not supported on a SQLite file",
        );
    }
    // What is wrong with it the reader of the type says.
    numeric::read(text)?;
    fail(
        "22P02",
        format!("invalid input syntax for type numeric: \"{text}\""),
    )
}

/// True for the one value that is no number.
pub(super) fn is_nan(value: &V) -> bool {
    matches!(value, V::Text(text) if text.eq_ignore_ascii_case("nan"))
}

/// Which of the infinite numbers a text is.
fn beyond(text: &str) -> Option<Ordering> {
    match text {
        "Infinity" => Some(Ordering::Greater),
        "-Infinity" => Some(Ordering::Less),
        _ => None,
    }
}

/// Where a text stands beside all finite numbers: the infinite ones around them, and what is no number behind all.
fn place(text: &str) -> i8 {
    match beyond(text) {
        Some(Ordering::Less) => -1,
        Some(_) => 1,
        None if Written::read(text).is_some() => 0,
        None => 2,
    }
}

pub(super) fn ten(power: u32) -> BigInt {
    BigInt::from(10).pow(power)
}

/// A quotient, rounded half away from zero.
fn rounded(numerator: &BigInt, denominator: &BigInt) -> BigInt {
    let twice: BigInt = numerator * 2;
    let half = if (numerator.sign() == Sign::Minus) == (denominator.sign() == Sign::Minus) {
        denominator.clone()
    } else {
        -denominator
    };
    (twice + half) / (denominator * 2)
}

/// The order of two texts that are numbers with an end.
pub(super) fn compared(one: &str, other: &str) -> Option<Ordering> {
    digits::compare(one, other).or_else(|| Some(Decimal::parse(one)?.compare(&Decimal::parse(other)?)))
}

/// The order of columns of `numeric` that keep all digits as text; what is no number comes behind, as NaN does.
pub(super) fn collate(one: &str, other: &str) -> Ordering {
    if let Some(order) = compared(one, other) {
        return order;
    }
    match (Written::read(one), Written::read(other)) {
        (None, None) if beyond(one).is_none() && beyond(other).is_none() => one.cmp(other),
        _ => place(one).cmp(&place(other)),
    }
}

impl Decimal {
    pub(super) fn parse(text: &str) -> Option<Self> {
        let written = Written::read(text)?;
        let scale = written.fraction.len() as i64 - written.exponent;
        let mut digits = digits::number(&[written.whole, written.fraction].concat())?;
        if written.negative {
            digits = -digits;
        }
        if scale < 0 {
            digits *= ten(u32::try_from(-scale).ok()?);
        }
        Some(Self {
            digits,
            scale: scale.max(0) as u32,
        })
    }

    pub(super) fn of(value: &V) -> Result<Self, Failure> {
        let found = match value {
            V::Int(number) => Some(Self {
                digits: (*number).into(),
                scale: 0,
            }),
            V::Real(number) => Self::parse(&number.to_string()),
            other => {
                allowance::over(other.length())?;
                Self::parse(&other.text())
            }
        };
        match found {
            Some(found) => Ok(found),
            None => unread(&value.text()),
        }
    }

    pub(super) fn with_scale(&self, scale: u32) -> BigInt {
        &self.digits * ten(scale - self.scale.min(scale))
    }

    pub(super) fn plus(&self, other: &Self) -> Self {
        let scale = self.scale.max(other.scale);
        Self {
            digits: self.with_scale(scale) + other.with_scale(scale),
            scale,
        }
    }

    pub(super) fn minus(&self, other: &Self) -> Self {
        let negated = Self {
            digits: -&other.digits,
            scale: other.scale,
        };
        self.plus(&negated)
    }

    pub(super) fn times(&self, other: &Self) -> Self {
        Self {
            digits: &self.digits * &other.digits,
            scale: self.scale + other.scale,
        }
    }

    pub(super) fn is_zero(&self) -> bool {
        self.digits.sign() == Sign::NoSign
    }

    /// 1, 0 or -1.
    pub(super) fn sign(&self) -> Self {
        let digits = match self.digits.sign() {
            Sign::Minus => -1,
            Sign::NoSign => 0,
            Sign::Plus => 1,
        };
        Self {
            digits: digits.into(),
            scale: 0,
        }
    }

    /// The place and the value of the first digit to the base of 10,000.
    fn leading(&self) -> (i64, i64) {
        if self.is_zero() {
            return (0, 0);
        }
        let digits = self.digits.magnitude().to_string();
        // The decimal place of the first digit, 0 for ones.
        let place = digits.len() as i64 - 1 - i64::from(self.scale);
        let weight = place.div_euclid(4);
        let count = (place - weight * 4 + 1) as usize;
        let mut first: String = digits.chars().take(count).collect();
        while first.len() < count {
            first.push('0');
        }
        (weight, first.parse().unwrap_or(0))
    }

    /// The digits behind the point of a quotient (`select_div_scale`).
    fn quotient_scale(&self, other: &Self) -> u32 {
        let ((one, first), (two, second)) = (self.leading(), other.leading());
        let mut weight = one - two;
        if first <= second {
            weight -= 1;
        }
        let scale = SIGNIFICANT - weight * 4;
        scale
            .max(self.scale.into())
            .max(other.scale.into())
            .clamp(0, 1_000) as u32
    }

    pub(super) fn divided_to(&self, other: &Self, scale: u32) -> Self {
        let numerator = &self.digits * ten(scale + other.scale);
        let denominator = &other.digits * ten(self.scale);
        Self {
            digits: rounded(&numerator, &denominator),
            scale,
        }
    }

    pub(super) fn divided(&self, other: &Self) -> Result<Self, Failure> {
        if other.is_zero() {
            return fail("22012", "division by zero");
        }
        Ok(self.divided_to(other, self.quotient_scale(other)))
    }

    pub(super) fn round(&self, places: i64) -> Self {
        if places >= i64::from(self.scale) {
            let scale = places.clamp(0, 1_000) as u32;
            return Self {
                digits: self.with_scale(scale.max(self.scale)),
                scale: scale.max(self.scale),
            };
        }
        let digits = rounded(
            &self.digits,
            &ten(i64::from(self.scale).saturating_sub(places).clamp(0, MOST_PLACES) as u32),
        );
        Self::at(digits, places)
    }

    pub(super) fn trunc(&self, places: i64) -> Self {
        if places >= i64::from(self.scale) {
            return self.round(places);
        }
        let digits =
            &self.digits / ten(i64::from(self.scale).saturating_sub(places).clamp(0, MOST_PLACES) as u32);
        Self::at(digits, places)
    }

    fn at(digits: BigInt, places: i64) -> Self {
        if places >= 0 {
            Self {
                digits,
                scale: places as u32,
            }
        } else {
            Self {
                digits: digits * ten(places.unsigned_abs().min(MOST_PLACES as u64) as u32),
                scale: 0,
            }
        }
    }

    /// Digits before the point.
    pub(super) fn whole_digits(&self) -> usize {
        let whole = self.trunc(0);
        if whole.is_zero() {
            return 0;
        }
        whole.digits.magnitude().to_string().len()
    }

    /// With the point so many places further to the right.
    pub(super) fn shifted(&self, places: usize) -> Result<Self, Failure> {
        match u32::try_from(places) {
            Ok(places) if places as usize <= MOST_DIGITS => Ok(Self {
                digits: &self.digits * ten(places),
                scale: self.scale,
            }),
            _ => fail("22003", "value overflows numeric format"),
        }
    }

    /// Times `10 ^ -places`, with the digits that PostgreSQL has of that power.
    pub(super) fn unshifted(&self, places: usize) -> Self {
        let least = SIGNIFICANT as u32;
        let power = u32::try_from(places)
            .ok()
            .and_then(|places| least.checked_sub(places));
        self.times(&Self {
            digits: power.map_or_else(BigInt::default, ten),
            scale: least,
        })
    }

    /// Its digits as one before the point and so many behind it, and the power of ten that they are multiplied with.
    pub(super) fn scientific(&self, places: usize) -> (Self, i64) {
        if self.is_zero() {
            return (self.trunc(0).round(places as i64), 0);
        }
        let behind = self.digits.magnitude().to_string().len() as u32 - 1;
        let significand = Self {
            digits: self.digits.clone(),
            scale: behind,
        };
        (
            significand.round(places as i64),
            i64::from(behind) - i64::from(self.scale),
        )
    }

    /// Without the zeros at the end of its fraction.
    pub(super) fn trimmed(&self) -> Self {
        let text = self.digits.magnitude().to_string();
        let zeros = text.len() - text.trim_end_matches('0').len();
        let zeros = if self.is_zero() {
            self.scale
        } else {
            self.scale.min(zeros as u32)
        };
        Self {
            digits: &self.digits / ten(zeros),
            scale: self.scale - zeros,
        }
    }

    /// About how many digits it has.
    pub(super) fn length(&self) -> usize {
        // Three bits are less than a digit.
        usize::try_from(self.digits.bits() / 3).unwrap_or(usize::MAX)
    }

    pub(super) fn floor(&self) -> Self {
        let whole = self.trunc(0);
        if self.digits.sign() == Sign::Minus && self.compare(&whole) == Ordering::Less {
            return Self {
                digits: whole.digits - 1,
                scale: 0,
            };
        }
        whole
    }

    pub(super) fn compare(&self, other: &Self) -> Ordering {
        let scale = self.scale.max(other.scale);
        self.with_scale(scale).cmp(&other.with_scale(scale))
    }

    fn root_to(&self, scale: u32) -> Self {
        let wanted = 2 * (scale + 2);
        let digits = if wanted >= self.scale {
            &self.digits * ten(wanted - self.scale)
        } else {
            &self.digits / ten(self.scale - wanted)
        };
        Self {
            digits: rounded(&digits.sqrt(), &BigInt::from(100)),
            scale,
        }
    }

    pub(super) fn root(&self) -> Result<Self, Failure> {
        if self.digits.sign() == Sign::Minus {
            return fail("2201F", "cannot take square root of a negative number");
        }
        let weight = (self.leading().0 + 1) * 4 / 2 - 1;
        let scale = (SIGNIFICANT - weight).max(self.scale.into()).clamp(0, 1_000);
        Ok(self.root_to(scale as u32))
    }

    /// A variance or a deviation of `count` values from their sum and the sum of their squares.
    pub(super) fn spread(
        count: i64,
        sum: &Self,
        squares: &Self,
        sample: bool,
        deviation: bool,
    ) -> Option<Self> {
        let of = |number: i64| Self {
            digits: number.into(),
            scale: 0,
        };
        let divisor = if sample { count - 1 } else { count };
        if divisor <= 0 {
            return None;
        }
        let numerator = of(count).times(squares).minus(&sum.times(sum));
        if numerator.digits.sign() != Sign::Plus {
            return Some(of(0));
        }
        let denominator = of(count).times(&of(divisor));
        let scale = numerator.quotient_scale(&denominator);
        let variance = numerator.divided_to(&denominator, scale);
        Some(if deviation {
            variance.root_to(scale)
        } else {
            variance
        })
    }

    /// A number that was worked out, as PostgreSQL has it: what is too great is an error, and digits too far behind the point go.
    pub(super) fn bounded(self) -> Result<Self, Failure> {
        let behind = MOST_BEHIND_THE_POINT as u32;
        let number = if self.scale > behind {
            Self::at(rounded(&self.digits, &ten(self.scale - behind)), behind.into())
        } else {
            self
        };
        // Three bits are less than a digit.
        let may_be_long = number.digits.bits() / 3 > MOST_DIGITS as u64;
        if may_be_long && number.whole_digits() > MOST_DIGITS {
            return fail("22003", "value overflows numeric format");
        }
        Ok(number)
    }

    pub(super) fn real(&self) -> f64 {
        self.to_string().parse().unwrap_or(f64::NAN)
    }
}

impl fmt::Display for Decimal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = self.digits.magnitude().to_string();
        if self.digits.sign() == Sign::Minus {
            f.write_str("-")?;
        }
        let scale = self.scale as usize;
        if scale == 0 {
            return f.write_str(&digits);
        }
        let padded = format!("{digits:0>width$}", width = scale + 1);
        let (whole, fraction) = padded.split_at(padded.len() - scale);
        write!(f, "{whole}.{fraction}")
    }
}

impl From<Decimal> for V {
    fn from(number: Decimal) -> Self {
        Self::Text(number.to_string())
    }
}
