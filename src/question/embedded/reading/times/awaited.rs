//! What is waited for: `response time`, `between the order and its payment`.

use std::ops::Range;

use super::{
    super::{
        super::question::Token,
        rewording::{said, word},
    },
    asks::{ENDS, is_unit},
    column_words,
};
use crate::question::{
    schema::{ColumnRef, Schema, words},
    semantic::SemanticModel,
};

/// `average response time in minutes` as the average time in minutes to the response.
pub(super) fn time_to(mut tokens: Vec<Token>) -> Vec<Token> {
    let found = (1..tokens.len()).find(|&at| {
        let averaged = matches!(word(&tokens, at - 1), "average" | "avg" | "mean" | "median");
        let awaited = ENDS.iter().any(|(nouns, _)| nouns.contains(&word(&tokens, at)));
        averaged && awaited && matches!(word(&tokens, at + 1), "time" | "times")
    });
    if let Some(at) = found {
        let noun = tokens.remove(at);
        tokens[at] = said("time", &tokens[at]);
        let in_unit = word(&tokens, at + 1) == "in" && is_unit(word(&tokens, at + 2));
        let end = at + 1 + if in_unit { 2 } else { 0 };
        tokens.splice(end..end, [said("to", &noun), noun]);
    }
    tokens
}

/// `days between the invoice date and the payment`: what is called by a table happened when its rows say so.
pub(super) fn across(
    tokens: &[Token],
    (from, to): (Range<usize>, Range<usize>),
    schema: &Schema,
    model: &SemanticModel,
) -> Option<Vec<Token>> {
    let time = |side: &Range<usize>| {
        let side = &tokens[side.clone()];
        let noun = side
            .iter()
            .rev()
            .find(|token| !matches!(token.word.as_str(), "the" | "its" | "their" | "a"))?;
        let alone = side.len() == 1 || side.len() == 2 && noun == &side[1];
        let table = schema.tables.iter().position(|table| {
            let name = words::table_words(&table.name);
            !table.is_view && name.len() == 1 && words::stem(&name[0]) == noun.stem
        })?;
        let column = model.datasets[table].time.filter(|_| alone)?;
        Some(column_words(ColumnRef { table, column }, schema, noun))
    };
    let (begun, ended) = (time(&from), time(&to));
    if begun.is_none() && ended.is_none() {
        return None;
    }
    let side = |told: Option<Vec<Token>>, range: &Range<usize>| {
        told.unwrap_or_else(|| tokens[range.clone()].to_vec())
    };
    let mut asked = tokens[..from.start].to_vec();
    asked.extend(side(begun, &from));
    asked.extend_from_slice(&tokens[from.end..to.start]);
    asked.extend(side(ended, &to));
    asked.extend_from_slice(&tokens[to.end..]);
    Some(asked)
}
