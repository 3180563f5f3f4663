//! What an agent reads where there is no result. What is for whoever runs the program goes to its log instead: paths, hosts, what
//! the policy names.

use crate::{backend::BackendError, error::ClientError, question::validator::Finding};

/// What an agent is told where the database cannot be asked.
pub(super) const UNREACHABLE: &str = "the database cannot be asked now; the server's log says why";

/// Why there is no result, as the agent reads it.
#[derive(Debug)]
pub(super) struct ToolError {
    pub(super) sqlstate: String,
    pub(super) message: String,
    pub(super) detail: Option<String>,
    pub(super) hint: Option<String>,
}

impl<E: ClientError> From<E> for ToolError {
    fn from(error: E) -> Self {
        Self {
            sqlstate: error.sqlstate().to_string(),
            message: error.message(),
            detail: error.detail(),
            hint: error.hint(),
        }
    }
}

impl ToolError {
    /// In these words.
    pub(super) fn new(sqlstate: &str, message: &str) -> Self {
        Self {
            sqlstate: sqlstate.to_owned(),
            message: message.to_owned(),
            detail: None,
            hint: None,
        }
    }

    /// Why the database cannot be asked. The rest of it is for whoever runs this: it may name files, hosts and what the policy
    /// keeps back.
    pub(super) fn closed(error: BackendError) -> Self {
        tracing::warn!(
            sqlstate = %error.sqlstate,
            %error,
            detail = error.detail.as_deref().unwrap_or_default(),
            "an agent cannot ask the database"
        );
        let message = match error.sqlstate.to_string().as_str() {
            "42501" => error.message,
            _ => UNREACHABLE.to_owned(),
        };
        Self::new(error.sqlstate.to_string().as_str(), &message)
    }

    /// Why a statement may not run.
    pub(super) fn by(findings: &[Finding]) -> Self {
        let errors: Vec<&Finding> = findings.iter().filter(|finding| finding.is_error()).collect();
        let told = errors.iter().map(|finding| finding.message.as_str());
        let hints = errors.iter().filter_map(|finding| finding.hint.as_deref());
        let told: Vec<&str> = told.collect();
        let hints: Vec<&str> = hints.collect();
        Self {
            sqlstate: "42501".to_owned(),
            message: format!("the statement may not run: {}", told.join("; ")),
            detail: None,
            hint: (!hints.is_empty()).then(|| hints.join(" ")),
        }
    }
}

impl std::fmt::Display for ToolError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} ({})", self.message, self.sqlstate)?;
        for more in [&self.detail, &self.hint].into_iter().flatten() {
            write!(f, "\n{more}")?;
        }
        Ok(())
    }
}
