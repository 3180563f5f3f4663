//! How many there are, asked for behind what they come to.

use super::super::{
    super::question::{Token, TokenKind},
    rewording::{word, written},
};

/// `total amount of open invoices, and how many` as their number and total amount.
pub(super) fn at_the_end(mut tokens: Vec<Token>) -> Vec<Token> {
    let stop = tokens
        .iter()
        .rposition(|token| !matches!(token.kind, TokenKind::Mark(_)));
    let Some(last) = stop.filter(|last| *last >= 4) else {
        return tokens;
    };
    let asks = word(&tokens, last) == "many" && word(&tokens, last - 1) == "how";
    let joined = word(&tokens, last - 2) == "and";
    let totals = matches!(word(&tokens, 0), "total" | "sum" | "average" | "overall");
    if !(asks && joined && totals) {
        return tokens;
    }
    let comma = usize::from(matches!(tokens[last - 3].kind, TokenKind::Mark(',')));
    tokens.truncate(last - 2 - comma);
    let number = written(&["number", "and"], &tokens[0]);
    tokens.splice(0..0, number);
    tokens
}
