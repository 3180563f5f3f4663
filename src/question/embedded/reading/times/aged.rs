//! How long ago something happened, where the question asks how old it is.

use super::{
    super::{
        super::question::{Token, TokenKind},
        rewording::{is_number, said, word, written},
    },
    names_table,
};
use crate::question::{
    schema::Schema,
    semantic::{DatasetRole, SemanticModel},
};

/// `orders older than a week` as from how long ago they are, where they are of things that happened.
pub(super) fn older(mut tokens: Vec<Token>, schema: &Schema, model: &SemanticModel) -> Vec<Token> {
    let length_at = |at: usize| is_count(&tokens, at) && is_length(word(&tokens, at + 1));
    let found = (1..tokens.len()).find_map(|at| match (word(&tokens, at), word(&tokens, at + 1)) {
        ("older", "than") if length_at(at + 2) => Some((at, at + 2, at + 4, true)),
        ("newer" | "younger", "than") if length_at(at + 2) => Some((at, at + 2, at + 4, false)),
        _ => None,
    });
    let Some((at, length, end, before)) = found else {
        return tokens;
    };
    if !of_what_happened(&tokens[..at], schema, model) {
        return tokens;
    }
    // `that are older than a week`
    let from = (0..at)
        .rev()
        .find(|&at| !matches!(word(&tokens, at), "that" | "which" | "are" | "is" | "were"))
        .map_or(at, |last| last + 1);
    let number = tokens[length].clone();
    let mut asked = written(
        if before {
            &["from", "more", "than"][..]
        } else {
            &["from", "the", "last"]
        },
        &number,
    );
    asked.push(if is_number(&number) {
        number.clone()
    } else {
        Token {
            kind: TokenKind::Number("1".to_owned()),
            ..said("1", &number)
        }
    });
    asked.push(tokens[length + 1].clone());
    if before {
        asked.push(said("ago", &number));
    }
    tokens.splice(from..end, asked);
    tokens
}

/// `more than 7 days old` as older than that.
pub(super) fn so_old(mut tokens: Vec<Token>, schema: &Schema, model: &SemanticModel) -> Vec<Token> {
    let found = (0..tokens.len()).find_map(|at| {
        let (more, number) = match (word(&tokens, at), word(&tokens, at + 1)) {
            ("more", "than") => (true, at + 2),
            ("over", _) => (true, at + 1),
            ("less" | "fewer", "than") => (false, at + 2),
            ("under", _) => (false, at + 1),
            _ => return None,
        };
        let old = word(&tokens, number + 2) == "old" && is_length(word(&tokens, number + 1));
        (old && is_count(&tokens, number)).then_some((at, more, number))
    });
    let Some((at, more, number)) = found else {
        return tokens;
    };
    tokens.remove(number + 2);
    // Who is so many years old is told without them.
    let of_years = matches!(word(&tokens, number + 1), "years" | "year") && is_number(&tokens[number]);
    if of_years && !of_what_happened(&tokens[..at], schema, model) {
        tokens.remove(number + 1);
    }
    let are = usize::from(at > 0 && matches!(word(&tokens, at - 1), "are" | "is" | "being"));
    let than = written(&[if more { "older" } else { "younger" }, "than"], &tokens[at]);
    tokens.splice(at - are..number, than);
    tokens
}

/// True where a table of things that happened is named.
fn of_what_happened(tokens: &[Token], schema: &Schema, model: &SemanticModel) -> bool {
    model.datasets.iter().enumerate().any(|(table, dataset)| {
        let happens = dataset.role == DatasetRole::Event && dataset.time.is_some();
        happens && names_table(tokens, schema, table)
    })
}

/// True for how many there are of a unit.
fn is_count(tokens: &[Token], at: usize) -> bool {
    tokens.get(at).is_some_and(is_number) || matches!(word(tokens, at), "a" | "an" | "one")
}

/// True for a unit of time.
pub(super) fn is_length(word: &str) -> bool {
    matches!(
        word.trim_end_matches('s'),
        "hour" | "day" | "week" | "month" | "year"
    )
}
