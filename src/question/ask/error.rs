//! Why a question has no answer, as the client reads it.

use std::time::Duration;

use crate::{
    backend::BackendError,
    error::{ClientError, Fault, SqlState, length_of},
    question::{embedded::Suggestion, validator::withheld_message},
};

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
pub enum AskError {
    /// `NL001`: the question could not be mapped to the schema.
    #[error("the question could not be mapped to this database")]
    NotUnderstood {
        /// The words that were not understood, as the question has them.
        words: Vec<String>,
        /// What stood in the way.
        reason: String,
        /// What was understood, and what could be asked.
        help: Option<String>,
    },
    /// `NL002`: more than one reading is well supported.
    #[error("the question is ambiguous")]
    Ambiguous {
        /// The readings to choose from, each with its SQL: `words: SQL`.
        readings: Vec<String>,
    },
    /// `NL003`: below the confidence asked for.
    #[error("confidence {:.2} is below querent.min_confidence {minimum:.2}", floored(*confidence))]
    LowConfidence {
        /// The confidence of the SQL.
        confidence: f64,
        /// The setting.
        minimum: f64,
        /// The SQL.
        sql: String,
        /// What it answers, in words, where the embedded agents read the question so.
        reading: Option<String>,
        /// What was understood, and what could be asked.
        help: Option<String>,
    },
    /// `NL004`: no model answered.
    #[error("no model answered")]
    NoModel {
        /// Each model that was tried; none where none is configured.
        tried: Vec<Tried>,
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
        /// What was understood, and what could be asked.
        help: Option<String>,
    },
    /// What it asks for may not be read by who asks (42501).
    #[error("{}", withheld_message(user, &names.iter().map(String::as_str).collect::<Vec<_>>()))]
    Withheld {
        /// Who asks; empty for nobody in particular.
        user: String,
        /// The words of the question that stand for it; none where it follows from the whole.
        words: Vec<String>,
        /// What it is, where the user may know that.
        names: Vec<String>,
    },
    /// The policy forbids it (42501).
    #[error("{message}")]
    Forbidden {
        /// Which rule.
        message: String,
        /// The SQL.
        sql: String,
        /// What would help, where something does.
        hint: Option<String>,
    },
    /// Its SQL goes beyond what one question may become (54000).
    #[error("{message}")]
    OverLimit {
        /// Which limit.
        message: String,
        /// The SQL.
        sql: String,
    },
    /// The time for the question was spent (57014).
    #[error("the question took longer than {}", length_of(*_0))]
    Timeout(Duration),
    /// The database failed on its own account.
    #[error(transparent)]
    Backend(#[from] BackendError),
}

/// To two digits, and not up to what it is below.
fn floored(confidence: f64) -> f64 {
    (confidence * 100.0 + 1e-9).floor() / 100.0
}

/// A model that gave no answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tried {
    /// The model.
    pub model: String,
    /// Why it gave none.
    pub error: String,
}

impl ClientError for AskError {
    fn sqlstate(&self) -> SqlState {
        SqlState::new(match self {
            Self::NotUnderstood { .. } => "NL001",
            Self::Ambiguous { .. } => "NL002",
            Self::LowConfidence { .. } => "NL003",
            Self::NoModel { .. } => "NL004",
            Self::Failed { .. } => "NL005",
            Self::Withheld { .. } | Self::Forbidden { .. } => "42501",
            Self::OverLimit { .. } => "54000",
            Self::Timeout(_) => "57014",
            Self::Backend(error) => return error.sqlstate(),
        })
    }

    fn detail(&self) -> Option<String> {
        match self {
            Self::NotUnderstood { words, reason, .. } if words.is_empty() => Some(capitalised(reason)),
            Self::NotUnderstood { words, reason, .. } => Some(format!(
                "Not understood: {}. {}.",
                words.join(", "),
                capitalised(reason)
            )),
            Self::LowConfidence { sql, .. } | Self::Forbidden { sql, .. } | Self::OverLimit { sql, .. } => {
                Some(sql.clone())
            }
            Self::NoModel { tried } if tried.is_empty() => Some("No language model is configured.".into()),
            Self::NoModel { tried } => {
                let lines = tried
                    .iter()
                    .map(|tried| format!("{}: {}", tried.model, tried.error));
                Some(lines.collect::<Vec<_>>().join("; "))
            }
            Self::Failed { sql, code, .. } => Some(format!("{sql} ({code})")),
            Self::Backend(error) => error.detail(),
            Self::Withheld { words, .. } if !words.is_empty() => {
                Some(format!("The question asks for it with: {}.", words.join(", ")))
            }
            Self::Ambiguous { readings } => Some(readings.join("\n")),
            Self::Withheld { .. } | Self::Timeout(_) => None,
        }
    }

    fn hint(&self) -> Option<String> {
        match self {
            Self::NotUnderstood { help: Some(help), .. } => Some(help.clone()),
            Self::NotUnderstood { help: None, .. } => Some(
                "Name tables, columns and stored values as the database has them, or ask for less at once."
                    .into(),
            ),
            Self::Ambiguous { .. } => {
                Some("Ask for one of the readings in the detail, or run the SQL of one.".into())
            }
            Self::LowConfidence { reading, help, .. } => {
                let advice = "Check the SQL in the detail, or lower querent.min_confidence.";
                let advice = match reading {
                    Some(reading) => format!("It was read as: {reading}. {advice}"),
                    None => advice.to_owned(),
                };
                Some(with(&advice, help.as_ref()))
            }
            Self::NoModel { tried } if tried.is_empty() => {
                Some("Configure one with [[model]] or --model, or SET querent.mode = embedded.".into())
            }
            Self::NoModel { .. } => Some("Try again later, or SET querent.mode = embedded.".into()),
            Self::Failed { help, .. } => Some(with(
                "Word the question differently, or run the SQL after mending it.",
                help.as_ref(),
            )),
            Self::Withheld { names, .. } if names.is_empty() => Some(
                "Ask for something else, or ask the owner of this proxy for the right to read it.".into(),
            ),
            Self::Withheld { .. } => {
                Some("Ask for something else, or have the right to read it granted by its owner.".into())
            }
            Self::Forbidden { hint, .. } => {
                Some(hint.clone().unwrap_or_else(|| "A question can only read.".into()))
            }
            Self::OverLimit { .. } => Some("Ask for less at once.".into()),
            Self::Timeout(_) => Some("Ask for less at once, or raise limits.question_timeout.".into()),
            Self::Backend(error) => error.hint(),
        }
    }

    fn internal(&self) -> Option<(String, Option<usize>)> {
        match self {
            Self::Failed { sql, position, .. } => Some((sql.clone(), *position)),
            _ => None,
        }
    }

    fn fault(&self) -> Fault {
        match self {
            Self::Backend(error) => error.fault(),
            Self::NoModel { .. } => Fault::Backend,
            Self::Failed { .. } => Fault::Internal,
            _ => Fault::Client,
        }
    }
}

impl AskError {
    /// True where its hint should say what was understood and propose a wording.
    pub(super) fn needs_help(&self) -> bool {
        matches!(
            self,
            Self::NotUnderstood { help: None, .. }
                | Self::LowConfidence { help: None, .. }
                | Self::Failed { help: None, .. }
        )
    }

    /// The same with that.
    #[must_use]
    pub(super) fn helped(mut self, told: Option<Suggestion>) -> Self {
        // Nothing is both understood and not.
        if let (Self::NotUnderstood { words, .. }, Some(told)) = (&mut self, &told) {
            words.retain(|word| !told.understood.contains(word));
        }
        let told = told.map(|told| told.text);
        match &mut self {
            Self::NotUnderstood { help, .. }
            | Self::LowConfidence { help, .. }
            | Self::Failed { help, .. } => {
                *help = told;
            }
            _ => {}
        }
        self
    }
}

fn with(advice: &str, help: Option<&String>) -> String {
    match help {
        Some(help) => format!("{advice} {help}"),
        None => advice.to_owned(),
    }
}

fn capitalised(text: &str) -> String {
    let mut characters = text.chars();
    characters
        .next()
        .map(|first| first.to_uppercase().chain(characters).collect())
        .unwrap_or_default()
}
