//! What costs nothing: `free of charge`, `free concerts`, `events that cost nothing`.

use super::{
    super::{
        super::question::{Token, TokenKind},
        rewording::{said, word, written},
    },
    called, has_word,
};
use crate::question::schema::{ColumnRef, Snapshot, words};

/// What prices are called, the surest first.
const PRICES: &[&str] = &["price", "fee", "charge", "cost", "fare", "rate", "tariff"];
/// Things that are free where nobody has taken them.
const TAKEN: &[&str] = &[
    "room",
    "table",
    "seat",
    "slot",
    "spot",
    "place",
    "desk",
    "space",
    "bed",
    "car",
    "bike",
    "vehicle",
    "van",
    "tool",
    "court",
    "appointment",
    "unit",
    "apartment",
    "flat",
    "house",
    "locker",
    "copy",
    "hall",
    "berth",
    "pitch",
    "stall",
    "line",
    "staff",
];

/// Words for something that costs nothing.
struct Free {
    begin: usize,
    end: usize,
    /// They say so for sure: what is `free` may also be there for whoever wants it.
    sure: bool,
    /// What is so, where the noun stands behind.
    noun: Option<usize>,
}

/// The question with a price of nothing in their place.
pub(super) fn free(mut tokens: Vec<Token>, snapshot: &Snapshot) -> Vec<Token> {
    let schema = &snapshot.schema;
    let Some(free) = (0..tokens.len()).find_map(|at| cost_nothing(&tokens, at)) else {
        return tokens;
    };
    // `without a charge`, where charges are what each has some of.
    if tokens[free.begin..free.end]
        .iter()
        .any(|token| called(schema, token).is_some())
    {
        return tokens;
    }
    let noun = match free.noun {
        Some(noun) => tokens.get(noun).filter(|noun| called(schema, noun).is_some()),
        None => tokens[..free.begin]
            .iter()
            .rev()
            .find(|token| called(schema, token).is_some()),
    };
    let table = noun.and_then(|noun| called(schema, noun));
    let Some(price) = price_of(table, snapshot, free.sure) else {
        return tokens;
    };
    let taken = noun.is_some_and(|noun| TAKEN.iter().any(|taken| words::stem(taken) == noun.stem));
    let lowest = snapshot.profile.column(price).and_then(|profile| profile.lowest);
    let has_none = snapshot
        .profile
        .column(price)
        .is_some_and(|profile| profile.nulls > 0);
    let never_nothing = lowest.is_some_and(|lowest| lowest > 0.0);
    let own_word = schema
        .columns()
        .any(|(_, column)| has_word(&column.name, &["free"]));
    if !free.sure && (taken || own_word || never_nothing && !has_none) {
        return tokens;
    }
    let instead = tokens[free.begin].clone();
    let name = words::identifier_words(&schema.column(price).name);
    let mut told = Vec::new();
    // Where nothing has a price of nothing, what has none is free.
    if never_nothing && has_none {
        told.extend(written(&["without"], &instead));
        told.extend(written(&name, &instead));
    } else {
        told.extend(written(&["with"], &instead));
        told.extend(written(&name, &instead));
        told.push(Token {
            kind: TokenKind::Mark('='),
            ..said("=", &instead)
        });
        told.push(Token {
            kind: TokenKind::Number("0".to_owned()),
            ..said("0", &instead)
        });
    }
    match free.noun {
        Some(noun) => {
            let behind = noun + 1;
            tokens.splice(behind..behind, told);
            tokens.drain(free.begin..free.end);
        }
        None => {
            tokens.splice(free.begin..free.end, told);
        }
    }
    tokens
}

/// Whether something is said to cost nothing from a place on.
fn cost_nothing(tokens: &[Token], at: usize) -> Option<Free> {
    let word = |at: usize| word(tokens, at);
    let linked = |begin: usize| {
        let links = |at: &usize| {
            matches!(
                word(*at),
                "that"
                    | "which"
                    | "are"
                    | "is"
                    | "was"
                    | "were"
                    | "do"
                    | "does"
                    | "did"
                    | "completely"
                    | "totally"
                    | "entirely"
                    | "absolutely"
                    | "really"
            )
        };
        (1..begin).rev().take_while(links).last().unwrap_or(begin)
    };
    let sure = |end: usize| {
        Some(Free {
            begin: linked(at),
            end,
            sure: true,
            noun: None,
        })
    };
    let costs = |word: &str| matches!(word, "cost" | "costs" | "costing" | "charge" | "charges");
    let us = usize::from(matches!(word(at + 1), "us" | "you" | "me" | "them"));
    // `that cost nothing to rent`
    let purpose = |end: usize| {
        let verb = tokens
            .get(end + 1)
            .is_some_and(|token| matches!(token.kind, TokenKind::Word(_)));
        end + if word(end) == "to" && verb { 2 } else { 0 }
    };
    let admission = |at: usize| {
        matches!(
            word(at),
            "entry"
                | "entrance"
                | "admission"
                | "access"
                | "participation"
                | "charge"
                | "fee"
                | "cost"
                | "price"
        )
    };
    match (word(at), word(at + 1), word(at + 2)) {
        ("free", "of", "charge" | "cost") | ("at", "no", "cost" | "charge") => sure(at + 3),
        ("for", "free", _) | ("without", "cost" | "charge", _) => sure(at + 2),
        ("for", "nothing", _) if at > 0 => sure(at + 2),
        ("without" | "with", "a" | "any" | "no", "cost" | "charge")
            if word(at) == "without" || word(at + 1) == "no" =>
        {
            sure(at + 3)
        }
        (verb, ..) if costs(verb) && at > 0 && word(at + 1 + us) == "nothing" => sure(purpose(at + 2 + us)),
        (verb, "anything", _) if costs(verb) && denies(tokens, at) => {
            let begin = linked(at - 1);
            sure(at + 2).map(|free| Free { begin, ..free })
        }
        ("free", ..)
            if admission(at + 1)
                && matches!(
                    before(tokens, at),
                    "with" | "have" | "has" | "offer" | "offers" | "having"
                ) =>
        {
            sure(at + 2).map(|free| Free {
                begin: linked(at - 1),
                ..free
            })
        }
        ("no", ..)
            if word(at + 1) == "entry" || word(at + 1) == "entrance" || word(at + 1) == "admission" =>
        {
            let fee = usize::from(admission(at + 2));
            let with = usize::from(matches!(before(tokens, at), "with" | "have" | "has" | "charge"));
            (fee > 0).then(|| Free {
                begin: linked(at - with),
                end: at + 2 + fee,
                sure: true,
                noun: None,
            })
        }
        ("without", "entry" | "entrance" | "admission", _) if admission(at + 2) => sure(at + 3),
        ("without", "a" | "an" | "any", "entry" | "entrance" | "admission") if admission(at + 3) => {
            sure(at + 4)
        }
        ("free", ..) => {
            let stops = tokens
                .get(at + 1)
                .is_none_or(|token| matches!(token.kind, TokenKind::Mark(_)));
            let placed = matches!(word(at + 1), "in" | "at" | "this" | "and" | "per");
            let is = linked(at) < at;
            if is && (stops || placed) {
                return sure(at + 1).map(|free| Free { sure: false, ..free });
            }
            let noun = tokens
                .get(at + 1)
                .is_some_and(|token| matches!(token.kind, TokenKind::Word(_)));
            (noun && !is).then(|| Free {
                begin: at,
                end: at + 1,
                sure: false,
                noun: Some(at + 1),
            })
        }
        _ => None,
    }
}

fn before(tokens: &[Token], at: usize) -> &str {
    at.checked_sub(1).map_or("", |before| word(tokens, before))
}

/// True for a verb that is denied.
fn denies(tokens: &[Token], at: usize) -> bool {
    let word = before(tokens, at);
    word == "not" || word.ends_with("n't") || matches!(word, "dont" | "doesnt")
}

/// The column with the price of what a table lists, or where that is said for sure the only one that there is.
fn price_of(table: Option<usize>, snapshot: &Snapshot, sure: bool) -> Option<ColumnRef> {
    let schema = &snapshot.schema;
    let prices = |table: usize| {
        let columns = schema.tables[table].columns.iter().enumerate();
        let found = columns.filter_map(move |(column, described)| {
            let name = words::identifier_words(&described.name);
            let place = PRICES
                .iter()
                .position(|price| name.iter().any(|word| word == price))?;
            described
                .kind
                .is_numeric()
                .then_some((place, ColumnRef { table, column }))
        });
        found.min_by_key(|(place, _)| *place).map(|(_, at)| at)
    };
    if let Some(own) = table.and_then(prices) {
        return Some(own);
    }
    let all = (0..schema.tables.len()).filter(|&table| !schema.tables[table].is_view);
    let mut all = all.filter_map(prices);
    let only = all.next().filter(|_| sure && table.is_none())?;
    all.next().is_none().then_some(only)
}
