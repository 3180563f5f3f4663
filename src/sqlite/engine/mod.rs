//! SQLite files by rusqlite: one blocking thread and one connection per session.

use std::{collections::BTreeMap, path::PathBuf, time::Duration};

mod activity;
mod advisory;
mod alter;
mod answers;
mod attached;
mod batch;
mod binding;
mod bounds;
mod catalog_model;
mod command;
mod comments;
mod connection;
mod database;
mod deferred;
mod definition;
mod described;
mod duplicate;
mod errors;
mod foreign;
mod full_text;
mod guard;
mod held;
mod holdings;
mod index;
mod infer;
mod introspect;
mod judged;
mod kept;
mod key_modes;
mod large_object;
mod lossy;
mod names;
mod numbered;
mod offender;
mod open;
mod plan;
mod prepare;
mod profile;
mod reach;
mod read_connection;
mod read_only;
mod referred;
mod relation_list;
mod rows_written;
mod running;
mod sampling;
mod session;
mod session_context;
mod session_functions;
mod shadow;
mod spin_wait;
mod sqlites_own;
mod steps;
mod temporal;
mod temporary;
#[cfg(test)]
mod tests;
mod translated;
mod translation;
mod types;
mod unique;
mod unqualified;
mod version;
mod view_reads;
mod view_types;
mod views;
mod violation;
mod violation_detail;
mod waiting;
mod watch;
mod worker;
mod write_lock;
mod written;

pub use crate::sqlite::catalog::SERVER_VERSION;
pub(crate) use crate::sqlite::catalog::{Holding, Kept};
pub(crate) use crate::sqlite::catalog::{function_called, may_set, usual_setting};
pub(crate) use activity::Doing;
pub use answers::{EnclosingStatement, Generated};
pub use batch::FailedRow;
pub use connection::{Chunk, Connection, Cursor, Interrupter, Prepared};
pub use database::Database;
pub use errors::ENDLESS;
pub(crate) use holdings::Held;
pub use judged::is_changed;
pub use key_modes::KeyModes;
pub use session_context::{SessionContext, SessionEffect};
pub(crate) use types::parameter_casts;
pub use worker::ConnectionSlot;

use crate::{
    backend::{BackendError, SqlType, Value},
    pgtypes::zone::Zone,
    sqlite::{functions, memory},
};

/// How a SQLite file is opened and what its clients may do.
#[derive(Debug, Clone)]
pub struct Options {
    /// Lets clients ATTACH and DETACH other files and use VACUUM INTO.
    pub attach: bool,
    /// Files that are further schemas, by name.
    pub attached: BTreeMap<String, PathBuf>,
    /// The journal mode to switch the file to; `None` leaves the file's own.
    pub journal_mode: Option<String>,
    /// How long a statement waits for another's lock.
    pub busy_timeout: Duration,
    /// How long a client's own statement may work; zero means for ever. Waiting for the client does not count.
    pub statement_timeout: Duration,
    /// How long a question's SQL may work; zero means for ever.
    pub question_timeout: Duration,
    /// How many rows a question may return; zero means any number.
    pub question_rows: u64,
    /// How many bytes of values a question may return; zero means any number.
    pub question_bytes: u64,
    /// The longest value that a question may read or make, in bytes.
    pub question_value: u64,
    /// How many bytes of memory SQLite may take for a question; zero means any number.
    pub question_memory: u64,
    /// How many bytes a question may put into temporary files; zero means any number.
    pub question_temporary: u64,
    /// The longest value that a client's own statement may read or make, in bytes.
    pub value: u64,
    /// How many bytes of memory SQLite may take for a client's own statement; zero means any number.
    pub memory: u64,
    /// How many bytes a client's own statements may have in temporary files; zero means any number.
    pub temporary: u64,
    /// Refuses every write.
    pub read_only: bool,
    /// Runs every statement as SQLite's own, without PostgreSQL's meaning.
    pub sqlite_dialect: bool,
    /// The user name that `current_user` answers.
    pub user: String,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            attach: false,
            attached: BTreeMap::new(),
            journal_mode: None,
            busy_timeout: Duration::from_secs(5),
            statement_timeout: Duration::ZERO,
            question_timeout: Duration::from_secs(30),
            question_rows: 0,
            question_bytes: 0,
            question_value: 1 << 20,
            question_memory: 128 << 20,
            question_temporary: 256 << 20,
            value: 512 << 20,
            memory: 4 << 30,
            temporary: 0,
            read_only: false,
            sqlite_dialect: false,
            user: "querent".into(),
        }
    }
}

/// Bounds the memory of statements in this process. Has to be called before SQLite is used for anything; without it, what
/// [`Options`] says of memory may have no effect.
pub fn count_memory() {
    memory::install();
}

/// A text as a client spells a value of a type, as the value that is stored; an error in PostgreSQL's words.
/// `zone` is that of moments which do not tell theirs.
pub fn read_text(text: &str, ty: SqlType, zone: &Zone) -> Result<Value, BackendError> {
    use functions::V;
    Ok(
        match functions::zone::within(zone, || functions::read(text, ty.name()))
            .map_err(|(sqlstate, words)| BackendError::new(sqlstate, words))?
        {
            V::Null => Value::Null,
            V::Int(number) => Value::Integer(number),
            V::Real(number) => Value::Real(number),
            V::Text(text) => Value::Text(text.into_bytes()),
            V::Blob(bytes) => Value::Blob(bytes),
        },
    )
}

/// An error of a statement that the client did not write: it stands nowhere in the client's.
#[must_use]
pub fn without_position(error: BackendError) -> BackendError {
    BackendError {
        position: None,
        ..error
    }
}
