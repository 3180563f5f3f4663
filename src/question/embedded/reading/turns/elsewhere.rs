//! What is none of some, or not in a place or a time: faults other than leaks, outside Spain, anywhere but Rome, neither in May nor in June.

use super::super::{
    super::question::{MONTHS, Token, TokenKind},
    rewording::{word, written},
};

/// Words at most of the first of two places.
const PLACE: usize = 3;

/// `outside Spain`, `outside of 2025`, `anywhere but Spain` as not in it.
pub(super) fn outside(mut tokens: Vec<Token>) -> Vec<Token> {
    let found = (1..tokens.len()).find_map(|at| {
        let length = match (word(&tokens, at), word(&tokens, at + 1), word(&tokens, at + 2)) {
            ("outside", "of", _) => 2,
            ("outside", ..) => 1,
            ("anywhere" | "everywhere" | "somewhere", "but" | "except", "in" | "for")
            | ("anywhere" | "everywhere" | "somewhere", "other" | "else", "than") => 3,
            ("anywhere" | "everywhere" | "somewhere", "but" | "except", _) => 2,
            _ => return None,
        };
        let article = usize::from(word(&tokens, at + length) == "the");
        names_place(tokens.get(at + length + article)?).then_some((at, length))
    });
    if let Some((at, length)) = found {
        let not_in = written(&["not", "in"], &tokens[at]);
        tokens.splice(at..at + length, not_in);
    }
    tokens
}

/// `not located in Spain` as not in it: what is denied is the place, and not that there is one.
pub(super) fn not_located(mut tokens: Vec<Token>) -> Vec<Token> {
    let found = (1..tokens.len()).find(|&at| {
        let denied = matches!(word(&tokens, at - 1), "not" | "isn't" | "aren't" | "never");
        let is_there = matches!(
            word(&tokens, at),
            "located" | "situated" | "based" | "placed" | "headquartered"
        );
        let article = usize::from(word(&tokens, at + 2) == "the");
        denied
            && is_there
            && matches!(word(&tokens, at + 1), "in" | "at" | "within")
            && tokens.get(at + 2 + article).is_some_and(names_place)
    });
    if let Some(at) = found {
        tokens.remove(at);
    }
    tokens
}

/// `neither in Spain nor in Italy` as in neither Spain nor Italy.
pub(super) fn neither_in(mut tokens: Vec<Token>) -> Vec<Token> {
    let leads = |word: &str| matches!(word, "in" | "from" | "at" | "on" | "of");
    let found = (1..tokens.len()).find_map(|at| {
        let led = word(&tokens, at) == "neither" && leads(word(&tokens, at + 1));
        let nor = (at + 3..tokens.len().min(at + 3 + PLACE)).find(|&nor| word(&tokens, nor) == "nor")?;
        let same = word(&tokens, nor + 1) == word(&tokens, at + 1);
        (led && same).then_some((at, nor))
    });
    if let Some((at, nor)) = found {
        tokens.remove(nor + 1);
        tokens.swap(at, at + 1);
    }
    tokens
}

/// `faults other than leaks` as faults except leaks.
pub(super) fn other_than(mut tokens: Vec<Token>) -> Vec<Token> {
    let found = (1..tokens.len().saturating_sub(2)).find(|&at| {
        let place = matches!(
            word(&tokens, at - 1),
            "somewhere" | "anywhere" | "someone" | "anyone" | "nobody"
        );
        let named = !matches!(
            word(&tokens, at + 2),
            "where" | "the" | "their" | "its" | "what" | "who" | "that"
        );
        let several = word(&tokens, at - 1).ends_with('s');
        word(&tokens, at) == "other" && word(&tokens, at + 1) == "than" && !place && named && several
    });
    if let Some(at) = found {
        let except = written(&["except"], &tokens[at]);
        tokens.splice(at..at + 2, except);
    }
    tokens
}

/// True for a name, a month or a year.
fn names_place(token: &Token) -> bool {
    match &token.kind {
        TokenKind::Word(None) => token.capital || MONTHS.contains(&token.word.as_str()),
        TokenKind::Number(number) => number.len() == 4,
        TokenKind::Date(_) | TokenKind::Month(_) | TokenKind::Quoted(_) => true,
        _ => false,
    }
}
