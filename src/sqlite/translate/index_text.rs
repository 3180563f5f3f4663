//! CREATE INDEX as the file keeps it, read by its tokens: a name may hold ` ON `, dots and parentheses.

use crate::statement::sqlite_lexer::tokens;

/// The parts of a CREATE INDEX that somebody wrote; SQLite keeps no text of those that follow from a constraint.
pub(super) struct IndexText<'s> {
    pub(super) is_unique: bool,
    /// From the table's name to the end.
    pub(super) on: &'s str,
    /// What stands in the parentheses behind the table's name.
    pub(super) keys: &'s str,
}

impl<'s> IndexText<'s> {
    pub(super) fn read(sql: &'s str) -> Option<Self> {
        let tokens: Vec<(usize, &str)> = tokens(sql).collect();
        let is = |at: usize, word: &str| {
            let token = tokens.get(at);
            token.is_some_and(|(_, token)| token.eq_ignore_ascii_case(word))
        };
        let on = (0..tokens.len()).find(|at| is(*at, "on"))?;
        let open = (on..tokens.len()).find(|at| is(*at, "("))?;
        let mut depth = 0;
        let close = (open..tokens.len()).find(|at| {
            if is(*at, "(") {
                depth += 1;
            } else if is(*at, ")") {
                depth -= 1;
            }
            depth == 0
        })?;
        Some(Self {
            is_unique: is(1, "unique"),
            on: &sql[tokens.get(on + 1)?.0..],
            keys: &sql[tokens[open].0 + 1..tokens[close].0],
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_may_look_like_words() {
        let sql = "CREATE UNIQUE INDEX \"a ON b\" on \"t (x)\"( \"c) d\", lower(\"e\") ) WHERE (1)";
        let read = IndexText::read(sql).unwrap();
        assert!(read.is_unique);
        assert_eq!(read.keys.trim(), "\"c) d\", lower(\"e\")");
        assert_eq!(read.on, "\"t (x)\"( \"c) d\", lower(\"e\") ) WHERE (1)");
        assert!(!IndexText::read("CREATE INDEX i ON t(a)").unwrap().is_unique);
        assert!(IndexText::read("").is_none());
    }
}
