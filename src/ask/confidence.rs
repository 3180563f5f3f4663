//! How likely some SQL is right on its own: from what is known of its author, its findings and its trial run.

use super::candidate::Candidate;

/// What a warning of the validator leaves of it.
const WARNING: f64 = 0.9;
/// What an empty result leaves of it.
const EMPTY_RESULT: f64 = 0.85;

/// The accuracy of a proposal, 0 to 1, if its author's SQL is right with the probability `author`.
pub(super) fn accuracy(author: f64, candidate: &Candidate) -> f64 {
    let Some((sql, _)) = candidate.runs() else {
        return 0.0;
    };
    let warned = if sql.findings().is_empty() { 1.0 } else { WARNING };
    let empty = if candidate.is_empty() { EMPTY_RESULT } else { 1.0 };
    author * warned * empty
}
