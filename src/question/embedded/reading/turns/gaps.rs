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

/// `what percentage of animals have an insurer` as the share of those with one.
pub(super) fn share_that_has(mut tokens: Vec<Token>) -> Vec<Token> {
    let asks = |token: &Token| {
        matches!(
            token.word.as_str(),
            "percentage" | "percent" | "share" | "proportion" | "fraction" | "part" | "%"
        )
    };
    let Some(share) = tokens.iter().position(asks) else {
        return tokens;
    };
    let found = (share + 3..tokens.len()).find(|&at| matches!(word(&tokens, at), "have" | "has"));
    if let Some(at) = found
        && word(&tokens, share + 1) == "of"
        && !matches!(
            word(&tokens, at + 1),
            "not" | "no" | "never" | "been" | "more" | "less" | "at" | "over"
        )
        && !matches!(
            word(&tokens, at - 1),
            "do" | "does" | "not" | "don't" | "doesn't" | "we" | "you"
        )
        && !word(&tokens, at + 1).ends_with("ed")
    {
        let led = matches!(word(&tokens, at - 1), "that" | "who" | "which");
        tokens[at] = said("with", &tokens[at]);
        if led {
            tokens.remove(at - 1);
        }
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
