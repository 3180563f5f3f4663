//! Why a model gave no answer.

use std::time::Duration;

use crate::error::length_of;

/// Why a model gave no answer. The words are shown to clients: no key and no address with a secret stands in them.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ModelError {
    /// No connection, or it broke.
    #[error("unreachable: {0}")]
    Unreachable(String),
    /// It took too long.
    #[error("no answer within {}", length_of(*_0))]
    Timeout(Duration),
    /// The provider said no: a key, a name or a request that it does not take.
    #[error("refused with HTTP {status}: {message}")]
    Refused {
        /// HTTP status.
        status: u16,
        /// The provider's words.
        message: String,
    },
    /// Too many requests, or the provider is overloaded.
    #[error("overloaded (HTTP {status}){}", wait(*.retry_after))]
    Overloaded {
        /// HTTP status.
        status: u16,
        /// How long it asks to wait.
        retry_after: Option<Duration>,
    },
    /// The model would not answer.
    #[error("the model declined: {0}")]
    Declined(String),
    /// What came is no answer: not the provider's format, empty, or endless.
    #[error("not understood: {0}")]
    Malformed(String),
    /// A limit on calls, tokens or money is reached.
    #[error("budget spent: {0}")]
    Budget(String),
    /// No model of this name is configured.
    #[error("no such model")]
    Unknown,
}

impl ModelError {
    /// The kind alone, as a metric's label has it.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Unreachable(_) => "unreachable",
            Self::Timeout(_) => "timeout",
            Self::Refused { .. } => "refused",
            Self::Overloaded { .. } => "overloaded",
            Self::Declined(_) => "declined",
            Self::Malformed(_) => "malformed",
            Self::Budget(_) => "budget",
            Self::Unknown => "unknown",
        }
    }
}

/// How long a provider wants no request, where it is worth saying.
fn wait(retry_after: Option<Duration>) -> String {
    match retry_after.map(|time| time.as_secs()) {
        None | Some(0) => String::new(),
        Some(seconds @ 1..120) => format!(": it wants no request for {seconds} s"),
        Some(seconds) => format!(": it wants no request for {} min", seconds / 60),
    }
}
