//! `bytea`: hexadecimal digits behind `\x`, or the older form with escapes.

use super::ValueError;

/// Hexadecimal digits, without a prefix.
pub(crate) fn hex(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let mut hex = String::with_capacity(2 * bytes.len());
    for byte in bytes {
        hex.push(char::from(DIGITS[usize::from(byte >> 4)]));
        hex.push(char::from(DIGITS[usize::from(byte & 15)]));
    }
    hex
}

/// As PostgreSQL prints it.
pub(crate) fn text(bytes: &[u8]) -> String {
    format!("\\x{}", hex(bytes))
}

/// The byte of two hexadecimal digits.
pub(super) fn pair(digits: &[u8]) -> Option<u8> {
    let digit = |at: usize| char::from(digits[at]).to_digit(16);
    Some((digit(0)? << 4 | digit(1)?) as u8)
}

/// The bytes of hexadecimal digits; blanks may stand between pairs. `each` is asked before each byte.
pub(crate) fn unhex<E: From<ValueError>>(
    text: &str,
    mut each: impl FnMut() -> Result<(), E>,
) -> Result<Vec<u8>, E> {
    let mut bytes = Vec::with_capacity(text.len() / 2);
    let mut rest = text.as_bytes();
    while let Some((first, tail)) = rest.split_first() {
        each()?;
        if matches!(first, b' ' | b'\n' | b'\t' | b'\r') {
            rest = tail;
            continue;
        }
        let Some(digits) = rest.get(..2) else {
            return Err(E::from(if first.is_ascii_hexdigit() {
                ValueError::new("22023", "invalid hexadecimal data: odd number of digits")
            } else {
                no_digit(text, text.len() - rest.len())
            }));
        };
        let Some(byte) = pair(digits) else {
            let at = text.len() - rest.len() + usize::from(first.is_ascii_hexdigit());
            return Err(no_digit(text, at).into());
        };
        bytes.push(byte);
        rest = &rest[2..];
    }
    Ok(bytes)
}

fn no_digit(text: &str, at: usize) -> ValueError {
    let wrong = text.get(at..).and_then(|rest| rest.chars().next());
    ValueError::new(
        "22023",
        format!("invalid hexadecimal digit: \"{}\"", wrong.unwrap_or('?')),
    )
}

/// A text as bytes. `each` is asked before each byte.
pub(crate) fn read<E: From<ValueError>>(
    text: &str,
    each: impl FnMut() -> Result<(), E>,
) -> Result<Vec<u8>, E> {
    match text.strip_prefix("\\x") {
        Some(digits) => unhex(digits, each),
        None => unescape(text, each),
    }
}

/// A text as bytes.
pub(crate) fn of(text: &str) -> Result<Vec<u8>, ValueError> {
    read(text, || Ok(()))
}

/// The form with escapes: `\\` and `\ooo`. `each` is asked before each byte.
pub(crate) fn unescape<E: From<ValueError>>(
    text: &str,
    mut each: impl FnMut() -> Result<(), E>,
) -> Result<Vec<u8>, E> {
    let wrong = || ValueError::new("22P02", "invalid input syntax for type bytea");
    let mut bytes = vec![];
    let mut rest = text.as_bytes();
    while let Some((first, tail)) = rest.split_first() {
        each()?;
        rest = tail;
        if *first != b'\\' {
            bytes.push(*first);
        } else if let Some(tail) = rest.strip_prefix(b"\\") {
            bytes.push(b'\\');
            rest = tail;
        } else {
            let is_octal = |digits: &&[u8]| {
                digits[0] <= b'3' && digits.iter().all(|digit| (b'0'..=b'7').contains(digit))
            };
            let digits = rest.get(..3).filter(is_octal).ok_or_else(wrong)?;
            bytes.push(digits.iter().fold(0, |byte, digit| byte << 3 | (digit - b'0')));
            rest = &rest[3..];
        }
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As PostgreSQL 15 answers.
    #[test]
    fn both_forms_are_read() {
        for (text, expected) in [
            ("\\x00ff", Ok(vec![0, 255])),
            ("\\x 00 ff", Ok(vec![0, 255])),
            ("\\x0 0", Err("invalid hexadecimal digit: \" \"")),
            ("\\x0", Err("invalid hexadecimal data: odd number of digits")),
            ("\\xzz", Err("invalid hexadecimal digit: \"z\"")),
            ("a\\\\b\\001", Ok(b"a\\b\x01".to_vec())),
            ("\\400", Err("invalid input syntax for type bytea")),
            ("\\8", Err("invalid input syntax for type bytea")),
            ("\\", Err("invalid input syntax for type bytea")),
        ] {
            let found = of(text).map_err(|error| error.message);
            assert_eq!(found, expected.map_err(str::to_owned), "{text}");
        }
    }
}
