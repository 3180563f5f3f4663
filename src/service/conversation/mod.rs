//! What stands around a question in a session, whatever database is behind: its memory, its reports, its notices.

use std::{sync::Arc, time::Duration};

use tracing::{debug, info};

use crate::{
    config::{AuthMode, ConsoleRole},
    error::{ClientError, SqlState},
    question::{
        ask::{AgentRun, Answer, EMBEDDED, Judgement, Vote},
        schema::{Dialect, Schema},
        validator,
    },
    service::audit::{Feedback, Who},
    statement::Action,
};

mod answers;
mod feed;
mod flow;
mod lessons;
mod meanings;
mod model_views;
mod recorder;
mod registry;
mod report;
mod service_state;
mod stand_in;

pub use answers::{Answers, CachePolicy, CacheRequest, CacheScope};
pub use feed::{Feed, FeedEvent, Question, Run, is_tellable};
pub use flow::{Host, RUNS_UNTOLD, ReportedError, ask};
pub use lessons::{Corrected, Lessons, learned, number, read_change};
pub use meanings::{check_meaning, meanings};
pub use model_views::model_view;
pub use recorder::Recorder;
pub use registry::{models, registry};
pub use report::{Report, columns};
pub use service_state::{ConfigSnapshot, ServiceState, Teaching};
pub use stand_in::stand_ins;

/// Longest question that is worked on, in bytes; far beyond what a person asks.
const LONGEST_QUESTION: usize = 10_000;

/// How somebody gets a model.
const CONFIGURE: &str = "Give the server a [[model]] in its configuration or --model SPEC, such as openai:NAME or \
                         ollama:NAME; SET querent.mode = adaptive does without.";

/// What the session remembers of its last question.
#[derive(Debug, Default)]
pub struct Conversation {
    question: Option<String>,
    sql: Option<String>,
    confidence: Option<f64>,
    /// Who answered what.
    votes: Vec<Vote>,
    /// What the SQL reads, and whose it is.
    schema: Option<(Arc<Schema>, Dialect)>,
}

/// What one question of a statement has become.
#[derive(Debug)]
#[expect(clippy::large_enum_variant, reason = "there are few of them at a time")]
pub enum Part {
    /// SQL that answers it.
    Answer(crate::question::validator::ValidatedSql),
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
    /// What is said of an answer stands alone.
    #[error("nl {} cannot be part of a larger statement", .0.name())]
    NotAlone(Action),
    /// Nobody can change the last question.
    #[error("the built-in agents cannot refine a question")]
    CannotRefine {
        /// The last question.
        last: String,
    },
    /// The session's mode needs a model, and its tiers have none.
    #[error("no model answered")]
    NoModel {
        /// The mode.
        mode: &'static str,
        /// True if there are models, which the tiers do not name.
        configured: bool,
    },
    /// A tier that is none.
    #[error("invalid value for parameter \"querent.tiers\": \"{tier}\"")]
    UnknownTier {
        /// What the session has for a tier.
        tier: String,
        /// Those that there are.
        known: Vec<String>,
    },
    /// Who may ask what has changed since a question was prepared.
    #[error("the access policy has changed since this question was prepared")]
    Outdated,
    /// Who may ask what has changed while a question was worked on.
    #[error("the access policy has changed while this question was answered")]
    Overtaken,
}

impl ClientError for ConversationError {
    fn sqlstate(&self) -> SqlState {
        SqlState::new(match self {
            Self::TooLong(_) => "54000",
            Self::NothingAsked(_) | Self::CannotRefine { .. } => "NL001",
            Self::NoModel { .. } => "NL004",
            Self::UnknownTier { .. } => "22023",
            Self::NotAlone(_) | Self::Outdated => "0A000",
            Self::Overtaken => "40001",
        })
    }

    fn detail(&self) -> Option<String> {
        match self {
            Self::CannotRefine { last } => Some(format!("The last question was: {last}")),
            Self::NoModel {
                mode,
                configured: false,
            } => Some(format!(
                "querent.mode = {mode} asks for a language model, and none is configured."
            )),
            Self::NoModel { mode, .. } => Some(format!(
                "querent.mode = {mode} asks for a language model, and querent.tiers names none."
            )),
            Self::UnknownTier { .. }
            | Self::TooLong(_)
            | Self::NothingAsked(_)
            | Self::NotAlone(_)
            | Self::Outdated
            | Self::Overtaken => None,
        }
    }

    fn hint(&self) -> Option<String> {
        Some(match self {
            Self::TooLong(_) => format!("Ask in at most {LONGEST_QUESTION} bytes."),
            Self::NothingAsked("refine") => {
                "Ask a whole question: the built-in agents cannot refine one.".into()
            }
            Self::NothingAsked(_) => "Ask a question first, in this session.".into(),
            Self::CannotRefine { .. } => "Ask the whole question again with the change in it.".into(),
            Self::NoModel {
                configured: false, ..
            } => CONFIGURE.into(),
            Self::NoModel { .. } => "RESET querent.tiers, or add the name of a model to it.".into(),
            Self::UnknownTier { known, .. } if known.len() > 1 => {
                format!("Available tiers: {}.", known.join(", "))
            }
            Self::NotAlone(_) => "Send it as a statement of its own.".into(),
            Self::Outdated => "Prepare it again.".into(),
            Self::Overtaken => "Ask again.".into(),
            Self::UnknownTier { .. } => format!("Only embedded is available. {CONFIGURE}"),
        })
    }
}

impl Conversation {
    /// Whether these words can be asked.
    pub fn check(&self, action: Action, words: &str) -> Result<(), ConversationError> {
        if words.len() > LONGEST_QUESTION {
            return Err(ConversationError::TooLong(words.len()));
        }
        if action == Action::Refine {
            return Err(match &self.question {
                None => ConversationError::NothingAsked("refine"),
                Some(last) => ConversationError::CannotRefine { last: last.clone() },
            });
        }
        Ok(())
    }

    /// Remembers an answer, and makes of it what the action wants.
    pub fn answered(&mut self, action: Action, words: &str, answer: &Answer) -> Part {
        *self = Self {
            question: Some(words.to_owned()),
            sql: Some(answer.sql.as_str().to_owned()),
            confidence: Some(answer.confidence),
            votes: answer.votes.clone(),
            schema: Some(answer.schema.clone()),
        };
        match report::about(action, answer) {
            Some(report) => Part::Report(report),
            None => Part::Answer(answer.sql.clone()),
        }
    }

    /// `good`, `bad`, `fix`, `reset`: the status that is told.
    pub fn feedback(
        &mut self,
        action: Action,
        words: &str,
        who: &Who,
        service: &ServiceState,
    ) -> Result<String, ConversationError> {
        if action == Action::Reset {
            *self = Self::default();
            return Ok("the conversation is forgotten".to_owned());
        }
        let (Some(question), Some(sql)) = (&self.question, &self.sql) else {
            return Err(ConversationError::NothingAsked("give feedback on"));
        };
        info!(feedback = action.name(), "feedback");
        debug!(feedback = action.name(), %question, %sql, text = words, "feedback in words");
        // What is no answer to anything says nothing against one.
        let is_heard = action != Action::Fix || self.is_corrected_by(words);
        if is_heard {
            let judgement = Judgement {
                user: &who.user,
                teaches: self.teaches(who, service),
                question,
                sql,
                right: action == Action::Good,
            };
            service
                .config()
                .skills
                .judged(&who.database, &self.votes, judgement);
        }
        if let (Action::Fix, Some((schema, dialect))) = (action, &self.schema) {
            service.config().lessons.note(Corrected {
                database: &who.database,
                source: "fix",
                code: None,
                before: sql,
                after: words,
                schema,
                dialect: *dialect,
            });
        }
        let recorded = service.audit.feedback(Feedback {
            who,
            action: action.name(),
            question,
            sql,
            text: words,
        });
        let what = match action {
            Action::Good => "confirmed",
            Action::Bad => "rejected",
            Action::Fix => "corrected",
            Action::Run | Action::Sql | Action::Explain | Action::Trace | Action::Refine | Action::Reset => {
                unreachable!("this is feedback, and reset is done")
            }
        };
        let place = if recorded {
            "in the audit"
        } else {
            "and not kept, as the audit is off"
        };
        let told = format!("{what} {place}: {question}");
        Ok(if is_heard {
            told
        } else {
            format!("{told}; it teaches nothing, as it is no other query of this schema")
        })
    }

    /// Whether this is SQL that could have been answered with, and another one.
    fn is_corrected_by(&self, words: &str) -> bool {
        let Some((schema, dialect)) = &self.schema else {
            return false;
        };
        let right = validator::validate(words, schema, *dialect);
        right.is_ok_and(|right| self.sql.as_deref() != Some(right.as_str()))
    }

    /// Whether one's word counts for everybody, here as in the console: a name is believed where it was proven.
    fn teaches(&self, who: &Who, service: &ServiceState) -> bool {
        if service.teaches_here(who.session) {
            return true;
        }
        let settings = service.settings();
        let is_server = matches!(&self.schema, Some((_, Dialect::Postgres)));
        let is_proven = is_server || settings.auth.mode == AuthMode::Scram;
        is_proven && settings.console.has_role(&who.user, ConsoleRole::Teach)
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

/// The notice with the SQL of an answer.
pub fn notice(answer: &Answer) -> String {
    let remarks = answer.remarks().map(|told| format!("; {told}"));
    format!(
        "nl: {} (confidence {:.2}, {}, {}){}",
        answer.sql.as_str(),
        answer.confidence,
        answer.tier,
        show_time(answer.elapsed),
        remarks.collect::<String>()
    )
}

/// The notice of an agent that has run.
pub fn notice_of_run(run: &AgentRun) -> String {
    let model = if run.model == EMBEDDED {
        String::new()
    } else {
        format!("{}, ", run.model)
    };
    let time = show_time(run.elapsed);
    format!("nl: {} ({model}{}, {time})", run.agent, run.outcome)
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
