//! How likely some SQL is right on its own: from what is known of its author, its findings and its trial run.
//!
//! The figures were fitted on questions with known answers; nobody is asked for them.

use super::{EMBEDDED, candidate::Candidate};
use crate::question::validator;

/// What anything found in a reading of the embedded agents leaves of its odds. They doubted it for the same reasons, so that
/// it does not count by how often it is right.
const FOUND_IN_READING: f64 = 0.62;

/// What it leaves of the odds of a strong model's answer that the model says what it has assumed. Of such answers to tuning
/// questions 24 of 36 were right, of the others 283 of 294: it is seldom wrong about what it does not know.
const ASSUMED: f64 = 1.0 / 8.0;
/// A model is strong that is right so often. What the assumptions of others say was not measured.
const STRONG: f64 = 0.8;
/// No assumption makes an answer less likely than this, with which it is still given.
const LEAST: f64 = 0.42;

/// How likely what an author writes is right, 0 to 1.
#[derive(Debug, Clone, Copy)]
pub(super) struct Expected {
    /// Before anything was learned of its answers.
    pub(super) claimed: f64,
    /// With that.
    pub(super) likely: f64,
    /// It says what it has assumed.
    pub(super) assumes: bool,
    /// It is made freely, after a first one.
    pub(super) sampled: bool,
}

impl Expected {
    /// Of what is right only so often as its author is.
    pub(super) fn times(self, part: f64) -> Self {
        Self {
            claimed: self.claimed * part,
            likely: self.likely * part,
            ..self
        }
    }

    /// Of what says what it has assumed, or does not.
    pub(super) fn assuming(self, assumes: bool) -> Self {
        Self { assumes, ..self }
    }

    /// Of what is made freely, after a first one.
    pub(super) fn sampled(self, sampled: bool) -> Self {
        Self { sampled, ..self }
    }
}

/// How likely a model's answer is right that would be so with the probability `accuracy`, if it says what it has assumed. Its
/// author is right with the probability `author`.
pub(super) fn with_assumptions(accuracy: f64, author: f64) -> f64 {
    if author < STRONG || accuracy <= LEAST {
        return accuracy;
    }
    logistic(logit(accuracy) + ASSUMED.ln()).max(LEAST)
}

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn assumptions_of_strong_models_count() {
        let likely = with_assumptions(0.95, 0.95);
        assert!((0.65..0.75).contains(&likely), "{likely}");
        // Nothing is known of those of others, and what is doubted anyhow is still given.
        assert!((with_assumptions(0.6, 0.6) - 0.6).abs() < 1e-9);
        assert!((with_assumptions(0.5, 0.95) - LEAST).abs() < 1e-9);
        assert!((with_assumptions(0.3, 0.95) - 0.3).abs() < 1e-9);
    }
}
