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
