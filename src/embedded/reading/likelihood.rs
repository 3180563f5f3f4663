//! How likely a reading is right: fitted on questions with known answers, on databases that the weights had not seen.

use super::{
    question::Question,
    roles::{Cast, Role, Sort, sort},
};
use crate::semantic::SemanticModel;

/// What in a question makes a reading less likely.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Doubts {
    /// Words that nothing is known of.
    unknown: f64,
    /// Words that ask for something that no reading gives, and numbers that belong to nothing.
    unheard: f64,
    /// Mentions that play no part.
    ignored: f64,
    /// Mentions of measures, of named filters and of times: they are no clauses.
    metrics: f64,
    filters: f64,
    times: f64,
}

impl Doubts {
    /// The doubts about a cast.
    pub(super) fn of(question: &Question, cast: &Cast, model: &SemanticModel) -> Self {
        let sorts = |wanted: Sort| {
            let pairs = question.mentions.iter().zip(&cast.parts);
            pairs
                .filter(|(mention, (role, sense))| {
                    *role != Role::Ignored && sort(&mention.senses[*sense], model) == wanted
                })
                .count() as f64
        };
        Self {
            unknown: question.unknown.len() as f64,
            unheard: (question.unheard + question.loose_numbers) as f64,
            ignored: cast
                .parts
                .iter()
                .filter(|(role, _)| *role == Role::Ignored)
                .count() as f64,
            metrics: sorts(Sort::Metric),
            filters: sorts(Sort::Filter),
            times: sorts(Sort::Time),
        }
    }

    /// The probability that the reading at a place is right, 0 to 1.
    pub(super) fn probability(&self, scores: &[f32], at: usize) -> f64 {
        let own = f64::from(scores[at]);
        let all: f64 = scores.iter().map(|score| (f64::from(*score) - own).exp()).sum();
        let share = (1.0 / all).clamp(0.001, 0.999);
        let lead = (share / (1.0 - share)).ln();
        logistic(-0.14 + 0.21 * lead - 0.79 * self.unknown - 0.5 * self.unheard - 0.64 * self.ignored)
    }

    /// The probability that what was read clause by clause is right, where that reading is as sure as this, 0 to 1.
    pub(super) fn of_clauses(&self, sure: f64) -> f64 {
        logistic(
            -1.87 + 3.05 * sure + 1.16 * (sure - 0.8).max(0.0)
                - 0.03 * self.unknown
                - 0.4 * self.unheard
                - 0.45 * self.ignored
                - 1.33 * self.metrics
                - 1.04 * self.filters
                - 0.97 * self.times,
        )
    }
}

fn logistic(sum: f64) -> f64 {
    1.0 / (1.0 + (-sum).exp())
}
