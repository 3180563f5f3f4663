//! What is wrong with a file, and where.

use std::fmt;

use serde_saphyr::Location;

/// Something wrong at a place of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
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
            line: location.line(),
            column: location.column(),
            message: message.into(),
        }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.line > 0 {
            write!(f, "{}:{}: ", self.line, self.column)?;
        }
        f.write_str(&self.message)
    }
}
