//! Functions of dates, times and timestamps.

use super::{
    Failure,
    Nature::{Strict, Volatile},
    Out, Scalar, V,
    datetime::{self, DAY, SECOND, civil, date_text, days_in, days_of, time_text, timestamp_text},
    decimal::Decimal,
    fail,
    interval::Interval,
    moment, zone,
};

/// Microseconds of a date or timestamp; what is stored with an offset is taken to UTC.
pub(super) fn micros(value: &V) -> Result<i64, Failure> {
    let moment = datetime::read(&value.text(), "timestamp")?;
    Ok(moment.local() - moment.offset.unwrap_or(0))
}

fn days(value: &V) -> Result<i64, Failure> {
    Ok(datetime::read(&value.text(), "date")?.days.unwrap_or(0))
}

pub(super) fn time_of(value: &V) -> Result<i64, Failure> {
    Ok(datetime::read(&value.text(), "time")?.time.unwrap_or(0))
}

/// Months are added by the calendar, and the day is kept within the month.
pub(super) fn shifted(from: i64, interval: Interval, sign: i64) -> i64 {
    let (mut days, time) = (from.div_euclid(DAY), from.rem_euclid(DAY));
    if interval.months != 0 {
        let (year, month, day) = civil(days);
        let months = year * 12 + month - 1 + sign * interval.months;
        let (year, month) = (months.div_euclid(12), months.rem_euclid(12) + 1);
        days = days_of(year, month, day.min(days_in(year, month)));
    }
    (days + sign * interval.days) * DAY + time + sign * interval.micros
}

fn stamp(micros: i64, zone: &str) -> V {
    format!("{}{zone}", timestamp_text(micros)).into()
}

fn added(values: &[V]) -> Out {
    Ok(stamp(
        shifted(micros(&values[0])?, Interval::of(&values[1])?, values[2].int()),
        "",
    ))
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
    if days < 0 {
        months -= 1;
        // The month that is borrowed from is the earlier moment's, or the one before the later's.
        days += if sign < 0 {
            let (year, month) = if m1 == 1 { (y1 - 1, 12) } else { (y1, m1 - 1) };
            days_in(year, month)
        } else {
            days_in(y2, m2)
        };
    }
    Interval {
        months: sign * months,
        days: sign * days,
        micros: sign * time,
    }
    .into()
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

fn decimal(number: i64, scale: usize) -> String {
    if scale == 0 {
        return number.to_string();
    }
    let unit = 10_i64.pow(scale as u32);
    let sign = if number < 0 { "-" } else { "" };
    format!("{sign}{}.{:0scale$}", number.abs() / unit, number.abs() % unit)
}

fn extract(values: &[V]) -> Out {
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
            "second" | "seconds" => decimal(seconds, 6),
            "milliseconds" | "millisecond" => decimal(seconds, 3),
            "microseconds" | "microsecond" => seconds.to_string(),
            "decade" => (interval.months / 120).to_string(),
            "epoch" => {
                let whole = (interval.months / 12) * 31_557_600
                    + (interval.months % 12) * 2_592_000
                    + interval.days * 86_400;
                decimal(whole * SECOND + interval.micros, 6)
            }
            _ => return known("interval"),
        }
        .into());
    }
    let utc = match kind.as_str() {
        "time" => time_of(&values[1])?,
        _ => micros(&values[1])?,
    };
    let east = if kind == "timestamptz" { zone::east(utc) } else { 0 };
    let at = utc + east;
    let days = at.div_euclid(DAY);
    let (year, month, day) = civil(days);
    let seconds = at.rem_euclid(60 * SECOND);
    let is_date = kind == "date";
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
        "year" | "years" => year.to_string(),
        "month" | "months" => month.to_string(),
        "day" | "days" => day.to_string(),
        "hour" | "hours" => (at.rem_euclid(DAY) / (3600 * SECOND)).to_string(),
        "minute" | "minutes" => (at.rem_euclid(DAY) / (60 * SECOND) % 60).to_string(),
        "second" | "seconds" => decimal(seconds, 6),
        "milliseconds" | "millisecond" => decimal(seconds, 3),
        "microseconds" | "microsecond" => seconds.to_string(),
        "dow" => (days + 6).rem_euclid(7).to_string(),
        "isodow" => ((days + 5).rem_euclid(7) + 1).to_string(),
        "doy" => (days - days_of(year, 1, 1) + 1).to_string(),
        "week" => iso_week(days).to_string(),
        "isoyear" => iso_year(days).0.to_string(),
        "quarter" => ((month - 1) / 3 + 1).to_string(),
        "decade" => year.div_euclid(10).to_string(),
        "century" => ((year + 99).div_euclid(100)).to_string(),
        "millennium" => ((year + 999).div_euclid(1_000)).to_string(),
        "julian" => (days + 2_451_545).to_string(),
        "timezone" if kind == "timestamptz" => (east / SECOND).to_string(),
        "timezone_hour" if kind == "timestamptz" => (east / (3_600 * SECOND)).to_string(),
        "timezone_minute" if kind == "timestamptz" => (east / (60 * SECOND) % 60).to_string(),
        "epoch" if is_date => ((days + 10_957) * 86_400).to_string(),
        "epoch" if kind == "time" => decimal(at, 6),
        "epoch" => decimal(utc + 10_957 * DAY, 6),
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

fn series(values: &[V]) -> Out {
    let (mut at, end, step) = (
        micros(&values[0])?,
        micros(&values[1])?,
        Interval::of(&values[2])?,
    );
    let zone = values[3].text();
    let direction = step.key();
    if direction == 0 {
        return fail("22023", "step size cannot equal zero");
    }
    let mut found = vec![];
    while if direction > 0 { at <= end } else { at >= end } {
        found.push(format!("\"{}{zone}\"", timestamp_text(at)));
        at = if zone.is_empty() {
            shifted(at, step, 1)
        } else {
            zone::shifted(at, step, 1)
        };
    }
    Ok(format!("[{}]", found.join(",")).into())
}

fn out_of_range<T>() -> Result<T, Failure> {
    fail("22008", "date field value out of range")
}

/// `infinity` and `-infinity`, which stand behind and before all moments as text too.
pub(super) fn endless(value: &V) -> Option<V> {
    let text = value.text().trim().to_ascii_lowercase();
    matches!(text.as_str(), "infinity" | "-infinity").then(|| text.into())
}

/// Functions of dates and times.
pub(super) const FUNCTIONS: &[Scalar] = &[
    ("pg_in_date", 1, Strict, |v| {
        if let Some(endless) = endless(&v[0]) {
            return Ok(endless);
        }
        match datetime::read(&v[0].text(), "date")?.days {
            Some(days) => Ok(date_text(days).into()),
            None => fail(
                "22007",
                format!("invalid input syntax for type date: \"{}\"", v[0].text()),
            ),
        }
    }),
    ("pg_in_time", 1, Strict, |v| {
        match datetime::read(&v[0].text(), "time")?.time {
            Some(time) => Ok(time_text(time).into()),
            None => fail(
                "22007",
                format!("invalid input syntax for type time: \"{}\"", v[0].text()),
            ),
        }
    }),
    ("pg_in_timestamp", 1, Strict, |v| {
        if let Some(endless) = endless(&v[0]) {
            return Ok(endless);
        }
        let moment = datetime::read(&v[0].text(), "timestamp")?;
        if moment.days.is_none() {
            return fail(
                "22007",
                format!("invalid input syntax for type timestamp: \"{}\"", v[0].text()),
            );
        }
        Ok(stamp(moment.local(), ""))
    }),
    ("pg_in_timestamptz", 1, Strict, |v| {
        if let Some(endless) = endless(&v[0]) {
            return Ok(endless);
        }
        let moment = datetime::read(&v[0].text(), "timestamp with time zone")?;
        if moment.days.is_none() {
            return fail(
                "22007",
                format!(
                    "invalid input syntax for type timestamp with time zone: \"{}\"",
                    v[0].text()
                ),
            );
        }
        Ok(zone::kept(match moment.offset {
            Some(offset) => moment.local() - offset,
            None => zone::utc(moment.local()),
        }))
    }),
    ("pg_date_timestamp", 1, Strict, |v| {
        Ok(stamp(days(&v[0])? * DAY, ""))
    }),
    ("pg_time_fit", 2, Strict, |v| {
        let unit = 10_i64.pow((6 - v[1].int().clamp(0, 6)) as u32);
        let zone = if v[0].text().ends_with("+00") { "+00" } else { "" };
        let at = micros(&v[0])?;
        Ok(stamp((at + unit / 2).div_euclid(unit) * unit, zone))
    }),
    ("pg_clock_fit", 2, Strict, |v| {
        let unit = 10_i64.pow((6 - v[1].int().clamp(0, 6)) as u32);
        let at = time_of(&v[0])?;
        Ok(time_text((at + unit / 2).div_euclid(unit) * unit).into())
    }),
    ("pg_date_add", 2, Strict, |v| {
        Ok(date_text(days(&v[0])? + v[1].int()).into())
    }),
    ("pg_date_sub", 2, Strict, |v| {
        Ok(V::Int(days(&v[0])? - days(&v[1])?))
    }),
    ("pg_date_time", 2, Strict, |v| {
        Ok(stamp(days(&v[0])? * DAY + time_of(&v[1])?, ""))
    }),
    ("pg_timestamp_add", 3, Strict, added),
    ("pg_timestamp_sub", 2, Strict, |v| {
        let micros = micros(&v[0])? - micros(&v[1])?;
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
        let time = time_of(&v[0])? + v[2].int() * Interval::of(&v[1])?.micros;
        Ok(time_text(time.rem_euclid(DAY)).into())
    }),
    ("pg_age", 2, Strict, |v| Ok(age(micros(&v[0])?, micros(&v[1])?))),
    ("pg_date_trunc", 2, Strict, |v| {
        if let Some(endless) = endless(&v[1]) {
            return Ok(endless);
        }
        let field = v[0].text().to_ascii_lowercase();
        let found = truncate(&field, micros(&v[1])?, "timestamp without time zone")?;
        Ok(stamp(found, ""))
    }),
    ("pg_extract", 3, Strict, extract),
    ("pg_series_time", 4, Strict, series),
    ("pg_date_bin", 3, Strict, |v| {
        let (stride, at, origin) = (Interval::of(&v[0])?.key(), micros(&v[1])?, micros(&v[2])?);
        if stride <= 0 {
            return fail("22008", "stride must be greater than zero");
        }
        let zone = if v[1].text().ends_with("+00") { "+00" } else { "" };
        Ok(stamp(origin + (at - origin).div_euclid(stride) * stride, zone))
    }),
    ("pg_make_date", 3, Strict, |v| {
        let (year, month, day) = (v[0].int(), v[1].int(), v[2].int());
        if !(1..=12).contains(&month) || day < 1 || day > days_in(year, month) {
            return fail(
                "22008",
                format!("date field value out of range: {year}-{month:02}-{day:02}"),
            );
        }
        Ok(date_text(days_of(year, month, day)).into())
    }),
    ("pg_make_time", 3, Strict, |v| {
        let seconds = (v[2].real() * SECOND as f64).round() as i64;
        Ok(time_text((v[0].int() * 60 + v[1].int()) * 60 * SECOND + seconds).into())
    }),
    ("pg_make_timestamp", 6, Strict, |v| {
        let (year, month, day) = (v[0].int(), v[1].int(), v[2].int());
        if !(1..=12).contains(&month) || day < 1 || day > days_in(year, month) {
            return out_of_range();
        }
        let seconds = (v[5].real() * SECOND as f64).round() as i64;
        Ok(stamp(
            days_of(year, month, day) * DAY + (v[3].int() * 60 + v[4].int()) * 60 * SECOND + seconds,
            "",
        ))
    }),
    ("pg_to_timestamp", 1, Strict, |v| {
        let micros = (v[0].real() * SECOND as f64).round() as i64;
        Ok(stamp(micros - 10_957 * DAY, "+00"))
    }),
    ("pg_current_date", 0, Volatile, |_| {
        Ok(date_text(zone::local(moment::of_transaction()).div_euclid(DAY)).into())
    }),
    ("pg_current_time", 0, Volatile, |_| {
        Ok(time_text(zone::local(moment::of_transaction()).rem_euclid(DAY)).into())
    }),
    ("pg_now", 0, Volatile, |_| {
        Ok(stamp(moment::of_transaction(), "+00"))
    }),
    ("pg_statement_timestamp", 0, Volatile, |_| {
        Ok(stamp(moment::of_statement(), "+00"))
    }),
    ("pg_clock_timestamp", 0, Volatile, |_| {
        Ok(stamp(datetime::now(), "+00"))
    }),
    ("pg_overlaps", 4, Strict, |v| {
        let ordered = |one: &V, other: &V| {
            let (one, other) = (one.text(), other.text());
            if one <= other { (one, other) } else { (other, one) }
        };
        let (first, second) = (ordered(&v[0], &v[1]), ordered(&v[2], &v[3]));
        Ok(V::of_bool(
            first.0 == second.0 || (first.0 < second.1 && second.0 < first.1),
        ))
    }),
    ("pg_localtimestamp", 0, Volatile, |_| {
        Ok(stamp(zone::local(moment::of_transaction()), ""))
    }),
    ("pg_sleep", 1, Volatile, |v| {
        // Longer sleeps would hold a lock for nothing.
        let seconds = Decimal::of(&v[0])?.real().clamp(0.0, 60.0);
        std::thread::sleep(std::time::Duration::from_secs_f64(seconds));
        Ok("".into())
    }),
];
