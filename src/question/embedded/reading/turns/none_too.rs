//! Groups that are asked for though there is nothing in them: `including those with none`, `even zero`.

use super::super::{
    super::question::{Token, TokenKind},
    rewording::{word, written},
};

/// Words that may stand between `also` and what lacks something.
const ARTICLES: [&str; 8] = ["the", "those", "all", "any", "ones", "also", "our", "everyone"];

/// `including those with none`, `also the suppliers without products` as one phrase at the end of what it is said of.
pub(super) fn none_too(mut tokens: Vec<Token>) -> Vec<Token> {
    let found = (1..tokens.len()).find_map(|at| Some((at, lacks(&tokens, at)?)));
    let Some((at, (end, of_groups))) = found else {
        return tokens;
    };
    let opens = |token: &Token| {
        token.word == "and"
            || matches!(
                token.kind,
                TokenKind::Mark(',' | '(' | '-' | ';' | ':' | '–' | '—')
            )
    };
    let mut from = at;
    while from > 1 && opens(&tokens[from - 1]) {
        from -= 1;
    }
    let closes = |token: &Token| {
        matches!(token.kind, TokenKind::Mark(')')) || matches!(token.word.as_str(), "too" | "please")
    };
    let mut to = end;
    while tokens.get(to).is_some_and(closes) {
        to += 1;
    }
    let phrase: &[&str] = if of_groups {
        &["even", "none"]
    } else {
        &["also", "none"]
    };
    let phrase = written(phrase, &tokens[at]);
    tokens.splice(from..to, phrase);
    tokens
}

/// Where words end that begin here and say that what has nothing counts too, and whether that are groups without rows, rather
/// than rows without a group.
fn lacks(tokens: &[Token], at: usize) -> Option<(usize, bool)> {
    let word = |at: usize| word(tokens, at);
    let before = &tokens[..at];
    let named = |at: usize| {
        let stem = tokens.get(at).map(|token| &token.stem);
        stem.is_some_and(|stem| before.iter().any(|token| token.stem == *stem))
    };
    // `people without a department too`: no word before it, but one behind.
    let too = (at + 1..tokens.len().min(at + 8)).any(|at| word(at) == "too");
    let leads = matches!(
        word(at),
        "incl" | "including" | "include" | "also" | "even" | "plus"
    );
    let behind_comma = too && matches!(tokens[at - 1].kind, TokenKind::Mark(',' | '('));
    if !leads && !behind_comma {
        return None;
    }
    let mut at = at + usize::from(leads);
    while matches!(
        tokens.get(at).map(|token| &token.kind),
        Some(TokenKind::Mark('.'))
    ) {
        at += 1;
    }
    // `even zero`, `even if there are none`
    let zero = |at: usize| matches!(word(at), "zero" | "zeros" | "zeroes" | "none" | "0");
    if leads {
        let some = match (word(at), word(at + 1), word(at + 2)) {
            ("if" | "when", "there", "are" | "is") | ("if" | "when", "it", "is") => 3,
            ("if" | "when" | "the" | "with", ..) => 1,
            _ => 0,
        };
        if zero(at + some) && (at + some + 1 >= tokens.len() || !named(at + some + 1)) {
            return Some((at + some + 1, true));
        }
    }
    let mut noun = None;
    for _ in 0..3 {
        if ARTICLES.contains(&word(at)) {
            at += 1;
        } else if noun.is_none() && named(at) {
            noun = Some(at);
            at += 1;
        }
    }
    if matches!(word(at), "who" | "that" | "which") {
        at += 1;
    }
    let lacking = match (word(at), word(at + 1)) {
        ("with" | "have" | "has" | "had" | "got", "none" | "nothing" | "zero") => {
            let of = usize::from(word(at + 1) == "zero" && named(at + 2));
            return Some((at + 2 + of, true));
        }
        ("with" | "have" | "has" | "had" | "got", "no") | ("without", "a" | "an" | "any" | "one") => 2,
        ("without", _) => 1,
        // `including those not used`
        ("not" | "never", verb) if verb.ends_with("ed") && at + 2 >= tokens.len().saturating_sub(1) => {
            return Some((at + 2, true));
        }
        _ => return None,
    };
    let lacked = at + lacking;
    let ends = |at: usize| {
        at >= tokens.len()
            || matches!(tokens[at].kind, TokenKind::Mark(_))
            || matches!(word(at), "too" | "please" | "as")
    };
    if ends(lacked) {
        return Some((lacked, true));
    }
    if !named(lacked) {
        return None;
    }
    // What stands behind `per` has the groups: rows without one are a group too.
    let stem = &tokens[lacked].stem;
    let grouped = before
        .windows(2)
        .any(|two| matches!(two[0].word.as_str(), "per" | "by" | "each" | "every") && two[1].stem == *stem);
    Some((lacked + 1, !grouped))
}
