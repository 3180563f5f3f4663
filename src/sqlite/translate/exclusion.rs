//! EXCLUDE in a window's frame, which the parser does not know: until it is written out, it stands among the keys that the
//! window is parted by.

use sqlparser::{ast::Expr, tokenizer::Token};

use super::parser_fallback::{is_one, solid};

/// What is excluded, as SQLite says it too.
const KINDS: [&[&str]; 4] = [&["current", "row"], &["group"], &["ties"], &["no", "others"]];

/// How such a key begins.
const MARK: &str = "pg:exclude ";

/// The statement with a key for each EXCLUDE; `None` where there is none.
pub(super) fn marked(tokens: &[Token]) -> Option<String> {
    let mut texts: Vec<String> = tokens.iter().map(ToString::to_string).collect();
    let solid = solid(tokens);
    let is = |at: usize, word: &str| is_one(tokens, solid.get(at), &[word]);
    let is_end = |at: usize| solid.get(at).is_some_and(|at| tokens[*at] == Token::RParen);
    // The parentheses that are open, each with the place of its PARTITION BY.
    let mut open: Vec<(usize, Option<usize>)> = vec![];
    let mut found = false;
    for (at, place) in solid.iter().enumerate() {
        match &tokens[*place] {
            Token::LParen => open.push((at, None)),
            Token::RParen => {
                open.pop();
            }
            Token::Word(_) if is(at, "partition") && is(at + 1, "by") => {
                if let Some(window) = open.last_mut() {
                    window.1 = Some(at + 1);
                }
            }
            Token::Word(_) if is(at, "exclude") => {
                let kind = KINDS.iter().find(|kind| {
                    is_end(at + 1 + kind.len())
                        && kind.iter().zip(at + 1..).all(|(word, place)| is(place, word))
                });
                let (Some(kind), Some((start, keys))) = (kind, open.last()) else {
                    continue;
                };
                let key = format!("\"{MARK}{}\"", kind.join(" "));
                if let Some(by) = keys {
                    texts[solid[*by]] += &(" ".to_owned() + &key + ",");
                } else {
                    // A name of another window comes first.
                    let clauses = ["order", "rows", "range", "groups"];
                    let is_named = !clauses.iter().any(|word| is(start + 1, word));
                    let before = solid[start + usize::from(is_named)];
                    texts[before] += &(" PARTITION BY ".to_owned() + &key + " ");
                }
                for gone in &solid[at..=at + kind.len()] {
                    texts[*gone].clear();
                }
                found = true;
            }
            _ => {}
        }
    }
    found.then(|| texts.concat())
}

/// What a key says that is none.
pub(super) fn of_key(key: &Expr) -> Option<String> {
    let Expr::Identifier(name) = key else { return None };
    let kind = name
        .value
        .strip_prefix(MARK)
        .filter(|_| name.quote_style.is_some())?;
    let is_known = KINDS.iter().any(|known| known.join(" ") == kind);
    is_known.then(|| format!("EXCLUDE {}", kind.to_uppercase()))
}
