//! `numeric` in the binary format: digits to the base of 10,000 (PostgreSQL's `numeric_send`).

use bytes::{Buf, BufMut, BytesMut};

const POSITIVE: u16 = 0x0000;
const NEGATIVE: u16 = 0x4000;
const NAN: u16 = 0xC000;
const INFINITY: u16 = 0xD000;
const NEGATIVE_INFINITY: u16 = 0xF000;

/// Appends a decimal number, an exponent allowed. False if the text is no number.
pub(super) fn encode(text: &str, out: &mut BytesMut) -> bool {
    let text = text.trim();
    let special = match text.to_ascii_lowercase().as_str() {
        "nan" => Some(NAN),
        "infinity" | "inf" => Some(INFINITY),
        "-infinity" | "-inf" => Some(NEGATIVE_INFINITY),
        _ => None,
    };
    if let Some(sign) = special {
        put(out, &[], 0, sign, 0);
        return true;
    }
    let Some((negative, whole, fraction)) = decimal(text) else {
        return false;
    };
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
    let (Ok(weight), Ok(scale)) = (i16::try_from(weight), u16::try_from(scale)) else {
        return false;
    };
    if scale > 0x3fff {
        return false;
    }
    let sign = if digits.is_empty() { POSITIVE } else { sign };
    put(out, digits, weight, sign, scale);
    true
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

/// A decimal number as PostgreSQL prints it; `None` if the text is none.
pub(super) fn normal(text: &str) -> Option<String> {
    let mut bytes = BytesMut::new();
    encode(text, &mut bytes).then(|| decode(&bytes)).flatten()
}

/// Sign, digits before and digits after the point; the exponent is worked in.
fn decimal(text: &str) -> Option<(bool, String, String)> {
    let (negative, rest) = match text.as_bytes().first()? {
        b'-' => (true, &text[1..]),
        b'+' => (false, &text[1..]),
        _ => (false, text),
    };
    let (mantissa, exponent) = match rest.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, exponent.parse::<i32>().ok()?),
        None => (rest, 0),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let all_digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    if whole.len() + fraction.len() == 0 || !all_digits(whole) || !all_digits(fraction) {
        return None;
    }
    if exponent.unsigned_abs() > 1000 {
        return None;
    }
    let mut whole = whole.to_owned();
    let mut fraction = fraction.to_owned();
    for _ in 0..exponent {
        whole.push(if fraction.is_empty() {
            '0'
        } else {
            fraction.remove(0)
        });
    }
    for _ in exponent..0 {
        fraction.insert(0, whole.pop().unwrap_or('0'));
    }
    Some((negative, whole, fraction))
}

/// The text of a binary `numeric`; `None` if the bytes are none.
pub(super) fn decode(mut bytes: &[u8]) -> Option<String> {
    if bytes.len() < 8 {
        return None;
    }
    let count = usize::from(bytes.get_u16());
    let weight = i32::from(bytes.get_i16());
    let sign = bytes.get_u16();
    let scale = usize::from(bytes.get_u16());
    if bytes.len() != count * 2 {
        return None;
    }
    match sign {
        NAN => return Some("NaN".into()),
        INFINITY => return Some("Infinity".into()),
        NEGATIVE_INFINITY => return Some("-Infinity".into()),
        POSITIVE | NEGATIVE => {}
        _ => return None,
    }
    let digits: Vec<u16> = (0..count).map(|_| bytes.get_u16()).collect();
    if digits.iter().any(|digit| *digit > 9_999) || scale > 0x3fff {
        return None;
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
    let mut text = text.trim_start_matches('0').to_owned();
    if text.is_empty() {
        text.push('0');
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
    Some(text)
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

    fn check(text: &str, expected: Option<&str>) {
        let mut bytes = BytesMut::new();
        let found = encode(text, &mut bytes).then(|| decode(&bytes).unwrap());
        assert_eq!(found.as_deref(), expected, "{text}");
    }

    #[test]
    fn numbers_survive_the_round_trip() {
        for text in [
            "0",
            "1",
            "-1",
            "12345",
            "10000",
            "100000000",
            "0.5",
            "-0.0001",
            "1.10",
            "123456789.987654321",
            "0.00000001",
            "99999999999999999999.99",
            "NaN",
            "Infinity",
        ] {
            check(text, Some(text));
        }
        check("1e5", Some("100000"));
        check("1.5e-3", Some("0.0015"));
        check("007", Some("7"));
        check(".5", Some("0.5"));
        check("-0", Some("0"));
        check("ten", None);
        check("", None);
        check("1e99999", None);
    }

    #[test]
    fn bytes_are_postgresql_s() {
        let mut bytes = BytesMut::new();
        assert!(encode("12345.678", &mut bytes));
        let expected = [0, 3, 0, 1, 0, 0, 0, 3, 0, 1, 0x09, 0x29, 0x1a, 0x7c];
        assert_eq!(&bytes[..], expected);
    }
}
