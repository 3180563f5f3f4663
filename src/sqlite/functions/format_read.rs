//! `to_date` and `to_timestamp`: texts read by a pattern.

use super::{
    Failure, fail,
    format::{LONGEST_MONTH, parts},
};
use crate::pgtypes::calendar::{DAY, JULIAN_EPOCH, MONTHS, SECOND, days_in, days_of};

/// What was read so far.
#[derive(Default)]
struct DateTimeParts {
    year: i64,
    month: Option<i64>,
    day: Option<i64>,
    /// Of the year, from 1.
    day_of_year: Option<i64>,
    /// The year, the week and the day of the week as ISO 8601 counts them.
    iso: (Option<i64>, Option<i64>, Option<i64>),
    /// Since 2000-01-01.
    days: Option<i64>,
    hour: i64,
    minute: i64,
    second: i64,
    micros: i64,
    afternoon: Option<bool>,
    before_christ: bool,
    /// Hours and minutes east of UTC, and whether it is west.
    zone: Option<(i64, i64, bool)>,
}

impl DateTimeParts {
    /// The day, since 2000-01-01; none where there is no such day.
    fn day(&self) -> Option<i64> {
        if let Some(days) = self.days {
            return Some(days);
        }
        if let (Some(year), week, day) = self.iso {
            // The fourth of January is in the first week.
            let fourth = days_of(year, 1, 4);
            let monday = fourth - (fourth + 5).rem_euclid(7);
            return Some(monday + (week.unwrap_or(1) - 1) * 7 + day.unwrap_or(1) - 1);
        }
        let year = if self.before_christ {
            1 - self.year
        } else {
            self.year
        };
        if let Some(day) = self.day_of_year {
            return (1..=366).contains(&day).then(|| days_of(year, 1, 1) + day - 1);
        }
        let (month, day) = (self.month.unwrap_or(1), self.day.unwrap_or(1));
        let is_one = (1..=12).contains(&month) && day >= 1 && day <= days_in(year, month);
        is_one.then(|| days_of(year, month, day))
    }

    /// The time of the day in microseconds.
    fn time(&self) -> Option<i64> {
        if self.hour > 24 || self.minute > 59 || self.second > 59 {
            return None;
        }
        let hour = match self.afternoon {
            Some(true) if self.hour < 12 => self.hour + 12,
            Some(false) if self.hour == 12 => 0,
            _ => self.hour,
        };
        Some(((hour * 60 + self.minute) * 60 + self.second) * SECOND + self.micros)
    }
}

/// What is left of a text that is being read.
struct Rest<'t> {
    text: &'t str,
}

impl Rest<'_> {
    fn skip(&mut self, characters: usize) {
        let end = self.text.char_indices().nth(characters);
        self.text = end.map_or("", |(at, _)| &self.text[at..]);
    }

    /// Digits, no more than so many; and how many there were.
    fn number(&mut self, width: usize, part: &str) -> Result<(i64, usize), Failure> {
        let length = self
            .text
            .bytes()
            .take(width)
            .take_while(u8::is_ascii_digit)
            .count();
        if length == 0 {
            let shown: String = self.text.chars().take(width).collect();
            return fail("22007", format!("invalid value \"{shown}\" for \"{part}\""));
        }
        let (digits, after) = self.text.split_at(length);
        self.text = after;
        Ok((digits.parse().unwrap_or(0), length))
    }

    /// The digits behind a point, of which there may be so many, in microseconds.
    fn fraction(&mut self, width: usize, part: &str) -> Result<i64, Failure> {
        let (number, length) = self.number(width, part)?;
        Ok(number * 10_i64.pow(6 - length as u32))
    }

    fn month(&mut self, part: &str) -> Result<i64, Failure> {
        let lower: String = self.text.chars().take(LONGEST_MONTH).collect();
        let lower = lower.to_lowercase();
        let found = MONTHS
            .iter()
            .position(|name| lower.starts_with(&name[..3].to_lowercase()));
        let Some(at) = found else {
            return fail("22007", format!("invalid value \"{}\" for \"{part}\"", self.text));
        };
        let whole = MONTHS[at].to_lowercase();
        let is_whole = part.len() == 5 && lower.starts_with(&whole);
        self.skip(if is_whole { whole.len() } else { 3 });
        Ok(at as i64 + 1)
    }

    fn word(&mut self) -> String {
        let word: String = self
            .text
            .chars()
            .take_while(|c| c.is_alphabetic() || *c == '.')
            .collect();
        self.skip(word.chars().count());
        word.to_lowercase()
    }
}

fn century(short: i64) -> i64 {
    if short < 70 { 2_000 + short } else { 1_900 + short }
}

/// What a text says by a pattern, in microseconds since 2000-01-01, and how far its clock is east of UTC.
pub(super) fn read(text: &str, pattern: &str) -> Result<(i64, Option<i64>), Failure> {
    let mut found = DateTimeParts::default();
    let mut rest = Rest {
        text: text.trim_start(),
    };
    for (is_pattern, in_quotes, part) in parts(pattern)? {
        if !is_pattern {
            let is_separator = !part.starts_with(char::is_alphanumeric);
            let stands = !rest.text.starts_with(char::is_alphanumeric);
            if in_quotes {
                rest.skip(part.chars().count());
            } else if !is_separator || stands {
                rest.skip(1);
            }
            continue;
        }
        rest.text = rest.text.trim_start();
        match part.as_str() {
            "YYYY" => found.year = rest.number(4, &part)?.0,
            "YYY" => found.year = 2_000 + rest.number(3, &part)?.0,
            "YY" => found.year = century(rest.number(2, &part)?.0),
            "Y" => found.year = 2_020 + rest.number(1, &part)?.0,
            "IYYY" => found.iso.0 = Some(rest.number(4, &part)?.0),
            "IW" => found.iso.1 = Some(rest.number(2, &part)?.0),
            "ID" => found.iso.2 = Some(rest.number(1, &part)?.0),
            "MM" => found.month = Some(rest.number(2, &part)?.0),
            "DD" => found.day = Some(rest.number(2, &part)?.0),
            "DDD" => found.day_of_year = Some(rest.number(3, &part)?.0),
            "J" => found.days = Some(rest.number(7, &part)?.0 - JULIAN_EPOCH),
            "HH24" | "HH" | "HH12" => found.hour = rest.number(2, &part)?.0,
            "MI" => found.minute = rest.number(2, &part)?.0,
            "SS" => found.second = rest.number(2, &part)?.0,
            "SSSSS" | "SSSS" => {
                let seconds = rest.number(5, &part)?.0;
                (found.hour, found.minute, found.second) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
            }
            "MS" | "FF3" => found.micros = rest.fraction(3, &part)?,
            "US" | "FF6" => found.micros = rest.fraction(6, &part)?,
            "FF1" => found.micros = rest.fraction(1, &part)?,
            "FF2" => found.micros = rest.fraction(2, &part)?,
            "FF4" => found.micros = rest.fraction(4, &part)?,
            "FF5" => found.micros = rest.fraction(5, &part)?,
            "Mon" | "MON" | "mon" | "Month" | "MONTH" | "month" => found.month = Some(rest.month(&part)?),
            "Day" | "DAY" | "day" | "Dy" | "DY" | "dy" | "TH" | "th" => {
                rest.word();
            }
            "AM" | "PM" | "am" | "pm" | "A.M." | "P.M." | "a.m." | "p.m." => {
                found.afternoon = Some(rest.word().starts_with('p'));
            }
            "AD" | "BC" | "ad" | "bc" | "A.D." | "B.C." | "a.d." | "b.c." => {
                found.before_christ = rest.word().starts_with('b');
            }
            "TZH" => {
                let is_west = rest.text.starts_with('-');
                if rest.text.starts_with(['+', '-']) {
                    rest.skip(1);
                }
                found.zone = Some((rest.number(2, &part)?.0, 0, is_west));
            }
            "TZM" => {
                let (hours, _, is_west) = found.zone.unwrap_or_default();
                found.zone = Some((hours, rest.number(2, &part)?.0, is_west));
            }
            // PostgreSQL reads past it.
            "Q" => {
                rest.number(1, &part)?;
            }
            _ => {
                return fail(
                    "0A000",
                    format!("reading \"{part}\" of a date is not supported on a SQLite file"),
                );
            }
        }
    }
    let (Some(days), Some(time)) = (found.day(), found.time()) else {
        return fail("22008", format!("date/time field value out of range: \"{text}\""));
    };
    let east = found.zone.map(|(hours, minutes, is_west)| {
        let minutes = (hours * 60 + minutes) * 60 * SECOND;
        if is_west { -minutes } else { minutes }
    });
    Ok((days * DAY + time, east))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pgtypes::calendar::civil;

    #[test]
    fn texts_are_read_by_patterns() {
        for (text, pattern, date) in [
            ("2024-05", "IYYY-IW", (2024, 1, 29)),
            ("2024-05-3", "IYYY-IW-ID", (2024, 1, 31)),
            ("2024 123", "YYYY DDD", (2024, 5, 2)),
            ("2451545", "J", (2000, 1, 1)),
            ("Friday, 5th Jan 24", "Day, DDth Mon YY", (2024, 1, 5)),
        ] {
            let (at, _) = read(text, pattern).unwrap();
            assert_eq!(civil(at.div_euclid(DAY)), date, "{text} by {pattern}");
        }
        assert!(read("7", "WW").is_err());
    }
}
