//! Why a model cannot be called as it is configured.

use std::path::PathBuf;

/// Why a model cannot be called as it is configured. No secret stands in the words.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ModelSetupError {
    /// An address is none.
    #[error("model {model}: {address} is no HTTP address: {reason}")]
    Address {
        /// The model's name.
        model: String,
        /// The address, without what is secret in it.
        address: String,
        /// What is wrong with it.
        reason: String,
    },
    /// A header cannot be sent.
    #[error("model {model}: {header} cannot be sent as a header")]
    Header {
        /// The model's name.
        model: String,
        /// The header's name.
        header: String,
    },
    /// Certificates cannot be read.
    #[error("model {model}: {reason}")]
    Certificates {
        /// The model's name.
        model: String,
        /// What is wrong.
        reason: String,
    },
    /// A file of recorded calls is of no use.
    #[error("cannot use the recorded calls in {}: {reason}", path.display())]
    Recording {
        /// The file.
        path: PathBuf,
        /// Why.
        reason: String,
    },
    /// A setting has no meaning.
    #[error("model {model}: {setting} {reason}")]
    Setting {
        /// The model's name.
        model: String,
        /// The setting.
        setting: &'static str,
        /// What is wrong with it.
        reason: String,
    },
}
