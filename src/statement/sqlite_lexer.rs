//! SQLite's lexical rules, as far as comments and names need them, for what a file holds and SQLite is given; and
//! PostgreSQL's for what a client writes.

use crate::statement;

/// One thing in the text of a statement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Piece<'s> {
    /// A name, a literal or one character of an operator.
    Token(&'s str),
    /// The words of a comment.
    Comment(&'s str),
    /// A line break outside of the others.
    Line,
}

/// The pieces of a text, each with its offset in bytes.
pub(crate) fn pieces(sql: &str) -> impl Iterator<Item = (usize, Piece<'_>)> {
    let mut at = 0;
    std::iter::from_fn(move || {
        loop {
            let rest = &sql[at..];
            let offset = at;
            let (piece, length) = first(rest)?;
            at += length;
            if let Some(piece) = piece {
                return Some((offset, piece));
            }
        }
    })
}

/// The tokens of a text, without its comments and lines, each with its offset in bytes.
pub(crate) fn tokens(sql: &str) -> impl Iterator<Item = (usize, &str)> {
    pieces(sql).filter_map(|(at, piece)| match piece {
        Piece::Token(token) => Some((at, token)),
        Piece::Comment(_) | Piece::Line => None,
    })
}

/// The names, literals, numbers and signs of what a client wrote, which has strings that SQLite does not know: `$$it's$$`.
pub(crate) fn of_client(sql: &str) -> impl Iterator<Item = &str> {
    placed(sql).map(|(_, token)| token)
}

/// The same with their offsets in bytes.
pub(crate) fn placed(sql: &str) -> impl Iterator<Item = (usize, &str)> {
    statement::tokens(sql)
}

/// True for a client's text that holds no statement: white space, comments and semicolons.
pub(crate) fn is_empty(sql: &str) -> bool {
    of_client(sql).all(|token| token == ";")
}

/// An identifier as SQL writes it.
pub(crate) fn quote(identifier: &str) -> String {
    format!("\"{}\"", identifier.replace('"', "\"\""))
}

/// The name that a token spells.
pub(crate) fn unquote(token: &str) -> String {
    let mut characters = token.chars();
    match (characters.next(), characters.next_back()) {
        (Some(open @ ('"' | '`' | '\'')), Some(close)) if open == close => characters
            .as_str()
            .replace(&format!("{open}{open}"), &open.to_string()),
        (Some('['), Some(']')) => characters.as_str().to_owned(),
        _ => token.to_owned(),
    }
}

/// The first piece, where it is one, and its length in bytes; `None` at the end.
fn first(rest: &str) -> Option<(Option<Piece<'_>>, usize)> {
    let first = rest.chars().next()?;
    let token = |length: usize| (Some(Piece::Token(&rest[..length])), length);
    Some(match first {
        '\n' => (Some(Piece::Line), 1),
        _ if first.is_whitespace() => (None, first.len_utf8()),
        '-' if rest.starts_with("--") => {
            let line = rest.split('\n').next().unwrap_or_default();
            (
                Some(Piece::Comment(line.trim_start_matches('-').trim())),
                line.len(),
            )
        }
        '/' if rest.starts_with("/*") => {
            let end = rest[2..].find("*/").map_or(rest.len(), |end| end + 4);
            let words = rest[2..end].trim_end_matches("*/").trim_matches('*').trim();
            (Some(Piece::Comment(words)), end)
        }
        '"' | '\'' | '`' => token(quoted(rest, first)),
        '[' => token(rest.find(']').map_or(rest.len(), |end| end + 1)),
        _ if is_word(first) => token(rest.find(|c| !is_word(c)).unwrap_or(rest.len())),
        _ => token(first.len_utf8()),
    })
}

fn is_word(character: char) -> bool {
    character.is_alphanumeric()
        || matches!(character, '_' | '$')
        || !character.is_ascii() && !character.is_whitespace()
}

/// Bytes of the quoted token at the beginning, in which a doubled quote stands for one.
fn quoted(text: &str, quote: char) -> usize {
    let mut from = 1;
    while let Some(end) = text[from..].find(quote) {
        from += end + 1;
        if !text[from..].starts_with(quote) {
            return from;
        }
        from += 1;
    }
    text.len()
}
