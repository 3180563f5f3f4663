//! What is kept of one question: asked, answered, scored.

use serde::{Deserialize, Serialize};

use super::{dataset::Question, mode::Prediction, score::Score};

/// One question with its answer and its score.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Record {
    /// Position in `questions.json`.
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
    /// Its text is the gold's.
    pub exact_match: bool,
    /// Whether the gold's result has rows; `None` if the gold failed.
    pub gold_has_rows: Option<bool>,
    /// sqrt(time of gold / time of prediction) if correct, else 0.
    pub ves: f64,
    /// The data set's level.
    pub difficulty: Option<String>,
    /// Which tier answered.
    pub tier: String,
    /// 0 to 1, where there is one.
    pub confidence: Option<f64>,
    /// Codes of the validator's findings.
    pub findings: Vec<String>,
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

impl Record {
    pub(super) fn new(question: &Question, gold: &str, prediction: Prediction, score: Score) -> Self {
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
            exact_match: score.exact_match,
            gold_has_rows: score.gold_has_rows,
            ves: score.ves,
            difficulty: question.difficulty.clone(),
            tier: prediction.tier,
            confidence: prediction.confidence,
            findings: prediction.findings,
            model_calls: prediction.model_calls,
            prompt_tokens: prediction.prompt_tokens,
            completion_tokens: prediction.completion_tokens,
            cost_usd: prediction.cost,
            milliseconds: prediction.elapsed.as_secs_f64() * 1_000.0,
            error_code,
            error,
        }
    }

    /// True if SQL was produced and offered.
    pub fn answered(&self) -> bool {
        self.predicted.is_some()
    }
}
