//! A question for the most of something that then asks for all of them.

use super::{
    super::{
        super::question::{Token, TokenKind},
        rewording::{word, written},
    },
    is_period,
};

/// `on which weekday do most orders arrive? show all seven with the count` as how many there are on each.
pub(super) fn all_of_them(tokens: Vec<Token>) -> Vec<Token> {
    let Some(end) = shows_all(&tokens) else {
        return tokens;
    };
    let asked = &tokens[..end];
    let Some((which, period)) = (0..asked.len()).find_map(|at| {
        let which = matches!(word(asked, at), "which" | "what");
        let hour = usize::from(word(asked, at + 2) == "of") * 2;
        (which && is_period(word(asked, at + 1).trim_end_matches('s'))).then_some((
            at,
            at + 2 + hour + usize::from(hour > 0 && word(asked, at + 3) == "the"),
        ))
    }) else {
        return tokens;
    };
    let counted = if let Some(busiest) = (period..asked.len()).find(|at| word(asked, *at) == "busiest") {
        let led = matches!(word(asked, busiest + 1), "for" | "in");
        &asked[busiest + 1 + usize::from(led)..]
    } else if let Some(most) = (period..asked.len()).find(|at| word(asked, *at) == "most") {
        &asked[most + 1..]
    } else {
        return tokens;
    };
    let verb = counted
        .iter()
        .position(|token| matches!(token.word.as_str(), "arrive" | "come" | "happen" | "occur"));
    let counted = &counted[..verb.unwrap_or(counted.len())];
    if counted.is_empty() {
        return tokens;
    }
    let mut turned = written(&["number", "of"], &tokens[which]);
    turned.extend_from_slice(counted);
    turned.extend(written(&["per"], &tokens[which]));
    turned.extend_from_slice(&asked[which + 1..period]);
    // `busiest first`
    if tokens[end..].iter().any(|token| token.word == "first") {
        turned.extend(written(&["highest", "first"], &tokens[which]));
    }
    turned
}

/// Where the question ends that all is to be shown of.
fn shows_all(tokens: &[Token]) -> Option<usize> {
    let show = (4..tokens.len()).find(|&at| {
        let asks = matches!(word(tokens, at), "show" | "list" | "give" | "tell");
        let mut behind = tokens[at + 1..].iter().take(8);
        asks && behind.any(|token| matches!(token.word.as_str(), "all" | "every" | "each"))
    })?;
    let mark = |token: &Token| matches!(token.kind, TokenKind::Mark(_));
    let marks = tokens[..show]
        .iter()
        .rev()
        .take_while(|token| mark(token))
        .count();
    Some(show - marks)
}
