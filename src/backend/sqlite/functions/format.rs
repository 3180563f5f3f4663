//! `to_char`, `to_date`, `to_timestamp`, `to_number`: values by a pattern.

use super::{
    Failure,
    Nature::Strict,
    Out, Scalar, V, allowance,
    datetime::{DAY, SECOND, civil, days_in, days_of, is_endless, kept_date},
    decimal::Decimal,
    fail, field,
    interval::Interval,
    time, zone,
};
use crate::backend::zone::offset_text;

const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];
const LONGEST_MONTH: usize = 9;
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
const PATTERNS: [&str; 51] = [
    "SSSSS", "Month", "MONTH", "month", "HH24", "HH12", "YYYY", "IYYY", "A.D.", "B.C.", "A.M.", "P.M.",
    "a.m.", "p.m.", "Day", "DAY", "day", "DDD", "IDDD", "Mon", "MON", "mon", "YYY", "TZH", "Dy", "DY", "dy",
    "DD", "ID", "MM", "MI", "MS", "US", "SS", "HH", "YY", "IW", "WW", "CC", "AM", "PM", "am", "pm", "TZM",
    "TZ", "tz", "OF", "AD", "BC", "ad", "bc",
];
/// How much more memory the parts of a pattern take than its text.
const TIMES: usize = 32;
const SINGLE: [&str; 5] = ["Y", "D", "Q", "J", "W"];

/// A pattern in its parts: what stands for a value, and text.
fn parts(pattern: &str) -> Result<Vec<(bool, bool, String)>, Failure> {
    allowance::memory_of(pattern.len().saturating_mul(TIMES))?;
    let mut found = vec![];
    let mut rest = pattern;
    let mut fill = false;
    while let Some(first) = rest.chars().next() {
        allowance::turn()?;
        if first == '"' {
            let end = rest[1..].find('"').map_or(rest.len(), |at| at + 1);
            found.push((false, false, rest[1..end].to_owned()));
            rest = rest.get(end + 1..).unwrap_or_default();
            continue;
        }
        if let Some(after) = rest.strip_prefix("FM").or_else(|| rest.strip_prefix("fm")) {
            fill = true;
            rest = after;
            continue;
        }
        if let Some(after) = ["TH", "th"].iter().find_map(|suffix| rest.strip_prefix(suffix)) {
            found.push((true, false, rest[..2].to_owned()));
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
            found.push((true, fill, (*known).to_owned()));
            rest = &rest[known.len()..];
        } else {
            found.push((false, false, first.to_string()));
            rest = &rest[first.len_utf8()..];
        }
        fill = false;
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

fn ordinal(number: i64) -> &'static str {
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
    let counted = if clock.before_christ { 1 - year } else { year };
    let mut shown = String::new();
    let mut last = 0;
    for (is_pattern, fill, part) in parts(pattern)? {
        if !is_pattern {
            shown.push_str(&part);
            continue;
        }
        let padded = |number: i64, width: usize| {
            if fill {
                number.to_string()
            } else {
                format!("{number:0width$}")
            }
        };
        let blank = |name: String| if fill { name } else { format!("{name:<9}") };
        let number = match part.as_str() {
            "YYYY" => Some((counted, 4)),
            "YYY" => Some((counted % 1_000, 3)),
            "YY" => Some((counted % 100, 2)),
            "Y" => Some((counted % 10, 1)),
            "MM" => Some((month, 2)),
            "DD" => Some((day, 2)),
            "DDD" => Some((days - days_of(year, 1, 1) + 1, 3)),
            "D" => Some((weekday as i64 + 1, 1)),
            "ID" => Some((if weekday == 0 { 7 } else { weekday as i64 }, 1)),
            "HH24" => Some((hour, 2)),
            "HH" | "HH12" => Some((hour12, 2)),
            "MI" => Some((minute, 2)),
            "SS" => Some((second, 2)),
            "MS" => Some((micros % SECOND / 1_000, 3)),
            "US" => Some((micros % SECOND, 6)),
            "SSSSS" => Some((seconds, 1)),
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
            "J" => Some((days + 2_451_545, 1)),
            "IYYY" => {
                let weekday = (days + 5).rem_euclid(7);
                Some((civil(days - weekday + 3).0, 4))
            }
            _ => None,
        };
        if let Some((number, width)) = number {
            last = number;
            shown.push_str(&padded(number, width));
            continue;
        }
        shown.push_str(&match part.as_str() {
            "Month" | "MONTH" | "month" => blank(cased(month_name, &part)),
            "Mon" | "MON" | "mon" => cased(&month_name[..3], &part),
            "Day" | "DAY" | "day" => blank(cased(DAYS[weekday], &part)),
            "Dy" | "DY" | "dy" => cased(&DAYS[weekday][..3], &part),
            "AM" | "PM" => if hour < 12 { "AM" } else { "PM" }.into(),
            "am" | "pm" => if hour < 12 { "am" } else { "pm" }.into(),
            "A.M." | "P.M." => if hour < 12 { "A.M." } else { "P.M." }.into(),
            "a.m." | "p.m." => if hour < 12 { "a.m." } else { "p.m." }.into(),
            "TZ" => clock.name.clone(),
            "tz" => clock.name.to_lowercase(),
            "TZH" => offset_text(clock.east)[..3].to_owned(),
            "TZM" => two(clock.east.abs() / 60 % 60),
            "OF" => offset_text(clock.east),
            "TH" => ordinal(last).to_uppercase(),
            "th" => ordinal(last).to_owned(),
            "A.D." | "B.C." => if clock.before_christ { "B.C." } else { "A.D." }.into(),
            "AD" | "BC" => if clock.before_christ { "BC" } else { "AD" }.into(),
            "ad" | "bc" => if clock.before_christ { "bc" } else { "ad" }.into(),
            other => other.to_owned(),
        });
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

/// What a text says by a pattern, in microseconds.
fn read(text: &str, pattern: &str) -> Result<i64, Failure> {
    let (mut year, mut month, mut day) = (1, 1, 1);
    let (mut hour, mut minute, mut second, mut micros) = (0, 0, 0, 0);
    let mut afternoon = None;
    let mut rest = text.trim_start();
    for (is_pattern, _, part) in parts(pattern)? {
        if !is_pattern {
            let skipped = rest
                .chars()
                .next()
                .filter(|c| !c.is_alphanumeric())
                .map_or(0, char::len_utf8);
            rest = &rest[skipped..];
            continue;
        }
        rest = rest.trim_start();
        let mut number = |width: usize| -> Result<i64, Failure> {
            let length = rest.bytes().take(width).take_while(u8::is_ascii_digit).count();
            if length == 0 {
                return fail(
                    "22007",
                    format!(
                        "invalid value \"{}\" for \"{part}\"",
                        rest.chars().take(width).collect::<String>()
                    ),
                );
            }
            let (digits, after) = rest.split_at(length);
            rest = after;
            Ok(digits.parse().unwrap_or(0))
        };
        match part.as_str() {
            "YYYY" => year = number(4)?,
            "YY" => {
                let short = number(2)?;
                year = if short < 70 { 2_000 + short } else { 1_900 + short };
            }
            "MM" => month = number(2)?,
            "DD" => day = number(2)?,
            "DDD" => {
                let days = number(3)?;
                let (y, m, d) = civil(days_of(year, 1, 1) + days - 1);
                (year, month, day) = (y, m, d);
            }
            "HH24" | "HH" | "HH12" => hour = number(2)?,
            "MI" => minute = number(2)?,
            "SS" => second = number(2)?,
            "MS" => micros = number(3)? * 1_000,
            "US" => micros = number(6)?,
            "Mon" | "MON" | "mon" | "Month" | "MONTH" | "month" => {
                let lower = rest
                    .chars()
                    .take(LONGEST_MONTH)
                    .collect::<String>()
                    .to_lowercase();
                let Some(at) = MONTHS
                    .iter()
                    .position(|name| lower.starts_with(&name[..3].to_lowercase()))
                else {
                    return fail("22007", format!("invalid value \"{rest}\" for \"{part}\""));
                };
                month = at as i64 + 1;
                let whole = MONTHS[at].to_lowercase();
                let length = if part.len() == 5 && lower.starts_with(&whole) {
                    whole.len()
                } else {
                    3
                };
                rest = &rest[length..];
            }
            "AM" | "PM" | "am" | "pm" => {
                afternoon = Some(rest.get(..2).is_some_and(|half| half.eq_ignore_ascii_case("pm")));
                rest = rest.get(2..).unwrap_or_default();
            }
            _ => {}
        }
    }
    if !(1..=12).contains(&month)
        || day < 1
        || day > days_in(year, month)
        || hour > 24
        || minute > 59
        || second > 59
    {
        return fail("22008", format!("date/time field value out of range: \"{text}\""));
    }
    hour = match afternoon {
        Some(true) if hour < 12 => hour + 12,
        Some(false) if hour == 12 => 0,
        _ => hour,
    };
    Ok(days_of(year, month, day) * DAY + ((hour * 60 + minute) * 60 + second) * SECOND + micros)
}

fn number_text(values: &[V]) -> Out {
    let original = values[1].text();
    let mut pattern = original.clone();
    let fill = pattern.to_uppercase().starts_with("FM");
    if fill {
        pattern = pattern[2..].to_owned();
    }
    let upper = pattern.to_uppercase();
    let (whole, fraction) = upper.split_once(['.', 'D']).unwrap_or((&upper, ""));
    let places = fraction.chars().filter(|c| matches!(c, '9' | '0')).count();
    let number = Decimal::of(&values[0])?.round(places as i64).to_string();
    let (negative, digits) = number
        .strip_prefix('-')
        .map_or((false, number.as_str()), |rest| (true, rest));
    let (digits, decimals) = digits.split_once('.').unwrap_or((digits, ""));
    let digits = if digits == "0" { "" } else { digits };
    let slots: Vec<char> = whole
        .chars()
        .filter(|c| matches!(c, '9' | '0' | ',' | 'G'))
        .collect();
    let room = slots.iter().filter(|c| matches!(c, '9' | '0')).count();
    let mut shown = String::new();
    if digits.len() > room {
        shown = slots
            .iter()
            .map(|c| if matches!(c, '9' | '0') { '#' } else { ',' })
            .collect();
    } else {
        let mut at = 0;
        let mut started = false;
        for slot in &slots {
            if matches!(slot, ',' | 'G') {
                shown.push(if started { ',' } else { ' ' });
                continue;
            }
            let digit = (at + digits.len())
                .checked_sub(room)
                .and_then(|at| digits.as_bytes().get(at));
            at += 1;
            match digit {
                Some(digit) => {
                    started = true;
                    shown.push(char::from(*digit));
                }
                None if *slot == '0' || started => {
                    started = true;
                    shown.push('0');
                }
                None => shown.push(' '),
            }
        }
    }
    // A lone zero in front of the point stands where no digits follow it.
    if digits.is_empty() && places == 0 && !shown.ends_with('0') && !shown.is_empty() {
        shown.pop();
        shown.push('0');
    }
    let blanks = shown.len() - shown.trim_start().len();
    let mut text = format!(
        "{}{}{}",
        " ".repeat(blanks),
        if negative { "-" } else { " " },
        shown.trim_start()
    );
    if places > 0 {
        let mut decimals = decimals.to_owned();
        if fill {
            let kept = fraction.rfind('0').map_or(0, |at| at + 1);
            while decimals.len() > kept && decimals.ends_with('0') {
                decimals.pop();
            }
        }
        text.push('.');
        text.push_str(&decimals);
    }
    if upper.contains('%') {
        text.push('%');
    }
    Ok(if fill { text.trim_start().to_owned() } else { text }.into())
}

/// Values by patterns.
pub(super) const FUNCTIONS: &[Scalar] = &[
    ("pg_to_char_time", 2, Strict, time_text),
    ("pg_to_char_timestamptz", 2, Strict, timestamptz_text),
    ("pg_to_char_interval", 2, Strict, interval_text),
    ("pg_to_char_number", 2, Strict, number_text),
    ("pg_to_date", 2, Strict, |v| {
        Ok(kept_date(read(&v[0].text(), &v[1].text())?.div_euclid(DAY)).into())
    }),
    ("pg_to_timestamp_text", 2, Strict, |v| {
        time::stamp(zone::utc(read(&v[0].text(), &v[1].text())?), "+00")
    }),
    ("pg_to_number", 2, Strict, |v| {
        let digits: String = v[0]
            .text()
            .chars()
            .filter(|c| c.is_ascii_digit() || matches!(c, '.' | '-'))
            .collect();
        match Decimal::parse(&digits) {
            Some(number) => Ok(number.into()),
            None => fail(
                "22P02",
                format!("invalid input syntax for type numeric: \"{}\"", v[0].text()),
            ),
        }
    }),
];
