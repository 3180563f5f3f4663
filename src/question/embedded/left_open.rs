//! What a question leaves open, so that any answer would be a guess: of what it wants everything, which of several amounts it
//! means by what something costs, and which of two references to one table.

use super::{framing, question::Token};
use crate::question::schema::{ColumnRef, Schema, words};

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

/// What two references to one table are called that are two sides of the same: whoever speaks of one of them says so.
const SIDES: &[(&str, &str)] = &[
    ("home", "away"),
    ("host", "guest"),
    ("host", "visitor"),
    ("local", "visitor"),
    ("from", "to"),
    ("source", "target"),
    ("source", "destination"),
    ("origin", "destination"),
    ("departure", "arrival"),
    ("sender", "receiver"),
    ("sender", "recipient"),
    ("winner", "loser"),
    ("first", "second"),
    ("1", "2"),
    ("a", "b"),
];

/// Of two references of a table to another, which SQL (in lower case) takes one of though the question has no word of either:
/// `fixtures per club`, where a fixture has a home club and an away club.
pub(super) fn which_reference(question: &str, sql: &str, schema: &Schema) -> Option<String> {
    let asked: Vec<String> = framing::words(question)
        .iter()
        .map(|word| words::stem(word))
        .collect();
    let sql: Vec<&str> = sql
        .split(|sign: char| !sign.is_alphanumeric() && sign != '_')
        .collect();
    let keys: Vec<(ColumnRef, usize)> = schema
        .foreign_keys
        .iter()
        .filter(|key| key.from.len() == 1 && key.from[0].table != key.to[0].table)
        .map(|key| (key.from[0], key.to[0].table))
        .collect();
    // What tells the reference from others to the same table.
    let own_words = |(at, target): (ColumnRef, usize)| -> Vec<String> {
        let of_table = words::table_words(&schema.tables[target].name);
        let of_table: Vec<String> = of_table.iter().map(|word| words::stem(word)).collect();
        let mut name = words::identifier_words(&schema.column(at).name);
        name.retain(|word| {
            !of_table.contains(&words::stem(word))
                && !matches!(word.as_str(), "id" | "no" | "code" | "key" | "number")
        });
        name
    };
    let are_sides = |one: (ColumnRef, usize), other: (ColumnRef, usize)| {
        let (one, other) = (own_words(one), own_words(other));
        let has = |words: &[String], side: &str| words.iter().any(|word| word == side);
        SIDES
            .iter()
            .any(|(this, that)| has(&one, this) && has(&other, that) || has(&one, that) && has(&other, this))
    };
    let is_in = |(at, _): (ColumnRef, usize)| {
        let column = schema.column(at).name.to_lowercase();
        sql.contains(&column.as_str())
    };
    let is_said = |key: (ColumnRef, usize)| {
        own_words(key)
            .iter()
            .any(|word| asked.contains(&words::stem(word)))
    };
    let pairs = || {
        keys.iter().flat_map(|&one| {
            let rivals = keys
                .iter()
                .filter(move |key| key.0.table == one.0.table && key.1 == one.1);
            rivals.map(move |&rival| (one, rival))
        })
    };
    let open = pairs().find(|&(one, rival)| {
        let one_of_them = is_in(one) && !is_in(rival) && !is_said(one) && !is_said(rival);
        one_of_them && are_sides(one, rival)
    });
    // `players transferred to Lund`, which is none of the present club.
    let is_way = asked
        .iter()
        .any(|word| matches!(word.as_str(), "from" | "to" | "into"));
    let used = |table: usize| sql.contains(&schema.tables[table].name.to_lowercase().as_str());
    let passed_over = || {
        pairs().find(|&(one, rival)| {
            let is_from = own_words(one).iter().any(|word| word == "from");
            let unused = !is_in(one) && !is_in(rival) && used(one.0.table) && used(one.1);
            is_way && is_from && are_sides(one, rival) && unused
        })
    };
    // `lessons per teacher`, where only who stands in for one is referred to.
    let stands_in = |key: (ColumnRef, usize)| {
        let stands_in = [
            "substitute",
            "deputy",
            "backup",
            "previous",
            "former",
            "alternate",
            "emergency",
        ];
        own_words(key)
            .iter()
            .any(|word| stands_in.contains(&word.as_str()))
            && !is_said(key)
    };
    let alone = |key: (ColumnRef, usize)| {
        let mut rivals = keys
            .iter()
            .filter(|rival| rival.0 != key.0 && rival.0.table == key.0.table && rival.1 == key.1);
        is_in(key) && !rivals.any(|rival| is_in(*rival))
    };
    if let Some((at, _)) = keys.iter().find(|key| alone(**key) && stands_in(**key)) {
        return Some(schema.column(*at).name.clone());
    }
    let (one, other) = open.or_else(passed_over)?;
    let name = |(at, _): (ColumnRef, usize)| &schema.column(at).name;
    Some(format!("{} or {}", name(one), name(other)))
}
