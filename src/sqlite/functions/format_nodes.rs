//! The patterns of `to_date` and `to_timestamp` in their parts, as `parse_format` takes them apart.

use super::{Failure, allowance};

/// How the fields of a date count: two ways are not mixed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mode {
    Gregorian,
    IsoWeek,
}

/// What some fields of a pattern are: their names, longer ones before those that they begin with, whether they are digits,
/// and how they count.
type Fields = (&'static [&'static str], bool, Option<Mode>);

const FIELDS: [Fields; 6] = [
    (
        &[
            "A.D.", "A.M.", "AD", "AM", "B.C.", "BC", "P.M.", "PM", "a.d.", "a.m.", "ad", "am", "b.c.", "bc",
            "p.m.", "pm", "DAY", "Day", "day", "DY", "Dy", "dy", "FX", "fx", "TZH", "OF", "of",
        ],
        false,
        None,
    ),
    (
        &["MONTH", "Month", "month", "MON", "Mon", "mon", "RM", "rm"],
        false,
        Some(Mode::Gregorian),
    ),
    (
        &[
            "IDDD", "ID", "IW", "IYYY", "IYY", "IY", "I", "iddd", "id", "iw", "iyyy", "iyy", "iy", "i",
        ],
        true,
        Some(Mode::IsoWeek),
    ),
    (
        &[
            "DDD", "DD", "D", "MM", "WW", "W", "Y,YYY", "YYYY", "YYY", "YY", "Y", "ddd", "dd", "d", "mm",
            "ww", "w", "y,yyy", "yyyy", "yyy", "yy", "y",
        ],
        true,
        Some(Mode::Gregorian),
    ),
    (
        &[
            "CC", "FF1", "FF2", "FF3", "FF4", "FF5", "FF6", "HH24", "HH12", "HH", "J", "MI", "MS", "Q",
            "SSSSS", "SSSS", "SS", "TZM", "US", "cc", "ff1", "ff2", "ff3", "ff4", "ff5", "ff6", "hh24",
            "hh12", "hh", "j", "mi", "ms", "q", "sssss", "ssss", "ss", "us",
        ],
        true,
        None,
    ),
    (&["TZ", "tz"], false, None),
];

/// How much more memory the parts of a pattern take than its text.
const TIMES: usize = size_of::<Node>();

/// A field of a pattern, or one character of it.
#[derive(Debug)]
pub(super) struct Node {
    /// As it is written; empty for a character.
    pub(super) name: &'static str,
    pub(super) mode: Option<Mode>,
    /// True for a number with a suffix.
    pub(super) is_ordinal: bool,
    /// True where a number has as many digits as there are, because it is asked for so or no digit follows.
    pub(super) takes_all: bool,
    /// True for a blank or a sign outside of quotes.
    pub(super) separates: bool,
    is_digit: bool,
}

/// A pattern in its parts.
pub(super) fn nodes(pattern: &str) -> Result<Vec<Node>, Failure> {
    allowance::memory_of(pattern.len().saturating_mul(TIMES))?;
    let mut found: Vec<Node> = vec![];
    let mut rest = pattern;
    while !rest.is_empty() {
        allowance::turn()?;
        let prefix = ["FM", "fm", "TM", "tm"]
            .iter()
            .find(|prefix| rest.starts_with(**prefix));
        rest = &rest[prefix.map_or(0, |prefix| prefix.len())..];
        if let Some((name, is_digit, mode)) = field(rest) {
            rest = &rest[name.len()..];
            let suffix = ["TH", "th", "SP", "sp"]
                .iter()
                .find(|suffix| rest.starts_with(**suffix));
            rest = &rest[suffix.map_or(0, |suffix| suffix.len())..];
            let is_ordinal = suffix.is_some_and(|suffix| suffix.eq_ignore_ascii_case("th"));
            found.push(Node {
                // The name of this one is told in one case alone.
                name: if name == "fx" { "FX" } else { name },
                mode,
                is_ordinal,
                takes_all: is_ordinal || prefix.is_some_and(|prefix| prefix.eq_ignore_ascii_case("fm")),
                separates: false,
                is_digit,
            });
            continue;
        }
        if let Some(quoted) = rest.strip_prefix('"') {
            rest = quoted;
            while let Some(first) = rest.chars().next() {
                allowance::turn()?;
                rest = &rest[first.len_utf8()..];
                match (first, rest.chars().next()) {
                    ('"', _) => break,
                    ('\\', Some(escaped)) => {
                        rest = &rest[escaped.len_utf8()..];
                        found.push(character(escaped, true));
                    }
                    _ => found.push(character(first, true)),
                }
            }
            continue;
        }
        if rest.starts_with("\\\"") {
            rest = &rest[1..];
        }
        if let Some(first) = rest.chars().next() {
            rest = &rest[first.len_utf8()..];
            found.push(character(first, false));
        }
    }
    for at in 0..found.len() {
        let is_last_digit = found.get(at + 1).is_none_or(|next| !next.is_digit);
        found[at].takes_all |= is_last_digit;
    }
    Ok(found)
}

fn character(character: char, is_quoted: bool) -> Node {
    let is_space = character.is_ascii_whitespace() || character == '\u{b}';
    Node {
        name: "",
        mode: None,
        is_ordinal: false,
        takes_all: false,
        separates: !is_quoted && (is_space || character.is_ascii_punctuation()),
        is_digit: character.is_ascii_digit(),
    }
}

/// The field that a pattern begins with, of which the longest counts.
fn field(pattern: &str) -> Option<(&'static str, bool, Option<Mode>)> {
    let all = FIELDS.iter().flat_map(|(names, is_digit, mode)| {
        let names = names.iter().filter(|name| pattern.starts_with(**name));
        names.map(|name| (*name, *is_digit, *mode))
    });
    all.max_by_key(|(name, ..)| name.len())
}
