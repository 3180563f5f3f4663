//! Why a question has no answer, as the client and the audit are told.

use std::{io, sync::Arc};

use crate::{
    error::ClientError,
    service::{audit::Asked, conversation::ReportedError},
    wire::{Fields, Severity},
};

/// Why a question has no answer.
pub(super) enum QuestionError {
    /// The client is told.
    Failed(Box<Fields>),
    /// A connection is lost.
    Lost(io::Error),
}

impl From<io::Error> for QuestionError {
    fn from(error: io::Error) -> Self {
        Self::Lost(error)
    }
}

impl<E: ClientError> From<E> for QuestionError {
    fn from(error: E) -> Self {
        Self::Failed(Box::new(Fields::of(&error)))
    }
}

impl QuestionError {
    pub(super) fn failed(sqlstate: &'static str, message: &str, hint: &str) -> Self {
        Self::Failed(Box::new(
            Fields::new(Severity::Error, sqlstate, message).with_hint(hint),
        ))
    }

    /// True for an error of this state.
    pub(super) fn is_of(&self, sqlstate: &str) -> bool {
        matches!(self, Self::Failed(fields) if fields.sqlstate.as_str() == sqlstate)
    }

    /// The same, at this character of the client's text.
    pub(super) fn at(self, position: usize) -> Self {
        match self {
            // Being cancelled is no fault of the question.
            Self::Failed(mut fields) if fields.sqlstate.as_str() != "57014" => {
                fields.position = Some(position);
                Self::Failed(fields)
            }
            other => other,
        }
    }
}

impl ReportedError for QuestionError {
    fn fields(&self) -> Option<&Fields> {
        match self {
            Self::Failed(fields) => Some(fields),
            Self::Lost(_) => None,
        }
    }
}

impl QuestionError {
    /// Questions that were let through do not come to run for this reason.
    pub(super) fn keeps_from_running(&self, recorded: &[Arc<Asked>]) {
        let state = self.refusal().0.sqlstate;
        for asked in recorded {
            asked.failed(state);
        }
    }
}

/// Of an answer that the client could not read.
pub(super) fn not_encodable() -> Fields {
    Fields::new(
        Severity::Error,
        "22P05",
        "the SQL has characters that the client's encoding does not have",
    )
    .with_hint("SET client_encoding = 'UTF8'.")
}
