//! Typos that no parser reads: text around the statement, quotes and signs of other databases, a parenthesis or a word
//! too few or too many. What is changed keeps the words of the statement; what may be forbidden stays as it is.

use crate::question::{
    schema::Snapshot,
    validator::{
        Asked,
        parse::{Parsed, parse},
        resolve::LocatedFinding,
    },
};

mod around;
mod clauses;
mod pieces;
mod signs;
mod words;

use pieces::{Piece, pieces, text_of};
pub(super) use words::is_kind_of_join;

/// Characters of a statement that is fixed.
const MAX_LENGTH: usize = 20_000;
/// Parentheses in each other of a statement that is fixed; the parser reads no more than some hundred.
const MAX_NESTED: usize = 100;
/// Texts that are tried.
const MAX_TRIED: usize = 60;

/// A change that no statement suffers from: what it removes or replaces can stand in none.
type Change = fn(Vec<Piece>, &Snapshot) -> Vec<Piece>;
/// Changes that may help, the likeliest first.
type Guess = fn(&[Piece], &Snapshot) -> Vec<Vec<Piece>>;

const CHANGES: &[Change] = &[
    signs::quotes,
    signs::operators,
    words::doubled,
    words::joined_up,
    words::dangling,
    clauses::top,
    clauses::comma,
    clauses::bare_parts,
    clauses::ordered_parts,
    clauses::in_order,
];

const GUESSES: &[Guess] = &[signs::parentheses, words::misspelled, signs::apostrophes];

/// The statement without the text around it, with the quotes of this database and no other change, if it parses then.
pub(super) fn quoted_as_here(text: &str, snapshot: &Snapshot) -> Vec<String> {
    if text.chars().count() > MAX_LENGTH {
        return vec![];
    }
    let Some(bare) = around::bare(text) else {
        return vec![];
    };
    let bare = pieces(&bare);
    if is_refused(&bare) || nested(&bare) > MAX_NESTED {
        return vec![];
    }
    let quoted = text_of(&signs::quotes(bare, snapshot));
    parse(&quoted, snapshot.dialect)
        .is_ok()
        .then_some(quoted)
        .into_iter()
        .collect()
}

/// Texts that parse, made from one that does not, the likeliest first.
pub(super) fn fixed(text: &str, snapshot: &Snapshot) -> Vec<String> {
    if text.chars().count() > MAX_LENGTH {
        return vec![];
    }
    let parses = |text: &str| parse(text, snapshot.dialect).is_ok();
    let Some(bare) = around::bare(text) else {
        return vec![];
    };
    let mut changed = pieces(&bare);
    if is_refused(&changed) || nested(&changed) > MAX_NESTED {
        return vec![];
    }
    for change in CHANGES {
        if parses(&text_of(&changed)) {
            break;
        }
        changed = change(changed, snapshot);
    }
    let plain = text_of(&changed);
    if parses(&plain) {
        return vec![plain];
    }
    let guesses = |pieces: &[Piece]| -> Vec<Vec<Piece>> {
        GUESSES.iter().flat_map(|guess| guess(pieces, snapshot)).collect()
    };
    let first = guesses(&changed);
    let mut found: Vec<String> = first.iter().map(|pieces| text_of(pieces)).collect();
    found.truncate(MAX_TRIED);
    found.retain(|text| parses(text));
    if found.is_empty() {
        let second = first.iter().flat_map(|pieces| guesses(pieces));
        let second = second.take(MAX_TRIED).map(|pieces| text_of(&pieces));
        found = second.filter(|text| parses(text)).collect();
    }
    found.dedup();
    found
}

/// True where the second text has the words and numbers of the first: none is gone but one that stands there twice, and TOP for LIMIT;
/// none has come but those that belong to another, and a keyword for a word that was misspelt.
pub(super) fn say_the_same(before: &str, after: &str) -> bool {
    let Some(before) = around::bare(before) else {
        return false;
    };
    let all = said(after);
    let mut added = all.clone();
    let before = said(&before).into_iter();
    let missing: Vec<String> = before
        .filter(|word| !take(&mut added, |other| other == word))
        .collect();
    let accounted = missing.iter().all(|word| {
        let doubled = words::ONCE.contains(&word.as_str()) && all.contains(word);
        let is_top = word == "TOP" && take(&mut added, |other| other == "LIMIT");
        doubled || is_top || take(&mut added, |other| words::is_slip(word, other))
    });
    let belongs = |word: &String| ["SELECT", "FROM", "BY", "OFFSET", "AND"].contains(&word.as_str());
    accounted && added.iter().all(belongs)
}

/// The words and numbers of a text, in capitals; those of texts and names in quotes too.
fn said(text: &str) -> Vec<String> {
    let words = text.split(|character: char| !(character.is_alphanumeric() || character == '_'));
    words
        .filter(|word| !word.is_empty())
        .map(str::to_uppercase)
        .collect()
}

/// Takes the first one out that is like this; true where there is one.
fn take(words: &mut Vec<String>, is: impl Fn(&str) -> bool) -> bool {
    let at = words.iter().position(|word| is(word));
    at.map(|at| words.remove(at)).is_some()
}

/// A statement that parses, but takes a word too many for a name.
pub(super) fn reread(_: &LocatedFinding, parsed: &Parsed, asked: &Asked<'_>) -> Vec<String> {
    let mut pieces = pieces(&parsed.text);
    for change in CHANGES {
        pieces = change(pieces, asked.snapshot);
    }
    let text = text_of(&pieces);
    if text == text_of(&self::pieces::pieces(&parsed.text)) {
        vec![]
    } else {
        vec![text]
    }
}

/// A text with the quotes and spaces of a keyboard, if it has others.
pub(super) fn retyped(text: &str) -> Option<String> {
    Some(around::retyped(text)).filter(|retyped| retyped != text)
}

/// True for a text with words of statements that do more than read.
pub(super) fn may_write(text: &str) -> bool {
    around::may_write(&pieces(text))
}

/// How many parentheses are open at the same time at most.
fn nested(pieces: &[Piece]) -> usize {
    let depths = pieces.iter().scan(0_usize, |depth, piece| {
        match piece.text.as_str() {
            "(" => *depth += 1,
            ")" => *depth = depth.saturating_sub(1),
            _ => {}
        }
        Some(*depth)
    });
    depths.max().unwrap_or(0)
}

/// Two statements, or one that is no query: nobody may make a harmless one of it.
fn is_refused(pieces: &[Piece]) -> bool {
    let starts = pieces
        .first()
        .is_some_and(|first| first.is_one_of(&["SELECT", "WITH", "VALUES", "("]) || first.text.len() < 8);
    !starts || pieces.iter().any(|piece| piece.text == ";")
}
