//! Amounts of which a column says itself what period they are for: yearly premium, monthly rent.

use super::items::{Linker, Meaning};
use crate::question::{schema::words, semantic::Grain};

impl Linker<'_> {
    /// True for `yearly` of `yearly premium`, where a column says that this is what it is.
    pub(super) fn is_by_itself(&self, start: usize, grain: Grain) -> bool {
        let said: &[&str] = match grain {
            Grain::Year => &["yearly", "annual", "ann", "per year", "/year"],
            Grain::Quarter => &["quarterly", "per quarter"],
            Grain::Month => &["monthly", "per month", "/month"],
            Grain::Week => &["weekly", "per week"],
            Grain::Day => &["daily", "per day"],
            Grain::Hour => return false,
        };
        let is_adjective = self.tokens[start].word.ends_with("ly") || self.tokens[start].word == "annual";
        let named = (is_adjective && start + 1 < self.tokens.len())
            .then(|| self.named(&(start + 1..start + 2)))
            .flatten();
        named.is_some_and(|(_, senses)| {
            senses.iter().any(|sense| match sense.meaning {
                Meaning::Field(at) if self.model.field(at).role.is_measure() => {
                    let column = self.snapshot.schema.column(at);
                    let comment = column.comment.as_deref().unwrap_or_default().to_lowercase();
                    let name = words::identifier_words(&column.name);
                    said.iter().any(|said| {
                        comment.contains(said) && said.len() > 3 || name.iter().any(|word| word == said)
                    })
                }
                _ => false,
            })
        })
    }
}
