//! What a text says of a date and a time, word by word.

use super::{
    ValueError,
    calendar::{DAY, EPOCH_DAYS, JULIAN_EPOCH, SECOND, days_in, days_of, split_kept},
    datetime::{Surroundings, whole_year},
    zone::{self, Zone},
};

/// Microseconds from Greenwich that an offset in a text may have.
const FARTHEST_OFFSET: i64 = (15 * 3_600 + 59 * 60 + 59) * SECOND;

const MONTHS: [&str; 12] = [
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
];
const WEEKDAYS: [&str; 7] = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];

/// What a text says of a moment.
#[derive(Debug, Default, Clone, Copy)]
pub(crate) struct DateTimeFields {
    pub(crate) days: Option<i64>,
    pub(crate) time: Option<i64>,
    /// Microseconds east of UTC.
    pub(crate) offset: Option<i64>,
}

impl DateTimeFields {
    /// Microseconds without regard to the offset.
    pub(crate) fn local(self) -> i64 {
        let days = self.days.unwrap_or(0).saturating_mul(DAY);
        days.saturating_add(self.time.unwrap_or(0))
    }
}

/// Reads a date, a time or both. `name` is the type that the error names.
pub(super) fn read(text: &str, name: &str, around: &Surroundings<'_>) -> Result<DateTimeFields, ValueError> {
    let wrong = || {
        Err(ValueError::new(
            "22007",
            format!("invalid input syntax for type {name}: \"{text}\""),
        ))
    };
    let outside = || {
        Err(ValueError::new(
            "22008",
            format!("date/time field value out of range: \"{text}\""),
        ))
    };
    let mut found = DateTimeFields::default();
    let lower = text.trim().to_ascii_lowercase();
    let is_clock = matches!(name, "time" | "time with time zone");
    // ISO 8601 has a T in front of a time that stands alone.
    let begins_with_t = is_clock && lower.len() > 1 && lower.as_bytes()[1].is_ascii_digit();
    let lower = match lower.strip_prefix('t') {
        Some(time) if begins_with_t => time.to_owned(),
        _ => lower,
    };
    let spaced = split_t(&lower).replace(',', " ");
    let mut numbers: Vec<i64> = vec![];
    // How many digits the last of them has: a year may have two.
    let mut digits = 0;
    let mut month = None;
    let mut before_christ = false;
    let mut zone = None;
    // The day's number within a year, and whether the next word is one of a Julian day.
    let (mut of_year, mut is_julian) = (None, false);
    for word in spaced.split_whitespace() {
        // An offset may follow a date at once.
        let word = match word.split_once('+') {
            Some((date, _)) if date.matches('-').count() == 2 && !date.contains(':') => {
                let Some(offset) = offset_of(&word[date.len()..]) else {
                    return wrong();
                };
                found.offset = Some(offset);
                date
            }
            _ => word,
        };
        if is_clock
            && found.time.is_none()
            && numbers.is_empty()
            && found.days.is_none()
            && let Some((time, offset)) = clock_of_digits(word)
        {
            if time > DAY {
                return outside();
            }
            found.time = Some(time);
            found.offset = offset.or(found.offset);
            continue;
        }
        // What stands before or behind all digits is ours.
        if word.starts_with(['/', ':']) && found.days.is_none() {
            let Some((days, "")) = split_kept(word) else {
                return wrong();
            };
            found.days = Some(days);
            continue;
        }
        if word == "j" && found.days.is_none() {
            is_julian = true;
            continue;
        }
        let counted = if is_julian {
            Some(word)
        } else {
            word.strip_prefix('j')
        };
        if let Some(days) = counted.filter(|days| days.starts_with(|c: char| c.is_ascii_digit())) {
            if days.len() > 9 && days.bytes().all(|byte| byte.is_ascii_digit()) {
                return outside();
            }
            let Some((days, time)) = read_julian(days) else {
                return wrong();
            };
            found.days = Some(days);
            found.time = time.or(found.time);
            is_julian = false;
            continue;
        }
        match word {
            "now" => {
                let now = around.zone.local(around.now);
                found.days = Some(now.div_euclid(DAY));
                found.time = Some(now.rem_euclid(DAY));
                continue;
            }
            "today" | "tomorrow" | "yesterday" => {
                let now = around.zone.local(around.now);
                let days = now.div_euclid(DAY);
                found.days = Some(match word {
                    "tomorrow" => days + 1,
                    "yesterday" => days - 1,
                    _ => days,
                });
                found.time = Some(0);
                continue;
            }
            "epoch" => {
                found.days = Some(-EPOCH_DAYS);
                found.time = Some(0);
                found.offset = Some(0);
                continue;
            }
            "allballs" => {
                found.time = Some(0);
                found.offset = Some(0);
                continue;
            }
            "bc" => {
                before_christ = true;
                continue;
            }
            "ad" => continue,
            "am" | "pm" => {
                let Some(time) = found.time else { return wrong() };
                let half = 12 * 3600 * SECOND;
                found.time = Some(if word == "pm" && time < half {
                    time + half
                } else if word == "am" && time >= half {
                    time - half
                } else {
                    time
                });
                continue;
            }
            _ => {}
        }
        // An offset may stand behind a space. A date alone may have one too, as pgjdbc sends it.
        let has_date = numbers.len() + usize::from(month.is_some()) == 3;
        if (found.time.is_some() || has_date)
            && word.starts_with(['+', '-'])
            && let Some(offset) = offset_of(word)
        {
            found.offset = Some(offset);
            continue;
        }
        if word.contains(':') {
            let Some((time, offset)) = read_time(word) else {
                return wrong();
            };
            if time > DAY {
                return outside();
            }
            found.time = Some(time);
            found.offset = offset.or(found.offset);
            continue;
        }
        if let Some(at) = MONTHS
            .iter()
            .position(|name| word.starts_with(name) && word.bytes().all(|b| b.is_ascii_alphabetic()))
        {
            month = Some(at as i64 + 1);
            continue;
        }
        if WEEKDAYS.iter().any(|name| word.starts_with(name)) {
            continue;
        }
        if found.time.is_some()
            && let Some(offset) = offset_of(word)
        {
            found.offset = Some(offset);
            continue;
        }
        if (found.time.is_some() || has_date) && word.starts_with(|c: char| c.is_ascii_alphabetic()) {
            match Zone::told(word) {
                Some(told) => zone = Some(told),
                None if word.contains('/') => {
                    let words = format!("time zone \"{word}\" not recognized");
                    return Err(ValueError::new("22023", words));
                }
                None => return wrong(),
            }
            continue;
        }
        let separator = ['-', '/', '.']
            .into_iter()
            .find(|sign| word.trim_start_matches('-').contains(*sign));
        match separator {
            Some(sign) if numbers.is_empty() && day_of_year(word, sign).is_some() => {
                of_year = day_of_year(word, sign);
            }
            Some(sign) => {
                for part in word.split(sign) {
                    if let Some(at) = MONTHS.iter().position(|name| part.starts_with(name)) {
                        month = Some(at as i64 + 1);
                        continue;
                    }
                    match part.parse() {
                        Ok(number) if part.bytes().all(|b| b.is_ascii_digit()) => {
                            digits = part.len();
                            numbers.push(number);
                        }
                        _ => return wrong(),
                    }
                }
                let year_first = word.find(sign).is_none_or(|at| at >= 3);
                if let Some(sorted) = around.order.sorted(&numbers).filter(|_| !year_first) {
                    numbers = sorted;
                }
            }
            None if word.len() >= 6 && numbers.is_empty() && word.bytes().all(|b| b.is_ascii_digit()) => {
                let number: i64 = word.parse().unwrap_or(0);
                let year = number / 10_000;
                let year = if word.len() == 6 { whole_year(year) } else { year };
                numbers.extend([year, number / 100 % 100, number % 100]);
            }
            // `20240102 030405`.
            None if word.len() == 6
                && numbers.len() == 3
                && found.time.is_none()
                && word.bytes().all(|b| b.is_ascii_digit()) =>
            {
                let Some((time, _)) = read_time(&format!("{}:{}:{}", &word[..2], &word[2..4], &word[4..]))
                else {
                    return wrong();
                };
                if time > DAY {
                    return outside();
                }
                found.time = Some(time);
            }
            None => match word.trim_end_matches(['t', 'h', 's', 'n', 'd', 'r']).parse() {
                Ok(number) => {
                    digits = word.len();
                    numbers.push(number);
                }
                Err(_) => return wrong(),
            },
        }
    }
    if let Some(month) = month {
        let [one, two] = numbers.as_slice() else {
            return wrong();
        };
        numbers = if *one > 31 {
            vec![*one, month, *two]
        } else if digits <= 2 && !before_christ {
            vec![whole_year(*two), month, *one]
        } else {
            vec![*two, month, *one]
        };
    }
    if let Some((year, day)) = of_year {
        let year = if before_christ { 1 - year } else { year };
        found.days = Some(days_of(year, 1, 1) + day - 1);
    }
    match numbers.as_slice() {
        [] => {}
        &[year, month, day] => {
            if !(1..=12).contains(&month) || day < 1 || day > days_in(year, month) {
                return outside();
            }
            if year == 0 {
                return outside();
            }
            let year = if before_christ { 1 - year } else { year };
            found.days = Some(days_of(year, month, day));
        }
        _ => return wrong(),
    }
    if found.days.is_none() && found.time.is_none() {
        return wrong();
    }
    if found.offset.is_some_and(|offset| offset.abs() > FARTHEST_OFFSET) {
        let words = format!("time zone displacement out of range: \"{text}\"");
        return Err(ValueError::new("22009", words));
    }
    if let Some(zone) = zone {
        // What hour it is there depends on the day.
        if is_clock && found.days.is_none() && !zone.is_fixed() {
            return wrong();
        }
        found.offset = Some(zone.east_of_local(found.local()));
    }
    Ok(found)
}

/// The day and the time that a Julian day stands for, whose fraction is a part of the day.
fn read_julian(text: &str) -> Option<(i64, Option<i64>)> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let days: i32 = whole.parse().ok()?;
    if fraction.is_empty() {
        return Some((i64::from(days) - JULIAN_EPOCH, None));
    }
    if !fraction.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let part: f64 = format!("0.{fraction}").parse().ok()?;
    Some((
        i64::from(days) - JULIAN_EPOCH,
        Some((part * DAY as f64).round() as i64),
    ))
}

/// The year and the day's number in it of `2024-060`.
fn day_of_year(word: &str, sign: char) -> Option<(i64, i64)> {
    let (year, day) = word.split_once(sign)?;
    let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if year.len() < 3 || day.len() != 3 || !is_number(year) || !is_number(day) {
        return None;
    }
    let (year, day) = (year.parse::<i32>().ok()?, day.parse().ok()?);
    (year > 0 && (1..=366).contains(&day)).then_some((year.into(), day))
}

/// True for a word that says all by itself: a sign or digits behind it are a word of their own.
fn is_whole(word: &str) -> bool {
    let is_name = |names: &[&str]| word.len() == 3 && names.contains(&word);
    matches!(word, "am" | "pm" | "ad" | "bc") || is_name(&MONTHS) || is_name(&WEEKDAYS)
}

/// With a blank in place of the T between date and time, before a zone of letters, and behind words that say all by themselves.
fn split_t(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut spaced = String::new();
    // `pst8pdt` is one word.
    let mut word = 0;
    for (at, character) in text.char_indices() {
        let digit = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_digit);
        let after_digit = at > 0 && digit(at - 1);
        if character == 't' && after_digit && digit(at + 1) {
            spaced.push(' ');
        } else {
            let before = &text[word..at];
            let is_name = before.starts_with(|first: char| first.is_ascii_alphabetic());
            let is_zone =
                character.is_ascii_alphabetic() && (before.contains(':') || "zuap".contains(character));
            let ends = is_whole(before) && (character == '+' || character.is_ascii_digit());
            if (after_digit && !is_name && is_zone) || ends {
                spaced.push(' ');
                word = at;
            }
            spaced.push(character);
        }
        if spaced.ends_with(char::is_whitespace) {
            word = at + character.len_utf8();
        }
    }
    spaced
}

/// `HH:MM[:SS[.ffffff]][±HH[:MM]]`.
fn read_time(word: &str) -> Option<(i64, Option<i64>)> {
    let at = word.find(['+', '-']).unwrap_or(word.len());
    let (time, offset) = word.split_at(at);
    let mut parts = time.splitn(3, ':');
    let hours: i64 = parts.next()?.parse().ok()?;
    let minutes: i64 = parts.next()?.parse().ok()?;
    let seconds = parts.next().unwrap_or("0");
    let micros = read_seconds(seconds)?;
    // What is no offset makes a date of the whole: `1999-12-31` is not 19:99.
    let offset = if offset.is_empty() {
        None
    } else {
        Some(offset_of(offset)?)
    };
    if minutes > 59 || micros > 60 * SECOND || hours > 24 {
        return Some((DAY + 1, None));
    }
    Some(((hours * 60 + minutes) * 60 * SECOND + micros, offset))
}

/// `HHMM` and `HHMMSS[.ffffff]` with an offset perhaps, where a time alone is wanted.
fn clock_of_digits(word: &str) -> Option<(i64, Option<i64>)> {
    let (time, offset) = word.split_at(word.find(['+', '-']).unwrap_or(word.len()));
    let (whole, fraction) = time.split_at(time.find('.').unwrap_or(time.len()));
    if !whole.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    match whole.len() {
        4 if fraction.is_empty() => read_time(&format!("{}:{}{offset}", &whole[..2], &whole[2..])),
        6 => read_time(&format!(
            "{}:{}:{}{fraction}{offset}",
            &whole[..2],
            &whole[2..4],
            &whole[4..]
        )),
        _ => None,
    }
}

/// Microseconds of `12.345678`, rounded.
fn read_seconds(text: &str) -> Option<i64> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    if !fraction.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let whole: i64 = if whole.is_empty() { 0 } else { whole.parse().ok()? };
    let part: f64 = format!("0.{fraction}0").parse().ok()?;
    let micros = (part * SECOND as f64).round_ties_even() as i64;
    whole.checked_mul(SECOND)?.checked_add(micros)
}

/// A fixed offset, `+02`, `-03:30`, `+0530`, or an abbreviation; microseconds east.
pub(crate) fn offset_of(text: &str) -> Option<i64> {
    let seconds = if text.len() == 4 && text.starts_with(['+', '-']) && !text.contains(':') {
        // `+530`: three digits are no hours, as they may be in the name of a zone.
        zone::offset_of(&format!("{}:{}", &text[..2], &text[2..]))
    } else if text.starts_with(['+', '-']) {
        zone::offset_of(text)
    } else {
        zone::abbreviated(text)
    };
    Some(seconds? * SECOND)
}
