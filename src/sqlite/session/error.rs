//! Why a step of a session did not finish: an error for the client, or no client any more.

use std::io;

use crate::{
    error::{ClientError, SqlState},
    service::conversation::ReportedError,
    wire::{Fields, Severity},
};

/// What ends a step early.
#[derive(Debug)]
pub(super) enum SessionError {
    /// The client is told, and the session goes on.
    Failed(Box<Fields>),
    /// The client is told, and the session ends.
    Fatal(Box<Fields>),
    /// The client is gone.
    Lost(io::Error),
}

impl SessionError {
    /// An error with its code and words.
    pub(super) fn failed(sqlstate: &'static str, message: impl Into<String>) -> Self {
        Fields::new(Severity::Error, sqlstate, message).into()
    }

    /// The last words of a session.
    pub(super) fn fatal(sqlstate: &'static str, message: impl Into<String>) -> Self {
        Self::Fatal(Box::new(Fields::new(Severity::Fatal, sqlstate, message)))
    }

    /// The same error with advice.
    pub(super) fn with_hint(self, hint: impl Into<String>) -> Self {
        self.map(|fields| fields.with_hint(hint))
    }

    /// The same error with more of what happened.
    pub(super) fn with_detail(self, detail: impl Into<String>) -> Self {
        self.map(|fields| fields.with_detail(detail))
    }

    /// The code that the client is told; `None` where there is no client any more.
    pub(super) fn sqlstate(&self) -> Option<SqlState> {
        self.fields().map(|fields| fields.sqlstate)
    }

    /// The same, at this character of the client's text. Being cancelled is no fault of the question.
    pub(super) fn at(self, position: usize) -> Self {
        self.map(|mut fields| {
            fields.position = (fields.sqlstate != "57014").then_some(position);
            fields
        })
    }

    /// The same error, its fields changed.
    pub(super) fn map(self, change: impl FnOnce(Fields) -> Fields) -> Self {
        match self {
            Self::Failed(fields) => Self::Failed(Box::new(change(*fields))),
            Self::Fatal(fields) => Self::Fatal(Box::new(change(*fields))),
            Self::Lost(error) => Self::Lost(error),
        }
    }
}

impl ReportedError for SessionError {
    fn fields(&self) -> Option<&Fields> {
        match self {
            Self::Failed(fields) | Self::Fatal(fields) => Some(fields),
            Self::Lost(_) => None,
        }
    }
}

impl From<Fields> for SessionError {
    fn from(fields: Fields) -> Self {
        Self::Failed(Box::new(fields))
    }
}

impl<E: ClientError> From<E> for SessionError {
    fn from(error: E) -> Self {
        Fields::of(&error).into()
    }
}

impl From<io::Error> for SessionError {
    fn from(error: io::Error) -> Self {
        Self::Lost(error)
    }
}
