//! How long somebody stays, and who comes off worst.

use super::{
    super::{
        super::question::Token,
        rewording::{is_number, said, word},
    },
    has_word,
};
use crate::question::schema::Schema;

/// `how many nights do guests stay` as how long, where no column counts the nights.
pub(super) fn nights(mut tokens: Vec<Token>, schema: &Schema) -> Vec<Token> {
    let found = (0..tokens.len()).find(|&at| {
        let unit = matches!(word(&tokens, at + 2), "nights" | "days");
        word(&tokens, at) == "how" && word(&tokens, at + 1) == "many" && unit
    });
    let Some(at) = found else { return tokens };
    let stays = tokens[at..].iter().any(|token| token.stem == "stay");
    let mut columns = schema.tables.iter().flat_map(|table| &table.columns);
    if stays && !columns.any(|column| has_word(&column.name, &["nights", "days"])) {
        tokens[at + 1] = said("long", &tokens[at + 1]);
        tokens.remove(at + 2);
    }
    tokens
}

/// `days late per client, worst five` as those with the most of it: of what nobody wants, the most is the worst.
pub(super) fn worst(mut tokens: Vec<Token>) -> Vec<Token> {
    let found = (2..tokens.len()).find(|&at| {
        let number = tokens.get(at + 1).is_some_and(is_number);
        word(&tokens, at) == "worst" && number && word(&tokens, at + 2).is_empty()
    });
    let Some(at) = found else { return tokens };
    let unwanted = tokens[..at].iter().any(|token| {
        matches!(
            token.stem.as_str(),
            "day"
                | "late"
                | "delay"
                | "overdu"
                | "complaint"
                | "claim"
                | "return"
                | "defect"
                | "fault"
                | "error"
                | "failur"
                | "damag"
                | "lost"
                | "loss"
                | "miss"
                | "cancel"
                | "unpaid"
                | "outstand"
                | "wait"
                | "not"
                | "without"
                | "incid"
                | "accid"
                | "breakdown"
                | "reject"
        )
    });
    if unwanted {
        tokens[at] = said("top", &tokens[at]);
    }
    tokens
}
