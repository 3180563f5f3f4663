//! The spellings of `interval` that ISO 8601 has, as `DecodeISO8601Interval` reads them.

use super::interval_read::{Parts, Unit, Wrong, begins};

/// The greatest number that is read.
const GREATEST: f64 = 1.0e15;

impl Parts {
    /// `P1Y2M3DT4H5M6S`, `P0001-02-03T04:05:06`, `P00010203T040506` (`DecodeISO8601Interval`).
    pub(super) fn iso(text: &str) -> Result<Self, Wrong> {
        let mut rest = text
            .strip_prefix('P')
            .filter(|rest| !rest.is_empty())
            .ok_or(Wrong::Format)?;
        let mut parts = Self::default();
        let (mut in_time, mut has_field) = (false, false);
        while !rest.is_empty() {
            if let Some(time) = rest.strip_prefix('T') {
                (in_time, has_field, rest) = (true, false, time);
                continue;
            }
            let begun = rest;
            let (value, part, behind) = iso_number(rest)?;
            let letter = behind.chars().next();
            rest = letter.map_or(behind, |letter| &behind[letter.len_utf8()..]);
            let unit = match (letter, in_time) {
                (Some('Y'), false) => Unit::Year,
                (Some('M'), false) => Unit::Month,
                (Some('W'), false) => Unit::Week,
                (Some('D'), false) => Unit::Day,
                (Some('H'), true) => Unit::Hour,
                (Some('M'), true) => Unit::Minute,
                (Some('S'), true) => Unit::Second,
                (None | Some('T' | '-'), false) => {
                    rest = parts.iso_date(begun, has_field)?;
                    has_field = false;
                    continue;
                }
                (None | Some(':'), true) => {
                    parts.iso_time(begun, has_field)?;
                    return Ok(parts);
                }
                _ => return Err(Wrong::Format),
            };
            parts.add(value, part, unit)?.ok_or(Wrong::Overflow)?;
            has_field = true;
        }
        Ok(parts)
    }

    /// Eight digits, or years, months and days with dashes between them; returns what is behind them.
    fn iso_date<'t>(&mut self, text: &'t str, has_field: bool) -> Result<&'t str, Wrong> {
        let (value, part, rest) = iso_number(text)?;
        if !has_field && iso_width(text) == 8 && !rest.starts_with('-') {
            self.add(value / 10_000, 0.0, Unit::Year)?
                .ok_or(Wrong::Overflow)?;
            self.add(value / 100 % 100, 0.0, Unit::Month)?
                .ok_or(Wrong::Overflow)?;
            self.add(value % 100, part, Unit::Day)?.ok_or(Wrong::Overflow)?;
            return Ok(rest);
        }
        if has_field {
            return Err(Wrong::Format);
        }
        let rest = self.iso_fields(text, '-', [Unit::Year, Unit::Month, Unit::Day])?;
        if rest.is_empty() || rest.starts_with('T') {
            Ok(rest)
        } else {
            Err(Wrong::Format)
        }
    }

    /// Six digits, or hours, minutes and seconds with colons between them.
    fn iso_time(&mut self, text: &str, has_field: bool) -> Result<(), Wrong> {
        let (value, part, rest) = iso_number(text)?;
        if !has_field && iso_width(text) == 6 && rest.is_empty() {
            self.add(value / 10_000, 0.0, Unit::Hour)?
                .ok_or(Wrong::Overflow)?;
            self.add(value / 100 % 100, 0.0, Unit::Minute)?
                .ok_or(Wrong::Overflow)?;
            self.add(value % 100, 0.0, Unit::Second)?.ok_or(Wrong::Overflow)?;
            return self.add_part(part, 1).ok_or(Wrong::Overflow);
        }
        if has_field {
            return Err(Wrong::Format);
        }
        let rest = self.iso_fields(text, ':', [Unit::Hour, Unit::Minute, Unit::Second])?;
        if rest.is_empty() {
            Ok(())
        } else {
            Err(Wrong::Format)
        }
    }

    /// Numbers of these units with a sign between them, as many as there are; returns what is behind them.
    fn iso_fields<'t>(&mut self, text: &'t str, sign: char, units: [Unit; 3]) -> Result<&'t str, Wrong> {
        let mut rest = text;
        for (at, unit) in units.into_iter().enumerate() {
            let next = if at == 0 {
                Some(rest)
            } else {
                rest.strip_prefix(sign)
            };
            let Some(next) = next else { break };
            let (value, part, behind) = iso_number(next)?;
            self.add(value, part, unit)?.ok_or(Wrong::Overflow)?;
            rest = behind;
        }
        Ok(rest)
    }
}

/// How many digits a number begins with.
fn iso_width(text: &str) -> usize {
    begins(text.strip_prefix('-').unwrap_or(text), |byte| {
        byte.is_ascii_digit()
    })
}

/// A number with its whole part, its fraction and what is behind it.
fn iso_number(text: &str) -> Result<(i64, f64, &str), Wrong> {
    let sign = usize::from(text.starts_with('-'));
    let digits = |from: usize| begins(text.get(from..).unwrap_or_default(), |byte| byte.is_ascii_digit());
    let mut end = sign + digits(sign);
    let mut count = end - sign;
    if text.as_bytes().get(end) == Some(&b'.') {
        count += digits(end + 1);
        end += 1 + digits(end + 1);
    }
    if count == 0 {
        return Err(Wrong::Format);
    }
    // An exponent, which nobody writes, is read too.
    if matches!(text.as_bytes().get(end), Some(b'e' | b'E')) {
        let signed = usize::from(matches!(text.as_bytes().get(end + 1), Some(b'+' | b'-')));
        let exponent = digits(end + 1 + signed);
        if exponent > 0 {
            end += 1 + signed + exponent;
        }
    }
    let (number, rest) = text.split_at(end);
    let value: f64 = number.parse().map_err(|_| Wrong::Format)?;
    if value.abs() > GREATEST {
        return Err(Wrong::Overflow);
    }
    Ok((value.trunc() as i64, value - value.trunc(), rest))
}
