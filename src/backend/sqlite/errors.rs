//! SQLite's errors as PostgreSQL's: SQLSTATE, message, position and a hint.

use rusqlite::{Error, ErrorCode, ffi};

use crate::backend::BackendError;
use crate::catalog::lexical::{self, Piece};

/// The error as a client reads it. Positions count in `sql`, the text that SQLite was given.
pub(super) fn from_sqlite(error: &Error, sql: &str) -> BackendError {
    let mut shown = worded(error, sql);
    if shown.position.is_none() && shown.sqlstate.starts_with("42") {
        shown.position = named(&shown.message, sql).map(|offset| position(sql, offset));
    }
    shown
}

fn worded(error: &Error, sql: &str) -> BackendError {
    match error {
        Error::SqlInputError {
            error, msg, offset, ..
        } => {
            let mut shown = from_code(error, msg);
            shown.position = usize::try_from(*offset).ok().map(|offset| position(sql, offset));
            shown
        }
        Error::SqliteFailure(error, Some(message)) => from_code(error, message),
        Error::SqliteFailure(error, None) => from_code(error, &error.to_string()),
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
        other => BackendError::new("XX000", other.to_string()),
    }
}

/// Where the thing stands that `no such table: main.x` and the like name, in bytes.
fn named(message: &str, sql: &str) -> Option<usize> {
    let (_, name) = message.strip_prefix("no such ")?.split_once(": ")?;
    let name = name.rsplit('.').next()?;
    lexical::pieces(sql).find_map(|(offset, piece)| match piece {
        Piece::Token(token) if lexical::unquote(token).eq_ignore_ascii_case(name) => Some(offset),
        _ => None,
    })
}

/// Characters from 1, from bytes from 0.
fn position(sql: &str, offset: usize) -> usize {
    let before = sql.as_bytes().get(..offset).unwrap_or(sql.as_bytes());
    String::from_utf8_lossy(before).chars().count() + 1
}

fn from_code(error: &ffi::Error, message: &str) -> BackendError {
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

/// SQLITE_ERROR has one code for everything about the statement, so its words must tell.
fn by_message(message: &str) -> BackendError {
    let starts = |prefix: &str| message.starts_with(prefix);
    let has = |part: &str| message.contains(part);
    if starts("no such table") || starts("no such view") || has("no such index") {
        BackendError::new("42P01", message).with_hint("The tables are listed in sqlite_schema.")
    } else if starts("no such column") || has("has no column named") {
        BackendError::new("42703", message)
            .with_hint("PRAGMA table_info(table) lists a table's columns; a string needs single quotes.")
    } else if starts("ambiguous column name") {
        BackendError::new("42702", message).with_hint("Write the table or its alias in front of the column.")
    } else if starts("no such function") {
        BackendError::new("42883", message)
            .with_hint("SELECT DISTINCT name FROM pragma_function_list lists the functions.")
    } else if starts("wrong number of arguments") {
        BackendError::new("42883", message)
    } else if starts("unrecognized configuration parameter") {
        BackendError::new("42704", message)
    } else if starts("no such savepoint") {
        BackendError::new("3B001", message)
    } else if has("within a transaction") || has("cannot VACUUM") {
        BackendError::new("25001", message)
    } else if has("no transaction is active") {
        BackendError::new("25P01", message)
    } else if has("already exists") {
        BackendError::new("42P07", message)
    } else if starts("unknown database") {
        BackendError::new("3F000", message)
            .with_hint("A SQLite file has one schema, main, and temp for temporary tables.")
    } else if starts("misuse of aggregate") || has("GROUP BY clause is required") {
        BackendError::new("42803", message)
    } else if starts("misuse of window function") {
        BackendError::new("42P20", message)
    } else if starts("not authorized") || has("is prohibited") {
        BackendError::new("42501", message)
    } else if has("may not be modified") || has("cannot modify") {
        BackendError::new("42809", message)
    } else if has("values were supplied") || has("values for") || has("result columns") || has("syntax error")
    {
        BackendError::new("42601", message)
    } else if starts("unrecognized token")
        || has("incomplete input")
        || starts("near ")
        || has("ORDER BY term")
    {
        BackendError::new("42601", message)
    } else if starts("too many") || has("too deep") || has("too complex") || has("too large") {
        BackendError::new("54001", message)
    } else if has("integer overflow") {
        BackendError::new("22003", message)
    } else if has("malformed JSON") || has("JSON path") {
        BackendError::new("22032", message)
    } else if has("FOREIGN KEY") || has("foreign key mismatch") {
        BackendError::new("42830", message)
    } else {
        BackendError::new("42000", message)
    }
}
