//! The intent read off the items and clauses that the embedded agents make of a question.

use std::sync::Arc;

use jiff::civil::Date;

use super::{Bound, Compared, Intent, Link, Named, Number, Rank, Shown};
use crate::question::{
    embedded::{
        Linked,
        clauses::{self, Target},
        lexicon::{Degree, Operator, lexicon},
        link,
        logical::{Function, Operand},
        question::{Token, TokenKind},
        resolve::{Item, ItemKind},
    },
    schema::Snapshot,
};

/// Reads a question; `None` where it cannot be linked to the schema at all.
pub(crate) fn intent(question: &str, snapshot: &Snapshot, today: Date) -> Option<Intent> {
    if question.trim().is_empty() {
        return None;
    }
    let linked = link(question, today, snapshot).ok()?;
    let clauses = clauses::read(&linked.items, &linked.tokens, &linked.vocabulary, snapshot);
    let like = linked.vocabulary.similarities(&linked.tokens);
    let operators = operators(&linked);
    let mut intent = Intent {
        like,
        vocabulary: Arc::clone(&linked.vocabulary),
        operators,
        ranks: ranks(&linked),
        numbers: numbers(&linked),
        values: values(&linked, &clauses),
        tables: Vec::new(),
        columns: Vec::new(),
        conditions: clauses.conditions.iter().filter_map(compared).collect(),
        shown: clauses.select.iter().map(|target| shown(*target)).collect(),
        explained: clauses.unexplained.is_empty(),
        strange: linked.items.iter().any(|item| is_strange(item, &linked.tokens)),
        tokens: Vec::new(),
    };
    for (at, item) in linked.items.iter().enumerate() {
        match &item.kind {
            ItemKind::Table(table) => intent.tables.push((*table, item.certainty)),
            ItemKind::Column(column, others) => intent.columns.push(Link {
                column: *column,
                others: others.clone(),
                certainty: item.certainty,
                counted: is_counted(&linked, at),
            }),
            _ => {}
        }
    }
    intent.tokens = linked.tokens;
    Some(intent)
}

fn operators(linked: &Linked) -> Vec<(usize, Operator)> {
    let operator = |item: &Item| match item.kind {
        ItemKind::Operator(operator) => Some((item.span.start, operator)),
        _ => None,
    };
    linked.items.iter().filter_map(operator).collect()
}

/// A word that nothing explains, but for participles: `located` and the like say what the keys say already.
fn is_strange(item: &Item, tokens: &[Token]) -> bool {
    let verb = |word: &str| {
        let regular = word.len() > 4 && (word.ends_with("ed") || word.ends_with("ing"));
        regular || lexicon().is_irregular_participle(word)
    };
    matches!(item.kind, ItemKind::Unknown) && !tokens[item.span.clone()].iter().all(|token| verb(&token.word))
}

/// True behind `number of`, `how many different` and the like.
fn is_counted(linked: &Linked, at: usize) -> bool {
    let operators = linked.items[..at].iter().rev().map_while(|item| match item.kind {
        ItemKind::Operator(operator) => Some(operator),
        _ => None,
    });
    operators.take(3).any(|operator| {
        matches!(
            operator,
            Operator::Count
                | Operator::MostCommon
                | Operator::LeastCommon
                | Operator::Highest
                | Operator::Lowest
        )
    })
}

fn compared(condition: &clauses::Condition) -> Option<Compared> {
    let (Target::Column(column), clauses::Right::Operand(operand)) = (condition.left, &condition.right)
    else {
        return None;
    };
    match operand {
        Operand::Text(value) | Operand::Number(value) => Some(Compared {
            column,
            value: value.clone(),
        }),
        _ => None,
    }
}

fn text(linked: &Linked, at: usize) -> String {
    let tokens = &linked.tokens[linked.items[at].span.clone()];
    let text: Vec<&str> = tokens.iter().map(|token| token.text.as_str()).collect();
    text.join(" ").replace(" 's", "'s")
}

fn ranks(linked: &Linked) -> Vec<Rank> {
    let mut ranks = Vec::new();
    for (at, item) in linked.items.iter().enumerate() {
        let (descending, attribute) = match item.kind {
            ItemKind::Adjective {
                index,
                degree: Degree::Superlative,
            } => {
                let generic = match text(linked, at).to_lowercase().as_str() {
                    "highest" | "largest" | "biggest" | "greatest" => Some(true),
                    "smallest" => Some(false),
                    _ => None,
                };
                (generic, Some(index))
            }
            // `the first and last name` are no ends of an order.
            ItemKind::Operator(_) if names_a_name(linked, item) => continue,
            ItemKind::Operator(Operator::Highest | Operator::MostCommon) => (Some(true), None),
            ItemKind::Operator(Operator::Lowest | Operator::LeastCommon) => (Some(false), None),
            _ => continue,
        };
        let number = |at: usize| match linked.items.get(at).map(|item| &item.kind) {
            Some(ItemKind::Number(number)) => number.parse::<u64>().ok().filter(|rows| *rows <= 1000),
            _ => None,
        };
        let before = at.checked_sub(1);
        let rows = number(at + 1).or_else(|| {
            let ordinal = before.is_some_and(|before| {
                let token = &linked.tokens[linked.items[before].span.start];
                matches!(token.kind, TokenKind::Ordinal(_))
            });
            before.and_then(number).filter(|_| !ordinal)
        });
        ranks.push(Rank {
            text: text(linked, at),
            descending,
            attribute,
            rows,
            counts: matches!(
                item.kind,
                ItemKind::Operator(Operator::MostCommon | Operator::LeastCommon)
            ),
        });
    }
    ranks
}

/// True of `first`, `middle` and `last` before `name`.
fn names_a_name(linked: &Linked, item: &Item) -> bool {
    let parts = ["first", "middle", "last", "and", "or", ","];
    let rest = linked.tokens[item.span.start..]
        .iter()
        .map(|token| token.word.as_str());
    let mut behind = rest.skip_while(|word| parts.contains(word));
    let own = linked.tokens[item.span.clone()]
        .iter()
        .all(|token| parts.contains(&token.word.as_str()));
    own && matches!(behind.next(), Some("name" | "names"))
}

fn numbers(linked: &Linked) -> Vec<Number> {
    let mut numbers = Vec::new();
    for (at, item) in linked.items.iter().enumerate() {
        let own = matches!(item.kind, ItemKind::Number(_) | ItemKind::Date(_));
        for position in item.span.clone() {
            let token = &linked.tokens[position];
            let (value, digits) = match &token.kind {
                TokenKind::Number(number) => (number.parse().ok(), true),
                TokenKind::Word(Some(number)) => (Some(*number as f64), false),
                TokenKind::Ordinal(number) => (Some(*number as f64), true),
                _ => (None, false),
            };
            let value = match (value, token.word.as_str()) {
                (None, "once") => Some(1.0),
                (None, "twice") => Some(2.0),
                (value, _) => value,
            };
            let Some(value) = value else { continue };
            numbers.push(Number {
                value,
                text: token.text.clone(),
                bound: bound(linked, at).filter(|_| own),
                digits,
                counts: match linked.items.get(at + 1).map(|item| &item.kind) {
                    Some(ItemKind::Table(table)) if own => Some(*table),
                    _ => None,
                },
                inside: !own,
            });
        }
    }
    numbers
}

/// How the number at an item is compared.
fn bound(linked: &Linked, at: usize) -> Option<Bound> {
    let operator = |at: Option<usize>| match linked.items.get(at?)?.kind {
        ItemKind::Operator(operator) => Some(operator),
        _ => None,
    };
    // `above 50 or below 46`: the words behind the number belong to the next one.
    let next = linked.items.get(at + 2).map(|item| &item.kind);
    match operator(Some(at + 1)).filter(|_| !matches!(next, Some(ItemKind::Number(_)))) {
        Some(Operator::OrMore) => return Some(Bound::AtLeast),
        Some(Operator::OrLess) => return Some(Bound::AtMost),
        _ => {}
    }
    let back = |steps: usize| at.checked_sub(steps);
    Some(match operator(back(1))? {
        Operator::Greater | Operator::After => Bound::Above,
        Operator::AtLeast | Operator::Since => Bound::AtLeast,
        Operator::Less | Operator::Before => Bound::Below,
        Operator::AtMost | Operator::Until => Bound::AtMost,
        Operator::Between => Bound::Between,
        // `smaller than or equal to 10`
        Operator::Equal if operator(back(2)) == Some(Operator::Or) => match operator(back(3)) {
            Some(Operator::Greater | Operator::After) => Bound::AtLeast,
            Some(Operator::Less | Operator::Before) => Bound::AtMost,
            _ => return None,
        },
        Operator::Equal => Bound::Equal,
        Operator::And if operator(back(3)) == Some(Operator::Between) => Bound::Between,
        _ => return None,
    })
}

fn values(linked: &Linked, clauses: &clauses::Clauses) -> Vec<Named> {
    let mut values = Vec::new();
    for (at, item) in linked.items.iter().enumerate() {
        let ItemKind::Value { hits, quoted, .. } = &item.kind else {
            continue;
        };
        let tokens = &linked.tokens[item.span.clone()];
        let column_at = |at: Option<usize>| match linked.items.get(at?).map(|item| &item.kind) {
            Some(ItemKind::Column(column, others)) => Some(std::iter::once(*column).chain(others.clone())),
            _ => None,
        };
        let mut before = at.checked_sub(1);
        while let Some(position) = before
            && matches!(
                linked.items[position].kind,
                ItemKind::Operator(Operator::Is | Operator::Equal | Operator::Of | Operator::Not)
                    | ItemKind::Mark('=' | ':')
            )
        {
            before = position.checked_sub(1);
        }
        let beside = column_at(before).into_iter().chain(column_at(Some(at + 1)));
        let condition = clauses
            .conditions
            .iter()
            .find(|condition| condition.position == at);
        values.push(Named {
            text: text(linked, at),
            hits: hits.clone(),
            quoted: *quoted,
            capital: item.span.start > 0 && tokens.iter().any(|token| token.capital),
            words: tokens.len(),
            beside: beside.flatten().collect(),
            column: condition.and_then(|condition| match condition.left {
                Target::Column(column) => Some(column),
                _ => None,
            }),
        });
    }
    values
}

fn shown(target: Target) -> Shown {
    match target {
        Target::Column(column) => Shown::Column(column),
        Target::Table(table) => Shown::Table(table),
        Target::Everything(_) => Shown::Everything,
        Target::CountRows(table) => Shown::Count(table),
        Target::Aggregate { function, column, .. } => Shown::Aggregate(
            match function {
                Function::Count => "count",
                Function::Average => "avg",
                Function::Sum => "sum",
                Function::Maximum => "max",
                Function::Minimum => "min",
            },
            column,
        ),
        Target::Part(..) | Target::First => Shown::Other,
    }
}
