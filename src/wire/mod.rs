//! Bytes to messages and back, without I/O: PostgreSQL's protocol 3.0 to 3.2 as a server speaks it
//! (PostgreSQL documentation, chapter "Frontend/Backend Protocol").

mod client_message;
mod encoding;
mod frame;
mod server_message;
mod startup;

pub use client_message::{ClientMessage, Target};
pub use encoding::Encoding;
pub use frame::{Frame, take_frame};
pub use server_message::{Field, Fields, ServerMessages, Severity, TransactionStatus};
pub use startup::{SessionStart, StartupPacket, take_startup};

use crate::{
    error::{ClientError, SqlState},
    pgtypes::ValueError,
};

/// What a client sent that is not the protocol, or a value that cannot be told in it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum WireError {
    /// The frames cannot be told apart any more: the connection must end.
    #[error("{0}")]
    Framing(String),
    /// One message makes no sense; the next frame can still be read.
    #[error("{0}")]
    Message(String),
    /// Text that is not UTF-8, or a value that does not fit its type.
    #[error(transparent)]
    Value(#[from] ValueError),
}

impl ClientError for WireError {
    fn sqlstate(&self) -> SqlState {
        match self {
            Self::Framing(_) | Self::Message(_) => SqlState::new("08P01"),
            Self::Value(error) => error.sqlstate(),
        }
    }

    fn hint(&self) -> Option<String> {
        match self {
            Self::Value(error) => error.hint(),
            Self::Framing(_) | Self::Message(_) => None,
        }
    }
}
