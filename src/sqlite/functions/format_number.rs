//! `to_char` of numbers, place by place as PostgreSQL does it (`NUM_processor` in `formatting.c`).

use super::{
    Failure, Out, V, allowance,
    decimal::{self, Decimal},
    fail,
    format::ordinal,
    number_pattern::{Anchor, Part, Pattern},
};

/// Digits that a floating point number has for sure.
const FLOAT4_DIGITS: usize = 6;
const FLOAT8_DIGITS: usize = 15;
/// The width of a Roman number.
const ROMAN: usize = 15;
/// Decimals that are worked out of a floating point number; zeros follow.
const MOST_DECIMALS: usize = 350;

/// A number as it is before the pattern shows it.
struct Number {
    sign: u8,
    digits: String,
    /// Places before the point that it leaves free.
    blanks: usize,
    /// Places before the point, and behind it as far as the number has them.
    before: usize,
    behind: usize,
}

/// By what the pattern says, from the type's own text; what a type does otherwise comes before.
fn fitted(text: &str, before: usize, behind: usize) -> Number {
    let (sign, digits) = text
        .strip_prefix('-')
        .map_or((b'+', text), |digits| (b'-', digits));
    let whole = digits.split('.').next().map_or(0, str::len);
    Number {
        sign,
        digits: if whole > before {
            format!("{}.{}", "#".repeat(before), "#".repeat(behind))
        } else {
            digits.to_owned()
        },
        blanks: before.saturating_sub(whole),
        before,
        behind,
    }
}

/// Where no number can be shown with an exponent.
fn no_exponent(pattern: &Pattern) -> String {
    let mut shown = " ".to_owned();
    shown.push_str(&"#".repeat(pattern.before + pattern.behind + 5));
    let point = pattern.before + 1;
    shown.replace_range(point..=point, ".");
    shown
}

fn scientific(number: f64, pattern: &Pattern) -> String {
    if !number.is_finite() {
        return no_exponent(pattern);
    }
    let places = pattern.behind.min(MOST_DECIMALS);
    let text = format!("{number:.places$e}");
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let sign = if mantissa.starts_with('-') { "" } else { " " };
    let zeros = "0".repeat(pattern.behind - places);
    let exponent: i32 = exponent.parse().unwrap_or(0);
    format!("{sign}{mantissa}{zeros}e{exponent:+03}")
}

fn scientific_decimal(number: &Decimal, pattern: &Pattern) -> String {
    let (significand, exponent) = number.scientific(pattern.behind);
    let significand = significand.to_string();
    let sign = if significand.starts_with('-') { "" } else { " " };
    format!("{sign}{significand}e{exponent:+03}")
}

fn roman(number: i64) -> String {
    const ONES: [&str; 10] = ["", "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX"];
    const TENS: [&str; 10] = ["", "X", "XX", "XXX", "XL", "L", "LX", "LXX", "LXXX", "XC"];
    const HUNDREDS: [&str; 10] = ["", "C", "CC", "CCC", "CD", "D", "DC", "DCC", "DCCC", "CM"];
    if !(1..=3_999).contains(&number) {
        return "#".repeat(ROMAN);
    }
    let number = number as usize;
    [
        &"M".repeat(number / 1_000),
        HUNDREDS[number / 100 % 10],
        TENS[number / 10 % 10],
        ONES[number % 10],
    ]
    .concat()
}

/// A number in the places of a pattern (`NUM_processor`).
struct Writer<'n> {
    pattern: &'n Pattern,
    number: &'n Number,
    shown: Vec<u8>,
    /// The digit that comes next.
    next: usize,
    /// The place that comes next.
    place: usize,
    /// The last digit behind the point that is shown whatever fills the rest.
    last_relevant: Option<usize>,
    anchor: Option<Anchor>,
    brackets: bool,
    sign_is_written: bool,
    digit_is_written: bool,
    end: isize,
}

impl<'n> Writer<'n> {
    fn new(pattern: &'n Pattern, number: &'n Number) -> Self {
        let signed = pattern.plus || pattern.minus;
        let positive = number.sign != b'-';
        let sign_is_written = if signed {
            // These write it themselves.
            pattern.minus
        } else {
            number.sign == b'+' && pattern.fills && pattern.anchor.is_none()
        };
        let anchor = match pattern.anchor {
            Some(Anchor::Before) if !signed && number.before == pattern.before_anchor => Some(Anchor::Behind),
            anchor => anchor,
        };
        let mut end = (number.before + number.behind) as isize - 1;
        if !sign_is_written && number.blanks == 0 {
            end += 1;
        }
        end += isize::from(number.blanks > 0) + isize::from(pattern.has_point);
        Self {
            pattern,
            number,
            shown: vec![],
            next: 0,
            place: 0,
            last_relevant: last_relevant(pattern, number),
            anchor,
            brackets: pattern.brackets && !(positive && pattern.fills && !signed),
            sign_is_written,
            digit_is_written: false,
            end,
        }
    }

    /// The byte of the number at this place; 0 behind its end.
    fn digit(&self, at: usize) -> u8 {
        self.number.digits.as_bytes().get(at).copied().unwrap_or(0)
    }

    fn ends_at_point(&self) -> bool {
        self.last_relevant.is_some_and(|at| self.digit(at) == b'.')
    }

    /// True for a zero before the point that is not shown.
    fn is_hidden_zero(&self) -> bool {
        self.pattern.first_zero.is_none()
            && self.next == 0
            && self.digit(0) == b'0'
            && self.number.behind != 0
    }

    fn is_zero_from_here(&self) -> bool {
        self.pattern
            .first_zero
            .is_some_and(|first| first - 1 <= self.place)
    }

    fn signs(&mut self) {
        let begins = self.place >= self.number.blanks
            || self
                .pattern
                .first_zero
                .is_some_and(|first| first - 1 == self.place);
        if self.sign_is_written || !begins || (self.is_hidden_zero() && !self.ends_at_point()) {
            return;
        }
        let sign = self.number.sign;
        if let Some(anchor) = self.anchor {
            if anchor == Anchor::Before {
                self.shown.push(if sign == b'-' { b'-' } else { b'+' });
                self.sign_is_written = true;
            }
        } else if self.brackets {
            self.shown.push(if sign == b'+' { b' ' } else { b'<' });
            self.sign_is_written = true;
        } else if sign == b'+' {
            if !self.pattern.fills {
                self.shown.push(b' ');
            }
            self.sign_is_written = true;
        } else if sign == b'-' {
            self.shown.push(b'-');
            self.sign_is_written = true;
        }
    }

    /// A place for a digit or the point (`NUM_numpart_to_char`).
    fn place(&mut self, part: Part) {
        if self.pattern.roman {
            return;
        }
        self.digit_is_written = false;
        self.signs();
        if self.place < self.number.blanks {
            if self.is_zero_from_here() {
                self.shown.push(b'0');
                self.digit_is_written = true;
            } else if !self.pattern.fills {
                self.shown.push(b' ');
            }
        } else {
            self.character(part);
            if self.digit(self.next) != 0 {
                self.next += 1;
            }
        }
        let end = if self.last_relevant == Some(self.next) {
            self.place as isize
        } else {
            self.end
        };
        if self.place as isize + 1 == end {
            let sign = self.number.sign;
            if self.sign_is_written && self.brackets {
                self.shown.push(if sign == b'+' { b' ' } else { b'>' });
            } else if self.anchor == Some(Anchor::Behind) {
                self.shown.push(if sign == b'-' { b'-' } else { b'+' });
            }
        }
        self.place += 1;
    }

    fn character(&mut self, part: Part) {
        let here = self.digit(self.next);
        if here == b'.' {
            if !self.ends_at_point() || self.pattern.fills {
                self.shown.push(b'.');
            }
        } else if self.last_relevant.is_some_and(|last| self.next > last) && part != Part::Zero {
            // Nothing is left but zeros.
        } else if self.is_hidden_zero() {
            if !self.pattern.fills {
                self.shown.push(b' ');
            } else if self.ends_at_point() {
                self.shown.push(b'0');
            }
        } else {
            self.shown.push(here);
            self.digit_is_written = true;
        }
    }

    fn write(&mut self, part: Part) -> Result<(), Failure> {
        let (sign, fills) = (self.number.sign, self.pattern.fills);
        match part {
            Part::Nine | Part::Zero | Part::Point => self.place(part),
            Part::Comma if self.digit_is_written => self.shown.push(b','),
            Part::Minus if sign == b'-' => self.shown.push(b'-'),
            Part::Plus if sign == b'+' => self.shown.push(b'+'),
            Part::Comma | Part::Minus | Part::Plus if fills => {}
            Part::Comma | Part::Currency | Part::Minus | Part::Plus => self.shown.push(b' '),
            Part::Sign => self.shown.push(sign),
            Part::Roman { small } => {
                let digits = &self.number.digits;
                let shown = if small {
                    digits.to_ascii_lowercase()
                } else {
                    digits.clone()
                };
                if !fills {
                    self.shown
                        .extend(" ".repeat(ROMAN.saturating_sub(shown.len())).bytes());
                }
                self.shown.extend(shown.bytes());
            }
            Part::Ordinal { small } => self.ordinal(small)?,
            Part::Silent(_) => {}
            Part::Literal(character) => {
                self.shown.extend(character.encode_utf8(&mut [0; 4]).bytes());
            }
        }
        allowance::value_of(self.shown.len())
    }

    fn ordinal(&mut self, small: bool) -> Result<(), Failure> {
        let digits = &self.number.digits;
        if self.pattern.roman || digits.starts_with('#') || self.number.sign == b'-' || self.pattern.has_point
        {
            return Ok(());
        }
        let last: String = digits[digits.len().saturating_sub(2)..].to_owned();
        let Ok(number) = last.parse() else {
            return fail("22P02", format!("\"{digits}\" is not a number"));
        };
        let shown = ordinal(number);
        if small {
            self.shown.extend(shown.bytes());
        } else {
            self.shown.extend(shown.to_uppercase().bytes());
        }
        Ok(())
    }
}

/// With FM the zeros at the end of a fraction are left out, unless a `0` stands there.
fn last_relevant(pattern: &Pattern, number: &Number) -> Option<usize> {
    if !pattern.fills || !pattern.has_point {
        return None;
    }
    let digits = number.digits.as_bytes();
    let point = digits.iter().position(|byte| *byte == b'.')?;
    let behind = digits[point + 1..].iter().rposition(|byte| *byte != b'0');
    let last = behind.map_or(point, |at| point + 1 + at);
    if pattern.last_zero > number.blanks {
        let zero = (digits.len() - 1).min(pattern.last_zero - number.blanks);
        return Some(last.max(zero));
    }
    Some(last)
}

/// The number in the places of the pattern.
fn written(pattern: &Pattern, number: &Number) -> Out {
    let mut writer = Writer::new(pattern, number);
    for part in &pattern.parts {
        writer.write(*part)?;
    }
    // PostgreSQL's text ends where it has no digit for a place.
    let shown = writer.shown.split(|byte| *byte == 0).next().unwrap_or_default();
    Ok(String::from_utf8_lossy(shown).into_owned().into())
}

fn written_roman(pattern: &Pattern, number: i64) -> Out {
    let number = Number {
        sign: 0,
        digits: roman(number),
        blanks: 0,
        before: 0,
        behind: 0,
    };
    written(pattern, &number)
}

/// What a pattern makes of a number that is not there.
fn read(values: &[V]) -> Result<Pattern, Failure> {
    let pattern = Pattern::read(&values[1].text())?;
    allowance::value_of(pattern.before + pattern.behind + pattern.shift)?;
    Ok(pattern)
}

fn whole_text(values: &[V], max: i64, name: &str) -> Out {
    let pattern = read(values)?;
    let number = values[0].int();
    if pattern.roman {
        if i32::try_from(number).is_err() {
            return fail("22003", "integer out of range");
        }
        return written_roman(&pattern, number);
    }
    if pattern.exponent {
        let shown = if max == i64::MAX {
            scientific_decimal(&Decimal::of(&values[0])?, &pattern)
        } else {
            scientific(number as f64, &pattern)
        };
        return Ok(shown.into());
    }
    let shifted = u32::try_from(pattern.shift)
        .ok()
        .and_then(|shift| 10_i64.checked_pow(shift))
        .and_then(|factor| number.checked_mul(factor))
        .filter(|shifted| pattern.shift == 0 || (-max - 1..=max).contains(shifted));
    let Some(shifted) = shifted else {
        return fail("22003", format!("{name} out of range"));
    };
    let mut text = shifted.to_string();
    if pattern.behind > 0 {
        text.push('.');
        text.push_str(&"0".repeat(pattern.behind));
    }
    written(
        &pattern,
        &fitted(&text, pattern.before + pattern.shift, pattern.behind),
    )
}

/// `to_char(int4, text)`
pub(super) fn int4(values: &[V]) -> Out {
    whole_text(values, i32::MAX.into(), "integer")
}

/// `to_char(int8, text)`
pub(super) fn int8(values: &[V]) -> Out {
    whole_text(values, i64::MAX, "bigint")
}

fn float_text(values: &[V], sure: usize) -> Out {
    let pattern = read(values)?;
    let number = values[0].real();
    if pattern.roman {
        return written_roman(&pattern, number.round_ties_even() as i64);
    }
    if pattern.exponent {
        return Ok(scientific(number, &pattern).into());
    }
    let shifted = number * 10_f64.powf(pattern.shift as f64);
    let shown = |places: usize| {
        if shifted.is_finite() {
            format!("{shifted:.places$}")
        } else {
            crate::pgtypes::float::float8_text(shifted)
        }
    };
    let whole = shown(0).trim_start_matches('-').len();
    let behind = pattern.behind.min(sure.saturating_sub(whole));
    written(
        &pattern,
        &fitted(&shown(behind), pattern.before + pattern.shift, behind),
    )
}

/// `to_char(float4, text)`
pub(super) fn float4(values: &[V]) -> Out {
    let single = V::Real((values[0].real() as f32).into());
    float_text(&[single, values[1].clone()], FLOAT4_DIGITS)
}

/// `to_char(float8, text)`
pub(super) fn float8(values: &[V]) -> Out {
    float_text(values, FLOAT8_DIGITS)
}

/// `to_char(numeric, text)`
pub(super) fn numeric(values: &[V]) -> Out {
    let pattern = read(values)?;
    let before = pattern.before + pattern.shift;
    if decimal::is_nan(&values[0]) {
        if pattern.roman {
            return fail("0A000", "cannot convert NaN to integer");
        }
        if pattern.exponent {
            return Ok(no_exponent(&pattern).into());
        }
        return written(&pattern, &fitted("NaN", before, pattern.behind));
    }
    let number = Decimal::of(&values[0])?;
    if pattern.roman {
        let Ok(whole) = i32::try_from(number.round(0).digits) else {
            return fail("22003", "integer out of range");
        };
        return written_roman(&pattern, whole.into());
    }
    if pattern.exponent {
        return Ok(scientific_decimal(&number, &pattern).into());
    }
    let shifted = number.shifted(pattern.shift)?.round(pattern.behind as i64);
    written(&pattern, &fitted(&shifted.to_string(), before, pattern.behind))
}
