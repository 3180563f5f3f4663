//! SQL without what somebody may have written into it: literals and comments.

use super::lexer::{Lexer, TokenKind};

/// The statement with `?` in place of each literal, and without comments.
pub fn masked(sql: &str) -> String {
    let mut text = String::with_capacity(sql.len());
    for token in Lexer::new(sql, true) {
        match token.kind {
            TokenKind::Text(_) | TokenKind::BitText | TokenKind::Number | TokenKind::Unfinished => {
                text.push('?');
            }
            TokenKind::LineComment | TokenKind::BlockComment => text.push(' '),
            _ => text.push_str(token.span.of(sql)),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals_and_comments_are_gone() {
        for (sql, expected) in [
            (
                "SELECT a, 7 FROM \"t\" WHERE b = 'Paris' AND c > 1.5e3",
                "SELECT a, ? FROM \"t\" WHERE b = ? AND c > ?",
            ),
            (
                "SELECT E'a\\'b', $x$ c $x$, X'ff' /* Paris */ -- Rome",
                "SELECT ?, ?, ?    ",
            ),
            (
                "SELECT $1, t2.a1 FROM t2 WHERE x = 'no end",
                "SELECT $1, t2.a1 FROM t2 WHERE x = ?",
            ),
        ] {
            assert_eq!(masked(sql), expected);
        }
    }
}
