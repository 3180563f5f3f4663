//! `interval` in the four styles that PostgreSQL prints it in, as `IntervalStyle` chooses.

use std::fmt::Write as _;

const SECOND: i64 = 1_000_000;

/// How intervals are printed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum IntervalStyle {
    /// `1 year 2 mons 3 days 04:05:06`, which is also how they are kept.
    #[default]
    Postgres,
    /// `@ 1 year 2 mons 3 days 4 hours 5 mins 6 secs`
    Verbose,
    /// `+1-2 +3 +4:05:06`
    SqlStandard,
    /// `P1Y2M3DT4H5M6S`
    Iso8601,
}

impl IntervalStyle {
    /// As the setting spells it.
    pub fn named(name: &str) -> Option<Self> {
        Some(match name {
            "postgres" => Self::Postgres,
            "postgres_verbose" => Self::Verbose,
            "sql_standard" => Self::SqlStandard,
            "iso_8601" => Self::Iso8601,
            _ => return None,
        })
    }

    /// The text for months, days and microseconds.
    pub fn text(self, months: i64, days: i64, micros: i64) -> String {
        let parts = Parts {
            years: months / 12,
            months: months % 12,
            days,
            hours: micros / (3_600 * SECOND),
            minutes: micros / (60 * SECOND) % 60,
            micros: micros % (60 * SECOND),
        };
        match self {
            Self::Postgres => parts.postgres(),
            Self::Verbose => parts.verbose(),
            Self::SqlStandard => parts.sql_standard(),
            Self::Iso8601 => parts.iso_8601(),
        }
    }
}

/// The fields of an interval. Each has its own sign, those of the time the same one.
struct Parts {
    years: i64,
    months: i64,
    days: i64,
    hours: i64,
    minutes: i64,
    /// Of seconds, with their fraction.
    micros: i64,
}

/// Seconds without their sign, with at least this many digits in front of the point.
fn seconds(micros: i64, digits: usize) -> String {
    let micros = micros.unsigned_abs();
    let (whole, fraction) = (micros / SECOND as u64, micros % SECOND as u64);
    let mut text = format!("{whole:0digits$}");
    if fraction != 0 {
        text.push_str(format!(".{fraction:06}").trim_end_matches('0'));
    }
    text
}

impl Parts {
    fn all(&self) -> [i64; 6] {
        [
            self.years,
            self.months,
            self.days,
            self.hours,
            self.minutes,
            self.micros,
        ]
    }

    fn time_is_negative(&self) -> bool {
        self.hours < 0 || self.minutes < 0 || self.micros < 0
    }

    /// Behind a negative part a positive one has its sign.
    fn postgres(&self) -> String {
        let mut parts: Vec<String> = vec![];
        let plus = |parts: &[String]| match parts.last() {
            Some(last) if last.starts_with('-') => "+",
            _ => "",
        };
        for (count, unit) in [(self.years, "year"), (self.months, "mon"), (self.days, "day")] {
            if count != 0 {
                let sign = if count > 0 { plus(&parts) } else { "" };
                let many = if count == 1 { "" } else { "s" };
                parts.push(format!("{sign}{count} {unit}{many}"));
            }
        }
        let has_time = self.hours != 0 || self.minutes != 0 || self.micros != 0;
        if has_time || parts.is_empty() {
            let sign = if self.time_is_negative() {
                "-"
            } else {
                plus(&parts)
            };
            let (hours, minutes) = (self.hours.abs(), self.minutes.abs());
            parts.push(format!(
                "{sign}{hours:02}:{minutes:02}:{}",
                seconds(self.micros, 2)
            ));
        }
        parts.join(" ")
    }

    /// The first part tells the sign of all, and those of the other sign have one of their own.
    fn verbose(&self) -> String {
        let Some(first) = self.all().into_iter().find(|part| *part != 0) else {
            return "@ 0".to_owned();
        };
        let mut text = String::from("@");
        let units = ["year", "mon", "day", "hour", "min", "sec"];
        for (part, unit) in self.all().into_iter().zip(units) {
            if part == 0 {
                continue;
            }
            let sign = if (part < 0) == (first < 0) { "" } else { "-" };
            let (number, is_one) = match unit {
                "sec" => (seconds(part, 1), part.abs() == SECOND),
                // PostgreSQL says `-1 days`.
                _ => (part.abs().to_string(), part.abs() == 1 && sign.is_empty()),
            };
            let many = if is_one { "" } else { "s" };
            let _ = write!(text, " {sign}{number} {unit}{many}");
        }
        if first < 0 {
            text.push_str(" ago");
        }
        text
    }

    /// The standard has intervals of years and months and of days and time, and one sign; others get a sign for each.
    fn sql_standard(&self) -> String {
        let [years, months, days, hours, minutes, micros] = self.all().map(i64::abs);
        let has_negative = self.all().iter().any(|part| *part < 0);
        let has_positive = self.all().iter().any(|part| *part > 0);
        let has_months = years != 0 || months != 0;
        let has_time = hours != 0 || minutes != 0 || micros != 0;
        let time = format!("{hours}:{minutes:02}:{}", seconds(micros, 2));
        if !has_negative && !has_positive {
            return "0".to_owned();
        }
        if has_negative && has_positive || has_months && (days != 0 || has_time) {
            let sign = |is_negative: bool| if is_negative { '-' } else { '+' };
            return format!(
                "{}{years}-{months} {}{days} {}{time}",
                sign(self.years < 0 || self.months < 0),
                sign(self.days < 0),
                sign(self.time_is_negative()),
            );
        }
        let sign = if has_negative { "-" } else { "" };
        match (has_months, days) {
            (true, _) => format!("{sign}{years}-{months}"),
            (false, 0) => format!("{sign}{time}"),
            (false, days) => format!("{sign}{days} {time}"),
        }
    }

    fn iso_8601(&self) -> String {
        let mut text = String::from("P");
        let put = |text: &mut String, count: i64, unit: char| {
            if count != 0 {
                let _ = write!(text, "{count}{unit}");
            }
        };
        put(&mut text, self.years, 'Y');
        put(&mut text, self.months, 'M');
        put(&mut text, self.days, 'D');
        if self.hours != 0 || self.minutes != 0 || self.micros != 0 {
            text.push('T');
            put(&mut text, self.hours, 'H');
            put(&mut text, self.minutes, 'M');
            if self.micros != 0 {
                let sign = if self.micros < 0 { "-" } else { "" };
                let _ = write!(text, "{sign}{}S", seconds(self.micros, 1));
            }
        }
        if text == "P" { "PT0S".to_owned() } else { text }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As PostgreSQL 15 prints them.
    #[test]
    fn spans_are_printed_in_every_style() {
        use IntervalStyle::{Iso8601, Postgres, SqlStandard, Verbose};
        for (span, expected) in [
            ((0, 0, 0), ["00:00:00", "@ 0", "0", "PT0S"]),
            (
                (14, 3, 14_706_500_000),
                [
                    "1 year 2 mons 3 days 04:05:06.5",
                    "@ 1 year 2 mons 3 days 4 hours 5 mins 6.5 secs",
                    "+1-2 +3 +4:05:06.5",
                    "P1Y2M3DT4H5M6.5S",
                ],
            ),
            (
                (-1, 1, -1),
                [
                    "-1 mons +1 day -00:00:00.000001",
                    "@ 1 mon -1 days 0.000001 secs ago",
                    "-0-1 +1 -0:00:00.000001",
                    "P-1M1DT-0.000001S",
                ],
            ),
            (
                (0, -1, -3_600_000_000),
                [
                    "-1 days -01:00:00",
                    "@ 1 day 1 hour ago",
                    "-1 1:00:00",
                    "P-1DT-1H",
                ],
            ),
            (
                (-14, 0, 0),
                ["-1 years -2 mons", "@ 1 year 2 mons ago", "-1-2", "P-1Y-2M"],
            ),
        ] {
            let (months, days, micros) = span;
            let found =
                [Postgres, Verbose, SqlStandard, Iso8601].map(|style| style.text(months, days, micros));
            assert_eq!(found, expected);
        }
    }
}
