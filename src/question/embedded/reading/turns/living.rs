//! Who lives: those of whom no death is kept, and those who are active.

use super::{
    super::{
        super::question::Token,
        rewording::{said, word, written},
    },
    called, has_word,
};
use crate::question::{
    lexicon::is_adjective,
    schema::{Schema, words},
};

/// `living artists`, `patients who are alive` as those without a death.
pub(super) fn alive(mut tokens: Vec<Token>, schema: &Schema) -> Vec<Token> {
    let found = (0..tokens.len()).find_map(|at| {
        let table = match word(&tokens, at) {
            "living" => called(schema, tokens.get(at + 1)?)?,
            "alive" => called(
                schema,
                tokens[..at]
                    .iter()
                    .rev()
                    .find(|token| called(schema, token).is_some())?,
            )?,
            _ => return None,
        };
        Some((at, death_of(schema, table)?))
    });
    let Some((at, death)) = found else { return tokens };
    let mut without = vec![said("without", &tokens[at]), said("a", &tokens[at])];
    without.extend(written(&death, &tokens[at]));
    if word(&tokens, at) == "living" {
        tokens.splice(at + 2..at + 2, without);
        tokens.remove(at);
    } else {
        let is_said = |token: &Token| {
            matches!(
                token.word.as_str(),
                "who" | "that" | "are" | "is" | "still" | "were" | "being"
            )
        };
        let from = tokens[..at]
            .iter()
            .rposition(|token| !is_said(token))
            .map_or(0, |last| last + 1);
        tokens.splice(from..=at, without);
    }
    tokens
}

/// `pets that died in 2026` by the column that keeps when they did.
pub(super) fn died(mut tokens: Vec<Token>, schema: &Schema) -> Vec<Token> {
    let Some(at) = (1..tokens.len()).find(|&at| word(&tokens, at) == "died") else {
        return tokens;
    };
    let table = tokens[..at].iter().rev().find_map(|token| called(schema, token));
    let death = table.and_then(|table| death_of(schema, table));
    if let Some(death) = death.filter(|name| !name.iter().any(|word| word == "died")) {
        let has = matches!(word(&tokens, at - 1), "have" | "has" | "had");
        let written = written(&death, &tokens[at]);
        tokens.splice(at - usize::from(has)..=at, written);
    }
    tokens
}

/// The words of the column that keeps when somebody died.
fn death_of(schema: &Schema, table: usize) -> Option<Vec<String>> {
    let mut columns = schema.tables[table].columns.iter();
    let death = columns.find(|column| {
        has_word(&column.name, &["death", "died", "deceased"])
            && has_word(&column.name, &["date", "on", "at", "year", "day", "time"])
    })?;
    Some(words::identifier_words(&death.name))
}

/// `how many live merchants`: those that are active; where somebody lives is told behind the noun.
pub(super) fn live(mut tokens: Vec<Token>, schema: &Schema) -> Vec<Token> {
    let found = (0..tokens.len()).find(|&at| {
        let before = at.checked_sub(1).map_or("", |before| word(&tokens, before));
        let attributes = matches!(
            before,
            "" | "many"
                | "of"
                | "all"
                | "our"
                | "the"
                | "which"
                | "what"
                | "and"
                | "with"
                | "show"
                | "list"
                | "me"
        ) || is_adjective(before);
        word(&tokens, at) == "live"
            && attributes
            && tokens
                .get(at + 1)
                .is_some_and(|next| called(schema, next).is_some())
    });
    if let Some(at) = found {
        tokens[at] = said("active", &tokens[at]);
    }
    tokens
}
