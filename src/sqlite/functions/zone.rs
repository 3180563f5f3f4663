//! The session's time zone, `AT TIME ZONE`, and moments shown and reckoned by the clocks of a zone.

use std::cell::RefCell;

use super::{Failure, Nature::Strict, Out, Scalar, V, fail, field, interval::Interval, time};
use crate::pgtypes::{
    calendar::{DAY, SECOND, is_endless, kept_date},
    kept::{keep_timestamp, time_text},
    zone::{self, Zone},
};

thread_local! {
    static SESSION: RefCell<Zone> = RefCell::default();
}

/// From now on this thread's session has this zone.
pub(in crate::sqlite) fn hold(zone: Zone) {
    SESSION.with(|session| session.replace(zone));
}

/// Runs something in a zone, on a thread that may have none.
pub(in crate::sqlite) fn within<T>(zone: &Zone, run: impl FnOnce() -> T) -> T {
    let before = SESSION.with(|session| session.replace(zone.clone()));
    let found = run();
    hold(before);
    found
}

/// Runs something with the session's zone.
pub(super) fn held<T>(run: impl FnOnce(&Zone) -> T) -> T {
    SESSION.with_borrow(run)
}

/// What the session's clocks show at a moment.
pub(super) fn local(utc: i64) -> i64 {
    SESSION.with_borrow(|zone| zone.local(utc))
}

/// The moment at which the session's clocks show this.
pub(super) fn utc(local: i64) -> i64 {
    SESSION.with_borrow(|zone| zone.utc(local))
}

/// Microseconds east of UTC of the session at a moment.
pub(super) fn east(utc: i64) -> i64 {
    SESSION.with_borrow(|zone| zone.east(utc))
}

/// The abbreviation of the session's zone at a moment.
pub(super) fn abbreviation(utc: i64) -> String {
    SESSION.with_borrow(|zone| zone.abbreviation(utc))
}

/// A moment by the session's clocks, as PostgreSQL prints it; `between` stands between date and time.
pub(super) fn shown(value: &V, between: &str, with_minutes: bool) -> Result<String, Failure> {
    let text = value.text();
    if matches!(text.trim(), "infinity" | "-infinity") {
        return Ok(text);
    }
    let utc = time::micros(value)?;
    let east = east(utc);
    let mut offset = zone::offset_text(east / SECOND);
    if with_minutes && offset.len() == 3 {
        offset.push_str(":00");
    }
    // What PostgreSQL puts behind a year before the first stands behind the offset too.
    let local = time::shown(&keep_timestamp(utc + east, "").into(), between);
    Ok(match local.strip_suffix(" BC") {
        Some(local) => format!("{local}{offset} BC"),
        None => format!("{local}{offset}"),
    })
}

pub(super) fn zone_of(zone: &V) -> Result<Zone, Failure> {
    let text = zone.text();
    match Zone::told(&text) {
        Some(found) => Ok(found),
        None => fail("22023", format!("time zone \"{text}\" not recognized")),
    }
}

/// A zone that is told by how far it is to the east.
pub(super) fn zone_at(span: &V) -> Result<Zone, Failure> {
    let interval = Interval::of(span)?;
    let found = (interval.months == 0 && interval.days == 0)
        .then(|| Zone::at(interval.micros / SECOND))
        .flatten();
    match found {
        Some(found) => Ok(found),
        None => fail(
            "22023",
            format!(
                "interval time zone \"{}\" must not include months or days",
                span.text()
            ),
        ),
    }
}

/// Another moment, as it is kept: in UTC where `suffix` says so. `infinity` is that everywhere.
fn finite(value: &V, suffix: &str, change: impl FnOnce(i64) -> i64) -> Out {
    let micros = time::micros(value)?;
    let changed = if is_endless(micros) {
        micros
    } else {
        change(micros)
    };
    time::stamp(changed, suffix)
}

/// Months and days are counted by the clocks of the session, times by the hours that pass.
pub(super) fn shifted(from: i64, interval: Interval, sign: i64) -> i64 {
    if is_endless(from) {
        return from;
    }
    let mut at = from;
    if interval.months != 0 || interval.days != 0 {
        let days = Interval {
            micros: 0,
            ..interval
        };
        at = utc(time::shifted(local(at), days, sign));
    }
    at.saturating_add(sign.signum().saturating_mul(interval.micros))
        .clamp(i64::MIN + 1, i64::MAX - 1)
}

/// A field truncated by the session's clocks. Within a day the offset stays, even where hours come twice.
fn truncated(values: &[V]) -> Out {
    if let Some(endless) = time::endless(&values[1]) {
        return Ok(endless);
    }
    let utc_before = time::micros(&values[1])?;
    let east = east(utc_before);
    let unit = values[0].word();
    let found = field::truncate(&unit, utc_before + east, "timestamp with time zone")?;
    let within_a_day =
        ["microsecond", "millisecond", "second", "minute", "hour"].contains(&unit.trim_end_matches('s'));
    time::stamp(if within_a_day { found - east } else { utc(found) }, UTC)
}

/// What stands behind a moment in UTC.
const UTC: &str = "+00";

/// Functions of moments and zones.
pub(super) const FUNCTIONS: &[Scalar] = &[
    ("pg_timezone_in", 2, Strict, |v| {
        let zone = zone_of(&v[0])?;
        finite(&v[1], UTC, |local| zone.utc(local))
    }),
    ("pg_timezone_out", 2, Strict, |v| {
        let zone = zone_of(&v[0])?;
        finite(&v[1], "", |utc| zone.local(utc))
    }),
    ("pg_offset_in", 2, Strict, |v| {
        let zone = zone_at(&v[0])?;
        finite(&v[1], UTC, |local| zone.utc(local))
    }),
    ("pg_offset_out", 2, Strict, |v| {
        let zone = zone_at(&v[0])?;
        finite(&v[1], "", |utc| zone.local(utc))
    }),
    ("pg_text_timestamptz", 1, Strict, |v| {
        Ok(shown(&v[0], " ", false)?.into())
    }),
    ("pg_date_timestamptz", 1, Strict, |v| finite(&v[0], UTC, utc)),
    ("pg_timestamp_timestamptz", 1, Strict, |v| finite(&v[0], UTC, utc)),
    ("pg_timestamptz_timestamp", 1, Strict, |v| {
        finite(&v[0], "", local)
    }),
    ("pg_timestamptz_date", 1, Strict, |v| {
        let utc = time::micros(&v[0])?;
        let days = if is_endless(utc) {
            utc
        } else {
            local(utc).div_euclid(DAY)
        };
        Ok(kept_date(days).into())
    }),
    ("pg_timestamptz_time", 1, Strict, |v| {
        let utc = time::micros(&v[0])?;
        if is_endless(utc) {
            return Ok(V::Null);
        }
        Ok(time_text(local(utc).rem_euclid(DAY)).into())
    }),
    ("pg_timestamptz_add", 3, Strict, |v| {
        let interval = Interval::of(&v[1])?;
        finite(&v[0], UTC, |utc| shifted(utc, interval, v[2].int()))
    }),
    ("pg_timestamptz_trunc", 2, Strict, truncated),
    ("pg_timestamptz_age", 2, Strict, |v| {
        let (one, other) = (time::micros(&v[0])?, time::micros(&v[1])?);
        if is_endless(one) || is_endless(other) {
            return fail("22008", "timestamp out of range");
        }
        Ok(time::age(local(one), local(other)))
    }),
];
