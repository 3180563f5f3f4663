//! What held at a time, whenever it began: `contracts active on 3 May`, `subscriptions running in 2024`.

use jiff::civil::Date;

use super::super::{
    super::question::Token,
    bound::is_called,
    marked::{self, Marked},
    periods::{Temporal, temporal},
    rewording::word,
};
use crate::question::{schema::Schema, semantic::SemanticModel};

/// Words for what has begun and has not ended.
const HOLDS: [&str; 11] = [
    "active",
    "open",
    "running",
    "ongoing",
    "valid",
    "live",
    "effective",
    "current",
    "underway",
    "unfinished",
    "outstanding",
];

/// `active on 3 May` as what had begun by then and had not ended, where rows have a begin and an end.
pub(super) fn at_a_time(
    mut tokens: Vec<Token>,
    today: Date,
    schema: &Schema,
    model: &SemanticModel,
) -> Vec<Token> {
    let found = (1..tokens.len()).find_map(|at| {
        let state = match (word(&tokens, at), word(&tokens, at + 1)) {
            ("in", "force" | "effect") | ("under", "way") => 2,
            (state, _) if HOLDS.contains(&state) => 1,
            _ => return None,
        };
        let spans = |table: usize| {
            let dataset = &model.datasets[table];
            dataset.time.is_some() && dataset.end.is_some() && dataset.time != dataset.end
        };
        let table = tokens[..at]
            .iter()
            .rev()
            .find_map(|noun| (0..schema.tables.len()).find(|&table| is_called(schema, table, noun)))?;
        let still = usize::from(matches!(word(&tokens, at + state), "still"));
        let begin = at + state + still;
        let led = matches!(word(&tokens, begin), "on" | "at" | "in" | "during");
        if !led || begin + 1 >= tokens.len() {
            return None;
        }
        let (Temporal::During(period), used) = temporal(&tokens, begin, today)? else {
            return None;
        };
        (spans(table) && period.to.is_some()).then_some((at, begin + used, period))
    });
    if let Some((at, end, period)) = found {
        let mut from = at;
        let links = [
            "were", "was", "are", "is", "that", "which", "still", "been", "have", "had", "has",
        ];
        while from > 1 && links.contains(&word(&tokens, from - 1)) {
            from -= 1;
        }
        let held = marked::token(Marked::Held(period), &tokens[at]);
        tokens.splice(from..end, [held]);
    }
    tokens
}
