//! `bit` and `bit varying`, which are kept as their zeros and ones.

use bytes::{BufMut, BytesMut};

use super::{ValueError, receive::ByteReader};

/// A text as a string of bits: binary digits, with `b` before them or not, or hexadecimal ones behind an `x`.
pub(crate) fn read(text: &str) -> Result<String, ValueError> {
    if let Some(digits) = text.strip_prefix(['x', 'X']) {
        return digits
            .chars()
            .map(|digit| {
                let value = digit.to_digit(16).ok_or_else(|| {
                    ValueError::new("22P02", format!("\"{digit}\" is not a valid hexadecimal digit"))
                })?;
                Ok(format!("{value:04b}"))
            })
            .collect();
    }
    let digits = text.strip_prefix(['b', 'B']).unwrap_or(text);
    match digits.chars().find(|digit| !matches!(digit, '0' | '1')) {
        Some(other) => Err(ValueError::new(
            "22P02",
            format!("\"{other}\" is not a valid binary digit"),
        )),
        None => Ok(digits.to_owned()),
    }
}

/// Writes the number of bits and the bits.
pub(super) fn send(text: &str, out: &mut BytesMut) -> Option<()> {
    if !text.bytes().all(|digit| matches!(digit, b'0' | b'1')) {
        return None;
    }
    out.put_i32(i32::try_from(text.len()).ok()?);
    for group in text.as_bytes().chunks(8) {
        let byte = group
            .iter()
            .enumerate()
            .fold(0, |byte, (at, digit)| byte | (digit - b'0') << (7 - at));
        out.put_u8(byte);
    }
    Some(())
}

/// Reads what [`send`] writes.
pub(super) fn receive(source: &mut ByteReader<'_>) -> Result<String, ValueError> {
    let Ok(count) = usize::try_from(source.i32()?) else {
        return Err(ValueError::new("22P03", "invalid length in external bit string"));
    };
    let bytes = source.take(count.div_ceil(8))?;
    Ok((0..count)
        .map(|at| char::from(b'0' + (bytes[at / 8] >> (7 - at % 8) & 1)))
        .collect())
}
