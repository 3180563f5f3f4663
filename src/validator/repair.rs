//! Corrections that need no understanding of the question: each finding that says what to write instead.

use super::{
    Dialect, Finding,
    parse::parse,
    resolve::{Found, resolve},
};
use crate::schema::Schema;

/// Corrections tried on one statement.
const MAX_EDITS: usize = 20;

/// Corrects what can be corrected without understanding the question, such as a column behind the wrong alias.
/// Each correction is kept only if it removes its finding and adds none. Returns the new text and the findings
/// that are gone, or `None` if nothing could be corrected; the new text may still have other findings.
pub fn repair(sql: &str, schema: &Schema, dialect: Dialect) -> Option<(String, Vec<Finding>)> {
    let mut text = parse(sql, dialect).ok()?.text;
    let mut found = check(&text, schema, dialect)?;
    let mut gone = vec![];
    let mut refused = 0;
    for _ in 0..MAX_EDITS {
        let mut candidates = found
            .iter()
            .filter(|found| found.span.is_some() && found.finding.repair.is_some());
        let Some(candidate) = candidates.nth(refused).cloned() else {
            break;
        };
        match edited(&text, &candidate).and_then(|edited| Some((check(&edited, schema, dialect)?, edited))) {
            Some((left, edited)) if is_better(&found, &left) => {
                text = edited;
                found = left;
                gone.push(candidate.finding);
            }
            _ => refused += 1,
        }
    }
    (!gone.is_empty()).then_some((text, gone))
}

fn check(text: &str, schema: &Schema, dialect: Dialect) -> Option<Vec<Found>> {
    Some(resolve(&parse(text, dialect).ok()?, schema, dialect).1)
}

/// The text with one finding's own correction.
fn edited(text: &str, found: &Found) -> Option<String> {
    let (from, to) = found.span?;
    let repair = found.finding.repair.as_deref()?;
    let mut characters = text.chars();
    let before: String = characters.by_ref().take(from - 1).collect();
    let after: String = characters.skip(to - from).collect();
    Some(format!("{before}{repair}{after}"))
}

/// Fewer findings, and none that was not there before.
fn is_better(before: &[Found], after: &[Found]) -> bool {
    let mut known: Vec<_> = before
        .iter()
        .map(|found| (found.finding.code, &found.finding.message))
        .collect();
    after.len() < before.len()
        && after.iter().all(|found| {
            let at = known
                .iter()
                .position(|known| *known == (found.finding.code, &found.finding.message));
            at.map(|at| known.swap_remove(at)).is_some()
        })
}
