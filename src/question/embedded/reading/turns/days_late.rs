//! How late each is, and how long it has been there, beside what is listed.

use super::super::{
    super::question::{Token, TokenKind},
    marked::{self, Marked},
    rewording::word,
};

/// `overdue bills: customer, amount, days late`, `open tickets and how many days they are open`.
pub(super) fn beside(mut tokens: Vec<Token>) -> Vec<Token> {
    let found = (1..tokens.len()).find_map(|at| {
        let joined = matches!(tokens[at - 1].kind, TokenKind::Mark(',' | ':' | '-' | ';'))
            || matches!(word(&tokens, at - 1), "and" | "with" | "plus");
        if !joined {
            return None;
        }
        // `and by how many days`, `and how many days they are open`
        let led = usize::from(word(&tokens, at) == "by");
        let asked = if word(&tokens, at + led) == "how" && word(&tokens, at + led + 1) == "many" {
            led + 2
        } else {
            0
        };
        if word(&tokens, at + asked) != "days" {
            return None;
        }
        let mut end = at + asked + 1;
        if asked > 0 {
            let goes_on = |word: &str| {
                matches!(
                    word,
                    "they"
                        | "it"
                        | "each"
                        | "is"
                        | "are"
                        | "have"
                        | "has"
                        | "been"
                        | "already"
                        | "was"
                        | "were"
                )
            };
            while goes_on(word(&tokens, end)) {
                end += 1;
            }
        }
        let marked = match (word(&tokens, end), word(&tokens, end + 1)) {
            ("late" | "overdue", _) => (Marked::DaysLate, end + 1),
            ("past", "due") => (Marked::DaysLate, end + 2),
            ("open" | "outstanding" | "pending" | "waiting", _) => (Marked::DaysOpen, end + 1),
            ("" | ",", _) if led > 0 => (Marked::DaysLate, end),
            _ => return None,
        };
        Some((at, marked))
    });
    let Some((at, (marked, end))) = found else {
        return tokens;
    };
    let token = marked::token(marked, &tokens[at]);
    tokens.splice(at..end, [token]);
    tokens
}
