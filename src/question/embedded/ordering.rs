//! Whether a question wants all of something in an order, which a superlative alone would cut to the first.

use std::ops::Range;

use super::question::{Token, TokenKind};

/// `from strongest to weakest`: where that stands, and the words of the first.
pub(super) fn from_end_to_end(tokens: &[Token]) -> Option<(Range<usize>, Range<usize>)> {
    let word = |at: usize| tokens.get(at).map_or("", |token| token.word.as_str());
    let is_end = |at: usize| {
        word(at).len() > 4 && word(at).ends_with("est")
            || matches!(word(at), "most" | "least" | "best" | "worst")
    };
    // `most expensive`: the adjective is a word of its own.
    let end_of = |at: usize| at + 1 + usize::from(matches!(word(at), "most" | "least"));
    (0..tokens.len()).find_map(|from| {
        let first = from + 1 + usize::from(word(from + 1) == "the");
        let to = end_of(first);
        let last = to + 1 + usize::from(word(to + 1) == "the");
        let ordered = word(from) == "from" && word(to) == "to" && is_end(first) && is_end(last);
        ordered.then(|| (from..end_of(last).min(tokens.len()), first..to))
    })
}

/// True where all are wanted in an order: from the strongest to the weakest, or the cheapest first.
pub(super) fn orders_all(tokens: &[Token]) -> bool {
    let word = |at: usize| tokens.get(at).map_or("", |token| token.word.as_str());
    let ends = |at: usize| {
        let kind = tokens.get(at).map(|token| &token.kind);
        matches!(kind, None | Some(TokenKind::Mark(_))) || matches!(word(at), "and" | "with" | "please")
    };
    let first = (1..tokens.len()).any(|at| {
        let superlative = word(at - 1).ends_with("est") || at > 1 && word(at - 2) == "most";
        word(at) == "first" && superlative && ends(at + 1)
    });
    first || from_end_to_end(tokens).is_some()
}
