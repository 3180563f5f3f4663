//! Intervals: months, days and microseconds, read and printed as PostgreSQL does.

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

/// The parts of a span before anybody has looked whether there is room for them.
#[derive(Default)]
struct Sum {
    months: i128,
    days: i128,
    micros: i128,
}

impl Sum {
    /// The span, where PostgreSQL has one so long: 32 bits of months and of days, and 64 of microseconds.
    fn span(&self) -> Option<Interval> {
        let narrow = |part: i128| i32::try_from(part).ok().map(i64::from);
        Some(Interval {
            months: narrow(self.months)?,
            days: narrow(self.days)?,
            micros: i64::try_from(self.micros).ok()?,
        })
    }

    fn add_months(&mut self, months: f64) {
        self.months = self.months.saturating_add(months as i128);
    }

    fn add_micros(&mut self, micros: f64) {
        self.micros = self.micros.saturating_add(micros.round() as i128);
    }

    fn add_days(&mut self, days: f64) {
        self.days = self.days.saturating_add(days.trunc() as i128);
        self.add_micros(days.fract() * DAY as f64);
    }
}

/// A span of these parts, or what PostgreSQL says where it has none so long.
fn spanning(months: i128, days: i128, micros: i128) -> Result<Interval, Failure> {
    let sum = Sum { months, days, micros };
    match sum.span() {
        Some(span) => Ok(span),
        None => fail("22008", "interval out of range"),
    }
}

/// A number of so many bits; one that none is counts as too great.
fn whole(number: f64) -> i128 {
    if number.is_nan() {
        i128::MAX
    } else {
        number as i128
    }
}

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
        let told = |sum: &Sum| match sum.span() {
            Some(span) => Ok(span),
            None => fail("22015", format!("interval field value out of range: \"{text}\"")),
        };
        if let Some(iso) = lower.strip_prefix('p') {
            return Sum::iso(iso).map_or_else(wrong, |sum| told(&sum));
        }
        let mut found = Sum::default();
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
                let time = i128::from(hours) * i128::from(HOUR)
                    + i128::from(minutes) * i128::from(60 * SECOND)
                    + i128::from(seconds);
                found.micros = found.micros.saturating_add(sign * time);
                continue;
            }
            // `1-2` is years and months.
            if let Some(months) = years_and_months(word) {
                found.months = found.months.saturating_add(months.into());
                continue;
            }
            // `1day` and `1 day`.
            let at = word.find(|c: char| c.is_ascii_alphabetic()).unwrap_or(word.len());
            let (digits, unit) = word.split_at(at);
            let Ok(number) = digits.parse::<f64>() else {
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
            let unit = unit.unwrap_or(usual);
            // A number of all bits is not kept as one with a fraction.
            let whole = digits.parse::<i64>().ok();
            if let Some(whole) = whole.filter(|_| matches!(unit, "us" | "microseconds")) {
                found.micros = found.micros.saturating_add(whole.into());
            } else if !found.add_unit(number, unit) {
                return wrong();
            }
        }
        let span = told(&found)?;
        if ago {
            return Self::default().plus(span, -1);
        }
        Ok(span)
    }
}

impl Sum {
    fn add_unit(&mut self, number: f64, unit: &str) -> bool {
        let unit = unit.trim_end_matches('.');
        let singular = if unit.len() > 2 {
            unit.strip_suffix('s').unwrap_or(unit)
        } else {
            unit
        };
        match singular {
            "millennium" | "millennia" | "mil" => self.add_months((number * 12_000.0).trunc()),
            "century" | "centurie" | "cent" | "c" => self.add_months((number * 1_200.0).trunc()),
            "decade" | "dec" => self.add_months((number * 120.0).trunc()),
            "year" | "yr" | "y" => self.add_months((number * 12.0).round()),
            "month" | "mon" => {
                self.add_months(number.trunc());
                self.add_days(number.fract() * 30.0);
            }
            "week" | "w" => self.add_days(number * 7.0),
            "day" | "d" => self.add_days(number),
            "hour" | "hr" | "h" => self.add_micros(number * HOUR as f64),
            "minute" | "min" | "m" => self.add_micros(number * 60.0 * SECOND as f64),
            "second" | "sec" | "s" => self.add_micros(number * SECOND as f64),
            "millisecond" | "msec" | "ms" => self.add_micros(number * 1_000.0),
            "microsecond" | "usec" | "us" => self.add_micros(number),
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
}

impl Interval {
    /// As intervals are kept.
    pub(super) fn text(self) -> String {
        IntervalStyle::Postgres.text(self.months, self.days, self.micros)
    }

    pub(super) fn plus(self, other: Self, sign: i64) -> Result<Self, Failure> {
        let sum = |one: i64, other: i64| i128::from(one) + i128::from(sign) * i128::from(other);
        spanning(
            sum(self.months, other.months),
            sum(self.days, other.days),
            sum(self.micros, other.micros),
        )
    }

    fn times(self, factor: f64) -> Result<Self, Failure> {
        self.scaled(|part| part * factor)
    }

    /// Fractions of months become days, those of days time, rounded as PostgreSQL's `interval_div` does.
    fn scaled(self, scale: impl Fn(f64) -> f64) -> Result<Self, Failure> {
        let rounded = |number: f64| (number * 1e6).round_ties_even() / 1e6;
        let (months, days) = (scale(self.months as f64), scale(self.days as f64));
        let days_of_months = rounded(months.fract() * 30.0);
        let seconds = rounded((days.fract() + days_of_months.fract()) * 86_400.0);
        let whole_days = (seconds / 86_400.0).trunc();
        let seconds = seconds - whole_days * 86_400.0;
        let micros = scale(self.micros as f64) + seconds * SECOND as f64;
        spanning(
            whole(months.trunc()),
            whole(days.trunc() + days_of_months.trunc() + whole_days),
            whole(micros.round_ties_even()),
        )
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
    let total = years.parse::<i64>().ok()?.checked_mul(12)?.checked_add(months)?;
    Some(if word.starts_with('-') { -total } else { total })
}

impl From<Interval> for V {
    fn from(interval: Interval) -> Self {
        Self::Text(interval.text())
    }
}

fn make(values: &[V]) -> Out {
    let part = |at: usize, unit: i64| i128::from(values[at].int()) * i128::from(unit);
    let seconds = whole((values[6].real() * SECOND as f64).round());
    let span = spanning(
        part(0, 12) + part(1, 1),
        part(2, 7) + part(3, 1),
        (part(4, HOUR) + part(5, 60 * SECOND)).saturating_add(seconds),
    )?;
    Ok(span.into())
}

/// What makes up whole units of the larger part goes there, and the rest gets its sign.
fn carried(large: i64, small: i64, size: i64) -> (i64, i64) {
    let (large, rest) = (large + small / size, small % size);
    if large.signum() * rest.signum() < 0 {
        (large - large.signum(), rest + large.signum() * size)
    } else {
        (large, rest)
    }
}

fn justified(months: i64, days: i64, micros: i64) -> Out {
    Ok(spanning(months.into(), days.into(), micros.into())?.into())
}

/// Days above 30 as months.
fn justify_days(v: &[V]) -> Out {
    let interval = Interval::of(&v[0])?;
    let (months, days) = carried(interval.months, interval.days, 30);
    justified(months, days, interval.micros)
}

/// Hours above 24 as days.
fn justify_hours(v: &[V]) -> Out {
    let interval = Interval::of(&v[0])?;
    let (days, micros) = carried(interval.days, interval.micros, DAY);
    justified(interval.months, days, micros)
}

/// Both, with the same sign for all parts.
fn justify_interval(v: &[V]) -> Out {
    let interval = Interval::of(&v[0])?;
    let (days, micros) = (interval.days + interval.micros / DAY, interval.micros % DAY);
    let (mut months, mut days) = (interval.months + days / 30, days % 30);
    let rest = days.signum() * DAY + micros.signum();
    if months.signum() * rest.signum() < 0 {
        days += months.signum() * 30;
        months -= months.signum();
    }
    let (days, micros) = carried(days, micros, DAY);
    justified(months, days, micros)
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

/// In the style of the session.
pub(super) fn shown(value: &V) -> Out {
    let span = Interval::of(value)?;
    Ok(SHOWN.get().text(span.months, span.days, span.micros).into())
}

/// Functions of intervals.
pub(super) const FUNCTIONS: &[Scalar] = &[
    ("pg_in_interval", 1, Strict, |v| Ok(Interval::of(&v[0])?.into())),
    ("pg_text_interval", 1, Strict, |v| shown(&v[0])),
    ("pg_interval_key", 1, Strict, |v| {
        Ok(V::Int(Interval::of(&v[0])?.key()))
    }),
    ("pg_interval_add", 3, Strict, |v| {
        Ok(Interval::of(&v[0])?
            .plus(Interval::of(&v[1])?, v[2].int())?
            .into())
    }),
    ("pg_interval_mul", 2, Strict, |v| {
        Ok(Interval::of(&v[0])?.times(v[1].real())?.into())
    }),
    ("pg_interval_div", 2, Strict, |v| {
        if v[1].real() == 0.0 {
            return fail("22012", "division by zero");
        }
        let by = v[1].real();
        Ok(Interval::of(&v[0])?.scaled(|part| part / by)?.into())
    }),
    ("pg_interval_trunc", 2, Strict, truncated),
    ("pg_interval_time", 1, Strict, |v| {
        Ok(super::datetime::time_text(Interval::of(&v[0])?.micros.rem_euclid(DAY)).into())
    }),
    ("pg_make_interval", 7, Strict, make),
    ("pg_justify_days", 1, Strict, justify_days),
    ("pg_justify_hours", 1, Strict, justify_hours),
    ("pg_justify_interval", 1, Strict, justify_interval),
];
