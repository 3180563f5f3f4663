//! The SQL in an answer that is prose, a fenced block, or JSON that nobody asked for.

use serde_json::Value;

use super::{fences, read};

/// Words that a statement begins with. Those that write are found too, so that the policy can say no to them.
const FIRST: &[&str] = &[
    "select", "with", "values", "table", "insert", "update", "delete", "merge", "create", "drop", "alter",
    "truncate", "explain", "copy", "grant", "revoke", "attach", "pragma", "vacuum", "call", "do", "set",
    "begin",
];
/// Words that a line in the midst of a statement begins with, behind an empty line.
const NEXT: &[&str] = &[
    "from",
    "where",
    "group",
    "order",
    "having",
    "limit",
    "offset",
    "fetch",
    "union",
    "intersect",
    "except",
    "join",
    "left",
    "right",
    "full",
    "inner",
    "cross",
    "on",
    "and",
    "or",
    "select",
    "window",
    "as",
    "case",
    "when",
    "end",
];
/// Words before a statement on the same line.
const LABELS: &[&str] = &[
    "sql:",
    "sql query:",
    "query:",
    "answer:",
    "final sql:",
    "corrected sql:",
    "sqlquery:",
    "sqlite:",
    "postgresql:",
];
/// Fields of JSON that hold the statement.
const FIELDS: &[&str] = &["sql", "query", "corrected_sql", "final_sql", "answer"];

/// The SQL that a text gives as its answer: a field of JSON, the last fenced statement, or what looks like a statement
/// in prose. `None` where there is none.
pub fn sql_in(text: &str) -> Option<String> {
    let text = text.trim();
    let found = Some(text)
        .filter(|text| text.starts_with('{'))
        .and_then(in_json)
        .or_else(|| in_fence(text))
        .or_else(|| in_json(text))
        .or_else(|| in_prose(text))?;
    let found = found.trim().trim_matches('`').trim();
    (!found.is_empty()).then(|| found.to_owned())
}

fn in_json(text: &str) -> Option<String> {
    if !text.contains('{') {
        return None;
    }
    let value = read(text)?;
    let object = match &value {
        Value::Array(list) => list.first()?.as_object()?,
        value => value.as_object()?,
    };
    FIELDS
        .iter()
        .filter_map(|name| object.get(*name)?.as_str())
        .find(|sql| !sql.trim().is_empty())
        .map(|sql| in_fence(sql).unwrap_or_else(|| sql.to_owned()))
}

/// The last fenced statement: a model that thinks in steps shows the final one at the end.
fn in_fence(text: &str) -> Option<String> {
    let all: Vec<_> = fences::of(text).collect();
    let begins = |body: &str| begins_statement(without_comments(body));
    let statement = all.iter().rfind(|fence| begins(fence.body));
    let named = || {
        all.iter()
            .rfind(|fence| fences::is_sql(fence.language) && !fence.body.is_empty())
    };
    statement.or_else(named).map(|fence| fence.body.to_owned())
}

fn in_prose(text: &str) -> Option<String> {
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let bare = unlabelled(line);
        let offset = at + (line.len() - bare.len());
        if begins_statement(bare) && is_no_sentence(bare) {
            return Some(statement_at(&text[offset..]));
        }
        at += line.len();
    }
    // In the midst of a sentence only what shouts is SQL.
    ["SELECT ", "WITH "].iter().find_map(|word| {
        let (at, _) = text.match_indices(word).find(|(at, _)| {
            let before = text[..*at].chars().next_back();
            before.is_none_or(|before| !before.is_alphanumeric())
        })?;
        let statement = statement_at(&text[at..]);
        statement.contains("FROM ").then_some(statement)
    })
}

/// A line without what stands before a statement.
fn unlabelled(line: &str) -> &str {
    let mut bare =
        line.trim_start_matches(|character: char| character.is_whitespace() || "`*>#\"".contains(character));
    while let Some(label) = LABELS.iter().find(|label| {
        bare.get(..label.len())
            .is_some_and(|start| start.eq_ignore_ascii_case(label))
    }) {
        bare = bare[label.len()..]
            .trim_start_matches(|character: char| character.is_whitespace() || "`*\"".contains(character));
    }
    bare
}

fn begins_statement(text: &str) -> bool {
    let text = text.trim_start_matches(['(', ' ']);
    let word = text
        .split(|character: char| !character.is_ascii_alphabetic())
        .next()
        .unwrap_or_default();
    FIRST.iter().any(|known| known.eq_ignore_ascii_case(word))
}

/// A sentence may begin with `Select` or `With` as well.
fn is_no_sentence(line: &str) -> bool {
    let word = line
        .trim_start_matches('(')
        .split_whitespace()
        .next()
        .unwrap_or_default();
    let shouts = word.len() > 1 && word.chars().all(|character| !character.is_lowercase());
    let lower = line.to_lowercase();
    let whispers = word.starts_with(char::is_lowercase) || lower.trim_end().ends_with(';');
    shouts || (whispers && (lower.contains(" from ") || lower.contains(';') || lower.trim() == "select"))
}

fn without_comments(mut text: &str) -> &str {
    loop {
        text = text.trim_start();
        let behind = if text.starts_with("--") {
            text.split_once('\n')
        } else if text.starts_with("/*") {
            text.split_once("*/")
        } else {
            return text;
        };
        text = behind.map_or("", |(_, behind)| behind);
    }
}

/// The statement that a text begins with: to its semicolon, to a paragraph of prose, or to the end. Further
/// statements stay with it, so that they are refused rather than overlooked.
fn statement_at(text: &str) -> String {
    let mut end = text.len();
    let mut quote = None;
    for (at, character) in text.char_indices() {
        match (quote, character) {
            (Some(open), _) if open == character => quote = None,
            (None, '\'' | '"') => quote = Some(character),
            (None, ';') if !begins_statement(text[at + 1..].trim_start()) => {
                end = at + 1;
                break;
            }
            (None, '`') if text[at..].starts_with("```") => {
                end = at;
                break;
            }
            (None, '\n') if begins_prose(&text[at + 1..]) => {
                end = at;
                break;
            }
            _ => {}
        }
    }
    text[..end].trim().to_owned()
}

/// Whether an empty line is followed by something that is no part of a statement.
fn begins_prose(rest: &str) -> bool {
    let Some(rest) = rest.trim_start_matches([' ', '\t', '\r']).strip_prefix('\n') else {
        return false;
    };
    let rest = rest.trim_start();
    let word = rest
        .split(|character: char| !character.is_ascii_alphabetic())
        .next()
        .unwrap_or_default();
    let goes_on = NEXT.iter().any(|known| known.eq_ignore_ascii_case(word));
    !goes_on && rest.starts_with(|first: char| first.is_alphabetic() || "*#".contains(first))
}
