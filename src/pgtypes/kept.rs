//! ISO dates and times as SQLite stores them, and their distance from 2000-01-01 as PostgreSQL sends it.

use super::{
    calendar::{DAY, SECOND, days_in, days_of, is_endless, kept_date, shown_date, split_kept},
    zone::{self, Zone, offset_text},
};

/// Days since 2000-01-01 of `YYYY-MM-DD`; a time of midnight may follow.
pub(super) fn parse_date(text: &str) -> Option<i32> {
    match text.trim() {
        "infinity" => return Some(i32::MAX),
        "-infinity" => return Some(i32::MIN),
        _ => {}
    }
    let (date, rest) = split_date(text.trim())?;
    let rest = rest.trim_start_matches(['T', ' ']);
    if rest.is_empty() || parse_time(rest.trim_end_matches('Z')) == Some(0) {
        i32::try_from(date).ok()
    } else {
        None
    }
}

/// Microseconds since midnight of `HH:MM[:SS[.ffffff]]`.
pub(super) fn parse_time(text: &str) -> Option<i64> {
    let mut parts = text.trim().splitn(3, ':');
    let hours = digits(parts.next()?, 2)?;
    let minutes = digits(parts.next()?, 2)?;
    let micros = match parts.next() {
        None => 0,
        Some(seconds) => {
            let (whole, fraction) = seconds.split_once('.').unwrap_or((seconds, ""));
            let whole = digits(whole, 2)?;
            if whole > 60 || !fraction.bytes().all(|b| b.is_ascii_digit()) {
                return None;
            }
            let fraction: String = fraction.chars().chain("000000".chars()).take(6).collect();
            whole * 1_000_000 + fraction.parse::<i64>().ok()?
        }
    };
    let time = (hours * 60 + minutes) * 60_000_000 + micros;
    (minutes < 60 && time <= DAY).then_some(time)
}

/// Microseconds since midnight and seconds east of UTC of a `timetz`; no offset means UTC.
pub(super) fn parse_timetz(text: &str) -> Option<(i64, i64)> {
    let (time, offset) = split_offset(text.trim())?;
    Some((parse_time(time)?, offset / SECOND))
}

/// PostgreSQL's text for a `timetz`: `03:04:05.6+02`.
pub(crate) fn timetz_text(micros: i64, offset: i64) -> String {
    format!("{}{}", time_text(micros), offset_text(offset))
}

/// Microseconds since 2000-01-01 00:00 of a date and a time; an offset is applied, none means UTC.
pub(super) fn parse_timestamp(text: &str) -> Option<i64> {
    match text.trim() {
        "infinity" => return Some(i64::MAX),
        "-infinity" => return Some(i64::MIN),
        _ => {}
    }
    let (days, rest) = split_date(text.trim())?;
    let rest = rest.trim_start_matches(['T', ' ']);
    let (time, offset) = split_offset(rest)?;
    let time = if time.is_empty() { 0 } else { parse_time(time)? };
    days.checked_mul(DAY)?.checked_add(time)?.checked_sub(offset)
}

/// PostgreSQL's text for a `timestamp`: `2024-01-02 03:04:05.6`.
pub(super) fn shown_timestamp(micros: i64) -> String {
    match micros {
        i64::MAX => return "infinity".into(),
        i64::MIN => return "-infinity".into(),
        _ => {}
    }
    let (date, time, era) = parts(micros);
    format!("{date} {time}{era}")
}

/// Date, time and what stands behind both.
fn parts(micros: i64) -> (String, String, &'static str) {
    let (date, era) = shown_date(micros.div_euclid(DAY));
    (date, time_text(micros.rem_euclid(DAY)), era)
}

/// A moment as a SQLite file keeps it; `suffix` is the offset of one in UTC.
pub(crate) fn keep_timestamp(micros: i64, suffix: &str) -> String {
    if is_endless(micros) {
        return kept_date(micros);
    }
    let date = kept_date(micros.div_euclid(DAY));
    format!("{date} {}{suffix}", time_text(micros.rem_euclid(DAY)))
}

/// PostgreSQL's text for a `timestamptz`: `2024-01-02 03:04:05.6+00`.
pub(super) fn shown_timestamptz(micros: i64, zone: &Zone) -> String {
    if matches!(micros, i64::MIN | i64::MAX) {
        return shown_timestamp(micros);
    }
    let east = zone.east(micros);
    let offset = offset_text(east / 1_000_000);
    let (date, time, era) = parts(micros.saturating_add(east));
    format!("{date} {time}{offset}{era}")
}

/// PostgreSQL's text for a `time`: `03:04:05.6`.
pub(crate) fn time_text(micros: i64) -> String {
    let seconds = micros / 1_000_000;
    let mut text = format!(
        "{:02}:{:02}:{:02}",
        seconds / 3600,
        seconds / 60 % 60,
        seconds % 60
    );
    let fraction = micros % 1_000_000;
    if fraction != 0 {
        text.push_str(format!(".{fraction:06}").trim_end_matches('0'));
    }
    text
}

/// `YYYY-MM-DD` of days since 2000-01-01.
pub(super) fn shown_days(days: i64) -> String {
    if days == i64::from(i32::MAX) {
        return "infinity".into();
    }
    if days == i64::from(i32::MIN) {
        return "-infinity".into();
    }
    let (date, era) = shown_date(days);
    date + era
}

/// Days since 2000-01-01, and what follows the date: as a file keeps it, or as PostgreSQL shows it.
fn split_date(text: &str) -> Option<(i64, &str)> {
    match text.strip_suffix(" BC") {
        Some(before) => {
            let ((year, month, day), rest) = split_shown(before)?;
            Some((days_of(1 - year, month, day), rest))
        }
        None => split_kept(text).or_else(|| {
            let ((year, month, day), rest) = split_shown(text)?;
            Some((days_of(year, month, day), rest))
        }),
    }
}

/// Year, month and day of a date with any number of digits in its year, and what follows. Other programs write a month or a
/// day of one digit as well.
fn split_shown(text: &str) -> Option<((i64, i64, i64), &str)> {
    let (year, rest) = text.split_once('-')?;
    let (month, rest) = rest.split_once('-')?;
    let end = rest.find(|character: char| !character.is_ascii_digit());
    let (day, behind) = rest.split_at(end.unwrap_or(rest.len()));
    let short = |part: &str| digits(part, part.len().clamp(1, 2));
    let (year, month, day) = (
        digits(year, year.len()).filter(|_| (4..=7).contains(&year.len()))?,
        short(month)?,
        short(day)?,
    );
    ((1..=12).contains(&month) && (1..=days_in(year, month)).contains(&day))
        .then_some(((year, month, day), behind))
}

/// The time without its offset, and the offset in microseconds east of UTC.
fn split_offset(text: &str) -> Option<(&str, i64)> {
    let text = text.trim_end();
    if let Some(time) = text.strip_suffix(['Z', 'z']) {
        return Some((time.trim_end(), 0));
    }
    let Some(at) = text.rfind(['+', '-']) else {
        return Some((text, 0));
    };
    let (time, offset) = text.split_at(at);
    Some((time.trim_end(), zone::offset_of(offset)? * SECOND))
}

fn digits(text: &str, length: usize) -> Option<i64> {
    (text.len() == length && text.bytes().all(|b| b.is_ascii_digit()))
        .then(|| text.parse().ok())
        .flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_count_from_2000() {
        for (text, days) in [
            ("2000-01-01", Some(0)),
            ("1999-12-31", Some(-1)),
            ("2024-02-29", Some(8825)),
            ("1970-01-01", Some(-10957)),
            ("2024-02-29 00:00:00", Some(8825)),
            ("2023-02-29", None),
            ("2024-2-3", Some(8799)),
            ("2024-2-003", None),
            ("yesterday", None),
            ("2024-02-29 10:00:00", None),
            ("/9999956-03-15", Some(-746_117)),
            ("0044-03-15 BC", Some(-746_117)),
            (":0010000-01-01", Some(2_921_940)),
            ("10000-01-01", Some(2_921_940)),
        ] {
            assert_eq!(parse_date(text), days, "{text}");
        }
    }

    #[test]
    fn every_day_of_a_millennium_survives_the_round_trip() {
        for days in -200_000..200_000 {
            let text = shown_days(days);
            assert_eq!(parse_date(&text).map(i64::from), Some(days), "{text}");
        }
    }

    #[test]
    fn timestamps_take_fractions_and_offsets() {
        for (text, expected) in [
            ("2000-01-01 00:00:01.5", Some("2000-01-01 00:00:01.5")),
            ("2024-05-06T07:08:09Z", Some("2024-05-06 07:08:09")),
            ("2024-05-06 07:08:09+02:00", Some("2024-05-06 05:08:09")),
            ("2024-05-06 07:08", Some("2024-05-06 07:08:00")),
            ("2024-05-06", Some("2024-05-06 00:00:00")),
            ("1999-12-31 23:59:59.999999", Some("1999-12-31 23:59:59.999999")),
            ("/9999956-03-15 12:00:00", Some("0044-03-15 12:00:00 BC")),
            (
                ":0294276-12-31 23:59:59.999999",
                Some("294276-12-31 23:59:59.999999"),
            ),
            ("-infinity", Some("-infinity")),
            ("2024-05-06 25:00", None),
            ("2024-05-06 12:61", None),
        ] {
            let found = parse_timestamp(text).map(shown_timestamp);
            assert_eq!(found.as_deref(), expected, "{text}");
        }
    }
}
