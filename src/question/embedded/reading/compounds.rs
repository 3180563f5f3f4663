//! Nouns of which the one only says more of the other: `opening date`, `star rating`.

use super::{
    items::{Meaning, Sense},
    mentions::Reader,
};
use crate::question::semantic::FieldRole;

impl Reader<'_> {
    /// Takes a noun into the mention right before it that only says what kind of thing that is: `opening date`, `contact
    /// person`. False where it is no such noun.
    pub(super) fn takes_in_kind(&mut self, at: usize) -> bool {
        let start = self.items[at].span.start;
        let (is_time, is_person) = match self.tokens[start].word.as_str() {
            "date" | "dates" | "time" | "times" | "day" => (true, false),
            "person" | "persons" | "people" => (false, true),
            _ => return false,
        };
        let Some(last) = self.found.mentions.last_mut().filter(|last| last.end == start) else {
            return false;
        };
        let fits = |sense: &Sense| match sense.meaning {
            Meaning::Field(field) => match self.model.field(field).role {
                FieldRole::Time => is_time,
                FieldRole::Name | FieldRole::Dimension => is_person,
                _ => false,
            },
            _ => false,
        };
        if !last.senses.iter().any(fits) {
            return false;
        }
        last.senses.retain(fits);
        last.end += 1;
        last.says_date |= is_time;
        true
    }

    /// Takes another name of the column that was named right before into that mention: `star rating`. False where it names
    /// something else.
    pub(super) fn takes_in_name(&mut self, senses: &[Sense], at: usize) -> bool {
        let span = &self.items[at].span;
        let field = |senses: &[Sense]| match senses.first()?.meaning {
            Meaning::Field(field) => Some(field),
            _ => None,
        };
        let last = self.found.mentions.last_mut();
        let Some(last) = last.filter(|last| {
            last.end == span.start && field(senses).is_some() && field(senses) == field(&last.senses)
        }) else {
            return false;
        };
        last.end = span.end;
        last.senses = senses.to_vec();
        true
    }
}
