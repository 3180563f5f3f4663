//! Refusals in PostgreSQL's words.

use super::{Refusal, Result, Stop};

/// A refusal in PostgreSQL's words.
pub(super) fn refuse<T>(
    sqlstate: &'static str,
    message: impl Into<String>,
    position: Option<usize>,
) -> Result<T> {
    Err(Stop::Refused(Refusal {
        sqlstate,
        message: message.into(),
        detail: None,
        hint: None,
        position,
    }))
}

/// What PostgreSQL can do and SQLite cannot.
pub(super) fn unsupported<T>(construct: impl std::fmt::Display, position: Option<usize>) -> Result<T> {
    refuse(
        "0A000",
        format!("{construct} is not supported on a SQLite file"),
        position,
    )
}

/// As [`refuse`], with what to do about it.
pub(super) fn refuse_with<T>(sqlstate: &'static str, message: impl Into<String>, hint: &str) -> Result<T> {
    Err(Stop::Refused(Refusal {
        sqlstate,
        message: message.into(),
        detail: None,
        hint: Some(hint.to_owned()),
        position: None,
    }))
}
