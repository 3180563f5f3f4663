//! `money`, which is kept as its text in the C locale: `-$1,234.50`.

use super::ValueError;

/// A text in cents, as PostgreSQL's `cash_in` reads it.
pub(crate) fn read(text: &str) -> Result<i64, ValueError> {
    let overflow = || ValueError::range("money", text);
    let mut rest = text.trim_ascii_start();
    rest = rest.strip_prefix('$').unwrap_or(rest).trim_ascii_start();
    let mut negative = rest.starts_with(['-', '(']);
    rest = rest
        .strip_prefix(['-', '(', '+'])
        .unwrap_or(rest)
        .trim_ascii_start();
    rest = rest.strip_prefix('$').unwrap_or(rest).trim_ascii_start();
    // Counted below zero, where there is room for one more.
    let (mut cents, mut decimals) = (0_i64, None::<u32>);
    let mut bytes = rest.bytes().peekable();
    while let Some(byte) = bytes.peek().copied() {
        match byte {
            b'0'..=b'9' if decimals != Some(2) => {
                let digit = i64::from(byte - b'0');
                let more = cents.checked_mul(10).and_then(|cents| cents.checked_sub(digit));
                cents = more.ok_or_else(overflow)?;
                decimals = decimals.map(|count| count + 1);
            }
            b'.' if decimals.is_none() => decimals = Some(0),
            b',' => {}
            _ => break,
        }
        bytes.next();
    }
    // The first digit that there is no room for rounds.
    if bytes.peek().is_some_and(|byte| (b'5'..=b'9').contains(byte)) {
        cents = cents.checked_sub(1).ok_or_else(overflow)?;
    }
    for _ in decimals.unwrap_or(0)..2 {
        cents = cents.checked_mul(10).ok_or_else(overflow)?;
    }
    for byte in bytes.skip_while(u8::is_ascii_digit) {
        match byte {
            b'-' => negative = true,
            b')' | b'$' => {}
            byte if byte.is_ascii_whitespace() => {}
            _ => return Err(ValueError::syntax("money", text)),
        }
    }
    if negative {
        return Ok(cents);
    }
    cents.checked_neg().ok_or_else(overflow)
}

/// Cents as PostgreSQL prints them in the C locale.
pub(crate) fn text(cents: i64) -> String {
    let sign = if cents < 0 { "-" } else { "" };
    let digits = (cents.unsigned_abs() / 100).to_string();
    let mut grouped = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    format!("{sign}${grouped}.{:02}", cents.unsigned_abs() % 100)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As PostgreSQL 15 answers.
    #[test]
    fn amounts_are_read_and_shown() {
        for (written, expected) in [
            ("$1,234.56", Ok("$1,234.56")),
            ("(5)", Ok("-$5.00")),
            ("-$5", Ok("-$5.00")),
            ("$-5", Ok("-$5.00")),
            ("5-", Ok("-$5.00")),
            ("1.005", Ok("$1.01")),
            ("-1.995", Ok("-$2.00")),
            ("", Ok("$0.00")),
            ("92233720368547758.07", Ok("$92,233,720,368,547,758.07")),
            ("-92233720368547758.08", Ok("-$92,233,720,368,547,758.08")),
            ("92233720368547758.08", Err("22003")),
            ("-92233720368547758.09", Err("22003")),
            ("99999999999999999999", Err("22003")),
            ("1e3", Err("22P02")),
            ("1.2.3", Err("22P02")),
        ] {
            let found = read(written).map(text).map_err(|error| error.sqlstate);
            assert_eq!(found, expected.map(str::to_owned), "{written}");
        }
    }
}
