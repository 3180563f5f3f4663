//! `uuid`, which is kept as its text.

use super::ValueError;

/// A text as the bytes of a UUID. A hyphen may stand behind each group of four digits, and braces around all.
pub(crate) fn read(text: &str) -> Result<[u8; 16], ValueError> {
    parse(text.as_bytes()).ok_or_else(|| ValueError::syntax("uuid", text))
}

fn parse(text: &[u8]) -> Option<[u8; 16]> {
    let mut rest = match text.strip_prefix(b"{") {
        Some(rest) => rest.strip_suffix(b"}")?,
        None => text,
    };
    let mut bytes = [0; 16];
    for (at, byte) in bytes.iter_mut().enumerate() {
        let (pair, behind) = rest.split_at_checked(2)?;
        *byte = super::bytea::pair(pair)?;
        rest = match behind.strip_prefix(b"-") {
            Some(behind) if at % 2 == 1 && at < 15 => behind,
            _ => behind,
        };
    }
    rest.is_empty().then_some(bytes)
}

/// As PostgreSQL prints it.
pub(crate) fn text(bytes: [u8; 16]) -> String {
    let hex = super::bytea::hex(&bytes);
    let parts = [&hex[..8], &hex[8..12], &hex[12..16], &hex[16..20], &hex[20..]];
    parts.join("-")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As PostgreSQL 15 reads them.
    #[test]
    fn hyphens_and_braces_stand_where_they_may() {
        let whole = "00010203-0405-0607-0809-0a0b0c0d0e0f";
        let check = |written: &str, expected: Option<&str>| {
            assert_eq!(read(written).ok().map(text).as_deref(), expected, "{written}");
        };
        check(whole, Some(whole));
        check("000102030405060708090A0B0C0D0E0F", Some(whole));
        check("0001-0203-0405-0607-0809-0a0b-0c0d-0e0f", Some(whole));
        check(&format!("{{{whole}}}"), Some(whole));
        check(&format!("{{{whole}"), None);
        check(&format!("{whole}}}"), None);
        check(&format!(" {whole}"), None);
        check("0-0010203-0405-0607-0809-0a0b0c0d0e0f", None);
        check("0-0", None);
    }
}
