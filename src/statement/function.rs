//! The function form: where in a statement `nl('question')` stands as a table or as the only select item. Views of the
//! semantic model stand in the same places.

use std::collections::HashSet;

use super::{
    Action, ModelView, Options, QuestionText, Slot, Span, StatementError,
    cursor::position,
    lexer::{Token, TokenKind},
    literal::{name_value, quoted_name, text_value},
};

/// A call that asks.
#[derive(Debug)]
pub(super) struct Call {
    pub(super) span: Span,
    pub(super) action: Action,
    pub(super) text: QuestionText,
    pub(super) slot: Slot,
    /// The alias that the client gave or we give.
    alias: Option<String>,
    /// It and at most an alias are all of `SELECT … FROM` or the select list, from this token to that.
    pub(super) tokens: (usize, usize),
    pub(super) is_select_item: bool,
}

/// Words besides [`AFTER_FROM`] that can follow a table in FROM and are no alias of it.
const AFTER_TABLE: &[&str] = &[
    "join",
    "inner",
    "left",
    "right",
    "full",
    "cross",
    "natural",
    "on",
    "using",
    "with",
    "tablesample",
    "do",
    "as",
    "from",
    "into",
];

/// Words that end a FROM list.
const AFTER_FROM: &[&str] = &[
    "where",
    "group",
    "having",
    "order",
    "limit",
    "offset",
    "fetch",
    "for",
    "union",
    "intersect",
    "except",
    "window",
    "returning",
    "set",
    "values",
    "when",
];

/// What may follow the only select item.
const AFTER_ITEM: &[&str] = &[
    "where",
    "order",
    "limit",
    "offset",
    "fetch",
    "union",
    "intersect",
    "except",
    "on",
    "returning",
    "with",
];

/// A level of parentheses.
#[derive(Default, Clone, Copy)]
struct Level {
    /// A query's key word was read: FROM starts its tables. Otherwise it is part of a call (`extract(… from …)`).
    is_query: bool,
    in_from: bool,
    /// The level itself stands where a table can: `FROM (a JOIN b)`.
    is_table: bool,
}

/// All calls of the function that ask, and all views of the semantic model that are read, in order.
pub(super) fn calls(text: &str, tokens: &[Token], options: &Options) -> Result<Vec<Call>, StatementError> {
    let name = options.function_name.as_str();
    let is_word = |at: usize, words: &[&str]| {
        tokens
            .get(at)
            .is_some_and(|token| words.iter().any(|word| token.is_word(text, word)))
    };
    let mut calls: Vec<Call> = Vec::new();
    let mut levels = vec![Level::default()];
    let mut at = 0;
    // Whether a table can stand at `at`.
    let mut table_next = false;
    while let Some(token) = tokens.get(at) {
        let depth = levels.len() - 1;
        let was_table_next = std::mem::take(&mut table_next);
        if was_table_next
            && options.model_views
            && let Some((view, length)) = ModelView::at(text, tokens, at)
        {
            let read = read(text, tokens, (at, length), view);
            at = read.tokens.1;
            calls.push(read);
            continue;
        }
        match token.kind {
            TokenKind::Punctuation => match token.span.of(text) {
                "(" => {
                    levels.push(Level {
                        is_table: was_table_next,
                        ..Level::default()
                    });
                    table_next = was_table_next;
                }
                ")" if depth > 0 => {
                    levels.pop();
                }
                "," => table_next = levels[depth].in_from,
                _ => {}
            },
            TokenKind::Word | TokenKind::QuotedName(_) if is_name(*token, text, name) => {
                let is_item = is_select_item(at, &is_word);
                let qualified = at > 0 && tokens[at - 1].is_sign(text, ".");
                if (was_table_next || is_item)
                    && !qualified
                    && let Some(call) = call(text, tokens, at, is_item)?
                {
                    at = call.tokens.1;
                    calls.push(call);
                    continue;
                }
            }
            TokenKind::Word => {
                let level = &mut levels[depth];
                if is_word(at, &["select", "update", "delete"]) {
                    *level = Level {
                        is_query: true,
                        ..*level
                    };
                    level.in_from = false;
                } else if is_word(at, &["from"]) {
                    let distinct_from =
                        at > 1 && is_word(at - 1, &["distinct"]) && is_word(at - 2, &["is", "not"]);
                    let delete_from = at > 0 && is_word(at - 1, &["delete"]);
                    if level.is_query && !distinct_from {
                        level.in_from = true;
                        table_next = !delete_from;
                    }
                } else if is_word(at, &["join"]) {
                    table_next = level.in_from || level.is_table;
                } else if is_word(at, &["using"]) {
                    table_next = !tokens.get(at + 1).is_some_and(|next| next.is_sign(text, "("));
                    level.in_from |= table_next && level.is_query;
                } else if is_word(at, &["lateral"]) {
                    table_next = was_table_next;
                } else if is_word(at, AFTER_FROM) {
                    level.in_from = false;
                }
            }
            _ => {}
        }
        at += 1;
    }
    add_aliases(&mut calls, text, tokens, name);
    Ok(calls)
}

/// True for the function's name, quoted or not, in any letter case.
pub(super) fn is_name(token: Token, text: &str, name: &str) -> bool {
    match token.kind {
        TokenKind::Word => token.span.of(text).eq_ignore_ascii_case(name),
        TokenKind::QuotedName(_) => {
            // Cheap before exact: quotes only make it longer.
            token.span.end - token.span.start >= name.len() + 2
                && name_value(token, text).is_some_and(|found| found.eq_ignore_ascii_case(name))
        }
        _ => false,
    }
}

fn is_select_item(at: usize, is_word: &impl Fn(usize, &[&str]) -> bool) -> bool {
    at > 0
        && (is_word(at - 1, &["select"])
            || at > 1 && is_word(at - 1, &["distinct", "all"]) && is_word(at - 2, &["select"]))
}

/// Reads the call whose name is at `start`; `None` if it is some other use of the name.
fn call(text: &str, tokens: &[Token], start: usize, is_item: bool) -> Result<Option<Call>, StatementError> {
    let sign = |at: usize, sign: &str| tokens.get(at).is_some_and(|token| token.is_sign(text, sign));
    if !sign(start + 1, "(") {
        return Ok(None);
    }
    let Some((question, mut at)) = argument(text, tokens, start + 2) else {
        return Ok(None);
    };
    let mut action = None;
    if sign(at, ",") {
        let Some((second, end)) = argument(text, tokens, at + 1) else {
            return Ok(None);
        };
        action = Some((second, tokens[at + 1].span.start));
        at = end;
    }
    if !sign(at, ")") {
        return Ok(None);
    }
    let end = at + 1;
    let (alias, after) = alias(text, tokens, end);
    if is_item && !ends_item(text, tokens, after) {
        return Ok(None);
    }
    let span = tokens[start].span.to(tokens[at].span);
    let action = match action {
        None => Action::Run,
        Some((QuestionText::Literal(name), byte)) => {
            Action::of_word(name.trim()).ok_or_else(|| StatementError::UnknownAction {
                name,
                position: position(text, byte),
            })?
        }
        Some((QuestionText::Parameter(_) | QuestionText::View(_), byte)) => {
            return Err(StatementError::Unsupported {
                message: "the action of a question cannot be a parameter".to_owned(),
                hint: "Write it as a literal: nl($1, 'sql').".to_owned(),
                position: position(text, byte),
            });
        }
    };
    if tokens.get(end).is_some_and(|token| token.is_word(text, "with"))
        && tokens
            .get(end + 1)
            .is_some_and(|token| token.is_word(text, "ordinality"))
    {
        return Err(StatementError::Unsupported {
            message: "WITH ORDINALITY cannot follow a question".to_owned(),
            hint: "Number the rows with row_number() OVER ().".to_owned(),
            position: position(text, tokens[end].span.start),
        });
    }
    let before = if is_item { "* FROM (" } else { "(" };
    Ok(Some(Call {
        span,
        action,
        text: match question {
            QuestionText::Literal(words) => QuestionText::Literal(words.trim().to_owned()),
            other => other,
        },
        slot: Slot {
            span,
            before: before.to_owned(),
            after: ")".to_owned(),
        },
        alias,
        tokens: (start, after),
        is_select_item: is_item,
    }))
}

/// A view of the semantic model that begins at `start`, and of how many tokens it is.
fn read(text: &str, tokens: &[Token], (start, length): (usize, usize), view: ModelView) -> Call {
    let (alias, after) = alias(text, tokens, start + length);
    let span = tokens[start].span.to(tokens[start + length - 1].span);
    let own = if alias.is_some() {
        ")".to_owned()
    } else {
        format!(") AS {}", view.name())
    };
    Call {
        span,
        action: Action::Run,
        alias: alias.or_else(|| Some(view.name().to_owned())),
        text: QuestionText::View(view),
        slot: Slot {
            span,
            before: "(".to_owned(),
            after: own,
        },
        tokens: (start, after),
        is_select_item: false,
    }
}

/// A literal or `$n`, perhaps cast, perhaps in one pair of parentheses as pgjdbc writes values into a
/// statement, and the token behind it.
fn argument(text: &str, tokens: &[Token], at: usize) -> Option<(QuestionText, usize)> {
    if tokens.get(at)?.is_sign(text, "(") {
        let (value, end) = value(text, tokens, at + 1)?;
        return tokens.get(end)?.is_sign(text, ")").then_some((value, end + 1));
    }
    value(text, tokens, at)
}

/// A literal or `$n`, perhaps cast, and the token behind it.
fn value(text: &str, tokens: &[Token], at: usize) -> Option<(QuestionText, usize)> {
    let token = tokens.get(at)?;
    let value = match token.kind {
        TokenKind::Text(_) => QuestionText::Literal(text_value(*token, text)?),
        TokenKind::Parameter => QuestionText::Parameter(token.span.of(text)[1..].parse().ok()?),
        _ => return None,
    };
    let mut end = at + 1;
    if tokens.get(end).is_some_and(|token| token.is_sign(text, "::")) {
        let ty = tokens.get(end + 1)?;
        ["text", "varchar", "unknown"]
            .iter()
            .find(|name| ty.is_word(text, name))?;
        end += 2;
    }
    Some((value, end))
}

/// The alias at `at`, and the token behind it.
fn alias(text: &str, tokens: &[Token], at: usize) -> (Option<String>, usize) {
    let explicit = tokens.get(at).is_some_and(|token| token.is_word(text, "as"));
    let name_at = at + usize::from(explicit);
    let Some(token) = tokens.get(name_at) else {
        return (None, at);
    };
    let reserved = AFTER_TABLE
        .iter()
        .chain(AFTER_FROM)
        .any(|word| token.is_word(text, word));
    match name_value(*token, text) {
        Some(name) if explicit || !reserved => (Some(name), name_at + 1),
        _ => (None, at),
    }
}

/// True if the select list ends in front of the token `at`, and no FROM follows.
fn ends_item(text: &str, tokens: &[Token], at: usize) -> bool {
    tokens.get(at).is_none_or(|token| {
        token.is_sign(text, ")") || AFTER_ITEM.iter().any(|word| token.is_word(text, word))
    })
}

/// Gives every call without an alias one that nothing else in the statement has: the function's own name,
/// as PostgreSQL does, then that name with a number.
fn add_aliases(calls: &mut [Call], text: &str, tokens: &[Token], name: &str) {
    if calls.is_empty() {
        return;
    }
    let name = name.to_ascii_lowercase();
    let mut taken: HashSet<String> = calls.iter().filter_map(|call| call.alias.clone()).collect();
    for (at, token) in tokens.iter().enumerate() {
        // A table of that name, rather than a call or a qualifier, which means our own alias.
        let follows = |sign| tokens.get(at + 1).is_some_and(|next| next.is_sign(text, sign));
        if is_longer_name(*token, text, &name) && !follows("(") && !follows(".") {
            taken.extend(name_value(*token, text));
        }
    }
    let numbered = (2u64..).map(|number| format!("{name}_{number}"));
    let mut free = std::iter::once(name.clone())
        .chain(numbered)
        .filter(|alias| !taken.contains(alias));
    for call in calls.iter_mut().filter(|call| call.alias.is_none()) {
        let alias = free.next().expect("numbers do not end");
        call.slot.after = format!(") AS {}", quoted_name(&alias));
    }
}

/// True for names that begin with `name`.
fn is_longer_name(token: Token, text: &str, name: &str) -> bool {
    name_value(token, text).is_some_and(|found| found.starts_with(name))
}
