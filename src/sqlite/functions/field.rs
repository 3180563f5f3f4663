//! Fields of dates, times and spans: `extract` and `date_trunc`.

use super::{
    Failure, Out, V,
    decimal::Decimal,
    fail,
    interval::Interval,
    time::{days, micros, time_of},
    zone,
};
use crate::pgtypes::calendar::{DAY, JULIAN_EPOCH, SECOND, civil, days_of, is_endless};

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
    Ok(match field.trim_end_matches('s') {
        "microsecond" => at,
        "millisecond" => at - at.rem_euclid(1_000),
        "second" => at - at.rem_euclid(SECOND),
        "minute" => at - at.rem_euclid(60 * SECOND),
        "hour" => at - at.rem_euclid(3600 * SECOND),
        "day" => today * DAY,
        "week" => (today - (today + 5).rem_euclid(7)) * DAY,
        "month" => day(year, month),
        "quarter" => day(year, (month - 1) / 3 * 3 + 1),
        "year" => day(year, 1),
        "decade" => day(year.div_euclid(10) * 10, 1),
        "century" => day((year - 1).div_euclid(100) * 100 + 1, 1),
        "millennium" => day((year - 1).div_euclid(1_000) * 1_000 + 1, 1),
        _ => {
            return fail("22023", format!("unit \"{field}\" not recognized for type {ty}"));
        }
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
    let field = values[0].text().to_ascii_lowercase();
    let kind = values[2].text();
    let known = |name: &str| -> Out {
        fail(
            "22023",
            format!("unit \"{field}\" not recognized for type {name}"),
        )
    };
    if kind == "interval" {
        let interval = Interval::of(&values[1])?;
        let seconds = interval.micros.rem_euclid(60 * SECOND)
            - if interval.micros < 0 && interval.micros % (60 * SECOND) != 0 {
                60 * SECOND
            } else {
                0
            };
        return Ok(match field.as_str() {
            "year" | "years" => (interval.months / 12).to_string(),
            "month" | "months" => (interval.months % 12).to_string(),
            "quarter" => (interval.months % 12 / 3 + 1).to_string(),
            "day" | "days" => interval.days.to_string(),
            "hour" | "hours" => (interval.micros / (3600 * SECOND)).to_string(),
            "minute" | "minutes" => (interval.micros / (60 * SECOND) % 60).to_string(),
            "second" | "seconds" => decimal(seconds.into(), 6),
            "milliseconds" | "millisecond" => decimal(seconds.into(), 3),
            "microseconds" | "microsecond" => seconds.to_string(),
            "decade" => (interval.months / 120).to_string(),
            "epoch" => {
                let whole = (interval.months / 12) * 31_557_600
                    + (interval.months % 12) * 2_592_000
                    + interval.days * 86_400;
                decimal(
                    i128::from(whole) * i128::from(SECOND) + i128::from(interval.micros),
                    6,
                )
            }
            _ => return known("interval"),
        }
        .into());
    }
    let utc = match kind.as_str() {
        "time" => time_of(&values[1])?,
        // A date may be later than all moments.
        "date" => days(&values[1])?,
        _ => micros(&values[1])?,
    };
    if is_endless(utc) {
        // What grows for ever has no end; what comes again has no value.
        let grows = [
            "year",
            "years",
            "decade",
            "century",
            "millennium",
            "julian",
            "isoyear",
            "epoch",
        ];
        return Ok(match (grows.contains(&field.as_str()), utc > 0) {
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
    let seconds = at.rem_euclid(60 * SECOND);
    if is_date
        && matches!(
            field.as_str(),
            "hour" | "minute" | "second" | "milliseconds" | "microseconds"
        )
    {
        return known("date");
    }
    if kind == "time"
        && !matches!(
            field.as_str(),
            "hour" | "minute" | "second" | "milliseconds" | "microseconds" | "epoch"
        )
    {
        return known("time without time zone");
    }
    Ok(match field.as_str() {
        // There is no year 0, and no century 0.
        "year" | "years" => era(year).to_string(),
        "month" | "months" => month.to_string(),
        "day" | "days" => day.to_string(),
        "hour" | "hours" => (at.rem_euclid(DAY) / (3600 * SECOND)).to_string(),
        "minute" | "minutes" => (at.rem_euclid(DAY) / (60 * SECOND) % 60).to_string(),
        "second" | "seconds" => decimal(seconds.into(), 6),
        "milliseconds" | "millisecond" => decimal(seconds.into(), 3),
        "microseconds" | "microsecond" => seconds.to_string(),
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
        "timezone" if kind == "timestamptz" => (east / SECOND).to_string(),
        "timezone_hour" if kind == "timestamptz" => (east / (3_600 * SECOND)).to_string(),
        "timezone_minute" if kind == "timestamptz" => (east / (60 * SECOND) % 60).to_string(),
        "epoch" if is_date => ((days + 10_957) * 86_400).to_string(),
        "epoch" if kind == "time" => decimal(at.into(), 6),
        "epoch" => decimal(i128::from(utc) + i128::from(10_957 * DAY), 6),
        _ => {
            return known(match kind.as_str() {
                "date" => "date",
                "timestamptz" => "timestamp with time zone",
                _ => "timestamp without time zone",
            });
        }
    }
    .into())
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
