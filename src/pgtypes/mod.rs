//! PostgreSQL's values: the text and the binary form of each type, read and written in one place, for the wire, for the
//! functions of SQL and for COPY. Functions without I/O; how SQLite keeps a value is told at [`SqlType`].

pub(crate) mod array;
mod array_binary;
mod array_shape;
pub(crate) mod bits;
pub(crate) mod boolean;
pub(crate) mod bytea;
pub(crate) mod calendar;
mod canonical;
pub(crate) mod datetime;
mod datetime_fields;
pub(crate) mod float;
mod input;
pub(crate) mod integer;
pub mod interval;
pub mod interval_fields;
mod interval_iso;
pub mod interval_read;
pub mod interval_style;
pub(crate) mod kept;
pub(crate) mod macaddr;
pub(crate) mod money;
pub(crate) mod network;
pub(crate) mod numeric;
mod output;
mod receive;
mod send;
pub mod styles;
mod types;
pub(crate) mod uuid;
pub mod zone;

pub(crate) use canonical::canonical;
pub(crate) use input::read;
pub use output::{Format, encode_value, text_of};
pub use receive::receive;
pub use types::SqlType;

use crate::error::{ClientError, SqlState};

/// A value as a database hands it out.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// SQL NULL.
    Null,
    /// A whole number.
    Integer(i64),
    /// A floating point number.
    Real(f64),
    /// Text; bytes, because SQLite does not promise UTF-8.
    Text(Vec<u8>),
    /// Bytes.
    Blob(Vec<u8>),
}

/// A value that is none of its type, in PostgreSQL's words.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct ValueError {
    /// PostgreSQL's code.
    pub sqlstate: &'static str,
    /// What is wrong with it.
    pub message: String,
    /// What to do.
    pub hint: Option<String>,
}

impl ValueError {
    /// An error of which only code and words are known.
    pub(crate) fn new(sqlstate: &'static str, message: impl Into<String>) -> Self {
        Self {
            sqlstate,
            message: message.into(),
            hint: None,
        }
    }

    /// A text that is no value of the type with this name.
    pub(crate) fn syntax(name: &str, text: &str) -> Self {
        Self::new(
            "22P02",
            format!("invalid input syntax for type {name}: \"{text}\""),
        )
    }

    /// A number that the type with this name has no room for.
    fn range(name: &str, text: &str) -> Self {
        Self::new(
            "22003",
            format!("value \"{text}\" is out of range for type {name}"),
        )
    }
}

impl ClientError for ValueError {
    fn sqlstate(&self) -> SqlState {
        SqlState::new(self.sqlstate)
    }

    fn hint(&self) -> Option<String> {
        self.hint.clone()
    }
}

/// The text, or which bytes are wrong. NUL is refused as PostgreSQL does.
pub(crate) fn utf8(bytes: &[u8]) -> Result<&str, ValueError> {
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
    Err(ValueError::new(
        "22021",
        format!("invalid byte sequence for encoding \"UTF8\": {}", wrong.join(" ")),
    ))
}
