//! `numeric`, which is kept as the text that PostgreSQL prints, and in the binary format: digits to the base of 10,000
//! (`numeric_send`).

use bytes::{BufMut, BytesMut};

use super::{ValueError, receive::ByteReader};

const POSITIVE: u16 = 0x0000;
const NEGATIVE: u16 = 0x4000;
const NAN: u16 = 0xC000;
const INFINITY: u16 = 0xD000;
const NEGATIVE_INFINITY: u16 = 0xF000;

/// Digits that a number may have before its point and behind it (`NUMERIC_WEIGHT_MAX`, `NUMERIC_DSCALE_MAX`).
pub(crate) const MOST_DIGITS: usize = 131_072;
pub(crate) const MOST_BEHIND_THE_POINT: usize = 16_383;
/// How `numeric_send` writes the scale of what is infinite.
const SCALE_OF_INFINITY: u16 = 0x20;

/// What stands for no number and for what is beyond all numbers.
const SPECIAL: [(&str, u16, u16); 3] = [
    ("NaN", NAN, 0),
    ("Infinity", INFINITY, SCALE_OF_INFINITY),
    ("-Infinity", NEGATIVE_INFINITY, SCALE_OF_INFINITY),
];

/// A text as the number that PostgreSQL prints.
pub(crate) fn read(text: &str) -> Result<String, ValueError> {
    let trimmed = text.trim_ascii();
    let special = match trimmed.to_ascii_lowercase().as_str() {
        "nan" => Some("NaN"),
        "infinity" | "inf" | "+infinity" | "+inf" => Some("Infinity"),
        "-infinity" | "-inf" => Some("-Infinity"),
        _ => None,
    };
    if let Some(special) = special {
        return Ok(special.to_owned());
    }
    Ok(Digits::read(trimmed, text)?.text())
}

/// A decimal number in pieces: no zeros at its beginning, those at its end kept.
struct Digits {
    negative: bool,
    whole: String,
    fraction: String,
}

impl Digits {
    /// `all` is what an error shows.
    fn read(text: &str, all: &str) -> Result<Self, ValueError> {
        let wrong = || ValueError::syntax("numeric", all);
        let overflow = || ValueError::new("22003", "value overflows numeric format");
        let negative = text.starts_with('-');
        let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
        let (mantissa, exponent) = match unsigned.split_once(['e', 'E']) {
            Some((mantissa, exponent)) => (mantissa, Some(exponent)),
            None => (unsigned, None),
        };
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let is_number = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
        if whole.len() + fraction.len() == 0 || !is_number(whole) || !is_number(fraction) {
            return Err(wrong());
        }
        let exponent = match exponent {
            None => 0,
            Some(written) => {
                let digits = written.strip_prefix(['-', '+']).unwrap_or(written);
                if digits.is_empty() || !is_number(digits) {
                    return Err(wrong());
                }
                let exponent: i64 = written.parse().map_err(|_| overflow())?;
                if exponent.abs() > i64::from(i32::MAX / 2) {
                    return Err(overflow());
                }
                exponent
            }
        };
        let all: String = [whole, fraction].concat();
        let first = all.bytes().position(|digit| digit != b'0').unwrap_or(all.len());
        let significant = &all[first..];
        // The place of the point, counted from the first of these digits.
        let point = whole.len() as i64 + exponent - first as i64;
        let scale = (fraction.len() as i64 - exponent).max(0);
        if (!significant.is_empty() && point > MOST_DIGITS as i64) || scale > MOST_BEHIND_THE_POINT as i64 {
            return Err(overflow());
        }
        let (whole, fraction) = if significant.is_empty() {
            (String::new(), "0".repeat(scale as usize))
        } else if point <= 0 {
            (
                String::new(),
                format!("{}{significant}", "0".repeat(-point as usize)),
            )
        } else if point as usize >= significant.len() {
            let zeros = point as usize - significant.len();
            (format!("{significant}{}", "0".repeat(zeros)), String::new())
        } else {
            let (whole, fraction) = significant.split_at(point as usize);
            (whole.to_owned(), fraction.to_owned())
        };
        Ok(Self {
            negative: negative && !significant.is_empty(),
            whole,
            fraction,
        })
    }

    fn text(&self) -> String {
        let sign = if self.negative { "-" } else { "" };
        let whole = if self.whole.is_empty() { "0" } else { &self.whole };
        let point = if self.fraction.is_empty() { "" } else { "." };
        format!("{sign}{whole}{point}{}", self.fraction)
    }
}

/// Writes a number; `None` where the text is none.
pub(super) fn send(text: &str, out: &mut BytesMut) -> Option<()> {
    let text = read(text).ok()?;
    if let Some((_, sign, scale)) = SPECIAL.iter().find(|(name, ..)| *name == text) {
        put(out, &[], 0, *sign, *scale);
        return Some(());
    }
    let Digits {
        negative,
        whole,
        fraction,
    } = Digits::read(&text, &text).ok()?;
    let sign = if negative { NEGATIVE } else { POSITIVE };
    let scale = fraction.len();
    // Whole groups of four digits on both sides of the point.
    let padded_whole = format!("{}{whole}", "0".repeat((4 - whole.len() % 4) % 4));
    let padded_fraction = format!("{fraction}{}", "0".repeat((4 - scale % 4) % 4));
    let groups: Vec<u16> = padded_whole
        .as_bytes()
        .chunks(4)
        .chain(padded_fraction.as_bytes().chunks(4))
        .map(|group| {
            group
                .iter()
                .fold(0, |number, digit| number * 10 + u16::from(digit - b'0'))
        })
        .collect();
    let leading = groups.iter().take_while(|group| **group == 0).count();
    let trailing = groups[leading..]
        .iter()
        .rev()
        .take_while(|group| **group == 0)
        .count();
    let digits = &groups[leading..groups.len() - trailing];
    let weight = if digits.is_empty() {
        0
    } else {
        (padded_whole.len() / 4) as i32 - 1 - leading as i32
    };
    put(out, digits, i16::try_from(weight).ok()?, sign, scale as u16);
    Some(())
}

fn put(out: &mut BytesMut, digits: &[u16], weight: i16, sign: u16, scale: u16) {
    out.put_u16(digits.len() as u16);
    out.put_i16(weight);
    out.put_u16(sign);
    out.put_u16(scale);
    for digit in digits {
        out.put_u16(*digit);
    }
}

/// Reads a number, as PostgreSQL's `numeric_recv` does.
pub(super) fn receive(source: &mut ByteReader<'_>) -> Result<String, ValueError> {
    let wrong =
        |what: &str| ValueError::new("22P03", format!("invalid {what} in external \"numeric\" value"));
    let count = source.u16()?;
    let weight = i32::from(source.i16()?);
    let sign = source.u16()?;
    let scale = usize::from(source.u16()?);
    if ![POSITIVE, NEGATIVE, NAN, INFINITY, NEGATIVE_INFINITY].contains(&sign) {
        return Err(wrong("sign"));
    }
    if scale > MOST_BEHIND_THE_POINT {
        return Err(wrong("scale"));
    }
    let mut digits = Vec::with_capacity(count.into());
    for _ in 0..count {
        digits.push(source.u16()?);
    }
    if digits.iter().any(|digit| *digit > 9_999) {
        return Err(wrong("digit"));
    }
    if let Some((name, ..)) = SPECIAL.iter().find(|(_, special, _)| *special == sign) {
        return Ok((*name).to_owned());
    }
    let group = |power: i32| -> u16 {
        usize::try_from(weight - power)
            .ok()
            .and_then(|at| digits.get(at).copied())
            .unwrap_or(0)
    };
    let mut text = String::new();
    for power in (0..=weight.max(0)).rev() {
        put_group(&mut text, group(power));
    }
    if scale > 0 {
        let mut fraction = String::new();
        for at in 1..=scale.div_ceil(4) as i32 {
            put_group(&mut fraction, group(-at));
        }
        text.push('.');
        text.push_str(&fraction[..scale]);
    }
    if sign == NEGATIVE {
        text.insert(0, '-');
    }
    read(&text)
}

/// Four decimal digits.
fn put_group(text: &mut String, group: u16) {
    for power in [1_000, 100, 10, 1] {
        text.push(char::from(b'0' + (group / power % 10) as u8));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bytes_of(text: &str) -> BytesMut {
        let mut bytes = BytesMut::new();
        send(text, &mut bytes).unwrap();
        bytes
    }

    /// As PostgreSQL 15 answers.
    #[test]
    fn numbers_survive_the_round_trip() {
        for (text, expected) in [
            ("0", Ok("0")),
            ("-1", Ok("-1")),
            ("10000", Ok("10000")),
            ("0.5", Ok("0.5")),
            ("-0.0001", Ok("-0.0001")),
            ("1.10", Ok("1.10")),
            ("123456789.987654321", Ok("123456789.987654321")),
            ("99999999999999999999.99", Ok("99999999999999999999.99")),
            ("nan", Ok("NaN")),
            ("+inf", Ok("Infinity")),
            ("-Infinity", Ok("-Infinity")),
            ("1e5", Ok("100000")),
            ("1.5e-3", Ok("0.0015")),
            ("12.50e1", Ok("125.0")),
            (" 007 ", Ok("7")),
            (".5", Ok("0.5")),
            ("5.", Ok("5")),
            ("-0.00", Ok("0.00")),
            ("0e5", Ok("0")),
            ("ten", Err("22P02")),
            ("", Err("22P02")),
            (".", Err("22P02")),
            ("1e", Err("22P02")),
            ("++1", Err("22P02")),
            ("infinit", Err("22P02")),
            ("1e131072", Err("22003")),
            ("1e-16384", Err("22003")),
            ("1e1000000000000", Err("22003")),
        ] {
            let found = read(text);
            assert_eq!(
                found.as_deref().map_err(|error| error.sqlstate),
                expected,
                "{text}"
            );
            if let Ok(number) = found {
                let sent = bytes_of(&number);
                assert_eq!(receive(&mut ByteReader::new(&sent)).as_ref(), Ok(&number));
            }
        }
        assert_eq!(read("1e131071").unwrap().len(), 131_072);
        assert_eq!(read("1e-16383").unwrap().len(), 16_385);
    }

    #[test]
    fn bytes_are_postgresql_s() {
        let expected = [0, 3, 0, 1, 0, 0, 0, 3, 0, 1, 0x09, 0x29, 0x1a, 0x7c];
        assert_eq!(&bytes_of("12345.678")[..], expected);
        assert_eq!(&bytes_of("Infinity")[..], [0, 0, 0, 0, 0xd0, 0, 0, 0x20]);
        let received = |bytes: &[u8]| receive(&mut ByteReader::new(bytes)).map_err(|error| error.sqlstate);
        assert_eq!(received(&[0, 0, 0, 0, 0x40, 0, 0, 0]), Ok("0".into()));
        assert_eq!(
            received(&[0, 1, 0xff, 0xff, 0, 0, 0, 2, 0, 123]),
            Ok("0.01".into())
        );
        assert_eq!(received(&[0, 1, 0, 0, 0, 0, 0, 0, 0x27, 0x10]), Err("22P03"));
        assert_eq!(received(&[0, 0, 0, 0, 0xc0, 0, 0xff, 0xff]), Err("22P03"));
        assert_eq!(received(&[0, 1, 0, 0, 0, 0, 0, 0]), Err("08P01"));
    }
}
