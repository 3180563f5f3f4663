//! What happened to things, where a verb says so and another table tells of it: `guests who have never paid`, `rooms inspected in
//! May`.

use super::{
    super::{
        super::{
            question::{Token, TokenKind},
            value_words::KINDS,
        },
        cues::is_past,
        money::trades,
        rewording::{said, word},
    },
    called, name_of,
};
use crate::question::{
    lexicon::lemmas,
    schema::{ColumnKind, Schema, Snapshot, words},
    semantic::{DatasetRole, SemanticModel},
};

/// Tables off the thing that something happened to, at most.
const FURTHEST: usize = 2;

/// `guests who have never paid` as those without payments.
pub(super) fn never(mut tokens: Vec<Token>, schema: &Schema, model: &SemanticModel) -> Vec<Token> {
    let found = (1..tokens.len()).find_map(|at| {
        let never = matches!(word(&tokens, at), "never" | "not") || word(&tokens, at).ends_with("n't");
        let verb = at + 1 + usize::from(matches!(word(&tokens, at + 1), "been" | "ever" | "yet"));
        let over = matches!(
            word(&tokens, verb + 1),
            "" | "?" | "." | "yet" | "anything" | "so" | "at" | "in" | "since"
        );
        let thing = tokens[..at].iter().rev().find_map(|noun| called(schema, noun))?;
        let event = told_by(tokens.get(verb)?, thing, schema, model).filter(|_| never && over)?;
        Some((at, verb, event))
    });
    let Some((at, verb, event)) = found else {
        return tokens;
    };
    let leads = |word: &str| {
        matches!(
            word,
            "who" | "that" | "which" | "have" | "has" | "had" | "were" | "was" | "did" | "are"
        )
    };
    let mut from = at;
    while from > 1 && leads(word(&tokens, from - 1)) {
        from -= 1;
    }
    let adds_nothing = |word: &str| matches!(word, "yet" | "anything" | "so" | "far" | "at" | "all");
    let end = (verb + 1..tokens.len())
        .find(|&at| !adds_nothing(word(&tokens, at)))
        .unwrap_or(tokens.len());
    let mut asked = vec![said("without", &tokens[at])];
    asked.extend(name_of(schema, event, &tokens[at]));
    tokens.splice(from..end, asked);
    tokens
}

/// `how many hearings did we win` as those won, where that is what became of some of them.
pub(super) fn irregular(mut tokens: Vec<Token>, snapshot: &Snapshot) -> Vec<Token> {
    let found = (0..tokens.len()).find_map(|does| {
        let asks = matches!(word(&tokens, does), "did" | "do" | "does");
        let verbs = (does + 2..tokens.len().min(does + 5)).filter(|_| asks);
        let things = tokens[..does]
            .iter()
            .filter_map(|noun| called(&snapshot.schema, noun));
        let things: Vec<usize> = things.collect();
        verbs
            .filter(|&verb| tokens[verb].kind == TokenKind::Word(None))
            .find_map(|verb| Some((verb, became(&tokens[verb], &things, snapshot)?)))
    });
    if let Some((verb, state)) = found {
        tokens[verb] = said(&state, &tokens[verb]);
    }
    tokens
}

/// The stored kind of things that is an irregular form of a verb.
fn became(verb: &Token, things: &[usize], snapshot: &Snapshot) -> Option<String> {
    let kinds = snapshot.schema.columns().filter(|(at, column)| {
        things.contains(&at.table)
            && column.kind == ColumnKind::Text
            && snapshot.values.distinct_of(*at) <= KINDS
    });
    let mut values = kinds.flat_map(|(at, _)| snapshot.values.values_of(at));
    let is_form =
        |value: &str| words::stem(value) != verb.stem && lemmas(value).any(|lemma| lemma == verb.word);
    values.find_map(|value| Some(value.to_lowercase()).filter(|value| is_form(value)))
}

/// `payments above 100 paid by card`: what is said of a payment is how it was made, and no amount.
pub(super) fn paid_by(mut tokens: Vec<Token>, schema: &Schema) -> Vec<Token> {
    let is_payment = |noun: &Token| {
        called(schema, noun).is_some_and(|table| {
            let name = words::table_words(&schema.tables[table].name);
            name.last().is_some_and(|last| words::stem(last) == "payment")
        })
    };
    let found = (1..tokens.len()).find(|&at| {
        let how = matches!(word(&tokens, at + 1), "by" | "with" | "via" | "through" | "in");
        matches!(word(&tokens, at), "paid" | "settled") && how && tokens[..at].iter().any(is_payment)
    });
    if let Some(at) = found.filter(|at| !tokens.get(at + 2).is_some_and(super::tells_when)) {
        tokens[at] = said("made", &tokens[at]);
    }
    tokens
}

/// The table of what a past verb says happened to a thing: the one near it whose time is called by that verb.
pub(in super::super) fn told_by(
    verb: &Token,
    thing: usize,
    schema: &Schema,
    model: &SemanticModel,
) -> Option<usize> {
    if !matches!(verb.kind, TokenKind::Word(None)) || !is_past(&verb.word) {
        return None;
    }
    let says = |name: &str| {
        let name = words::identifier_words(name);
        name.first()
            .is_some_and(|first| *first == verb.word || words::stem(first) == verb.stem)
    };
    let has_own = schema.tables[thing]
        .columns
        .iter()
        .any(|column| says(&column.name));
    if has_own {
        return None;
    }
    let mut events = near(thing, schema).into_iter().filter(|&table| {
        let time = model.datasets[table]
            .time
            .map(|time| &schema.tables[table].columns[time].name);
        model.datasets[table].role == DatasetRole::Event && time.is_some_and(|time| says(time))
    });
    let only = events.next();
    let only = only.filter(|_| events.next().is_none());
    if only.is_some() || !trades(&verb.word) {
        return only;
    }
    // `never bought anything`, where sales are all that tells of it.
    let mut deals = near(thing, schema).into_iter().filter(|&table| {
        let name = words::table_words(&schema.tables[table].name);
        let deal = name
            .last()
            .is_some_and(|last| matches!(words::stem(last).as_str(), "sale" | "order" | "purchas"));
        deal && model.datasets[table].role == DatasetRole::Event
    });
    let only = deals.next()?;
    deals.next().is_none().then_some(only)
}

/// Tables whose rows refer to a thing, over others or not.
fn near(thing: usize, schema: &Schema) -> Vec<usize> {
    let mut found = vec![thing];
    for _ in 0..FURTHEST {
        let referring: Vec<usize> = schema
            .foreign_keys
            .iter()
            .filter(|key| found.contains(&key.to[0].table) && !schema.tables[key.from[0].table].is_view)
            .map(|key| key.from[0].table)
            .collect();
        for table in referring {
            if !found.contains(&table) {
                found.push(table);
            }
        }
    }
    found.remove(0);
    found
}
