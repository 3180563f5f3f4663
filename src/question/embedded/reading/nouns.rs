//! Definitions and values that are nouns: whoever asks how many VIPs there are asks for the guests of whom it holds, and the
//! top sales assistants are the employees with that job.

use super::{
    build::referring,
    defined::is_defined,
    items::{Meaning, Sense},
    question::{Around, Mention, Question},
    roles::{Cast, Role},
};
use crate::question::{
    schema::Snapshot,
    semantic::{DatasetRole, FieldRole, SemanticModel},
};

/// The table of what a sense is a noun for, where no word beside it says that: not `VIP guests`.
pub(super) fn noun_for(
    question: &Question,
    mention: &Mention,
    sense: &Sense,
    (snapshot, model): (&Snapshot, &SemanticModel),
) -> Option<usize> {
    if mention.numbered_before {
        return None;
    }
    let table = of_what(question, mention, sense, (snapshot, model))?;
    let names_table = |other: &Mention| {
        let senses = other.senses.iter();
        let mut tables = senses.filter_map(|sense| match sense.meaning {
            Meaning::Dataset(table) => Some(table),
            _ => None,
        });
        tables.any(|named| named == table)
    };
    let beside = |other: &&Mention| other.at == mention.end || other.end == mention.at;
    let named = question.mentions.iter().filter(beside).any(names_table);
    (!named).then_some(table)
}

/// The table of whose rows a definition, or a value that is ranked, tells which.
fn of_what(
    question: &Question,
    mention: &Mention,
    sense: &Sense,
    (snapshot, model): (&Snapshot, &SemanticModel),
) -> Option<usize> {
    let ranked = question.rank.is_some()
        && matches!(
            mention.before,
            Around::Superlative | Around::Number | Around::Which
        );
    match &sense.meaning {
        Meaning::Filter(filter) if is_defined(sense, model) => Some(model.filters[*filter].dataset),
        Meaning::Part(at, _) if ranked => Some(at.table),
        Meaning::Value(at, _) if ranked => {
            let dataset = &model.datasets[at.table];
            if dataset.display.contains(&at.column) {
                return referring(at.table, &snapshot.schema, model);
            }
            let kinds = dataset.role == DatasetRole::Entity && model.field(*at).role == FieldRole::Dimension;
            kinds.then_some(at.table)
        }
        _ => None,
    }
}

/// The same with what such a head holds of as the head, and itself as a condition; `None` where no head is one.
pub(super) fn unfolded(
    question: &Question,
    cast: &Cast,
    (snapshot, model): (&Snapshot, &SemanticModel),
) -> Option<(Question, Cast)> {
    let head = cast.parts.iter().position(|(role, _)| *role == Role::Head)?;
    let sense = cast.parts[head].1;
    let mention = &question.mentions[head];
    let table = noun_for(question, mention, &mention.senses[sense], (snapshot, model))?;
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
        meaning: Meaning::Dataset(table),
        score: 1.0,
    }];
    cast.parts[head].1 = 0;
    question.mentions.push(condition);
    cast.parts.push((Role::Condition, 0));
    Some((question, cast))
}
