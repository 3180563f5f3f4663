//! SQLite's errors as PostgreSQL's: SQLSTATE, message, position and a hint.

use rusqlite::{Error, ErrorCode, ffi};

use super::foreign;
use crate::{
    backend::BackendError,
    sqlite::{catalog, functions},
    statement::sqlite_lexer::{self, Piece},
};

/// The error as a client reads it. Positions count in `sql`, the text that SQLite was given.
pub(super) fn from_sqlite(error: &Error, sql: &str) -> BackendError {
    let mut shown = worded(error, sql);
    if shown.sqlstate == "42601"
        && let Some((what, instead)) = foreign::read(sql)
    {
        return BackendError {
            position: shown.position,
            hint: Some(instead.to_owned()),
            ..BackendError::new("0A000", format!("{what} is not supported on a SQLite file"))
        };
    }
    if shown.sqlstate == "42601" {
        shown.message = of_syntax(shown.message);
    }
    if shown.sqlstate == "42601" && foreign::asks(sql) {
        shown.hint = Some(
            "A question that begins with ASK needs ask_keyword = true in the configuration; -- nl: asks without it."
                .to_owned(),
        );
    }
    if shown.position.is_none() && shown.sqlstate.starts_with("42") {
        shown.position = named(&shown.message, sql).map(|offset| position(sql, offset));
    }
    shown
}

/// As [`from_sqlite`] for a statement that was translated from `sql`: where SQLite stopped says nothing of it.
pub(super) fn from_translated(error: &Error, sql: &str) -> BackendError {
    let mut shown = worded(error, sql);
    shown.position = None;
    if shown.sqlstate.starts_with("42") {
        shown.position = named(&shown.message, sql).map(|offset| position(sql, offset));
    }
    shown
}

/// `near "x": syntax error` as PostgreSQL says it.
fn of_syntax(message: String) -> String {
    match message
        .strip_prefix("near ")
        .and_then(|rest| rest.strip_suffix(": syntax error"))
    {
        Some(near) => format!("syntax error at or near {near}"),
        None if message == "incomplete input" => "syntax error at end of input".into(),
        None => message,
    }
}

fn worded(error: &Error, sql: &str) -> BackendError {
    match error {
        Error::SqlInputError {
            error, msg, offset, ..
        } => {
            let mut shown = from_code(*error, msg);
            shown.position = usize::try_from(*offset).ok().map(|offset| position(sql, offset));
            shown
        }
        Error::SqliteFailure(error, Some(message)) => from_code(*error, message),
        Error::SqliteFailure(error, None) => from_code(*error, &error.to_string()),
        Error::MultipleStatement => BackendError::new(
            "42601",
            "cannot insert multiple commands into a prepared statement",
        )
        .with_hint("Send one statement at a time, or use the simple query protocol."),
        Error::NulError(_) => BackendError::new(
            "22021",
            "invalid byte sequence: the text contains a NUL character",
        ),
        Error::InvalidParameterCount(given, wanted) => BackendError::new(
            "08P01",
            format!("the statement has {wanted} parameters, but {given} values were bound"),
        ),
        Error::Utf8Error(..) => BackendError::new("22021", "invalid byte sequence for encoding \"UTF8\"")
            .with_hint("Read the bytes with CAST(column AS BLOB)."),
        Error::UserFunctionError(own) => match own.downcast_ref::<functions::Failure>() {
            Some(failure) => BackendError::new(failure.sqlstate, &failure.message),
            None => match own.downcast_ref::<BackendError>() {
                Some(told) => told.clone(),
                None => BackendError::new("XX000", own.to_string()),
            },
        },
        other => BackendError::new("XX000", other.to_string()),
    }
}

/// Where the thing stands that `no such table: main.x`, `not authorized to use function: x` and the like name, in bytes.
fn named(message: &str, sql: &str) -> Option<usize> {
    let (what, name) = message.split_once(": ")?;
    if !(what.starts_with("no such ") || what.starts_with("not authorized ")) {
        return None;
    }
    // A name may have dots of its own, and its schema before it.
    let dots = name.match_indices('.').map(|(dot, _)| &name[dot + 1..]);
    std::iter::once(name).chain(dots).find_map(|name| {
        sqlite_lexer::pieces(sql).find_map(|(offset, piece)| match piece {
            Piece::Token(token) if sqlite_lexer::unquote(token).eq_ignore_ascii_case(name) => Some(offset),
            _ => None,
        })
    })
}

/// Characters from 1, from bytes from 0.
fn position(sql: &str, offset: usize) -> usize {
    let before = sql.as_bytes().get(..offset).unwrap_or(sql.as_bytes());
    String::from_utf8_lossy(before).chars().count() + 1
}

fn from_code(error: ffi::Error, message: &str) -> BackendError {
    if let Some(sqlstate) = functions::told(error, message) {
        return BackendError::new(sqlstate, message);
    }
    if let Some(shown) = by_extended_code(error.extended_code, message) {
        return shown;
    }
    match error.code {
        ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked => {
            BackendError::new("55P03", "could not obtain the lock: the database is locked")
                .with_detail("Another connection is writing to this file and did not finish in time.")
                .with_hint("Retry the statement or its transaction, or raise sqlite.busy_timeout.")
        }
        ErrorCode::ReadOnly => BackendError::new("25006", "cannot write: the database is read-only")
            .with_hint("Check the permissions of the file and its folder, and the proxy's settings."),
        ErrorCode::OperationInterrupted => {
            BackendError::new("57014", "canceling statement due to user request")
        }
        ErrorCode::DatabaseCorrupt => corrupt(message),
        ErrorCode::NotADatabase => BackendError::new("58030", "the file is not a SQLite database")
            .with_hint("Give the path of a SQLite 3 file; an encrypted one cannot be read."),
        ErrorCode::DiskFull => BackendError::new("53100", "the disk is full"),
        ErrorCode::TooBig => BackendError::new("54000", message),
        ErrorCode::OutOfMemory => BackendError::new("53200", "out of memory"),
        ErrorCode::AuthorizationForStatementDenied => BackendError::new("42501", message),
        ErrorCode::TypeMismatch => BackendError::new("42804", message)
            .with_hint("An INTEGER PRIMARY KEY, LIMIT and OFFSET take whole numbers only."),
        ErrorCode::CannotOpen => BackendError::new("58P01", "could not open the database file")
            .with_detail(message)
            .with_hint("Check that the file and its folder exist and may be read and written."),
        ErrorCode::SystemIoFailure => {
            BackendError::new("58030", "could not read or write the database file").with_detail(message)
        }
        ErrorCode::ConstraintViolation => BackendError::new("23000", message),
        ErrorCode::SchemaChanged => BackendError::new("40001", "the schema changed while the statement ran")
            .with_hint("Retry the statement."),
        ErrorCode::ParameterOutOfRange => BackendError::new("42P02", message),
        ErrorCode::Unknown => by_message(message),
        _ => BackendError::new("XX000", message),
    }
}

fn corrupt(message: &str) -> BackendError {
    BackendError::new("XX001", "the database file is damaged")
        .with_detail(message)
        .with_hint("Run PRAGMA integrity_check; restore the file from a copy or with sqlite3's .recover.")
}

fn by_extended_code(code: i32, message: &str) -> Option<BackendError> {
    let sqlstate = match code {
        ffi::SQLITE_CONSTRAINT_UNIQUE | ffi::SQLITE_CONSTRAINT_PRIMARYKEY | ffi::SQLITE_CONSTRAINT_ROWID => {
            "23505"
        }
        ffi::SQLITE_CONSTRAINT_NOTNULL => "23502",
        ffi::SQLITE_CONSTRAINT_FOREIGNKEY => "23503",
        // So SQLite says it of ON DELETE and ON UPDATE RESTRICT.
        ffi::SQLITE_CONSTRAINT_TRIGGER if message == "FOREIGN KEY constraint failed" => "23503",
        ffi::SQLITE_CONSTRAINT_CHECK => "23514",
        ffi::SQLITE_CONSTRAINT_TRIGGER => "P0001",
        ffi::SQLITE_CONSTRAINT_DATATYPE => "42804",
        ffi::SQLITE_BUSY_SNAPSHOT => {
            return Some(
                BackendError::new("40001", "could not serialize access due to concurrent update")
                    .with_hint("Roll back and retry the transaction."),
            );
        }
        ffi::SQLITE_CORRUPT_VTAB => return Some(corrupt(message)),
        _ => return None,
    };
    Some(BackendError::new(sqlstate, message))
}

/// Where a message says what went wrong.
enum Words {
    /// It begins so.
    Start(&'static str),
    /// It has this somewhere.
    Anywhere(&'static str),
}

/// `SQLITE_ERROR` is the one code for everything about the statement itself, so its words must tell. The first
/// that fits counts.
const BY_MESSAGE: [(Words, &str, Option<&str>); 57] = {
    use Words::{Anywhere, Start};
    let tables = Some("information_schema.tables lists the tables and views.");
    let columns = Some("PRAGMA table_info(table) lists a table's columns; a string needs single quotes.");
    let qualify = Some("Write the table or its alias in front of the column.");
    let functions = Some("SELECT DISTINCT name FROM pragma_function_list lists the functions.");
    let schemas = Some("A SQLite file has one schema, main, and temp for temporary tables.");
    [
        (Start("no such table"), "42P01", tables),
        (Start("no such view"), "42P01", tables),
        (Start("relation \""), "42P01", None),
        (Start("type \""), "42704", None),
        (Start("schema \""), "3F000", None),
        (Start("invalid regular expression"), "2201B", None),
        (Start("unrecognized privilege type"), "22023", None),
        (Start("role \""), "42704", None),
        (Start("database \""), "3D000", None),
        (Start("column \""), "42703", None),
        (Start("no such index"), "42704", None),
        (Start("no such column"), "42703", columns),
        (Anywhere("has no column named"), "42703", columns),
        (Start("ambiguous column name"), "42702", qualify),
        (Start("no such function"), "42883", functions),
        (Start("wrong number of arguments"), "42883", None),
        (Start("no such savepoint"), "3B001", None),
        (Start("unrecognized configuration parameter"), "42704", None),
        (Anywhere("within a transaction"), "25001", None),
        (Anywhere("cannot VACUUM"), "25001", None),
        (Anywhere("no transaction is active"), "25P01", None),
        (Anywhere("already exists"), "42P07", None),
        (Start("there is already a"), "42P07", None),
        (Anywhere("duplicate column name"), "42701", None),
        (Anywhere("more than one primary key"), "42P16", None),
        (Start("duplicate WITH table name"), "42712", None),
        (Start("no such window"), "42704", None),
        (Anywhere("argument to nth_value"), "22016", None),
        (Anywhere("argument of ntile"), "22014", None),
        (Anywhere("generated column"), "428C9", None),
        (Start("ON CONFLICT clause does not match"), "42P10", None),
        (Start("unknown database"), "3F000", schemas),
        (Start("misuse of aggregate"), "42803", None),
        (Anywhere("GROUP BY clause is required"), "42803", None),
        (Start("misuse of window function"), "42P20", None),
        (Start("not authorized"), "42501", None),
        (Anywhere("is prohibited"), "42501", None),
        // The catalogue's tables.
        (Start("table pg_"), "42501", None),
        (Anywhere("may not be modified"), "42809", None),
        (Anywhere("cannot modify"), "55000", None),
        (Anywhere("values were supplied"), "42601", None),
        (Anywhere("values for"), "42601", None),
        (Anywhere("result columns"), "42601", None),
        (Anywhere("syntax error"), "42601", None),
        (Start("unrecognized token"), "42601", None),
        (Anywhere("incomplete input"), "42601", None),
        (Start("near "), "42601", None),
        (Anywhere("ORDER BY term"), "42601", None),
        (Start("too many"), "54001", None),
        (Start("Recursion limit"), "54001", None),
        (Anywhere("too deep"), "54001", None),
        (Anywhere("too complex"), "54001", None),
        (Anywhere("too large"), "54001", None),
        (Anywhere("integer overflow"), "22003", None),
        (Anywhere("malformed JSON"), "22032", None),
        (Anywhere("JSON path"), "22032", None),
        (Anywhere("foreign key mismatch"), "42830", None),
    ]
};

/// A type that a STRICT table of SQLite's does not take.
fn of_strict(message: &str) -> Option<BackendError> {
    let (column, ty) = message
        .strip_prefix("unknown datatype for ")?
        .split_once(": \"")?;
    let column = column.rsplit('.').next()?;
    let ty = ty.trim_end_matches('"').to_lowercase();
    let message = format!("column \"{column}\" of a STRICT table cannot be of type {ty}");
    Some(BackendError::new("0A000", message).with_hint(
        "Such a table of SQLite's has columns of the types integer, real, text, blob and any alone.",
    ))
}

/// The bound of a window's frame that is less than nothing.
fn of_frame(message: &str) -> Option<BackendError> {
    let (which, wanted) = message
        .strip_prefix("frame ")?
        .split_once(" offset must be a non-negative ")?;
    Some(BackendError::new(
        "22013",
        match wanted {
            "integer" => format!("frame {which} offset must not be negative"),
            _ => "invalid preceding or following size in window function".into(),
        },
    ))
}

/// More parameters than SQLite is built for.
fn of_parameters(message: &str) -> Option<BackendError> {
    let is_told = message.starts_with("variable number must be between")
        || message.starts_with("too many SQL variables");
    is_told.then(|| {
        BackendError::new(
            "54000",
            "a statement on a SQLite file takes 32766 parameters at most",
        )
        .with_hint(
            "Write the rows in several statements or by COPY, or give many values as one array: = ANY($1), unnest($1).",
        )
    })
}

fn by_message(message: &str) -> BackendError {
    let of_its_own = of_strict(message).or_else(|| of_frame(message));
    if let Some(error) = of_its_own.or_else(|| of_parameters(message)) {
        return error;
    }
    let found = BY_MESSAGE.iter().find(|(words, ..)| match words {
        Words::Start(start) => message.starts_with(start),
        Words::Anywhere(part) => message.contains(part),
    });
    let (sqlstate, hint) = found.map_or(("42000", None), |(_, sqlstate, hint)| (*sqlstate, *hint));
    BackendError {
        hint: hint.map(str::to_owned),
        ..BackendError::new(sqlstate, message)
    }
}

/// What is told of a statement that reads itself and ran out of time.
pub const ENDLESS: &str = "Its recursion did not come to an end.";

/// What ran out of time in a statement that reads itself is told so.
pub(super) fn endless(error: BackendError, recursive: bool) -> BackendError {
    if !recursive || error.sqlstate != "57014" {
        return error;
    }
    let detail = match &error.detail {
        Some(detail) => format!("{detail} {ENDLESS}"),
        // Whoever stopped it knows why.
        None => return error.with_detail(ENDLESS),
    };
    error
        .with_detail(detail)
        .with_hint("Give the recursion a bound, or raise the time limit.")
}

/// The error with its position in the client's own text.
pub(super) fn at_original(error: BackendError, adapted: &catalog::Adapted<'_>) -> BackendError {
    let position = error.position.map(|position| adapted.original_position(position));
    BackendError { position, ..error }
}
