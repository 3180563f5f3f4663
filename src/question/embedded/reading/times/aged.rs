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

/// `orders older than a week`, `more than 5 days old` as from how long ago they are, where they are of things that happened.
pub(super) fn older(mut tokens: Vec<Token>, schema: &Schema, model: &SemanticModel) -> Vec<Token> {
    let length_at = |at: usize| {
        let number = tokens.get(at).is_some_and(is_number) || matches!(word(&tokens, at), "a" | "an" | "one");
        number && is_length(word(&tokens, at + 1))
    };
    let found = (1..tokens.len()).find_map(|at| match (word(&tokens, at), word(&tokens, at + 1)) {
        ("older", "than") if length_at(at + 2) => Some((at, at + 2, at + 4, true)),
        ("newer" | "younger", "than") if length_at(at + 2) => Some((at, at + 2, at + 4, false)),
        ("more" | "less", "than") if length_at(at + 2) && word(&tokens, at + 4) == "old" => {
            Some((at, at + 2, at + 5, word(&tokens, at) == "more"))
        }
        _ => None,
    });
    let Some((at, length, end, before)) = found else {
        return tokens;
    };
    let happened = model.datasets.iter().enumerate().any(|(table, dataset)| {
        let happens = dataset.role == DatasetRole::Event && dataset.time.is_some();
        happens && names_table(&tokens[..at], schema, table)
    });
    if !happened {
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

fn is_length(word: &str) -> bool {
    matches!(
        word.trim_end_matches('s'),
        "hour" | "day" | "week" | "month" | "quarter" | "year"
    )
}
