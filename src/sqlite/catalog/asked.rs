//! What was asked for an index beside what SQLite's indexes have: it is kept in a comment of its text.

use crate::{
    sqlite::translate::written::ASKED,
    statement::sqlite_lexer::{Piece, pieces, unquote},
};

/// What an index was asked for that SQLite's indexes have not.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Asked {
    /// Of each key the class of its operators, and whether NULL comes first, where that was said.
    pub(super) keys: Vec<(Option<String>, Option<bool>)>,
    pub(super) included: Vec<String>,
}

/// What the text of an index keeps of it.
pub(super) fn asked(index: &str) -> Asked {
    let words = pieces(index).find_map(|(_, piece)| match piece {
        Piece::Comment(words) => words.trim().strip_prefix(ASKED),
        _ => None,
    });
    let mut asked = Asked::default();
    let mut lists = 0;
    let mut before = "";
    for (_, piece) in pieces(words.unwrap_or_default()) {
        let Piece::Token(token) = piece else { continue };
        let key = asked.keys.last_mut();
        match (token, lists) {
            ("(", _) => lists += 1,
            (")", _) => {}
            (",", 1) => asked.keys.push((None, None)),
            (_, 1) if token.starts_with('"') => {
                if let Some(key) = key {
                    key.0 = Some(unquote(token));
                }
            }
            ("first" | "last", 1) if before == "nulls" => {
                if let Some(key) = key {
                    key.1 = Some(token == "first");
                }
            }
            (_, 2) if token.starts_with('"') => asked.included.push(unquote(token)),
            _ => {}
        }
        if token == "(" && lists == 1 {
            asked.keys.push((None, None));
        }
        before = token;
    }
    asked
}

/// The columns that the text of an index says are included.
pub(crate) fn included(index: &str) -> Vec<String> {
    asked(index).included
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sqlite::translate::written::keep_asked;

    #[test]
    fn what_an_index_was_asked_for() {
        let keys = ["\"text_pattern_ops\" nulls first", "", "nulls last"].map(str::to_owned);
        let kept = keep_asked(&keys, &["\"b \"\"c\"".to_owned()]);
        let index = format!("CREATE INDEX \"i\" ON \"t\"{kept} (\"a\", \"b\" DESC)");
        let key = |class: Option<&str>, first| (class.map(str::to_owned), first);
        assert_eq!(
            asked(&index),
            Asked {
                keys: vec![
                    key(Some("text_pattern_ops"), Some(true)),
                    key(None, None),
                    key(None, Some(false)),
                ],
                included: vec!["b \"c".to_owned()],
            }
        );
        assert_eq!(keep_asked(&[String::new()], &[]), "");
        assert_eq!(asked("CREATE INDEX i ON t (a)"), Asked::default());
    }
}
