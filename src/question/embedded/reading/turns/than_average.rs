//! `who earn more than the average salary` as who earn salary above average.

use super::{
    super::{
        super::question::{Token, TokenKind},
        rewording::{word, written},
    },
    bounds, called,
};
use crate::question::{schema::Schema, semantic::Comparison};

/// Words at most of what the average is of.
const LONGEST_NAME: usize = 3;

/// More or less than the average, with what the average is of before it.
pub(super) fn more_than_average(tokens: Vec<Token>, schema: &Schema) -> Vec<Token> {
    let found = (1..tokens.len()).find_map(|at| {
        let side = match bounds::grows(word(&tokens, at))? {
            Comparison::Greater => "above",
            _ => "below",
        };
        let article = usize::from(matches!(word(&tokens, at + 2), "the" | "an"));
        let average = at + 2 + article;
        let compares =
            word(&tokens, at + 1) == "than" && matches!(word(&tokens, average), "average" | "mean" | "avg");
        compares.then_some((at, average, side))
    });
    let Some((at, average, side)) = found else {
        return tokens;
    };
    let of = tokens[average + 1..]
        .iter()
        .take_while(|token| is_part_of_name(token))
        .count();
    // `more than the average customer`: one of those that are compared.
    let is_thing = of > 0 && called(schema, &tokens[average + of]).is_some();
    if of > LONGEST_NAME || is_thing {
        return tokens;
    }
    let mut turned = tokens[..at].to_vec();
    turned.extend_from_slice(&tokens[average + 1..=average + of]);
    turned.extend(written(&[side, "average"], &tokens[at]));
    turned.extend_from_slice(&tokens[average + 1 + of..]);
    turned
}

fn is_part_of_name(token: &Token) -> bool {
    let goes_on = matches!(
        token.word.as_str(),
        "of" | "for"
            | "in"
            | "at"
            | "by"
            | "per"
            | "on"
            | "and"
            | "or"
            | "with"
            | "that"
            | "who"
            | "over"
            | "last"
            | "this"
            | "across"
    );
    matches!(token.kind, TokenKind::Word(None)) && !goes_on
}
