//! From a question to a [`ValidatedSql`]: the stages in their order.
//!
//! Schema linking, subproblems, query plan and SQL, by embedded agents (`embedded`) or by models (`agents`); then
//! execution and validation (`candidate`) and correction. `modes` has the orders in which they work. No stage
//! sees a right answer to compare with, unless an evaluation brings an [`Oracle`].

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use async_trait::async_trait;
use tokio::sync::mpsc;

use crate::{
    backend::Backend,
    question::{
        model::Budget,
        ossie::{Meaning, Understood},
        schema::{Dialect, Schema, Snapshot},
        validator::{Code, KeptIntent, Subtype, ValidatedSql},
    },
    statement::Mode,
};

mod agents;
mod candidate;
mod confidence;
mod doubts;
mod embedded;
mod ensemble;
mod error;
mod kind;
mod meaning;
mod modes;
mod optimiser;
mod plain;
mod prior;
mod prompt_context;
mod redacted_view;
mod registry;
mod rights;
mod skill;
mod ties;
mod trace;
mod vote;
mod work;

pub use candidate::RepairReport;
pub use error::{AskError, Tried};
pub use kind::QuestionKind;
pub use plain::plain;
pub use prior::{is_small, prior};
pub use registry::{EMBEDDED, ModelRegistry};
pub use skill::{EvidenceSource, Judgement, Skills, Tally, TallyKey, Vote};
pub use ties::Ranked;
pub use trace::AgentRun;

use ensemble::Chosen;
use redacted_view::RedactedView;
use trace::Trace;
use work::Work;

/// What a question is asked with.
#[derive(Debug, Clone)]
pub struct AskSettings {
    /// Who may answer.
    pub registry: Arc<ModelRegistry>,
    /// What the database means.
    pub meaning: Arc<Meaning>,
    /// How good authors have turned out to be.
    pub skills: Arc<Skills>,
    /// The errors that people have accepted beside the built-in ones.
    pub learned: Arc<[Subtype]>,
    /// What the database is called among those of [`AskSettings::skills`].
    pub database: String,
    /// Who asks; empty for nobody whose words were ever heard.
    pub user: String,
    /// How they work together.
    pub mode: Mode,
    /// The tiers that may answer, cheapest first; empty for all of [`ModelRegistry::tiers`].
    pub tiers: Vec<String>,
    /// What is told beside the question to explain it.
    pub hint: Option<String>,
    /// What the question may spend on models; a new one for each question.
    pub budget: Arc<Budget>,
    /// Corrections per question at most.
    pub max_attempts: usize,
    /// Below this confidence the question fails with `NL003`; 0 to 1.
    pub min_confidence: f64,
    /// Time for one question; zero means for ever.
    pub question_timeout: Duration,
    /// Answers whose trial run takes this long are looked at for cheaper SQL; zero for none.
    pub optimise_from: Duration,
    /// Where each run of an agent is told of as it ends.
    pub progress: Option<mpsc::Sender<AgentRun>>,
}

impl Default for AskSettings {
    /// The embedded agents, two corrections, 30 seconds.
    fn default() -> Self {
        Self {
            registry: Arc::default(),
            meaning: Arc::default(),
            skills: Arc::default(),
            learned: Arc::from([]),
            database: String::new(),
            user: String::new(),
            mode: Mode::Embedded,
            tiers: Vec::new(),
            hint: None,
            budget: Arc::default(),
            max_attempts: 2,
            min_confidence: 0.0,
            question_timeout: Duration::from_secs(30),
            optimise_from: Duration::from_millis(100),
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
    /// What repairs did to it, where something was to be repaired.
    pub repair_report: Option<RepairReport>,
    /// What its author wrote before, and why that did not do.
    pub failed: Vec<(String, Code)>,
    /// The schema that it reads, and whose SQL it is.
    pub schema: (Arc<Schema>, Dialect),
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
    /// True if the same question had been answered before, and nothing was done for this one.
    pub cached: bool,
    /// How those who proposed something came off.
    pub votes: Vec<Vote>,
    /// Its ranking, for [`Self::with_ties`].
    pub ranked: Option<Ranked>,
    /// How long its trial run took, where the optimiser calls that slow.
    pub slow: Option<Duration>,
}

impl Answer {
    /// Which day stands for today, where the data ended long ago and the answer hangs on it: it is told with the answer.
    pub fn counted_from(&self) -> Option<&str> {
        let mut steps = self.steps.iter();
        let told = steps.find(|(step, _)| step == embedded::COUNTED_FROM);
        told.filter(|_| self.tier == EMBEDDED)
            .map(|(_, told)| told.as_str())
    }

    /// How many more rows are as good as the last of a ranking, where [`Self::with_ties`] found any.
    pub fn tied(&self) -> Option<&str> {
        let mut steps = self.steps.iter();
        let told = steps.find(|(step, _)| step == ties::TIED);
        told.map(|(_, told)| told.as_str())
    }

    /// What is told with the answer beside its SQL: [`Self::counted_from`] and [`Self::tied`].
    pub fn remarks(&self) -> impl Iterator<Item = &str> {
        self.counted_from().into_iter().chain(self.tied())
    }
}

/// Answers one question: schema linking, subproblems, query plan, SQL, validation, correction.
/// `$n` in the question stand for values bound later and stay parameters in the SQL.
/// Cancel safe: dropping the future stops the work.
pub async fn ask(database: &dyn Backend, question: &str, settings: &AskSettings) -> Result<Answer, AskError> {
    in_time(answer(database, question, settings, None), settings).await
}

/// Tells whether SQL gives the right rows.
#[async_trait]
pub trait Oracle: Send + Sync {
    /// True for the right rows.
    async fn is_right(&self, sql: &ValidatedSql) -> bool;
}

/// As [`ask`], with somebody who knows the right answer and says after each attempt of mode `sot` whether to go on, as
/// the papers have it. Only an evaluation can ask so.
pub async fn ask_with_oracle(
    database: &dyn Backend,
    question: &str,
    settings: &AskSettings,
    oracle: &dyn Oracle,
) -> Result<Answer, AskError> {
    in_time(answer(database, question, settings, Some(oracle)), settings).await
}

async fn in_time(
    work: impl Future<Output = Result<Answer, AskError>>,
    settings: &AskSettings,
) -> Result<Answer, AskError> {
    if settings.question_timeout.is_zero() {
        return work.await;
    }
    match tokio::time::timeout(settings.question_timeout, work).await {
        Ok(answer) => answer,
        Err(_) => Err(AskError::Timeout(settings.question_timeout)),
    }
}

async fn answer(
    database: &dyn Backend,
    question: &str,
    settings: &AskSettings,
    oracle: Option<&dyn Oracle>,
) -> Result<Answer, AskError> {
    let started = Instant::now();
    let snapshot = database.snapshot().await?;
    let understood = understand(settings, snapshot).await;
    // With the keys that the model's files tell of.
    let snapshot = understood.snapshot.clone();
    let told = RedactedView::of(&understood, settings.registry.values);
    let work = Work {
        database,
        question,
        private: rights::private_claims(question, &snapshot),
        meant: None,
        snapshot,
        understood,
        trace: Arc::new(Trace::new(settings.progress.clone(), told.private())),
        told,
        settings,
        oracle,
        intent: KeptIntent::new(),
    };
    work.wait_for_values().await;
    let work = Work {
        meant: rights::meant(&work).await?,
        ..work
    };
    match finish(&work).await {
        Err(error) if error.needs_help() => Err(error.helped(embedded::help(&work).await)),
        Err(error) => Err(error),
        Ok(answer) => Ok(Answer {
            elapsed: started.elapsed(),
            ..answer
        }),
    }
}

/// What the database means to whoever asks; worked out by the first question after a change.
async fn understand(settings: &AskSettings, snapshot: Snapshot) -> Arc<Understood> {
    if let Some(known) = settings.meaning.known(&snapshot) {
        return known;
    }
    let meaning = Arc::clone(&settings.meaning);
    work::off_the_runtime(move || meaning.of(&snapshot)).await
}

/// Answers as the mode says.
async fn finish(work: &Work<'_>) -> Result<Answer, AskError> {
    let settings = work.settings;
    let chosen = match settings.mode {
        Mode::Embedded => modes::embedded(work).await,
        Mode::Single => modes::single(work).await,
        Mode::Sot => modes::sot(work).await,
        Mode::Adaptive => modes::adaptive(work).await,
    }?;
    // What is not answered with need not be cheap.
    let chosen = if chosen.confidence < settings.min_confidence {
        chosen
    } else {
        optimiser::optimise(work, chosen).await
    };
    let ranked = ties::ranked(work, &chosen);
    let effort = &chosen.trial.effort;
    let is_slow = optimiser::is_slow(effort, settings.optimise_from, work.snapshot.dialect);
    let slow = (is_slow && effort.run).then_some(effort.elapsed);
    let Chosen {
        sql,
        written: _,
        trial: _,
        author,
        repair_report,
        failed,
        confidence,
        basis,
        degraded,
        votes,
    } = chosen;
    if confidence < settings.min_confidence {
        return Err(AskError::LowConfidence {
            confidence,
            minimum: settings.min_confidence,
            sql: sql.as_str().to_owned(),
            reading: work.trace.detail_of(embedded::READING),
            help: None,
        });
    }
    work.note_unknown_values(&sql);
    work.note_definitions(&sql);
    work.trace.step("sql", sql.as_str());
    work.trace.step("confidence", format!("{confidence:.2}: {basis}"));
    let noted = work.trace.take();
    Ok(Answer {
        sql,
        confidence,
        tier: author,
        repair_report,
        failed,
        schema: (Arc::clone(&work.snapshot.schema), work.snapshot.dialect),
        model_calls: settings.budget.spent().calls,
        elapsed: Duration::ZERO,
        steps: noted.steps,
        trace: noted.runs,
        degraded,
        cached: false,
        votes,
        ranked,
        slow,
    })
}
