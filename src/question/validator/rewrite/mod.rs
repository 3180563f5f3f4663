//! Other ways to write a statement that give the same rows and may cost less. Each rule rests on what the schema
//! guarantees (keys, NOT NULL) and leaves alone what it is not sure of. Whether a rewrite is cheaper, nobody here knows:
//! whoever takes one measures it, and compares its rows.

use sqlparser::ast::Query;

use super::{
    Finding,
    parse::{Parsed, parse},
    resolve,
};
use crate::question::schema::{Dialect, Schema};

mod bound;
mod correlated;
mod counts;
mod distinct;
mod joins;
mod lookup;
mod membership;
mod order;
mod repeated;

use bound::Bound;

/// How often one rule is applied to one statement.
const MOST_OF_ONE: usize = 4;
/// Characters of a statement that is rewritten.
const LONGEST: usize = 20_000;

/// A statement that gives the same rows as another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rewrite {
    /// The text.
    pub sql: String,
    /// What is different, and why that changes nothing: a line each.
    pub changes: Vec<String>,
}

/// One way to write a statement otherwise: the changed tree, and what was changed.
type Rule = fn(&Bound<'_>) -> Option<(Box<Query>, String)>;

const RULES: &[Rule] = &[
    correlated::grouped_once,
    repeated::computed_once,
    lookup::collected,
    membership::not_exists,
    joins::needless,
    distinct::needless,
    order::needless,
    counts::of_rows,
];

/// Other ways to write a valid statement, the one with most changes first. None where nothing is known that would help.
pub fn rewrites(sql: &str, schema: &Schema, dialect: Dialect) -> Vec<Rewrite> {
    if sql.len() > LONGEST {
        return vec![];
    }
    let Some(start) = read(sql, dialect) else {
        return vec![];
    };
    let alone: Vec<Rewrite> = RULES
        .iter()
        .filter_map(|rule| apply(&[*rule], &start, schema, dialect))
        .collect();
    if alone.len() < 2 {
        return alone;
    }
    let mut all: Vec<Rewrite> = apply(RULES, &start, schema, dialect).into_iter().collect();
    all.extend(alone);
    all
}

/// The statement as these rules leave it; `None` if none of them changes it.
fn apply(rules: &[Rule], start: &Parsed, schema: &Schema, dialect: Dialect) -> Option<Rewrite> {
    let mut text = start.text.clone();
    let mut changes = vec![];
    for rule in rules {
        for _ in 0..MOST_OF_ONE {
            let Some((next, change)) = once(*rule, &text, schema, dialect) else {
                break;
            };
            text = next;
            changes.push(change);
        }
    }
    (!changes.is_empty()).then_some(Rewrite { sql: text, changes })
}

fn once(rule: Rule, text: &str, schema: &Schema, dialect: Dialect) -> Option<(String, String)> {
    let parsed = read(text, dialect)?;
    let (resolved, found) = resolve::resolve(&parsed, schema, dialect);
    let is_valid =
        |found: &[resolve::LocatedFinding]| !found.iter().map(|found| &found.finding).any(Finding::is_error);
    if !is_valid(&found) {
        return None;
    }
    let bound = Bound::new(&parsed, &resolved, schema, dialect);
    let (query, change) = rule(&bound)?;
    let next = query.to_string();
    // What cannot be read again is no way to write it.
    let again = read(&next, dialect)?;
    let (_, found) = resolve::resolve(&again, schema, dialect);
    (next != text && is_valid(&found)).then_some((next, change))
}

fn read(text: &str, dialect: Dialect) -> Option<Parsed> {
    parse(text, dialect).ok()
}
