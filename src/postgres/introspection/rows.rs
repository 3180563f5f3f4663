//! Rows in text format, read field by field.

use bytes::Bytes;
use serde::de::DeserializeOwned;

use super::{Query, Rows};
use crate::backend::BackendError;

impl<'a> Query<'a> {
    /// A statement without parameters, all of whose rows are wanted.
    pub fn all(sql: &'a str) -> Self {
        Self {
            sql,
            parameters: 0,
            max_rows: 0,
        }
    }

    /// A statement without parameters whose first rows are wanted.
    pub fn first(sql: &'a str, max_rows: u32) -> Self {
        Self {
            sql,
            parameters: 0,
            max_rows,
        }
    }
}

/// One row, for statements of our own whose shape is known.
#[derive(Debug, Clone, Copy)]
pub(super) struct Row<'r>(&'r [Option<Bytes>]);

impl Rows {
    pub(super) fn iter(&self) -> impl Iterator<Item = Row<'_>> {
        self.rows.iter().map(|row| Row(row))
    }

    /// The only row of a statement that always has one.
    pub(super) fn only(&self) -> Result<Row<'_>, BackendError> {
        self.iter().next().ok_or_else(|| odd("no row"))
    }
}

impl<'r> Row<'r> {
    /// The text; `None` for NULL. What is not UTF-8 is shown as well as it can be.
    pub(super) fn text(self, at: usize) -> Option<String> {
        Some(String::from_utf8_lossy(self.bytes(at)?).into_owned())
    }

    /// The text that is never NULL.
    pub(super) fn some(self, at: usize) -> Result<String, BackendError> {
        self.text(at)
            .ok_or_else(|| odd("a NULL where there is always a value"))
    }

    /// True for `t`; NULL is not.
    pub(super) fn flag(self, at: usize) -> bool {
        self.bytes(at) == Some(b"t")
    }

    /// A number, or whatever reads its own text.
    pub(super) fn parsed<T: std::str::FromStr>(self, at: usize) -> Result<T, BackendError> {
        let text = self.some(at)?;
        text.parse().map_err(|_| odd(&format!("the value \"{text}\"")))
    }

    /// A value that the server wrote as JSON.
    pub(super) fn json<T: DeserializeOwned>(self, at: usize) -> Result<T, BackendError> {
        serde_json::from_slice(self.bytes(at).unwrap_or(b"null")).map_err(|error| odd(&error.to_string()))
    }

    fn bytes(self, at: usize) -> Option<&'r [u8]> {
        self.0.get(at)?.as_deref()
    }
}

/// An answer of the server that should not be.
pub(super) fn odd(what: &str) -> BackendError {
    BackendError::new(
        "08P01",
        format!("the server's answer about its catalogue is not understood: {what}"),
    )
}
