//! Slips of the pen: a word that nobody knows, and that is all but one that shapes a question or is stored as a kind of rows.

use super::{
    lexicon::lexicon,
    question::{Token, TokenKind},
    reading::is_month,
    value_words::KINDS,
    vocabulary,
};
use crate::question::{
    lexicon,
    schema::{ColumnKind, Snapshot, words},
};

/// Letters at least of a word that is looked at.
const SHORTEST: usize = 4;
/// Letters from which on two slips are taken for some.
const LONG: usize = 8;
/// How well a word names something in the schema, so that it is left as it is.
const NAMES: f32 = 0.7;
/// How alike a stored value is at least that is looked at.
const ALIKE: f64 = 0.85;

/// The question with such words as they are meant.
pub(super) fn corrected(mut tokens: Vec<Token>, snapshot: &Snapshot) -> Vec<Token> {
    for at in 0..tokens.len() {
        let Some(meant) = meant(&tokens, at, snapshot) else {
            continue;
        };
        let word = meant.to_lowercase();
        tokens[at] = Token {
            stem: words::stem(&word),
            word,
            text: meant,
            ..tokens[at].clone()
        };
    }
    tokens
}

/// What a word is meant to be that nobody knows.
fn meant(tokens: &[Token], at: usize, snapshot: &Snapshot) -> Option<String> {
    let token = &tokens[at];
    let is_word =
        token.kind == TokenKind::Word(None) && token.word.bytes().all(|byte| byte.is_ascii_lowercase());
    let known = || {
        lexicon().is_filler(&token.word)
            || lexicon().operator(&token.word).is_some()
            || lexicon().mentions(&token.word)
            || lexicon::lemmas(&token.word).next().is_some()
            || is_month(&token.word)
            || !snapshot.values.find(std::slice::from_ref(&token.word)).is_empty()
            || !snapshot
                .values
                .find_part(std::slice::from_ref(&token.word))
                .is_empty()
    };
    if !is_word || token.word.len() < SHORTEST || known() {
        return None;
    }
    let names = vocabulary::of(&snapshot.schema)
        .similarities(std::slice::from_ref(token))
        .best(0);
    if names >= NAMES {
        return None;
    }
    operator(&token.word).or_else(|| kind(&token.word, snapshot))
}

/// The word that shapes a question.
fn operator(word: &str) -> Option<String> {
    let words = lexicon().operator_words().filter(|other| other.len() > SHORTEST);
    nearest(word, words.map(str::to_owned))
}

/// The stored value that says what kind of rows there are.
fn kind(word: &str, snapshot: &Snapshot) -> Option<String> {
    let hits = snapshot.values.nearest(&[word.to_owned()], ALIKE);
    let kinds = hits.into_iter().filter(|hit| {
        let column = snapshot.schema.column(hit.column);
        // Meier is not Meyer.
        let names = words::identifier_words(&column.name)
            .iter()
            .any(|word| word.ends_with("name"));
        column.kind == ColumnKind::Text && !names && snapshot.values.distinct_of(hit.column) <= KINDS
    });
    nearest(word, kinds.map(|hit| hit.stored.to_string()))
}

/// The one that a word is nearest to: a letter too many, too few, another, or two the other way round; of long ones two of that.
fn nearest(word: &str, meant: impl Iterator<Item = String>) -> Option<String> {
    let mut near: Vec<(usize, String)> = meant
        .filter_map(|meant| {
            let slips = strsim::damerau_levenshtein(word, &meant.to_lowercase());
            let most = if meant.len() >= LONG { 2 } else { 1 };
            (meant.len() > SHORTEST && slips <= most).then_some((slips, meant))
        })
        .collect();
    near.sort_unstable();
    near.dedup();
    match &near[..] {
        [only] => Some(only.1.clone()),
        [first, second, ..] if first.0 < second.0 => Some(first.1.clone()),
        _ => None,
    }
}
