//! Who works here, what they do, and how others pay.

use super::{
    super::{
        super::question::Token,
        persons::works_here,
        rewording::{word, written},
    },
    has_word, name_of,
};
use crate::question::{
    schema::{ColumnRef, Schema, words},
    semantic::{FieldRole, SemanticModel},
};

/// `how many people work here`, `who works for us and what do they do?` as the staff that there is now, and their jobs.
pub(super) fn who_works(mut tokens: Vec<Token>, schema: &Schema, model: &SemanticModel) -> Vec<Token> {
    let mut staff = (0..schema.tables.len())
        .filter(|&table| !schema.tables[table].is_view && works_here(&schema.tables[table].name));
    let (Some(staff), None) = (staff.next(), staff.next()) else {
        return tokens;
    };
    let found = (0..tokens.len()).find_map(|at| {
        let persons = matches!(
            word(&tokens, at),
            "people" | "persons" | "folks" | "who" | "everyone" | "everybody"
        );
        let links = matches!(word(&tokens, at + 1), "who" | "that" | "do" | "are" | "is");
        let verb = at + 1 + usize::from(links);
        let works = matches!(word(&tokens, verb), "work" | "works" | "working" | "employed");
        (persons && works).then_some((at, verb + 1))
    });
    let Some((at, rest)) = found else { return tokens };
    let here = match (word(&tokens, rest), word(&tokens, rest + 1)) {
        ("here", _) => 1,
        ("for" | "with" | "at", "us" | "you") => 2,
        ("for" | "at" | "in", "the" | "this" | "our")
            if matches!(word(&tokens, rest + 2), "company" | "firm" | "business" | "place") =>
        {
            3
        }
        ("in" | "at" | "" | "?", _) => 0,
        _ => return tokens,
    };
    let end = rest + here;
    let behind: Vec<&str> = tokens[end..].iter().map(|token| token.word.as_str()).collect();
    let asks_jobs = matches!(
        &behind[..],
        ["and", "what", "do", "they", "do"] | ["and", "what", "they", "do"]
    );
    let mut columns = schema.tables[staff].columns.iter();
    let job = columns
        .find(|column| has_word(&column.name, &["job", "title", "role", "position", "occupation"]))
        .filter(|_| asks_jobs);
    let mut asked = Vec::new();
    if word(&tokens, at) == "who" {
        asked.extend(written(&["which"], &tokens[at]));
    }
    if model.datasets[staff].end.is_some() {
        asked.extend(written(&["current"], &tokens[at]));
    }
    asked.extend(name_of(schema, staff, &tokens[at]));
    let Some(job) = job else {
        tokens.splice(at..end, asked);
        return tokens;
    };
    asked.extend(written(&["and", "their"], &tokens[at]));
    asked.extend(written(&words::identifier_words(&job.name), &tokens[at]));
    tokens.splice(at.., asked);
    tokens
}

/// `how do guests usually pay?` as how many payments there are of each kind.
pub(super) fn ways_to_pay(tokens: Vec<Token>, schema: &Schema, model: &SemanticModel) -> Vec<Token> {
    let often = usize::from(matches!(
        word(&tokens, 3),
        "usually" | "mostly" | "normally" | "typically" | "generally" | "mainly"
    ));
    let asks = word(&tokens, 0) == "how"
        && matches!(word(&tokens, 1), "do" | "did")
        && word(&tokens, 3 + often) == "pay";
    if !asks || matches!(word(&tokens, 2), "i" | "you") {
        return tokens;
    }
    let tells_how = |at: &ColumnRef| {
        let column = &schema.column(*at).name;
        let table = &schema.tables[at.table];
        let of_payment = |name: &str| has_word(name, &["payment", "payments", "pay", "pmt"]);
        let role = model.datasets[at.table].fields[at.column].role;
        has_word(column, &["method", "mode", "means", "type"])
            && (of_payment(column) || of_payment(&table.name))
            && matches!(role, FieldRole::Dimension | FieldRole::Code)
            && !table.is_view
    };
    let Some((at, _)) = schema.columns().find(|(at, _)| tells_how(at)) else {
        return tokens;
    };
    let mut asked = written(&["number", "of"], &tokens[0]);
    asked.extend(written(
        &words::table_words(&schema.tables[at.table].name),
        &tokens[0],
    ));
    asked.extend(written(&["per"], &tokens[0]));
    asked.extend(written(
        &words::identifier_words(&schema.column(at).name),
        &tokens[0],
    ));
    asked.extend_from_slice(&tokens[4 + often..]);
    asked
}
