//! Lengths of time as PostgreSQL's settings take and show them.

use std::time::Duration;

/// PostgreSQL's units of time (manual, 20.1.1), with their milliseconds.
const UNITS: [(&str, f64); 6] = [
    ("us", 0.001),
    ("ms", 1.0),
    ("min", 60_000.0),
    ("s", 1000.0),
    ("h", 3_600_000.0),
    ("d", 86_400_000.0),
];

/// A length of time as settings take it: milliseconds where no unit is named.
pub(crate) fn parse_duration(text: &str) -> Option<Duration> {
    let text = text.trim();
    let digits = text
        .find(|c: char| !(c.is_ascii_digit() || c == '.'))
        .unwrap_or(text.len());
    let (number, unit) = (text[..digits].parse::<f64>().ok()?, text[digits..].trim());
    let factor = if unit.is_empty() {
        1.0
    } else {
        UNITS.iter().find(|(name, _)| *name == unit)?.1
    };
    // PostgreSQL's own limit for such settings: INT_MAX milliseconds.
    let milliseconds = (number * factor).round();
    (milliseconds <= f64::from(i32::MAX)).then(|| Duration::from_millis(milliseconds as u64))
}

/// The same as settings show it: in the largest unit that tells it in whole numbers.
pub(crate) fn show_duration(duration: Duration) -> String {
    let milliseconds = duration.as_millis();
    if milliseconds == 0 {
        return "0".to_owned();
    }
    [("d", 86_400_000), ("h", 3_600_000), ("min", 60_000), ("s", 1000)]
        .into_iter()
        .find(|(_, factor)| milliseconds.is_multiple_of(*factor))
        .map_or_else(
            || format!("{milliseconds}ms"),
            |(unit, factor)| format!("{}{unit}", milliseconds / factor),
        )
}
