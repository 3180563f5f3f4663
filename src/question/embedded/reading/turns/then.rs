//! What something was in one period against another: `sold less this October than in October last year`.

use super::{
    super::{
        super::question::{Token, TokenKind},
        rewording::{word, written},
    },
    tells_when,
};

/// Words at most between the word that compares and `than`.
const NEAR: usize = 8;

/// `lower in Q3 2026 than in Q3 2025` as the one against the other, where it was lower.
pub(super) fn than_then(mut tokens: Vec<Token>) -> Vec<Token> {
    let than = (1..tokens.len()).find(|&at| {
        let joins = usize::from(matches!(word(&tokens, at + 1), "in" | "during" | "for" | "on"));
        let next = at + 1 + joins;
        let when = |token: &Token| tells_when(token) || is_quarter(token);
        let follows = tokens.get(next).is_some_and(when)
            || word(&tokens, next) == "the" && tokens.get(next + 1).is_some_and(is_earlier);
        // `more than 2025`: a number, unless it stands alone.
        let bare = joins == 0
            && matches!(
                tokens.get(next).map(|token| &token.kind),
                Some(TokenKind::Number(_))
            );
        let alone = next + 1 >= tokens.len() || matches!(tokens[next + 1].kind, TokenKind::Mark(_));
        word(&tokens, at) == "than" && follows && (!bare || alone) && tokens[..at].iter().any(when)
    });
    let Some(than) = than else { return tokens };
    let compares = |at: usize| match word(&tokens, at) {
        "less" | "lower" | "fewer" | "smaller" | "worse" | "below" => Some("below"),
        "more" | "higher" | "bigger" | "larger" | "better" | "greater" | "above" => Some("above"),
        _ => None,
    };
    let found = (than.saturating_sub(NEAR)..than)
        .rev()
        .find_map(|at| Some((at, compares(at)?)));
    let Some((at, side)) = found else { return tokens };
    let is = usize::from(at > 0 && matches!(word(&tokens, at - 1), "was" | "were" | "is" | "are"));
    let said = |at: usize| word(&tokens, at);
    let verb = if at > is { said(at - is - 1) } else { "" };
    let verb = if is == 1 { "" } else { verb };
    let takes_in = verb == "in" && at > 1 && matches!(said(at - 2), "brought" | "bring" | "took");
    let earns = takes_in
        || matches!(
            verb,
            "sold"
                | "sell"
                | "sells"
                | "selling"
                | "earned"
                | "earn"
                | "made"
                | "spent"
                | "spend"
                | "spending"
        );
    let has = matches!(verb, "had" | "have" | "has" | "got" | "received");
    // `had fewer orders`, but `sold less this month`.
    let noun =
        at + 1 < than && matches!(tokens[at + 1].kind, TokenKind::Word(None)) && !tells_when(&tokens[at + 1]);
    let noun = noun && !matches!(said(at + 1), "in" | "during" | "on" | "for");
    let (from, instead): (usize, &[&str]) = if earns && !noun {
        (at - 1 - usize::from(takes_in), &["with", "revenue"])
    } else if has && noun {
        (at - 1, &["with", "number", "of"])
    } else {
        (at - is, &[])
    };
    let instead = written(instead, &tokens[at]);
    let versus = written(&["versus", side], &tokens[than]);
    tokens.splice(than..=than, versus);
    tokens.splice(from..=at, instead);
    both_figures(tokens)
}

fn is_quarter(token: &Token) -> bool {
    let mut letters = token.word.chars();
    letters.next() == Some('q')
        && letters
            .as_str()
            .parse::<u8>()
            .is_ok_and(|number| (1..=4).contains(&number))
}

fn is_earlier(token: &Token) -> bool {
    matches!(
        token.word.as_str(),
        "year" | "month" | "quarter" | "week" | "previous" | "same" | "last"
    )
}

/// `with both figures`: they are shown.
fn both_figures(mut tokens: Vec<Token>) -> Vec<Token> {
    let found = (1..tokens.len()).find(|&at| {
        let shows = matches!(word(&tokens, at), "with" | "show" | "give" | "and");
        let figures = matches!(
            word(&tokens, at + 2),
            "figures" | "amounts" | "totals" | "values" | "numbers" | "sums" | "years" | "months"
        );
        shows && word(&tokens, at + 1) == "both" && figures
    });
    if let Some(at) = found {
        let comma = usize::from(matches!(tokens[at - 1].kind, TokenKind::Mark(',')));
        tokens.drain(at - comma..at + 3);
    }
    tokens
}
