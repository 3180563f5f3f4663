//! Texts that are dates and times to SQLite.

use crate::{pgtypes::calendar::split_kept, question::schema::ColumnKind};

/// Date, Timestamp or Time for text that SQLite's date functions read ("Date And Time Functions", section 2).
pub(super) fn temporal(text: &[u8]) -> Option<ColumnKind> {
    // Years that others cannot write are kept in a form of our own.
    if let [b'/' | b':', ..] = text {
        let kept = std::str::from_utf8(text).ok().and_then(split_kept)?;
        return Some(match kept.1 {
            "" => ColumnKind::Date,
            _ => ColumnKind::Timestamp,
        });
    }
    let is_date = |text: &[u8]| {
        text.len() == 10
            && text[4] == b'-'
            && text[7] == b'-'
            && is_day([digits(text, 0..4), digits(text, 5..7), digits(text, 8..10)])
    };
    if is_date(text) {
        return Some(ColumnKind::Date);
    }
    if is_time(text) {
        return Some(ColumnKind::Time);
    }
    let (date, rest) = text.split_at_checked(10)?;
    let (separator, time) = rest.split_first()?;
    (is_date(date) && matches!(separator, b' ' | b'T') && is_time(without_zone(time)))
        .then_some(ColumnKind::Timestamp)
}

/// Whether the calendar has this day.
fn is_day(fields: [Option<u32>; 3]) -> bool {
    let [Some(year), Some(month), Some(day)] = fields else {
        return false;
    };
    let days = match month {
        2 if year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => 0,
    };
    (1..=days).contains(&day)
}

/// `hh:mm`, `hh:mm:ss` or `hh:mm:ss.fff`.
fn is_time(text: &[u8]) -> bool {
    if text.len() < 5 || text[2] != b':' {
        return false;
    }
    let hours = digits(text, 0..2).is_some_and(|hour| hour < 25);
    let minutes = digits(text, 3..5).is_some_and(|minute| minute < 60);
    let seconds = match &text[5..] {
        [] => true,
        [b':', rest @ ..] => {
            rest.len() >= 2
                && digits(rest, 0..2).is_some_and(|second| second < 61)
                && match &rest[2..] {
                    [] => true,
                    [b'.', fraction @ ..] => !fraction.is_empty() && fraction.iter().all(u8::is_ascii_digit),
                    _ => false,
                }
        }
        _ => false,
    };
    hours && minutes && seconds
}

/// The text without a trailing `Z`, `+hh`, `+hh:mm` or `-hh:mm`.
fn without_zone(text: &[u8]) -> &[u8] {
    if let [time @ .., b'Z' | b'z'] = text {
        return time;
    }
    if let [time @ .., b'+' | b'-', one, two] = text
        && one.is_ascii_digit()
        && two.is_ascii_digit()
        && time.contains(&b':')
    {
        return time;
    }
    match text.len().checked_sub(6).map(|at| text.split_at(at)) {
        Some((time, [b'+' | b'-', zone @ ..])) if zone.len() == 5 && zone[2] == b':' => time,
        _ => text,
    }
}

fn digits(text: &[u8], range: std::ops::Range<usize>) -> Option<u32> {
    let part = text.get(range)?;
    part.iter().all(u8::is_ascii_digit).then_some(())?;
    std::str::from_utf8(part).ok()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn temporal_text() {
        for (text, expected) in [
            ("2024-02-29", Some(ColumnKind::Date)),
            ("2024-13-01", None),
            ("2024-2-9", None),
            ("2023-02-29", None),
            ("2024-04-31", None),
            ("2024-02-29 12:30", Some(ColumnKind::Timestamp)),
            ("2024-02-29T12:30:59.123Z", Some(ColumnKind::Timestamp)),
            ("2024-02-29 12:30:59+02:00", Some(ColumnKind::Timestamp)),
            ("2024-02-29 12:30:59.5+00", Some(ColumnKind::Timestamp)),
            ("/9999956-03-15", Some(ColumnKind::Date)),
            (":0010000-01-01 00:00:00", Some(ColumnKind::Timestamp)),
            (":x", None),
            ("12:30:59", Some(ColumnKind::Time)),
            ("1:30", None),
            ("2024-02-29 noon", None),
            ("2024", None),
            ("", None),
            ("äöüäöüäöü", None),
        ] {
            assert_eq!(temporal(text.as_bytes()), expected, "{text}");
        }
    }
}
