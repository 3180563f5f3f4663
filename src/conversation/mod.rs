//! What stands around a question in a session, whatever database is behind: its memory, its reports, its notices.

use std::time::Duration;

use tracing::info;

use crate::{
    ask::{AgentRun, Answer},
    error::{ClientError, SqlState},
    statement::{Action, Mode, Settings},
};

mod report;

pub use report::Report;

/// Longest question that is worked on, in bytes; far beyond what a person asks.
const LONGEST_QUESTION: usize = 10_000;

/// What the session remembers of its last question.
#[derive(Debug, Default)]
pub struct Conversation {
    question: Option<String>,
    sql: Option<String>,
    confidence: Option<f64>,
}

/// What one question of a statement has become.
#[derive(Debug)]
pub enum Part {
    /// SQL that answers it.
    Answer(crate::validator::ValidatedSql),
    /// Rows about it.
    Report(Report),
}

/// Why a question is not asked at all.
#[derive(Debug, thiserror::Error)]
pub enum ConversationError {
    /// It is longer than anybody asks.
    #[error("a question of {0} bytes is too long")]
    TooLong(usize),
    /// There was no question before.
    #[error("there is no question yet to {0}")]
    NothingAsked(&'static str),
    /// Nobody can change the last question.
    #[error("the built-in agents cannot refine a question")]
    CannotRefine {
        /// The last question.
        last: String,
    },
    /// The session asks for models that are not there.
    #[error("no model answered")]
    NoModel {
        /// What asks for them.
        setting: String,
    },
}

impl ClientError for ConversationError {
    fn sqlstate(&self) -> SqlState {
        SqlState::new(match self {
            Self::TooLong(_) => "54000",
            Self::NothingAsked(_) | Self::CannotRefine { .. } => "NL001",
            Self::NoModel { .. } => "NL004",
        })
    }

    fn detail(&self) -> Option<String> {
        match self {
            Self::CannotRefine { last } => Some(format!("The last question was: {last}")),
            Self::NoModel { setting } => Some(format!(
                "{setting} asks for a language model, and none is configured."
            )),
            Self::TooLong(_) | Self::NothingAsked(_) => None,
        }
    }

    fn hint(&self) -> Option<String> {
        Some(match self {
            Self::TooLong(_) => format!("Ask in at most {LONGEST_QUESTION} bytes."),
            Self::NothingAsked("refine") => "Ask a whole question first.".into(),
            Self::NothingAsked(_) => "Ask a question first, in this session.".into(),
            Self::CannotRefine { .. } => "Ask the whole question again with the change in it.".into(),
            Self::NoModel { .. } => "SET querent.mode = embedded, and RESET querent.tiers.".into(),
        })
    }
}

impl Conversation {
    /// Whether these words can be asked with these settings.
    pub fn check(&self, action: Action, words: &str, settings: &Settings) -> Result<(), ConversationError> {
        if words.len() > LONGEST_QUESTION {
            return Err(ConversationError::TooLong(words.len()));
        }
        if action == Action::Refine {
            return Err(match &self.question {
                None => ConversationError::NothingAsked("refine"),
                Some(last) => ConversationError::CannotRefine { last: last.clone() },
            });
        }
        check_tiers(settings)
    }

    /// Remembers an answer, and makes of it what the action wants.
    pub fn answered(&mut self, action: Action, words: &str, answer: &Answer) -> Part {
        *self = Self {
            question: Some(words.to_owned()),
            sql: Some(answer.sql.as_str().to_owned()),
            confidence: Some(answer.confidence),
        };
        match action {
            Action::Sql => Part::Report(report::sql(answer)),
            Action::Explain => Part::Report(report::explain(answer)),
            Action::Trace => Part::Report(report::trace(answer)),
            _ => Part::Answer(answer.sql.clone()),
        }
    }

    /// `good`, `bad`, `fix`, `reset`: the status that is told.
    pub fn feedback(&mut self, action: Action, words: &str) -> Result<String, ConversationError> {
        if action == Action::Reset {
            *self = Self::default();
            return Ok("the conversation is forgotten".to_owned());
        }
        let (Some(question), Some(sql)) = (&self.question, &self.sql) else {
            return Err(ConversationError::NothingAsked("give feedback on"));
        };
        info!(feedback = action.name(), %question, %sql, text = words, "feedback");
        let what = match action {
            Action::Good => "confirmed",
            Action::Bad => "rejected",
            _ => "corrected",
        };
        Ok(format!("{what} in the server's log: {question}"))
    }

    /// `SHOW querent.…` of what a session can only be asked; `None` for its settings.
    pub fn show(&self, name: &str) -> Option<String> {
        Some(match name {
            "last_sql" => self.sql.clone().unwrap_or_default(),
            "last_confidence" => self
                .confidence
                .map(|confidence| format!("{confidence:.2}"))
                .unwrap_or_default(),
            "version" => env!("CARGO_PKG_VERSION").to_owned(),
            _ => return None,
        })
    }
}

/// There is one tier so far; who asks for others alone is told so.
fn check_tiers(settings: &Settings) -> Result<(), ConversationError> {
    if matches!(settings.mode, Mode::Single | Mode::Sot) {
        let setting = format!("querent.mode = {}", settings.mode.name());
        return Err(ConversationError::NoModel { setting });
    }
    if !settings.tiers.is_empty() && !settings.tiers.iter().any(|tier| tier == "embedded") {
        let setting = format!("querent.tiers = {}", settings.tiers.join(", "));
        return Err(ConversationError::NoModel { setting });
    }
    Ok(())
}

/// The notice with the SQL of an answer.
pub fn notice(answer: &Answer) -> String {
    format!(
        "nl: {} (confidence {:.2}, {}, {})",
        answer.sql.as_str(),
        answer.confidence,
        answer.tier,
        show_time(answer.elapsed)
    )
}

/// The notice of an agent that has run.
pub fn notice_of_run(run: &AgentRun) -> String {
    format!("nl: {} ({}, {})", run.agent, run.outcome, show_time(run.elapsed))
}

/// Milliseconds, in as many digits as say something.
fn show_time(time: Duration) -> String {
    let milliseconds = time.as_secs_f64() * 1_000.0;
    if milliseconds < 10.0 {
        format!("{milliseconds:.1} ms")
    } else {
        format!("{milliseconds:.0} ms")
    }
}
