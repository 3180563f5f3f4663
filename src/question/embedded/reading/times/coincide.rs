//! Two times of one row that lie together: `paid in the month they were issued`, `returned on the day of the loan`, `on the due date`.

use super::{
    super::{
        super::question::{Token, TokenKind},
        marked::{self, Marked},
        periods::grain_of,
        rewording::word,
    },
    asks::ENDS,
    names_table, times_of,
};
use crate::question::{
    schema::{ColumnRef, Schema, words},
    semantic::{Grain, SemanticModel},
};

/// Verbs for how rows came about, whatever the column of that is called.
const BEGUN: &[&str] = &[
    "made",
    "created",
    "placed",
    "booked",
    "opened",
    "issued",
    "raised",
    "ordered",
    "submitted",
    "taken",
    "started",
    "began",
    "received",
    "registered",
    "reported",
    "posted",
    "bought",
    "requested",
    "filed",
    "entered",
    "recorded",
    "logged",
    "applied",
    "lent",
    "borrowed",
    "rented",
    "billed",
    "invoiced",
];

/// Where a question says that something was done in the period of something else.
struct Said {
    /// The verb of the one, and where all that is said ends.
    verb: usize,
    end: usize,
    grain: Grain,
    /// The word for the other; `None` for whatever began.
    other: Option<usize>,
}

/// The question with that in a token of its own, where a table keeps both times.
pub(super) fn together(mut tokens: Vec<Token>, schema: &Schema, model: &SemanticModel) -> Vec<Token> {
    let Some(said) = (1..tokens.len()).find_map(|at| said(&tokens, at)) else {
        return tokens;
    };
    let denied = tokens[said.verb.saturating_sub(3)..said.verb]
        .iter()
        .any(|token| matches!(token.word.as_str(), "not" | "never" | "no") || token.word.ends_with("n't"));
    let tables = (0..schema.tables.len()).filter(|&table| !schema.tables[table].is_view);
    let mut found: Vec<(bool, usize, (usize, usize))> = tables
        .filter_map(|table| {
            let (one, other) = both(&tokens, &said, table, schema, model)?;
            Some((
                names_table(&tokens, schema, table),
                table,
                (one.column, other.column),
            ))
        })
        .collect();
    found.sort_by_key(|(named, ..)| std::cmp::Reverse(*named));
    let ([(_, table, columns)] | [(true, table, columns), (false, ..), ..]) = found[..] else {
        return tokens;
    };
    let links = |token: &Token| {
        matches!(
            token.word.as_str(),
            "was"
                | "were"
                | "are"
                | "is"
                | "been"
                | "being"
                | "got"
                | "get"
                | "have"
                | "has"
                | "had"
                | "that"
                | "which"
                | "who"
        )
    };
    let from = tokens[..said.verb]
        .iter()
        .rposition(|token| !links(token))
        .map_or(0, |last| last + 1);
    if denied || from == 0 {
        return tokens;
    }
    let together = marked::token(Marked::Coincide(table, columns, said.grain), &tokens[said.verb]);
    tokens.splice(from..said.end, [together]);
    tokens
}

/// What is said from a place on: `in the month they were issued`, behind the verb of the one.
fn said(tokens: &[Token], at: usize) -> Option<Said> {
    let word = |at: usize| word(tokens, at);
    let lead = usize::from(matches!(word(at), "in" | "on" | "within" | "during"));
    let article = usize::from(matches!(word(at + lead), "the" | "their" | "its" | "that"));
    let mut unit = at + lead + article;
    let mut same = false;
    while matches!(word(unit), "same" | "very" | "calendar") {
        same |= word(unit) == "same";
        unit += 1;
    }
    let verb = (0..at).rev().find(|&at| {
        !matches!(
            word(at),
            "back" | "again" | "off" | "out" | "exactly" | "right" | "all"
        )
    })?;
    // `on the due date`
    if lead + article == 2 && !same && matches!(word(unit + 1), "date" | "day") {
        return Some(Said {
            verb,
            end: unit + 2,
            grain: Grain::Day,
            other: Some(unit),
        });
    }
    let grain = match word(unit) {
        "date" => Grain::Day,
        unit => grain_of(unit).filter(|grain| *grain != Grain::Hour)?,
    };
    let joint = match (word(unit + 1), word(unit + 2)) {
        ("in" | "on", "which") => 2,
        ("that" | "when" | "as" | "of", _) => 1,
        _ => 0,
    };
    let mut other = unit + 1 + joint;
    let mut clause = matches!(word(unit + 1), "as" | "of") && joint == 1;
    if matches!(word(other), "they" | "it" | "he" | "she") {
        (clause, other) = (true, other + 1);
    }
    while matches!(
        word(other),
        "was" | "were" | "is" | "are" | "had" | "been" | "got" | "first" | "the" | "their" | "its"
    ) {
        other += 1;
    }
    let stops = |at: usize| {
        tokens
            .get(at)
            .is_none_or(|token| matches!(token.kind, TokenKind::Mark(_)))
            || matches!(word(at), "and" | "or" | "per" | "by" | "for" | "in")
    };
    // `on the day`, `the same day`, or `the day they were`
    if lead + usize::from(same) == 0 && !(article > 0 && clause && joint == 0) {
        return None;
    }
    match (clause && other < tokens.len(), same) {
        (true, _) => {
            let behind = usize::from(matches!(word(other + 1), "date" | "day" | "on" | "it" | "them"));
            Some(Said {
                verb,
                end: other + 1 + behind,
                grain,
                other: Some(other),
            })
        }
        (false, true) if stops(unit + 1) => Some(Said {
            verb,
            end: unit + 1,
            grain,
            other: None,
        }),
        _ => None,
    }
}

/// The times of a table that are meant.
fn both(
    tokens: &[Token],
    said: &Said,
    table: usize,
    schema: &Schema,
    model: &SemanticModel,
) -> Option<(ColumnRef, ColumnRef)> {
    let one = told_by(&tokens[said.verb], table, schema, model)?;
    let begun = || {
        let column = model.datasets[table].time?;
        Some(ColumnRef { table, column })
    };
    let other = match said.other {
        Some(at) => told_by(&tokens[at], table, schema, model)
            .or_else(|| begun().filter(|_| BEGUN.contains(&word(tokens, at)))),
        None => begun(),
    }?;
    (one != other).then_some((one, other))
}

/// The time of a table that a word tells of.
fn told_by(said: &Token, table: usize, schema: &Schema, model: &SemanticModel) -> Option<ColumnRef> {
    let named = |wanted: &dyn Fn(&String) -> bool| {
        times_of(table, model).find(|at| {
            words::identifier_words(&schema.column(*at).name)
                .iter()
                .any(wanted)
        })
    };
    let class = ENDS.iter().find(|(words, _)| words.contains(&said.word.as_str()));
    let by_name = (said.stem.len() > 2)
        .then(|| named(&|name: &String| words::stem(name) == said.stem))
        .flatten();
    by_name.or_else(|| {
        let (_, columns) = class?;
        columns
            .iter()
            .find_map(|wanted| named(&|name: &String| name == wanted))
    })
}
