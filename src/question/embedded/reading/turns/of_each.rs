//! The first of each group, where the groups are named first.

use super::super::{
    super::question::{Token, TokenKind},
    rewording::{said, word, written},
};

/// Words at most of what the groups are, and of what is first in them.
const LONGEST: usize = 4;

/// `for each clinic the vet with most visits` as the vet with most visits in each clinic.
pub(super) fn first_of_each(tokens: Vec<Token>) -> Vec<Token> {
    let led = word(&tokens, 0) == "for" && matches!(word(&tokens, 1), "each" | "every");
    let the = (3..tokens.len().min(3 + LONGEST)).find(|at| word(&tokens, *at) == "the");
    let Some(the) = the.filter(|_| led) else {
        return tokens;
    };
    let with = (the + 2..tokens.len().min(the + 2 + LONGEST)).find(|at| word(&tokens, *at) == "with");
    let ranks = |at: usize| {
        matches!(
            word(&tokens, at),
            "most" | "fewest" | "highest" | "lowest" | "biggest" | "largest" | "smallest" | "best" | "worst"
        )
    };
    let Some(with) = with.filter(|with| ranks(with + 1) || ranks(with + 2)) else {
        return tokens;
    };
    let end = (with..tokens.len())
        .find(|at| matches!(tokens[*at].kind, TokenKind::Mark(_)))
        .unwrap_or(tokens.len());
    let comma = usize::from(matches!(tokens[the - 1].kind, TokenKind::Mark(',')));
    let mut turned = tokens[the..end].to_vec();
    turned.extend(written(&["in"], &tokens[0]));
    turned.push(said("each", &tokens[1]));
    turned.extend_from_slice(&tokens[2..the - comma]);
    turned.extend_from_slice(&tokens[end..]);
    turned
}
