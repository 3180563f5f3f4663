//! The client's own statement around a question: what it does, and where its query stands.

use super::{
    Context,
    lexer::{Token, TokenKind},
};

/// A statement that a question may stand in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Outer {
    pub(super) context: Context,
    /// The tokens of its query, by position, where a marker can stand for all of it.
    pub(super) query: Option<(usize, usize)>,
    /// False for `COPY (…)` to or from anything but the client.
    pub(super) to_client: bool,
}

/// Looks at the statement of `tokens`, none of them blank; `None` for one that no question can be part of.
pub(super) fn outer(tokens: &[Token], text: &str) -> Option<Outer> {
    outer_from(tokens, text, 0, 0)
}

/// More statements around statements than PostgreSQL's grammar has.
const MAX_DEPTH: usize = 4;

fn outer_from(tokens: &[Token], text: &str, start: usize, depth: usize) -> Option<Outer> {
    let view = View { tokens, text };
    let query = |context, from| {
        Some(Outer {
            context,
            query: Some((from, tokens.len())),
            to_client: true,
        })
    };
    let inner = |context, from| {
        let outer = outer_from(tokens, text, from, depth + 1)?;
        let context = if outer.context == Context::Write {
            Context::Write
        } else {
            context
        };
        Some(Outer { context, ..outer })
    };
    let Some(first) = tokens.get(start) else {
        return query(Context::Query, start);
    };
    if first.is_sign(text, "(") {
        return query(Context::Query, start);
    }
    if first.kind != TokenKind::Word || depth > MAX_DEPTH {
        return None;
    }
    match first.span.of(text).to_ascii_lowercase().as_str() {
        "select" => {
            let writes = view.at_top(start, "into").is_some();
            query(if writes { Context::Write } else { Context::Query }, start)
        }
        "with" => query(
            if view.has_writing_cte(start) {
                Context::Write
            } else {
                Context::Query
            },
            start,
        ),
        "values" | "table" | "limit" | "offset" => query(Context::Query, start),
        "explain" => inner(Context::Explain, view.after_explain(start)),
        "declare" => inner(Context::Cursor, view.at_top(start, "for")? + 1),
        "prepare" => inner(Context::Prepare, view.at_top(start, "as")? + 1),
        "copy" => {
            let close = view.closing(start + 1)?;
            let to_client = view.is(close + 1, "to") && view.is(close + 2, "stdout");
            let inner = outer_from(&tokens[..close], text, start + 2, depth + 1)?;
            let context = if inner.context == Context::Write {
                Context::Write
            } else {
                Context::Copy
            };
            Some(Outer {
                context,
                to_client,
                ..inner
            })
        }
        "create" => {
            let kind = (start + 1..tokens.len()).find(|at| !view.is_any(*at, CREATE_MODIFIERS))?;
            if !view.is_any(kind, &["table", "view"]) {
                return None;
            }
            let query = view
                .at_top(kind, "as")
                .map(|at| (at + 1, view.before_with_data(at + 1)));
            Some(Outer {
                context: Context::Write,
                query,
                to_client: true,
            })
        }
        "insert" | "replace" => {
            let from = view.after_insert(start);
            let to = ["on", "returning"]
                .iter()
                .filter_map(|word| view.at_top(from, word))
                .min();
            Some(Outer {
                context: Context::Write,
                query: Some((from, to.unwrap_or(tokens.len()))),
                to_client: true,
            })
        }
        "update" | "delete" | "merge" => Some(Outer {
            context: Context::Write,
            query: None,
            to_client: true,
        }),
        _ => None,
    }
}

const CREATE_MODIFIERS: &[&str] = &[
    "or",
    "replace",
    "global",
    "local",
    "temp",
    "temporary",
    "unlogged",
    "recursive",
    "materialized",
];

/// Tokens with the text they are of.
#[derive(Clone, Copy)]
struct View<'a> {
    tokens: &'a [Token],
    text: &'a str,
}

impl View<'_> {
    fn is(&self, at: usize, word: &str) -> bool {
        self.tokens
            .get(at)
            .is_some_and(|token| token.is_word(self.text, word))
    }

    fn is_any(&self, at: usize, words: &[&str]) -> bool {
        words.iter().any(|word| self.is(at, word))
    }

    fn is_sign(&self, at: usize, sign: &str) -> bool {
        self.tokens
            .get(at)
            .is_some_and(|token| token.is_sign(self.text, sign))
    }

    /// The first such word from `start` on that stands outside parentheses.
    fn at_top(&self, start: usize, word: &str) -> Option<usize> {
        let mut depth = 0usize;
        for at in start..self.tokens.len() {
            if self.is_sign(at, "(") {
                depth += 1;
            } else if self.is_sign(at, ")") {
                depth = depth.saturating_sub(1);
            } else if depth == 0 && self.is(at, word) {
                return Some(at);
            }
        }
        None
    }

    /// The parenthesis that closes the one at `open`.
    fn closing(&self, open: usize) -> Option<usize> {
        if !self.is_sign(open, "(") {
            return None;
        }
        let mut depth = 0usize;
        (open..self.tokens.len()).find(|at| {
            if self.is_sign(*at, "(") {
                depth += 1;
            } else if self.is_sign(*at, ")") {
                depth -= 1;
            }
            depth == 0
        })
    }

    /// A CTE or the statement after the CTEs writes.
    fn has_writing_cte(&self, start: usize) -> bool {
        (start + 1..self.tokens.len()).any(|at| {
            let writes = self.is_any(at, &["insert", "update", "delete", "merge"])
                // There is a function of this name.
                || self.is(at, "replace") && self.is(at + 1, "into");
            writes && (self.is_sign(at - 1, "(") || self.is_sign(at - 1, ")"))
        })
    }

    /// The end of a query that starts at `from`, without `WITH [NO] DATA`.
    fn before_with_data(&self, from: usize) -> usize {
        let end = self.tokens.len();
        [["with", "data"].as_slice(), &["with", "no", "data"]]
            .into_iter()
            .filter_map(|words| {
                end.checked_sub(words.len())
                    .filter(|at| *at >= from)
                    .zip(Some(words))
            })
            .find(|(at, words)| words.iter().zip(*at..).all(|(word, at)| self.is(at, word)))
            .map_or(end, |(at, _)| at)
    }

    fn after_explain(&self, start: usize) -> usize {
        let mut at = start + 1;
        if self.is_sign(at, "(") && !self.is(at + 1, "select") && !self.is_sign(at + 1, ")") {
            return self.closing(at).map_or(self.tokens.len(), |close| close + 1);
        }
        while self.is_any(at, &["analyze", "analyse", "verbose", "query", "plan"]) {
            at += 1;
        }
        at
    }

    /// Behind `INSERT INTO name [AS alias] [(columns)] [OVERRIDING … VALUE]`.
    fn after_insert(&self, start: usize) -> usize {
        let mut at = start;
        while at < self.tokens.len() && !self.is(at, "into") {
            at += 1;
        }
        at += 2;
        while self.is_sign(at, ".") {
            at += 2;
        }
        if self.is(at, "as") {
            at += 2;
        }
        // Columns, unless this is the query itself in parentheses.
        if self.is_sign(at, "(")
            && !self.is_any(at + 1, &["select", "with", "values"])
            && !self.is_sign(at + 1, ")")
        {
            at = self.closing(at).map_or(self.tokens.len(), |close| close + 1);
        }
        if self.is(at, "overriding") {
            at += 3;
        }
        at.min(self.tokens.len())
    }
}
