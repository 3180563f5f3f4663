//! SCRAM-SHA-256 without I/O (RFC 5802, RFC 7677): the end that checks a client, the end that logs in to a
//! server, and the verifiers that both are about.

use crate::error::{ClientError, SqlState};

mod client;
mod secret;
mod server;

pub use client::{ClientFinal, ClientFirst, Credential, ServerRefusal};
pub use secret::{Keys, Verifier};
pub use server::{Begun, Challenged, Proven};

/// The mechanism's name in SASL.
pub const SCRAM: &str = "SCRAM-SHA-256";
/// The same bound to the certificate of the TLS session (`tls-server-end-point`, RFC 5929).
pub const SCRAM_PLUS: &str = "SCRAM-SHA-256-PLUS";

/// Why a client is not let in.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ScramError {
    /// Not a message of SCRAM.
    #[error("malformed SCRAM message")]
    Malformed,
    /// A mechanism that was not on offer.
    #[error("client selected an invalid SASL authentication mechanism")]
    Mechanism,
    /// A wrong password, an unknown user, a broken proof: they look the same from outside.
    #[error("password authentication failed for user \"{user}\"")]
    Refused {
        /// The user that the client says it is.
        user: String,
    },
}

impl ClientError for ScramError {
    fn sqlstate(&self) -> SqlState {
        SqlState::from(match self {
            Self::Malformed | Self::Mechanism => "08P01",
            Self::Refused { .. } => "28P01",
        })
    }
}
