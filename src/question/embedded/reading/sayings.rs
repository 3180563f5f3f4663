//! Set phrases, and how others say the same.

use super::{
    super::{
        lexicon::sayings,
        question::{Token, TokenKind},
    },
    doers::leads,
    rewording::{said, word},
};
use crate::question::schema::{Schema, words};

/// The question with one word for some phrases.
pub(super) fn phrases(tokens: &[Token], schema: &Schema) -> Vec<Token> {
    let mut written: Vec<Token> = Vec::with_capacity(tokens.len());
    let mut at = 0;
    while at < tokens.len() {
        if let Some((used, instead)) = sayings().states.beginning(|next| word(tokens, at + next)) {
            written.extend(instead.iter().map(|word| said(word, &tokens[at])));
            at += used;
        } else if let Some((instead, used)) = holds(tokens, at, schema)
            .or_else(|| awaited(tokens, at, schema))
            .or_else(|| joined_verb(tokens, at, schema))
        {
            written.extend(instead);
            at += used;
        } else {
            written.push(tokens[at].clone());
            at += 1;
        }
    }
    written
}

/// True where a column has this word in its name.
fn has_column(schema: &Schema, wanted: &str) -> bool {
    let mut columns = schema.tables.iter().flat_map(|table| &table.columns);
    columns.any(|column| {
        words::identifier_words(&column.name)
            .iter()
            .any(|word| word == wanted)
    })
}

/// `hold more than 1000 people` as a capacity.
fn holds(tokens: &[Token], at: usize, schema: &Schema) -> Option<(Vec<Token>, usize)> {
    let verb = matches!(
        word(tokens, at),
        "hold" | "holds" | "seat" | "seats" | "fit" | "fits" | "accommodate" | "accommodates"
    );
    if !verb || !has_column(schema, "capacity") {
        return None;
    }
    let number =
        (at + 1..(at + 5).min(tokens.len())).find(|&at| matches!(tokens[at].kind, TokenKind::Number(_)))?;
    let people = matches!(
        word(tokens, number + 1),
        "people" | "persons" | "guests" | "visitors" | "passengers" | "seats"
    );
    let mut instead = vec![said("with", &tokens[at]), said("capacity", &tokens[at])];
    instead.extend_from_slice(&tokens[at + 1..=number]);
    Some((instead, number + 1 - at + usize::from(people)))
}

/// `awaiting review` as without one, where something says when or by whom that is done.
fn awaited(tokens: &[Token], at: usize, schema: &Schema) -> Option<(Vec<Token>, usize)> {
    let used = match (word(tokens, at), word(tokens, at + 1)) {
        ("awaiting", _) => 1,
        ("waiting", "for") => 2,
        _ => return None,
    };
    let wanted = tokens.get(at + used)?;
    let mut columns = schema.tables.iter().flat_map(|table| &table.columns);
    let is_done = columns.any(|column| {
        let name = words::identifier_words(&column.name);
        !column.not_null && name.first().is_some_and(|word| words::stem(word) == wanted.stem)
    });
    is_done.then(|| (vec![said("without", &tokens[at])], used))
}

/// `signups` as the accounts that signed up, where only `signed_up_on` says so.
fn joined_verb(tokens: &[Token], at: usize, schema: &Schema) -> Option<(Vec<Token>, usize)> {
    let noun = word(tokens, at);
    let (verb, particle) = ["up", "in", "out", "off"].into_iter().find_map(|particle| {
        let verb = noun.trim_end_matches('s').strip_suffix(particle)?;
        (verb.len() > 2).then_some((verb, particle))
    })?;
    let tables = schema.tables.iter().filter(|table| !table.is_view);
    let mut found = tables.flat_map(|table| table.columns.iter().map(move |column| (table, column)));
    let mut named = found.by_ref().filter_map(|(table, column)| {
        let name = words::identifier_words(&column.name);
        let [first, second, ..] = &name[..] else {
            return None;
        };
        let same = words::stem(first) == verb && second == particle && column.kind.is_temporal();
        same.then(|| (table, first.clone()))
    });
    let (table, first) = named.next()?;
    if named.next().is_some() {
        return None;
    }
    let things = words::table_words(&table.name);
    let told = things
        .iter()
        .map(String::as_str)
        .chain([first.as_str(), particle]);
    Some((told.map(|word| said(word, &tokens[at])).collect(), 1))
}

/// The question with some phrases in other words.
pub(super) fn other_words(tokens: &[Token]) -> Vec<Token> {
    let mut written: Vec<Token> = Vec::with_capacity(tokens.len());
    let mut at = 0;
    while at < tokens.len() {
        let Some((used, instead)) = sayings().phrases.beginning(|next| word(tokens, at + next)) else {
            written.push(tokens[at].clone());
            at += 1;
            continue;
        };
        if instead.last().is_some_and(|word| word == "serving")
            && written.last().is_some_and(|last| last.word == "who")
        {
            // `who has been here the longest` asks for persons.
            if written.len() == 1 || leads(word(&written, written.len() - 2)) {
                written.push(tokens[at].clone());
                at += 1;
                continue;
            }
            // `the technician who has been with us the longest`: longest serving.
            written.pop();
        }
        written.extend(instead.iter().map(|word| said(word, &tokens[at])));
        at += used;
    }
    written
}
