//! What is wrong with a file, and where.

use std::{fmt, sync::Arc};

use serde_saphyr::Location;

/// Something wrong at a place of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// What the file is called, where that is known.
    pub file: Option<Arc<str>>,
    /// The line, from 1; 0 where it concerns the whole file.
    pub line: u64,
    /// The column, from 1.
    pub column: u64,
    /// What is wrong.
    pub message: String,
}

impl Problem {
    pub(super) fn at(location: Location, message: impl Into<String>) -> Self {
        Self {
            file: None,
            line: location.line(),
            column: location.column(),
            message: message.into(),
        }
    }

    /// The same with the name of its file.
    #[must_use]
    pub(super) fn of(self, file: &Arc<str>) -> Self {
        Self {
            file: Some(Arc::clone(file)),
            ..self
        }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.file, self.line) {
            (Some(file), 0) => write!(f, "{file}: ")?,
            (Some(file), line) => write!(f, "{file}:{line}:{}: ", self.column)?,
            (None, 0) => {}
            (None, line) => write!(f, "{line}:{}: ", self.column)?,
        }
        f.write_str(&self.message)
    }
}
