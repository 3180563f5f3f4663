//! Hours of the day: `at night`, `in the morning`, `before noon`, `between 9 am and 5 pm`, and the weekend.

use super::super::{
    super::question::{Token, TokenKind},
    marked::{self, Marked},
    rewording::word,
};
use crate::question::schema::Snapshot;

/// When parts of the day begin and end.
const PARTS: [(&str, u8, u8); 4] = [
    ("morning", 6, 12),
    ("afternoon", 12, 18),
    ("evening", 18, 22),
    ("night", 22, 6),
];
const NOON: u8 = 12;

/// Hours of the day as from when until when, unless something is stored under their names.
pub(super) fn of_the_day(mut tokens: Vec<Token>, snapshot: &Snapshot) -> Vec<Token> {
    let compares = tokens.iter().any(|token| {
        matches!(
            token.word.as_str(),
            "versus" | "vs" | "or" | "compared" | "against"
        )
    });
    let mut at = 0;
    while at < tokens.len() {
        let found = part_of_day(&tokens, at, snapshot)
            .or_else(|| clock(&tokens, at))
            .or_else(|| weekend(&tokens, at, snapshot));
        if let Some((marked, end)) = found.filter(|_| !compares) {
            let token = marked::token(marked, &tokens[at]);
            tokens.splice(at..end, [token]);
        }
        at += 1;
    }
    tokens
}

/// True where a word is stored, or is what something is called.
fn is_stored(word: &str, snapshot: &Snapshot) -> bool {
    let mut columns = snapshot.schema.columns();
    !snapshot.values.find(&[word.to_owned()]).is_empty()
        || columns.any(|(_, column)| super::has_word(&column.name, &[word]))
}

/// `at night`, `in the morning`, `during the evenings`.
fn part_of_day(tokens: &[Token], at: usize, snapshot: &Snapshot) -> Option<(Marked, usize)> {
    let noun = match (word(tokens, at), word(tokens, at + 1)) {
        ("in" | "during", "the") => at + 2,
        ("at", "night") => at + 1,
        _ => return None,
    };
    let said = word(tokens, noun);
    let (name, from, to) = PARTS
        .iter()
        .find(|(name, ..)| said == *name || said.strip_suffix('s') == Some(name))?;
    (!is_stored(name, snapshot)).then_some((Marked::Hours(*from, *to), noun + 1))
}

/// `on the weekend`, `at weekends`.
fn weekend(tokens: &[Token], at: usize, snapshot: &Snapshot) -> Option<(Marked, usize)> {
    let led = matches!(word(tokens, at), "at" | "on" | "during" | "over");
    let noun = at + 1 + usize::from(matches!(word(tokens, at + 1), "the" | "a"));
    let says = matches!(word(tokens, noun), "weekend" | "weekends");
    (led && says && !is_stored("weekend", snapshot)).then_some((Marked::Weekend, noun + 1))
}

/// `before noon`, `after 5 pm`, `between 9am and noon`.
fn clock(tokens: &[Token], at: usize) -> Option<(Marked, usize)> {
    let led = word(tokens, at);
    match led {
        "before" | "until" => {
            let (hour, end, _) = hour(tokens, at + 1).filter(|(.., sure)| *sure)?;
            (hour > 0).then_some((Marked::Hours(0, hour), end))
        }
        "after" | "since" => {
            let (hour, end, _) = hour(tokens, at + 1).filter(|(.., sure)| *sure)?;
            Some((Marked::Hours(hour, 24), end))
        }
        "between" | "from" => {
            let (from, joint, first) = hour(tokens, at + 1)?;
            if !matches!(word(tokens, joint), "and" | "to" | "until" | "till") {
                return None;
            }
            let (to, end, second) = hour(tokens, joint + 1)?;
            ((first || second) && from != to).then_some((Marked::Hours(from, to), end))
        }
        _ => None,
    }
}

/// An hour that is told here, where its words end, and whether they say that it is one.
fn hour(tokens: &[Token], at: usize) -> Option<(u8, usize, bool)> {
    let said = word(tokens, at);
    match said {
        "noon" | "midday" => return Some((NOON, at + 1, true)),
        "midnight" => return Some((0, at + 1, true)),
        _ => {}
    }
    let of_half = |hour: u8, half: &str| match (hour, half) {
        (12, "am") => Some(0),
        (1..=11, "am") | (12, "pm") => Some(hour),
        (1..=11, "pm") => Some(hour + 12),
        _ => None,
    };
    for half in ["am", "pm"] {
        if let Some(hour) = said.strip_suffix(half) {
            return Some((of_half(full_hour(hour)?, half)?, at + 1, true));
        }
    }
    let hour = full_hour(said)?;
    match word(tokens, at + 1) {
        half @ ("am" | "pm") => Some((of_half(hour, half)?, at + 2, true)),
        "o'clock" => Some((hour, at + 2, true)),
        _ => {
            let digits = matches!(tokens[at].kind, TokenKind::Number(_) | TokenKind::Word(None));
            (digits && hour < 24).then_some((hour, at + 1, said.contains(':')))
        }
    }
}

/// `17`, `17:00`: no minutes are told apart.
fn full_hour(text: &str) -> Option<u8> {
    let hour = text.strip_suffix(":00").unwrap_or(text);
    hour.parse().ok().filter(|hour| *hour <= 24)
}
