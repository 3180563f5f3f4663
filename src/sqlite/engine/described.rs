//! The names and declared types of a statement's columns. In a file they are any bytes, and the driver takes them for UTF-8.

use std::ffi::{CStr, c_char, c_int};

use rusqlite::{Connection, Statement, ffi};

/// A column of a compiled statement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Described {
    /// Its name; what is not UTF-8 in it is replaced.
    pub(super) name: String,
    /// The declared type, where it is a table's column.
    pub(super) declared: Option<String>,
    /// The table and the column that it is, where it is one.
    pub(super) column: Option<(String, String)>,
}

/// The columns of a statement that was compiled on this connection from this text.
pub(super) fn columns(connection: &Connection, statement: &Statement<'_>, sql: &str) -> Vec<Described> {
    let count = statement.column_count();
    if count == 0 {
        return vec![];
    }
    #[allow(unsafe_code, reason = "the driver does not give the bytes")]
    // SAFETY: the statements of a connection that is borrowed stay as they are while they are looked at; the texts are
    // copied before anything else is done with them.
    let found = unsafe {
        let mut one = ffi::sqlite3_next_stmt(connection.handle(), std::ptr::null_mut());
        // The newest comes first. One of the same text has the same columns.
        while !one.is_null() && !is_of(one, sql, count) {
            one = ffi::sqlite3_next_stmt(connection.handle(), one);
        }
        (!one.is_null()).then(|| {
            (0..count)
                .filter_map(|at| c_int::try_from(at).ok())
                .map(|at| Described {
                    name: text(ffi::sqlite3_column_name(one, at)).unwrap_or_default(),
                    declared: text(ffi::sqlite3_column_decltype(one, at)),
                    column: text(ffi::sqlite3_column_table_name(one, at))
                        .zip(text(ffi::sqlite3_column_origin_name(one, at))),
                })
                .collect()
        })
    };
    found.unwrap_or_else(|| {
        let nameless = Described {
            name: "?column?".into(),
            declared: None,
            column: None,
        };
        vec![nameless; count]
    })
}

/// Whether a statement was compiled from the beginning of this text, and has so many columns.
#[allow(unsafe_code, reason = "as above")]
unsafe fn is_of(statement: *mut ffi::sqlite3_stmt, sql: &str, count: usize) -> bool {
    // SAFETY: the statement is alive.
    unsafe {
        let start = ffi::sqlite3_sql(statement);
        !start.is_null()
            && usize::try_from(ffi::sqlite3_column_count(statement)) == Ok(count)
            && sql.as_bytes().starts_with(CStr::from_ptr(start).to_bytes())
    }
}

#[allow(unsafe_code, reason = "as above")]
unsafe fn text(start: *const c_char) -> Option<String> {
    // SAFETY: SQLite's names end with NUL.
    (!start.is_null()).then(|| unsafe { CStr::from_ptr(start) }.to_string_lossy().into_owned())
}
