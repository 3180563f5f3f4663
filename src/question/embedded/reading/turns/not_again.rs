//! Whoever did not come back, and years from one on.

use super::super::{
    super::question::{Token, TokenKind},
    rewording::{said, word, written},
};

/// `rented in 2024 but did not come back in 2025` as but not in 2025.
pub(super) fn came_back(mut tokens: Vec<Token>) -> Vec<Token> {
    let found = (2..tokens.len()).find_map(|at| {
        let joined = matches!(word(&tokens, at), "but" | "that" | "who" | "and" | "which");
        let denied = match (word(&tokens, at + 1), word(&tokens, at + 2)) {
            ("did" | "have" | "has", "not" | "never") => 2,
            ("didn't" | "never" | "haven't" | "hasn't", _) => 1,
            _ => return None,
        };
        let verb = at + 1 + denied;
        let back = match (word(&tokens, verb), word(&tokens, verb + 1)) {
            ("come" | "came", "back") => 2,
            ("return" | "returned", "in" | "since" | "this" | "last") => 1,
            _ => return None,
        };
        let when = matches!(
            word(&tokens, verb + back),
            "in" | "since" | "this" | "last" | "during"
        );
        let before = tokens[..at].iter().any(super::tells_when);
        (joined && when && before).then_some((at, verb + back))
    });
    if let Some((at, end)) = found {
        let but_not = written(&["but", "not"], &tokens[at]);
        tokens.splice(at..end, but_not);
    }
    tokens
}

/// `in 2025 or later` as since 2025, `not in 2025 or 2026` as not since 2025.
pub(super) fn or_later(mut tokens: Vec<Token>) -> Vec<Token> {
    let found = (1..tokens.len()).find(|&at| {
        let year = matches!(&tokens[at].kind, TokenKind::Number(number) if number.len() == 4);
        year && matches!(word(&tokens, at + 1), "or" | "and")
            && (matches!(
                word(&tokens, at + 2),
                "later" | "newer" | "after" | "onwards" | "onward"
            ) || denied(&tokens, at) && follows(&tokens, at))
    });
    if let Some(at) = found {
        tokens.drain(at + 1..at + 3);
        let since = said("since", &tokens[at]);
        let led = usize::from(matches!(word(&tokens, at - 1), "in" | "from"));
        tokens.splice(at - led..at, [since]);
    }
    tokens
}

/// True for a year in which something did not happen.
fn denied(tokens: &[Token], at: usize) -> bool {
    at > 1 && word(tokens, at - 1) == "in" && word(tokens, at - 2) == "not"
}

/// True where the year behind the next word is the next year.
fn follows(tokens: &[Token], at: usize) -> bool {
    let year = |at: usize| tokens.get(at).and_then(|token| token.word.parse::<i32>().ok());
    year(at)
        .zip(year(at + 2))
        .is_some_and(|(one, other)| other == one + 1)
}
