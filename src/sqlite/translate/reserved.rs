//! Words that PostgreSQL reserves and the parser takes for names: `x ISNULL`, and ONLY before a table, which has no heirs.

use crate::statement::tokens;

/// What a table's name may stand behind.
const BEFORE_TABLES: [&str; 6] = ["from", "join", "table", "update", "using", ","];
/// What may stand behind a table and is no name of it.
const BEHIND_TABLES: [&str; 24] = [
    "where",
    "set",
    "join",
    "inner",
    "left",
    "right",
    "full",
    "cross",
    "natural",
    "on",
    "using",
    "group",
    "having",
    "window",
    "order",
    "limit",
    "offset",
    "fetch",
    "for",
    "union",
    "intersect",
    "except",
    "returning",
    "as",
];

/// What no operand ends with.
const NO_OPERANDS: [&str; 30] = [
    "select",
    "distinct",
    "all",
    "where",
    "and",
    "or",
    "not",
    "on",
    "having",
    "by",
    "case",
    "when",
    "then",
    "else",
    "set",
    "returning",
    "in",
    "like",
    "ilike",
    "between",
    "from",
    "join",
    "table",
    "column",
    "add",
    "drop",
    "rename",
    "to",
    "values",
    "using",
];

/// The statement in words that the parser knows; `None` where it has none of these. ONLY leaves blanks behind, so that
/// places stay what they are.
pub(super) fn respelled(sql: &str) -> Option<String> {
    let mentions = |word: &[u8]| {
        sql.as_bytes()
            .windows(word.len())
            .any(|part| part.eq_ignore_ascii_case(word))
    };
    if !mentions(b"isnull") && !mentions(b"only") {
        return None;
    }
    let tokens: Vec<(usize, &str)> = tokens(sql).collect();
    let is = |at: Option<usize>, words: &[&str]| {
        let token = at.and_then(|at| tokens.get(at));
        token.is_some_and(|(_, token)| words.iter().any(|word| token.eq_ignore_ascii_case(word)))
    };
    let is_name = |at: usize| {
        tokens.get(at).is_some_and(|(_, token)| {
            token.starts_with(|first: char| first == '"' || first == '_' || first.is_alphabetic())
        }) && !is(Some(at), &BEHIND_TABLES)
    };
    let is_operand = |at: Option<usize>| {
        let token = at.and_then(|at| tokens.get(at));
        token.is_some_and(|(_, token)| {
            token.ends_with(|last: char| {
                last.is_alphanumeric() || matches!(last, '_' | '"' | '\'' | ')' | ']')
            })
        }) && !is(at, &NO_OPERANDS)
    };
    let mut changes: Vec<(usize, &str, &str)> = vec![];
    for (at, (offset, token)) in tokens.iter().enumerate() {
        let before = at.checked_sub(1);
        if token.eq_ignore_ascii_case("isnull") {
            if is_operand(before) && !is(before, &["as"]) && !is(Some(at + 1), &["(", "."]) {
                changes.push((*offset, token, "IS NULL"));
            }
        } else if token.eq_ignore_ascii_case("only") && is(before, &BEFORE_TABLES) {
            if is_name(at + 1) {
                changes.push((*offset, token, "    "));
            } else if is(Some(at + 1), &["("]) && is_name(at + 2) {
                let close = (at + 3..tokens.len()).find(|at| is(Some(*at), &[")"]));
                if let Some(close) = close {
                    changes.push((*offset, token, "    "));
                    changes.push((tokens[at + 1].0, "(", " "));
                    changes.push((tokens[close].0, ")", " "));
                }
            }
        }
    }
    changed(sql, changes)
}

/// `FROM t *` without the sign that asks for the heirs of a table.
pub(super) fn with_heirs(sql: &str) -> Option<String> {
    let tokens: Vec<(usize, &str)> = tokens(sql).collect();
    let is = |at: usize, words: &[&str]| {
        let token = tokens.get(at);
        token.is_some_and(|(_, token)| words.iter().any(|word| token.eq_ignore_ascii_case(word)))
    };
    let mut changes = vec![];
    for (at, (offset, token)) in tokens.iter().enumerate() {
        let ends = at + 1 == tokens.len() || is(at + 1, &[";", ")", ","]) || is(at + 1, &BEHIND_TABLES);
        if *token != "*" || !ends {
            continue;
        }
        let name = if at >= 4 && is(at - 2, &["."]) { 3 } else { 1 };
        if at > name && is(at - name - 1, &["from", "join", "update", "table", "truncate"]) {
            changes.push((*offset, *token, " "));
        }
    }
    changed(sql, changes)
}

fn changed(sql: &str, mut changes: Vec<(usize, &str, &str)>) -> Option<String> {
    if changes.is_empty() {
        return None;
    }
    changes.sort_unstable();
    let mut text = String::with_capacity(sql.len() + changes.len());
    let mut copied = 0;
    for (offset, token, new) in changes {
        text.push_str(sql.get(copied..offset)?);
        text.push_str(new);
        copied = offset + token.len();
    }
    text.push_str(sql.get(copied..)?);
    Some(text)
}
