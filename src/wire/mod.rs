//! Bytes to messages and back, without I/O: PostgreSQL's protocol 3.0 to 3.2 as a server speaks it
//! (PostgreSQL documentation, chapter "Frontend/Backend Protocol"), and values in both formats.

mod array;
mod client_message;
mod datetime;
mod encoding;
mod frame;
mod interval;
mod numeric;
mod parameter;
mod rare;
mod server_message;
mod startup;
mod value;

pub use client_message::{ClientMessage, Target};
pub use encoding::Encoding;
pub use frame::{Frame, take_frame};
pub use parameter::{as_number, decode_parameter};
pub use server_message::{Field, Fields, ServerMessages, Severity, TransactionStatus};
pub use startup::{SessionStart, StartupPacket, take_startup};
pub use value::{Format, encode_value, text_of};

use crate::error::{ClientError, SqlState};

/// What a client sent that is not the protocol, or a value that cannot be told in it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum WireError {
    /// The frames cannot be told apart any more: the connection must end.
    #[error("{0}")]
    Framing(String),
    /// One message makes no sense; the next frame can still be read.
    #[error("{0}")]
    Message(String),
    /// Text that is not UTF-8: its wrong bytes.
    #[error("invalid byte sequence for encoding \"UTF8\": {bytes}")]
    Encoding {
        /// The bytes, in hexadecimal.
        bytes: String,
        /// What to do.
        hint: Option<String>,
    },
    /// A value that does not fit its type.
    #[error("{message}")]
    Value {
        /// PostgreSQL's code.
        sqlstate: &'static str,
        /// What is wrong with it.
        message: String,
        /// What to do.
        hint: Option<String>,
    },
}

impl ClientError for WireError {
    fn sqlstate(&self) -> SqlState {
        SqlState::new(match self {
            Self::Framing(_) | Self::Message(_) => "08P01",
            Self::Encoding { .. } => "22021",
            Self::Value { sqlstate, .. } => sqlstate,
        })
    }

    fn hint(&self) -> Option<String> {
        match self {
            Self::Value { hint, .. } | Self::Encoding { hint, .. } => hint.clone(),
            _ => None,
        }
    }
}

/// The text, or which bytes are wrong. NUL is refused as PostgreSQL does.
fn utf8(bytes: &[u8]) -> Result<&str, WireError> {
    let at = match std::str::from_utf8(bytes) {
        Ok(text) => match text.find('\0') {
            None => return Ok(text),
            Some(at) => at,
        },
        Err(error) => error.valid_up_to(),
    };
    let shown = if bytes[at] == 0 { 1 } else { 4 };
    let wrong: Vec<_> = bytes[at..]
        .iter()
        .take(shown)
        .map(|byte| format!("0x{byte:02x}"))
        .collect();
    Err(WireError::Encoding {
        bytes: wrong.join(" "),
        hint: None,
    })
}
