//! Phrases that shape an answer or name a table elsewhere, and are what a column is called here.

use std::ops::Range;

use super::{
    cues::Cue,
    items::{Linker, Meaning, Sense},
    names::better,
    turns::{is_called, mark_of, stands_for},
};
use crate::question::{schema::words, semantic::FieldRole};

/// How well a state names the mark that says it, beside the rows that are so.
const A_MARK: f32 = 0.9;

impl Linker<'_> {
    /// True for `out of service` where a column says which ones are: it tells of these, not of what has come to an end.
    pub(super) fn is_called_so(&self, span: &Range<usize>) -> bool {
        let ends = matches!(self.cue(span), Some(Cue::Former | Cue::Current | Cue::Due(_)));
        ends && span.len() > 1
            && self
                .named(span)
                .is_some_and(|(_, senses)| senses.iter().any(|sense| self.says_state(sense)))
    }

    /// Adds the states that a word of several stands for, each with the mark that says it: `out_of_service`.
    pub(super) fn stands_for(&self, word: &str, senses: &mut Vec<Sense>) -> bool {
        let Some(state) = stands_for(word) else {
            return false;
        };
        let filters = self.model.filters.iter().enumerate();
        for (at, filter) in filters.filter(|(_, filter)| filter.name == state) {
            better(senses, &Meaning::Filter(at), 1.0);
            if let Some(mark) = mark_of(filter) {
                better(senses, &Meaning::Field(mark), A_MARK);
            }
        }
        !senses.is_empty()
    }

    /// Who says `inspector` means whom a column of that name leads to, and no inspections.
    pub(super) fn without_relatives(&self, span: &Range<usize>, senses: &mut Vec<Sense>) {
        let [token] = &self.tokens[span.clone()] else {
            return;
        };
        let schema = &self.snapshot.schema;
        let leads = |sense: &Sense| match sense.meaning {
            Meaning::Field(at) if self.model.field(at).role == FieldRole::Reference => {
                let name = words::identifier_words(&schema.column(at).name);
                name.len() == 2 && words::stem(&name[0]) == token.stem
            }
            _ => false,
        };
        if senses.iter().any(leads) {
            senses.retain(|sense| match sense.meaning {
                Meaning::Dataset(table) => is_called(schema, table, token),
                _ => true,
            });
        }
    }
}
