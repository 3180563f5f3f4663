//! Both sides of what may be so or not, asked for in one breath.

use super::super::{
    super::question::Token,
    rewording::{word, written},
};

/// `how many boats are insured and how many aren't?` as those against the rest.
pub(super) fn and_how_many_not(mut tokens: Vec<Token>) -> Vec<Token> {
    let many = |at: usize| word(&tokens, at) == "how" && word(&tokens, at + 1) == "many";
    let first = (0..tokens.len()).find(|at| many(*at));
    let found = first.and_then(|first| {
        let and = (first + 3..tokens.len())
            .find(|&at| matches!(word(&tokens, at), "and" | "or" | ",") && many(at + 1))?;
        let negated = word(&tokens, and + 3).ends_with("n't") && word(&tokens, and + 4).is_empty()
            || matches!(
                word(&tokens, and + 3),
                "are" | "is" | "were" | "have" | "has" | "do" | "did"
            ) && word(&tokens, and + 4) == "not"
                && word(&tokens, and + 5).is_empty();
        negated.then_some(and)
    });
    if let Some(and) = found {
        let rest = written(&["and", "the", "rest"], &tokens[and]);
        tokens.truncate(and);
        tokens.extend(rest);
    }
    tokens
}

/// `neither by email nor by phone` as with no email and no phone.
pub(super) fn neither_by(mut tokens: Vec<Token>) -> Vec<Token> {
    let joins = |word: &str| matches!(word, "by" | "via" | "through" | "over");
    let found = (1..tokens.len()).find_map(|at| {
        let nor = (at + 3..tokens.len().min(at + 7)).find(|&nor| word(&tokens, nor) == "nor")?;
        let led = word(&tokens, at) == "neither" && joins(word(&tokens, at + 1));
        (led && nor + 1 < tokens.len()).then_some((at, nor))
    });
    let Some((at, nor)) = found else { return tokens };
    let by = usize::from(joins(word(&tokens, nor + 1)));
    let no = written(&["and", "no"], &tokens[nor]);
    tokens.splice(nor..=nor + by, no);
    // `whom we can reach` says no more.
    let verb = |word: &str| {
        matches!(
            word,
            "reach"
                | "reached"
                | "contact"
                | "contacted"
                | "reachable"
                | "we"
                | "can"
                | "be"
                | "who"
                | "whom"
                | "that"
                | "are"
                | "cannot"
        )
    };
    let mut from = at;
    while from > 1 && verb(word(&tokens, from - 1)) {
        from -= 1;
    }
    let with = written(&["with", "no"], &tokens[at]);
    tokens.splice(from..at + 2, with);
    tokens
}
