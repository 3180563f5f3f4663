//! `interval`: months, days and microseconds, read as PostgreSQL reads them. It is kept as PostgreSQL's own style shows it.

use super::{
    ValueError,
    calendar::{DAY, SECOND},
    datetime::read_seconds,
    interval_style::IntervalStyle,
};

/// A span of time.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Interval {
    pub(crate) months: i64,
    pub(crate) days: i64,
    pub(crate) micros: i64,
}

const HOUR: i64 = 3600 * SECOND;

/// The parts of a span before anybody has looked whether there is room for them.
#[derive(Default)]
struct Sum {
    months: i128,
    days: i128,
    micros: i128,
    /// True where one number alone has more than 32 bits.
    is_wide: bool,
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
pub(crate) fn spanning(months: i128, days: i128, micros: i128) -> Result<Interval, ValueError> {
    let sum = Sum {
        months,
        days,
        micros,
        ..Sum::default()
    };
    match sum.span() {
        Some(span) => Ok(span),
        None => Err(out_of_range()),
    }
}

fn out_of_range() -> ValueError {
    ValueError::new("22008", "interval out of range")
}

impl Interval {
    /// As intervals are kept.
    pub(crate) fn text(self) -> String {
        IntervalStyle::Postgres.text(self.months, self.days, self.micros)
    }

    /// With another one added, or taken away where `sign` says so.
    pub(crate) fn plus(self, other: Self, sign: i64) -> Result<Self, ValueError> {
        let sum = |one: i64, other: i64| i128::from(one) + i128::from(sign) * i128::from(other);
        spanning(
            sum(self.months, other.months),
            sum(self.days, other.days),
            sum(self.micros, other.micros),
        )
    }

    /// A text as a span, in any of the spellings that PostgreSQL takes.
    pub(crate) fn read(text: &str) -> Result<Self, ValueError> {
        let wrong = || {
            Err(ValueError::new(
                "22007",
                format!("invalid input syntax for type interval: \"{text}\""),
            ))
        };
        let lower = text.trim().to_ascii_lowercase();
        if lower.is_empty() {
            return wrong();
        }
        let beyond = || ValueError::new("22015", format!("interval field value out of range: \"{text}\""));
        let told = |sum: &Sum| match sum.span() {
            Some(span) => Ok(span),
            // Years and months that are each in range are out of it together.
            None if !sum.is_wide && i32::try_from(sum.months).is_err() => Err(out_of_range()),
            None => Err(beyond()),
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
                let is_signed = body != word;
                let mut parts = body.splitn(3, ':');
                let number = |part: Option<&str>| part.and_then(|part| part.parse::<i64>().ok());
                let (Some(hours), Some(minutes)) = (number(parts.next()), number(parts.next())) else {
                    return wrong();
                };
                let Some(seconds) = read_seconds(parts.next().unwrap_or("0")) else {
                    return wrong();
                };
                // A minute has 60 seconds where they are rounded up.
                if !(0..60).contains(&minutes) || !(0..=60 * SECOND + SECOND - 1).contains(&seconds) {
                    return if is_signed { wrong() } else { Err(beyond()) };
                }
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
        self.is_wide |= number.abs() > f64::from(i32::MAX);
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

#[cfg(test)]
mod tests {
    use super::*;

    /// As PostgreSQL 15 answers.
    #[test]
    fn spans_are_read_in_many_spellings() {
        for (text, expected) in [
            ("0", Ok((0, 0, 0))),
            ("1 year 2 mons 3 days 04:05:06.5", Ok((14, 3, 14_706_500_000))),
            ("-1 mons +1 day -00:00:00.000001", Ok((-1, 1, -1))),
            ("P1Y2M3DT4H5M6.7S", Ok((14, 3, 14_706_700_000))),
            ("1.5 days", Ok((0, 1, DAY / 2))),
            ("1 day ago", Ok((0, -1, 0))),
            ("-9223372036854775808 us", Ok((0, 0, i64::MIN))),
            ("9223372036854775808 us", Err("22015")),
            ("2562047788:00:54.775807", Ok((0, 0, i64::MAX))),
            ("178956970 years 7 months", Ok((i64::from(i32::MAX), 0, 0))),
            ("178956970 years 8 months", Err("22008")),
            ("2147483648 months", Err("22015")),
            ("infinity", Err("22007")),
            ("", Err("22007")),
        ] {
            let found = Interval::read(text).map(|span| (span.months, span.days, span.micros));
            assert_eq!(found.map_err(|error| error.sqlstate), expected, "{text}");
        }
    }

    #[test]
    fn what_is_shown_is_read_back() {
        for (months, days, micros) in [
            (0, 0, 0),
            (14, 3, 14_706_500_000),
            (-1, 1, -1),
            (0, 0, i64::MIN),
            (0, 0, i64::MAX),
            (i64::from(i32::MIN), i64::from(i32::MAX), 1),
        ] {
            let span = Interval { months, days, micros };
            assert_eq!(Interval::read(&span.text()), Ok(span), "{}", span.text());
        }
    }
}
