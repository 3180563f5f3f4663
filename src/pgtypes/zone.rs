//! Time zones as PostgreSQL names them: those of the IANA database, whose rules are built in, abbreviations, offsets and
//! POSIX's spellings. Moments are microseconds since 2000-01-01 00:00 in UTC.

use std::sync::Arc;

use jiff::{
    Timestamp,
    tz::{AmbiguousOffset, Offset, TimeZone},
};

use super::calendar::{EPOCH_DAYS, SECOND};

/// Microseconds from 1970 to 2000.
const EPOCH: i64 = EPOCH_DAYS * 86_400 * SECOND;
/// Farther from Greenwich than this no zone is.
const FARTHEST: i64 = 168 * 3_600;

/// Minutes east of Greenwich, of the abbreviations that PostgreSQL knows by default and that are in use.
#[rustfmt::skip]
const ABBREVIATIONS: &[(&str, i64)] = &[
    ("utc", 0), ("gmt", 0), ("z", 0), ("zulu", 0), ("ut", 0), ("uct", 0), ("wet", 0), ("wetdst", 60), ("west", 60),
    ("bst", 60), ("cet", 60), ("met", 60), ("mez", 60), ("cest", 120), ("cetdst", 120), ("mest", 120), ("mesz", 120),
    ("metdst", 120), ("eet", 120), ("eest", 180), ("eetdst", 180), ("ist", 120), ("idt", 180), ("sast", 120),
    ("eat", 180), ("msk", 180), ("msd", 240), ("get", 240), ("uzt", 300), ("pkt", 300), ("npt", 345), ("bdt", 360),
    ("ict", 420), ("awst", 480), ("wst", 480), ("hkt", 480), ("sgt", 480), ("myt", 480), ("pht", 480), ("jst", 540),
    ("kst", 540), ("kdt", 600), ("acst", 570), ("acdt", 630), ("cast", 570), ("aest", 600), ("aedt", 660),
    ("nzt", 720), ("nzst", 720), ("nzdt", 780), ("fjt", 720), ("azot", -60), ("azost", 0), ("fnt", -120),
    ("brt", -180), ("brst", -120), ("art", -180), ("uyt", -180), ("gft", -180), ("nst", -210), ("ndt", -150),
    ("clt", -240), ("clst", -180), ("ast", -240), ("adt", -180), ("amt", -240), ("bot", -240), ("est", -300),
    ("edt", -240), ("cot", -300), ("pet", -300), ("cst", -360), ("cdt", -300), ("mst", -420), ("mdt", -360),
    ("pst", -480), ("pdt", -420), ("akst", -540), ("akdt", -480), ("hst", -600), ("tkt", 780),
];

/// A time zone.
#[derive(Debug, Clone)]
pub struct Zone {
    name: Arc<str>,
    rules: Rules,
}

#[derive(Debug, Clone)]
enum Rules {
    Fixed { east: i64, abbreviation: Arc<str> },
    Changing(TimeZone),
}

impl Default for Zone {
    fn default() -> Self {
        Self::fixed("UTC", 0, "UTC")
    }
}

impl Zone {
    /// As `SET TimeZone` takes it: a number counts hours east, other offsets count west, as POSIX has it.
    pub fn setting(text: &str) -> Option<Self> {
        match text.trim().parse::<f64>() {
            Ok(hours) => Self::at((hours * 3_600.0) as i64),
            Err(_) => Self::named(text),
        }
    }

    /// As `AT TIME ZONE` takes it: abbreviations count too.
    pub fn told(text: &str) -> Option<Self> {
        abbreviated(text)
            .map(|east| Self::fixed(&text.to_ascii_uppercase(), east, &text.to_ascii_uppercase()))
            .or_else(|| Self::named(text))
    }

    /// So many seconds east of Greenwich.
    pub fn at(east: i64) -> Option<Self> {
        let inverse = offset_text(-east);
        (east.abs() <= FARTHEST).then(|| {
            let shown = offset_text(east);
            Self::fixed(&format!("<{shown}>{inverse}"), east, &shown)
        })
    }

    /// A name of the database, or an offset with or without a name, by POSIX.
    fn named(text: &str) -> Option<Self> {
        if let Some(zone) = database_zone(text) {
            let name = zone.iana_name().unwrap_or(text).to_owned();
            return Some(Self {
                name: name.into(),
                rules: Rules::Changing(zone),
            });
        }
        let (abbreviation, offset) = match text.strip_prefix('<') {
            Some(rest) => rest.split_once('>')?,
            None => text.split_at(text.find(|c: char| !c.is_ascii_alphabetic())?),
        };
        if let Some(west) = offset_of(offset) {
            return Some(Self::fixed(
                &text.to_ascii_uppercase(),
                -west,
                &abbreviation.to_ascii_uppercase(),
            ));
        }
        let zone = TimeZone::posix(text).or_else(|_| TimeZone::posix(&format!("{text},M3.2.0,M11.1.0")));
        Some(Self {
            name: text.to_ascii_uppercase().into(),
            rules: Rules::Changing(zone.ok()?),
        })
    }

    fn fixed(name: &str, east: i64, abbreviation: &str) -> Self {
        Self {
            name: name.into(),
            rules: Rules::Fixed {
                east,
                abbreviation: abbreviation.into(),
            },
        }
    }

    /// As `SHOW TimeZone` prints it.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// True where clocks are never changed.
    pub(crate) fn is_fixed(&self) -> bool {
        matches!(self.rules, Rules::Fixed { .. })
    }

    /// Microseconds east of UTC that hold at a moment.
    pub fn east(&self, utc: i64) -> i64 {
        match &self.rules {
            Rules::Fixed { east, .. } => east * SECOND,
            Rules::Changing(zone) => i64::from(zone.to_offset(timestamp(utc)).seconds()) * SECOND,
        }
    }

    /// Microseconds east of UTC when clocks there show this. What they never show counts by the time before the clocks
    /// were changed, and what they show twice by the time after it.
    pub fn east_of_local(&self, local: i64) -> i64 {
        match &self.rules {
            Rules::Fixed { east, .. } => east * SECOND,
            Rules::Changing(zone) => {
                let shown = Offset::UTC.to_datetime(timestamp(local));
                let offset = match zone.to_ambiguous_timestamp(shown).offset() {
                    AmbiguousOffset::Unambiguous { offset } => offset,
                    AmbiguousOffset::Gap { before, .. } => before,
                    AmbiguousOffset::Fold { after, .. } => after,
                };
                i64::from(offset.seconds()) * SECOND
            }
        }
    }

    /// What clocks there show.
    pub fn local(&self, utc: i64) -> i64 {
        utc.saturating_add(self.east(utc))
    }

    /// The moment at which clocks there show this.
    pub fn utc(&self, local: i64) -> i64 {
        local.saturating_sub(self.east_of_local(local))
    }

    /// How the zone's time is abbreviated at a moment.
    pub fn abbreviation(&self, utc: i64) -> String {
        match &self.rules {
            Rules::Fixed { abbreviation, .. } => abbreviation.to_string(),
            Rules::Changing(zone) => zone.to_offset_info(timestamp(utc)).abbreviation().to_owned(),
        }
    }
}

/// Seconds east of Greenwich of a common abbreviation.
pub(crate) fn abbreviated(text: &str) -> Option<i64> {
    ABBREVIATIONS
        .iter()
        .find(|(name, _)| name.eq_ignore_ascii_case(text))
        .map(|(_, minutes)| minutes * 60)
}

/// `+02`, `-03:30`, `+0530`, `-00:44:30`; a sign need not stand there. In seconds.
pub(crate) fn offset_of(text: &str) -> Option<i64> {
    let (sign, digits) = match text.as_bytes().first()? {
        b'+' => (1, &text[1..]),
        b'-' => (-1, &text[1..]),
        _ => (1, text),
    };
    let number = |text: &str, most: i64| -> Option<i64> {
        let plain = (1..=3).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
        plain
            .then(|| text.parse().ok())
            .flatten()
            .filter(|number| *number <= most)
    };
    let (hours, minutes, seconds) = match digits.split(':').collect::<Vec<_>>()[..] {
        [digits] if digits.len() == 4 && digits.is_ascii() => (&digits[..2], &digits[2..], "0"),
        [hours] => (hours, "0", "0"),
        [hours, minutes] => (hours, minutes, "0"),
        [hours, minutes, seconds] => (hours, minutes, seconds),
        _ => return None,
    };
    Some(sign * ((number(hours, 167)? * 60 + number(minutes, 59)?) * 60 + number(seconds, 59)?))
}

/// `+02`, `-03:30`, `-00:44:30`; from seconds.
pub(crate) fn offset_text(seconds: i64) -> String {
    let sign = if seconds < 0 { '-' } else { '+' };
    let (whole, rest) = (seconds.abs() / 3_600, seconds.abs() % 3_600);
    match (rest / 60, rest % 60) {
        (0, 0) => format!("{sign}{whole:02}"),
        (minutes, 0) => format!("{sign}{whole:02}:{minutes:02}"),
        (minutes, seconds) => format!("{sign}{whole:02}:{minutes:02}:{seconds:02}"),
    }
}

fn database_zone(text: &str) -> Option<TimeZone> {
    // What jiff calls unknown is no zone to PostgreSQL.
    let zone = TimeZone::get(text).ok().filter(|zone| !zone.is_unknown())?;
    Some(zone)
}

/// Years that have more than four digits have the rules of those with four that have the same calendar, which comes again
/// after 400 years.
fn timestamp(micros: i64) -> Timestamp {
    const AGAIN: i64 = 146_097 * 86_400 * SECOND;
    let first = Timestamp::MIN.as_microsecond() + 200_000 * SECOND;
    let last = Timestamp::MAX.as_microsecond() - 200_000 * SECOND;
    // Before the first there are no rules, so that it stands for all of them.
    let micros = micros.saturating_add(EPOCH).max(first);
    let over = micros.saturating_sub(last);
    let again = if over > 0 { (over / AGAIN + 1) * AGAIN } else { 0 };
    let micros = micros.saturating_sub(again).max(first);
    Timestamp::from_microsecond(micros).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Hours since 2000.
    fn hours(hours: i64) -> i64 {
        hours * 3_600 * SECOND
    }

    #[test]
    fn settings_are_shown_as_postgresql_shows_them() {
        let check = |text: &str, expected: Option<&str>| {
            let found = Zone::setting(text);
            assert_eq!(found.as_ref().map(Zone::name), expected, "{text}");
        };
        check("europe/berlin", Some("Europe/Berlin"));
        check("utc", Some("UTC"));
        check("CET", Some("CET"));
        check("2", Some("<+02>-02"));
        check("-5.5", Some("<-05:30>+05:30"));
        check("+02:00", Some("+02:00"));
        check("<+02>-02", Some("<+02>-02"));
        check("foo-3", Some("FOO-3"));
        check("foo3bar", Some("FOO3BAR"));
        check("Zulu", Some("Zulu"));
        for unknown in ["", "Z", "CEST", "Mars/Olympus", "Etc/Unknown", "200", "<a"] {
            check(unknown, None);
        }
    }

    #[test]
    fn offsets_are_those_of_the_moment() {
        let berlin = Zone::setting("Europe/Berlin").unwrap();
        assert_eq!((berlin.east(0), berlin.abbreviation(0)), (hours(1), "CET".into()));
        let july = hours(24 * 190);
        assert_eq!(
            (berlin.east(july), berlin.abbreviation(july)),
            (hours(2), "CEST".into())
        );
        // 2024-03-31: from 02:00 to 03:00; 2024-10-27: from 03:00 to 02:00.
        let gap = hours(24 * 8_856) + hours(2) + hours(1) / 2;
        assert_eq!(berlin.east_of_local(gap), hours(1));
        let fold = hours(24 * 9_066) + hours(2) + hours(1) / 2;
        assert_eq!(berlin.east_of_local(fold), hours(1));
        assert_eq!(Zone::setting("+02:00").unwrap().east(0), -hours(2));
        assert_eq!(Zone::setting("2").unwrap().east(0), hours(2));
        assert_eq!(Zone::told("cest").unwrap().east(0), hours(2));
        assert_eq!(berlin.east(i64::MAX), hours(1));
        // Before there were zones: local mean time.
        assert_eq!(berlin.east(i64::MIN), 3_208 * SECOND);
        assert_eq!(offset_text(-2_670), "-00:44:30");
    }
}
