//! The tag that tells a client what a statement did.

use super::super::{
    Options, Span,
    cursor::TokenCursor,
    lexer::{Token, TokenKind},
};

/// The words of `CommandComplete` for a statement (protocol chapter, "Message Formats").
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CommandTag {
    /// `SELECT n`; also for `VALUES`, `TABLE`, `CREATE TABLE AS`, SQLite's `PRAGMA`.
    Select,
    /// `INSERT 0 n`; also for SQLite's `REPLACE`.
    Insert,
    /// `UPDATE n`.
    Update,
    /// `DELETE n`.
    Delete,
    /// `MERGE n`.
    Merge,
    /// The words alone, such as `CREATE TABLE`.
    Words(String),
}

impl CommandTag {
    /// The tag with the number of rows returned or changed.
    pub fn complete(&self, rows: u64) -> String {
        match self {
            Self::Select => format!("SELECT {rows}"),
            Self::Insert => format!("INSERT 0 {rows}"),
            Self::Update => format!("UPDATE {rows}"),
            Self::Delete => format!("DELETE {rows}"),
            Self::Merge => format!("MERGE {rows}"),
            Self::Words(words) => words.clone(),
        }
    }
}

/// Words between CREATE, ALTER or DROP and the kind of object.
const MODIFIERS: &[&str] = &[
    "or",
    "replace",
    "global",
    "local",
    "temp",
    "temporary",
    "unlogged",
    "recursive",
    "unique",
    "virtual",
    "constraint",
    "trusted",
    "procedural",
];

/// Kinds of objects that have more than one word, by their first.
const LONG_KINDS: &[&str] = &[
    "materialized view",
    "foreign table",
    "foreign data wrapper",
    "event trigger",
    "text search configuration",
    "text search dictionary",
    "text search parser",
    "text search template",
    "user mapping",
    "access method",
    "operator class",
    "operator family",
    "default privileges",
    "large object",
];

/// The tag of the statement at `cursor`, which the database runs.
pub(super) fn command_tag(cursor: &mut TokenCursor<'_>) -> CommandTag {
    while cursor.take_sign("(") {}
    let Some(first) = cursor.next() else {
        return CommandTag::Select;
    };
    let verb = cursor.text_of(first.span).to_ascii_uppercase();
    match verb.as_str() {
        "SELECT" | "VALUES" | "TABLE" | "PRAGMA" => CommandTag::Select,
        "WITH" => after_with(cursor),
        "INSERT" | "REPLACE" => CommandTag::Insert,
        "UPDATE" => CommandTag::Update,
        "DELETE" => CommandTag::Delete,
        "MERGE" => CommandTag::Merge,
        "CREATE" | "ALTER" | "DROP" => of_object(&verb, cursor),
        "TRUNCATE" => CommandTag::Words("TRUNCATE TABLE".to_owned()),
        "LOCK" => CommandTag::Words("LOCK TABLE".to_owned()),
        "COMMIT" | "ROLLBACK" | "PREPARE" | "SECURITY" | "REASSIGN" | "IMPORT" | "REFRESH" | "SET" => {
            let mut words = vec![verb.clone()];
            let more = if matches!(verb.as_str(), "IMPORT" | "REFRESH") {
                2
            } else {
                1
            };
            for _ in 0..more {
                words.extend(
                    cursor
                        .next()
                        .map(|token| cursor.text_of(token.span).to_ascii_uppercase()),
                );
            }
            CommandTag::Words(words.join(" "))
        }
        _ => CommandTag::Words(verb),
    }
}

/// The next word outside of parentheses, of which so many are open.
fn outside(cursor: &mut TokenCursor<'_>, depth: &mut usize) -> Option<Token> {
    while let Some(token) = cursor.next() {
        match (token.kind, cursor.text_of(token.span)) {
            (TokenKind::Punctuation, "(") => *depth += 1,
            (TokenKind::Punctuation, ")") => *depth = depth.saturating_sub(1),
            (TokenKind::Word, _) if *depth == 0 => return Some(token),
            _ => {}
        }
    }
    None
}

/// What the statement behind the CTEs does.
fn after_with(cursor: &mut TokenCursor<'_>) -> CommandTag {
    let mut depth = 0;
    while let Some(token) = outside(cursor, &mut depth) {
        match cursor.text_of(token.span).to_ascii_lowercase().as_str() {
            "select" | "values" | "table" => return CommandTag::Select,
            "insert" | "replace" => return CommandTag::Insert,
            "update" => return CommandTag::Update,
            "delete" => return CommandTag::Delete,
            "merge" => return CommandTag::Merge,
            _ => {}
        }
    }
    CommandTag::Select
}

fn of_object(verb: &str, cursor: &mut TokenCursor<'_>) -> CommandTag {
    while MODIFIERS.iter().any(|word| cursor.take(word)) {}
    let long = LONG_KINDS
        .iter()
        .find(|words| cursor.take(words))
        .map(|words| (*words).to_owned());
    let kind = long
        .or_else(|| cursor.next().map(|token| cursor.text_of(token.span).to_owned()))
        .unwrap_or_default()
        .to_ascii_uppercase();
    // PostgreSQL counts the rows of CREATE TABLE … AS.
    if verb == "CREATE" && (kind == "TABLE" || kind == "MATERIALIZED VIEW") {
        match query(cursor) {
            Some(Filling::WithRows) => return CommandTag::Select,
            Some(Filling::Empty) if kind == "TABLE" => {
                return CommandTag::Words("CREATE TABLE AS".to_owned());
            }
            _ => {}
        }
    }
    CommandTag::Words(format!("{verb} {kind}"))
}

/// The query of CREATE TABLE … AS and of CREATE MATERIALIZED VIEW.
pub fn query_of_table(statement: &str, options: &Options) -> Option<Span> {
    let mut cursor = TokenCursor::new(statement, options);
    if !cursor.take("create") || command_tag(&mut TokenCursor::new(statement, options)) != CommandTag::Select
    {
        return None;
    }
    let mut depth = 0;
    while let Some(token) = outside(&mut cursor, &mut depth) {
        if cursor.text_of(token.span).eq_ignore_ascii_case("as") {
            break;
        }
    }
    let start = cursor.peek()?.span.start;
    let mut end = start;
    while !cursor.is_at_end() {
        let before = end;
        if cursor.take("with data") && cursor.is_at_end() {
            end = before;
            break;
        }
        end = cursor.next()?.span.end;
    }
    Some(Span { start, end })
}

/// `SELECT … INTO t` with blanks in place of the table that it makes; `None` for all else.
pub fn without_into(statement: &str, options: &Options) -> Option<String> {
    let mut cursor = TokenCursor::new(statement, options);
    if !(cursor.take("select") || cursor.take("with")) {
        return None;
    }
    let mut depth = 0;
    while let Some(token) = outside(&mut cursor, &mut depth) {
        let word = cursor.text_of(token.span);
        if word.eq_ignore_ascii_case("from") {
            return None;
        }
        if word.eq_ignore_ascii_case("into") {
            let start = token.span.start;
            while ["local", "global", "temporary", "temp", "unlogged", "table"]
                .iter()
                .any(|word| cursor.take(word))
            {}
            let mut end = cursor.next()?.span.end;
            while let Some(dot) = cursor.peek().filter(|dot| dot.is_sign(statement, ".")) {
                cursor.next();
                end = cursor.next().map_or(dot.span.end, |name| name.span.end);
            }
            let blanks = " ".repeat(statement[start..end].len());
            return Some([&statement[..start], &blanks, &statement[end..]].concat());
        }
    }
    None
}

/// What the query of CREATE TABLE … AS does.
enum Filling {
    WithRows,
    /// WITH NO DATA.
    Empty,
}

/// The query behind an AS outside of parentheses.
fn query(cursor: &mut TokenCursor<'_>) -> Option<Filling> {
    let mut depth = 0usize;
    let mut found = None;
    while let Some(token) = cursor.next() {
        match (token.kind, cursor.text_of(token.span)) {
            (TokenKind::Punctuation, "(") => depth += 1,
            (TokenKind::Punctuation, ")") => depth = depth.saturating_sub(1),
            (TokenKind::Word, word) if depth == 0 && word.eq_ignore_ascii_case("as") => {
                found = Some(Filling::WithRows);
            }
            _ => {}
        }
        if found.is_some() && cursor.take("with no data") && cursor.is_at_end() {
            return Some(Filling::Empty);
        }
    }
    found
}
