//! What is missing, and whose share is asked for.

use super::super::{
    super::question::{Token, TokenKind},
    rewording::{said, word},
};

/// `readings where the pressure is missing` as those without it.
pub(super) fn missing(mut tokens: Vec<Token>) -> Vec<Token> {
    let found = (2..tokens.len()).find_map(|at| {
        let is = matches!(word(&tokens, at - 1), "is" | "are" | "was" | "were");
        let used = match (word(&tokens, at), word(&tokens, at + 1)) {
            ("missing" | "empty" | "blank" | "unknown" | "null", _) => 1,
            ("not", "known" | "recorded" | "given" | "set" | "there" | "entered") => 2,
            _ => return None,
        };
        let from = (at.saturating_sub(7)..at - 1)
            .rev()
            .find(|&from| matches!(word(&tokens, from), "where" | "whose" | "for"))?;
        let which = matches!(word(&tokens, from + 1), "which" | "whom");
        let noun = from + 1 + usize::from(which);
        let whole = is && from > 0 && noun < at - 1 && (word(&tokens, from) != "for" || which);
        whole.then_some((from, noun, at, used))
    });
    if let Some((from, noun, at, used)) = found {
        tokens.drain(at - 1..at + used);
        let without = said("without", &tokens[from]);
        tokens.splice(from..noun, [without]);
    }
    tokens
}

/// `hotels' share of revenue` as the share that they have: a kind of thing has it, not each of them.
pub(super) fn share_of(mut tokens: Vec<Token>) -> Vec<Token> {
    let found = (1..tokens.len()).find(|&at| {
        let each = (at.saturating_sub(4)..at).any(|at| matches!(word(&tokens, at), "each" | "every"));
        tokens[at].kind == TokenKind::Possessive
            && !each
            && matches!(word(&tokens, at + 1), "share" | "percentage" | "proportion")
            && word(&tokens, at + 2) == "of"
    });
    if let Some(at) = found {
        tokens.remove(at);
    }
    tokens
}
