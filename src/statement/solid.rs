//! The tokens of a statement that say something.

use sqlparser::tokenizer::{Token, TokenWithSpan};

/// The places of the tokens that are neither blanks nor comments.
pub(super) fn solid(tokens: &[TokenWithSpan]) -> Vec<usize> {
    (0..tokens.len())
        .filter(|at| !matches!(tokens[*at].token, Token::Whitespace(_)))
        .collect()
}
