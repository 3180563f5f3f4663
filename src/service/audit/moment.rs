//! Moments as people write them.

use std::time::{Duration, SystemTime};

use time::{Date, Month, OffsetDateTime, Time, UtcOffset};

/// A moment that somebody named: `2026-03-01T12:00:00Z`, `2026-03-01`, or so long ago: `90s`, `2h`, `7d`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Moment(pub SystemTime);

impl std::str::FromStr for Moment {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let text = text.trim();
        let moment = ago(text)
            .and_then(|ago| SystemTime::now().checked_sub(ago))
            .or_else(|| absolute(text).map(SystemTime::from));
        moment
            .map(Self)
            .ok_or_else(|| "write a moment such as 2026-03-01T12:00:00Z or 2026-03-01 (UTC), or how long ago: 90s, 30min, 2h, 7d".into())
    }
}

fn ago(text: &str) -> Option<Duration> {
    let end = text.find(|c: char| !c.is_ascii_digit())?;
    let (number, unit) = text.split_at(end);
    let seconds: u64 = match unit.trim() {
        "s" => 1,
        "m" | "min" => 60,
        "h" => 3_600,
        "d" => 86_400,
        "w" => 604_800,
        _ => return None,
    };
    Some(Duration::from_secs(
        number.parse::<u64>().ok()?.checked_mul(seconds)?,
    ))
}

/// RFC 3339; the time of day and the zone may be left out, and a blank may stand for the `T`.
fn absolute(text: &str) -> Option<OffsetDateTime> {
    let (day, rest) = text.split_at_checked(10)?;
    let mut parts = day.split('-');
    let year = parts.next()?.parse().ok()?;
    let month = Month::try_from(parts.next()?.parse::<u8>().ok()?).ok()?;
    let date = Date::from_calendar_date(year, month, parts.next()?.parse().ok()?).ok()?;
    if parts.next().is_some() {
        return None;
    }
    let Some(rest) = rest.strip_prefix(['T', 't', ' ']) else {
        return rest.is_empty().then(|| date.midnight().assume_utc());
    };
    let zone_at = rest.find(['Z', 'z', '+', '-']).unwrap_or(rest.len());
    let (clock, zone) = rest.split_at(zone_at);
    let mut parts = clock.split(':');
    let hour = parts.next()?.parse().ok()?;
    let minute = parts.next()?.parse().ok()?;
    let (second, fraction) = parts
        .next()
        .unwrap_or("0")
        .split_once('.')
        .unwrap_or((clock_second(clock), "0"));
    if parts.next().is_some() || fraction.is_empty() || !fraction.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let nanoseconds = format!("{fraction:0<9}").get(..9)?.parse().ok()?;
    let time = Time::from_hms_nano(hour, minute, second.parse().ok()?, nanoseconds).ok()?;
    let offset = match zone {
        "" | "Z" | "z" => UtcOffset::UTC,
        zone => {
            let sign = if zone.starts_with('-') { -1 } else { 1 };
            let (hours, minutes) = zone[1..].split_once(':').unwrap_or((&zone[1..], "0"));
            let number = |text: &str| text.parse::<i8>().ok().filter(|number| *number >= 0);
            UtcOffset::from_hms(sign * number(hours)?, sign * number(minutes)?, 0).ok()?
        }
    };
    Some(date.with_time(time).assume_offset(offset))
}

/// The seconds of `HH:MM[:SS]`.
fn clock_second(clock: &str) -> &str {
    clock.splitn(3, ':').nth(2).unwrap_or("0")
}

/// RFC 3339 in UTC, to the microsecond.
pub fn shown(time: SystemTime) -> String {
    let time = OffsetDateTime::from(time);
    format!(
        "{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:06}Z",
        time.year(),
        u8::from(time.month()),
        time.day(),
        time.hour(),
        time.minute(),
        time.second(),
        time.microsecond()
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_read_as_people_write_them() {
        for (text, expected) in [
            ("2026-03-01", "2026-03-01T00:00:00.000000Z"),
            ("2026-03-01T12:30", "2026-03-01T12:30:00.000000Z"),
            ("2026-03-01 12:30:15", "2026-03-01T12:30:15.000000Z"),
            ("2026-03-01T12:30:15.25Z", "2026-03-01T12:30:15.250000Z"),
            ("2026-03-01T12:30:15+02:00", "2026-03-01T10:30:15.000000Z"),
            ("2026-03-01T12:30:15.1234567-0:30", "2026-03-01T13:00:15.123456Z"),
        ] {
            let moment: Moment = text.parse().unwrap_or_else(|error| panic!("{text}: {error}"));
            assert_eq!(shown(moment.0), expected, "{text}");
        }
        for text in [
            "",
            "yesterday",
            "2026-13-01",
            "2026-03-01T25:00",
            "2026-03-01T1",
            "7",
            "7 y",
            "-2h",
            "2026-03-01T10:00:00.",
        ] {
            assert!(text.parse::<Moment>().is_err(), "{text}");
        }
        let ago: Moment = "2h".parse().unwrap();
        let elapsed = ago.0.elapsed().unwrap().as_secs();
        assert!((7_200..7_260).contains(&elapsed), "{elapsed}");
    }
}
