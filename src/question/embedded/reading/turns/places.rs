//! Where things are, and who works there.

use super::{
    super::{
        super::question::Token,
        persons::{is_person, works_here},
        rewording::{word, written},
    },
    called, name_of,
};
use crate::question::{
    schema::{Schema, words},
    semantic::{FieldRole, SemanticModel},
};

/// `how many people work here`, `who works for us` as the staff that there is now.
pub(super) fn who_works(mut tokens: Vec<Token>, schema: &Schema, model: &SemanticModel) -> Vec<Token> {
    let mut staff = (0..schema.tables.len()).filter(|&table| {
        let described = &schema.tables[table];
        !described.is_view && is_person(schema, table) && works_here(&described.name)
    });
    let (Some(staff), None) = (staff.next(), staff.next()) else {
        return tokens;
    };
    let found = (0..tokens.len()).find_map(|at| {
        let persons = matches!(
            word(&tokens, at),
            "people" | "persons" | "folks" | "who" | "everyone" | "everybody"
        );
        let link = at
            + 1
            + usize::from(matches!(
                word(&tokens, at + 1),
                "who" | "that" | "do" | "are" | "is"
            ));
        let works = matches!(word(&tokens, link), "work" | "works" | "working" | "employed");
        (persons && works).then_some((at, link + 1))
    });
    let Some((at, rest)) = found else { return tokens };
    let here = match (word(&tokens, rest), word(&tokens, rest + 1)) {
        ("here", _) => 1,
        ("for" | "with" | "at", "us" | "you") => 2,
        ("for" | "at" | "in", "the" | "this" | "our")
            if matches!(word(&tokens, rest + 2), "company" | "firm" | "business") =>
        {
            3
        }
        ("in" | "at" | "" | "?", _) => 0,
        _ => return tokens,
    };
    let mut asked = Vec::new();
    if word(&tokens, at) == "who" {
        asked.extend(written(&["which"], &tokens[at]));
    }
    if model.datasets[staff].end.is_some() {
        asked.extend(written(&["current"], &tokens[at]));
    }
    asked.extend(name_of(schema, staff, &tokens[at]));
    tokens.splice(at..rest + here, asked);
    tokens
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
