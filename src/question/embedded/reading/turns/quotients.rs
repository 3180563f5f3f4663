//! One figure over another, and figures that are explained beside their names.

use std::borrow::Cow;

use super::{
    super::{
        super::question::{Token, TokenKind},
        rewording::{said, word, written},
    },
    called,
};
use crate::question::schema::Schema;

/// Words at most of a figure.
const MOST_WORDS: usize = 6;

/// `margin per category (price minus cost)` without what only explains the word.
pub(super) fn explained(mut tokens: Vec<Token>) -> Vec<Token> {
    let known = |token: &Token| matches!(token.word.as_str(), "margin" | "margins" | "profit" | "profits");
    let Some(figure) = tokens.iter().position(known) else {
        return tokens;
    };
    let minus = |at: usize| matches!(word(&tokens, at), "minus" | "less");
    let Some(minus) = (figure..tokens.len()).find(|&at| minus(at)) else {
        return tokens;
    };
    let opens = |token: &Token| matches!(token.kind, TokenKind::Mark('(' | ',' | ':' | ';'));
    let Some(from) = (figure + 1..minus).rev().find(|&at| opens(&tokens[at])) else {
        return tokens;
    };
    let closes = |token: &Token| match tokens[from].kind {
        TokenKind::Mark('(') => token.kind == TokenKind::Mark(')'),
        _ => matches!(token.kind, TokenKind::Mark(',' | ';')),
    };
    let to = (minus..tokens.len()).find(|&at| closes(&tokens[at]));
    let closed = to.is_some_and(|to| tokens[to].kind == TokenKind::Mark(')'));
    let to = to.map_or(tokens.len(), |to| to + usize::from(closed));
    if to - from <= 2 * MOST_WORDS + 2 {
        tokens.drain(from..to);
    }
    tokens
}

/// `margin per category (price minus cost)` without what only explains the word; `rate (returns divided by orders)` as what
/// it is.
pub(in super::super) fn in_brackets(question: &str) -> Cow<'_, str> {
    let Some((before, behind)) = question.split_once('(') else {
        return Cow::Borrowed(question);
    };
    let Some((inside, after)) = behind.split_once(')') else {
        return Cow::Borrowed(question);
    };
    let low = before.to_lowercase();
    if inside.contains(" minus ") && (low.contains("margin") || low.contains("profit")) {
        Cow::Owned(format!("{}{after}", before.trim_end()))
    } else if inside.contains(" divided by ") {
        Cow::Owned(format!("{}: {inside}{after}", before.trim_end()))
    } else {
        Cow::Borrowed(question)
    }
}

/// `callouts divided by lifts`, `claims per 100 deliveries` as the number of the ones over that of the others, a hundredfold.
pub(super) fn divided(mut tokens: Vec<Token>, schema: &Schema) -> Vec<Token> {
    let hundred = |token: &Token| {
        matches!(&token.kind, TokenKind::Number(number) if number == "100") || token.word == "hundred"
    };
    let found = (1..tokens.len()).find_map(|at| match (word(&tokens, at), word(&tokens, at + 1)) {
        ("divided", "by") => Some((at, false)),
        ("per", _) if tokens.get(at + 1).is_some_and(hundred) => {
            tokens.get(at + 2).and_then(|noun| called(schema, noun))?;
            Some((at, true))
        }
        _ => None,
    });
    let Some((at, hundredfold)) = found else {
        return tokens;
    };
    let count = |written: &mut Vec<Token>, noun: &Token| {
        written.extend(["number", "of"].map(|word| said(word, noun)));
    };
    // `return rate per store: returns divided by orders`: what is divided says what the rate is.
    let mark = |at: usize| matches!(tokens[at].kind, TokenKind::Mark(':' | '(' | '=' | ','));
    let from = (at.saturating_sub(MOST_WORDS)..at)
        .rev()
        .find(|&at| mark(at))
        .map_or(0, |mark| mark + 1);
    let mut before = tokens[..from].to_vec();
    if from > 0 {
        let rate = |token: &Token| {
            matches!(
                token.word.as_str(),
                "rate" | "ratio" | "share" | "quota" | "percentage" | "frequency" | "utilisation"
            )
        };
        if let Some(rate) = before.iter().position(rate) {
            let named = usize::from(rate > 0 && matches!(before[rate - 1].kind, TokenKind::Word(_)));
            before.drain(rate - named..=rate);
        }
    }
    let is_called = |noun: &Token| !noun.word.ends_with("ed") && called(schema, noun).is_some();
    let counted = |at: usize| {
        tokens.get(at).is_some_and(is_called)
            && !tokens[..at]
                .iter()
                .rev()
                .take(2)
                .any(|token| matches!(token.word.as_str(), "number" | "count" | "total" | "sum" | "many"))
    };
    let closing = |token: &Token| matches!(token.kind, TokenKind::Mark(')'));
    let mut divided = Vec::with_capacity(tokens.len() + 6);
    if counted(at - 1) {
        // What stands before the noun is said of it.
        let mut first = at - 1;
        while first > from && matches!(tokens[first - 1].kind, TokenKind::Word(None)) && first + 2 > at - 1 {
            let joins = matches!(
                word(&tokens, first - 1),
                "many" | "how" | "the" | "of" | "show" | "me" | "with" | "and" | "what" | "is"
            );
            if joins {
                break;
            }
            first -= 1;
        }
        divided.extend_from_slice(&tokens[from..first]);
        count(&mut divided, &tokens[first]);
        divided.extend_from_slice(&tokens[first..at]);
    } else {
        divided.extend_from_slice(&tokens[from..at]);
    }
    let over = if hundredfold { "hundredfold" } else { "divided" };
    divided.extend(written(&[over, "by"], &tokens[at]));
    let mut rest = at + 2;
    while matches!(word(&tokens, rest), "the" | "our" | "all" | "its" | "their") {
        rest += 1;
    }
    let counts = matches!(word(&tokens, rest), "number" | "count" | "total" | "sum");
    if !counts && tokens.get(rest).is_some_and(is_called) {
        count(&mut divided, &tokens[rest]);
    }
    let tail: Vec<Token> = tokens[rest..]
        .iter()
        .filter(|token| !closing(token))
        .cloned()
        .collect();
    // The groups that were named before it stand behind it.
    let groups = before
        .iter()
        .position(|token| matches!(token.word.as_str(), "per" | "by" | "each" | "every"));
    divided.extend(tail);
    if let Some(groups) = groups {
        let mut named = before.split_off(groups);
        named.retain(|token| matches!(token.kind, TokenKind::Word(_)));
        let period = divided
            .iter()
            .position(|token| matches!(token.kind, TokenKind::Mark(',')));
        let place = period.unwrap_or(divided.len());
        divided.splice(place..place, named);
    }
    before.retain(|token| !matches!(token.kind, TokenKind::Mark(':' | '(' | '=')));
    before.extend(divided);
    tokens.clear();
    before
}
