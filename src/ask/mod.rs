//! From a question to a [`ValidatedSql`]: the stages in their order.
//!
//! Schema linking, subproblems, query plan and SQL ([`draft`]), then execution and validation, then correction
//! (`check`). No stage ever sees a right answer to compare with.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use tokio::sync::mpsc;

use crate::{backend::Backend, model::Purse, schema::Snapshot, statement::Mode, validator::ValidatedSql};

mod check;
mod draft;
mod error;
mod minds;
mod trace;

pub use error::AskError;
pub use minds::{EMBEDDED, Minds};
pub use trace::AgentRun;

use trace::Trace;

/// How long a question waits for a value index that is still being built.
const INDEX_WAIT: Duration = Duration::from_secs(2);

/// What a question is asked with.
#[derive(Debug, Clone)]
pub struct AskSettings {
    /// Who may answer.
    pub minds: Arc<Minds>,
    /// How they work together.
    pub mode: Mode,
    /// The tiers that may answer, cheapest first; empty for all of [`Minds::tiers`].
    pub tiers: Vec<String>,
    /// What the question may spend on models; a new one for each question.
    pub purse: Arc<Purse>,
    /// Corrections per question at most.
    pub max_attempts: usize,
    /// Below this confidence the question fails with `NL003`; 0 to 1.
    pub min_confidence: f64,
    /// Time for one question; zero means for ever.
    pub question_timeout: Duration,
    /// Where each run of an agent is told of as it ends.
    pub progress: Option<mpsc::Sender<AgentRun>>,
}

impl Default for AskSettings {
    /// The embedded agents, two corrections, 30 seconds.
    fn default() -> Self {
        Self {
            minds: Arc::default(),
            mode: Mode::Embedded,
            tiers: Vec::new(),
            purse: Arc::default(),
            max_attempts: 2,
            min_confidence: 0.0,
            question_timeout: Duration::from_secs(30),
            progress: None,
        }
    }
}

/// An answered question.
#[derive(Debug, Clone)]
pub struct Answer {
    /// What to run.
    pub sql: ValidatedSql,
    /// 0 to 1.
    pub confidence: f64,
    /// Which tier answered: `embedded`, or the name of a model.
    pub tier: String,
    /// Calls of a language model.
    pub model_calls: u64,
    /// Wall time spent.
    pub elapsed: Duration,
    /// The steps a person can check, for the `explain` action: `(step, detail)`.
    pub steps: Vec<(String, String)>,
    /// One entry per agent run, for the `trace` action.
    pub trace: Vec<AgentRun>,
    /// True if it would be another one, had every model been reached.
    pub degraded: bool,
}

/// Answers one question: schema linking, subproblems, query plan, SQL, validation, correction.
/// `$n` in the question stand for values bound later and stay parameters in the SQL.
/// Cancel safe: dropping the future stops the work.
pub async fn ask(database: &dyn Backend, question: &str, settings: &AskSettings) -> Result<Answer, AskError> {
    let work = answer(database, question, settings);
    if settings.question_timeout.is_zero() {
        return work.await;
    }
    match tokio::time::timeout(settings.question_timeout, work).await {
        Ok(answer) => answer,
        Err(_) => Err(AskError::Timeout(settings.question_timeout)),
    }
}

async fn answer(database: &dyn Backend, question: &str, settings: &AskSettings) -> Result<Answer, AskError> {
    let started = Instant::now();
    let snapshot = database.snapshot().await?;
    let mut trace = Trace {
        progress: settings.progress.clone(),
        ..Trace::default()
    };
    wait_for_values(&snapshot, &mut trace).await;
    let (snapshot, mut trace, draft) = off_the_runtime(question.to_owned(), snapshot, trace).await;
    let draft = draft?;
    let checked = check::check(database, &snapshot, draft, settings.max_attempts, &mut trace).await?;
    trace.step("sql", checked.sql.as_str());
    trace.step("confidence", format!("{:.2}", checked.confidence));
    if checked.confidence < settings.min_confidence {
        return Err(AskError::LowConfidence {
            confidence: checked.confidence,
            minimum: settings.min_confidence,
            sql: checked.sql.as_str().to_owned(),
        });
    }
    Ok(Answer {
        sql: checked.sql,
        confidence: checked.confidence,
        tier: EMBEDDED.to_owned(),
        model_calls: 0,
        elapsed: started.elapsed(),
        steps: trace.steps,
        trace: trace.runs,
        degraded: false,
    })
}

/// The embedded agents compute without waiting for anything, so they run on a blocking thread.
async fn off_the_runtime(
    question: String,
    snapshot: Snapshot,
    trace: Trace,
) -> (Snapshot, Trace, Result<draft::Draft, AskError>) {
    let work = move || {
        let mut trace = trace;
        let draft = draft::draft(&question, &snapshot, &mut trace);
        (snapshot, trace, draft)
    };
    let span = tracing::Span::current();
    match tokio::task::spawn_blocking(move || span.in_scope(work)).await {
        Ok(result) => result,
        Err(error) => std::panic::resume_unwind(error.into_panic()),
    }
}

/// A question that comes while the index is being built waits a little, then goes on with what there is.
async fn wait_for_values(snapshot: &Snapshot, trace: &mut Trace) {
    let deadline = Instant::now() + INDEX_WAIT;
    while !snapshot.values.progress().is_done() && Instant::now() < deadline {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    let progress = snapshot.values.progress();
    if !progress.is_done() {
        let detail = format!(
            "{} of {} columns are indexed so far",
            progress.columns_done, progress.columns_total
        );
        trace.step("value index", detail);
    }
}
