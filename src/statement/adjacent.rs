//! Strings beside each other (manual, section 4.1.2.1): with a line break between them they are one, without they are none. Other
//! parsers take the second for a name. So they do with letters right behind a number, which are an error too.

use std::borrow::Cow;

use super::lexer::{Lexer, Quoting, Token, TokenKind};

/// The text with the pieces of each string in one. Line breaks stay, so that lines keep their numbers.
pub(crate) fn joined(sql: &str) -> Cow<'_, str> {
    if !may_have_two(sql) {
        return Cow::Borrowed(sql);
    }
    let mut whole = String::new();
    let mut written = 0;
    for token in Lexer::new(sql, true) {
        let Some((prefix, pieces)) = pieces(token, sql) else {
            continue;
        };
        whole.push_str(&sql[written..token.span.start]);
        whole.push_str(prefix);
        whole.push('\'');
        whole.extend(pieces.iter().copied());
        whole.push('\'');
        let breaks = token.span.of(sql).matches('\n').count();
        let inside: usize = pieces.iter().map(|piece| piece.matches('\n').count()).sum();
        whole.extend(std::iter::repeat_n('\n', breaks - inside));
        written = token.span.end;
    }
    if written == 0 {
        return Cow::Borrowed(sql);
    }
    whole.push_str(&sql[written..]);
    Cow::Owned(whole)
}

/// The place in characters from 1, and the text, of a string that stands behind another on one line.
pub(crate) fn side_by_side(sql: &str) -> Option<(usize, &str)> {
    if !may_have_two(sql) {
        return None;
    }
    let mut is_behind = false;
    for token in Lexer::new(sql, true) {
        if token.is_blank() {
            continue;
        }
        let is_text = matches!(token.kind, TokenKind::Text(_));
        if is_text && is_behind {
            return Some((sql[..token.span.start].chars().count() + 1, token.span.of(sql)));
        }
        is_behind = is_text;
    }
    None
}

/// The place in characters from 1, and the text, of a number with letters or `_` in it or right behind it: PostgreSQL 15 knows
/// no digits but decimal ones.
pub(crate) fn number_with_letters(sql: &str) -> Option<(usize, &str)> {
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || !byte.is_ascii();
    let is_letter = |byte: u8| is_part(byte) && !byte.is_ascii_digit();
    let bytes = sql.as_bytes();
    let mut pairs = bytes.windows(2);
    if !pairs.any(|pair| (pair[0].is_ascii_digit() || pair[0] == b'.') && is_letter(pair[1])) {
        return None;
    }
    let mut numbers = Lexer::new(sql, true).filter(|token| token.kind == TokenKind::Number);
    numbers.find_map(|number| {
        let written = number.span.of(sql);
        let prefix = written.as_bytes().get(1);
        let is_decimal = !written.contains('_') && !prefix.is_some_and(|byte| b"xXoObB".contains(byte));
        let behind = bytes[number.span.end..].iter();
        let letters = behind.take_while(|byte| is_part(**byte)).count();
        let text = sql.get(number.span.start..number.span.end + letters)?;
        (letters > 0 || !is_decimal).then(|| (sql[..number.span.start].chars().count() + 1, text))
    })
}

/// True where a string may end before another that only blanks stand before.
fn may_have_two(sql: &str) -> bool {
    let bytes = sql.as_bytes();
    let ends =
        |pair: &[u8]| pair[0] == b'\'' && (pair[1].is_ascii_whitespace() || matches!(pair[1], b'-' | b'/'));
    bytes.windows(2).any(ends) && sql.matches('\'').nth(2).is_some()
}

/// The contents of the pieces of a string, as they are written; `None` for what has one.
fn pieces(token: Token, sql: &str) -> Option<(&str, Vec<&str>)> {
    let backslashes = match token.kind {
        TokenKind::Text(quoting) if quoting != Quoting::Dollar => quoting == Quoting::Backslash,
        TokenKind::BitText => false,
        _ => return None,
    };
    let written = token.span.of(sql);
    let bytes = written.as_bytes();
    let first = written.find('\'')?;
    let (mut pieces, mut begin, mut at) = (vec![], first + 1, first + 1);
    while at < bytes.len() {
        match bytes[at] {
            b'\\' if backslashes => at += 2,
            b'\'' if bytes.get(at + 1) == Some(&b'\'') => at += 2,
            b'\'' => {
                pieces.push(&written[begin..at]);
                begin = next_piece(written, at + 1);
                at = begin;
            }
            _ => at += 1,
        }
    }
    (pieces.len() > 1).then(|| (&written[..first], pieces))
}

/// The place behind the quote with which the next piece begins, behind blanks and comments.
fn next_piece(written: &str, mut at: usize) -> usize {
    let bytes = written.as_bytes();
    while at < bytes.len() && bytes[at] != b'\'' {
        let comment = bytes[at..].starts_with(b"--");
        at = match written[at..].find(['\n', '\r']) {
            Some(end) if comment => at + end,
            _ => at + 1,
        };
    }
    at + 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_on_lines_of_their_own_are_one() {
        for (sql, expected) in [
            ("SELECT 'foo'\n'bar', 1", "SELECT 'foobar'\n, 1"),
            (
                "SELECT 'a'  \n -- it's\n\n  'b''c'\r\n'd' x",
                "SELECT 'ab''cd'\n\n\n\n x",
            ),
            ("SELECT E'a\\''\n'\\'b' x", "SELECT E'a\\'\\'b'\n x"),
            ("SELECT B'01'\n'10'", "SELECT B'0110'\n"),
            ("SELECT 'a\nb'\n'c'", "SELECT 'a\nbc'\n"),
            ("SELECT 'a'\n, 'b'", "SELECT 'a'\n, 'b'"),
            ("SELECT $$a'\n'b$$", "SELECT $$a'\n'b$$"),
            ("SELECT 'a' 'b'", "SELECT 'a' 'b'"),
        ] {
            assert_eq!(joined(sql), expected, "{sql}");
        }
    }

    #[test]
    fn strings_on_one_line_are_none() {
        for (sql, expected) in [
            ("SELECT 'a' 'b'", Some((12, "'b'"))),
            ("SELECT 'a' /* \n */ 'b'", Some((20, "'b'"))),
            ("SELECT 'a'\n'b' 'c'", Some((16, "'c'"))),
            ("SELECT 'a'\n'b'", None),
            ("SELECT 'a' , 'b'", None),
            ("SELECT 'a' AS b, 'c'", None),
        ] {
            assert_eq!(side_by_side(sql), expected, "{sql}");
        }
    }
}
