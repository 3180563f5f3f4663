//! Markers: comments that ask, `-- nl: question` and `/* nl action: question */`.

use super::{
    Action, Span,
    lexer::{Lexer, Token, TokenKind},
};

/// A marker of a statement.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Marker {
    /// The comment with the line comments that continue it.
    pub(super) span: Span,
    pub(super) action: Action,
    /// Without a trailing `;` and a trailing sqlcommenter block.
    pub(super) text: String,
    /// True for line comments: what follows must stand on a new line.
    pub(super) is_line: bool,
    /// How many tokens that are not blank stand in front of it.
    pub(super) at: usize,
}

/// A comment that would be a marker if its action existed.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct UnknownAction {
    pub(super) span: Span,
    pub(super) name: String,
}

/// A statement's tokens by their use.
#[derive(Debug, Default)]
pub(super) struct Parts {
    /// Those that are not blank, without the final `;`.
    pub(super) tokens: Vec<Token>,
    pub(super) markers: Vec<Marker>,
    pub(super) unknown: Option<UnknownAction>,
}

/// Separates a statement's markers from what is left of it.
pub(super) fn parts(text: &str, standard_strings: bool) -> Parts {
    let mut parts = Parts::default();
    let mut lexer = Lexer::new(text, standard_strings).peekable();
    while let Some(token) = lexer.next() {
        let Some(body) = comment_body(token, text) else {
            if !token.is_blank() {
                parts.tokens.push(token);
            }
            continue;
        };
        match head(body) {
            Head::None => {}
            Head::Unknown(name) => {
                parts.unknown.get_or_insert(UnknownAction {
                    span: token.span,
                    name: name.to_owned(),
                });
            }
            Head::Marker(action, first) => {
                let mut lines = first.to_owned();
                let mut marker = Marker {
                    span: token.span,
                    action,
                    text: String::new(),
                    is_line: token.kind == TokenKind::LineComment,
                    at: parts.tokens.len(),
                };
                // A peeked line break may belong to what follows the marker: it is blank either way.
                while marker.is_line && lexer.peek().is_some_and(|token| is_line_break(*token, text)) {
                    lexer.next();
                    let Some(line) = lexer.next_if(|token| continues(*token, text)) else {
                        break;
                    };
                    lines.push('\n');
                    lines.push_str(line.span.of(text)[2..].trim());
                    marker.span.end = line.span.end;
                }
                question(&lines).clone_into(&mut marker.text);
                parts.markers.push(marker);
            }
        }
    }
    while parts.tokens.last().is_some_and(|token| token.is_sign(text, ";")) {
        parts.tokens.pop();
    }
    // A marker may stand behind them, where a parenthesis was left open.
    for marker in &mut parts.markers {
        marker.at = marker.at.min(parts.tokens.len());
    }
    parts
}

/// True if a comment token is a marker, or would be if its action existed.
pub(super) fn is_marker(token: Token, text: &str) -> bool {
    comment_body(token, text).is_some_and(|body| !matches!(head(body), Head::None))
}

fn comment_body(token: Token, text: &str) -> Option<&str> {
    let written = token.span.of(text);
    match token.kind {
        TokenKind::LineComment => Some(&written[2..]),
        TokenKind::BlockComment => Some(&written[2..written.len() - 2]),
        _ => None,
    }
}

enum Head<'a> {
    None,
    Unknown(&'a str),
    Marker(Action, &'a str),
}

/// `^\s*\+?\s*nl(\s+action)?\s*:` and what follows it.
fn head(body: &str) -> Head<'_> {
    let body = body.trim_start();
    let body = body.strip_prefix('+').unwrap_or(body).trim_start();
    if !body.get(..2).is_some_and(|name| name.eq_ignore_ascii_case("nl")) {
        return Head::None;
    }
    let rest = &body[2..];
    let spaced = rest.trim_start();
    if let Some(text) = spaced.strip_prefix(':') {
        return Head::Marker(Action::Run, text.trim());
    }
    let length = spaced
        .find(|c: char| !(c.is_ascii_alphanumeric() || c == '_'))
        .unwrap_or(spaced.len());
    let (word, behind) = spaced.split_at(length);
    match behind.trim_start().strip_prefix(':') {
        Some(text) if spaced.len() < rest.len() && !word.is_empty() => match Action::of_word(word) {
            Some(action) => Head::Marker(action, text.trim()),
            None => Head::Unknown(word),
        },
        _ => Head::None,
    }
}

/// One line break, perhaps with spaces around it.
fn is_line_break(token: Token, text: &str) -> bool {
    let breaks = token.span.of(text).bytes().filter(|byte| *byte == b'\n').count();
    token.kind == TokenKind::Space && breaks <= 1
}

/// A line comment that goes on with the question: neither a marker nor a tool's tag (`Metabase:: …`).
fn continues(token: Token, text: &str) -> bool {
    let tag = |body: &str| {
        let body = body.trim_start();
        let word = body
            .find(|c: char| !(c.is_alphanumeric() || c == '_'))
            .unwrap_or(body.len());
        word > 0 && body[word..].starts_with("::")
    };
    token.kind == TokenKind::LineComment
        && comment_body(token, text).is_some_and(|body| !matches!(head(body), Head::Marker(..)) && !tag(body))
}

/// The question in a marker's text.
fn question(text: &str) -> &str {
    let mut text = text.trim();
    loop {
        let shorter = without_sqlcommenter(text)
            .trim_end()
            .trim_end_matches(';')
            .trim_end();
        if shorter.len() == text.len() {
            return text;
        }
        text = shorter;
    }
}

/// Without a trailing `/*key='value',…*/`, as sqlcommenter writes it.
fn without_sqlcommenter(text: &str) -> &str {
    let Some((question, block)) = text.strip_suffix("*/").and_then(|text| text.rsplit_once("/*")) else {
        return text;
    };
    let block = block.trim();
    let is_key = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '%');
    match block.split_once("='") {
        Some((key, value)) if !key.is_empty() && key.chars().all(is_key) && value.ends_with('\'') => question,
        _ => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &[(Action, &str)]) {
        let parts = parts(text, true);
        let found: Vec<(Action, &str)> = parts
            .markers
            .iter()
            .map(|marker| (marker.action, marker.text.as_str()))
            .collect();
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn comments_that_ask() {
        use Action::{Fix, Good, Run, Sql};
        check("-- nl: how many?", &[(Run, "how many?")]);
        check("--nl:x", &[(Run, "x")]);
        check("/*+ NL\n sql :\n a\n b */", &[(Sql, "a\n b")]);
        check("--  nl   SQL  :  a : b ", &[(Sql, "a : b")]);
        check("-- nl good:", &[(Good, "")]);
        check("-- nl: a;", &[(Run, "a")]);
        check("-- nl: a ; /*k='v',k2='v%27'*/;", &[(Run, "a")]);
        check("/* nl: a /*traceparent='00-5',db-driver='x'*/ */", &[(Run, "a")]);
        check("-- nl: a /* b */", &[(Run, "a /* b */")]);
        check("-- nl fix: SELECT 1;", &[(Fix, "SELECT 1")]);
        check(
            "-- nl: Wie viele Städte gibt es?",
            &[(Run, "Wie viele Städte gibt es?")],
        );
    }

    #[test]
    fn comments_that_do_not() {
        for text in [
            "-- note: nl",
            "-- nlx: a",
            "-- nlsql: a",
            "-- n l: a",
            "/* * nl: a */",
            "-- nl a",
            "-- ñl: x",
            "--",
            "/**/",
        ] {
            check(text, &[]);
        }
        for text in [
            "'-- nl: a'",
            "\"/* nl: a */\"",
            "$$-- nl: a$$",
            "/* nl: a",
            "E'\\'-- nl: a'",
            "U&\"-- nl: a\"",
        ] {
            check(text, &[]);
        }
    }

    #[test]
    fn lines_that_follow_continue_the_question() {
        use Action::Run;
        check(
            "-- nl: how many\n  -- customers;\nSELECT",
            &[(Run, "how many\ncustomers")],
        );
        check("-- nl: a\r\n-- b", &[(Run, "a\nb")]);
        check("-- nl: a\n\n-- b", &[(Run, "a")]);
        check("-- nl: a\n-- Metabase:: userID: 1", &[(Run, "a")]);
        check("-- nl: a\n-- nl: b", &[(Run, "a"), (Run, "b")]);
        check("-- nl: a\nSELECT -- b", &[(Run, "a")]);
        check("-- Metabase:: x\n-- nl: a\n/* b */", &[(Run, "a")]);
        check("/* nl: a */\n-- b", &[(Run, "a")]);
    }

    #[test]
    fn unknown_actions_are_kept_apart() {
        let parts = parts("-- nl sqll: a", true);
        assert!(parts.markers.is_empty());
        assert_eq!(parts.unknown.unwrap().name, "sqll");
    }
}
