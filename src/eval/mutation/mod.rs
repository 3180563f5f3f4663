//! Gold queries broken on purpose, one error of the taxonomy at a time: how well the validator notices and names the
//! break, and whether a repair undoes it. A break is what a language model plausibly gets wrong.

use std::collections::HashSet;

use super::dataset::mix;
use crate::question::{schema::Snapshot, validator::Code};

mod aggregation;
mod clauses;
mod filter;
mod join;
mod measure;
mod other;
mod report;
mod schema_link;
mod scope;
mod set_operations;
mod spelling;
mod subject;
mod subquery;
mod syntax;
mod value;

pub(super) use measure::examine;
pub use measure::{Case, Examined, Made, Noted};
pub use report::{Figures, Means, MutationReport, Tally, write_files};

use subject::Subject;

/// A way to make one error: its code, its name, and the texts that it makes of a query, none where it does not apply.
struct Mutator(Code, &'static str, fn(&Subject<'_>) -> Vec<String>);

const MUTATORS: &[&[Mutator]] = &[
    syntax::MUTATORS,
    schema_link::MUTATORS,
    join::MUTATORS,
    filter::MUTATORS,
    aggregation::MUTATORS,
    value::MUTATORS,
    subquery::MUTATORS,
    set_operations::MUTATORS,
    other::MUTATORS,
];

/// A query that was broken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mutant {
    /// The error that was made.
    pub code: Code,
    /// In which way it was made.
    pub kind: &'static str,
    /// The broken query.
    pub sql: String,
}

/// The ways to break queries, each with the error that it makes.
pub fn kinds() -> impl Iterator<Item = (Code, &'static str)> {
    MUTATORS
        .iter()
        .flat_map(|category| category.iter().map(|mutator| (mutator.0, mutator.1)))
}

/// A query with its text in single quotes, where it has some in double quotes, as only SQLite allows; else as it is.
/// This is what mutants are made of.
fn requoted(sql: &str, snapshot: &Snapshot) -> String {
    match Subject::parse(sql, snapshot) {
        Some(subject) if subject.requoted => subject.text(),
        _ => sql.to_owned(),
    }
}

/// Every break of a query, in the order of [`kinds`]. Empty if the query cannot be read.
pub fn all_mutants(sql: &str, snapshot: &Snapshot) -> Vec<Mutant> {
    let Some(subject) = Subject::parse(sql, snapshot) else {
        return Vec::new();
    };
    let whole = subject.text();
    let mut known = HashSet::new();
    let mut found = Vec::new();
    for Mutator(code, kind, make) in MUTATORS.iter().copied().flatten() {
        for sql in make(&subject) {
            if sql != whole && known.insert((*code, sql.clone())) {
                found.push(Mutant {
                    code: *code,
                    kind,
                    sql,
                });
            }
        }
    }
    found
}

/// One break of a query for each code that it can have, always the same ones for the same seed: first a kind is chosen
/// among those that apply, then one of its breaks.
pub fn mutants(sql: &str, snapshot: &Snapshot, seed: u64) -> Vec<Mutant> {
    let all = all_mutants(sql, snapshot);
    let chosen = (0..).zip(Code::TAXONOMY).filter_map(|(number, code)| {
        let choice = mix(seed.wrapping_add(mix(number)));
        let mut kinds: Vec<&str> = all
            .iter()
            .filter(|mutant| mutant.code == *code)
            .map(|mutant| mutant.kind)
            .collect();
        kinds.dedup();
        let kind = pick(&kinds, choice)?;
        let of_kind: Vec<&Mutant> = all
            .iter()
            .filter(|mutant| (mutant.code, mutant.kind) == (*code, *kind))
            .collect();
        pick(&of_kind, mix(choice)).map(|mutant| (*mutant).clone())
    });
    chosen.collect()
}

fn pick<T>(list: &[T], choice: u64) -> Option<&T> {
    list.get((choice % list.len().max(1) as u64) as usize)
}
