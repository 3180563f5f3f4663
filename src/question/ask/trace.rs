//! What every agent did: kept for the `trace` action.

use std::{
    sync::{Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use tokio::sync::mpsc;

use super::EMBEDDED;
use crate::question::schema::HiddenNames;

/// One run of one agent.
#[derive(Debug, Clone)]
pub struct AgentRun {
    /// The agent: `schema_linking`, `subproblems`, `query_plan`, `sql`, `single`, `validation`, `optimiser`, `correction_plan`,
    /// `correction_sql`.
    pub agent: &'static str,
    /// The model that served it, or `embedded`.
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
    /// What it was told; empty for an embedded agent.
    pub prompt: String,
    /// What it said.
    pub output: String,
    /// True if it names a private column or may hold a value of one: only the one who asked may see it.
    pub private: bool,
}

impl AgentRun {
    /// True for a run of the embedded agents that is about what another has written: a check, a repair, a cheaper form.
    pub fn is_about_another(&self) -> bool {
        self.model == EMBEDDED
            && matches!(
                self.agent,
                "validation" | "optimiser" | "correction_plan" | "correction_sql"
            )
    }

    /// A part of it for those who did not ask.
    pub fn public<'a>(&'a self, part: &'a str) -> &'a str {
        if self.private { "(private)" } else { part }
    }
}

/// The runs so far, and the steps for people. Shared by agents that work at the same time.
#[derive(Debug, Default)]
pub(super) struct Trace {
    noted: Mutex<Noted>,
    /// Who wants to hear of each run at once.
    progress: Option<mpsc::Sender<AgentRun>>,
    private: HiddenNames,
}

/// What a trace holds.
#[derive(Debug, Default)]
pub(super) struct Noted {
    pub(super) runs: Vec<AgentRun>,
    pub(super) steps: Vec<(String, String)>,
}

impl Trace {
    pub(super) fn new(progress: Option<mpsc::Sender<AgentRun>>, private: HiddenNames) -> Self {
        Self {
            noted: Mutex::default(),
            progress,
            private,
        }
    }

    /// Notes what an embedded agent did in an attempt since `started`; `private` where it looked at a private column, of which
    /// what it says may hold a value.
    pub(super) fn embedded(
        &self,
        agent: &'static str,
        (attempt, started): (usize, Instant),
        result: Result<String, String>,
        private: bool,
    ) {
        let (outcome, output) = match result {
            Ok(output) => ("ok".to_owned(), output),
            Err(reason) => (reason, String::new()),
        };
        self.ran(AgentRun {
            agent,
            model: EMBEDDED.to_owned(),
            attempt,
            elapsed: started.elapsed(),
            prompt_tokens: 0,
            completion_tokens: 0,
            outcome,
            prompt: String::new(),
            output,
            private,
        });
    }

    /// Notes a run.
    pub(super) fn ran(&self, run: AgentRun) {
        let run = AgentRun {
            private: run.private || self.private.is_in(&run.output) || self.private.is_in(&run.outcome),
            ..run
        };
        tracing::debug!(
            agent = run.agent,
            model = run.model,
            attempt = run.attempt,
            outcome = run.public(&run.outcome),
            output = run.public(&run.output),
            "agent"
        );
        if let Some(progress) = &self.progress {
            // Nobody waits for a listener that is slow or gone.
            let _ = progress.try_send(run.clone());
        }
        self.noted().runs.push(run);
    }

    /// Adds a step that a person can check.
    pub(super) fn step(&self, step: &str, detail: impl Into<String>) {
        self.noted().steps.push((step.to_owned(), detail.into()));
    }

    /// The detail of a step that was noted.
    pub(super) fn detail_of(&self, step: &str) -> Option<String> {
        let noted = self.noted();
        let found = noted.steps.iter().find(|(known, _)| known == step);
        found.map(|(_, detail)| detail.clone())
    }

    /// All that was noted; the trace is empty afterwards.
    pub(super) fn take(&self) -> Noted {
        std::mem::take(&mut self.noted())
    }

    fn noted(&self) -> MutexGuard<'_, Noted> {
        // Each note is one push, so a panicking writer does not spoil them.
        self.noted.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
