//! Where things are.

use super::{
    super::{
        super::question::Token,
        rewording::{word, written},
    },
    called,
};
use crate::question::{
    schema::{Schema, words},
    semantic::{FieldRole, SemanticModel},
};

/// `where do most of the owners live?` as which place has the most of them.
pub(super) fn where_most_are(tokens: Vec<Token>, schema: &Schema) -> Vec<Token> {
    if word(&tokens, 0) != "where" || word(&tokens, 1) != "do" || word(&tokens, 2) != "most" {
        return tokens;
    }
    let says_where = |token: &Token| {
        matches!(
            token.word.as_str(),
            "live" | "come" | "sit" | "reside" | "based" | "located" | "stay"
        )
    };
    let found = (3..tokens.len()).find_map(|at| Some((at, called(schema, &tokens[at])?)));
    let Some((noun, table)) = found.filter(|(noun, _)| tokens[*noun..].iter().any(says_where)) else {
        return tokens;
    };
    let columns = &schema.tables[table].columns;
    let place = ["city", "town", "country", "region", "district", "state", "county"]
        .iter()
        .find_map(|kind| {
            columns.iter().find(|column| {
                words::identifier_words(&column.name)
                    .iter()
                    .any(|word| word == kind)
            })
        });
    let Some(place) = place else { return tokens };
    let mut asked = written(&["which"], &tokens[0]);
    asked.extend(written(&words::identifier_words(&place.name), &tokens[0]));
    asked.extend(written(&["has", "the", "most"], &tokens[0]));
    asked.push(tokens[noun].clone());
    asked
}

/// `in which cities do we have stores`, `what countries do our customers come from` as the different ones of them.
pub(super) fn where_they_are(tokens: Vec<Token>, schema: &Schema, model: &SemanticModel) -> Vec<Token> {
    let from = usize::from(matches!(word(&tokens, 0), "in" | "from" | "to"));
    if !matches!(word(&tokens, from), "which" | "what") {
        return tokens;
    }
    let place = from + 1;
    let found = (place + 2..tokens.len()).find_map(|at| Some((at, called(schema, &tokens[at])?)));
    let Some((noun, table)) = found else { return tokens };
    let Some(verb) =
        (place + 1..noun).find(|&at| matches!(word(&tokens, at), "do" | "are" | "have" | "does"))
    else {
        return tokens;
    };
    let between = |at: usize| {
        matches!(
            word(&tokens, at),
            "do" | "are"
                | "have"
                | "got"
                | "we"
                | "you"
                | "our"
                | "your"
                | "the"
                | "there"
                | "all"
                | "of"
                | "us"
        )
    };
    let behind = |at: usize| {
        matches!(
            word(&tokens, at),
            "come"
                | "from"
                | "in"
                | "live"
                | "living"
                | "located"
                | "based"
                | "are"
                | "have"
                | "here"
                | "to"
                | "?"
                | "."
                | "currently"
        )
    };
    let plain = (verb..noun).all(between) && (noun + 1..tokens.len()).all(behind);
    let named: Vec<&str> = tokens[place..verb]
        .iter()
        .map(|token| token.stem.as_str())
        .collect();
    let is_place = |column: usize| {
        let name = words::identifier_words(&schema.tables[table].columns[column].name);
        let stems: Vec<String> = name.iter().map(|word| words::stem(word)).collect();
        stems.iter().map(String::as_str).eq(named.iter().copied())
            && model.datasets[table].fields[column].role == FieldRole::Dimension
    };
    if !plain || !(0..schema.tables[table].columns.len()).any(is_place) {
        return tokens;
    }
    let mut asked = written(&["different"], &tokens[0]);
    asked.extend_from_slice(&tokens[place..verb]);
    asked.extend(written(&["of"], &tokens[0]));
    asked.push(tokens[noun].clone());
    asked
}
