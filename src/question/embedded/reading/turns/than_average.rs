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

/// `their own department` as their department.
pub(super) fn without_own(mut tokens: Vec<Token>) -> Vec<Token> {
    let whose = |word: &str| matches!(word, "their" | "its" | "his" | "her" | "our" | "my");
    let found = (1..tokens.len()).find(|&at| word(&tokens, at) == "own" && whose(word(&tokens, at - 1)));
    if let Some(at) = found {
        tokens.remove(at);
    }
    tokens
}

/// More or less than the average, with what the average is of before it.
pub(super) fn more_than_average(tokens: Vec<Token>, schema: &Schema) -> Vec<Token> {
    let found = (1..tokens.len()).find_map(|at| {
        let side = match bounds::grows(word(&tokens, at))? {
            Comparison::Greater => "above",
            _ => "below",
        };
        // `less stock than the average`
        let named = tokens[at + 1..]
            .iter()
            .take_while(|token| is_part_of_name(token) && token.word != "than")
            .count();
        let than = at + 1 + named;
        let article = usize::from(matches!(word(&tokens, than + 1), "the" | "an"));
        let average = than + 1 + article;
        let compares =
            word(&tokens, than) == "than" && matches!(word(&tokens, average), "average" | "mean" | "avg");
        (compares && named <= LONGEST_NAME).then_some((at, named, average, side))
    });
    let Some((at, named, average, side)) = found else {
        return tokens;
    };
    let of = tokens[average + 1..]
        .iter()
        .take_while(|token| is_part_of_name(token))
        .count();
    // `more than the average customer`: one of those that are compared.
    let thing = (of > 0).then(|| called(schema, &tokens[average + of])).flatten();
    let is_thing = thing.is_some();
    let dear = named == 1 && matches!(word(&tokens, at + 1), "expensive" | "costly" | "valuable");
    // `orders bigger than the average order`: by what one comes to.
    let again = tokens[..at]
        .iter()
        .any(|token| is_thing && called(schema, token) == thing);
    if again && (named == 0 || dear) {
        let mut turned = tokens[..at].to_vec();
        turned.extend(written(&[side, "average"], &tokens[at]));
        turned.extend_from_slice(&tokens[average + 1 + of..]);
        return turned;
    }
    if of > LONGEST_NAME || is_thing && named == 0 {
        return tokens;
    }
    let mut turned = tokens[..at].to_vec();
    if named > 0 {
        turned.extend_from_slice(&tokens[at + 1..=at + named]);
    } else {
        turned.extend_from_slice(&tokens[average + 1..=average + of]);
    }
    turned.extend(written(&[side, "average"], &tokens[at]));
    turned.extend_from_slice(&tokens[average + 1 + of..]);
    turned
}

/// `with an above average number of orders` as with a number of orders above average.
pub(super) fn above_average_number(mut tokens: Vec<Token>) -> Vec<Token> {
    let found = (0..tokens.len()).find(|&at| {
        matches!(word(&tokens, at), "above" | "below")
            && word(&tokens, at + 1) == "average"
            && matches!(word(&tokens, at + 2), "number" | "amount" | "total")
            && word(&tokens, at + 3) == "of"
    });
    let Some(at) = found else { return tokens };
    let named = tokens[at + 4..]
        .iter()
        .take_while(|token| is_part_of_name(token))
        .count();
    if named == 0 || named > LONGEST_NAME {
        return tokens;
    }
    let side: Vec<Token> = tokens.drain(at..at + 2).collect();
    let end = at + 2 + named;
    tokens.splice(end..end, side);
    tokens
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
