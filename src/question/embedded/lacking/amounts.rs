//! Differences of amounts, and what is owed or paid, of which SQL has to have something.

use super::{is_extreme, joined, word};

/// `payments minus refunds`, `net of refunds`: one is taken from the other.
pub(super) fn subtraction(asked: &[String], sql: &str) -> Option<String> {
    let word = |at: usize| word(asked, at);
    let at = (0..asked.len()).find(|&at| match (word(at), word(at + 1)) {
        // Five degrees below zero.
        ("minus", next) => at > 0 && !next.starts_with(|digit: char| digit.is_ascii_digit()),
        ("net", "of") => !sql.contains("net"),
        ("after", "deducting" | "subtracting") | ("subtracting" | "deducting", _) => true,
        ("after", "refunds" | "returns" | "discounts" | "deductions" | "costs" | "expenses" | "fees") => {
            asked
                .iter()
                .any(|word| matches!(&**word, "total" | "sum" | "revenue" | "amount" | "profit"))
        }
        _ => false,
    })?;
    (!sql.contains(" - ")).then(|| joined(asked, at, 2))
}

/// `the difference between the highest and the lowest price`, `price range`: how far they are apart.
pub(super) fn between_extremes(asked: &[String], sql: &str) -> Option<String> {
    if sql.contains(" - ") || sql.contains("range") {
        return None;
    }
    let extremes = (0..asked.len())
        .filter(|&at| is_extreme(asked, at) || matches!(&*asked[at], "maximum" | "minimum" | "max" | "min"));
    let several = extremes.count() > 1;
    let apart = asked
        .iter()
        .position(|word| matches!(&**word, "difference" | "gap" | "spread"));
    if let Some(at) = apart.filter(|_| several) {
        return Some(joined(asked, at, 1));
    }
    let measured = |word: &str| {
        matches!(
            word.trim_end_matches('s'),
            "price" | "salary" | "salarie" | "age" | "fee" | "rate" | "cost" | "weight" | "value" | "amount"
        )
    };
    let range = asked.iter().position(|word| word == "range")?;
    let word = |at: usize| word(asked, at);
    let named = range > 0 && measured(word(range - 1))
        || word(range + 1) == "of" && (measured(word(range + 2)) || measured(word(range + 3)));
    let both_told = sql.contains("max(") && sql.contains("min(");
    (named && !both_told).then(|| joined(asked, range, 1))
}

/// `who owe nothing`: nothing but amounts and what was paid of them tells of it.
pub(super) fn debt(asked: &[String], sql: &str) -> Option<String> {
    let found = asked
        .iter()
        .find(|word| matches!(word.as_str(), "owe" | "owes" | "owed" | "owing" | "indebted"))?;
    let told = [
        "owe",
        "paid",
        "pay",
        "due",
        "balance",
        "debt",
        "outstanding",
        "amount",
        "fine",
        "invoice",
        "bill",
        "open",
        "arrear",
        "credit",
    ];
    (!told.iter().any(|told| sql.contains(told))).then(|| found.clone())
}

/// `who have never paid`: nothing but payments and bills tells of it.
pub(super) fn payment(asked: &[String], sql: &str) -> Option<String> {
    let word = |at: usize| word(asked, at);
    let at = (0..asked.len()).find(|&at| {
        word(at) == "never"
            && matches!(word(at + 1), "paid" | "pay")
            && !matches!(word(at + 2), "by" | "with" | "in" | "for")
    })?;
    let told = [
        "pay",
        "paid",
        "pmt",
        "pymt",
        "pd_",
        "invoice",
        "bill",
        "receipt",
        "transaction",
        "settled",
    ];
    (!told.iter().any(|told| sql.contains(told))).then(|| joined(asked, at, 2))
}
