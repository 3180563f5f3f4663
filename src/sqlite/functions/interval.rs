//! Intervals: months, days and microseconds, read and printed as PostgreSQL does.

use std::cell::Cell;

use super::{Failure, Nature::Strict, Out, Scalar, V, fail, field::no_unit};
use crate::pgtypes::{
    calendar::{DAY, SECOND},
    interval::spanning,
    interval_read::{Unit, unit},
    interval_style::IntervalStyle,
    kept::time_text,
};

pub(super) use crate::pgtypes::interval::Interval;

thread_local! {
    static SHOWN: Cell<IntervalStyle> = Cell::default();
}

/// From now on this thread's session shows intervals so.
pub(in crate::sqlite) fn hold(style: IntervalStyle) {
    SHOWN.set(style);
}

const HOUR: i64 = 3600 * SECOND;

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
        Ok(Self::read(&value.text())?)
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
        Ok(spanning(
            whole(months.trunc()),
            whole(days.trunc() + days_of_months.trunc() + whole_days),
            whole(micros.round_ties_even()),
        )?)
    }

    /// Microseconds, with months of 30 days: what intervals compare by.
    pub(super) fn key(self) -> i64 {
        (self.months * 30 + self.days)
            .saturating_mul(DAY)
            .saturating_add(self.micros)
    }
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
    let field = values[0].word();
    let (months, micros) = match unit(&field) {
        Some(Unit::Millennium) => (12_000, 0),
        Some(Unit::Century) => (1_200, 0),
        Some(Unit::Decade) => (120, 0),
        Some(Unit::Year) => (12, 0),
        Some(Unit::Quarter) => (3, 0),
        Some(Unit::Month) => (1, 0),
        Some(Unit::Day) => (1, DAY),
        Some(Unit::Hour) => (1, HOUR),
        Some(Unit::Minute) => (1, 60 * SECOND),
        Some(Unit::Second) => (1, SECOND),
        Some(Unit::Millisecond) => (1, 1_000),
        Some(Unit::Microsecond) => (1, 1),
        found => return Err(no_unit(&field, "interval", found.is_some())),
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
    ("pg_in_interval_of", 2, Strict, |v| {
        Ok(Interval::read_within(&v[0].text(), v[1].int())?.into())
    }),
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
        Ok(time_text(Interval::of(&v[0])?.micros.rem_euclid(DAY)).into())
    }),
    ("pg_make_interval", 7, Strict, make),
    ("pg_justify_days", 1, Strict, justify_days),
    ("pg_justify_hours", 1, Strict, justify_hours),
    ("pg_justify_interval", 1, Strict, justify_interval),
];
