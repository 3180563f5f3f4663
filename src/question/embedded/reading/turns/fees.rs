//! What is paid per month or year, where a column keeps just that.

use super::{
    super::{super::question::Token, rewording::word},
    tells_when,
};
use crate::question::schema::{Schema, words};

/// `yearly bus cost` as the yearly cost, where a column is called so: nothing is told year by year.
pub(super) fn yearly_figure(mut tokens: Vec<Token>, schema: &Schema) -> Vec<Token> {
    const FAR: usize = 3;
    let is_adverb = |word: &str| {
        matches!(
            word,
            "yearly" | "annual" | "monthly" | "weekly" | "daily" | "hourly" | "quarterly" | "nightly"
        )
    };
    let named = |adverb: &str, noun: &Token| {
        let mut columns = schema.tables.iter().flat_map(|table| &table.columns);
        columns.any(|column| {
            let name = words::identifier_words(&column.name);
            name.first().is_some_and(|first| first == adverb)
                && name.get(1).is_some_and(|second| words::stem(second) == noun.stem)
        })
    };
    let found = (0..tokens.len()).find_map(|at| {
        let adverb = word(&tokens, at);
        if !is_adverb(adverb) {
            return None;
        }
        let noun =
            (at + 2..=at + FAR).find(|&noun| tokens.get(noun).is_some_and(|noun| named(adverb, noun)))?;
        Some((at, noun))
    });
    if let Some((at, noun)) = found {
        let adverb = tokens.remove(at);
        tokens.insert(noun - 1, adverb);
    }
    tokens
}

/// `what does the Gold plan cost per month?` without the month, where a fee is monthly: nothing is told month by month.
pub(super) fn per_period(mut tokens: Vec<Token>, schema: &Schema) -> Vec<Token> {
    let found = (1..tokens.len()).find_map(|at| {
        let kept: &[&str] = match (word(&tokens, at - 1), word(&tokens, at)) {
            ("per" | "a" | "each" | "every", "month") => &["monthly"],
            ("per" | "a" | "each" | "every", "year") => &["annual", "yearly"],
            ("per" | "a" | "each" | "every", "week") => &["weekly"],
            ("per" | "a" | "each" | "every", "day") => &["daily"],
            ("per" | "a" | "each" | "every", "night") => &["nightly"],
            ("per" | "an" | "each" | "every", "hour") => &["hourly"],
            _ => return None,
        };
        Some((at, kept))
    });
    let Some((at, kept)) = found else { return tokens };
    let asks_for_price = tokens.iter().any(|token| {
        matches!(
            token.word.as_str(),
            "cost"
                | "costs"
                | "price"
                | "pay"
                | "pays"
                | "fee"
                | "rent"
                | "rate"
                | "charge"
                | "cheapest"
                | "expensive"
                | "dearest"
                | "priciest"
                | "earn"
                | "earns"
        )
    });
    // What came in month by month is no fee.
    let gathers = tokens.iter().enumerate().any(|(other, token)| {
        matches!(
            token.word.as_str(),
            "revenue" | "total" | "sum" | "number" | "count" | "many" | "did" | "paid"
        ) || other != at && tells_when(token)
    });
    let is_fee = |name: &str| {
        let name = words::identifier_words(name);
        name.iter().any(|word| kept.contains(&word.as_str()))
            && name.iter().any(|word| {
                matches!(
                    word.as_str(),
                    "fee" | "rent" | "price" | "rate" | "cost" | "charge" | "salary" | "premium" | "wage"
                )
            })
    };
    let mut columns = schema.tables.iter().flat_map(|table| &table.columns);
    if asks_for_price && !gathers && columns.any(|column| is_fee(&column.name)) {
        tokens.drain(at - 1..=at);
    }
    tokens
}
