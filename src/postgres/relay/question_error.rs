//! Why a question has no answer, as the client and the audit are told.

use std::{io, sync::Arc};

use crate::{
    error::ClientError,
    service::{
        audit::{Asked, Refusal},
        conversation::Telling,
    },
    telemetry::SessionLog,
    wire::{Fields, Severity},
};

/// Why a question has no answer.
pub(super) enum QuestionError {
    /// The client is told.
    Told(Box<Fields>),
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
        Self::Told(Box::new(Fields::of(&error)))
    }
}

impl QuestionError {
    pub(super) fn told(sqlstate: &'static str, message: &str, hint: &str) -> Self {
        Self::Told(Box::new(
            Fields::new(Severity::Error, sqlstate, message).with_hint(hint),
        ))
    }

    /// The same, at this character of the client's text.
    pub(super) fn at(self, position: usize) -> Self {
        match self {
            // Being cancelled is no fault of the question.
            Self::Told(mut fields) if fields.sqlstate.as_str() != "57014" => {
                fields.position = Some(position);
                Self::Told(fields)
            }
            other => other,
        }
    }
}

impl QuestionError {
    /// Tells why a question has no answer.
    pub(super) fn tell(&self, telling: Telling<'_>, log: &SessionLog) {
        match self {
            Self::Told(fields) => {
                let refusal = Refusal {
                    sqlstate: &fields.sqlstate,
                    message: &fields.message,
                    detail: fields.detail.as_deref(),
                };
                let sql = fields.internal.as_ref().map(|(sql, _)| sql.as_str());
                telling.unanswered(log, refusal, sql);
            }
            Self::Lost(_) => telling.unanswered(log, Refusal::GONE, None),
        }
    }
}

impl QuestionError {
    /// Questions that were let through do not come to run for this reason.
    pub(super) fn keeps_from_running(&self, recorded: &[Arc<Asked>]) {
        let state = match self {
            Self::Told(fields) => &*fields.sqlstate,
            Self::Lost(_) => Refusal::GONE.sqlstate,
        };
        for asked in recorded {
            asked.failed(state);
        }
    }
}
