//! Moments as people write them.

use std::time::{Duration, SystemTime};

use jiff::{civil::DateTime, tz::TimeZone};

/// A moment that somebody named: `2026-03-01T12:00:00Z`, `2026-03-01`, or so long ago: `90s`, `2h`, `7d`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Timestamp(pub SystemTime);

impl std::str::FromStr for Timestamp {
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
fn absolute(text: &str) -> Option<jiff::Timestamp> {
    let in_utc = || text.parse::<DateTime>().ok()?.to_zoned(TimeZone::UTC).ok();
    let zoned = text.parse().ok();
    zoned.or_else(|| Some(in_utc()?.timestamp()))
}

/// RFC 3339 in UTC, to the microsecond.
pub fn shown(time: SystemTime) -> String {
    format!(
        "{:.6}",
        jiff::Timestamp::try_from(time).unwrap_or(jiff::Timestamp::MAX)
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
            ("2026-03-01T12:30:15.1234567-00:30", "2026-03-01T13:00:15.123456Z"),
        ] {
            let moment: Timestamp = text.parse().unwrap_or_else(|error| panic!("{text}: {error}"));
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
            assert!(text.parse::<Timestamp>().is_err(), "{text}");
        }
        let ago: Timestamp = "2h".parse().unwrap();
        let elapsed = ago.0.elapsed().unwrap().as_secs();
        assert!((7_200..7_260).contains(&elapsed), "{elapsed}");
    }
}
