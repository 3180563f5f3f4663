//! When: what is new, what is next, what is busiest.

use super::{
    super::{
        super::question::{Token, TokenKind},
        moments::month_of,
        money::amount_column,
        rewording::{is_number, said, word, written},
    },
    is_called, is_period, name_of, tells_when,
};
use crate::question::{
    schema::{Schema, Snapshot, words},
    semantic::{DatasetRole, SemanticModel},
};

/// `how much time` as how many hours, where they are kept.
pub(super) fn time_spent(mut tokens: Vec<Token>, schema: &Schema) -> Vec<Token> {
    let mut columns = schema.tables.iter().flat_map(|table| &table.columns);
    let keeps = columns.any(|column| {
        let mut name = words::identifier_words(&column.name).into_iter();
        name.any(|word| matches!(word.as_str(), "hours" | "hrs" | "minutes" | "mins"))
    });
    let found = (1..tokens.len()).find(|&at| {
        word(&tokens, at) == "time" && matches!(word(&tokens, at - 1), "much" | "most" | "least" | "total")
    });
    if let Some(at) = found.filter(|_| keeps) {
        tokens[at] = said("hours", &tokens[at]);
        if word(&tokens, at - 1) == "much" {
            tokens[at - 1] = said("many", &tokens[at - 1]);
        }
    }
    tokens
}

/// `the next hearing` as the first that is still to come.
pub(super) fn next_one(tokens: Vec<Token>) -> Vec<Token> {
    let is_noun = |at: usize| {
        tokens
            .get(at)
            .is_some_and(|token| token.kind == TokenKind::Word(None))
            && !is_period(word(&tokens, at).trim_end_matches('s'))
            && !matches!(
                word(&tokens, at),
                "few" | "couple" | "to" | "of" | "and" | "most" | "weekend"
            )
    };
    let found = (0..tokens.len()).find(|&at| {
        let led = at > 0
            && matches!(
                word(&tokens, at - 1),
                "the" | "our" | "my" | "'s" | "his" | "her" | "their"
            );
        word(&tokens, at) == "next" && (led || at == 0) && is_noun(at + 1)
    });
    let Some(at) = found else { return tokens };
    let mut written = tokens[..at].to_vec();
    written.extend(["earliest", "upcoming"].map(|word| said(word, &tokens[at])));
    written.extend_from_slice(&tokens[at + 1..]);
    written
}

/// What is no longer new: where values tell these apart, a thing is new in itself, and not since a day.
const NO_LONGER_NEW: [&str; 6] = [
    "used",
    "old",
    "second-hand",
    "refurbished",
    "existing",
    "returning",
];

/// `new clients this year`, `new leads per week` as those since then.
pub(super) fn new_ones(mut tokens: Vec<Token>, snapshot: &Snapshot, model: &SemanticModel) -> Vec<Token> {
    let schema = &snapshot.schema;
    let names_dated = |at: usize| {
        // `new enrolments` are no things: they say what was done.
        let deed = tokens[at].word.ends_with("ments") || tokens[at].word.ends_with("ions");
        let several = tokens[at].word.ends_with('s') && tokens[at].word.len() > 4 && !deed;
        let dated = (0..schema.tables.len())
            .any(|table| is_called(schema, table, &tokens[at]) && model.datasets[table].time.is_some());
        several || dated
    };
    let found =
        (0..tokens.len().saturating_sub(1)).find(|&at| word(&tokens, at) == "new" && names_dated(at + 1));
    let Some(at) = found else { return tokens };
    let mut kinds = snapshot.values.find(&["new".to_owned()]).into_iter();
    let in_itself = kinds.any(|hit| {
        let profile = snapshot.profile.column(hit.column);
        profile.is_some_and(|profile| {
            let mut values = profile.frequent.iter();
            values.any(|(value, _)| NO_LONGER_NEW.contains(&value.to_lowercase().as_str()))
        })
    });
    let timed = tokens[at + 2..].iter().any(tells_when) || tokens[..at].iter().any(tells_when);
    if timed && !in_itself {
        tokens.remove(at);
    }
    tokens
}

/// The main event: it has a time, and is no part of another that has one.
pub(super) fn main_event(schema: &Schema, model: &SemanticModel) -> Option<usize> {
    let events = (0..schema.tables.len()).filter(|&table| {
        !schema.tables[table].is_view
            && model.datasets[table].role == DatasetRole::Event
            && model.datasets[table].time.is_some()
    });
    let refers_to = |table: usize| {
        let mut keys = schema.foreign_keys.iter();
        keys.any(|key| {
            key.from[0].table == table
                && key.to[0].table != table
                && model.datasets[key.to[0].table].role == DatasetRole::Event
        })
    };
    let events: Vec<usize> = events.filter(|&table| !refers_to(table)).collect();
    // Of several the one that brings something in.
    let earns = |table: usize| amount_column(table, schema, model).is_some();
    let mut main = events.iter().filter(|&&event| events.len() == 1 || earns(event));
    let event = main.next()?;
    main.next().is_none().then_some(*event)
}

/// `December 2024 against December 2025`: how much happened in the one and in the other.
pub(super) fn periods_alone(tokens: Vec<Token>, schema: &Schema, model: &SemanticModel) -> Vec<Token> {
    let names_period = |token: &Token| {
        matches!(
            token.kind,
            TokenKind::Date(_) | TokenKind::Month(_) | TokenKind::Number(_)
        ) || month_of(&token.word).is_some()
    };
    let compares = |token: &Token| {
        matches!(
            token.word.as_str(),
            "versus" | "vs" | "against" | "compared" | "compare"
        )
    };
    let joins = |token: &Token| {
        compares(token)
            || matches!(token.kind, TokenKind::Mark(_))
            || matches!(
                token.word.as_str(),
                "with" | "to" | "and" | "in" | "the" | "of" | "this" | "last" | "q1" | "q2" | "q3" | "q4"
            )
            || is_period(&token.word)
    };
    let alone = tokens.iter().all(|token| names_period(token) || joins(token));
    let two = tokens
        .iter()
        .filter(|token| names_period(token) || is_period(&token.word))
        .count()
        > 1;
    let event = main_event(schema, model).filter(|_| alone && two && tokens.iter().any(compares));
    let Some(event) = event else { return tokens };
    let figures: &[&str] = match amount_column(event, schema, model) {
        Some(_) => &["number", "and", "total", "of"],
        None => &["number", "of"],
    };
    let mut asked = written(figures, &tokens[0]);
    asked.extend(name_of(schema, event, &tokens[0]));
    asked.push(said("in", &tokens[0]));
    asked.extend(tokens.into_iter().filter(|token| token.word != "compare"));
    // `compare A with B`
    if !asked.iter().any(compares)
        && let Some(with) = asked
            .iter()
            .rposition(|token| matches!(token.word.as_str(), "with" | "to" | "and"))
    {
        asked[with] = said("versus", &asked[with]);
    }
    asked
}

/// Verbs of trade, for which the event is called otherwise.
const TRADES: [&str; 8] = [
    "sell",
    "sold",
    "buy",
    "bought",
    "order",
    "ordered",
    "purchase",
    "purchased",
];

/// The event that a verb tells of.
fn event_of(verb: &Token, schema: &Schema, model: &SemanticModel) -> Option<usize> {
    let is_event = |table: &usize| {
        model.datasets[*table].role == DatasetRole::Event
            && model.datasets[*table].time.is_some()
            && !schema.tables[*table].is_view
    };
    let named = |stem: &str| {
        let noun = said(stem, verb);
        (0..schema.tables.len()).find(|table| is_event(table) && is_called(schema, *table, &noun))
    };
    let traded = || ["sale", "order", "purchase"].into_iter().find_map(named);
    named(&verb.word).or_else(|| TRADES.contains(&verb.word.as_str()).then(traded)?)
}

/// `last time we sold a Garnet Mug`, `when was it last sold` as when the last order of it was.
pub(super) fn last_time(tokens: Vec<Token>, schema: &Schema, model: &SemanticModel) -> Vec<Token> {
    let Some(last) = tokens.iter().position(|token| token.word == "last") else {
        return tokens;
    };
    let whoever = |at: usize| {
        matches!(
            word(&tokens, at),
            "we" | "you"
                | "they"
                | "anyone"
                | "anybody"
                | "somebody"
                | "someone"
                | "did"
                | "was"
                | "were"
                | "that"
                | "when"
        )
    };
    let verb = if word(&tokens, last + 1) == "time" {
        (last + 2..tokens.len()).find(|&at| event_of(&tokens[at], schema, model).is_some())
    } else {
        Some(last + 1)
            .filter(|_| word(&tokens, 0) == "when" && matches!(word(&tokens, 1), "was" | "were" | "did"))
    };
    let Some(verb) = verb.filter(|verb| *verb < tokens.len()) else {
        return tokens;
    };
    let Some(event) = event_of(&tokens[verb], schema, model) else {
        return tokens;
    };
    let is_time = word(&tokens, last + 1) == "time";
    let (subject, end) = if is_time { (last + 2, verb) } else { (2, last) };
    let named = |at: &usize| !whoever(*at);
    let by: Vec<Token> = (subject..end)
        .filter(named)
        .map(|at| tokens[at].clone())
        .collect();
    let passive = !is_time && matches!(word(&tokens, 1), "was" | "were");
    let past = matches!(word(&tokens, verb), "sold" | "bought") || word(&tokens, verb).ends_with("ed");
    // `when was the last order` says it already.
    if passive && !past {
        return tokens;
    }
    if !passive && !by.is_empty() {
        // `last time Ann Lee ordered`: it is hers.
        if !is_time {
            return tokens;
        }
        let mut asked = written(&["when", "did"], &tokens[0]);
        asked.extend(by);
        asked.push(said("last", &tokens[last]));
        asked.extend_from_slice(&tokens[verb..]);
        return asked;
    }
    let mut of = by;
    of.extend_from_slice(&tokens[verb + 1..]);
    let Some(time) = model.datasets[event]
        .time
        .filter(|_| of.iter().any(|token| token.capital))
    else {
        return tokens;
    };
    let column = words::identifier_words(&schema.tables[event].columns[time].name);
    let mut asked = written(&column, &tokens[0]);
    asked.extend(written(&["of", "the", "last"], &tokens[0]));
    asked.extend(name_of(schema, event, &tokens[0]));
    asked.push(said("of", &tokens[0]));
    asked.extend(of);
    asked
}

/// `how old are our customers on average` as their average age.
pub(super) fn average_age(tokens: Vec<Token>) -> Vec<Token> {
    let asks =
        word(&tokens, 0) == "how" && word(&tokens, 1) == "old" && matches!(word(&tokens, 2), "are" | "is");
    let average = tokens
        .windows(2)
        .position(|two| two[0].word == "on" && two[1].word == "average")
        .map(|at| at..at + 2)
        .or_else(|| {
            let at = tokens
                .iter()
                .position(|token| matches!(token.word.as_str(), "typically" | "usually"))?;
            Some(at..at + 1)
        });
    let (Some(average), true) = (average, asks) else {
        return tokens;
    };
    let mut asked = written(&["average", "age", "of"], &tokens[0]);
    asked.extend_from_slice(&tokens[3..average.start.max(3)]);
    asked.extend_from_slice(&tokens[average.end..]);
    asked
}

/// `have not ordered for six months` as in the last six months.
pub(super) fn not_for(mut tokens: Vec<Token>) -> Vec<Token> {
    let negated = |token: &Token| {
        matches!(token.word.as_str(), "not" | "no" | "never" | "without") || token.word.ends_with("n't")
    };
    let found = (1..tokens.len()).find(|&at| {
        let number = tokens.get(at + 1).is_some_and(is_number);
        let length = is_period(word(&tokens, at + 2).trim_end_matches('s'));
        let over = matches!(word(&tokens, at + 3), "" | "?" | "." | "now");
        matches!(word(&tokens, at), "for" | "in")
            && number
            && length
            && over
            && tokens[..at].iter().any(negated)
    });
    if let Some(at) = found {
        let last = written(&["in", "the", "last"], &tokens[at]);
        tokens.splice(at..=at, last);
    }
    tokens
}
