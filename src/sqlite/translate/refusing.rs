//! Refusals in PostgreSQL's words.

use std::collections::HashMap;

use super::{Result, Stop};

/// Why a statement does not run.
#[derive(Debug, Clone)]
pub(crate) struct Refusal {
    pub(crate) sqlstate: &'static str,
    pub(crate) message: String,
    pub(crate) detail: Option<String>,
    pub(crate) hint: Option<String>,
    /// In characters from 1 of the client's text.
    pub(crate) position: Option<usize>,
}

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

/// That paths of SQL/JSON are not there, where one is meant.
pub(super) fn json_path(called: &str, position: Option<usize>) -> Result<()> {
    if !(called.starts_with("jsonb_path_") || matches!(called, "@?" | "@@" | "jsonpath")) {
        return Ok(());
    }
    Err(Stop::Refused(Refusal {
        sqlstate: "0A000",
        message: format!("{called} is not supported on a SQLite file"),
        detail: None,
        hint: Some(
            "jsonb_array_elements and jsonb_each give the parts of a document in FROM, -> and #> one of them.".into(),
        ),
        position,
    }))
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

/// Refuses names that PostgreSQL tells apart, and SQLite does not.
pub(super) fn check_case<'n>(names: impl IntoIterator<Item = &'n str>) -> Result<()> {
    let mut taken: HashMap<String, &str> = HashMap::new();
    for name in names {
        if let Some(other) = taken.insert(name.to_ascii_lowercase(), name)
            && other != name
        {
            return refuse_with(
                "0A000",
                format!(
                    "names that differ by case alone, as \"{other}\" and \"{name}\", are not supported on a SQLite file"
                ),
                "SQLite takes both for the same: give one of them another name.",
            );
        }
    }
    Ok(())
}

/// Of an expression that grows too much.
pub(super) fn too_long() -> Refusal {
    Refusal {
        sqlstate: "54001",
        message: "statement too complex".into(),
        detail: None,
        hint: Some("Use NULLIF and the like less deeply in each other.".into()),
        position: None,
    }
}

/// Of a statement that nests more than SQLite takes, or than anybody would walk through.
pub(crate) fn too_deep() -> Refusal {
    Refusal {
        sqlstate: "54001",
        message: "stack depth limit exceeded".into(),
        detail: None,
        hint: Some(
            "Split the statement: its operators, set operations or parentheses are nested too deeply.".into(),
        ),
        position: None,
    }
}
