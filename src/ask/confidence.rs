//! How likely some SQL is right on its own: from what is known of its author, its findings and its trial run.
//!
//! The figures were fitted on questions with known answers; nobody is asked for them.

use super::{EMBEDDED, candidate::Candidate};
use crate::validator;

/// How sure the embedded agents are of a reading, and how often such a reading is right.
const EMBEDDED_AGENTS: [(f64, f64); 9] = [
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
/// What anything found in a reading of the embedded agents leaves of its odds. They doubted it for the same reasons, so that
/// it does not count by how often it is right.
const FOUND_IN_READING: f64 = 0.62;

/// How often a reading of the embedded agents is right, 0 to 1.
pub(super) fn of_embedded(sure: f64) -> f64 {
    let [first, .., last] = EMBEDDED_AGENTS;
    if sure <= first.0 {
        return first.1;
    }
    EMBEDDED_AGENTS
        .windows(2)
        .find(|pair| sure <= pair[1].0)
        .map_or(last.1, |pair| {
            let (low, high) = (pair[0], pair[1]);
            low.1 + (high.1 - low.1) * (sure - low.0) / (high.0 - low.0)
        })
}

/// Whether the question was read twice, clause by clause and as a whole, and both gave the same rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Readings {
    /// One reading, or two with other rows.
    Apart,
    /// The same rows.
    Agree,
    /// The same rows, of a question in which little can be overheard: [`is_plain`].
    AgreePlainly,
}

/// How likely a reading of the embedded agents is right that is so likely by itself. Fitted by logistic regression on 1,233
/// answers to academic and 120 to business questions, each of the latter counted three times.
pub(super) fn of_readings(likely: f64, readings: Readings) -> f64 {
    let odds = logit(likely);
    logistic(match readings {
        Readings::Apart => -0.13 + 0.48 * odds,
        Readings::Agree => 1.03 + 0.48 * odds,
        Readings::AgreePlainly => 0.13 + 1.27 * odds,
    })
}

/// True for a question without words that turn or join conditions, answered without a rank: what both readings overlook alike
/// was nearly always one of these.
pub(super) fn is_plain(question: &str, sql: &str) -> bool {
    const TURNING: &[&str] = &[
        "not", "no", "never", "without", "neither", "nor", "except", "only", "or", "either", "and", "both",
    ];
    let turns = |word: &str| {
        let word = word.to_lowercase();
        TURNING.contains(&word.as_str()) || word.ends_with("n't") || word.ends_with("n\u{2019}t")
    };
    let mut words =
        question.split(|sign: char| !(sign.is_alphanumeric() || matches!(sign, '\'' | '\u{2019}')));
    !words.any(turns) && !sql.contains("LIMIT")
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

fn logit(probability: f64) -> f64 {
    let probability = probability.clamp(1.0 - SURE, SURE);
    (probability / (1.0 - probability)).ln()
}

fn logistic(odds: f64) -> f64 {
    1.0 / (1.0 + (-odds).exp())
}
