//! Intervals: months, days and microseconds, read and printed as PostgreSQL does.
#![expect(clippy::unnecessary_wraps, reason = "the functions of a table have one type")]

use std::cell::Cell;

use super::{
    Failure,
    Nature::Strict,
    Out, Scalar, V,
    datetime::{DAY, SECOND, read_seconds},
    fail,
};
use crate::backend::interval::IntervalStyle;

thread_local! {
    static SHOWN: Cell<IntervalStyle> = Cell::default();
}

/// From now on this thread's session shows intervals so.
pub(in crate::backend::sqlite) fn hold(style: IntervalStyle) {
    SHOWN.set(style);
}

/// A span of time.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Interval {
    pub(super) months: i64,
    pub(super) days: i64,
    pub(super) micros: i64,
}

const HOUR: i64 = 3600 * SECOND;

impl Interval {
    pub(super) fn of(value: &V) -> Result<Self, Failure> {
        Self::read(&value.text())
    }

    pub(super) fn read(text: &str) -> Result<Self, Failure> {
        let wrong = || {
            fail(
                "22007",
                format!("invalid input syntax for type interval: \"{text}\""),
            )
        };
        let lower = text.trim().to_ascii_lowercase();
        if lower.is_empty() {
            return wrong();
        }
        if let Some(iso) = lower.strip_prefix('p') {
            return Self::iso(iso).map_or_else(wrong, Ok);
        }
        let mut found = Self::default();
        let mut words = lower.trim_start_matches('@').split_whitespace().peekable();
        let mut ago = false;
        while let Some(word) = words.next() {
            if word == "ago" {
                ago = true;
                continue;
            }
            if word.contains(':') {
                let (sign, body) = word
                    .strip_prefix('-')
                    .map_or((1, word.trim_start_matches('+')), |rest| (-1, rest));
                let mut parts = body.splitn(3, ':');
                let number = |part: Option<&str>| part.and_then(|part| part.parse::<i64>().ok());
                let (Some(hours), Some(minutes)) = (number(parts.next()), number(parts.next())) else {
                    return wrong();
                };
                let Some(seconds) = read_seconds(parts.next().unwrap_or("0")) else {
                    return wrong();
                };
                found.micros += sign * (hours * HOUR + minutes * 60 * SECOND + seconds);
                continue;
            }
            // `1-2` is years and months.
            if let Some(months) = years_and_months(word) {
                found.months += months;
                continue;
            }
            // `1day` and `1 day`.
            let at = word.find(|c: char| c.is_ascii_alphabetic()).unwrap_or(word.len());
            let (number, unit) = word.split_at(at);
            let Ok(number) = number.parse::<f64>() else {
                return wrong();
            };
            let unit = if unit.is_empty() {
                words.next_if(|next| next.starts_with(|c: char| c.is_ascii_alphabetic()) && *next != "ago")
            } else {
                Some(unit)
            };
            // `3 4:05:06` begins with days.
            let usual = match words.peek() {
                Some(next) if next.contains(':') => "day",
                _ => "second",
            };
            if !found.add_unit(number, unit.unwrap_or(usual)) {
                return wrong();
            }
        }
        if ago {
            found = found.times(-1.0);
        }
        Ok(found)
    }

    fn add_unit(&mut self, number: f64, unit: &str) -> bool {
        let unit = unit.trim_end_matches('.');
        let singular = if unit.len() > 2 {
            unit.strip_suffix('s').unwrap_or(unit)
        } else {
            unit
        };
        let months = |months: f64| {
            let whole = (number * months).trunc();
            (whole as i64, 0.0)
        };
        let in_days = |interval: &mut Self, days: f64| {
            interval.days += days.trunc() as i64;
            interval.micros += (days.fract() * DAY as f64).round() as i64;
        };
        match singular {
            "millennium" | "millennia" | "mil" => self.months += months(12_000.0).0,
            "century" | "centurie" | "cent" | "c" => self.months += months(1_200.0).0,
            "decade" | "dec" => self.months += months(120.0).0,
            "year" | "yr" | "y" => self.months += (number * 12.0).round() as i64,
            "month" | "mon" => {
                self.months += number.trunc() as i64;
                in_days(self, number.fract() * 30.0);
            }
            "week" | "w" => in_days(self, number * 7.0),
            "day" | "d" => in_days(self, number),
            "hour" | "hr" | "h" => self.micros += (number * HOUR as f64).round() as i64,
            "minute" | "min" | "m" => self.micros += (number * 60.0 * SECOND as f64).round() as i64,
            "second" | "sec" | "s" => self.micros += (number * SECOND as f64).round() as i64,
            "millisecond" | "msec" | "ms" => self.micros += (number * 1_000.0).round() as i64,
            "microsecond" | "usec" | "us" => self.micros += number.round() as i64,
            _ => return false,
        }
        true
    }

    fn iso(text: &str) -> Option<Self> {
        let mut found = Self::default();
        let mut in_time = false;
        let mut number = String::new();
        for character in text.chars() {
            match character {
                't' => in_time = true,
                '0'..='9' | '.' | '-' => number.push(character),
                unit => {
                    let count: f64 = number.parse().ok()?;
                    number.clear();
                    let word = match (unit, in_time) {
                        ('y', _) => "year",
                        ('m', false) => "month",
                        ('w', _) => "week",
                        ('d', _) => "day",
                        ('h', _) => "hour",
                        ('m', true) => "minute",
                        ('s', _) => "second",
                        _ => return None,
                    };
                    found.add_unit(count, word);
                }
            }
        }
        number.is_empty().then_some(found)
    }

    /// As intervals are kept.
    pub(super) fn text(self) -> String {
        IntervalStyle::Postgres.text(self.months, self.days, self.micros)
    }

    pub(super) fn plus(self, other: Self, sign: i64) -> Self {
        Self {
            months: self.months + sign * other.months,
            days: self.days + sign * other.days,
            micros: self.micros + sign * other.micros,
        }
    }

    pub(super) fn times(self, factor: f64) -> Self {
        self.scaled(|part| part * factor)
    }

    /// Fractions of months become days, those of days time, rounded as PostgreSQL's `interval_div` does.
    fn scaled(self, scale: impl Fn(f64) -> f64) -> Self {
        let rounded = |number: f64| (number * 1e6).round_ties_even() / 1e6;
        let (months, days) = (scale(self.months as f64), scale(self.days as f64));
        let days_of_months = rounded(months.fract() * 30.0);
        let seconds = rounded((days.fract() + days_of_months.fract()) * 86_400.0);
        let whole_days = (seconds / 86_400.0).trunc();
        let seconds = seconds - whole_days * 86_400.0;
        let micros = scale(self.micros as f64) + seconds * SECOND as f64;
        Self {
            months: months.trunc() as i64,
            days: (days.trunc() + days_of_months.trunc() + whole_days) as i64,
            micros: micros.round_ties_even() as i64,
        }
    }

    /// Microseconds, with months of 30 days: what intervals compare by.
    pub(super) fn key(self) -> i64 {
        (self.months * 30 + self.days)
            .saturating_mul(DAY)
            .saturating_add(self.micros)
    }
}

/// The months of `1-2` and `-1-2`, as the standard writes years and months.
fn years_and_months(word: &str) -> Option<i64> {
    let body = word.trim_start_matches(['-', '+']);
    let (years, months) = body.split_once('-')?;
    let is_number = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let months = months
        .parse::<i64>()
        .ok()
        .filter(|months| is_number(years) && *months < 12)?;
    let total = years.parse::<i64>().ok()?.checked_mul(12)? + months;
    Some(if word.starts_with('-') { -total } else { total })
}

impl From<Interval> for V {
    fn from(interval: Interval) -> Self {
        Self::Text(interval.text())
    }
}

fn make(values: &[V]) -> Out {
    Ok(Interval {
        months: values[0].int() * 12 + values[1].int(),
        days: values[2].int() * 7 + values[3].int(),
        micros: values[4].int() * HOUR
            + values[5].int() * 60 * SECOND
            + (values[6].real() * SECOND as f64).round() as i64,
    }
    .into())
}

fn truncated(values: &[V]) -> Out {
    let mut interval = Interval::of(&values[1])?;
    let field = values[0].text().to_ascii_lowercase();
    let (months, micros) = match field.as_str() {
        "decade" => (120, 0),
        "year" => (12, 0),
        "quarter" => (3, 0),
        "month" => (1, 0),
        "day" => (1, DAY),
        "hour" => (1, HOUR),
        "minute" => (1, 60 * SECOND),
        "second" => (1, SECOND),
        _ => {
            return fail(
                "22023",
                format!("unit \"{field}\" not recognized for type interval"),
            );
        }
    };
    interval.months -= interval.months % months;
    if micros == 0 {
        interval.days = 0;
        interval.micros = 0;
    } else if micros == DAY {
        interval.micros = 0;
    } else {
        interval.micros -= interval.micros % micros;
    }
    Ok(interval.into())
}

/// Functions of intervals.
pub(super) const FUNCTIONS: &[Scalar] = &[
    ("pg_in_interval", 1, Strict, |v| Ok(Interval::of(&v[0])?.into())),
    ("pg_text_interval", 1, Strict, |v| {
        let span = Interval::of(&v[0])?;
        Ok(SHOWN.get().text(span.months, span.days, span.micros).into())
    }),
    ("pg_interval_key", 1, Strict, |v| {
        Ok(V::Int(Interval::of(&v[0])?.key()))
    }),
    ("pg_interval_add", 3, Strict, |v| {
        Ok(Interval::of(&v[0])?.plus(Interval::of(&v[1])?, v[2].int()).into())
    }),
    ("pg_interval_mul", 2, Strict, |v| {
        Ok(Interval::of(&v[0])?.times(v[1].real()).into())
    }),
    ("pg_interval_div", 2, Strict, |v| {
        if v[1].real() == 0.0 {
            return fail("22012", "division by zero");
        }
        let by = v[1].real();
        Ok(Interval::of(&v[0])?.scaled(|part| part / by).into())
    }),
    ("pg_interval_trunc", 2, Strict, truncated),
    ("pg_interval_time", 1, Strict, |v| {
        Ok(super::datetime::time_text(Interval::of(&v[0])?.micros.rem_euclid(DAY)).into())
    }),
    ("pg_make_interval", 7, Strict, make),
    ("pg_justify_days", 1, Strict, |v| {
        let mut interval = Interval::of(&v[0])?;
        interval.months += interval.days / 30;
        interval.days %= 30;
        if interval.months > 0 && interval.days < 0 {
            interval.days += 30;
            interval.months -= 1;
        } else if interval.months < 0 && interval.days > 0 {
            interval.days -= 30;
            interval.months += 1;
        }
        Ok(interval.into())
    }),
    ("pg_justify_hours", 1, Strict, |v| {
        let mut interval = Interval::of(&v[0])?;
        interval.days += interval.micros / DAY;
        interval.micros %= DAY;
        if interval.days > 0 && interval.micros < 0 {
            interval.micros += DAY;
            interval.days -= 1;
        } else if interval.days < 0 && interval.micros > 0 {
            interval.micros -= DAY;
            interval.days += 1;
        }
        Ok(interval.into())
    }),
    ("pg_justify_interval", 1, Strict, |v| {
        let mut interval = Interval::of(&v[0])?;
        interval.days += interval.micros / DAY;
        interval.micros %= DAY;
        interval.months += interval.days / 30;
        interval.days %= 30;
        // All parts get the same sign.
        let rest = interval.days.signum() * DAY + interval.micros.signum();
        if interval.months > 0 && rest < 0 {
            interval.days += 30;
            interval.months -= 1;
        } else if interval.months < 0 && rest > 0 {
            interval.days -= 30;
            interval.months += 1;
        }
        if interval.days > 0 && interval.micros < 0 {
            interval.micros += DAY;
            interval.days -= 1;
        } else if interval.days < 0 && interval.micros > 0 {
            interval.micros -= DAY;
            interval.days += 1;
        }
        Ok(interval.into())
    }),
];
