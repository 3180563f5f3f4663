//! The spellings of catalogue queries that SQLite's grammar lacks, by tokens: casts, regular expressions, arrays. Only
//! statements that ask the catalogue are read so; `translate` makes this superfluous.

mod casts;
mod columns;
mod lateral;
mod patterns;
mod sets;

use std::ops::Range;

use super::{
    definitions::find,
    lexical::{Piece, pieces, unquote},
};

/// A statement in pieces, with what is put before, instead of and behind each token.
pub(super) struct Respelling<'s> {
    pub(super) tokens: Vec<(usize, &'s str)>,
    pub(super) before: Vec<String>,
    pub(super) instead: Vec<Option<String>>,
    pub(super) after: Vec<String>,
}

/// Types whose values are numbers of things and shown as names.
const REGISTERED: [&str; 11] = [
    "regclass",
    "regtype",
    "regproc",
    "regprocedure",
    "regnamespace",
    "regrole",
    "regoper",
    "regoperator",
    "regdictionary",
    "regconfig",
    "regcollation",
];
/// Functions in FROM that are never about anything here.
const EMPTY: [&str; 2] = ["pg_partition_tree", "pg_partition_ancestors"];
/// Words that PostgreSQL reads as calls of functions.
const CALLED: [&str; 4] = ["current_user", "session_user", "current_role", "current_catalog"];

/// Words that PostgreSQL takes for a column's name behind AS, and SQLite does not.
const RESERVED: &str = include_str!("../../../dialects/sqlite/reserved.txt");

/// Respells a statement.
pub(super) fn respell(sql: &str) -> Respelling<'_> {
    let tokens: Vec<(usize, &str)> = pieces(sql)
        .filter_map(|(at, piece)| match piece {
            Piece::Token(token) => Some((at, token)),
            _ => None,
        })
        .collect();
    let count = tokens.len();
    let mut spelled = Respelling {
        tokens,
        before: vec![String::new(); count],
        instead: vec![None; count],
        after: vec![String::new(); count],
    };
    let mut at = 0;
    while at < count {
        at = spelled.step(sql, at);
    }
    spelled
}

/// The text that results.
fn render(sql: &str) -> String {
    let spelled = respell(sql);
    let (mut new, mut from) = (String::new(), 0);
    for (at, (start, token)) in spelled.tokens.iter().enumerate() {
        new.push_str(&sql[from..*start]);
        new.push_str(&spelled.before[at]);
        new.push_str(spelled.instead[at].as_deref().unwrap_or(token));
        new.push_str(&spelled.after[at]);
        from = start + token.len();
    }
    new.push_str(&sql[from..]);
    new
}

impl Respelling<'_> {
    fn token(&self, at: usize) -> &str {
        self.tokens.get(at).map_or("", |(_, token)| token)
    }

    fn is(&self, at: usize, word: &str) -> bool {
        self.token(at).eq_ignore_ascii_case(word)
    }

    fn end(&self, at: usize) -> usize {
        self.tokens
            .get(at)
            .map_or(0, |(start, token)| start + token.len())
    }

    /// True where a token follows the one before without a space.
    fn touches(&self, at: usize) -> bool {
        at > 0
            && self
                .tokens
                .get(at)
                .is_some_and(|(start, _)| *start == self.end(at - 1))
    }

    fn put(&mut self, range: Range<usize>, text: &str) {
        for (offset, at) in range.enumerate() {
            if let Some(instead) = self.instead.get_mut(at) {
                *instead = Some(if offset == 0 {
                    text.to_owned()
                } else {
                    String::new()
                });
            }
        }
    }

    fn wrap(&mut self, range: Range<usize>, before: &str, after: &str) {
        if range.is_empty() {
            return;
        }
        self.before[range.start].insert_str(0, before);
        self.after[range.end - 1].push_str(after);
    }

    /// The parenthesis that closes the one at `open`; the last token where none does.
    fn closing(&self, open: usize) -> usize {
        let mut depth = 0_usize;
        for at in open..self.tokens.len() {
            match self.token(at) {
                "(" => depth += 1,
                ")" => depth = depth.saturating_sub(1),
                _ => {}
            }
            if depth == 0 {
                return at;
            }
        }
        self.tokens.len().saturating_sub(1)
    }

    /// Where the operand begins that ends at `last`: a literal, a name, a call or something in parentheses.
    fn operand(&self, last: usize) -> usize {
        let mut at = last;
        if self.token(at).starts_with('[') && at > 0 {
            at -= 1;
        }
        if self.is(at, ")") {
            let mut depth = 0_usize;
            loop {
                match self.token(at) {
                    ")" => depth += 1,
                    "(" => depth -= 1,
                    _ => {}
                }
                if depth == 0 || at == 0 {
                    break;
                }
                at -= 1;
            }
            let called = at > 0 && is_name(self.token(at - 1)) && !is_operator_word(self.token(at - 1));
            at -= usize::from(called);
        }
        while at >= 2 && self.is(at - 1, ".") {
            at -= 2;
        }
        at
    }

    /// Reads what stands at `at`, and returns where to go on.
    fn step(&mut self, sql: &str, at: usize) -> usize {
        let token = self.token(at).to_owned();
        let lower = token.to_ascii_lowercase();
        let previous = if at == 0 {
            String::new()
        } else {
            self.token(at - 1).to_ascii_lowercase()
        };
        match lower.as_str() {
            "pg_catalog" | "\"pg_catalog\"" if self.is(at + 1, ".") => {
                let name = unquote(self.token(at + 2)).to_ascii_lowercase();
                let in_from = matches!(previous.as_str(), "from" | "join" | "," | "lateral");
                let relation = find("pg_catalog", &name).filter(|relation| relation.kind != "f" || in_from);
                if relation.is_none() {
                    self.put(at..at + 2, "");
                    if name == "format" && self.is(at + 3, "(") {
                        self.put(at + 2..at + 3, "catalogue_format");
                        return at + 3;
                    }
                }
                return at + 2;
            }
            _ if CALLED.contains(&lower.as_str())
                && !self.is(at + 1, "(")
                && !self.is(at + 1, ".")
                && !matches!(previous.as_str(), "." | "as") =>
            {
                self.after[at].push_str("()");
            }
            name if previous == "as"
                && RESERVED.split_whitespace().any(|word| word == name)
                && ["", ",", ")", "from"].iter().any(|next| self.is(at + 1, next)) =>
            {
                self.put(at..at + 1, &format!("\"{name}\""));
            }
            "operator" if self.is(at + 1, "(") => {
                let close = self.closing(at + 1);
                let mut operator = at + 2;
                while self.is(operator + 1, ".") {
                    operator += 2;
                }
                self.put(at..operator, "");
                self.put(close..close + 1, "");
                return operator;
            }
            "~" => return self.pattern(at),
            "collate" if self.is(at + 2, ".") => {
                self.put(at..at + 4, "");
                return at + 4;
            }
            "collate" if matches!(self.token(at + 1), "\"default\"" | "\"C\"" | "\"POSIX\"") => {
                self.put(at..at + 2, "");
                return at + 2;
            }
            "e" if self.token(at + 1).starts_with('\'') && self.touches(at + 1) => {
                let text = unescaped(self.token(at + 1));
                self.put(at..at + 2, "");
                self.put(at + 1..at + 2, &text);
            }
            "ilike" => self.put(at..at + 1, "LIKE"),
            "lateral" => self.put(at..at + 1, ""),
            "any" | "some" | "all" if self.is(at + 1, "(") => return self.any(at),
            "array" if self.is(at + 1, "(") => {
                let close = self.closing(at + 1);
                self.put(at..at + 1, "(WITH nl_array(v) AS ");
                self.after[close].push_str(" SELECT catalogue_array_agg(v) FROM nl_array)");
            }
            "array" if self.token(at + 1).starts_with('[') => {
                let list = render(inner(self.token(at + 1)));
                self.put(at..at + 2, &format!("catalogue_array({list})"));
                return at + 2;
            }
            "cast" if self.is(at + 1, "(") => self.cast(at),
            "json_build_object" => self.put(at..at + 1, "json_object"),
            "substring" if self.is(at + 1, "(") => {
                let mut place = at + 2;
                while place < self.closing(at + 1) {
                    if self.is(place, "(") {
                        place = self.closing(place);
                    } else if self.is(place, "from") || self.is(place, "for") {
                        self.put(place..place + 1, ",");
                    }
                    place += 1;
                }
            }
            "trim" if self.is(at + 1, "(") && self.is(at + 4, "from") => {
                let name = if self.is(at + 2, "leading") {
                    "ltrim"
                } else if self.is(at + 2, "trailing") {
                    "rtrim"
                } else {
                    "btrim"
                };
                let characters = self.token(at + 3).to_owned();
                let close = self.closing(at + 1);
                self.put(at..at + 1, name);
                self.put(at + 2..at + 5, "");
                self.before[close].insert_str(0, &format!(", {characters}"));
            }
            "like" => self.escape(at),
            "unnest" | "generate_series" | "generate_subscripts" | "_pg_expandarray"
                if self.is(at + 1, "(") =>
            {
                return self.series(sql, at);
            }
            // `(keys).x`, of what `_pg_expandarray` gave.
            "x" if previous == "." && at >= 2 && self.is(at - 2, ")") => self.put(at - 1..at + 1, ""),
            name if EMPTY.contains(&name) && self.is(at + 1, "(") => return self.empty(at),
            ":" if self.is(at + 1, ":") => return self.casts(at),
            _ if token.starts_with('[') && at > 0 && is_name(self.token(at - 1)) => {
                let start = self.operand(at - 1);
                let index = render(inner(&token));
                self.put(at..at + 1, "");
                self.wrap(start..at + 1, "pg_array_element(", &format!(", {index})"));
            }
            _ => {}
        }
        at + 1
    }
}

fn is_name(token: &str) -> bool {
    token.starts_with(|first: char| first.is_alphabetic() || matches!(first, '_' | '"')) || token == ")"
}

/// Words before a parenthesis that do not call anything.
fn is_operator_word(token: &str) -> bool {
    [
        "in", "and", "or", "not", "any", "all", "select", "from", "where", "as", "on", "then", "else",
        "when", "values", "exists",
    ]
    .iter()
    .any(|word| token.eq_ignore_ascii_case(word))
}

fn is_literal(token: &str) -> bool {
    token.starts_with('\'')
        || token.starts_with('$')
        || token.starts_with(|first: char| first.is_ascii_digit())
}

/// What stands between brackets.
fn inner(token: &str) -> &str {
    token.trim_start_matches('[').trim_end_matches(']')
}

/// `a, f(b, c)` at its outer commas.
fn split(list: &str) -> Vec<&str> {
    let (mut parts, mut from, mut depth) = (vec![], 0, 0_usize);
    for (at, piece) in pieces(list) {
        match piece {
            Piece::Token("(") => depth += 1,
            Piece::Token(")") => depth = depth.saturating_sub(1),
            Piece::Token(",") if depth == 0 => {
                parts.push(list[from..at].trim());
                from = at + 1;
            }
            _ => {}
        }
    }
    parts.push(list[from..].trim());
    parts
}

/// `'a\nb'` of `E'a\nb'` with its characters as they are.
fn unescaped(literal: &str) -> String {
    let mut text = String::new();
    let mut characters = literal.chars();
    while let Some(character) = characters.next() {
        match character {
            '\\' => match characters.next() {
                Some('n') => text.push('\n'),
                Some('t') => text.push('\t'),
                Some('r') => text.push('\r'),
                Some(other) => text.push(other),
                None => {}
            },
            _ => text.push(character),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings_of_catalogue_queries() {
        for (sql, expected) in [
            ("SELECT pg_catalog.version()", "SELECT version()"),
            (
                "SELECT c.oid::pg_catalog.regclass FROM pg_catalog.pg_class c",
                "SELECT regclassout(c.oid) FROM pg_catalog.pg_class c",
            ),
            (
                "SELECT 'a'::pg_catalog.regclass::pg_catalog.oid",
                "SELECT oidin(regclassin('a'))",
            ),
            (
                "WHERE c.relname OPERATOR(pg_catalog.~) '^(a)$' COLLATE pg_catalog.default",
                "WHERE c.relname  REGEXP  '^(a)$' ",
            ),
            ("WHERE n !~ '^pg_'", "WHERE n  NOT REGEXP  '^pg_'"),
            ("n ~* 'x'", "n  REGEXP '(?i)' ||  'x'"),
            (
                "x = any (pol.polroles)",
                "x  IN  (SELECT value FROM json_each(catalogue_array_json(pol.polroles)))",
            ),
            (
                "x <> ALL (ARRAY['a'::\"char\", 'b'])",
                "x  NOT IN  (CAST('a' AS TEXT), 'b')",
            ),
            (
                "array(select 1)",
                "(WITH nl_array(v) AS (select 1) SELECT catalogue_array_agg(v) FROM nl_array)",
            ),
            ("E'\\n  '", "'\n  '"),
            ("SELECT 1 AS DEFAULT, 2 AS x", "SELECT 1 AS \"default\", 2 AS x"),
            ("CAST('a' AS pg_catalog.text)", "CAST('a' AS text)"),
            ("CAST(x AS REGCLASS)", "regclassout(x  )"),
            ("attnum = prattrs[s]", "attnum = pg_array_element(prattrs, s)"),
            ("trim(trailing ';' from f(x, true))", "rtrim(   f(x, true), ';')"),
            (
                "SELECT unnest(c.k) AS a, generate_subscripts(c.k, 1) AS o FROM pg_constraint c WHERE 1",
                "SELECT catalogue_array_at(c.k, nl_set.key) AS a, (nl_set.key + 1) AS o FROM pg_constraint c \
                 JOIN json_each(catalogue_array_json(c.k)) AS nl_set WHERE 1",
            ),
            (
                "SELECT (information_schema._pg_expandarray(i.k)).n AS s FROM pg_index i",
                "SELECT (nl_set.key + 1) AS s FROM pg_index i JOIN json_each(catalogue_array_json(i.k)) AS nl_set",
            ),
            ("a LIKE 'x%'", "a LIKE 'x%' ESCAPE '\\'"),
            ("a LIKE $1 || '%' ESCAPE '/'", "a LIKE $1 || '%' ESCAPE '/'"),
            (
                "a LIKE ('x' || b.c) AND d",
                "a LIKE ('x' || b.c) ESCAPE '\\' AND d",
            ),
            (
                "FROM pg_catalog.unnest(a.b) x",
                "FROM (SELECT value AS x FROM json_each(catalogue_array_json(a.b))) AS x",
            ),
            (
                "FROM pg_catalog.unnest(b) as t(x)",
                "FROM (SELECT value AS x FROM json_each(catalogue_array_json(b))) AS t",
            ),
        ] {
            let squeezed = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
            assert_eq!(squeezed(&render(sql)), squeezed(expected), "{sql}");
        }
    }

    #[test]
    fn broken_text_is_no_trouble() {
        for sql in [
            "",
            "::",
            "a::",
            "::a",
            "a[",
            "ANY(",
            "= ANY(",
            "ARRAY(",
            "ARRAY",
            "~",
            "!~",
            "CAST(",
            "OPERATOR(",
            "OPERATOR(a.",
            "E'",
            "pg_catalog.",
            "unnest(",
            "FROM unnest(",
            ")::x",
            "from pg_partition_ancestors(a) with",
            "COLLATE a.",
            "unnest(a)).n from",
            "select unnest((",
            "[a]",
            ") [a]::x",
            "trim(leading 'x' from",
            "like",
            "like e'x",
            "= any (array",
            "cast(x as",
            "generate_series(1",
            "from generate_series(1) s",
        ] {
            render(sql);
        }
    }
}
