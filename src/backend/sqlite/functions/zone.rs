//! Time zones: offsets, and those whose rules the machine keeps in `/usr/share/zoneinfo`.

use std::{
    collections::HashMap,
    fs,
    sync::{Arc, LazyLock, Mutex, PoisonError},
};

use super::{
    Failure,
    Nature::Strict,
    Scalar, V,
    datetime::{self, SECOND},
    fail,
    interval::Interval,
    time,
};

/// Moments from which an offset holds, in seconds of the Unix epoch, and the offset before the first.
#[derive(Debug, Default)]
struct Rules {
    first: i64,
    changes: Vec<(i64, i64)>,
}

static KNOWN: LazyLock<Mutex<HashMap<String, Option<Arc<Rules>>>>> = LazyLock::new(Mutex::default);

/// Seconds from 1970 to 2000.
const EPOCH: i64 = 946_684_800;

/// A fixed offset: `Z`, `UTC`, `+02`, `-03:30`, `+0530`; microseconds east.
pub(super) fn offset(text: &str) -> Option<i64> {
    match text.to_ascii_lowercase().as_str() {
        "z" | "utc" | "gmt" | "zulu" | "ut" => return Some(0),
        "est" => return Some(-5 * 3600 * SECOND),
        "edt" | "cst" => return Some(if text.eq_ignore_ascii_case("edt") { -4 } else { -6 } * 3600 * SECOND),
        "pst" => return Some(-8 * 3600 * SECOND),
        "pdt" => return Some(-7 * 3600 * SECOND),
        "cet" => return Some(3600 * SECOND),
        "cest" => return Some(7200 * SECOND),
        _ => {}
    }
    let sign = match text.as_bytes().first()? {
        b'+' => 1,
        b'-' => -1,
        _ => return None,
    };
    let digits = &text[1..];
    let (hours, minutes): (i64, i64) = match digits.split_once(':') {
        Some((hours, minutes)) => (hours.parse().ok()?, minutes.parse().ok()?),
        None if digits.len() == 4 => (digits[..2].parse().ok()?, digits[2..].parse().ok()?),
        None => (digits.parse().ok()?, 0),
    };
    Some(sign * (hours * 60 + minutes) * 60 * SECOND)
}

fn rules(name: &str) -> Option<Arc<Rules>> {
    let plain = name
        .bytes()
        .all(|b| b.is_ascii_alphanumeric() || matches!(b, b'/' | b'_' | b'-' | b'+'));
    if !plain || name.starts_with('/') || name.is_empty() {
        return None;
    }
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    known
        .entry(name.to_owned())
        .or_insert_with(|| {
            let bytes = fs::read(format!("/usr/share/zoneinfo/{name}")).ok()?;
            read(&bytes).map(Arc::new)
        })
        .clone()
}

/// `TZif`, version 2 and later (RFC 8536): the second block has 64-bit times.
fn read(bytes: &[u8]) -> Option<Rules> {
    let counts = |at: usize| -> Option<[usize; 6]> {
        let mut counts = [0; 6];
        for (index, count) in counts.iter_mut().enumerate() {
            let from = at + 20 + index * 4;
            *count = u32::from_be_bytes(bytes.get(from..from + 4)?.try_into().ok()?) as usize;
        }
        Some(counts)
    };
    if bytes.get(..4)? != b"TZif" {
        return None;
    }
    let [utc, std, leap, times, types, chars] = counts(0)?;
    let second = 44 + times * 5 + types * 6 + chars + leap * 8 + std + utc;
    let [_, _, _, times, types, _] = counts(second)?;
    let body = second + 44;
    let kinds = body + times * 8;
    let table = kinds + times;
    let kind = |index: usize| -> Option<i64> {
        let from = table + index * 6;
        Some(i32::from_be_bytes(bytes.get(from..from + 4)?.try_into().ok()?).into())
    };
    let mut changes = vec![];
    for index in 0..times {
        let from = body + index * 8;
        let moment = i64::from_be_bytes(bytes.get(from..from + 8)?.try_into().ok()?);
        changes.push((moment, kind(usize::from(*bytes.get(kinds + index)?))?));
    }
    (types > 0).then_some(())?;
    Some(Rules {
        first: kind(0)?,
        changes,
    })
}

impl Rules {
    /// Seconds east at a moment in UTC.
    fn at(&self, moment: i64) -> i64 {
        let after = self.changes.partition_point(|(from, _)| *from <= moment);
        after.checked_sub(1).map_or(self.first, |at| self.changes[at].1)
    }
}

/// Microseconds east that a zone has at a moment, which is local time or UTC.
fn east(zone: &str, micros: i64, is_local: bool) -> Result<i64, Failure> {
    // As POSIX has it, a bare offset in a zone's place counts west.
    if zone.starts_with(['+', '-'])
        && let Some(offset) = offset(zone)
    {
        return Ok(-offset);
    }
    if let Some(offset) = offset(zone) {
        return Ok(offset);
    }
    let Some(rules) = rules(zone) else {
        return fail("22023", format!("time zone \"{zone}\" not recognized"));
    };
    let seconds = micros.div_euclid(SECOND) + EPOCH;
    if !is_local {
        return Ok(rules.at(seconds) * SECOND);
    }
    let guess = rules.at(seconds - rules.at(seconds));
    Ok(rules
        .at(seconds - guess)
        .min(guess.max(rules.at(seconds - guess)))
        * SECOND)
}

fn offset_of(zone: &V, micros: i64, is_local: bool) -> Result<i64, Failure> {
    let text = zone.text();
    if text.contains(':')
        && !text.starts_with(['+', '-'])
        && let Ok(interval) = Interval::read(&text)
    {
        return Ok(interval.micros);
    }
    east(&text, micros, is_local)
}

/// `AT TIME ZONE`.
pub(super) const FUNCTIONS: &[Scalar] = &[
    ("pg_timezone_in", 2, Strict, |v| {
        let local = time::micros(&v[1])?;
        let utc = local - offset_of(&v[0], local, true)?;
        Ok(format!("{}+00", datetime::timestamp_text(utc)).into())
    }),
    ("pg_timezone_out", 2, Strict, |v| {
        let utc = time::micros(&v[1])?;
        Ok(datetime::timestamp_text(utc + offset_of(&v[0], utc, false)?).into())
    }),
];
