//! `to_date` and `to_timestamp`: texts read by a pattern, node by node as `DCH_from_char` does it, and what was read made a
//! moment as `do_to_timestamp` makes it.

use super::{
    Failure, allowance, fail,
    format_nodes::{Mode, Node, nodes},
    format_source::{Source, is_separator, is_space, whole},
};
use crate::pgtypes::calendar::{DAY, JULIAN_EPOCH, MONTHS, SECOND, civil, days_in, days_of};

const DAYS: [&str; 7] = [
    "Sunday",
    "Monday",
    "Tuesday",
    "Wednesday",
    "Thursday",
    "Friday",
    "Saturday",
];
const ROMAN: [&str; 12] = [
    "xii", "xi", "x", "ix", "viii", "vii", "vi", "v", "iv", "iii", "ii", "i",
];
/// Hours that the offset of a zone may have.
const FARTHEST: i64 = 15;

/// What a text says by a pattern.
pub(super) struct Read {
    /// Since 2000-01-01; it may be one that there is not.
    pub(super) days: i64,
    /// Microseconds of the day.
    pub(super) time: i64,
    /// Microseconds east of UTC.
    pub(super) east: Option<i64>,
    /// Digits of seconds that a moment is rounded to.
    pub(super) digits: Option<i64>,
}

/// What was read so far; 0 is what was not.
#[derive(Default)]
struct ReadFields {
    mode: Option<Mode>,
    has_twelve_hours: bool,
    year: i64,
    /// Digits of the year's pattern.
    year_digits: usize,
    century: i64,
    month: i64,
    week: i64,
    week_of_month: i64,
    day_of_year: i64,
    day: i64,
    /// From 1 for Sunday.
    weekday: i64,
    julian: i64,
    hour: i64,
    minute: i64,
    second: i64,
    seconds_of_day: i64,
    millis: i64,
    micros: i64,
    digits: Option<i64>,
    afternoon: i64,
    before_christ: i64,
    zone_sign: i64,
    zone_hours: i64,
    zone_minutes: i64,
}

/// Sets a field that may not have another value by now.
fn set(field: &mut i64, value: i64, node: &Node) -> Result<(), Failure> {
    if *field != 0 && *field != value {
        let name = node.name;
        return fail(
            "22007",
            format!("conflicting values for \"{name}\" field in formatting string"),
        );
    }
    *field = value;
    Ok(())
}

/// A year, a month and a day.
type YearMonthDay = (i64, i64, i64);
/// Which of them are known.
type KnownParts = (bool, bool, bool);

/// A year of three digits at most is one near 2020.
fn near_2020(year: i64) -> i64 {
    match year {
        70..100 => year + 1_900,
        ..520 => year + 2_000,
        520..1_000 => year + 1_000,
        _ => year,
    }
}

/// `25` is 0.25, as `250` is.
fn scaled(number: i64, digits: usize, all: usize) -> i64 {
    number * 10_i64.pow(all.saturating_sub(digits) as u32)
}

impl ReadFields {
    fn read(text: &str, pattern: &str) -> Result<Self, Failure> {
        let mut found = Self::default();
        let mut source = Source {
            bytes: text.as_bytes(),
            at: 0,
        };
        let (mut is_fixed, mut skipped) = (false, 0);
        for (place, node) in nodes(pattern)?.iter().enumerate() {
            allowance::turn()?;
            if source.first().is_none() {
                break;
            }
            let is_field = !node.name.is_empty();
            if !is_fixed && node.name != "FX" && (is_field || place == 0) {
                skipped += source.skip_spaces();
            }
            if !is_field {
                match (is_fixed, node.separates) {
                    // One blank or sign of the pattern is one of the text, or none.
                    (false, true) => {
                        skipped -= 1;
                        if source
                            .first()
                            .is_some_and(|byte| is_space(byte) || is_separator(byte))
                        {
                            source.at += 1;
                            skipped += 1;
                        }
                    }
                    (false, false) if skipped > 0 => skipped -= 1,
                    _ => source.skip(),
                }
                continue;
            }
            if let Some(mode) = node.mode {
                if found.mode.is_some_and(|before| before != mode) {
                    return fail("22007", "invalid combination of date conventions");
                }
                found.mode = Some(mode);
            }
            if node.name == "FX" {
                is_fixed = true;
            } else {
                found.field(&mut source, node, skipped)?;
            }
            if !is_fixed {
                skipped = source.skip_spaces();
            }
        }
        Ok(found)
    }

    fn field(&mut self, source: &mut Source<'_>, node: &Node, skipped: i64) -> Result<(), Failure> {
        let length = node.name.len();
        match node.name.to_ascii_uppercase().as_str() {
            "AM" | "PM" => {
                set(&mut self.afternoon, source.word(&["am", "pm"], node)?, node)?;
                self.has_twelve_hours = true;
            }
            "A.M." | "P.M." => {
                set(&mut self.afternoon, source.word(&["a.m.", "p.m."], node)?, node)?;
                self.has_twelve_hours = true;
            }
            "AD" | "BC" => set(&mut self.before_christ, source.word(&["ad", "bc"], node)?, node)?,
            "A.D." | "B.C." => set(
                &mut self.before_christ,
                source.word(&["a.d.", "b.c."], node)?,
                node,
            )?,
            "HH" | "HH12" => {
                set(&mut self.hour, source.integer(2, node)?.0, node)?;
                self.has_twelve_hours = true;
            }
            "HH24" => set(&mut self.hour, source.integer(2, node)?.0, node)?,
            "MI" => set(&mut self.minute, source.integer(length, node)?.0, node)?,
            "SS" => set(&mut self.second, source.integer(length, node)?.0, node)?,
            "SSSS" | "SSSSS" => set(&mut self.seconds_of_day, source.integer(length, node)?.0, node)?,
            "MS" => {
                let (number, digits) = source.integer(3, node)?;
                set(&mut self.millis, number, node)?;
                self.millis = scaled(number, digits, 3);
            }
            "US" => {
                let (number, digits) = source.integer(6, node)?;
                set(&mut self.micros, number, node)?;
                self.micros = scaled(number, digits, 6);
            }
            fraction if fraction.starts_with("FF") => {
                let most = usize::from(fraction.as_bytes()[2] - b'0');
                self.digits = Some(most as i64);
                let (number, digits) = source.integer(most, node)?;
                set(&mut self.micros, number, node)?;
                self.micros = scaled(number, digits, 6);
            }
            "TZ" | "OF" => {
                return fail(
                    "0A000",
                    format!("formatting field \"{}\" is only supported in to_char", node.name),
                );
            }
            "TZH" => {
                let first = source.first();
                // A sign may have been taken for what separates.
                let is_behind_minus = skipped > 0 && source.at > 0 && source.bytes[source.at - 1] == b'-';
                let is_west = first == Some(b'-');
                if matches!(first, Some(b'+' | b'-' | b' ')) {
                    source.at += 1;
                    self.zone_sign = if is_west { -1 } else { 1 };
                } else {
                    self.zone_sign = if is_behind_minus { -1 } else { 1 };
                }
                set(&mut self.zone_hours, source.integer(2, node)?.0, node)?;
            }
            "TZM" => {
                if self.zone_sign == 0 {
                    self.zone_sign = 1;
                }
                set(&mut self.zone_minutes, source.integer(2, node)?.0, node)?;
            }
            "MONTH" => set(&mut self.month, source.word(&MONTHS, node)? + 1, node)?,
            "MON" => {
                let short = MONTHS.map(|name| &name[..3]);
                set(&mut self.month, source.word(&short, node)? + 1, node)?;
            }
            "RM" => set(&mut self.month, 12 - source.word(&ROMAN, node)?, node)?,
            "MM" => set(&mut self.month, source.integer(length, node)?.0, node)?,
            "DAY" => {
                set(&mut self.weekday, source.word(&DAYS, node)?, node)?;
                self.weekday += 1;
            }
            "DY" => {
                let short = DAYS.map(|name| &name[..3]);
                set(&mut self.weekday, source.word(&short, node)?, node)?;
                self.weekday += 1;
            }
            "D" => set(&mut self.weekday, source.integer(length, node)?.0, node)?,
            "ID" => {
                set(&mut self.weekday, source.integer(1, node)?.0, node)?;
                self.weekday = if self.weekday >= 7 { 1 } else { self.weekday + 1 };
            }
            "DDD" => set(&mut self.day_of_year, source.integer(length, node)?.0, node)?,
            "IDDD" => set(&mut self.day_of_year, source.integer(3, node)?.0, node)?,
            "DD" => set(&mut self.day, source.integer(length, node)?.0, node)?,
            "WW" | "IW" => set(&mut self.week, source.integer(length, node)?.0, node)?,
            "W" => set(&mut self.week_of_month, source.integer(length, node)?.0, node)?,
            "CC" => set(&mut self.century, source.integer(length, node)?.0, node)?,
            "J" => set(&mut self.julian, source.integer(length, node)?.0, node)?,
            // A quarter says nothing of the day.
            "Q" => {
                source.integer(length, node)?;
            }
            "Y,YYY" => {
                set(&mut self.year, thousands(source)?, node)?;
                self.year_digits = 4;
            }
            // What is left are years.
            name => {
                let all = name.trim_start_matches('I').len().max(1);
                let all = if name.starts_with('I') { length } else { all };
                let (year, digits) = source.integer(length, node)?;
                set(&mut self.year, year, node)?;
                if all < 4 && digits < 4 {
                    self.year = near_2020(year);
                }
                self.year_digits = all;
            }
        }
        if node.is_ordinal {
            for _ in 0..2 {
                if source.first().is_some() {
                    source.skip();
                }
            }
        }
        Ok(())
    }

    /// Year, month and day of what was read, with whether each is known.
    fn date(&mut self) -> Result<(YearMonthDay, KnownParts), Failure> {
        let is_iso = self.mode == Some(Mode::IsoWeek);
        let (mut year, mut month, mut day) = (0, 1, 1);
        let mut known = (false, false, false);
        if self.before_christ != 0 {
            self.century = -self.century;
        }
        if self.year != 0 {
            year = if self.century != 0 && self.year_digits <= 2 {
                of_century(self.year % 100, self.century)
            } else {
                let year = if self.before_christ == 0 {
                    self.year
                } else {
                    -self.year
                };
                // There is no year 0.
                if year < 0 { year + 1 } else { year }
            };
            known.0 = true;
        } else if self.century != 0 {
            let first = if self.century > 0 {
                self.century - 1
            } else {
                self.century
            };
            year = first * 100 + 1;
            known.0 = true;
        }
        if self.julian != 0 {
            (year, month, day) = civil(self.julian - JULIAN_EPOCH);
            known = (true, true, true);
        }
        if self.week != 0 && is_iso {
            let behind = match self.weekday {
                0 => 0,
                1 => 6,
                weekday => weekday - 2,
            };
            (year, month, day) = civil(monday(year) + (self.week - 1) * 7 + behind);
            known = (true, true, true);
        } else if self.week != 0 {
            self.day_of_year = (self.week - 1) * 7 + 1;
        }
        if self.week_of_month != 0 {
            self.day = (self.week_of_month - 1) * 7 + 1;
        }
        if self.day != 0 {
            (day, known.2) = (self.day, true);
        }
        if self.month != 0 {
            (month, known.1) = (self.month, true);
        }
        if self.day_of_year != 0 && (month <= 1 || day <= 1) {
            if year == 0 && self.before_christ == 0 {
                return fail("22007", "cannot calculate day of year without year information");
            }
            if is_iso {
                (year, month, day) = civil(monday(year) + self.day_of_year - 1);
                known.0 = true;
            } else {
                let (found, of_month) = day_in_year(year, self.day_of_year);
                month = if month <= 1 { found } else { month };
                day = if day <= 1 { of_month } else { day };
            }
            (known.1, known.2) = (true, true);
        }
        Ok(((year, month, day), known))
    }

    /// Hours, minutes and seconds.
    fn clock(&self) -> Result<(i64, i64, i64), Failure> {
        let whole = self.seconds_of_day;
        let (mut hour, mut minute, mut second) = (whole / 3_600, whole / 60 % 60, whole % 60);
        for (field, read) in [
            (&mut hour, self.hour),
            (&mut minute, self.minute),
            (&mut second, self.second),
        ] {
            if read != 0 {
                *field = read;
            }
        }
        if self.has_twelve_hours {
            if !(1..=12).contains(&hour) {
                return fail(
                    "22007",
                    format!("hour \"{hour}\" is invalid for the 12-hour clock"),
                );
            }
            hour = hour % 12 + 12 * self.afternoon;
        }
        Ok((hour, minute, second))
    }
}

/// `2,024`.
fn thousands(source: &mut Source<'_>) -> Result<i64, Failure> {
    let rest = source.rest();
    let (thousands, used) = whole(rest);
    let behind = rest.get(used..).unwrap_or_default();
    let (Some(thousands), true, Some(b',')) = (thousands, used > 0, behind.first()) else {
        return fail("22007", "invalid input string for \"Y,YYY\"");
    };
    let (years, more) = whole(&behind[1..behind.len().min(4)]);
    let (Some(years), true) = (years, more > 0 && thousands.abs() < 1_000_000) else {
        return fail("22007", "invalid input string for \"Y,YYY\"");
    };
    source.at += used + 1 + more;
    Ok(thousands * 1_000 + years)
}

/// A year by its last two digits and its century, of which the 21st began in 2001.
fn of_century(year: i64, century: i64) -> i64 {
    match (year, century) {
        (0, 0..) => century * 100,
        (0, _) => century * 100 + 1,
        (year, 0..) => (century - 1) * 100 + year,
        (year, _) => (century + 1) * 100 - year + 1,
    }
}

/// The first day of a year's first week, in which the fourth of January is.
fn monday(year: i64) -> i64 {
    let fourth = days_of(year, 1, 4);
    fourth - (fourth + 5).rem_euclid(7)
}

/// The month and the day of a day that is counted from the first of January; the month is 13 behind the last.
fn day_in_year(year: i64, mut day: i64) -> (i64, i64) {
    for month in 1..=12 {
        let length = days_in(year, month);
        if day <= length {
            return (month, day);
        }
        day -= length;
    }
    (13, day)
}

/// What a text says by a pattern.
pub(super) fn read(text: &str, pattern: &str) -> Result<Read, Failure> {
    let mut found = ReadFields::read(text, pattern)?;
    let outside = || fail("22008", format!("date/time field value out of range: \"{text}\""));
    let (hour, minute, second) = found.clock()?;
    let ((year, month, day), known) = found.date()?;
    let micros = found.millis * 1_000 + found.micros;
    let is_month = !known.1 || (1..=12).contains(&month);
    let is_day = !known.2 || (1..=31).contains(&day);
    if !is_month || !is_day || (known == (true, true, true) && day > days_in(year, month)) {
        return outside();
    }
    let is_time = (0..24).contains(&hour) && (0..60).contains(&minute) && (0..60).contains(&second);
    if !is_time || !(0..SECOND).contains(&micros) {
        return outside();
    }
    let zone = (0..=FARTHEST).contains(&found.zone_hours) && (0..60).contains(&found.zone_minutes);
    if found.zone_sign != 0 && !zone {
        let message = format!("time zone displacement out of range: \"{text}\"");
        return fail("22009", message);
    }
    let east = found.zone_sign * (found.zone_hours * 60 + found.zone_minutes) * 60 * SECOND;
    Ok(Read {
        days: days_of(year, month, 1) + day - 1,
        time: ((hour * 60 + minute) * 60 + second) * SECOND + micros,
        east: (found.zone_sign != 0).then_some(east),
        digits: found.digits,
    })
}

impl Read {
    /// Microseconds since 2000-01-01 by the clocks that are meant.
    pub(super) fn local(&self) -> i64 {
        self.days.saturating_mul(DAY).saturating_add(self.time)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_read_by_patterns() {
        for (text, pattern, date) in [
            ("2024-05", "IYYY-IW", (2024, 1, 29)),
            ("2024-05-3", "IYYY-IW-ID", (2024, 1, 31)),
            ("2024 123", "YYYY DDD", (2024, 5, 2)),
            ("2451545", "J", (2000, 1, 1)),
            ("Friday, 5th Jan 24", "Day, DDth Mon YY", (2024, 1, 5)),
            ("2005426", "YYYYWWD", (2005, 10, 15)),
            ("5527", "IIWID", (2006, 1, 1)),
        ] {
            let found = read(text, pattern).unwrap();
            assert_eq!(civil(found.days), date, "{text} by {pattern}");
        }
        assert!(read("7", "WW").is_err());
    }
}
