//! `interval` in PostgreSQL's own style, `1 year 2 mons 3 days 04:05:06.7`.

/// Months, days and microseconds; `None` for another spelling.
pub(super) fn parse(text: &str) -> Option<(i32, i32, i64)> {
    let (mut months, mut days, mut micros) = (0, 0, 0);
    let mut words = text.split_whitespace();
    while let Some(word) = words.next() {
        if word.contains(':') {
            let (sign, time) = word
                .strip_prefix('-')
                .map_or((1, word.trim_start_matches('+')), |rest| (-1, rest));
            let mut parts = time.splitn(3, ':');
            let hours: i64 = parts.next()?.parse().ok()?;
            let minutes: i64 = parts.next()?.parse().ok()?;
            let (whole, fraction) = parts.next().map(|s| s.split_once('.').unwrap_or((s, "")))?;
            let fraction: String = fraction.chars().chain("000000".chars()).take(6).collect();
            let seconds: i64 = whole.parse().ok()?;
            micros = sign
                * (((hours * 60 + minutes) * 60 + seconds) * 1_000_000 + fraction.parse::<i64>().ok()?);
            continue;
        }
        let count: i32 = word.parse().ok()?;
        match words.next()?.trim_end_matches('s') {
            "year" => months += count.checked_mul(12)?,
            "mon" => months += count,
            "day" => days += count,
            _ => return None,
        }
    }
    Some((months, days, micros))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backend::interval::IntervalStyle;

    #[test]
    fn what_is_shown_is_read_back() {
        for (span, text) in [
            ((0, 0, 0), "00:00:00"),
            ((14, 3, 14_706_500_000), "1 year 2 mons 3 days 04:05:06.5"),
            ((-1, 1, -1), "-1 mons +1 day -00:00:00.000001"),
        ] {
            let (months, days, micros) = span;
            let shown = IntervalStyle::default().text(i64::from(months), i64::from(days), micros);
            assert_eq!(shown, text);
            assert_eq!(parse(text), Some(span), "{text}");
        }
        assert_eq!(parse("PT1H"), None);
    }
}
