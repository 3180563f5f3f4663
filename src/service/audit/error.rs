//! Why a question is not recorded.

use crate::{
    error::{ClientError, Fault, SqlState},
    service::store::StoreError,
};

/// `io_error` of PostgreSQL's class for errors outside of the server.
pub(super) const NOT_STORED: &str = "58030";

/// Why a question is not recorded, where it has to be.
#[derive(Debug, Clone, thiserror::Error)]
pub enum AuditError {
    /// The store refuses, or is not there.
    #[error("the question cannot be recorded, and the audit is required")]
    Store(#[source] StoreError),
    /// The store takes too long.
    #[error("the question could not be recorded in time, and the audit is required")]
    Late,
    /// There is no thread to be had.
    #[error("the audit cannot start: {0}")]
    Thread(String),
}

impl AuditError {
    /// What is wrong, for whoever runs the server.
    pub fn cause(&self) -> String {
        match self {
            Self::Store(error) => error.message.clone(),
            other => other.to_string(),
        }
    }

    /// What that person can do.
    pub fn advice(&self) -> String {
        match self {
            Self::Store(StoreError { hint: Some(hint), .. }) => hint.clone(),
            _ => "see audit.* and store.* in querent config".to_owned(),
        }
    }
}

impl ClientError for AuditError {
    fn sqlstate(&self) -> SqlState {
        SqlState::new(NOT_STORED)
    }

    // Where the store is and what is wrong with it is not the client's business: the log has it.
    fn detail(&self) -> Option<String> {
        Some("Its SQL has not run.".to_owned())
    }

    fn hint(&self) -> Option<String> {
        Some("Try again later, or tell the administrator; plain SQL works.".to_owned())
    }

    fn fault(&self) -> Fault {
        Fault::Backend
    }
}
