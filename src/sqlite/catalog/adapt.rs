//! What PostgreSQL's clients write into statements of SQLite's own. Nothing else of a statement is touched.

use std::{borrow::Cow, ops::Range};

use crate::statement::sqlite_lexer::tokens;

/// A statement as SQLite reads it, and where it differs from what the client wrote.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Adapted<'s> {
    /// The text for SQLite.
    pub(crate) sql: Cow<'s, str>,
    /// Where calls were made of words, in characters of the new text from 0.
    calls: Vec<usize>,
}

/// Longer statements carry data, and no driver asks the catalogue by one.
const LONGEST: usize = 64 << 10;

/// What makes a call of a word.
const CALL: &str = "()";

/// Words that PostgreSQL reads as calls of functions.
const CALLED: [&str; 4] = ["current_user", "session_user", "current_role", "current_catalog"];

/// Types whose literals SQLite writes without quotes.
const NUMBERS: [&str; 9] = [
    "int2", "int4", "int8", "int", "integer", "bigint", "float4", "float8", "numeric",
];

/// Types whose literals SQLite writes as text.
const TEXTS: [&str; 7] = ["text", "varchar", "name", "date", "time", "timestamp", "uuid"];

/// Reads `pg_catalog.version()`, `current_user`, `'t'::regclass` and the literals `'1'::int4` and `'a'::text`;
/// all else stays, to the letter.
pub(crate) fn adapt(sql: &str) -> Adapted<'_> {
    if sql.len() > LONGEST {
        return Adapted {
            sql: Cow::Borrowed(sql),
            calls: vec![],
        };
    }
    let is_kept = is_kept(sql);
    let tokens: Vec<(usize, &str)> = tokens(sql).collect();
    let word = |at: usize| tokens.get(at).map_or("", |(_, token)| *token);
    let is = |at: usize, expected: &str| word(at).eq_ignore_ascii_case(expected);
    // Where something is blanked out, and where a call is made, in bytes.
    let (mut blanks, mut calls) = (vec![], vec![]);
    let mut at = 0;
    while at < tokens.len() {
        let (start, token) = tokens[at];
        if (token.eq_ignore_ascii_case("pg_catalog") || token == "\"pg_catalog\"")
            && is(at + 1, ".")
            && is(at + 3, "(")
        {
            blanks.push(start..tokens[at + 2].0);
            at += 2;
        } else if is_kept && is(at, "public") && is(at + 1, ".") && (at == 0 || !is(at - 1, ".")) {
            blanks.push(start..tokens.get(at + 2).map_or(sql.len(), |(after, _)| *after));
            at += 2;
        } else if CALLED.iter().any(|called| token.eq_ignore_ascii_case(called))
            && !is(at + 1, "(")
            && !is(at + 1, ".")
            && (at == 0 || !(is(at - 1, ".") || is(at - 1, "as")))
        {
            calls.push(start + token.len());
            at += 1;
        } else if is(at, ":") && is(at + 1, ":") {
            at = typed_literal(&tokens, at, &mut blanks).unwrap_or(at + 2);
        } else {
            at += 1;
        }
    }
    if blanks.is_empty() && calls.is_empty() {
        return Adapted {
            sql: Cow::Borrowed(sql),
            calls: vec![],
        };
    }
    let mut new = String::with_capacity(sql.len() + calls.len() * CALL.len());
    let mut made = vec![];
    let mut characters = 0;
    for (offset, character) in sql.char_indices() {
        if calls.contains(&offset) {
            made.push(characters);
            new.push_str(CALL);
            characters += CALL.len();
        }
        let blank = blanks.iter().any(|blank| blank.contains(&offset));
        new.push(if blank { ' ' } else { character });
        characters += 1;
    }
    if calls.contains(&sql.len()) {
        made.push(characters);
        new.push_str(CALL);
    }
    Adapted {
        sql: Cow::Owned(new),
        calls: made,
    }
}

/// True for a view or a trigger whose text SQLite keeps, and that names the schema of the file as clients do: any other
/// program that opens the file knows no `public`.
fn is_kept(sql: &str) -> bool {
    let mut tokens = tokens(sql).map(|(_, token)| token);
    let is = |token: Option<&str>, word: &str| token.is_some_and(|token| token.eq_ignore_ascii_case(word));
    if !is(tokens.next(), "create") {
        return false;
    }
    let kind = tokens.next();
    if !is(kind, "view") && !is(kind, "trigger") {
        return false;
    }
    // Something else may have that name.
    let (mut named, mut waiting) = (false, false);
    for token in tokens {
        if waiting && token != "." {
            return false;
        }
        waiting = token.eq_ignore_ascii_case("public");
        named |= waiting;
    }
    named && !waiting
}

/// Blanks out the type of the literal in front of `at`, and its quotes where it is a number, as drivers write
/// values into a statement. Returns the position after it; `None` where it is something else.
fn typed_literal(tokens: &[(usize, &str)], at: usize, blanks: &mut Vec<Range<usize>>) -> Option<usize> {
    let (start, literal) = *tokens.get(at.checked_sub(1)?)?;
    let content = literal.strip_prefix('\'')?.strip_suffix('\'')?;
    let (type_at, ty) = *tokens.get(at + 2)?;
    // `E'…'` is one literal; `varchar(5)` is more than a word.
    let prefixed = at >= 2 && tokens[at - 2].0 + tokens[at - 2].1.len() == start && tokens[at - 2].1 != "(";
    if prefixed || tokens.get(at + 3).is_some_and(|(_, next)| *next == "(") {
        return None;
    }
    let named = |names: &[&str]| names.iter().any(|name| ty.eq_ignore_ascii_case(name));
    let is_number = || content.parse::<f64>().is_ok() && content.ends_with(|c: char| c.is_ascii_digit());
    if named(&NUMBERS) && is_number() {
        let end = start + literal.len();
        blanks.extend([start..start + 1, end - 1..end]);
    } else if !named(&TEXTS) {
        return None;
    }
    blanks.push(tokens[at].0..type_at + ty.len());
    Some(at + 3)
}

impl Adapted<'_> {
    /// The client's position, in characters from 1, of a position in the new text.
    pub(crate) fn original_position(&self, position: usize) -> usize {
        let place = position.saturating_sub(1);
        let mut put = 0;
        for at in self.calls.iter().take_while(|at| **at <= place) {
            if place < at + CALL.len() {
                // Within what was put there: where that begins.
                return at - put + 1;
            }
            put += CALL.len();
        }
        place - put + 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(sql: &str, expected: &str) {
        assert_eq!(adapt(sql).sql, expected);
    }

    #[test]
    fn what_clients_write_is_read() {
        check("select pg_catalog.version()", "select            version()");
        check(
            "SELECT 1 FROM pg_catalog.pg_type",
            "SELECT 1 FROM pg_catalog.pg_type",
        );
        check("SELECT current_user", "SELECT current_user()");
        check("SELECT Current_User, 'ä' x", "SELECT Current_User(), 'ä' x");
        check(
            "SELECT current_user() AS current_user",
            "SELECT current_user() AS current_user",
        );
        check("SELECT t.current_user FROM t", "SELECT t.current_user FROM t");
        check(
            "SELECT 'pg_catalog.version() current_user x::regclass'",
            "SELECT 'pg_catalog.version() current_user x::regclass'",
        );
        check("SELECT a::int -- current_user", "SELECT a::int -- current_user");
        check(
            "VALUES (('1'::int4), ('-2.5'::numeric), ('ä'::varchar))",
            "VALUES (( 1       ), ( -2.5          ), ('ä'         ))",
        );
        check(
            "CREATE VIEW v AS SELECT a FROM public.t JOIN x.public.u",
            "CREATE VIEW v AS SELECT a FROM        t JOIN x.public.u",
        );
        check(
            "CREATE TRIGGER r AFTER INSERT ON t BEGIN DELETE FROM PUBLIC . u WHERE region = 'public.x'; END",
            "CREATE TRIGGER r AFTER INSERT ON t BEGIN DELETE FROM          u WHERE region = 'public.x'; END",
        );
        for as_it_is in [
            "CREATE TEMP VIEW v AS SELECT a FROM public.t",
            "CREATE VIEW v AS SELECT public.a FROM t AS public",
            "SELECT a FROM public.t",
            "SELECT 'x'::int4",
            "SELECT x::int4",
            "SELECT E'1'::int4",
            "SELECT '1'::varchar(5)",
            "SELECT 'inf'::float8",
        ] {
            check(as_it_is, as_it_is);
        }
        for sql in [
            "",
            "''::int4",
            "::",
            "pg_catalog.",
            "x::",
            "x::regclass::",
            "current_user",
            "::regtype",
        ] {
            let _ = adapt(sql);
        }
    }

    #[test]
    fn positions_lead_back() {
        let adapted = adapt("SELECT current_user, z");
        assert_eq!(adapted.sql, "SELECT current_user(), z");
        assert_eq!(adapted.original_position(24), 22);
        assert_eq!(adapted.original_position(8), 8);
    }
}
