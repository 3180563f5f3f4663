//! `LIKE ALL (SELECT …)`, which the parser does not know: the operator that LIKE stands for is read before a query.

use sqlparser::tokenizer::{Token, Word};

/// The statement with operators in the place of such words; `None` where there are none.
pub(super) fn respelled(tokens: &[Token]) -> Option<String> {
    let mut texts: Vec<String> = tokens.iter().map(ToString::to_string).collect();
    let solid: Vec<usize> = (0..tokens.len())
        .filter(|at| !matches!(tokens[*at], Token::Whitespace(_)))
        .collect();
    let token = |at: usize| solid.get(at).map(|at| &tokens[*at]);
    let is = |at: usize, words: &[&str]| matches!(token(at), Some(Token::Word(word)) if is_one(word, words));
    let mut found = false;
    for at in 1..solid.len() {
        let reads = token(at + 2) == Some(&Token::LParen) && is(at + 3, &["select", "with"]);
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

fn is_one(word: &Word, words: &[&str]) -> bool {
    word.quote_style.is_none() && words.iter().any(|wanted| word.value.eq_ignore_ascii_case(wanted))
}
