//! How likely some SQL is right on its own: from what is known of its author, its findings and its trial run.
//!
//! The figures were fitted on questions with known answers; nobody is asked for them.

use super::candidate::Candidate;

/// What warnings of the validator leave of it: measured, a third of what has one is right.
const WARNING: f64 = 0.5;
/// What an empty result leaves of it.
const EMPTY_RESULT: f64 = 0.85;

/// How sure the embedded agents are of a reading, and how often such a reading is right.
const EMBEDDED: [(f64, f64); 9] = [
    (0.40, 0.25),
    (0.50, 0.38),
    (0.60, 0.54),
    (0.70, 0.62),
    (0.80, 0.69),
    (0.90, 0.79),
    (0.93, 0.86),
    (0.95, 0.91),
    (1.00, 0.92),
];

/// How often a reading of the embedded agents is right, 0 to 1.
pub(super) fn of_embedded(sure: f64) -> f64 {
    let [first, .., last] = EMBEDDED;
    if sure <= first.0 {
        return first.1;
    }
    EMBEDDED
        .windows(2)
        .find(|pair| sure <= pair[1].0)
        .map_or(last.1, |pair| {
            let (low, high) = (pair[0], pair[1]);
            low.1 + (high.1 - low.1) * (sure - low.0) / (high.0 - low.0)
        })
}

/// The accuracy of a proposal, 0 to 1, if its author's SQL is right with the probability `author`.
pub(super) fn accuracy(author: f64, candidate: &Candidate) -> f64 {
    let Some((sql, _)) = candidate.runs() else {
        return 0.0;
    };
    let warned = if sql.findings().is_empty() { 1.0 } else { WARNING };
    let empty = if candidate.is_empty() { EMPTY_RESULT } else { 1.0 };
    author * warned * empty
}
