//! `timetz`: what clocks show, with how far they are to the east of UTC.

use super::{
    Failure,
    Nature::{Strict, Volatile},
    Out, Scalar, V, datetime,
    interval::Interval,
    time, timestamps, zone,
};
use crate::pgtypes::{
    calendar::{DAY, SECOND, is_endless},
    datetime::read_timetz,
    kept::{time_text, timetz_text},
    zone::Zone,
};

/// Microseconds of the day and microseconds east of UTC.
pub(super) fn read(value: &V) -> Result<(i64, i64), Failure> {
    let (at, east) = datetime::around(|around| read_timetz(&value.text(), around))?;
    Ok((at, east * SECOND))
}

/// As it is kept.
fn kept(at: i64, east: i64) -> V {
    timetz_text(at, east / SECOND).into()
}

/// The same moment by the clocks of a zone, as they are in this transaction.
fn moved(value: &V, zone: &Zone) -> Out {
    let (at, east) = read(value)?;
    let there = zone.east(timestamps::of_transaction());
    Ok(kept((at - east + there).rem_euclid(DAY), there))
}

/// What the session's clocks show, and how far they are from UTC.
fn now() -> (i64, i64) {
    let now = timestamps::of_transaction();
    (zone::local(now), zone::east(now))
}

/// A text that is in the order of its moments, and of one moment in that of its offsets.
fn key(value: &V) -> Out {
    let (at, east) = read(value)?;
    // Offsets are less than a day.
    Ok(format!("{:014}{:014}", at - east + DAY, DAY - east).into())
}

/// Functions of times with a zone.
pub(super) const FUNCTIONS: &[Scalar] = &[
    ("pg_current_timetz", 0, Volatile, |_| {
        let (local, east) = now();
        Ok(kept(local.rem_euclid(DAY), east))
    }),
    ("pg_timetz_key", 1, Strict, |v| key(&v[0])),
    ("pg_timetz_zone", 2, Strict, |v| {
        moved(&v[1], &zone::zone_of(&v[0])?)
    }),
    ("pg_timetz_offset", 2, Strict, |v| {
        moved(&v[1], &zone::zone_at(&v[0])?)
    }),
    ("pg_timetz_add", 3, Strict, |v| {
        let (at, east) = read(&v[0])?;
        let span = Interval::of(&v[1])?.micros.rem_euclid(DAY);
        Ok(kept((at + v[2].int().signum() * span).rem_euclid(DAY), east))
    }),
    ("pg_date_timetz", 2, Strict, |v| {
        let local = time::micros(&v[0])?;
        if is_endless(local) {
            return time::stamp(local, "+00");
        }
        let (at, east) = read(&v[1])?;
        time::stamp(local + at - east, "+00")
    }),
    ("pg_timetz_time", 1, Strict, |v| {
        Ok(time_text(read(&v[0])?.0).into())
    }),
    // By the session's clocks as they are today.
    ("pg_time_timetz", 1, Strict, |v| {
        let at = time::time_of(&v[0])?;
        let local = now().0.div_euclid(DAY) * DAY + at;
        Ok(kept(at, zone::held(|zone| zone.east_of_local(local))))
    }),
    ("pg_timestamptz_timetz", 1, Strict, |v| {
        let utc = time::micros(&v[0])?;
        if is_endless(utc) {
            return Ok(V::Null);
        }
        Ok(kept(zone::local(utc).rem_euclid(DAY), zone::east(utc)))
    }),
];
