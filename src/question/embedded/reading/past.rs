//! Verbs in the past that tell what somebody did, not how something is now: `who opened the most tickets`.

use super::{
    super::question::Token,
    items::{Meaning, Sense},
    question::Mention,
};
use crate::question::semantic::{Condition, FieldRole, SemanticModel};

/// What an article behind a verb shows: somebody did it to something.
fn does_to(word: &str) -> bool {
    matches!(word, "a" | "an" | "the" | "any" | "most" | "more" | "fewer")
}

/// True for a verb in the past with what it was done to behind it, or with whom or when it was.
pub(super) fn tells_a_deed(tokens: &[Token], mention: &Mention) -> bool {
    let word = |at: usize| tokens.get(at).map_or("", |token| token.word.as_str());
    let done_to = does_to(word(mention.end)) || matches!(word(mention.end), "at" | "by" | "per");
    mention.end > 0 && word(mention.end - 1).ends_with("ed") && mention.end == mention.at + 1 && done_to
}

/// A verb for which there is a time says when it was, and not that it still is so.
pub(super) fn forget_states(mention: &mut Mention, tokens: &[Token], model: &SemanticModel) {
    let active = tokens.get(mention.end).is_some_and(|token| does_to(&token.word));
    let times: Vec<usize> = mention
        .senses
        .iter()
        .filter_map(|sense| match sense.meaning {
            Meaning::Field(at) if model.field(at).role == FieldRole::Time => Some(at.table),
            _ => None,
        })
        .collect();
    let is_state = |sense: &Sense| match &sense.meaning {
        Meaning::Filter(filter) => {
            let filter = &model.filters[*filter];
            matches!(filter.condition, Condition::Missing(_)) && (active || times.contains(&filter.dataset))
        }
        _ => false,
    };
    mention.senses.retain(|sense| !is_state(sense));
}
