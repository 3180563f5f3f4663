//! What the agents did for each question, told to whom the configuration names: a file of JSON lines, and a collector
//! of OpenTelemetry. No session ever waits for either.

use std::{
    io,
    path::PathBuf,
    sync::atomic::{AtomicU64, Ordering},
    time::{Duration, SystemTime},
};

use crate::config::TraceSettings;

mod export;
mod log;
mod spans;

use log::TraceLog;
use spans::{QuestionSpan, Spans};

/// Where the agents' runs are told of.
#[derive(Debug, Default)]
pub struct Traces {
    log: Option<TraceLog>,
    spans: Option<Spans>,
    /// Whether prompts are told too.
    prompts: bool,
    /// Whether texts are left out.
    redact: bool,
    /// Questions so far.
    questions: AtomicU64,
}

/// One run of one agent, as far as it is told of.
#[derive(Debug, Clone, Copy)]
pub struct Run<'a> {
    /// The agent's name.
    pub agent: &'a str,
    /// The model that served it; `None` for an embedded agent.
    pub model: Option<&'a str>,
    /// Which attempt, from 1.
    pub attempt: usize,
    /// Wall time; it has just ended.
    pub elapsed: Duration,
    /// Tokens read.
    pub prompt_tokens: u64,
    /// Tokens written.
    pub completion_tokens: u64,
    /// `ok`, or what went wrong.
    pub outcome: &'a str,
    /// What it was told.
    pub prompt: &'a str,
    /// What it said.
    pub output: &'a str,
}

/// How a question ended.
#[derive(Debug, Clone, Copy)]
pub struct Ending<'a> {
    /// As [`super::metrics::Outcome::name`] has it.
    pub outcome: &'a str,
    /// What the client was told; empty for an answer.
    pub sqlstate: &'a str,
    /// Who answered, or tried last.
    pub tier: &'a str,
    /// From 0 to 1; of an answer.
    pub confidence: Option<f64>,
    /// Calls of models.
    pub model_calls: u64,
}

/// A question that is being told of. Dropped without an ending, it was abandoned.
#[derive(Debug)]
pub struct QuestionTrace<'a> {
    traces: &'a Traces,
    /// Its number, by which lines of the same question are known.
    number: u64,
    session: u64,
    question: &'a str,
    span: Option<QuestionSpan>,
}

/// Why traces cannot be told.
#[derive(Debug, thiserror::Error)]
pub enum TraceError {
    /// The file cannot be written.
    #[error("trace_log {path} cannot be written: {reason}", path = path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// Why.
        reason: io::Error,
    },
    /// The collector's address or the client is of no use.
    #[error("otlp_endpoint is of no use: {0}")]
    Collector(String),
}

impl Traces {
    /// Opens what the settings name. Needs a runtime, on which spans are sent.
    pub fn start(settings: &TraceSettings) -> Result<Self, TraceError> {
        Ok(Self {
            log: settings.log.as_deref().map(TraceLog::start).transpose()?,
            spans: settings.otlp_endpoint.as_deref().map(Spans::start).transpose()?,
            prompts: settings.prompts,
            redact: settings.redact,
            questions: AtomicU64::new(0),
        })
    }

    /// A session's question; `None` where nobody wants to hear of it.
    pub fn question<'a>(&'a self, session: u64, question: &'a str) -> Option<QuestionTrace<'a>> {
        if self.log.is_none() && self.spans.is_none() {
            return None;
        }
        Some(QuestionTrace {
            traces: self,
            number: self.questions.fetch_add(1, Ordering::Relaxed) + 1,
            session,
            question,
            span: self.spans.as_ref().map(|spans| spans.question(session)),
        })
    }

    /// Whether questions, prompts, literals and what models say are to be left out by who tells of them.
    pub fn redact(&self) -> bool {
        self.redact
    }

    /// Writes to the file that is there now, after the old one was moved away.
    pub fn reopen(&self) {
        if let Some(log) = &self.log {
            log.reopen();
        }
    }

    /// Tells all that waits to be told, for some seconds at most. What comes later is lost.
    pub async fn finish(&self) {
        if let Some(log) = &self.log {
            log.finish().await;
        }
        if let Some(spans) = &self.spans {
            spans.finish().await;
        }
    }
}

impl QuestionTrace<'_> {
    /// An agent has run.
    pub fn ran(&self, run: &Run<'_>) {
        let now = SystemTime::now();
        if let Some(log) = &self.traces.log {
            log.write(&log::Line::new(self, run, now, self.traces.prompts));
        }
        if let Some(span) = &self.span {
            span.ran(run, now);
        }
    }

    /// The question has come to its end.
    pub fn end(self, ending: &Ending<'_>) {
        if let Some(span) = self.span {
            span.end(ending);
        }
    }
}
