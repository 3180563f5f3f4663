//! What is kept of one question: asked, answered, scored.

use serde::{Deserialize, Serialize};

use super::{
    dataset::{Question, Turn},
    mode::Prediction,
    score::Score,
};
use crate::question::validator::{Code, Finding};

/// One question with its answer and its score.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Record {
    /// Position among the set's questions.
    pub index: usize,
    /// The database.
    pub db_id: String,
    /// The question as it was asked.
    pub question: String,
    /// The gold query.
    pub gold: String,
    /// The SQL that was offered.
    pub predicted: Option<String>,
    /// It executed.
    pub valid: bool,
    /// Its result is the gold's.
    pub correct: bool,
    /// Its result has the gold's columns, perhaps among others.
    #[serde(default)]
    pub wider: bool,
    /// Its text is the gold's.
    pub exact_match: bool,
    /// Whether the gold's result has rows; `None` if the gold failed.
    pub gold_has_rows: Option<bool>,
    /// sqrt(time of gold / time of prediction) if correct, else 0.
    pub ves: f64,
    /// The data set's level.
    pub difficulty: Option<String>,
    /// The data set's sort of question.
    #[serde(default)]
    pub kind: Option<String>,
    /// Its place in a conversation.
    #[serde(default)]
    pub turn: Option<Turn>,
    /// Which tier answered.
    pub tier: String,
    /// 0 to 1, where there is one.
    pub confidence: Option<f64>,
    /// Codes of the validator's findings, its trial run included; notes apart.
    pub findings: Vec<String>,
    /// The rules that found them, and those that found notes.
    #[serde(default)]
    pub rules: Vec<String>,
    /// True if one of them is an error.
    #[serde(default)]
    pub flagged_at_error: bool,
    /// What a repair did, where the answer was to be repaired.
    #[serde(default)]
    pub repair: Option<Repaired>,
    /// Calls of a language model.
    pub model_calls: u64,
    /// Tokens read by language models.
    pub prompt_tokens: u64,
    /// Tokens written by language models.
    pub completion_tokens: u64,
    /// What the language models cost.
    #[serde(default)]
    pub cost_usd: f64,
    /// Wall time of asking.
    pub milliseconds: f64,
    /// SQLSTATE or a word for what went wrong.
    pub error_code: Option<String>,
    /// What went wrong.
    pub error: Option<String>,
}

/// What a repair did to an answer.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Repaired {
    /// Codes of what was found first.
    pub found: Vec<String>,
    /// Codes of what it removed.
    pub gone: Vec<String>,
    /// Whether the answer was right without it.
    pub was_correct: bool,
}

/// What the validator finds in an answer, and how the answer did; nothing where there is none.
#[derive(Debug, Default)]
pub(super) struct Judged {
    pub(super) findings: Vec<Finding>,
    pub(super) score: Score,
    /// Whether the answer was right before it was repaired, where it was.
    pub(super) was_correct: Option<bool>,
}

impl Record {
    pub(super) fn new(question: &Question, gold: &str, prediction: Prediction, judged: Judged) -> Self {
        let Judged {
            findings,
            score,
            was_correct,
        } = judged;
        let repair = prediction.repair.map(|repair| Repaired {
            found: names(repair.found),
            gone: names(repair.gone),
            was_correct: was_correct.unwrap_or(score.correct),
        });
        let problem = prediction.error.or(score.error);
        let (error_code, error) = problem.map(|problem| (problem.code, problem.message)).unzip();
        Self {
            index: question.index,
            db_id: question.db_id.clone(),
            question: question.text.clone(),
            gold: gold.to_owned(),
            predicted: prediction.sql,
            valid: score.valid,
            correct: score.correct,
            wider: score.wider,
            exact_match: score.exact_match,
            gold_has_rows: score.gold_has_rows,
            ves: score.ves,
            difficulty: question.difficulty.clone(),
            kind: question.kind.clone(),
            turn: question.turn.clone(),
            tier: prediction.tier,
            confidence: prediction.confidence,
            flagged_at_error: findings.iter().any(Finding::is_error),
            rules: findings.iter().map(|finding| finding.rule.to_owned()).collect(),
            findings: names(
                findings
                    .iter()
                    .filter(|finding| finding.counts())
                    .map(|finding| finding.code),
            ),
            repair,
            model_calls: prediction.model_calls,
            prompt_tokens: prediction.prompt_tokens,
            completion_tokens: prediction.completion_tokens,
            cost_usd: prediction.cost,
            milliseconds: prediction.elapsed.as_secs_f64() * 1_000.0,
            error_code,
            error,
        }
    }

    /// True if there is something to compare with: the gold runs.
    pub fn is_judged(&self) -> bool {
        self.gold_has_rows.is_some()
    }

    /// True if SQL was produced and offered.
    pub fn answered(&self) -> bool {
        self.predicted.is_some()
    }
}

fn names(codes: impl IntoIterator<Item = Code>) -> Vec<String> {
    codes.into_iter().map(|code| code.name().to_owned()).collect()
}
