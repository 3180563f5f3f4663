//! What is over for somebody: `staff who left`, by the column that keeps when that was.

use super::{
    super::{
        super::{lexicon::lexicon, question::Token},
        cues::is_past,
        rewording::{said, word, written},
    },
    called, has_word,
    living::died_on,
};
use crate::question::{
    schema::{ColumnRef, Schema, words},
    semantic::{FieldRole, SemanticModel},
};

/// `staff who left` as those of whom it is known when: where nobody must have, the verb is no column to be shown.
pub(super) fn has_left(mut tokens: Vec<Token>, schema: &Schema, model: &SemanticModel) -> Vec<Token> {
    let found = (1..tokens.len()).find_map(|at| {
        let verb = at
            + 1
            + usize::from(matches!(
                word(&tokens, at + 1),
                "have" | "has" | "had" | "already"
            ));
        let leads = matches!(word(&tokens, at), "who" | "that" | "which");
        // `how many members died`
        let counted = at == 3 && word(&tokens, 0) == "how" && word(&tokens, 1) == "many";
        let verb = if counted && !leads { at } else { verb };
        let leads = leads || counted;
        let ends = matches!(
            word(&tokens, verb + 1),
            "" | "?" | "." | "," | "already" | "us" | "with" | "and" | "plus"
        );
        let thing = called(schema, &tokens[at - 1]).filter(|_| leads && ends)?;
        let column = ended_by(tokens.get(verb)?, thing, schema, model);
        let name = match column {
            Some(column) => words::identifier_words(&schema.column(column).name),
            None if word(&tokens, verb) == "died" => died_on(schema, model, thing)?,
            None => return None,
        };
        Some((at, verb, name))
    });
    let Some((at, verb, name)) = found else {
        return tokens;
    };
    let mut with = vec![said("with", &tokens[at])];
    with.extend(written(&name, &tokens[at]));
    with.extend(written(&["is", "known"], &tokens[at]));
    tokens.splice(at..=verb, with);
    tokens
}

/// `lawyers leaving next month`, `who leave this year` by the same column as those who left.
pub(super) fn leaves(mut tokens: Vec<Token>, schema: &Schema, model: &SemanticModel) -> Vec<Token> {
    let found = (1..tokens.len()).find(|&at| {
        matches!(word(&tokens, at), "leave" | "leaves" | "leaving") && called(schema, &tokens[at]).is_none()
    });
    let Some(at) = found else { return tokens };
    let left = said("left", &tokens[at]);
    let mut things = tokens[..at].iter().filter_map(|noun| called(schema, noun));
    if things.any(|thing| ended_by(&left, thing, schema, model).is_some()) {
        let helps = usize::from(matches!(word(&tokens, at - 1), "are" | "is" | "will" | "to"));
        tokens.splice(at - helps..=at, [left]);
    }
    tokens
}

/// The time of a thing that is called by a verb, where it need not have one.
fn ended_by(verb: &Token, table: usize, schema: &Schema, model: &SemanticModel) -> Option<ColumnRef> {
    let mut columns = schema.tables[table].columns.iter().enumerate();
    columns.find_map(|(column, described)| {
        let at = ColumnRef { table, column };
        let name = words::identifier_words(&described.name);
        let past = is_past(&verb.word) || lexicon().is_irregular_participle(&verb.word);
        let says = name
            .first()
            .is_some_and(|first| *first == verb.word || past && words::stem(first) == verb.stem);
        let leaves = verb.word == "left" && has_word(&described.name, &["leave", "leaving", "left"]);
        let time = model.field(at).role == FieldRole::Time;
        (time && !described.not_null && (says || leaves)).then_some(at)
    })
}
