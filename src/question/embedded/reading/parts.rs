//! Parts of stored names that a phrase is: whoever says `gravel bikes` means all that are called so, of whatever make.

use std::ops::Range;

use super::{
    super::{lexicon::lexicon, question::TokenKind},
    items::{LONGEST_NAME, Linker, Meaning, Sense},
    names::better,
    persons::is_person,
};
use crate::question::{
    lexicon as lexicon_of_english,
    schema::{ColumnRef, ValueHit, words},
    semantic::FieldRole,
};

/// How well a part of a name fits: less than all of a stored value.
const FIT: f32 = 0.8;
/// How like one of the schema's words is that is no part of a name by itself.
const OF_SCHEMA: f32 = 0.9;
/// Letters of a word at least that stands for a name alone.
const SHORTEST: usize = 4;

/// Where in a name some of its words stand.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    First,
    Inside,
    Last,
}

impl Linker<'_> {
    /// Names that have a phrase in them, and what that counts for. One word must be their last, which tells what they are, or
    /// be written as a name and be their first, which tells whose make.
    pub(super) fn parts(&self, span: &Range<usize>, senses: &mut Vec<Sense>) -> f32 {
        let tokens = &self.tokens[span.clone()];
        let single = tokens.len() == 1;
        let called = tokens[0].capital && span.start > 0;
        let content = |at: usize| {
            let token = &self.tokens[at];
            let word = token.word.as_str();
            let shapes = lexicon().is_filler(word) || lexicon().operator(word).is_some();
            token.kind == TokenKind::Word(None) && word.len() > 2 && !shapes
        };
        let unknown = |at: usize| self.similarities.best(at) < OF_SCHEMA;
        let may_be = if single {
            let word = tokens[0].word.as_str();
            senses.is_empty() && word.len() >= SHORTEST && (called || lexicon_of_english::is_noun(word))
        } else {
            tokens.len() <= LONGEST_NAME
        };
        if !may_be || !span.clone().all(content) || !span.clone().any(unknown) {
            return 0.0;
        }
        let said: Vec<String> = tokens.iter().map(|token| token.word.clone()).collect();
        let mut hits = self.snapshot.values.find_part(&said);
        hits.retain(|hit| self.names_goods(hit.column));
        let mut found: Vec<(ColumnRef, String, Place)> = Vec::new();
        for hit in hits {
            let Some((part, place)) = part_of(&hit, &said) else {
                continue;
            };
            match found.iter_mut().find(|(column, ..)| *column == hit.column) {
                Some((_, known, everywhere)) => {
                    if *everywhere != place {
                        *everywhere = Place::Inside;
                    }
                    if part.len() < known.len() {
                        *known = part;
                    }
                }
                None => found.push((hit.column, part, place)),
            }
        }
        // A lamp is no headlamp.
        let pattern = |part: &str, place: Place| match place {
            Place::Last if single => Some(format!("% {part}")),
            Place::First if single && called => Some(format!("{part} %")),
            _ => (!single).then(|| format!("%{part}%")),
        };
        if single && found.len() > 1 {
            return 0.0;
        }
        found.retain(|(column, part, place)| {
            let pattern = pattern(part, *place);
            if let Some(pattern) = &pattern {
                better(senses, &Meaning::Part(*column, pattern.as_str().into()), FIT);
            }
            pattern.is_some()
        });
        match found.len() {
            0 => 0.0,
            _ if single => 0.75,
            _ => 1.1 * tokens.len() as f32,
        }
    }

    /// True for a column with the names of things: people are called by all of theirs.
    fn names_goods(&self, at: ColumnRef) -> bool {
        let schema = &self.snapshot.schema;
        let is_name = self.model.datasets[at.table].display.contains(&at.column)
            && self.model.field(at).role == FieldRole::Name;
        is_name && !schema.tables[at.table].is_view && !is_person(schema, at.table)
    }
}

/// The words of a name that are said, as they are spelled there, and where in it they stand.
fn part_of(hit: &ValueHit, said: &[String]) -> Option<(String, Place)> {
    let stems = |words: &[String]| -> Vec<String> { words.iter().map(|word| words::stem(word)).collect() };
    let said = stems(said);
    let spelled: Vec<&str> = hit.stored.split_whitespace().collect();
    let mut windows = spelled.windows(said.len());
    let at = windows.position(|window| stems(&words::text_words(&window.join(" "))) == said)?;
    let part = spelled[at..at + said.len()].join(" ");
    let plain = !part.contains(['%', '_', '\\']);
    let place = match at {
        0 => Place::First,
        _ if at + said.len() == spelled.len() => Place::Last,
        _ => Place::Inside,
    };
    plain.then_some((part, place))
}
