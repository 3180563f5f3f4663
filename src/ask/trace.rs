//! What every agent did: kept for the `trace` action.

use std::time::{Duration, Instant};

use tokio::sync::mpsc;

/// One run of one agent.
#[derive(Debug, Clone)]
pub struct AgentRun {
    /// The agent: `schema_linking`, `subproblems`, `query_plan`, `sql`, `validation`, `correction_plan`,
    /// `correction_sql`.
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

/// The runs so far, and the steps for people.
#[derive(Debug, Default)]
pub(super) struct Trace {
    pub(super) runs: Vec<AgentRun>,
    pub(super) steps: Vec<(String, String)>,
    /// Who wants to hear of each run at once.
    pub(super) progress: Option<mpsc::Sender<AgentRun>>,
}

impl Trace {
    /// Notes what an embedded agent did since `started`.
    pub(super) fn embedded(
        &mut self,
        agent: &'static str,
        attempt: usize,
        started: Instant,
        result: Result<String, String>,
    ) {
        let (outcome, output) = match result {
            Ok(output) => ("ok".to_owned(), output),
            Err(reason) => (reason, String::new()),
        };
        tracing::debug!(agent, attempt, outcome, output, "agent");
        let run = AgentRun {
            agent,
            model: "embedded".into(),
            attempt,
            elapsed: started.elapsed(),
            prompt_tokens: 0,
            completion_tokens: 0,
            outcome,
            output,
        };
        if let Some(progress) = &self.progress {
            // Nobody waits for a listener that is slow or gone.
            let _ = progress.try_send(run.clone());
        }
        self.runs.push(run);
    }

    /// Adds a step that a person can check.
    pub(super) fn step(&mut self, step: &str, detail: impl Into<String>) {
        self.steps.push((step.to_owned(), detail.into()));
    }
}
