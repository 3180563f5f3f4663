//! Dates and times as PostgreSQL reads them: days and microseconds since 2000-01-01. The greatest and the least number stand
//! for `infinity` and `-infinity`.

use super::{
    ValueError,
    calendar::{SECOND, check_day, check_timestamp},
    datetime_fields::read,
    zone::Zone,
};

pub(crate) use super::datetime_fields::DateTimeFields;

/// What a text is read by.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Surroundings<'s> {
    /// The session's zone.
    pub(crate) zone: &'s Zone,
    /// The order of a date's numbers.
    pub(crate) order: DateOrder,
    /// The moment that `now` means, in UTC.
    pub(crate) now: i64,
}

/// Which of a date's numbers is the first one where that is not a year of four digits, as `DateStyle` has it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum DateOrder {
    #[default]
    Month,
    Day,
    Year,
}

impl DateOrder {
    /// Of the setting's words.
    pub(crate) fn of(style: &str) -> Self {
        if style.ends_with("DMY") {
            Self::Day
        } else if style.ends_with("YMD") {
            Self::Year
        } else {
            Self::Month
        }
    }

    /// Year, month and day of three numbers. A year of two digits is of this century or the last.
    pub(super) fn sorted(self, numbers: &[i64]) -> Option<Vec<i64>> {
        let &[one, two, three] = numbers else { return None };
        let (year, month, day) = match self {
            Self::Month => (three, one, two),
            Self::Day => (three, two, one),
            Self::Year => (one, two, three),
        };
        Some(vec![whole_year(year), month, day])
    }
}

/// A year, which is of this century or the last where it has two digits.
pub(super) fn whole_year(year: i64) -> i64 {
    match year {
        0..70 => year + 2_000,
        70..100 => year + 1_900,
        year => year,
    }
}

/// What a text says of a moment; `name` is the type that an error names.
pub(crate) fn read_moment(
    text: &str,
    name: &str,
    around: &Surroundings<'_>,
) -> Result<DateTimeFields, ValueError> {
    read(text, name, around)
}

fn endless(text: &str) -> Option<i64> {
    match text.trim_ascii().to_ascii_lowercase().as_str() {
        "infinity" => Some(i64::MAX),
        "-infinity" => Some(i64::MIN),
        _ => None,
    }
}

fn missing(name: &str, text: &str) -> ValueError {
    ValueError::new(
        "22007",
        format!("invalid input syntax for type {name}: \"{text}\""),
    )
}

/// A text as a `date`.
pub(crate) fn read_date(text: &str, around: &Surroundings<'_>) -> Result<i64, ValueError> {
    if let Some(endless) = endless(text) {
        return Ok(endless);
    }
    let days = read(text, "date", around)?.days;
    let days = days.ok_or_else(|| missing("date", text))?;
    check_day(days, || format!("date out of range: \"{text}\""))
}

/// A text as a `time`.
pub(crate) fn read_time(text: &str, around: &Surroundings<'_>) -> Result<i64, ValueError> {
    let time = read(text, "time", around)?.time;
    time.ok_or_else(|| missing("time", text))
}

/// A text as a `timetz`: a time and seconds east of UTC.
pub(crate) fn read_timetz(text: &str, around: &Surroundings<'_>) -> Result<(i64, i64), ValueError> {
    let found = read(text, "time with time zone", around)?;
    let offset = found.offset.unwrap_or_else(|| around.zone.east(around.now));
    let time = found.time.ok_or_else(|| missing("time with time zone", text))?;
    Ok((time, offset / SECOND))
}

/// A text as a `timestamp`.
pub(crate) fn read_timestamp(text: &str, around: &Surroundings<'_>) -> Result<i64, ValueError> {
    if let Some(endless) = endless(text) {
        return Ok(endless);
    }
    let found = read(text, "timestamp", around)?;
    if found.days.is_none() {
        return Err(missing("timestamp", text));
    }
    in_range(found.local(), text)
}

/// A text as a `timestamptz`; where it has no offset, the session's clocks are meant.
pub(crate) fn read_timestamptz(text: &str, around: &Surroundings<'_>) -> Result<i64, ValueError> {
    if let Some(endless) = endless(text) {
        return Ok(endless);
    }
    let found = read(text, "timestamp with time zone", around)?;
    if found.days.is_none() {
        return Err(missing("timestamp with time zone", text));
    }
    let utc = match found.offset {
        Some(offset) => found.local().saturating_sub(offset),
        None => around.zone.utc(found.local()),
    };
    in_range(utc, text)
}

/// A moment that was read of a text, unless PostgreSQL has none so early or so late.
fn in_range(micros: i64, text: &str) -> Result<i64, ValueError> {
    let finite = micros.clamp(i64::MIN + 1, i64::MAX - 1);
    check_timestamp(finite, || format!("timestamp out of range: \"{text}\""))
}
