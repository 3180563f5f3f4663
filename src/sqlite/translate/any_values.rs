//! `= ANY (VALUES (1), (2))`: the parser reads a query there only where it begins with SELECT or WITH.

use sqlparser::tokenizer::Token;

use super::{
    in_list::closing,
    parser_fallback::{is_one, solid},
};

/// The statement with a query of each such list of rows; `None` where there is none.
pub(super) fn respelled(tokens: &[Token]) -> Option<String> {
    let mut texts: Vec<String> = tokens.iter().map(ToString::to_string).collect();
    let solid = solid(tokens);
    let is = |at: usize, words: &[&str]| is_one(tokens, solid.get(at), words);
    let mut found = false;
    for at in 0..solid.len() {
        let opens = solid.get(at + 1).is_some_and(|at| tokens[*at] == Token::LParen);
        if !(opens && is(at, &["all", "any", "some"]) && is(at + 2, &["values"])) {
            continue;
        }
        let Some(close) = closing(tokens, &solid, at + 1) else {
            continue;
        };
        texts[solid[at + 1]] = "(SELECT * FROM (".into();
        texts[solid[close]] = ") AS \"values\")".into();
        found = true;
    }
    found.then(|| texts.concat())
}
