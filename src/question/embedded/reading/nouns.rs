//! Definitions that are nouns: whoever asks how many VIPs there are asks for the guests of whom it holds.

use super::{
    defined::is_defined,
    items::{Meaning, Sense},
    question::{Mention, Question},
    roles::{Cast, Role},
};
use crate::question::semantic::SemanticModel;

/// True for a filter that people have defined, where no word beside it says what it holds of: `VIP guests`.
pub(super) fn may_be_head(
    question: &Question,
    mention: &Mention,
    sense: &Sense,
    model: &SemanticModel,
) -> bool {
    let Meaning::Filter(filter) = sense.meaning else {
        return false;
    };
    if !is_defined(sense, model) || mention.numbered_before {
        return false;
    }
    let table = model.filters[filter].dataset;
    let names_table = |other: &Mention| {
        let senses = other.senses.iter();
        let mut tables = senses.filter_map(|sense| match sense.meaning {
            Meaning::Dataset(table) => Some(table),
            _ => None,
        });
        tables.any(|named| named == table)
    };
    let beside = |other: &&Mention| other.at == mention.end || other.end == mention.at;
    !question.mentions.iter().filter(beside).any(names_table)
}

/// The same with what such a head holds of as the head, and itself as a condition; `None` where no head is one.
pub(super) fn unfolded(question: &Question, cast: &Cast, model: &SemanticModel) -> Option<(Question, Cast)> {
    let head = cast.parts.iter().position(|(role, _)| *role == Role::Head)?;
    let sense = cast.parts[head].1;
    let Meaning::Filter(filter) = question.mentions[head].senses[sense].meaning else {
        return None;
    };
    let (mut question, mut cast) = (question.clone(), cast.clone());
    let mention = &mut question.mentions[head];
    let condition = Mention {
        senses: vec![mention.senses[sense].clone()],
        gathering: None,
        compared: None,
        counted: false,
        most: false,
        owns_next: false,
        numbered: None,
        further: Vec::new(),
        unit: None,
        compared_in: None,
        until: None,
        ..mention.clone()
    };
    mention.negated = false;
    mention.senses = vec![Sense {
        meaning: Meaning::Dataset(model.filters[filter].dataset),
        score: 1.0,
    }];
    cast.parts[head].1 = 0;
    question.mentions.push(condition);
    cast.parts.push((Role::Condition, 0));
    Some((question, cast))
}
