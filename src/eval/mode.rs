//! Who answers: a mode gets a question and a database, never the gold.

use std::time::{Duration, Instant};

use async_trait::async_trait;

use super::dataset::Question;
use crate::{
    ask::{self, AskSettings},
    backend::Backend,
    error::ClientError,
};

/// A way to answer questions.
#[async_trait]
pub trait Mode: Sync {
    /// Its name in the report.
    fn name(&self) -> &'static str;

    /// The models it uses, cheapest first.
    fn models(&self) -> Vec<String>;

    /// Answers one question. What fails is told in the prediction.
    async fn predict(&self, asked: &Asked<'_>) -> Prediction;
}

/// A question with the database that it is about, warm and open.
pub struct Asked<'a> {
    /// The question.
    pub question: &'a Question,
    /// This thread's connection to the database, whose values are indexed.
    pub database: &'a dyn Backend,
}

/// What a mode made of a question.
#[derive(Debug, Clone, Default)]
pub struct Prediction {
    /// The SQL; `None` where none was offered.
    pub sql: Option<String>,
    /// Which tier answered.
    pub tier: String,
    /// 0 to 1, where the mode has one.
    pub confidence: Option<f64>,
    /// Codes of the validator's findings.
    pub findings: Vec<String>,
    /// Calls of a language model.
    pub model_calls: u64,
    /// Tokens read by language models.
    pub prompt_tokens: u64,
    /// Tokens written by language models.
    pub completion_tokens: u64,
    /// Wall time.
    pub elapsed: Duration,
    /// Why there is no SQL.
    pub error: Option<Problem>,
}

/// An error as the report counts it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// SQLSTATE, or a word for what has none.
    pub code: String,
    /// What happened.
    pub message: String,
}

impl Problem {
    /// From what a client would be told, its detail included.
    pub(super) fn of(error: &dyn ClientError) -> Self {
        let mut message = error.message();
        for more in [error.detail(), error.hint()].into_iter().flatten() {
            message.push_str("; ");
            message.push_str(&more);
        }
        Self {
            code: error.sqlstate().to_string(),
            message,
        }
    }
}

/// The pipeline with its deterministic agents alone.
pub struct Embedded {
    /// What questions are asked with.
    pub settings: AskSettings,
}

#[async_trait]
impl Mode for Embedded {
    fn name(&self) -> &'static str {
        "embedded"
    }

    fn models(&self) -> Vec<String> {
        vec!["embedded".into()]
    }

    async fn predict(&self, asked: &Asked<'_>) -> Prediction {
        let started = Instant::now();
        let outcome = ask::ask(asked.database, &asked.question.text, &self.settings).await;
        let elapsed = started.elapsed();
        match outcome {
            Ok(answer) => Prediction {
                sql: Some(answer.sql.as_str().to_owned()),
                tier: answer.tier,
                confidence: Some(answer.confidence),
                findings: answer
                    .sql
                    .findings()
                    .iter()
                    .map(|finding| finding.code.name().to_owned())
                    .collect(),
                model_calls: answer.model_calls,
                prompt_tokens: answer.trace.iter().map(|run| run.prompt_tokens).sum(),
                completion_tokens: answer.trace.iter().map(|run| run.completion_tokens).sum(),
                elapsed,
                error: None,
            },
            Err(error) => Prediction {
                tier: "embedded".into(),
                elapsed,
                error: Some(Problem::of(&error)),
                ..Prediction::default()
            },
        }
    }
}
