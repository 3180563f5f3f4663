//! What a statement may take of SQLite, beside time: how long values and patterns are, and how much memory it holds.
//! One call of a function cannot be interrupted, so for questions the longest call has to be a short one.

use rusqlite::{Connection, Result, limits::Limit};

use super::{Options, guard::Mode};
use crate::backend::BackendError;

/// The longest statement, in bytes.
const LONGEST_STATEMENT: i32 = 16 << 20;
/// The longest pattern of LIKE and GLOB in a question, in bytes: what they do grows with it and with the text.
const LONGEST_PATTERN: i32 = 256;
/// The same in a client's own statement: SQLite calls itself for each `%` and `*`, on the stack of the session's thread.
const LONGEST_PATTERN_OF_CLIENTS: i32 = 5_000;
/// The longest program that a question is compiled to, in instructions.
const LONGEST_PROGRAM: i32 = 250_000;

/// What SQLite bounds by itself, and by how much.
pub(super) type Bounds = [(Limit, i32); 3];

/// The bounds of a client's own statements, for a connection that has no others yet.
pub(super) fn set_up(connection: &Connection, options: &Options) -> Result<()> {
    connection.set_limit(Limit::SQLITE_LIMIT_LENGTH, length(options.value))?;
    connection.set_limit(Limit::SQLITE_LIMIT_SQL_LENGTH, LONGEST_STATEMENT)?;
    connection.set_limit(
        Limit::SQLITE_LIMIT_LIKE_PATTERN_LENGTH,
        LONGEST_PATTERN_OF_CLIENTS,
    )?;
    connection.set_limit(Limit::SQLITE_LIMIT_WORKER_THREADS, 0)?;
    Ok(())
}

/// The bounds of questions.
pub(super) fn of_questions(options: &Options) -> Bounds {
    [
        (Limit::SQLITE_LIMIT_LENGTH, length(options.question_value)),
        (Limit::SQLITE_LIMIT_LIKE_PATTERN_LENGTH, LONGEST_PATTERN),
        (Limit::SQLITE_LIMIT_VDBE_OP, LONGEST_PROGRAM),
    ]
}

/// Sets bounds, and returns those of before.
pub(super) fn exchange(connection: &Connection, bounds: Bounds) -> Result<Bounds> {
    let mut before = bounds;
    for ((limit, bound), before) in bounds.into_iter().zip(&mut before) {
        before.1 = connection.limit(limit)?;
        connection.set_limit(limit, bound)?;
    }
    Ok(before)
}

/// The bytes of memory that a statement may take; `None` for any number.
pub(super) fn memory(options: &Options, mode: Mode) -> Option<u64> {
    let bytes = if mode.is_question() {
        options.question_memory
    } else {
        options.memory
    };
    (bytes > 0).then_some(bytes)
}

/// The longest value that a statement may read or make, in bytes.
pub(super) fn value(options: &Options, mode: Mode) -> u64 {
    if mode.is_question() {
        options.question_value
    } else {
        options.value
    }
}

/// The bytes that a session's statements may have in temporary files; `None` for any number.
pub(super) fn temporary(options: &Options, mode: Mode) -> Option<u64> {
    let bytes = if mode.is_question() {
        options.question_temporary
    } else {
        options.temporary
    };
    (bytes > 0).then_some(bytes)
}

/// The error of a statement that wanted larger temporary files.
pub(super) fn wrote_too_much(options: &Options, mode: Mode) -> BackendError {
    let key = if mode.is_question() {
        "limits.temporary_bytes"
    } else {
        "sqlite.temporary_bytes"
    };
    let kilobytes = temporary(options, mode).unwrap_or_default() / 1024;
    BackendError::new(
        "53400",
        format!("temporary file size exceeds \"{key}\" ({kilobytes}kB)"),
    )
    .with_hint("Sort, group or join fewer rows at once, or raise the limit in the proxy's configuration.")
}

/// The error of a statement that wanted more memory.
pub(super) fn took_too_much(options: &Options, mode: Mode) -> BackendError {
    let (sqlstate, key) = if mode.is_question() {
        ("54000", "limits.memory")
    } else {
        ("53200", "sqlite.memory")
    };
    let bytes = memory(options, mode).unwrap_or_default();
    BackendError::new(sqlstate, "out of memory")
        .with_detail(format!("The statement needed more than {bytes} bytes of memory."))
        .with_hint(format!(
            "Ask for less at once, or raise {key} in the proxy's configuration."
        ))
}

/// The error of a question that is compiled to too many instructions.
pub(super) fn too_complex() -> BackendError {
    BackendError::new("54001", "statement too complex")
        .with_detail(format!(
            "It is compiled to more than {LONGEST_PROGRAM} instructions."
        ))
        .with_hint("Ask a simpler question.")
}

/// The error of a statement that made or read a value that is too long.
pub(super) fn too_long(options: &Options, mode: Mode) -> BackendError {
    let bytes = value(options, mode);
    let key = if mode.is_question() {
        "limits.value_bytes"
    } else {
        "sqlite.value_bytes"
    };
    BackendError::new("54000", "string or blob too big")
        .with_detail(format!(
            "A value, or the statement itself, is longer than {bytes} bytes."
        ))
        .with_hint(format!(
            "Ask for less of it, or raise {key} in the proxy's configuration."
        ))
}

/// SQLite takes less for more than its own bound.
fn length(bytes: u64) -> i32 {
    i32::try_from(bytes).unwrap_or(i32::MAX)
}
