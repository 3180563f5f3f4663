//! `macaddr`, which is kept as its text.

use super::ValueError;

/// A text as the bytes of an address, in one of the spellings that PostgreSQL takes.
pub(crate) fn read(text: &str) -> Result<[u8; 6], ValueError> {
    let trimmed = text.trim_ascii();
    let octets = octets(trimmed).ok_or_else(|| ValueError::syntax("macaddr", text))?;
    let mut bytes = [0; 6];
    for (byte, octet) in bytes.iter_mut().zip(octets) {
        *byte = u8::try_from(octet).map_err(|_| {
            ValueError::new(
                "22003",
                format!("invalid octet value in \"macaddr\" value: \"{text}\""),
            )
        })?;
    }
    Ok(bytes)
}

fn octets(text: &str) -> Option<Vec<u32>> {
    // Six numbers of any length, or groups of fixed ones.
    for separator in [':', '-'] {
        let parts: Vec<&str> = text.split(separator).collect();
        if parts.len() == 6 {
            return parts.iter().map(|part| number(part)).collect();
        }
    }
    let groups: &[(char, usize)] = &[(':', 2), ('-', 2), ('.', 3), ('-', 3)];
    let grouped = groups.iter().find_map(|(separator, count)| {
        let parts: Vec<&str> = text.split(*separator).collect();
        let fits = parts.len() == *count && parts.iter().all(|part| part.len() == 12 / count);
        fits.then(|| parts.concat())
    });
    let digits = grouped.unwrap_or_else(|| text.to_owned());
    if digits.len() != 12 || !digits.is_ascii() {
        return None;
    }
    (0..6).map(|at| number(&digits[2 * at..2 * at + 2])).collect()
}

fn number(digits: &str) -> Option<u32> {
    let is_hex = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    is_hex.then(|| u32::from_str_radix(digits, 16).unwrap_or(u32::MAX))
}

/// As PostgreSQL prints it.
pub(crate) fn text(bytes: [u8; 6]) -> String {
    let parts: Vec<String> = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    parts.join(":")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As PostgreSQL 15 answers.
    #[test]
    fn addresses_are_read_in_all_spellings() {
        let whole = Ok("08:00:2b:01:02:03".to_owned());
        for (written, expected) in [
            ("08:00:2b:01:02:03", whole.clone()),
            ("08-00-2b-01-02-03", whole.clone()),
            ("08002b:010203", whole.clone()),
            ("08002b-010203", whole.clone()),
            ("0800.2b01.0203", whole.clone()),
            ("0800-2b01-0203", whole.clone()),
            (" 08002b010203 ", whole.clone()),
            ("8:0:2b:1:2:3", whole),
            ("08:00:2b:01:02", Err("22P02")),
            ("08:00-2b:01:02:03", Err("22P02")),
            ("0g:00:2b:01:02:03", Err("22P02")),
            ("100:00:2b:01:02:03", Err("22003")),
        ] {
            assert_eq!(
                read(written).map(text).map_err(|error| error.sqlstate),
                expected,
                "{written}"
            );
        }
    }
}
