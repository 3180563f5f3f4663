//! `IN ((SELECT …), …)`: the parser takes a list that begins with a query for the query. One that stands in CASE is a value.

use sqlparser::tokenizer::Token;

use super::parser_fallback::{is_one, solid};

/// The statement with such queries apart; `None` where there are none.
pub(super) fn queries_apart(tokens: &[Token]) -> Option<String> {
    let mut texts: Vec<String> = tokens.iter().map(ToString::to_string).collect();
    let solid = solid(tokens);
    let is = |at: usize, words: &[&str]| is_one(tokens, solid.get(at), words);
    let sign = |at: usize, sign: &Token| solid.get(at).is_some_and(|at| tokens[*at] == *sign);
    let mut found = false;
    for at in 0..solid.len() {
        if !(is(at, &["in"]) && sign(at + 1, &Token::LParen) && sign(at + 2, &Token::LParen)) {
            continue;
        }
        let mut first = at + 2;
        while sign(first, &Token::LParen) {
            first += 1;
        }
        if !is(first, &["select", "with"]) {
            continue;
        }
        let Some(close) = closing(tokens, &solid, at + 2) else {
            continue;
        };
        let goes_on = [
            "union",
            "intersect",
            "except",
            "order",
            "limit",
            "offset",
            "fetch",
        ];
        if sign(close + 1, &Token::RParen) || is(close + 1, &goes_on) {
            continue;
        }
        texts[solid[at + 2]] = "CASE WHEN TRUE THEN (".into();
        texts[solid[close]] = ") END".into();
        found = true;
    }
    found.then(|| texts.concat())
}

/// Where the parenthesis closes that opens there.
pub(super) fn closing(tokens: &[Token], solid: &[usize], open: usize) -> Option<usize> {
    let mut depth = 0_usize;
    for (at, token) in solid.iter().enumerate().skip(open) {
        match tokens[*token] {
            Token::LParen => depth += 1,
            Token::RParen => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return Some(at);
                }
            }
            _ => {}
        }
    }
    None
}
