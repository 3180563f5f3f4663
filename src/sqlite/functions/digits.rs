//! Decimal numbers by the digits that they are written with. Making a number of a long text takes time with the square of its
//! length, and so does writing one: what needs no more than the digits is done on them.

use std::{borrow::Cow, cmp::Ordering};

use num_bigint::BigInt;

use super::{Failure, V, allowance, fail};
use crate::pgtypes::{
    ValueError,
    numeric::{MOST_BEHIND_THE_POINT, MOST_DIGITS},
};

/// Texts with fewer digits are made numbers at once.
const FEW: usize = 1 << 10;

/// Bytes of the longest number without zeros before it: digits, sign, point and exponent.
pub(super) const LONGEST: usize = MOST_DIGITS + MOST_BEHIND_THE_POINT + 32;

/// What may be a number, without blanks and zeros that are too many before it.
pub(super) fn short(text: &str) -> Result<Cow<'_, str>, Failure> {
    if text.len() <= LONGEST {
        return Ok(text.into());
    }
    let text = allowance::trimmed(text)?;
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    let sign = &text[..text.len() - unsigned.len()];
    let zeros = allowance::position(unsigned.as_bytes(), |byte| byte != b'0')?;
    let number = &unsigned[zeros.unwrap_or(unsigned.len()).saturating_sub(1)..];
    if number.len() <= LONGEST {
        return Ok([sign, number].concat().into());
    }
    let is_of_number = |byte: u8| byte.is_ascii_digit() || matches!(byte, b'.' | b'e' | b'E' | b'+' | b'-');
    match allowance::position(number.as_bytes(), |byte| !is_of_number(byte))? {
        Some(_) => Err(ValueError::syntax("numeric", text).into()),
        None => fail("22003", "value overflows numeric format"),
    }
}

/// A decimal number in pieces.
pub(super) struct Written<'t> {
    pub(super) negative: bool,
    pub(super) whole: &'t str,
    pub(super) fraction: &'t str,
    pub(super) exponent: i64,
}

impl<'t> Written<'t> {
    /// `None` for what is no number with an end, or has more digits than one may have.
    pub(super) fn read(text: &'t str) -> Option<Self> {
        let text = text.trim();
        let (mantissa, exponent) = match text.split_once(['e', 'E']) {
            Some((mantissa, exponent)) => (mantissa, exponent.parse::<i64>().ok()?),
            None => (text, 0),
        };
        let (signed, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let whole = signed.trim_start_matches(['+', '-']);
        if whole.len() > MOST_DIGITS
            || fraction.len() > MOST_BEHIND_THE_POINT
            || whole.len() + fraction.len() == 0
            || signed.len() - whole.len() > 1
            || !(whole.bytes().chain(fraction.bytes())).all(|byte| byte.is_ascii_digit())
        {
            return None;
        }
        let scale = (fraction.len() as i64).checked_sub(exponent)?;
        let (before, longest) = (whole.trim_start_matches('0').len() as i64, MOST_DIGITS as i64);
        if scale > MOST_BEHIND_THE_POINT as i64 || exponent > longest || before + exponent > longest {
            return None;
        }
        Some(Self {
            negative: signed.starts_with('-'),
            whole,
            fraction,
            exponent,
        })
    }

    /// The order of two numbers without exponents.
    fn compare(&self, other: &Self) -> Ordering {
        let (one, two) = (self.bare(), other.bare());
        let sign = |number: &Self, bare| match (bare, number.negative) {
            (("", ""), _) => 0,
            (_, true) => -1,
            (_, false) => 1,
        };
        let sign = (sign(self, one), sign(other, two));
        sign.0.cmp(&sign.1).then_with(|| {
            let size = (one.0.len(), one).cmp(&(two.0.len(), two));
            if self.negative { size.reverse() } else { size }
        })
    }

    /// Its digits without the zeros around them.
    fn bare(&self) -> (&'t str, &'t str) {
        (
            self.whole.trim_start_matches('0'),
            self.fraction.trim_end_matches('0'),
        )
    }

    /// Its digits in a row, with so many before the point and behind it.
    fn aligned(&self, width: usize, scale: usize) -> Vec<u8> {
        let mut digits = vec![b'0'; width - self.whole.len()];
        digits.extend_from_slice(self.whole.as_bytes());
        digits.extend_from_slice(self.fraction.as_bytes());
        digits.resize(width + scale, b'0');
        digits
    }

    /// The sum of two numbers without exponents.
    fn plus(&self, other: &Self) -> Result<String, Failure> {
        let scale = self.fraction.len().max(other.fraction.len());
        // One more, for what is carried.
        let width = self.whole.len().max(other.whole.len()) + 1;
        let (mut sum, mut less) = (self.aligned(width, scale), other.aligned(width, scale));
        let mut negative = self.negative;
        let adds = self.negative == other.negative;
        if !adds && sum < less {
            (sum, less, negative) = (less, sum, other.negative);
        }
        let mut carried = 0;
        for (digit, other) in sum.iter_mut().zip(&less).rev() {
            let (one, other) = (*digit - b'0', *other - b'0' + carried);
            let found = if adds { one + other } else { one + 10 - other };
            carried = u8::from(if adds { found > 9 } else { found < 10 });
            *digit = b'0' + found % 10;
        }
        let first = sum.iter().take(width - 1).take_while(|digit| **digit == b'0');
        let first = first.count();
        if width - first > MOST_DIGITS && sum.get(first) != Some(&b'0') {
            return fail("22003", "value overflows numeric format");
        }
        let mut text = String::with_capacity(sum.len() + 2);
        if negative && sum.iter().any(|digit| *digit != b'0') {
            text.push('-');
        }
        for (at, digit) in sum.iter().enumerate().skip(first) {
            if at == width {
                text.push('.');
            }
            text.push(char::from(*digit));
        }
        Ok(text)
    }
}

/// The order of two texts that are numbers, where neither has an exponent.
pub(super) fn compare(one: &str, other: &str) -> Option<Ordering> {
    let (one, other) = (Written::read(one)?, Written::read(other)?);
    (one.exponent == 0 && other.exponent == 0).then(|| one.compare(&other))
}

/// The sum of two values or their difference, where one of them is long and both are written as numbers without an exponent.
pub(super) fn sum(values: &[V], is_difference: bool) -> Result<Option<V>, Failure> {
    let [one, other] = values else { return Ok(None) };
    let is_long = one.length() > FEW || other.length() > FEW;
    if !is_long || [one, other].iter().any(|value| matches!(value, V::Real(_))) {
        return Ok(None);
    }
    let (one, other) = (one.text(), other.text());
    let (Some(one), Some(mut other)) = (Written::read(&one), Written::read(&other)) else {
        return Ok(None);
    };
    if one.exponent != 0 || other.exponent != 0 {
        return Ok(None);
    }
    other.negative ^= is_difference;
    Ok(Some(one.plus(&other)?.into()))
}

/// The number that digits are. Many are made one of two halves, since products of long numbers take less time than their length
/// squared.
pub(super) fn number(digits: &str) -> Option<BigInt> {
    if digits.len() <= FEW {
        return digits.parse().ok();
    }
    let (high, low) = digits.split_at(digits.len() / 2);
    let power = super::decimal::ten(u32::try_from(low.len()).ok()?);
    Some(number(high)? * power + number(low)?)
}

#[cfg(test)]
mod tests {
    use super::{super::decimal::Decimal, *};

    /// Numbers of all kinds, each with more zeros around it too.
    fn some() -> Vec<String> {
        let long = "1234567890".repeat(300);
        let mut all = vec![];
        for text in [
            "0", "0.0", "1", "1.5", "1.05", "9", "9.9", "99.95", "0.05", "10", "100.25", ".5", "7.", &long,
        ] {
            for sign in ["", "-"] {
                all.push(format!("{sign}{text}"));
                all.push(format!("{sign}00{text}"));
                if text.contains('.') {
                    all.push(format!("{sign}{text}00"));
                }
            }
        }
        all
    }

    #[test]
    fn digits_give_what_numbers_give() {
        let all = some();
        for one in &all {
            for other in &all {
                let (first, second) = (Decimal::parse(one).unwrap(), Decimal::parse(other).unwrap());
                assert_eq!(
                    compare(one, other),
                    Some(first.compare(&second)),
                    "{one} and {other}"
                );
                let (written, mut negated) = (Written::read(one).unwrap(), Written::read(other).unwrap());
                assert_eq!(written.plus(&negated).ok(), Some(first.plus(&second).to_string()));
                negated.negative ^= true;
                assert_eq!(
                    written.plus(&negated).ok(),
                    Some(first.minus(&second).to_string())
                );
            }
            assert_eq!(
                number(&one.replace(['-', '.'], "")),
                one.replace(['-', '.'], "").parse().ok()
            );
        }
        let nines = "9".repeat(MOST_DIGITS);
        let most = Written::read(&nines).unwrap();
        assert!(most.plus(&Written::read("0.5").unwrap()).is_ok());
        assert!(most.plus(&Written::read("1").unwrap()).is_err());
    }
}
