//! How likely a reading is right: fitted on questions with known answers, on databases that the weights had not seen.

use std::sync::LazyLock;

use super::{
    question::Question,
    roles::{Cast, Role, Sort, sort},
    weights::{self, Sign, Whole},
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
    /// Forms of answers that clauses do not have: comparisons side by side, shares, changes.
    forms: f64,
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
            forms: [
                question.versus,
                question.share.is_some(),
                question.growth,
                question.running,
                question.difference,
            ]
            .iter()
            .filter(|asked| **asked)
            .count() as f64,
        }
    }

    /// The probability that what was read clause by clause is right, where that reading is as sure as this, 0 to 1.
    pub(super) fn of_clauses(&self, sure: f64) -> f64 {
        logistic(
            -2.12 + 3.34 * sure + 1.3 * (sure - 0.8).max(0.0)
                - 0.07 * self.unknown
                - 0.06 * self.unheard
                - 1.15 * self.ignored
                - 1.37 * self.metrics
                - 1.35 * self.filters
                - 1.04 * self.times
                - 1.5 * self.forms,
        )
    }
}

/// What the likelihood of a reading hangs on (`scripts/learn-readings`).
struct Learned {
    bias: f64,
    /// For how far a reading leads.
    lead: f64,
    signs: Vec<f32>,
}

static LEARNED: LazyLock<Learned> = LazyLock::new(|| {
    let file = include_str!("likelihood.txt");
    let named = |wanted: &str| {
        let lines = file.lines().filter_map(|line| line.rsplit_once(' '));
        let mut values = lines.filter(|(name, _)| *name == wanted);
        values.next().and_then(|(_, value)| value.parse().ok())
    };
    Learned {
        bias: named("bias").unwrap_or_default(),
        lead: named("lead").unwrap_or_default(),
        signs: weights::of_signs(file),
    }
});

/// How likely a reading is at most that leaves out what the question asks for.
const LEAVES_OUT: f64 = 0.3;

/// The probability that the reading at a place among all that were found is right, 0 to 1.
pub(super) fn probability(scores: &[f32], at: usize, signs: &[(u16, f32)]) -> f64 {
    let own = f64::from(scores[at]);
    let all: f64 = scores.iter().map(|score| (f64::from(*score) - own).exp()).sum();
    let share = (1.0 / all).clamp(0.001, 0.999);
    let lead = (share / (1.0 - share)).ln();
    let told: f32 = signs
        .iter()
        .map(|(place, much)| LEARNED.signs[*place as usize] * much)
        .sum();
    let likely = logistic(LEARNED.bias + LEARNED.lead * lead + f64::from(told));
    if leaves_out(signs) {
        likely.min(LEAVES_OUT)
    } else {
        likely
    }
}

/// True where something that changes the answer has no part in a reading: a comparison, a negation, a number, a last word.
fn leaves_out(signs: &[(u16, f32)]) -> bool {
    let meant = [Whole::ComparedUnused, Whole::NegatedUnused, Whole::Unheard];
    let places = meant.map(|whole| Sign::Whole(whole).place());
    signs
        .iter()
        .any(|(place, much)| *much > 0.0 && places.contains(&usize::from(*place)))
}

fn logistic(sum: f64) -> f64 {
    1.0 / (1.0 + (-sum).exp())
}
