//! Words about how PostgreSQL stores and samples things, which say nothing about a file: statistics and storage of columns,
//! tablespaces.

use std::fmt::Write as _;

use sqlparser::tokenizer::Token;

use super::parser_fallback::{folded, is_one, solid};

/// The name of an option under which a column is named that nothing changes of.
pub(crate) const OF_COLUMN: &str = "querent_column";

/// The tablespaces that every PostgreSQL has.
const TABLESPACES: [&str; 2] = ["pg_default", "pg_global"];

/// The statement without such words, in others that the parser knows; none where there are none.
pub(super) fn plain(tokens: &[Token]) -> Option<String> {
    let solid = solid(tokens);
    let word = |at: usize, wanted: &[&str]| is_one(tokens, solid.get(at), wanted);
    if word(0, &["alter"]) && word(1, &["table"]) {
        return of_columns(tokens, &solid);
    }
    if word(0, &["create"]) {
        return placed(tokens, &solid);
    }
    None
}

/// `ALTER a SET STATISTICS 100` as an option of the table that names the column.
fn of_columns(tokens: &[Token], solid: &[usize]) -> Option<String> {
    let word = |at: usize, wanted: &[&str]| is_one(tokens, solid.get(at), wanted);
    let mut text = String::new();
    let (mut from, mut at, mut found) = (0, 2, false);
    while at < solid.len() {
        let name = at + 1 + usize::from(word(at + 1, &["column"]));
        let is_said = word(at, &["alter"])
            && word(name + 1, &["set"])
            && word(name + 2, &["statistics", "storage", "compression"]);
        let Some(Token::Word(column)) = solid.get(name).map(|at| &tokens[*at]).filter(|_| is_said) else {
            at += 1;
            continue;
        };
        // A number below 0 has a sign.
        let minus = solid.get(name + 3).is_some_and(|at| tokens[*at] == Token::Minus);
        let last = name + 3 + usize::from(minus);
        let end = *solid.get(last)?;
        text.extend(tokens[from..solid[at]].iter().map(ToString::to_string));
        let _ = write!(text, "SET ({OF_COLUMN} = {})", super::string(&folded(column)));
        (from, at, found) = (end + 1, last + 1, true);
    }
    text.extend(tokens[from..].iter().map(ToString::to_string));
    found.then_some(text)
}

/// `TABLESPACE pg_default` and `USING INDEX TABLESPACE pg_default` left out.
fn placed(tokens: &[Token], solid: &[usize]) -> Option<String> {
    let word = |at: usize, wanted: &[&str]| is_one(tokens, solid.get(at), wanted);
    let at = (2..solid.len()).find(|at| word(*at, &["tablespace"]) && word(at + 1, &TABLESPACES))?;
    let using = word(at - 2, &["using"]) && word(at - 1, &["index"]);
    let said = solid[if using { at - 2 } else { at }]..=solid[at + 1];
    let kept = tokens.iter().enumerate().filter(|(at, _)| !said.contains(at));
    Some(kept.map(|(_, token)| token.to_string()).collect())
}
