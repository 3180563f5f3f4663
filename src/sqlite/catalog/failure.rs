//! Why a function of ours fails. SQLite carries the words alone; the code waits for them beside it, so that no words that
//! come from elsewhere can say which code they have.

use std::{cell::RefCell, collections::VecDeque};

use rusqlite::{Error, ffi};

use crate::{error::beginning, pgtypes::ValueError};

/// A function's own error.
#[derive(Debug, Clone, thiserror::Error)]
#[error("{message}")]
pub(crate) struct Failure {
    pub(crate) sqlstate: &'static str,
    pub(crate) message: String,
}

impl From<ValueError> for Failure {
    fn from(error: ValueError) -> Self {
        Self {
            sqlstate: error.sqlstate,
            message: error.message,
        }
    }
}

impl Failure {
    pub(crate) fn out_of_memory() -> Self {
        Self {
            sqlstate: "53200",
            message: "out of memory".into(),
        }
    }
}

/// The longest words of a failure, in bytes: what quotes a text of some hundred megabytes would be copied for seconds.
const LONGEST: usize = 64 << 10;

/// Failures that are remembered: what is being put away may fail too, behind the one that is told.
const FAILURES: usize = 8;

thread_local! {
    /// The last failures of functions on this thread.
    static FAILED: RefCell<VecDeque<Failure>> = const { RefCell::new(VecDeque::new()) };
}

impl From<Failure> for Error {
    fn from(mut failure: Failure) -> Self {
        // These have a code of SQLite's, by which the statement ends as if SQLite itself had stopped it.
        let own = match failure.sqlstate {
            "57014" => Some(ffi::SQLITE_INTERRUPT),
            "53200" => Some(ffi::SQLITE_NOMEM),
            _ => None,
        };
        if let Some(code) = own {
            return Self::SqliteFailure(ffi::Error::new(code), None);
        }
        if failure.message.len() > LONGEST {
            failure.message = format!("{}…", beginning(&failure.message, LONGEST));
        }
        // SQLite's words end at the first.
        failure.message = failure.message.replace('\0', "\\0");
        FAILED.with_borrow_mut(|failed| {
            failed.truncate(FAILURES - 1);
            failed.push_front(failure.clone());
        });
        Self::UserFunctionError(Box::new(failure))
    }
}

/// The code of a function's own error, by what SQLite says of it.
pub(crate) fn told(error: ffi::Error, message: &str) -> Option<&'static str> {
    // What a trigger raises has a code of its own.
    if error.extended_code != ffi::SQLITE_ERROR {
        return None;
    }
    FAILED.with_borrow(|failed| {
        let own = failed.iter().find(|failure| failure.message == message)?;
        Some(own.sqlstate)
    })
}
