//! `LIKE ALL (SELECT …)`, which the parser does not know: the operator that LIKE stands for is read before a query.

use sqlparser::tokenizer::Token;

use super::parser_fallback::{is_one, solid};

/// The statement with operators in the place of such words; `None` where there are none.
pub(super) fn respelled(tokens: &[Token]) -> Option<String> {
    let mut texts: Vec<String> = tokens.iter().map(ToString::to_string).collect();
    let solid = solid(tokens);
    let is = |at: usize, words: &[&str]| is_one(tokens, solid.get(at), words);
    let mut found = false;
    for at in 1..solid.len() {
        let opens = solid.get(at + 2).is_some_and(|at| tokens[*at] == Token::LParen);
        let reads = opens && is(at + 3, &["select", "with"]);
        if !(is(at, &["like", "ilike"]) && is(at + 1, &["all", "any", "some"]) && reads) {
            continue;
        }
        let star = if is(at, &["ilike"]) { "*" } else { "" };
        let negated = is(at - 1, &["not"]);
        if negated {
            texts[solid[at - 1]].clear();
        }
        texts[solid[at]] = format!("{}~~{star}", if negated { "!" } else { "" });
        found = true;
    }
    found.then(|| texts.concat())
}
