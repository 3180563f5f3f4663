//! The SELECTs of a statement, for those who change one: which of them stands around a character, and the statement's
//! text once it was changed. A SELECT is known by where it begins, in characters from 1.

use std::ops::ControlFlow;

use sqlparser::{
    ast::{Query, Select, SetExpr},
    keywords::Keyword,
    tokenizer::{Token, Tokenizer},
};

use super::walk::{Node, change_queries, read};
use crate::question::{
    schema::Dialect,
    validator::{
        parse::{Lines, Parsed, grammar},
        start::Start,
    },
};

/// Where the innermost SELECT around a character begins. Without a character it is the statement's first own SELECT.
/// What follows a set operation (ORDER BY, LIMIT) is told to stand in its last part.
pub(super) fn select_around(parsed: &Parsed, dialect: Dialect, position: Option<usize>) -> Option<usize> {
    let Some(position) = position else {
        return first_of(&parsed.query.body, &parsed.lines);
    };
    let tokens = Tokenizer::new(grammar(dialect), &parsed.text)
        .tokenize_with_location()
        .ok()?;
    let mut open: Vec<Option<usize>> = vec![None];
    for token in &tokens {
        let Some(at) = parsed.lines.position(token.span.start) else {
            continue;
        };
        if at > position {
            break;
        }
        match &token.token {
            Token::LParen => open.push(None),
            Token::RParen => {
                open.pop();
            }
            Token::Word(word) if word.keyword == Keyword::SELECT && word.quote_style.is_none() => {
                *open.last_mut()? = Some(at);
            }
            _ => {}
        }
    }
    // What stands before any SELECT, such as the name of a common table expression, belongs to the first.
    let around = open.into_iter().rev().flatten().next();
    around.or_else(|| first_of(&parsed.query.body, &parsed.lines))
}

/// The SELECT that begins there.
pub(super) fn select_of(parsed: &Parsed, at: usize) -> Option<Select> {
    let query = query_of(parsed, at)?;
    part_of(&query.body, &parsed.lines, at).cloned()
}

/// The query that has it for its body, or for a part of its set operation.
pub(super) fn query_of(parsed: &Parsed, at: usize) -> Option<Query> {
    let mut found = None;
    read(parsed.query.as_ref(), &mut |node, _| match node {
        Node::Query(query) if part_of(&query.body, &parsed.lines, at).is_some() => {
            found = Some(query.clone());
            ControlFlow::Break(())
        }
        _ => ControlFlow::Continue(()),
    });
    found
}

/// Where every SELECT begins, in the order of the text.
pub(super) fn all_selects(parsed: &Parsed) -> Vec<usize> {
    let mut starts = vec![];
    read(parsed.query.as_ref(), &mut |node, _| {
        if let Node::Select(select) = node {
            starts.extend(parsed.lines.position(select.start()));
        }
        ControlFlow::Continue(())
    });
    starts.sort_unstable();
    starts
}

/// The statement with the query around a SELECT changed; `None` where the change declines.
pub(super) fn with_query(
    parsed: &Parsed,
    at: usize,
    change: impl FnOnce(&mut Query) -> Option<()>,
) -> Option<String> {
    let mut whole = parsed.query.clone();
    let mut change = Some(change);
    let mut done = false;
    change_queries(whole.as_mut(), &mut |query| {
        if part_of(&query.body, &parsed.lines, at).is_none() {
            return ControlFlow::Continue(());
        }
        done = change.take().and_then(|change| change(query)).is_some();
        ControlFlow::Break(())
    });
    done.then(|| whole.to_string())
}

/// The statement with one SELECT changed; `None` where the change declines.
pub(super) fn with_select(
    parsed: &Parsed,
    at: usize,
    change: impl FnOnce(&mut Select) -> Option<()>,
) -> Option<String> {
    with_query(parsed, at, |query| {
        change(part_of_mut(&mut query.body, &parsed.lines, at)?)
    })
}

/// The SELECT of a query that begins there, or the query's only one.
pub(super) fn part_of_mut<'q>(body: &'q mut SetExpr, lines: &Lines, at: usize) -> Option<&'q mut Select> {
    match body {
        SetExpr::Select(select) => is_at(select, lines, at).then_some(select),
        SetExpr::SetOperation { left, right, .. } => {
            if part_of(left, lines, at).is_some() {
                part_of_mut(left, lines, at)
            } else {
                part_of_mut(right, lines, at)
            }
        }
        _ => None,
    }
}

fn part_of<'q>(body: &'q SetExpr, lines: &Lines, at: usize) -> Option<&'q Select> {
    match body {
        SetExpr::Select(select) => is_at(select, lines, at).then_some(select),
        SetExpr::SetOperation { left, right, .. } => {
            part_of(left, lines, at).or_else(|| part_of(right, lines, at))
        }
        _ => None,
    }
}

fn first_of(body: &SetExpr, lines: &Lines) -> Option<usize> {
    match body {
        SetExpr::Select(select) => lines.position(select.start()),
        SetExpr::SetOperation { left, .. } => first_of(left, lines),
        SetExpr::Query(query) => first_of(&query.body, lines),
        _ => None,
    }
}

fn is_at(select: &Select, lines: &Lines, at: usize) -> bool {
    lines.position(select.start()) == Some(at)
}
