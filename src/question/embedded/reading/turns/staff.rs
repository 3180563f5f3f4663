//! Who works here, what they do, and how others pay.

use super::{
    super::{
        super::question::Token,
        persons::works_here,
        rewording::{word, written},
    },
    has_word,
};
use crate::question::{
    schema::{ColumnRef, Schema, words},
    semantic::{FieldRole, SemanticModel},
};

/// `who works here and what do they do?` as the staff and their jobs.
pub(super) fn who_works(tokens: Vec<Token>, schema: &Schema, model: &SemanticModel) -> Vec<Token> {
    let place = match (word(&tokens, 2), word(&tokens, 3)) {
        ("here", _) => 1,
        ("for" | "with", "us") => 2,
        ("for" | "in" | "at", "the" | "our" | "this")
            if matches!(word(&tokens, 4), "company" | "firm" | "business" | "place") =>
        {
            3
        }
        _ => return tokens,
    };
    let asks = word(&tokens, 0) == "who" && matches!(word(&tokens, 1), "works" | "work");
    let end = 2 + place;
    let rest = matches!(word(&tokens, end), "" | "and" | "," | "with");
    let mut staff = (0..schema.tables.len())
        .filter(|&table| !schema.tables[table].is_view && works_here(&schema.tables[table].name));
    let (Some(table), None, true) = (staff.next(), staff.next(), asks && rest) else {
        return tokens;
    };
    let mut asked = Vec::new();
    if model.datasets[table].end.is_some() {
        asked.extend(written(&["current"], &tokens[0]));
    }
    asked.extend(written(
        &words::table_words(&schema.tables[table].name),
        &tokens[0],
    ));
    let job = schema.tables[table]
        .columns
        .iter()
        .find(|column| has_word(&column.name, &["job", "title", "role", "position", "occupation"]));
    let does: Vec<&str> = tokens[end..].iter().map(|token| token.word.as_str()).collect();
    let does = matches!(
        &does[..],
        ["and", "what", "do", "they", "do"] | ["and", "what", "they", "do"]
    );
    match job.filter(|_| does) {
        Some(job) => {
            asked.extend(written(&["and", "their"], &tokens[0]));
            asked.extend(written(&words::identifier_words(&job.name), &tokens[0]));
        }
        None => asked.extend_from_slice(&tokens[end..]),
    }
    asked
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
