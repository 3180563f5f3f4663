//! What is running: contracts, subscriptions and tests that go on.

use super::super::{
    super::question::Token,
    rewording::{said, word},
};
use crate::question::schema::{Snapshot, words};

/// `running contracts`, `subscriptions still running` as the active ones, unless something is kept under that word.
pub(super) fn running(mut tokens: Vec<Token>, snapshot: &Snapshot) -> Vec<Token> {
    let found = tokens.iter().position(|token| token.word == "running");
    let Some(at) = found else { return tokens };
    let runs_on = matches!(
        word(&tokens, at + 1),
        "out"
            | "low"
            | "late"
            | "short"
            | "total"
            | "totals"
            | "over"
            | "time"
            | "times"
            | "cost"
            | "costs"
            | "for"
            | "minutes"
            | "hours"
            | "km"
    );
    let is_name = tokens[at].capital || at > 0 && tokens[at - 1].word == "long";
    let kept = || {
        let schema = &snapshot.schema;
        let named = schema.tables.iter().any(|table| {
            let columns = table.columns.iter().map(|column| &column.name);
            columns
                .chain([&table.name])
                .any(|name| words::identifier_words(name).iter().any(|word| word == "running"))
        });
        named || !snapshot.values.find(&words::text_words("running")).is_empty()
    };
    let told = tokens.iter().any(|token| token.word == "active");
    if told || runs_on || is_name && at > 0 || kept() {
        return tokens;
    }
    tokens[at] = said("active", &tokens[at]);
    tokens
}
