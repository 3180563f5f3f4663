//! Functions of dates, times and timestamps.

use std::fmt::Write as _;

use super::{
    Failure,
    Nature::{Lenient, Strict, Volatile},
    Out, Scalar, V, allowance, datetime,
    decimal::Decimal,
    fail, field,
    interval::Interval,
    timestamps, zone,
};
use crate::pgtypes::{
    calendar::{
        DAY, EPOCH_DAYS, LAST_DAY_OF_TIMESTAMPS, SECOND, check_day, check_timestamp, civil, days_in, days_of,
        is_endless, kept_date, shown_date, split_kept,
    },
    kept::{keep_timestamp, time_text},
};

/// Microseconds of a date or timestamp; what is stored with an offset is taken to UTC. `infinity` and `-infinity` are the
/// greatest and the least number.
pub(super) fn micros(value: &V) -> Result<i64, Failure> {
    if let Some(endless) = endless_count(&value.text()) {
        return Ok(endless);
    }
    let moment = datetime::read(&value.text(), "timestamp")?;
    let micros = moment.local().saturating_sub(moment.offset.unwrap_or(0));
    if micros.div_euclid(DAY) > LAST_DAY_OF_TIMESTAMPS {
        return fail("22008", "date out of range for timestamp");
    }
    Ok(micros)
}

/// Days of a date, as [`micros`].
pub(super) fn days(value: &V) -> Result<i64, Failure> {
    match endless_count(&value.text()) {
        Some(endless) => Ok(endless),
        None => Ok(datetime::read(&value.text(), "date")?.days.unwrap_or(0)),
    }
}

fn endless_count(text: &str) -> Option<i64> {
    match text.trim() {
        "infinity" => Some(i64::MAX),
        "-infinity" => Some(i64::MIN),
        _ => None,
    }
}

/// A day as it is kept; `told` is what an error says is out of range.
fn day(days: i64, told: impl FnOnce() -> String) -> Out {
    Ok(kept_date(check_day(days, told)?).into())
}

/// A number of microseconds that is not taken for `infinity`.
fn narrowed(micros: i128) -> i64 {
    i64::try_from(micros.clamp(i128::from(i64::MIN + 1), i128::from(i64::MAX - 1))).unwrap_or(0)
}

pub(super) fn time_of(value: &V) -> Result<i64, Failure> {
    Ok(datetime::read(&value.text(), "time")?.time.unwrap_or(0))
}

/// Months are added by the calendar, and the day is kept within the month.
pub(super) fn shifted(from: i64, interval: Interval, sign: i64) -> i64 {
    if is_endless(from) {
        return from;
    }
    let (mut days, time) = (from.div_euclid(DAY), from.rem_euclid(DAY));
    if interval.months != 0 {
        let (year, month, day) = civil(days);
        let months = year * 12 + month - 1 + sign.signum() * interval.months;
        let (year, month) = (months.div_euclid(12), months.rem_euclid(12) + 1);
        days = days_of(year, month, day.min(days_in(year, month)));
    }
    let sign = i128::from(sign.signum());
    let whole = (i128::from(days) + sign * i128::from(interval.days)) * i128::from(DAY);
    narrowed(whole + i128::from(time) + sign * i128::from(interval.micros))
}

/// A moment as it is kept, with `+00` where it has a time zone.
pub(super) fn stamp(micros: i64, zone: &str) -> Out {
    let micros = check_timestamp(micros, || "timestamp out of range".to_owned())?;
    Ok(keep_timestamp(micros, zone).into())
}

fn added(values: &[V]) -> Out {
    let found = shifted(micros(&values[0])?, Interval::of(&values[1])?, values[2].int());
    stamp(found, "")
}

/// The span from one moment to another, in months, days and a time.
pub(super) fn age(later: i64, earlier: i64) -> V {
    let sign = if later < earlier { -1 } else { 1 };
    let (high, low) = if sign < 0 {
        (earlier, later)
    } else {
        (later, earlier)
    };
    let ((y1, m1, d1), (y2, m2, d2)) = (civil(high.div_euclid(DAY)), civil(low.div_euclid(DAY)));
    let mut months = (y1 - y2) * 12 + m1 - m2;
    let mut days = d1 - d2;
    let mut time = high.rem_euclid(DAY) - low.rem_euclid(DAY);
    if time < 0 {
        time += DAY;
        days -= 1;
    }
    // What is borrowed from is the earlier moment's month, twice where that is too short.
    while days < 0 {
        months -= 1;
        days += days_in(y2, m2);
    }
    Interval {
        months: sign * months,
        days: sign * days,
        micros: sign * time,
    }
    .into()
}

fn series(values: &[V]) -> Out {
    let (mut at, end, step) = (
        micros(&values[0])?,
        micros(&values[1])?,
        Interval::of(&values[2])?,
    );
    let zone = values[3].text();
    if is_endless(at) || is_endless(end) {
        return fail("22023", "start and stop values cannot be infinity");
    }
    let direction = step.key();
    if direction == 0 {
        return fail("22023", "step size cannot equal zero");
    }
    let mut list = String::from("[");
    while if direction > 0 { at <= end } else { at >= end } {
        allowance::value_of(list.len())?;
        let comma = if list.len() > 1 { "," } else { "" };
        let _ = write!(list, "{comma}\"{}\"", keep_timestamp(at, &zone));
        at = if zone.is_empty() {
            shifted(at, step, 1)
        } else {
            zone::shifted(at, step, 1)
        };
    }
    list.push(']');
    Ok(list.into())
}

/// A year that is not so far away that days could not be counted to it.
fn whole_year(value: &V) -> i64 {
    value.int().clamp(-i64::from(i32::MAX), i32::MAX.into())
}

/// The time of a day in microseconds that clocks show; a day may end, and a minute have a leap second.
fn clock(hour: &V, minute: &V, second: &V) -> Result<i64, Failure> {
    let (hours, minutes, seconds) = (hour.int(), minute.int(), second.real());
    let is_time = (0..=24).contains(&hours) && (0..60).contains(&minutes) && (0.0..=60.0).contains(&seconds);
    if !is_time || (hours == 24 && (minutes > 0 || seconds > 0.0)) {
        return fail(
            "22008",
            format!("time field value out of range: {hours}:{minutes:02}:{seconds:02}"),
        );
    }
    Ok((hours * 60 + minutes) * 60 * SECOND + (seconds * SECOND as f64).round() as i64)
}

fn out_of_range<T>() -> Result<T, Failure> {
    fail("22008", "date field value out of range")
}

/// `infinity` and `-infinity`, which stand behind and before all moments as text too.
pub(super) fn endless(value: &V) -> Option<V> {
    let text = value.text().trim().to_ascii_lowercase();
    matches!(text.as_str(), "infinity" | "-infinity").then(|| text.into())
}

/// A date or a moment without a zone as PostgreSQL prints it; `between` stands between date and time.
pub(super) fn shown(value: &V, between: &str) -> String {
    let text = value.text();
    match split_kept(&text).filter(|_| text.starts_with(['/', ':'])) {
        Some((days, rest)) => {
            let (date, era) = shown_date(days);
            format!("{date}{}{era}", rest.replacen(' ', between, 1))
        }
        None => text.replacen(' ', between, 1),
    }
}

/// OVERLAPS: where one of two ends is not known, the other is the first.
#[expect(clippy::unnecessary_wraps, reason = "it stands in a table of functions")]
fn overlaps(values: &[V]) -> Out {
    let known = |value: &V| (!value.is_null()).then(|| value.text());
    let span = |one: &V, other: &V| match (known(one), known(other)) {
        (Some(one), Some(other)) if one > other => Some((other, Some(one))),
        (Some(one), other) => Some((one, other)),
        (None, Some(other)) => Some((other, None)),
        (None, None) => None,
    };
    let (Some(mut first), Some(mut second)) = (span(&values[0], &values[1]), span(&values[2], &values[3]))
    else {
        return Ok(V::Null);
    };
    if first.0 > second.0 {
        std::mem::swap(&mut first, &mut second);
    }
    if first.0 == second.0 {
        let is_known = first.1.is_some() && second.1.is_some();
        return Ok(if is_known { V::of_bool(true) } else { V::Null });
    }
    Ok(match (first.1, second.1) {
        (Some(end), _) if second.0 < end => V::of_bool(true),
        (None, _) | (_, None) => V::Null,
        _ => V::of_bool(false),
    })
}

/// Functions of dates and times.
pub(super) const FUNCTIONS: &[Scalar] = &[
    ("pg_date_timestamp", 1, Strict, |v| stamp(micros(&v[0])?, "")),
    ("pg_timestamp_date", 1, Strict, |v| {
        let micros = micros(&v[0])?;
        let days = if is_endless(micros) {
            micros
        } else {
            micros.div_euclid(DAY)
        };
        Ok(kept_date(days).into())
    }),
    // No clock shows what has no end.
    ("pg_timestamp_time", 1, Strict, |v| {
        let micros = micros(&v[0])?;
        if is_endless(micros) {
            return Ok(V::Null);
        }
        Ok(time_text(micros.rem_euclid(DAY)).into())
    }),
    ("pg_text_date", 1, Strict, |v| Ok(shown(&v[0], " ").into())),
    ("pg_text_timestamp", 1, Strict, |v| Ok(shown(&v[0], " ").into())),
    ("pg_date_add", 2, Strict, |v| {
        let from = days(&v[0])?;
        if is_endless(from) {
            return Ok(v[0].clone());
        }
        day(from.saturating_add(v[1].int()), || "date out of range".to_owned())
    }),
    ("pg_date_sub", 2, Strict, |v| {
        let (one, other) = (days(&v[0])?, days(&v[1])?);
        if is_endless(one) || is_endless(other) {
            return fail("22008", "cannot subtract infinite dates");
        }
        Ok(V::Int(one - other))
    }),
    ("pg_date_time", 2, Strict, |v| {
        let at = micros(&v[0])?;
        stamp(if is_endless(at) { at } else { at + time_of(&v[1])? }, "")
    }),
    ("pg_timestamp_add", 3, Strict, added),
    ("pg_timestamp_sub", 2, Strict, |v| {
        let (one, other) = (micros(&v[0])?, micros(&v[1])?);
        if is_endless(one) || is_endless(other) {
            return fail("22008", "cannot subtract infinite timestamps");
        }
        let micros = one.saturating_sub(other);
        Ok(Interval {
            months: 0,
            days: micros / DAY,
            micros: micros % DAY,
        }
        .into())
    }),
    ("pg_time_sub", 2, Strict, |v| {
        Ok(Interval {
            micros: time_of(&v[0])? - time_of(&v[1])?,
            ..Interval::default()
        }
        .into())
    }),
    ("pg_time_add", 3, Strict, |v| {
        let span = Interval::of(&v[1])?.micros.rem_euclid(DAY);
        let time = time_of(&v[0])? + v[2].int().signum() * span;
        Ok(time_text(time.rem_euclid(DAY)).into())
    }),
    ("pg_age", 2, Strict, |v| {
        let (one, other) = (micros(&v[0])?, micros(&v[1])?);
        if is_endless(one) || is_endless(other) {
            return fail("22008", "timestamp out of range");
        }
        Ok(age(one, other))
    }),
    ("pg_isfinite", 1, Strict, |v| {
        Ok(V::of_bool(endless(&v[0]).is_none()))
    }),
    ("pg_date_trunc", 2, Strict, |v| {
        if let Some(endless) = endless(&v[1]) {
            return Ok(endless);
        }
        let unit = v[0].word();
        let found = field::truncate(&unit, micros(&v[1])?, "timestamp without time zone")?;
        stamp(found, "")
    }),
    ("pg_extract", 3, Strict, field::extract),
    ("pg_series_time", 4, Strict, series),
    ("pg_date_bin", 3, Strict, |v| {
        let (stride, at, origin) = (Interval::of(&v[0])?, micros(&v[1])?, micros(&v[2])?);
        if is_endless(at) {
            return Ok(v[1].clone());
        }
        if is_endless(origin) {
            return fail("22008", "origin out of range");
        }
        if stride.months != 0 {
            return fail(
                "0A000",
                "timestamps cannot be binned into intervals containing months or years",
            );
        }
        let stride = stride.key();
        if stride <= 0 {
            return fail("22008", "stride must be greater than zero");
        }
        let zone = if v[1].text().ends_with("+00") { "+00" } else { "" };
        let steps = i128::from(at)
            .saturating_sub(origin.into())
            .div_euclid(stride.into());
        stamp(narrowed(i128::from(origin) + steps * i128::from(stride)), zone)
    }),
    ("pg_make_date", 3, Strict, |v| {
        let (given, month, of_month) = (whole_year(&v[0]), v[1].int(), v[2].int());
        let year = if given < 0 { given + 1 } else { given };
        let outside = || format!("date field value out of range: {given}-{month:02}-{of_month:02}");
        let is_day = (1..=12).contains(&month) && (1..=days_in(year, month)).contains(&of_month);
        if given == 0 || !is_day {
            return fail("22008", outside());
        }
        day(days_of(year, month, of_month), || {
            outside().replacen("date field value", "date", 1)
        })
    }),
    ("pg_make_time", 3, Strict, |v| {
        Ok(time_text(clock(&v[0], &v[1], &v[2])?).into())
    }),
    ("pg_make_timestamp", 6, Strict, |v| {
        let (year, month, day) = (whole_year(&v[0]), v[1].int(), v[2].int());
        if year == 0 || !(1..=12).contains(&month) || day < 1 || day > days_in(year, month) {
            return out_of_range();
        }
        let year = if year < 0 { year + 1 } else { year };
        let whole = days_of(year, month, day).saturating_mul(DAY);
        stamp(whole.saturating_add(clock(&v[3], &v[4], &v[5])?), "")
    }),
    ("pg_to_timestamp", 1, Strict, |v| {
        let seconds = v[0].real();
        if seconds.is_nan() {
            return fail("22008", "timestamp cannot be NaN");
        }
        if seconds.is_infinite() {
            return stamp(if seconds > 0.0 { i64::MAX } else { i64::MIN }, "+00");
        }
        let micros = (seconds * SECOND as f64).round() as i128;
        stamp(
            narrowed(micros.saturating_sub(i128::from(EPOCH_DAYS * DAY))),
            "+00",
        )
    }),
    ("pg_current_date", 0, Volatile, |_| {
        Ok(kept_date(zone::local(timestamps::of_transaction()).div_euclid(DAY)).into())
    }),
    ("pg_current_time", 0, Volatile, |_| {
        Ok(time_text(zone::local(timestamps::of_transaction()).rem_euclid(DAY)).into())
    }),
    ("pg_now", 0, Volatile, |_| {
        stamp(timestamps::of_transaction(), "+00")
    }),
    ("pg_server_began", 0, Volatile, |_| {
        stamp(timestamps::of_server(), "+00")
    }),
    ("pg_current_timestamp", 0, Volatile, |_| {
        stamp(timestamps::of_transaction(), "+00")
    }),
    ("pg_statement_timestamp", 0, Volatile, |_| {
        stamp(timestamps::of_statement(), "+00")
    }),
    ("pg_clock_timestamp", 0, Volatile, |_| {
        stamp(datetime::now(), "+00")
    }),
    ("pg_overlaps", 4, Lenient, overlaps),
    ("pg_localtimestamp", 0, Volatile, |_| {
        stamp(zone::local(timestamps::of_transaction()), "")
    }),
    ("pg_sleep", 1, Volatile, |v| {
        // Longer sleeps would hold a lock for nothing.
        let seconds = Decimal::of(&v[0])?.real().clamp(0.0, 60.0);
        std::thread::sleep(std::time::Duration::from_secs_f64(seconds));
        Ok("".into())
    }),
];
