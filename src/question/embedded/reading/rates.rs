//! Rates of states, in the words that the readings understand.

use super::{
    super::{lexicon::sayings, question::Token},
    rewording::{word, written},
};
use crate::question::schema::{Schema, words};

/// `how many percent` as what percentage.
pub(super) fn how_many_percent(mut tokens: Vec<Token>) -> Vec<Token> {
    let found = (0..tokens.len()).find(|&at| {
        let many = matches!(word(&tokens, at + 1), "many" | "much");
        word(&tokens, at) == "how" && many && matches!(word(&tokens, at + 2), "percent" | "%")
    });
    if let Some(at) = found {
        let what = written(&["what", "percentage"], &tokens[at]);
        tokens.splice(at..at + 3, what);
    }
    tokens
}

/// `how much of it is paid in cash, in percent`, `subscribers in percent by country` as the percentage of them.
pub(super) fn percentages(mut tokens: Vec<Token>) -> Vec<Token> {
    let percent = |at: usize| matches!(word(&tokens, at), "percent" | "percentage" | "%");
    let found = (0..tokens.len()).find(|&at| word(&tokens, at) == "in" && percent(at + 1));
    let Some(at) = found else { return tokens };
    if let Some(margin) = tokens[..at].iter().position(|token| token.word == "margin") {
        return margin_percent(tokens, margin, at);
    }
    let ends = matches!(word(&tokens, at + 2), "" | "by" | "per" | "for" | "of");
    let said_before = tokens[..at].iter().any(|token| {
        matches!(
            token.word.as_str(),
            "share" | "percentage" | "rate" | "ratio" | "growth"
        )
    });
    if !ends || said_before {
        return tokens;
    }
    let comma = usize::from(at > 0 && word(&tokens, at - 1) == ",");
    let mut rest = tokens.split_off(at - comma);
    rest.drain(..2 + comma);
    let much = tokens
        .windows(3)
        .position(|three| three[0].word == "how" && three[1].word == "much" && three[2].word == "of");
    let (from, to) = match much {
        Some(much) => (much, much + 3),
        None => (0, 0),
    };
    if tokens.is_empty() {
        return rest;
    }
    let of = written(&["percentage", "of"], &tokens[from]);
    tokens.splice(from..to, of);
    tokens.extend(rest);
    tokens
}

/// `margin of Garnet Mug in percent of the price` as its margin percent.
fn margin_percent(mut tokens: Vec<Token>, margin: usize, at: usize) -> Vec<Token> {
    let of = match (
        word(&tokens, at + 2),
        word(&tokens, at + 3),
        word(&tokens, at + 4),
    ) {
        ("of", "the" | "its" | "their" | "our", "price" | "prices" | "sales" | "revenue") => 3,
        ("of", "price" | "sales" | "revenue", _) => 2,
        _ => 0,
    };
    tokens.drain(at..at + 2 + of);
    let percent = written(&["percent"], &tokens[margin]);
    tokens.splice((margin + 1)..=margin, percent);
    tokens
}

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
    let mut share = written(&["share", "of", state], &tokens[at]);
    share[0].text = tokens[at].text.clone();
    tokens.splice(at - 1..=at + of + article, share);
    tokens
}

/// True where a share is asked for as a rate: one of what it is of, and none of a total over all groups.
pub(super) fn is_asked(tokens: &[Token], share: Option<(usize, bool)>) -> bool {
    share.is_some_and(|(at, _)| {
        let told = tokens.get(at).map(|token| token.text.to_lowercase());
        matches!(told.as_deref(), Some("rate" | "rates"))
    })
}
