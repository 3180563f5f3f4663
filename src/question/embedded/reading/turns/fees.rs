//! What is paid per month or year, where a column keeps just that, and what was paid of something in all.

use super::{
    super::{
        super::question::{Token, TokenKind},
        cues::is_past,
        money::amount_column,
        rewording::{said, word, written},
    },
    called, has_word, tells_when,
};
use crate::question::{
    schema::{ColumnRef, Schema, words},
    semantic::SemanticModel,
};

/// `how much in fines was paid`, `how much was paid in fines` as the total amount of fines that are so: no fine is listed.
pub(super) fn how_much_of(mut tokens: Vec<Token>, schema: &Schema, model: &SemanticModel) -> Vec<Token> {
    let is = |word: &str| matches!(word, "was" | "were" | "is" | "are");
    let how = tokens
        .windows(2)
        .position(|two| two[0].word == "how" && two[1].word == "much");
    let Some(from) = how else { return tokens };
    let next = |by: usize| word(&tokens, from + by);
    let been = |by: usize| 1 + usize::from(matches!(next(by), "has" | "have") && next(by + 1) == "been");
    let has = |by: usize| is(next(by)) || matches!(next(by), "has" | "have") && next(by + 1) == "been";
    // The noun, the verb, and where the words end.
    let found = if next(2) == "in" && has(4) {
        let verb = 4 + been(4);
        Some((from + 3, from + verb, from + verb + 1))
    } else if has(2) && next(2 + been(2) + 1) == "in" {
        let verb = 2 + been(2);
        Some((from + verb + 2, from + verb, from + verb + 3))
    } else if has(3) {
        let verb = 3 + been(3);
        Some((from + 2, from + verb, from + verb + 1))
    } else {
        None
    };
    let Some((noun, verb, end)) = found else {
        return tokens;
    };
    let thing = tokens.get(noun).filter(|noun| noun.word.ends_with('s'));
    let amount = thing
        .and_then(|noun| called(schema, noun))
        .and_then(|table| amount_column(table, schema, model).or_else(|| only_amount(table, schema, model)));
    let Some(amount) = amount.filter(|_| is_past(word(&tokens, verb))) else {
        return tokens;
    };
    let (noun, verb) = (tokens[noun].clone(), tokens[verb].clone());
    let mut asked = written(&["total"], &noun);
    asked.extend(written(&amount, &noun));
    asked.push(said("of", &noun));
    asked.push(noun.clone());
    asked.extend(written(&["that", "are"], &noun));
    asked.push(verb);
    tokens.splice(from..end, asked);
    tokens
}

/// The words of the one column of a table that says what a row comes to.
fn only_amount(table: usize, schema: &Schema, model: &SemanticModel) -> Option<Vec<String>> {
    let columns = schema.tables[table].columns.iter().enumerate();
    let mut amounts = columns.filter(|(column, described)| {
        let at = ColumnRef {
            table,
            column: *column,
        };
        let says = has_word(
            &described.name,
            &["amount", "total", "sum", "fee", "price", "cost", "value"],
        );
        says && model.field(at).role.is_measure()
    });
    let (_, only) = amounts.next()?;
    amounts
        .next()
        .is_none()
        .then(|| words::identifier_words(&only.name))
}

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

/// `what they cost per unit` as their unit cost, where a column is called so.
pub(super) fn per_unit(mut tokens: Vec<Token>, schema: &Schema) -> Vec<Token> {
    let kept = |figure: &Token, unit: &Token| {
        let mut columns = schema.tables.iter().flat_map(|table| &table.columns);
        columns.any(|column| {
            let name = words::identifier_words(&column.name);
            let has = |token: &Token| name.iter().any(|word| words::stem(word) == token.stem);
            name.len() == 2 && has(figure) && has(unit)
        })
    };
    let found = (1..tokens.len().saturating_sub(1)).find(|&at| {
        word(&tokens, at) == "per"
            && matches!(tokens[at + 1].kind, TokenKind::Word(_))
            && kept(&tokens[at - 1], &tokens[at + 1])
    });
    if let Some(at) = found {
        tokens.remove(at);
        tokens.swap(at - 1, at);
    }
    tokens
}

/// `average price per word` as what all cost by how many words they have, where rows keep how many.
pub(super) fn per_counted(mut tokens: Vec<Token>, schema: &Schema) -> Vec<Token> {
    let counted = |at: usize| {
        let (figure, noun) = (&tokens[at - 1], tokens.get(at + 1)?);
        let stems = |name: &str| -> Vec<String> {
            let name = words::identifier_words(name);
            name.iter().map(|word| words::stem(word)).collect()
        };
        schema
            .tables
            .iter()
            .filter(|table| !table.is_view)
            .find_map(|table| {
                let numbers = || table.columns.iter().filter(|column| column.kind.is_numeric());
                let has_figure = numbers().any(|column| stems(&column.name).contains(&figure.stem));
                let number = numbers().find(|column| {
                    let name = stems(&column.name);
                    let counts = has_word(&column.name, &["count", "num", "number", "quantity", "qty"]);
                    name.len() == 2 && counts && name.contains(&noun.stem)
                })?;
                has_figure.then(|| words::identifier_words(&number.name))
            })
    };
    let found = (1..tokens.len()).find_map(|at| {
        let per = matches!(word(&tokens, at), "per");
        Some((at, counted(at).filter(|_| per)?))
    });
    if let Some((at, number)) = found {
        let led = at > 1 && matches!(word(&tokens, at - 2), "average" | "avg" | "mean" | "total");
        let here = &tokens[at];
        let mut asked = written(&["total"], here);
        asked.push(tokens[at - 1].clone());
        asked.extend(written(&["divided", "by", "total"], here));
        asked.extend(written(&number, here));
        tokens.splice(at - 1 - usize::from(led)..at + 2, asked);
    }
    tokens
}
