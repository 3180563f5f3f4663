//! Why a statement cannot be read, told to the client.

use crate::error::{ClientError, SqlState};

use super::{Action, MOST_QUESTIONS, Settings};

/// What is wrong with a statement. Positions are in characters from 1.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum StatementError {
    /// A second marker in one statement.
    #[error("a statement asks one question, but this one has two markers")]
    TwoMarkers {
        /// Where the second is.
        position: usize,
    },
    /// A question without words.
    #[error("the question is empty")]
    EmptyQuestion {
        /// Where it is.
        position: usize,
    },
    /// An action that does not exist.
    #[error("unknown action \"{name}\"")]
    UnknownAction {
        /// What was written.
        name: String,
        /// Where it is.
        position: usize,
    },
    /// Something that a question cannot stand in or be combined with.
    #[error("{message}")]
    Unsupported {
        /// What it is.
        message: String,
        /// What to do instead.
        hint: String,
        /// Where it is.
        position: usize,
    },
    /// More questions than one message may ask.
    #[error("a message asks at most {MOST_QUESTIONS} questions")]
    TooManyQuestions {
        /// Where the first one too many is.
        position: usize,
    },
    /// A question in a statement that writes.
    #[error("a question cannot be part of a statement that writes")]
    InWrite {
        /// Where the question is.
        position: usize,
    },
    /// A `querent.` setting that does not exist.
    #[error("unrecognized configuration parameter \"querent.{name}\"")]
    UnknownSetting {
        /// What was written, without `querent.`.
        name: String,
        /// The name that was meant, perhaps.
        nearest: Option<&'static str>,
    },
    /// A setting that can be shown only.
    #[error("parameter \"querent.{0}\" cannot be changed")]
    ReadOnlySetting(&'static str),
    /// A value that a setting does not take.
    #[error("invalid value for parameter \"querent.{name}\": \"{value}\"")]
    InvalidValue {
        /// The setting, without `querent.`.
        name: String,
        /// What was written.
        value: String,
        /// What it takes.
        expected: String,
    },
    /// A statement of the session's own that is not well formed.
    #[error("syntax error at or near \"{near}\"")]
    Syntax {
        /// The token where reading stopped; `end of input` where there is none.
        near: String,
        /// Where it is.
        position: usize,
    },
}

impl StatementError {
    pub(super) fn unknown_setting(name: &str) -> Self {
        let nearest = Settings::NAMES
            .into_iter()
            .chain(Settings::READ_ONLY)
            .map(|known| (strsim::jaro_winkler(known, name), known))
            .filter(|(likeness, _)| *likeness > 0.8)
            .max_by(|a, b| a.0.total_cmp(&b.0))
            .map(|(_, known)| known);
        Self::UnknownSetting {
            name: name.to_owned(),
            nearest,
        }
    }

    /// True if somebody asked something, which could not be taken.
    pub fn is_of_question(&self) -> bool {
        matches!(
            self,
            Self::TwoMarkers { .. }
                | Self::EmptyQuestion { .. }
                | Self::UnknownAction { .. }
                | Self::Unsupported { .. }
                | Self::InWrite { .. }
                | Self::TooManyQuestions { .. }
        )
    }

    /// The same error in a text where the statement comes after some characters.
    #[must_use]
    pub fn shifted(mut self, characters: usize) -> Self {
        match &mut self {
            Self::TwoMarkers { position }
            | Self::EmptyQuestion { position }
            | Self::UnknownAction { position, .. }
            | Self::Unsupported { position, .. }
            | Self::InWrite { position }
            | Self::TooManyQuestions { position }
            | Self::Syntax { position, .. } => *position += characters,
            Self::UnknownSetting { .. } | Self::ReadOnlySetting(_) | Self::InvalidValue { .. } => {}
        }
        self
    }
}

impl ClientError for StatementError {
    fn sqlstate(&self) -> SqlState {
        SqlState::new(match self {
            Self::TwoMarkers { .. } | Self::Syntax { .. } => "42601",
            Self::EmptyQuestion { .. } => "NL001",
            Self::UnknownAction { .. } | Self::InvalidValue { .. } => "22023",
            Self::Unsupported { .. } => "0A000",
            Self::InWrite { .. } => "42501",
            Self::TooManyQuestions { .. } => "54000",
            Self::UnknownSetting { .. } => "42704",
            Self::ReadOnlySetting(_) => "55P02",
        })
    }

    fn detail(&self) -> Option<String> {
        match self {
            Self::UnknownSetting { .. } => Some(format!(
                "The settings are {}; {} can be shown only.",
                listed("querent.", &Settings::NAMES),
                listed("querent.", &Settings::READ_ONLY)
            )),
            _ => None,
        }
    }

    fn hint(&self) -> Option<String> {
        match self {
            Self::TwoMarkers { .. } => Some("Separate the questions with a semicolon.".to_owned()),
            Self::EmptyQuestion { .. } => {
                Some(
                    "Write the question behind the colon, such as -- nl: what can I ask? which tells what there is."
                        .to_owned(),
                )
            }
            Self::UnknownAction { .. } => {
                // Nothing can be refined yet.
                let there = Action::ALL.iter().copied().filter(|action| *action != Action::Refine);
                let there: Vec<&str> = there.map(Action::name).collect();
                Some(format!("The actions are {}.", listed("", &there)))
            }
            Self::Unsupported { hint, .. } => Some(hint.clone()),
            Self::InWrite { .. } => Some(
                "Ask with the action sql and run the SQL yourself, or set allow_in_writes = true in the configuration."
                    .to_owned(),
            ),
            Self::TooManyQuestions { .. } => Some("Ask the others in a message of their own.".to_owned()),
            Self::UnknownSetting { nearest, .. } => {
                nearest.map(|nearest| format!("Perhaps you meant \"querent.{nearest}\"."))
            }
            Self::ReadOnlySetting(_) | Self::Syntax { .. } => None,
            Self::InvalidValue { expected, .. } => Some(format!("It takes {expected}.")),
        }
    }

    fn position(&self) -> Option<usize> {
        match self {
            Self::TwoMarkers { position }
            | Self::EmptyQuestion { position }
            | Self::UnknownAction { position, .. }
            | Self::Unsupported { position, .. }
            | Self::InWrite { position }
            | Self::TooManyQuestions { position }
            | Self::Syntax { position, .. } => Some(*position),
            Self::UnknownSetting { .. } | Self::ReadOnlySetting(_) | Self::InvalidValue { .. } => None,
        }
    }
}

fn listed(prefix: &str, names: &[&str]) -> String {
    names
        .iter()
        .map(|name| format!("{prefix}{name}"))
        .collect::<Vec<_>>()
        .join(", ")
}
