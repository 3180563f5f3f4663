//! How likely some SQL is right on its own: from what is known of its author, its findings and its trial run.
//!
//! The figures were fitted on questions with known answers; nobody is asked for them.

use super::{EMBEDDED, candidate::Candidate};
use crate::question::validator;

/// What anything found in a reading of the embedded agents leaves of its odds. They doubted it for the same reasons, so that
/// it does not count by how often it is right.
const FOUND_IN_READING: f64 = 0.62;

/// The accuracy of a proposal, 0 to 1, if its author's SQL is right with the probability `author`.
pub(super) fn accuracy(author: f64, candidate: &Candidate) -> f64 {
    if candidate.runs().is_none() {
        return 0.0;
    }
    let against = if candidate.author != EMBEDDED {
        -validator::weight(candidate.findings()).ln()
    } else if candidate.findings().next().is_some() {
        FOUND_IN_READING.ln()
    } else {
        return author;
    };
    logistic(logit(author) + against)
}

/// Beyond this nothing is sure.
const SURE: f64 = 0.999;

/// The log odds of a probability.
pub(super) fn logit(probability: f64) -> f64 {
    let probability = probability.clamp(1.0 - SURE, SURE);
    (probability / (1.0 - probability)).ln()
}

/// The probability of log odds.
pub(super) fn logistic(odds: f64) -> f64 {
    1.0 / (1.0 + (-odds).exp())
}
