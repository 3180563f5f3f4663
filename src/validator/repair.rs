//! Corrections that need no understanding of the question: each finding that says what to write instead.

use super::{
    Code, Finding,
    parse::parse,
    resolve::{Found, resolve},
};
use crate::schema::{Dialect, Schema};

/// Corrections tried on one statement.
const MAX_EDITS: usize = 20;

/// Corrects what can be corrected without understanding the question, such as a column behind the wrong alias.
/// Each correction is kept only if it removes its finding and adds none. Returns the new text and the findings
/// that are gone, or `None` if nothing could be corrected; the new text may still have other findings.
pub fn repair(sql: &str, schema: &Schema, dialect: Dialect) -> Option<(String, Vec<Finding>)> {
    let start = Attempt::of(parse(sql, dialect).ok()?.text, schema, dialect)?;
    // A missing table hides what is wrong with its columns, so that one may have to look further than one
    // correction to see that it pays; if it does not, each has to pay by itself.
    let far = start.clone().improved(schema, dialect, true);
    let best = if far.is_better_than(&start, None) {
        far
    } else {
        start.improved(schema, dialect, false)
    };
    (!best.gone.is_empty()).then_some((best.text, best.gone))
}

/// A text, what is wrong with it, and what was corrected on the way to it.
#[derive(Clone)]
struct Attempt {
    text: String,
    found: Vec<Found>,
    gone: Vec<Finding>,
}

impl Attempt {
    fn of(text: String, schema: &Schema, dialect: Dialect) -> Option<Self> {
        let found = resolve(&parse(&text, dialect).ok()?, schema, dialect).1;
        Some(Self {
            text,
            found,
            gone: vec![],
        })
    }

    /// Applies one correction after the other, from the front.
    fn improved(mut self, schema: &Schema, dialect: Dialect, far: bool) -> Self {
        let mut refused = 0;
        for _ in 0..MAX_EDITS {
            let correctable = |found: &&Found| found.span.is_some() && found.finding.repair.is_some();
            let mut candidates: Vec<_> = self.found.iter().filter(correctable).collect();
            // What is sure comes first; the rest is judged by a statement with fewer things hidden.
            candidates.sort_by_key(|found| !found.keeps_meaning());
            let Some(candidate) = candidates.into_iter().nth(refused).cloned() else {
                break;
            };
            let next = self
                .edited(&candidate)
                .and_then(|text| Self::of(text, schema, dialect));
            let hides = far && candidate.finding.code == Code::TableMissing;
            match next {
                Some(next) if hides || next.is_better_than(&self, Some(&candidate)) => {
                    self.gone.push(candidate.finding);
                    self = Self {
                        gone: self.gone,
                        ..next
                    };
                }
                _ => refused += 1,
            }
        }
        self
    }

    /// The text with one finding's own correction.
    fn edited(&self, found: &Found) -> Option<String> {
        let (from, to) = found.span?;
        let repair = found.finding.repair.as_deref()?;
        let mut characters = self.text.chars();
        let before: String = characters.by_ref().take(from - 1).collect();
        let after: String = characters.skip(to - from).collect();
        Some(format!("{before}{repair}{after}"))
    }

    /// Fewer errors or fewer warnings, and nothing that was not there before.
    fn is_better_than(&self, before: &Self, correction: Option<&Found>) -> bool {
        let errors = |attempt: &Self| {
            attempt
                .found
                .iter()
                .filter(|found| found.finding.is_error())
                .count()
        };
        let fewer = (errors(self), self.found.len()) < (errors(before), before.found.len());
        let same_meaning = correction.is_some_and(Found::keeps_meaning);
        let mut known: Vec<_> = before
            .found
            .iter()
            .map(|found| (found.finding.code, &found.finding.message))
            .collect();
        fewer
            && self.found.iter().all(|found| {
                let at = known
                    .iter()
                    .position(|known| *known == (found.finding.code, &found.finding.message));
                at.map(|at| known.swap_remove(at)).is_some() || (same_meaning && !found.finding.is_error())
            })
    }
}

impl Found {
    /// Text in other quotes means the same to SQLite; a warning about it is no harm done.
    fn keeps_meaning(&self) -> bool {
        let repair = self.finding.repair.as_deref();
        self.finding.code == Code::ColMissing && repair.is_some_and(|repair| repair.starts_with('\''))
    }
}
