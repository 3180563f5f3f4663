//! Nouns of which the one only says more of the other: `opening date`, `star rating`.

use super::{
    items::{Linker, Meaning, Sense},
    mentions::Reader,
    names::better,
    question::Number,
};
use crate::question::{
    schema::words,
    semantic::{DatasetRole, FieldRole},
};

/// How well a table that links is called by its name, where that tells what it links.
const OF_A_LINK: f32 = 0.6;

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
        if self.names_peers(at) {
            self.found.peers = senses.to_vec();
            return true;
        }
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

    /// `above the average of their region`: whose average that is.
    fn names_peers(&self, at: usize) -> bool {
        let start = self.items[at].span.start;
        let word = |back: usize| {
            start
                .checked_sub(back)
                .map_or("", |at| self.tokens[at].word.as_str())
        };
        let same = usize::from(word(1) == "same" && word(2) == "the");
        let own = matches!(
            word(1),
            "their" | "its" | "his" | "her" | "that" | "same" | "own" | "respective"
        );
        let of = matches!(word(2 + same), "of" | "for" | "in" | "within" | "at");
        let compared = self.found.mentions.last().map(|last| &last.compared);
        own && of && matches!(compared, Some(Some((_, Number::Average))))
    }
}

impl Linker<'_> {
    /// `product tags` are tags rather than the rows that link products with them.
    pub(super) fn ends_of_links(&self, senses: &mut Vec<Sense>) {
        let schema = &self.snapshot.schema;
        let last = |table: usize| {
            let name = words::table_words(&schema.tables[table].name);
            name.last().map(|last| words::stem(last))
        };
        let ends: Vec<(usize, f32)> = senses
            .iter_mut()
            .filter_map(|sense| {
                let Meaning::Dataset(link) = sense.meaning else {
                    return None;
                };
                let is_link = self.model.datasets[link].role == DatasetRole::Link && sense.score >= 1.0;
                let mut keys = schema
                    .foreign_keys
                    .iter()
                    .filter(|key| is_link && key.from[0].table == link);
                let end = keys.find(|key| last(key.to[0].table) == last(link))?.to[0].table;
                sense.score = OF_A_LINK;
                Some((end, 1.0))
            })
            .collect();
        for (end, score) in ends {
            better(senses, &Meaning::Dataset(end), score);
        }
    }
}
