//! Verbs in the past that tell what somebody did, not how something is now: `who opened the most tickets`.

use super::{
    super::question::Token,
    items::{Meaning, Sense},
    question::Mention,
};
use crate::question::semantic::{Condition, FieldRole, SemanticModel};

/// True for a verb in the past with what it was done to behind it, or with whom or when it was.
pub(super) fn tells_a_deed(tokens: &[Token], mention: &Mention) -> bool {
    let word = |at: usize| tokens.get(at).map_or("", |token| token.word.as_str());
    let done_to = matches!(
        word(mention.end),
        "a" | "an" | "the" | "any" | "most" | "more" | "fewer" | "at" | "by" | "per"
    );
    mention.end > 0 && word(mention.end - 1).ends_with("ed") && mention.end == mention.at + 1 && done_to
}

/// A verb for which there is a time says when it was, and not that it still is so.
pub(super) fn forget_states(mention: &mut Mention, model: &SemanticModel) {
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
            matches!(filter.condition, Condition::Missing(_)) && times.contains(&filter.dataset)
        }
        _ => false,
    };
    mention.senses.retain(|sense| !is_state(sense));
}
