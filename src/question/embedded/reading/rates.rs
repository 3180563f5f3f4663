//! Rates of states, in the words that the readings understand.

use super::{
    super::{lexicon::sayings, question::Token},
    rewording::{said, word},
};
use crate::question::schema::{Schema, words};

/// `return rate of orders` as the share of returned orders, unless a column is called so.
pub(super) fn rates(mut tokens: Vec<Token>, schema: &Schema) -> Vec<Token> {
    let found = (1..tokens.len()).find_map(|at| {
        let is_rate = matches!(word(&tokens, at), "rate" | "rates" | "ratio" | "quota");
        let state = sayings().rate_of(word(&tokens, at - 1)).filter(|_| is_rate)?;
        let mut columns = schema.tables.iter().flat_map(|table| &table.columns);
        let kept = columns.any(|column| {
            let name: Vec<String> = words::identifier_words(&column.name)
                .iter()
                .map(|word| words::stem(word))
                .collect();
            name.contains(&tokens[at - 1].stem)
                && name
                    .iter()
                    .any(|word| matches!(word.as_str(), "rate" | "pct" | "percent" | "ratio" | "share"))
        });
        (!kept).then_some((at, state))
    });
    let Some((at, state)) = found else { return tokens };
    let of = usize::from(word(&tokens, at + 1) == "of");
    let article = usize::from(of == 1 && matches!(word(&tokens, at + 2), "the" | "our" | "all"));
    let share = ["share", "of", state].map(|word| said(word, &tokens[at]));
    tokens.splice(at - 1..=at + of + article, share);
    tokens
}
