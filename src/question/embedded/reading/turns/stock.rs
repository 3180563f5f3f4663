//! What is in stock: how much of it is left, what it is worth, what is out and has to be ordered again.

use super::{
    super::{
        super::{
            lexicon::{Degree, lexicon},
            question::{Token, TokenKind},
        },
        rewording::{is_number, said, word, written},
    },
    has_word,
};
use crate::question::schema::{ColumnRef, ForeignKey, Schema, Snapshot, words};

/// The column that says how much of something is there.
fn stock(schema: &Schema) -> Option<ColumnRef> {
    let mut columns = schema.columns();
    let found = columns.find(|(at, column)| {
        let name = words::identifier_words(&column.name);
        let on_hand = name.windows(2).any(|two| two[0] == "on" && two[1] == "hand");
        (on_hand || has_word(&column.name, &["stock", "inventory"]))
            && column.kind.is_numeric()
            && !schema.tables[at.table].is_view
    });
    found.map(|(at, _)| at)
}

/// `how many Garnet Mugs are left` as how much of them is in stock.
pub(super) fn left(mut tokens: Vec<Token>, snapshot: &Snapshot) -> Vec<Token> {
    let schema = &snapshot.schema;
    let Some(stock) = stock(schema) else { return tokens };
    tokens = in_stock(tokens, stock, schema);
    let many = tokens
        .windows(2)
        .position(|two| two[0].word == "how" && two[1].word == "many");
    let Some(many) = many else { return tokens };
    let verb = (many + 3..tokens.len().min(many + 9)).find(|&at| {
        matches!(
            word(&tokens, at),
            "are" | "is" | "do" | "have" | "left" | "remain"
        )
    });
    let Some(verb) = verb else { return tokens };
    let remains = tokens[verb..].iter().all(|token| {
        matches!(
            token.word.as_str(),
            "are"
                | "is"
                | "do"
                | "we"
                | "have"
                | "got"
                | "left"
                | "remain"
                | "remaining"
                | "in"
                | "stock"
                | "there"
                | "still"
                | "on"
                | "hand"
                | "right"
                | "now"
                | "currently"
        )
    });
    let led = (many + 2..verb).find(|&at| !matches!(word(&tokens, at), "of" | "the" | "our" | "those"));
    let Some(led) = led.filter(|_| remains) else {
        return tokens;
    };
    let text: Vec<&str> = tokens[led..verb]
        .iter()
        .map(|token| token.text.as_str())
        .collect();
    let hits = snapshot.values.find(&words::text_words(&text.join(" ")));
    let of_stock = |table: usize| {
        let leads = |key: &ForeignKey| key.from[0].table == stock.table && key.to[0].table == table;
        table == stock.table || schema.foreign_keys.iter().any(leads)
    };
    if !hits.iter().any(|hit| of_stock(hit.column.table)) {
        return tokens;
    }
    let mut asked = written(&["what", "is", "the"], &tokens[many]);
    asked.extend(written(
        &words::identifier_words(&schema.column(stock).name),
        &tokens[many],
    ));
    asked.push(said("of", &tokens[many]));
    asked.extend_from_slice(&tokens[led..verb]);
    tokens.splice(many.., asked);
    tokens
}

/// `how many units do we have in stock` as the total of it.
fn in_stock(mut tokens: Vec<Token>, stock: ColumnRef, schema: &Schema) -> Vec<Token> {
    let many = word(&tokens, 0) == "how" && word(&tokens, 1) == "many";
    let units = matches!(word(&tokens, 2), "units" | "pieces" | "items");
    let end = (3..tokens.len()).find(|&at| matches!(word(&tokens, at), "stock" | "inventory" | "warehouse"));
    let Some(end) = end.filter(|_| many && units) else {
        return tokens;
    };
    let plain = |token: &Token| {
        matches!(
            token.word.as_str(),
            "are" | "do" | "we" | "have" | "there" | "in" | "the" | "our" | "of"
        )
    };
    if tokens[3..end].iter().all(plain) {
        let mut total = written(&["total"], &tokens[0]);
        total.extend(written(
            &words::identifier_words(&schema.column(stock).name),
            &tokens[0],
        ));
        tokens.splice(..=end, total);
    }
    tokens
}

/// `products that are in stock` as those in stock.
pub(super) fn that_are_in_stock(mut tokens: Vec<Token>) -> Vec<Token> {
    let found = (1..tokens.len().saturating_sub(3)).find(|&at| {
        matches!(word(&tokens, at), "that" | "which")
            && word(&tokens, at + 1) == "are"
            && matches!(word(&tokens, at + 2), "in" | "out")
            && tokens[at + 2..].iter().take(3).any(|token| token.word == "stock")
    });
    if let Some(at) = found {
        tokens.drain(at..at + 2);
    }
    tokens
}

/// `the cheapest product in stock` as the cheapest of which there is any: not the one of which there is least.
pub(super) fn first_in_stock(mut tokens: Vec<Token>, schema: &Schema) -> Vec<Token> {
    let Some(stock) = stock(schema) else { return tokens };
    let ranked = (0..tokens.len()).any(|at| {
        let (one, two) = (word(&tokens, at), word(&tokens, at + 1));
        let superlative = |phrase: &str| {
            let form = lexicon().adjective_form(phrase);
            form.is_some_and(|(_, degree)| degree == Degree::Superlative)
        };
        superlative(one) || superlative(&format!("{one} {two}"))
    });
    let found = (1..tokens.len()).find(|&at| {
        word(&tokens, at) == "in" && word(&tokens, at + 1) == "stock" && !is_number(&tokens[at - 1])
    });
    if let Some(at) = found.filter(|_| ranked) {
        let still = ["is", "are", "that", "which", "still", "currently", "we", "have"];
        let mut from = at;
        while from > 1 && still.contains(&word(&tokens, from - 1)) {
            from -= 1;
        }
        let mut with = written(&["with"], &tokens[at]);
        with.extend(written(
            &words::identifier_words(&schema.column(stock).name),
            &tokens[at],
        ));
        with.extend(written(&["above"], &tokens[at]));
        with.push(Token {
            kind: TokenKind::Number("0".to_owned()),
            ..said("0", &tokens[at])
        });
        tokens.splice(from..at + 2, with);
    }
    tokens
}

/// `of which we still have over 100`, `that we have fewer than 20 of` as with a stock of so many.
pub(super) fn kept(mut tokens: Vec<Token>, schema: &Schema) -> Vec<Token> {
    let Some(stock) = stock(schema) else { return tokens };
    let skips = |at: usize, words: &[&str]| at + usize::from(words.contains(&word(&tokens, at)));
    let found = (1..tokens.len()).find_map(|at| {
        let (of_which, we) = match (word(&tokens, at), word(&tokens, at + 1)) {
            ("of", "which") => (true, at + 2),
            ("that" | "which", _) => (false, at + 1),
            _ => (false, at),
        };
        let verb = skips(we + 1, &["still", "currently", "now", "only"]);
        let keeps = matches!(word(&tokens, verb), "have" | "hold" | "keep" | "stock");
        let number = (verb + 1..tokens.len().min(verb + 4)).find(|&at| is_number(&tokens[at]))?;
        let left = skips(number + 1, &["left"]);
        let closes = word(&tokens, left) == "of" && left + 1 == tokens.len();
        let end = match (of_which, closes) {
            (true, _) => left,
            (false, true) => left + 1,
            (false, false) => return None,
        };
        (word(&tokens, we) == "we" && keeps).then_some((at, verb, number, end))
    });
    if let Some((at, verb, number, end)) = found {
        tokens.drain(number + 1..end);
        let mut with = vec![said("with", &tokens[at])];
        with.extend(written(
            &words::identifier_words(&schema.column(stock).name),
            &tokens[at],
        ));
        tokens.splice(at..=verb, with);
    }
    tokens
}

/// `sold out`, `that we are out of` as out of stock, where it is known what is.
pub(super) fn sold_out(mut tokens: Vec<Token>, schema: &Schema) -> Vec<Token> {
    if stock(schema).is_none() {
        return tokens;
    }
    let found = (0..tokens.len()).find_map(|at| {
        let next = |by: usize| word(&tokens, at + by);
        let ends = |by: usize| matches!(next(by), "" | "?" | "." | "," | "but" | "and" | "now" | "right");
        match (next(0), next(1)) {
            ("sold", "out") if next(2) != "of" => Some((at, at + 2)),
            ("out", "of") if ends(2) && at > 0 => {
                let says = |word: &str| {
                    matches!(
                        word,
                        "we" | "are"
                            | "'re"
                            | "have"
                            | "ran"
                            | "run"
                            | "completely"
                            | "totally"
                            | "that"
                            | "which"
                            | "all"
                            | "fully"
                    )
                };
                let from = (0..at).rev().find(|&before| !says(word(&tokens, before)));
                Some((from.map_or(0, |before| before + 1), at + 2))
            }
            _ => None,
        }
    });
    if let Some((from, to)) = found {
        let led = from == 0 || matches!(word(&tokens, from - 1), "are" | "is" | "were" | "was");
        let that = if led { &[][..] } else { &["that", "are"] };
        let out = [that, &["out", "of", "stock"]].concat();
        let out = written(&out, &tokens[from]);
        tokens.splice(from..to, out);
    }
    tokens
}

/// Words of a question about all that is in stock; another word says of which part of it.
const OF_ALL_STOCK: [&str; 40] = [
    "what",
    "what's",
    "how",
    "much",
    "is",
    "'s",
    "are",
    "does",
    "do",
    "did",
    "the",
    "our",
    "we",
    "have",
    "all",
    "whole",
    "entire",
    "of",
    "in",
    "on",
    "at",
    "everything",
    "that",
    "total",
    "right",
    "now",
    "currently",
    "today",
    "stock",
    "inventory",
    "warehouse",
    "shelves",
    "storeroom",
    "stockroom",
    "worth",
    "value",
    "cost",
    "costs",
    "us",
    "goods",
];

/// `what is everything in the warehouse worth` as the value of what is in stock.
pub(super) fn worth(mut tokens: Vec<Token>, schema: &Schema) -> Vec<Token> {
    let valued = tokens
        .windows(2)
        .position(|two| two[0].word == "stock" && two[1].word == "value");
    // `stock value at purchase cost`: that is what it is reckoned at.
    if let Some(at) = valued
        .map(|value| value + 2)
        .filter(|&at| word(&tokens, at) == "at")
    {
        let prices = tokens[at + 1..]
            .iter()
            .take_while(|token| {
                matches!(
                    token.word.as_str(),
                    "purchase" | "cost" | "price" | "prices" | "costs" | "buying" | "our"
                )
            })
            .count();
        let mut columns = schema.columns();
        let kept = columns.any(|(_, column)| has_word(&column.name, &["cost", "purchase"]));
        if prices > 0 && kept {
            tokens.drain(at..=at + prices);
        }
    }
    let has = |wanted: &[&str]| tokens.iter().any(|token| wanted.contains(&token.word.as_str()));
    let here = has(&[
        "warehouse",
        "shelves",
        "storeroom",
        "stockroom",
        "stock",
        "inventory",
    ]);
    let named = tokens
        .windows(2)
        .any(|two| two[0].word == "stock" && two[1].word == "value");
    let asks =
        has(&["worth"]) || has(&["cost", "costs", "value"]) && has(&["all", "everything", "total", "whole"]);
    // `at purchase price`: that is what it is reckoned at.
    let at_cost = |at: usize| {
        matches!(word(&tokens, at), "purchase" | "cost" | "price" | "prices")
            && tokens[..at].iter().rev().take(3).any(|token| token.word == "at")
    };
    let of_all = (0..tokens.len()).all(|at| {
        let is_mark = matches!(tokens[at].kind, TokenKind::Mark(_));
        OF_ALL_STOCK.contains(&word(&tokens, at)) || is_mark || at_cost(at)
    });
    match tokens.first() {
        Some(first) if here && asks && of_all && !named && stock(schema).is_some() => {
            written(&["what", "is", "the", "stock", "value"], first)
        }
        _ => tokens,
    }
}

/// `what we need to reorder` as what there is less of than the level at which that is done.
pub(super) fn reordered(mut tokens: Vec<Token>, schema: &Schema) -> Vec<Token> {
    let mut columns = schema.tables.iter().flat_map(|table| &table.columns);
    let level = columns.find_map(|column| {
        let name = words::identifier_words(&column.name);
        name.iter()
            .any(|word| matches!(word.as_str(), "reorder" | "restock"))
            .then_some(name)
    });
    let Some(level) = level else { return tokens };
    let is_done = |word: &str| {
        matches!(
            word,
            "reorder" | "reordered" | "reordering" | "restock" | "restocked" | "restocking"
        )
    };
    let Some(at) = tokens.iter().position(|token| is_done(&token.word)) else {
        return tokens;
    };
    let begins = |word: &str| {
        matches!(
            word,
            "we" | "i"
                | "that"
                | "which"
                | "need"
                | "needs"
                | "have"
                | "has"
                | "do"
                | "does"
                | "must"
                | "should"
                | "to"
                | "be"
                | "ought"
        )
    };
    let from = (0..at)
        .rev()
        .find(|&at| !begins(word(&tokens, at)))
        .map_or(0, |before| before + 1);
    let needed = tokens[from..at]
        .iter()
        .any(|token| matches!(token.word.as_str(), "need" | "needs" | "have" | "must" | "should"));
    // `need to be reordered` behind what is asked for.
    if needed && from > 0 {
        let mut below = written(&["below", "their"], &tokens[at]);
        below.extend(written(&level, &tokens[at]));
        tokens.splice(from..=at, below);
    }
    tokens
}

/// `low on stock`, `running low` as those with the least of it first.
pub(super) fn low(mut tokens: Vec<Token>, schema: &Schema) -> Vec<Token> {
    let Some(stock) = stock(schema) else { return tokens };
    let found = (1..tokens.len()).find_map(|at| {
        let on = usize::from(matches!(word(&tokens, at + 1), "on" | "in"));
        let of_stock = matches!(word(&tokens, at + 1 + on), "stock" | "inventory");
        let runs = matches!(word(&tokens, at - 1), "running" | "run" | "getting");
        let end = at + 1 + if of_stock { on + 1 } else { 0 };
        let ends = matches!(
            word(&tokens, end),
            "" | "?" | "." | "at" | "right" | "now" | "soon"
        );
        (word(&tokens, at) == "low" && (of_stock || runs) && ends).then_some((at, end))
    });
    let Some((at, end)) = found else { return tokens };
    let leads = |word: &str| {
        matches!(
            word,
            "are" | "is" | "running" | "getting" | "run" | "that" | "which" | "we" | "very" | "do"
        )
    };
    let from = (1..at)
        .rev()
        .take_while(|&before| leads(word(&tokens, before)))
        .last()
        .unwrap_or(at);
    let mut least = written(&["by", "lowest"], &tokens[at]);
    least.extend(written(
        &words::identifier_words(&schema.column(stock).name),
        &tokens[at],
    ));
    least.push(said("first", &tokens[at]));
    tokens.splice(from..end, least);
    if matches!(word(&tokens, 0), "which" | "what") {
        tokens.remove(0);
    }
    tokens
}
