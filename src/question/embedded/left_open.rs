//! What a question leaves open, so that any answer would be a guess: of what it wants everything, which of several amounts it
//! means by what something costs, which of two references to one table, and in which of two tables a value.

use super::question::Token;
use crate::question::schema::{Schema, words};

pub(super) mod references;
pub(super) mod values;

/// All the words that a question has which asks for nothing but help.
const HELP: &[&str] = &[
    "?",
    "a",
    "all",
    "anything",
    "are",
    "ask",
    "available",
    "can",
    "could",
    "data",
    "database",
    "everything",
    "do",
    "does",
    "exist",
    "examples",
    "example",
    "for",
    "get",
    "give",
    "got",
    "have",
    "hello",
    "help",
    "hi",
    "how",
    "i",
    "in",
    "is",
    "it",
    "just",
    "know",
    "like",
    "list",
    "me",
    "of",
    "please",
    "question",
    "questions",
    "schema",
    "see",
    "show",
    "table",
    "tables",
    "tell",
    "that",
    "the",
    "there",
    "this",
    "to",
    "us",
    "use",
    "want",
    "we",
    "what",
    "which",
    "would",
    "you",
    "your",
    "\\d",
    "\\dt",
];

/// How much less likely an amount is meant that is paid for a time, where only what something costs is asked.
const BY_PERIOD: f32 = 0.9;

/// True for a word that asks what something costs.
pub(super) fn is_costing(word: &str) -> bool {
    matches!(word, "cost" | "costs" | "costing")
}

/// How likely a column of this name has what one of something costs, and not what it costs a day.
pub(super) fn of_one<'w>(mut name: impl Iterator<Item = &'w str>) -> f32 {
    if name.any(is_by_period) { BY_PERIOD } else { 1.0 }
}

/// True for a word that says for what time an amount is paid: `daily_fee`, `rent_per_month`.
fn is_by_period(word: &str) -> bool {
    matches!(
        word,
        "hourly"
            | "daily"
            | "nightly"
            | "weekly"
            | "monthly"
            | "quarterly"
            | "yearly"
            | "annual"
            | "hour"
            | "day"
            | "night"
            | "week"
            | "month"
            | "year"
            | "rental"
            | "hire"
    )
}

/// The word that leaves it open, and why.
pub(super) fn left_open(tokens: &[Token], schema: &Schema) -> Option<(String, String)> {
    of_what(tokens, schema).or_else(|| which_amount(tokens, schema))
}

/// `show me everything`: of what is not said.
fn of_what(tokens: &[Token], schema: &Schema) -> Option<(String, String)> {
    let everything = tokens
        .iter()
        .find(|token| matches!(token.word.as_str(), "everything" | "anything" | "all"))?;
    let names = |token: &Token| schema.tables.iter().any(|table| is_called(&table.name, token));
    let open = asks_for_help(tokens.iter().map(|token| token.word.as_str())) && !tokens.iter().any(names);
    open.then(|| (everything.text.clone(), "it does not say of what".to_owned()))
}

/// True for a question that asks for nothing but help.
pub(super) fn asks_for_help<'w>(mut words: impl Iterator<Item = &'w str>) -> bool {
    words.all(|word| HELP.contains(&word.to_lowercase().as_str()))
}

/// True where the last word of a table's name is this one.
fn is_called(table: &str, token: &Token) -> bool {
    let name = words::table_words(table);
    name.last().is_some_and(|last| words::stem(last) == token.stem)
}

/// `tools that cost more than 100`, where tools have a fee a day and one a week, and no price.
fn which_amount(tokens: &[Token], schema: &Schema) -> Option<(String, String)> {
    let asks = tokens.iter().find(|token| is_costing(&token.word))?;
    if tokens.iter().any(|token| is_by_period(&token.word)) {
        return None;
    }
    let named = schema
        .tables
        .iter()
        .find(|table| !table.is_view && tokens.iter().any(|token| is_called(&table.name, token)))?;
    let amounts = named.columns.iter().filter(|column| {
        let name = words::identifier_words(&column.name);
        let is_amount = |word: &String| {
            matches!(
                word.as_str(),
                "price" | "cost" | "fee" | "charge" | "rate" | "rent" | "tariff"
            )
        };
        column.kind.is_numeric() && name.iter().any(is_amount)
    });
    let (of_period, once): (Vec<&str>, Vec<&str>) =
        amounts.map(|column| column.name.as_str()).partition(|name| {
            let name = words::identifier_words(name);
            name.iter().any(|word| is_by_period(word))
        });
    (once.is_empty() && of_period.len() > 1).then(|| {
        let why = format!("it may be {}", of_period.join(" or "));
        (asks.text.clone(), why)
    })
}
