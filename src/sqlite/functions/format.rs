//! `to_char`, `to_date`, `to_timestamp`, `to_number`: values by a pattern.

use super::{
    Failure, Nature::Strict, Out, Scalar, V, allowance, field, fit::rounded, format_number, format_read,
    interval::Interval, read_number, time, zone,
};
use crate::pgtypes::{
    calendar::{DAY, JULIAN_EPOCH, MONTHS, SECOND, check_day, civil, days_of, is_endless, kept_date},
    zone::offset_text,
};

const DAYS: [&str; 7] = [
    "Sunday",
    "Monday",
    "Tuesday",
    "Wednesday",
    "Thursday",
    "Friday",
    "Saturday",
];

/// Longer patterns stand before those that they begin with.
const PATTERNS: [&str; 65] = [
    "Y,YYY", "SSSSS", "SSSS", "FF1", "FF2", "FF3", "FF4", "FF5", "FF6", "Month", "MONTH", "month", "HH24",
    "HH12", "YYYY", "IYYY", "IYY", "IY", "a.d.", "b.c.", "A.D.", "B.C.", "A.M.", "P.M.", "a.m.", "p.m.",
    "Day", "DAY", "day", "DDD", "IDDD", "Mon", "MON", "mon", "YYY", "TZH", "Dy", "DY", "dy", "DD", "ID",
    "MM", "MI", "MS", "US", "SS", "HH", "YY", "IW", "WW", "CC", "RM", "rm", "AM", "PM", "am", "pm", "TZM",
    "TZ", "tz", "OF", "AD", "BC", "ad", "bc",
];
/// How much more memory the parts of a pattern take than its text.
const TIMES: usize = 32;
const SINGLE: [&str; 6] = ["Y", "D", "Q", "J", "W", "I"];

const ROMAN: [&str; 12] = [
    "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII",
];

/// What stands before a field.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Prefix {
    None,
    /// `FM`: neither blanks nor zeros fill it.
    Unfilled,
    /// `TM`: no blanks fill a name. There are names in one language only.
    Translated,
}

/// A pattern in its parts: true for what stands for a value, and what stands before it.
fn parts(pattern: &str) -> Result<Vec<(bool, Prefix, String)>, Failure> {
    allowance::memory_of(pattern.len().saturating_mul(TIMES))?;
    let mut found = vec![];
    let mut rest = pattern;
    let mut before = Prefix::None;
    while let Some(first) = rest.chars().next() {
        allowance::turn()?;
        if first == '"' {
            let end = rest[1..].find('"').map_or(rest.len(), |at| at + 1);
            found.push((false, Prefix::None, rest[1..end].to_owned()));
            rest = rest.get(end + 1..).unwrap_or_default();
            continue;
        }
        let prefixes = [
            ("FM", Prefix::Unfilled),
            ("fm", Prefix::Unfilled),
            ("TM", Prefix::Translated),
            ("tm", Prefix::Translated),
        ];
        let mut known = prefixes.iter();
        if let Some((after, prefix)) = known.find_map(|(word, one)| Some((rest.strip_prefix(word)?, *one))) {
            before = prefix;
            rest = after;
            continue;
        }
        if let Some(after) = ["TH", "th"].iter().find_map(|suffix| rest.strip_prefix(suffix)) {
            found.push((true, Prefix::None, rest[..2].to_owned()));
            rest = after;
            continue;
        }
        let begins = |known: &str| {
            rest.get(..known.len())
                .is_some_and(|head| head.eq_ignore_ascii_case(known))
        };
        let known = PATTERNS
            .iter()
            .find(|known| rest.starts_with(**known))
            .or_else(|| {
                PATTERNS.iter().chain(&SINGLE).find(|known| {
                    begins(known) && known.chars().all(|c| !c.is_ascii_lowercase()) && !known.contains('.')
                })
            });
        if let Some(known) = known {
            found.push((true, before, (*known).to_owned()));
            rest = &rest[known.len()..];
        } else {
            found.push((false, Prefix::None, first.to_string()));
            rest = &rest[first.len_utf8()..];
        }
        before = Prefix::None;
    }
    Ok(found)
}

fn cased(name: &str, pattern: &str) -> String {
    if pattern.chars().all(|c| c.is_ascii_uppercase()) {
        name.to_uppercase()
    } else if pattern.chars().all(|c| c.is_ascii_lowercase()) {
        name.to_lowercase()
    } else {
        name.to_owned()
    }
}

pub(super) fn ordinal(number: i64) -> &'static str {
    let number = number.unsigned_abs();
    match (number % 100, number % 10) {
        (11..=13, _) => "th",
        (_, 1) => "st",
        (_, 2) => "nd",
        (_, 3) => "rd",
        _ => "th",
    }
}

/// How far a clock is from UTC, in seconds, and what its time is called; the latter is empty without a zone.
#[derive(Default)]
struct Clock {
    east: i64,
    name: String,
    before_christ: bool,
}

fn two(number: i64) -> String {
    format!("{number:02}")
}

/// What stands before an ordinal's suffix: it belongs to numbers, and is no pattern behind a literal.
enum Before {
    Number(i64),
    Word,
    Literal,
}

fn render(
    pattern: &str,
    days: i64,
    micros: i64,
    (year, month, day): (i64, i64, i64),
    clock: &Clock,
) -> Result<String, Failure> {
    let seconds = micros / SECOND;
    let (hour, minute, second) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    let hour12 = if hour % 12 == 0 { 12 } else { hour % 12 };
    let weekday = (days + 6).rem_euclid(7) as usize;
    let month_name = MONTHS[(month.max(1) - 1) as usize % 12];
    let iso_weekday = if weekday == 0 { 7 } else { weekday as i64 };
    let iso_year = civil(days - iso_weekday + 4).0;
    let counted = if clock.before_christ { 1 - year } else { year };
    let mut shown = String::new();
    let mut before = Before::Literal;
    for (is_pattern, prefix, part) in parts(pattern)? {
        if !is_pattern {
            shown.push_str(&part);
            before = Before::Literal;
            continue;
        }
        if part.eq_ignore_ascii_case("th") {
            match before {
                Before::Number(number) if part == "TH" => shown.push_str(&ordinal(number).to_uppercase()),
                Before::Number(number) => shown.push_str(ordinal(number)),
                Before::Word => {}
                Before::Literal => shown.push_str(&part),
            }
            before = Before::Literal;
            continue;
        }
        let is_unfilled = prefix == Prefix::Unfilled;
        // All digits of a fraction count.
        let is_fraction = matches!(part.as_str(), "MS" | "US") || part.starts_with("FF");
        let padded = |number: i64, width: usize| {
            if is_unfilled && !is_fraction {
                number.to_string()
            } else {
                format!("{number:0width$}")
            }
        };
        let blank = |name: String| match prefix {
            Prefix::None => format!("{name:<9}"),
            _ => name,
        };
        let number = match part.as_str() {
            "YYYY" => Some((counted, 4)),
            "YYY" => Some((counted % 1_000, 3)),
            "YY" => Some((counted % 100, 2)),
            "Y" => Some((counted % 10, 1)),
            "MM" => Some((month, 2)),
            "DD" => Some((day, 2)),
            "DDD" => Some((days - days_of(year, 1, 1) + 1, 3)),
            "D" => Some((weekday as i64 + 1, 1)),
            "ID" => Some((iso_weekday, 1)),
            "IDDD" => Some(((field::iso_week(days) - 1) * 7 + iso_weekday, 3)),
            "HH24" => Some((hour, 2)),
            "HH" | "HH12" => Some((hour12, 2)),
            "MI" => Some((minute, 2)),
            "SS" => Some((second, 2)),
            "MS" | "FF3" => Some((micros % SECOND / 1_000, 3)),
            "US" | "FF6" => Some((micros % SECOND, 6)),
            "SSSSS" | "SSSS" => Some((seconds, 1)),
            "FF1" => Some((micros % SECOND / 100_000, 1)),
            "FF2" => Some((micros % SECOND / 10_000, 2)),
            "FF4" => Some((micros % SECOND / 100, 4)),
            "FF5" => Some((micros % SECOND / 10, 5)),
            "Q" => Some(((month - 1) / 3 + 1, 1)),
            "CC" => Some((
                if clock.before_christ {
                    -((counted + 99) / 100)
                } else {
                    (year + 99) / 100
                },
                2,
            )),
            "WW" => Some(((days - days_of(year, 1, 1)) / 7 + 1, 2)),
            "W" => Some(((day - 1) / 7 + 1, 1)),
            "IW" => Some((field::iso_week(days), 2)),
            "J" => Some((days + JULIAN_EPOCH, 1)),
            "IYYY" => Some((iso_year, 4)),
            "IYY" => Some((iso_year % 1_000, 3)),
            "IY" => Some((iso_year % 100, 2)),
            "I" => Some((iso_year % 10, 1)),
            _ => None,
        };
        if let Some((number, width)) = number {
            before = Before::Number(number);
            shown.push_str(&padded(number, width));
            continue;
        }
        let word = match part.as_str() {
            "Month" | "MONTH" | "month" => blank(cased(month_name, &part)),
            "Mon" | "MON" | "mon" => cased(&month_name[..3], &part),
            "Day" | "DAY" | "day" => blank(cased(DAYS[weekday], &part)),
            "Dy" | "DY" | "dy" => cased(&DAYS[weekday][..3], &part),
            "RM" | "rm" => {
                let roman = cased(ROMAN[(month.max(1) - 1) as usize % 12], &part);
                if is_unfilled { roman } else { format!("{roman:<4}") }
            }
            "Y,YYY" => format!("{},{:03}", counted / 1_000, counted % 1_000),
            "AM" | "PM" => if hour < 12 { "AM" } else { "PM" }.into(),
            "am" | "pm" => if hour < 12 { "am" } else { "pm" }.into(),
            "A.M." | "P.M." => if hour < 12 { "A.M." } else { "P.M." }.into(),
            "a.m." | "p.m." => if hour < 12 { "a.m." } else { "p.m." }.into(),
            "TZ" => clock.name.clone(),
            "tz" => clock.name.to_lowercase(),
            "TZH" => offset_text(clock.east)[..3].to_owned(),
            "TZM" => two(clock.east.abs() / 60 % 60),
            "OF" => offset_text(clock.east),
            "A.D." | "B.C." => if clock.before_christ { "B.C." } else { "A.D." }.into(),
            "AD" | "BC" => if clock.before_christ { "BC" } else { "AD" }.into(),
            "a.d." | "b.c." => if clock.before_christ { "b.c." } else { "a.d." }.into(),
            "ad" | "bc" => if clock.before_christ { "bc" } else { "ad" }.into(),
            other => other.to_owned(),
        };
        before = if part == "Y,YYY" {
            Before::Number(counted)
        } else {
            Before::Word
        };
        shown.push_str(&word);
        allowance::value_of(shown.len())?;
    }
    Ok(shown)
}

fn time_text(values: &[V]) -> Out {
    let at = time::micros(&values[0])?;
    if is_endless(at) {
        return Ok(V::Null);
    }
    let days = at.div_euclid(DAY);
    let time = at.rem_euclid(DAY);
    let clock = Clock {
        before_christ: civil(days).0 < 1,
        ..Clock::default()
    };
    Ok(render(&values[1].text(), days, time, civil(days), &clock)?.into())
}

fn timestamptz_text(values: &[V]) -> Out {
    let utc = time::micros(&values[0])?;
    if is_endless(utc) {
        return Ok(V::Null);
    }
    let east = zone::east(utc);
    let days = (utc + east).div_euclid(DAY);
    let clock = Clock {
        before_christ: civil(days).0 < 1,
        east: east / SECOND,
        name: zone::abbreviation(utc),
    };
    let time = (utc + east).rem_euclid(DAY);
    Ok(render(&values[1].text(), days, time, civil(days), &clock)?.into())
}

fn interval_text(values: &[V]) -> Out {
    let interval = Interval::of(&values[0])?;
    let parts = (interval.months / 12, interval.months % 12, interval.days);
    Ok(render(&values[1].text(), 0, interval.micros, parts, &Clock::default())?.into())
}

/// Values by patterns.
pub(super) const FUNCTIONS: &[Scalar] = &[
    ("pg_to_char_time", 2, Strict, time_text),
    ("pg_to_char_timestamptz", 2, Strict, timestamptz_text),
    ("pg_to_char_interval", 2, Strict, interval_text),
    ("pg_to_char_int4", 2, Strict, format_number::int4),
    ("pg_to_char_int8", 2, Strict, format_number::int8),
    ("pg_to_char_float4", 2, Strict, format_number::float4),
    ("pg_to_char_float8", 2, Strict, format_number::float8),
    ("pg_to_char_number", 2, Strict, format_number::numeric),
    ("pg_to_date", 2, Strict, |v| {
        let text = v[0].text();
        let days = format_read::read(&text, &v[1].text())?.days;
        let days = check_day(days, || format!("date out of range: \"{text}\""))?;
        Ok(kept_date(days).into())
    }),
    ("pg_to_timestamp_text", 2, Strict, |v| {
        let found = format_read::read(&v[0].text(), &v[1].text())?;
        let local = found.local();
        let utc = found
            .east
            .map_or_else(|| zone::utc(local), |east| local.saturating_sub(east));
        let utc = utc.clamp(i64::MIN + 1, i64::MAX - 1);
        time::stamp(found.digits.map_or(utc, |digits| rounded(utc, digits)), "+00")
    }),
    ("pg_to_number", 2, Strict, read_number::number),
];
