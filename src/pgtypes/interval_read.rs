//! The spellings of `interval`, field by field from the last to the first, as `DecodeInterval` reads them.

use super::{calendar::SECOND, interval_fields as fields};

const MINUTE: i64 = 60 * SECOND;
const HOUR: i64 = 60 * MINUTE;
const DAY: i64 = 24 * HOUR;
/// Fields that a text may have (`MAXDATEFIELDS`).
const MOST_FIELDS: usize = 25;
/// Letters that a unit is told by (`TOKMAXLEN`).
const UNIT_LETTERS: usize = 10;

/// Words that digits may follow at once, because they are words of dates.
const WORDS: &str = " ad allballs am apr april at aug august bc d dec december dow doy dst epoch feb february fri friday h \
    infinity isodow isoyear j jan january jd jul julian july jun june m mar march may mm mon monday nov november now oct \
    october on pm s sat saturday sep sept september sun sunday t thu thur thurs thursday today tomorrow tue tues tuesday \
    wed wednesday weds y yesterday ";

/// Why a text is no span.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Wrong {
    Format,
    /// A field has no room for its number.
    Overflow,
}

/// What a text says: years apart from months, which are each in range before they are out of it together.
#[derive(Debug, Default, Clone, Copy)]
pub(super) struct Parts {
    pub(super) years: i32,
    pub(super) months: i32,
    pub(super) days: i32,
    pub(super) micros: i64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum FieldKind {
    /// Digits and colons.
    Time,
    /// Digits, with a point or dashes perhaps.
    Number,
    Word,
}

/// A field of a text, without its sign.
#[derive(Debug)]
struct Field<'t> {
    kind: FieldKind,
    sign: Option<u8>,
    text: &'t str,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unit {
    Microsecond,
    Millisecond,
    Second,
    Minute,
    Hour,
    Day,
    Week,
    Month,
    Quarter,
    Year,
    Decade,
    Century,
    Millennium,
    Timezone,
    TimezoneHour,
    TimezoneMinute,
}

/// A unit by its name or an abbreviation of it, in small letters (`deltatktbl`).
pub(crate) fn unit(word: &str) -> Option<Unit> {
    let word = word.get(..UNIT_LETTERS).unwrap_or(word);
    Some(match word {
        "us" | "usec" | "usecs" | "microsecon" => Unit::Microsecond,
        "ms" | "msec" | "msecs" | "millisecon" => Unit::Millisecond,
        "s" | "sec" | "secs" | "second" | "seconds" => Unit::Second,
        "m" | "min" | "mins" | "minute" | "minutes" => Unit::Minute,
        "h" | "hr" | "hrs" | "hour" | "hours" => Unit::Hour,
        "d" | "day" | "days" => Unit::Day,
        "w" | "week" | "weeks" => Unit::Week,
        "mon" | "mons" | "month" | "months" => Unit::Month,
        "qtr" | "quarter" => Unit::Quarter,
        "y" | "yr" | "yrs" | "year" | "years" => Unit::Year,
        "dec" | "decs" | "decade" | "decades" => Unit::Decade,
        "c" | "cent" | "century" | "centuries" => Unit::Century,
        "mil" | "mils" | "millennia" | "millennium" => Unit::Millennium,
        "timezone" => Unit::Timezone,
        "timezone_h" => Unit::TimezoneHour,
        "timezone_m" => Unit::TimezoneMinute,
        _ => return None,
    })
}

/// The bytes at the beginning for which this holds.
pub(super) fn begins(text: &str, is_one: impl Fn(u8) -> bool) -> usize {
    text.bytes().take_while(|byte| is_one(*byte)).count()
}

/// The fields of a text in small letters (`ParseDateTime`).
fn split(text: &str) -> Result<Vec<Field<'_>>, Wrong> {
    let mut found = vec![];
    let mut rest = text;
    while let Some(first) = rest.bytes().next() {
        if first.is_ascii_whitespace() || first == 0x0b {
            rest = &rest[1..];
            continue;
        }
        let (kind, sign, length) = match first {
            b'0'..=b'9' => {
                let (kind, length) = begins_with_digit(rest);
                (kind, None, length)
            }
            b'.' => (
                FieldKind::Number,
                None,
                1 + begins(&rest[1..], |byte| byte.is_ascii_digit()),
            ),
            b'a'..=b'z' => {
                let (kind, length) = begins_with_letter(rest);
                (kind, None, length)
            }
            b'+' | b'-' => {
                rest = rest[1..].trim_ascii_start();
                let is_number = |byte: u8| byte.is_ascii_digit() || matches!(byte, b':' | b'.' | b'-');
                match rest.bytes().next() {
                    Some(b'0'..=b'9') => (FieldKind::Number, Some(first), begins(rest, is_number)),
                    Some(b'a'..=b'z') => (
                        FieldKind::Word,
                        None,
                        begins(rest, |byte| byte.is_ascii_lowercase()),
                    ),
                    _ => return Err(Wrong::Format),
                }
            }
            _ if first.is_ascii_punctuation() => {
                rest = &rest[1..];
                continue;
            }
            _ => return Err(Wrong::Format),
        };
        let (text, after) = rest.split_at(length);
        found.push(Field { kind, sign, text });
        if found.len() >= MOST_FIELDS {
            return Err(Wrong::Format);
        }
        rest = after;
    }
    Ok(found)
}

fn begins_with_digit(text: &str) -> (FieldKind, usize) {
    let digits = begins(text, |byte| byte.is_ascii_digit());
    let (_, rest) = text.split_at(digits);
    match rest.bytes().next() {
        Some(b':') => {
            let more = begins(rest, |byte| byte.is_ascii_digit() || matches!(byte, b':' | b'.'));
            (FieldKind::Time, digits + more)
        }
        Some(sign @ (b'-' | b'/' | b'.')) => {
            let second = begins(&rest[1..], |byte| byte.is_ascii_digit());
            let more = if second == 0 {
                1 + begins(&rest[1..], |byte| byte.is_ascii_alphanumeric() || byte == sign)
            } else if rest.as_bytes().get(1 + second) == Some(&sign) {
                1 + second + begins(&rest[1 + second..], |byte| byte.is_ascii_digit() || byte == sign)
            } else {
                1 + second
            };
            (FieldKind::Number, digits + more)
        }
        _ => (FieldKind::Number, digits),
    }
}

fn begins_with_letter(text: &str) -> (FieldKind, usize) {
    let letters = begins(text, |byte| byte.is_ascii_lowercase());
    let (word, rest) = text.split_at(letters);
    let is_date = match rest.bytes().next() {
        Some(b'-' | b'/' | b'.') => true,
        Some(byte) if byte == b'+' || byte.is_ascii_digit() => !WORDS.contains(&format!(" {word} ")),
        _ => false,
    };
    if !is_date {
        return (FieldKind::Word, letters);
    }
    // No number begins with a letter: what a date would be is no field of a span.
    let more = begins(rest, |byte| {
        byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'/' | b'_' | b'.' | b':')
    });
    (FieldKind::Number, letters + more)
}

/// The digits at the beginning as a number, and what is behind them.
fn whole(text: &str) -> Result<(i64, &str), Wrong> {
    let (digits, rest) = text.split_at(begins(text, |byte| byte.is_ascii_digit()));
    if digits.is_empty() {
        return Ok((0, rest));
    }
    Ok((digits.parse().map_err(|_| Wrong::Overflow)?, rest))
}

fn small(text: &str) -> Result<(i64, &str), Wrong> {
    let (number, rest) = whole(text)?;
    i32::try_from(number).map_err(|_| Wrong::Overflow)?;
    Ok((number, rest))
}

/// `.5`, or a point alone.
fn fraction(text: &str) -> Result<f64, Wrong> {
    if text == "." {
        return Ok(0.0);
    }
    let is_one = text[1..].bytes().all(|byte| byte.is_ascii_digit());
    let read = text.parse().ok().filter(|_| is_one);
    read.ok_or(Wrong::Format)
}

fn micros_of(fraction: f64) -> i64 {
    (fraction * SECOND as f64).round_ties_even() as i64
}

/// The unit of a number that none stands behind: the smallest field that is asked for.
fn usual(range: i64) -> Unit {
    let has = |field: i64| range & field != 0;
    if range == fields::ALL || has(fields::SECOND) {
        Unit::Second
    } else if has(fields::MINUTE) {
        Unit::Minute
    } else if has(fields::HOUR) {
        Unit::Hour
    } else if has(fields::DAY) {
        Unit::Day
    } else if has(fields::MONTH) {
        Unit::Month
    } else {
        Unit::Year
    }
}

/// What a unit is remembered by, so that none comes twice.
fn mask(unit: Unit) -> u32 {
    1 << unit as u32
}

fn seconds_mask() -> u32 {
    mask(Unit::Second) | mask(Unit::Millisecond) | mask(Unit::Microsecond)
}

fn time_mask() -> u32 {
    mask(Unit::Hour) | mask(Unit::Minute) | seconds_mask()
}

impl Parts {
    /// A text by itself, or as a span of these fields alone.
    pub(super) fn read(text: &str, range: i64) -> Result<Self, Wrong> {
        let lower = text.to_ascii_lowercase();
        match split(&lower).and_then(|found| Self::of_fields(&found, range)) {
            Err(Wrong::Format) => Self::iso(text),
            read => read,
        }
    }

    fn of_fields(found: &[Field<'_>], range: i64) -> Result<Self, Wrong> {
        let mut parts = Self::default();
        let mut next: Option<Unit> = None;
        let (mut seen, mut is_before, mut is_ago) = (0, false, false);
        for field in found.iter().rev() {
            let read = match field.kind {
                FieldKind::Word => {
                    match field.text {
                        "ago" => (is_before, is_ago) = (true, true),
                        word => (next, is_ago) = (Some(unit(word).ok_or(Wrong::Format)?), false),
                    }
                    continue;
                }
                FieldKind::Time => Some(time(field.text, range)?),
                // What fails as a time with a sign is no number either.
                FieldKind::Number if field.sign.is_some() && field.text.contains(':') => {
                    Some(time(field.text, range).map_err(|_| Wrong::Format)?)
                }
                FieldKind::Number => None,
            };
            let is_negative = field.sign == Some(b'-');
            let new = if let Some(time) = read {
                let time = if is_negative { -time } else { time };
                parts.micros = i64::try_from(time).map_err(|_| Wrong::Overflow)?;
                (next, is_ago) = (Some(Unit::Day), false);
                time_mask()
            } else {
                if is_ago {
                    return Err(Wrong::Format);
                }
                let unit = next.unwrap_or_else(|| usual(range));
                let (unit, new) = parts.number(field.text, is_negative, unit)?;
                next = Some(unit);
                new
            };
            if new & seen != 0 {
                return Err(Wrong::Format);
            }
            seen |= new;
        }
        if seen == 0 {
            return Err(Wrong::Format);
        }
        if is_before {
            return parts.negated().ok_or(Wrong::Overflow);
        }
        Ok(parts)
    }

    fn negated(self) -> Option<Self> {
        Some(Self {
            years: self.years.checked_neg()?,
            months: self.months.checked_neg()?,
            days: self.days.checked_neg()?,
            micros: self.micros.checked_neg()?,
        })
    }

    /// Adds a number of a unit; returns the unit of the number before it, and what was read.
    fn number(&mut self, text: &str, is_negative: bool, unit: Unit) -> Result<(Unit, u32), Wrong> {
        // The least number has no positive one beside it.
        let digits = begins(text, |byte| byte.is_ascii_digit());
        let (digits, rest) = text.split_at(digits);
        let signed = format!("{}{digits}", if is_negative { "-" } else { "" });
        let mut value: i64 = match digits {
            "" => 0,
            _ => signed.parse().map_err(|_| Wrong::Overflow)?,
        };
        let sign = if is_negative { -1 } else { 1 };
        let (mut unit, mut part) = (unit, 0.0);
        match rest.bytes().next() {
            None => {}
            Some(b'.') => part = fraction(rest)? * sign as f64,
            // Years and months.
            Some(b'-') => {
                let (months, behind) = small(&rest[1..])?;
                if months >= 12 {
                    return Err(Wrong::Overflow);
                }
                if !behind.is_empty() {
                    return Err(Wrong::Format);
                }
                unit = Unit::Month;
                value = value
                    .checked_mul(12)
                    .and_then(|years| years.checked_add(sign * months))
                    .ok_or(Wrong::Overflow)?;
            }
            Some(_) => return Err(Wrong::Format),
        }
        self.add(value, part, unit)?.ok_or(Wrong::Overflow)?;
        let new = if unit == Unit::Second && part != 0.0 {
            seconds_mask()
        } else {
            mask(unit)
        };
        let before = if unit == Unit::Hour { Unit::Day } else { unit };
        Ok((before, new))
    }

    /// `None` where there is no room.
    pub(super) fn add(&mut self, value: i64, part: f64, unit: Unit) -> Result<Option<()>, Wrong> {
        Ok(match unit {
            Unit::Microsecond => self.add_micros(value, part, 1),
            Unit::Millisecond => self.add_micros(value, part, 1_000),
            Unit::Second => self.add_micros(value, part, SECOND),
            Unit::Minute => self.add_micros(value, part, MINUTE),
            Unit::Hour => self.add_micros(value, part, HOUR),
            Unit::Day => self.add_days(value, 1).and_then(|()| self.add_part(part, DAY)),
            Unit::Week => self
                .add_days(value, 7)
                .and_then(|()| self.add_part_of_days(part, 7)),
            Unit::Month => self
                .add_months(value)
                .and_then(|()| self.add_part_of_days(part, 30)),
            Unit::Year => self.add_years(value, part, 1),
            Unit::Decade => self.add_years(value, part, 10),
            Unit::Century => self.add_years(value, part, 100),
            Unit::Millennium => self.add_years(value, part, 1_000),
            _ => return Err(Wrong::Format),
        })
    }

    fn add_micros(&mut self, value: i64, part: f64, scale: i64) -> Option<()> {
        self.micros = self.micros.checked_add(value.checked_mul(scale)?)?;
        self.add_part(part, scale)
    }

    pub(super) fn add_part(&mut self, part: f64, scale: i64) -> Option<()> {
        let part = part * scale as f64;
        let mut micros = part as i64;
        let rest = part - micros as f64;
        if rest > 0.5 {
            micros += 1;
        } else if rest < -0.5 {
            micros -= 1;
        }
        self.micros = self.micros.checked_add(micros)?;
        Some(())
    }

    fn add_days(&mut self, value: i64, scale: i32) -> Option<()> {
        let days = i32::try_from(value).ok()?.checked_mul(scale)?;
        self.days = self.days.checked_add(days)?;
        Some(())
    }

    fn add_part_of_days(&mut self, part: f64, scale: i64) -> Option<()> {
        let part = part * scale as f64;
        self.days = self.days.checked_add(part as i32)?;
        self.add_part(part.fract(), DAY)
    }

    fn add_months(&mut self, value: i64) -> Option<()> {
        self.months = self.months.checked_add(i32::try_from(value).ok()?)?;
        Some(())
    }

    fn add_years(&mut self, value: i64, part: f64, scale: i32) -> Option<()> {
        let years = i32::try_from(value).ok()?.checked_mul(scale)?;
        self.years = self.years.checked_add(years)?;
        let months = (part * f64::from(scale) * 12.0).round_ties_even() as i64;
        self.add_months(months)
    }
}

/// `1:30` and `1:30:15.5`; two fields are minutes and seconds where only those are asked for, or a point says so.
/// The least span of all has no positive one beside it, so there is more room here.
fn time(text: &str, range: i64) -> Result<i128, Wrong> {
    let (hours, rest) = whole(text)?;
    let rest = rest.strip_prefix(':').ok_or(Wrong::Format)?;
    let (minutes, rest) = small(rest)?;
    let (hours, minutes, seconds, part) = match rest.bytes().next() {
        None if range == fields::MINUTE | fields::SECOND => (0, hours, minutes, 0.0),
        None => (hours, minutes, 0, 0.0),
        Some(b'.') => (0, hours, minutes, fraction(rest)?),
        Some(b':') => {
            let (seconds, rest) = small(&rest[1..])?;
            match rest.bytes().next() {
                None => (hours, minutes, seconds, 0.0),
                Some(b'.') => (hours, minutes, seconds, fraction(rest)?),
                Some(_) => return Err(Wrong::Format),
            }
        }
        Some(_) => return Err(Wrong::Format),
    };
    // A minute has 60 seconds where they are rounded up.
    if minutes > 59 || seconds > 60 {
        return Err(Wrong::Overflow);
    }
    let whole = i128::from(hours) * i128::from(HOUR);
    Ok(whole + i128::from(minutes * MINUTE + seconds * SECOND + micros_of(part)))
}
