//! Fields of dates, times and spans: `extract` and `date_trunc`.

use super::{
    Failure, Out, V,
    decimal::Decimal,
    failure,
    interval::Interval,
    time::{days, micros, time_of},
    timetz, zone,
};
use crate::pgtypes::{
    calendar::{DAY, JULIAN_EPOCH, SECOND, civil, days_of, is_endless},
    interval_read::{Unit, unit},
};

/// What a type has no such unit of, in PostgreSQL's words: it may be one of other types.
pub(super) fn no_unit(field: &str, ty: &str, is_known: bool) -> Failure {
    if is_known {
        return failure("0A000", format!("unit \"{field}\" not supported for type {ty}"));
    }
    failure("22023", format!("unit \"{field}\" not recognized for type {ty}"))
}

/// The one name of a field that `extract` takes.
fn name_of(field: &str) -> Option<&'static str> {
    Some(match unit(field) {
        Some(Unit::Microsecond) => "microseconds",
        Some(Unit::Millisecond) => "milliseconds",
        Some(Unit::Second) => "second",
        Some(Unit::Minute) => "minute",
        Some(Unit::Hour) => "hour",
        Some(Unit::Day) => "day",
        Some(Unit::Week) => "week",
        Some(Unit::Month) => "month",
        Some(Unit::Quarter) => "quarter",
        Some(Unit::Year) => "year",
        Some(Unit::Decade) => "decade",
        Some(Unit::Century) => "century",
        Some(Unit::Millennium) => "millennium",
        Some(Unit::Timezone) => "timezone",
        Some(Unit::TimezoneHour) => "timezone_hour",
        Some(Unit::TimezoneMinute) => "timezone_minute",
        None => match field {
            "dow" => "dow",
            "doy" => "doy",
            "isodow" => "isodow",
            "isoyear" => "isoyear",
            "epoch" => "epoch",
            "julian" | "j" | "jd" => "julian",
            _ => return None,
        },
    })
}

/// As PostgreSQL's messages name a type.
fn shown(kind: &str) -> &'static str {
    match kind {
        "interval" => "interval",
        "date" => "date",
        "time" => "time without time zone",
        "timetz" => "time with time zone",
        "timestamptz" => "timestamp with time zone",
        _ => "timestamp without time zone",
    }
}

/// The first day of the ISO year of a day.
fn iso_year(days: i64) -> (i64, i64) {
    let weekday = (days + 5).rem_euclid(7);
    let thursday = days - weekday + 3;
    let year = civil(thursday).0;
    let january = days_of(year, 1, 4);
    (year, january - (january + 5).rem_euclid(7))
}

pub(super) fn iso_week(days: i64) -> i64 {
    (days - iso_year(days).1) / 7 + 1
}

/// `date_trunc` of what clocks show; `ty` is the type that the error names.
pub(super) fn truncate(field: &str, at: i64, ty: &str) -> Result<i64, Failure> {
    let today = at.div_euclid(DAY);
    let (year, month, _) = civil(today);
    let day = |year: i64, month: i64| days_of(year, month, 1) * DAY;
    Ok(match unit(field) {
        Some(Unit::Microsecond) => at,
        Some(Unit::Millisecond) => at - at.rem_euclid(1_000),
        Some(Unit::Second) => at - at.rem_euclid(SECOND),
        Some(Unit::Minute) => at - at.rem_euclid(60 * SECOND),
        Some(Unit::Hour) => at - at.rem_euclid(3600 * SECOND),
        Some(Unit::Day) => today * DAY,
        Some(Unit::Week) => (today - (today + 5).rem_euclid(7)) * DAY,
        Some(Unit::Month) => day(year, month),
        Some(Unit::Quarter) => day(year, (month - 1) / 3 * 3 + 1),
        Some(Unit::Year) => day(year, 1),
        Some(Unit::Decade) => day(year.div_euclid(10) * 10, 1),
        Some(Unit::Century) => day((year - 1).div_euclid(100) * 100 + 1, 1),
        Some(Unit::Millennium) => day((year - 1).div_euclid(1_000) * 1_000 + 1, 1),
        found => return Err(no_unit(field, ty, found.is_some())),
    })
}

fn decimal(number: i128, scale: usize) -> String {
    if scale == 0 {
        return number.to_string();
    }
    let unit = 10_i128.pow(scale as u32);
    let sign = if number < 0 { "-" } else { "" };
    format!("{sign}{}.{:0scale$}", number.abs() / unit, number.abs() % unit)
}

pub(super) fn extract(values: &[V]) -> Out {
    let field = values[0].word();
    let kind = values[2].text();
    let name = name_of(&field);
    let unsupported = || Err(no_unit(&field, shown(&kind), name.is_some()));
    let Some(name) = name else { return unsupported() };
    if kind == "interval" {
        let interval = Interval::of(&values[1])?;
        let seconds = interval.micros.rem_euclid(60 * SECOND)
            - if interval.micros < 0 && interval.micros % (60 * SECOND) != 0 {
                60 * SECOND
            } else {
                0
            };
        return Ok(match name {
            "year" => (interval.months / 12).to_string(),
            "month" => (interval.months % 12).to_string(),
            "quarter" => (interval.months % 12 / 3 + 1).to_string(),
            "day" => interval.days.to_string(),
            "hour" => (interval.micros / (3600 * SECOND)).to_string(),
            "minute" => (interval.micros / (60 * SECOND) % 60).to_string(),
            "second" => decimal(seconds.into(), 6),
            "milliseconds" => decimal(seconds.into(), 3),
            "microseconds" => seconds.to_string(),
            "decade" => (interval.months / 120).to_string(),
            "century" => (interval.months / 1_200).to_string(),
            "millennium" => (interval.months / 12_000).to_string(),
            "epoch" => {
                let whole = (interval.months / 12) * 31_557_600
                    + (interval.months % 12) * 2_592_000
                    + interval.days * 86_400;
                decimal(
                    i128::from(whole) * i128::from(SECOND) + i128::from(interval.micros),
                    6,
                )
            }
            _ => return unsupported(),
        }
        .into());
    }
    // A time has no day, and only one with a zone has a zone.
    if let "time" | "timetz" = kind.as_str() {
        let (at, east) = match kind.as_str() {
            "timetz" => timetz::read(&values[1])?,
            _ => (time_of(&values[1])?, 0),
        };
        return Ok(match name {
            "hour" | "minute" | "second" | "milliseconds" | "microseconds" => of_clock(name, at),
            "epoch" => decimal(i128::from(at - east), 6),
            "timezone" | "timezone_hour" | "timezone_minute" if kind == "timetz" => of_zone(name, east),
            _ => return unsupported(),
        }
        .into());
    }
    let utc = match kind.as_str() {
        // A date may be later than all moments.
        "date" => days(&values[1])?,
        _ => micros(&values[1])?,
    };
    if is_endless(utc) {
        // What grows for ever has no end; what comes again has no value.
        let grows = [
            "year",
            "decade",
            "century",
            "millennium",
            "julian",
            "isoyear",
            "epoch",
        ];
        return Ok(match (grows.contains(&name), utc > 0) {
            (false, _) => V::Null,
            (true, true) => V::Real(f64::INFINITY),
            (true, false) => V::Real(f64::NEG_INFINITY),
        });
    }
    let east = if kind == "timestamptz" { zone::east(utc) } else { 0 };
    let at = utc + east;
    let is_date = kind == "date";
    let days = if is_date { at } else { at.div_euclid(DAY) };
    let (year, month, day) = civil(days);
    Ok(match name {
        "hour" | "minute" | "second" | "milliseconds" | "microseconds" if !is_date => of_clock(name, at),
        "timezone" | "timezone_hour" | "timezone_minute" if kind == "timestamptz" => of_zone(name, east),
        // There is no year 0, and no century 0.
        "year" => era(year).to_string(),
        "month" => month.to_string(),
        "day" => day.to_string(),
        "dow" => (days + 6).rem_euclid(7).to_string(),
        "isodow" => ((days + 5).rem_euclid(7) + 1).to_string(),
        "doy" => (days - days_of(year, 1, 1) + 1).to_string(),
        "week" => iso_week(days).to_string(),
        "isoyear" => era(iso_year(days).0).to_string(),
        "quarter" => ((month - 1) / 3 + 1).to_string(),
        "decade" => year.div_euclid(10).to_string(),
        "century" => era((year + 99).div_euclid(100)).to_string(),
        "millennium" => era((year + 999).div_euclid(1_000)).to_string(),
        "julian" if is_date => (days + JULIAN_EPOCH).to_string(),
        "julian" => return julian(days, at.rem_euclid(DAY)),
        "epoch" if is_date => ((days + 10_957) * 86_400).to_string(),
        "epoch" => decimal(i128::from(utc) + i128::from(10_957 * DAY), 6),
        _ => return unsupported(),
    }
    .into())
}

/// A field of what clocks show.
fn of_clock(name: &str, at: i64) -> String {
    let seconds = at.rem_euclid(60 * SECOND);
    // A day that is at its end has 24 hours.
    let time = if at == DAY { at } else { at.rem_euclid(DAY) };
    match name {
        "hour" => (time / (3_600 * SECOND)).to_string(),
        "minute" => (time / (60 * SECOND) % 60).to_string(),
        "second" => decimal(seconds.into(), 6),
        "milliseconds" => decimal(seconds.into(), 3),
        _ => seconds.to_string(),
    }
}

/// A field of how far a zone is to the east.
fn of_zone(name: &str, east: i64) -> String {
    match name {
        "timezone" => (east / SECOND).to_string(),
        "timezone_hour" => (east / (3_600 * SECOND)).to_string(),
        _ => (east / (60 * SECOND) % 60).to_string(),
    }
}

/// The number of a day with the part of it that has passed.
fn julian(days: i64, passed: i64) -> Out {
    let whole = |number: i64| Decimal::of(&V::Int(number));
    let part = whole(passed)?.divided(&whole(DAY)?)?;
    Ok(whole(days + JULIAN_EPOCH)?.plus(&part).into())
}

/// Without a zero between what is before Christ and what is after.
fn era(count: i64) -> i64 {
    if count > 0 { count } else { count - 1 }
}
