//! What SQLite asks the authorizer, told without the driver's way of it: names in a file are any bytes, and one that is not
//! UTF-8 must not end in a panic.

use std::{
    borrow::Cow,
    ffi::{CStr, c_char, c_int, c_void},
    sync::Arc,
};

use rusqlite::{Connection, Error, Result, ffi};

use super::Guard;

/// Something that a statement does, as SQLite finds it while it compiles the statement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Action<'c> {
    /// Reads a column; one without a name where the table alone counts.
    Read {
        table_name: &'c str,
        column_name: &'c str,
    },
    /// Calls a function.
    Function {
        function_name: &'c str,
    },
    Pragma {
        pragma_name: &'c str,
        pragma_value: Option<&'c str>,
    },
    Attach {
        filename: &'c str,
    },
    Detach {
        database_name: &'c str,
    },
    CreateVtable {
        module_name: &'c str,
    },
    Select,
    /// Reads itself.
    Recursive,
    /// Begins or ends a transaction or savepoint.
    Transaction,
    /// Adds, changes or removes rows.
    Rows {
        table_name: &'c str,
    },
    /// Changes something else.
    Change,
    /// Something that this SQLite should not know.
    Unknown {
        code: c_int,
    },
}

/// An action, and where it is.
#[derive(Debug, Clone, Copy)]
pub(super) struct Context<'c> {
    pub(super) action: Action<'c>,
    pub(super) database_name: Option<&'c str>,
    /// The view, trigger or common table expression that does it.
    pub(super) accessor: Option<&'c str>,
}

/// Has SQLite ask a guard about every statement of a connection.
pub(super) fn ask(connection: &Connection, guard: &Arc<Guard>) -> Result<()> {
    let guard = Arc::into_raw(Arc::clone(guard)).cast_mut().cast::<c_void>();
    #[allow(unsafe_code, reason = "the driver's own authorizer takes names for UTF-8")]
    // SAFETY: the handle is open; SQLite keeps the guard as long as the connection, and gives it back at the end.
    let codes = unsafe {
        let kept = ffi::sqlite3_set_clientdata(
            connection.handle(),
            c"querent:guard".as_ptr(),
            guard,
            Some(give_back),
        );
        [
            kept,
            ffi::sqlite3_set_authorizer(connection.handle(), Some(authorize), guard),
        ]
    };
    match codes.into_iter().find(|code| *code != ffi::SQLITE_OK) {
        Some(code) => Err(Error::SqliteFailure(ffi::Error::new(code), None)),
        None => Ok(()),
    }
}

#[allow(unsafe_code, reason = "SQLite calls it")]
unsafe extern "C" fn give_back(guard: *mut c_void) {
    // SAFETY: it was made of one in `ask`, and comes back once.
    drop(unsafe { Arc::from_raw(guard.cast::<Guard>()) });
}

#[allow(unsafe_code, reason = "SQLite calls it")]
unsafe extern "C" fn authorize(
    guard: *mut c_void,
    code: c_int,
    first: *const c_char,
    second: *const c_char,
    database: *const c_char,
    accessor: *const c_char,
) -> c_int {
    // SAFETY: the guard lives as long as the connection, and the names as long as the call.
    let (guard, [first, second, database, accessor]) = unsafe {
        (
            &*guard.cast::<Guard>(),
            [first, second, database, accessor].map(|name| text(name)),
        )
    };
    let (first, second) = (first.as_deref(), second.as_deref());
    let context = Context {
        action: Action::of(code, first, second),
        database_name: database.as_deref(),
        accessor: accessor.as_deref(),
    };
    if guard.allows(&context) {
        ffi::SQLITE_OK
    } else {
        ffi::SQLITE_DENY
    }
}

#[allow(unsafe_code, reason = "the names are C's")]
unsafe fn text<'c>(name: *const c_char) -> Option<Cow<'c, str>> {
    // SAFETY: SQLite's names end with NUL.
    (!name.is_null()).then(|| unsafe { CStr::from_ptr(name) }.to_string_lossy())
}

impl<'c> Action<'c> {
    fn of(code: c_int, first: Option<&'c str>, second: Option<&'c str>) -> Self {
        match (code, first, second) {
            (ffi::SQLITE_READ, Some(table_name), Some(column_name)) => Self::Read {
                table_name,
                column_name,
            },
            (ffi::SQLITE_FUNCTION, _, Some(function_name)) => Self::Function { function_name },
            (ffi::SQLITE_PRAGMA, Some(pragma_name), pragma_value) => Self::Pragma {
                pragma_name,
                pragma_value,
            },
            // A file that is named by an expression has no name here, and is not to be taken for the empty one.
            (ffi::SQLITE_ATTACH, Some(filename), _) => Self::Attach { filename },
            (ffi::SQLITE_DETACH, Some(database_name), _) => Self::Detach { database_name },
            (ffi::SQLITE_CREATE_VTABLE, _, Some(module_name)) => Self::CreateVtable { module_name },
            (ffi::SQLITE_INSERT | ffi::SQLITE_UPDATE | ffi::SQLITE_DELETE, Some(table_name), _) => {
                Self::Rows { table_name }
            }
            (ffi::SQLITE_SELECT, ..) => Self::Select,
            (ffi::SQLITE_RECURSIVE, ..) => Self::Recursive,
            (ffi::SQLITE_TRANSACTION | ffi::SQLITE_SAVEPOINT, ..) => Self::Transaction,
            (
                ffi::SQLITE_CREATE_INDEX
                | ffi::SQLITE_CREATE_TABLE
                | ffi::SQLITE_CREATE_TEMP_INDEX
                | ffi::SQLITE_CREATE_TEMP_TABLE
                | ffi::SQLITE_CREATE_TEMP_TRIGGER
                | ffi::SQLITE_CREATE_TEMP_VIEW
                | ffi::SQLITE_CREATE_TRIGGER
                | ffi::SQLITE_CREATE_VIEW
                | ffi::SQLITE_DROP_INDEX
                | ffi::SQLITE_DROP_TABLE
                | ffi::SQLITE_DROP_TEMP_INDEX
                | ffi::SQLITE_DROP_TEMP_TABLE
                | ffi::SQLITE_DROP_TEMP_TRIGGER
                | ffi::SQLITE_DROP_TEMP_VIEW
                | ffi::SQLITE_DROP_TRIGGER
                | ffi::SQLITE_DROP_VIEW
                | ffi::SQLITE_DROP_VTABLE
                | ffi::SQLITE_ALTER_TABLE
                | ffi::SQLITE_REINDEX
                | ffi::SQLITE_ANALYZE,
                ..,
            ) => Self::Change,
            (code, ..) => Self::Unknown { code },
        }
    }
}
