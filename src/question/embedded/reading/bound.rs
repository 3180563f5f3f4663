//! Which table's times a reading asks for, and which one a verb says that a period is of: `products sold in 2024` tells of sales.

use super::{
    super::question::{Token, TokenKind},
    Reading,
    money::trades,
    rewording::word,
    turns::told_by,
};
use crate::question::{
    analytic::AnalyticQuery,
    schema::{ColumnRef, Schema, Snapshot, words},
    semantic::{Attribute, Condition, DatasetRole, Formula, SemanticModel},
};

/// Leaves out readings of which the period is of another table's time than the verb before it says, where others keep to it.
pub(super) fn keep_bound(
    found: &mut Vec<Reading>,
    tokens: &[Token],
    snapshot: &Snapshot,
    model: &SemanticModel,
) {
    let schema = &snapshot.schema;
    let Some((verb, thing)) = verb_of_period(tokens, schema) else {
        return;
    };
    let own = |name: &str| {
        let name = words::identifier_words(name);
        name.iter()
            .any(|word| *word == tokens[verb].word || words::stem(word) == tokens[verb].stem)
    };
    if schema.tables[thing]
        .columns
        .iter()
        .any(|column| own(&column.name))
    {
        return;
    }
    let event = told_by(&tokens[verb], thing, schema, model);
    let is_thing = model.datasets[thing].role != DatasetRole::Event;
    let keeps = |reading: &Reading| {
        let times = times_of(&reading.query, schema);
        match event {
            Some(event) => !times.is_empty() && times.iter().all(|time| time.table == event),
            // What is bought and sold has a day of its own at most on which that could first be.
            None => !times.is_empty() && times.iter().all(|time| time.table != thing),
        }
    };
    let told = event.is_some() || is_thing && (sells(&tokens[verb].word) || meets(&tokens[verb].word));
    if told && found.iter().any(keeps) {
        found.retain(|reading| keeps(reading) || times_of(&reading.query, schema).is_empty());
    }
}

fn sells(word: &str) -> bool {
    trades(word) && (word.ends_with("ed") || matches!(word, "sold" | "bought"))
}

/// True for what somebody does again and again: when they were first known is another day.
fn meets(word: &str) -> bool {
    matches!(
        word,
        "seen" | "visited" | "came" | "treated" | "attended" | "served" | "examined"
    )
}

/// A verb right before a period, and the thing before it that it is said of.
fn verb_of_period(tokens: &[Token], schema: &Schema) -> Option<(usize, usize)> {
    (1..tokens.len()).find_map(|at| {
        let led = usize::from(matches!(
            word(tokens, at + 1),
            "in" | "on"
                | "during"
                | "since"
                | "before"
                | "after"
                | "until"
                | "between"
                | "from"
                | "to"
                | "by"
        ));
        let times = tokens.get(at + 1 + led).is_some_and(tells_when);
        let past = super::cues::is_past(word(tokens, at)) || meets(word(tokens, at));
        let thing = || {
            let mut before = tokens[..at].iter().rev();
            before.find_map(|noun| (0..schema.tables.len()).find(|&table| is_called(schema, table, noun)))
        };
        (times && past).then(thing).flatten().map(|thing| (at, thing))
    })
}

/// True for a word that begins an expression of time.
fn tells_when(token: &Token) -> bool {
    matches!(token.kind, TokenKind::Date(_) | TokenKind::Month(_))
        || matches!(&token.kind, TokenKind::Number(number) if number.len() == 4)
        || super::moments::month_of(&token.word).is_some()
        || matches!(
            token.word.as_str(),
            "last" | "this" | "yesterday" | "today" | "past" | "previous" | "q1" | "q2" | "q3" | "q4"
        )
}

pub(super) fn is_called(schema: &Schema, table: usize, noun: &Token) -> bool {
    let name = words::table_words(&schema.tables[table].name);
    name.last().is_some_and(|last| words::stem(last) == noun.stem)
}

/// The columns whose times must lie in a period.
pub(super) fn times_of(query: &AnalyticQuery, schema: &Schema) -> Vec<ColumnRef> {
    let mut found = Vec::new();
    match query {
        AnalyticQuery::List(list) => {
            for condition in &list.conditions {
                collect(&mut found, list.subject, condition, schema);
            }
        }
        AnalyticQuery::Summary(summary) => {
            for measure in &summary.measures {
                for formula in measure.formula.aggregates() {
                    let Formula::Rows {
                        table, conditions, ..
                    } = formula
                    else {
                        continue;
                    };
                    for condition in conditions {
                        collect(&mut found, *table, condition, schema);
                    }
                }
            }
        }
    }
    found
}

fn collect(found: &mut Vec<ColumnRef>, table: usize, condition: &Condition, schema: &Schema) {
    match condition {
        Condition::During(Attribute { way, column }, ..) => {
            let at = ColumnRef {
                table: way.end(table, schema),
                column: *column,
            };
            if !found.contains(&at) {
                found.push(at);
            }
        }
        Condition::Related { way, conditions, .. } => {
            let far = way.end(table, schema);
            for condition in conditions {
                collect(found, far, condition, schema);
            }
        }
        Condition::Not(inner) => collect(found, table, inner, schema),
        Condition::All(all) | Condition::Any(all) => {
            for condition in all {
                collect(found, table, condition, schema);
            }
        }
        _ => {}
    }
}

/// The tables whose rows a query tells of.
pub(super) fn tables_of(query: &AnalyticQuery) -> Vec<usize> {
    match query {
        AnalyticQuery::List(list) => vec![list.subject],
        AnalyticQuery::Summary(summary) => {
            let formulas = summary
                .measures
                .iter()
                .flat_map(|measure| measure.formula.aggregates());
            formulas.filter_map(Formula::table).collect()
        }
    }
}
