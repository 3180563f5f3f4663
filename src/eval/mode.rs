//! Who answers: a mode gets a question and a database, never the gold. Under `--oracle` it may ask whether it is right.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use async_trait::async_trait;

use super::dataset::Question;
use crate::{
    backend::Backend,
    error::ClientError,
    question::{
        ask::{self, AskSettings, EMBEDDED, ModelRegistry, Oracle},
        model::{Budget, Spent},
        ossie::Meanings,
        validator::Code,
    },
    statement,
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
    /// Who knows the right answer, where the evaluation is one of a loop that is told it.
    pub oracle: Option<&'a dyn Oracle>,
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
    /// How a repair came to this SQL, where one did.
    pub repair: Option<Repair>,
    /// Calls of a language model.
    pub model_calls: u64,
    /// Tokens read by language models.
    pub prompt_tokens: u64,
    /// Tokens written by language models.
    pub completion_tokens: u64,
    /// US dollars.
    pub cost: f64,
    /// Wall time.
    pub elapsed: Duration,
    /// Why there is no SQL.
    pub error: Option<Problem>,
}

/// A repair of predicted SQL.
#[derive(Debug, Clone)]
pub struct Repair {
    /// The SQL as it was.
    pub before: String,
    /// What was found in it.
    pub found: Vec<Code>,
    /// What the repair removed; empty where it changed nothing.
    pub gone: Vec<Code>,
}

/// An error as the report counts it.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
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

/// The pipeline as users have it.
pub struct Pipeline {
    /// What each question is asked with, its budget apart.
    pub settings: AskSettings,
    /// What the databases mean.
    pub meanings: Arc<Meanings>,
    /// Makes the budget of a question.
    pub budget: Box<dyn Fn() -> Budget + Send + Sync>,
}

#[async_trait]
impl Mode for Pipeline {
    fn name(&self) -> &'static str {
        self.settings.mode.name()
    }

    fn models(&self) -> Vec<String> {
        let tiers = self.settings.registry.tiers.iter().cloned();
        match self.settings.mode {
            statement::Mode::Embedded => vec![EMBEDDED.to_owned()],
            statement::Mode::Adaptive => tiers.collect(),
            statement::Mode::Single | statement::Mode::Sot => tiers.filter(|tier| tier != EMBEDDED).collect(),
        }
    }

    async fn predict(&self, asked: &Asked<'_>) -> Prediction {
        let budget = Arc::new((self.budget)());
        let settings = AskSettings {
            hint: asked.question.hint(),
            budget: Arc::clone(&budget),
            meaning: self.meanings.of_database(&asked.question.db_id),
            ..self.settings.clone()
        };
        let started = Instant::now();
        let question = &asked.question.text;
        let outcome = match asked.oracle {
            None => ask::ask(asked.database, question, &settings).await,
            Some(oracle) => ask::ask_with_oracle(asked.database, question, &settings, oracle).await,
        };
        let spent = Prediction::that_took(started.elapsed(), budget.spent());
        match outcome {
            Ok(answer) => Prediction {
                sql: Some(answer.sql.as_str().to_owned()),
                tier: answer.tier,
                confidence: Some(answer.confidence),
                repair: answer.repair_report.map(|report| Repair {
                    before: report.before,
                    found: report.found,
                    gone: report.fixed,
                }),
                ..spent
            },
            Err(error) => Prediction {
                tier: self.models().pop().unwrap_or_default(),
                error: Some(Problem::of(&error)),
                ..spent
            },
        }
    }
}

/// The baseline of every comparison: one call with the whole schema and the question; nothing of ours helps it.
pub struct Plain {
    /// The models; the first one is asked.
    pub registry: Arc<ModelRegistry>,
    /// Makes the budget of a question.
    pub budget: Box<dyn Fn() -> Budget + Send + Sync>,
}

#[async_trait]
impl Mode for Plain {
    fn name(&self) -> &'static str {
        "plain"
    }

    fn models(&self) -> Vec<String> {
        self.registry.models.names().take(1).map(str::to_owned).collect()
    }

    async fn predict(&self, asked: &Asked<'_>) -> Prediction {
        let budget = (self.budget)();
        let started = Instant::now();
        let outcome = ask::plain(asked.database, &asked.question.text, &self.registry, &budget).await;
        let spent = Prediction::that_took(started.elapsed(), budget.spent());
        let tier = self.models().pop().unwrap_or_default();
        match outcome {
            Ok(sql) => Prediction {
                sql: Some(sql),
                tier,
                ..spent
            },
            Err(error) => Prediction {
                tier,
                error: Some(Problem::of(&error)),
                ..spent
            },
        }
    }
}

impl Prediction {
    /// What a question took, whatever came of it.
    fn that_took(elapsed: Duration, spent: Spent) -> Self {
        Self {
            model_calls: spent.calls,
            prompt_tokens: spent.usage.prompt_tokens,
            completion_tokens: spent.usage.completion_tokens,
            cost: spent.cost,
            elapsed,
            ..Self::default()
        }
    }
}
