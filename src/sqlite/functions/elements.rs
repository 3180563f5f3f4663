//! The elements of a JSON array as rows, for views of a file: SQLite's own function by another name, which no table has. A view
//! finds the tables of its file before any function, and may not name another schema to pass over them.

#![allow(
    unsafe_code,
    reason = "SQLite reads a virtual table through structs that begin with its own, and a row of a statement stays while the \
              table is read"
)]

use std::{
    borrow::Cow,
    ffi::{CStr, CString, c_int},
    marker::PhantomData,
    ptr, slice,
};

use rusqlite::{
    Connection, Error, Result, ffi,
    types::ValueRef,
    vtab::{
        Context, Filters, IndexConstraintOp, IndexInfo, Module, VTab, VTabConfig, VTabConnection, VTabCursor,
    },
};

use crate::sqlite::translate::EACH_IN_FILE;

const READ: &CStr = c"SELECT key, value FROM pg_catalog.json_each(?1)";
/// The hidden column that the array is given as.
const ARRAY: c_int = 2;

pub(super) fn add(connection: &Connection) -> Result<()> {
    const TABLE: Module<Table> = Module::eponymous_only_module();
    connection.create_module(CString::new(EACH_IN_FILE)?.as_c_str(), &TABLE, None)
}

#[repr(C)]
struct Table {
    base: ffi::sqlite3_vtab,
    /// The connection that the table belongs to, and that outlives it.
    db: *mut ffi::sqlite3,
}

// SAFETY: the struct is repr(C) and begins with SQLite's own.
unsafe impl<'t> VTab<'t> for Table {
    type Aux = ();
    type Cursor = Cursor<'t>;

    fn connect(
        db: &mut VTabConnection,
        _aux: Option<&()>,
        _module_name: &[u8],
        _database_name: &[u8],
        _table_name: &[u8],
        _args: &[&[u8]],
    ) -> Result<(Cow<'static, CStr>, Self)> {
        db.config(VTabConfig::Innocuous)?;
        let table = Self {
            base: ffi::sqlite3_vtab::default(),
            // SAFETY: it is used on the connection's own thread alone, while the table is there.
            db: unsafe { db.handle() },
        };
        Ok((Cow::Borrowed(c"CREATE TABLE x(key, value, array HIDDEN)"), table))
    }

    fn best_index(&self, info: &mut IndexInfo) -> Result<bool> {
        let mut constraints = info.constraints().enumerate();
        let given = constraints.find_map(|(position, constraint)| {
            let is_array = constraint.column() == ARRAY
                && constraint.operator() == IndexConstraintOp::SQLITE_INDEX_CONSTRAINT_EQ;
            is_array.then(|| (position, constraint.is_usable()))
        });
        info.set_estimated_cost(100.0);
        info.set_estimated_rows(100);
        let Some((position, is_usable)) = given else {
            return Ok(true);
        };
        let mut usage = info.constraint_usage(position);
        usage.set_argv_index(1);
        usage.set_omit(true);
        Ok(is_usable)
    }

    fn open(&mut self) -> Result<Cursor<'_>> {
        Ok(Cursor {
            base: ffi::sqlite3_vtab_cursor::default(),
            db: self.db,
            statement: ptr::null_mut(),
            is_row: false,
            row: 0,
            table: PhantomData,
        })
    }
}

#[repr(C)]
struct Cursor<'t> {
    base: ffi::sqlite3_vtab_cursor,
    db: *mut ffi::sqlite3,
    /// What reads the array; null before there is one.
    statement: *mut ffi::sqlite3_stmt,
    is_row: bool,
    row: i64,
    table: PhantomData<&'t Table>,
}

impl Cursor<'_> {
    fn checked(&self, code: c_int) -> Result<c_int> {
        if matches!(code, ffi::SQLITE_OK | ffi::SQLITE_ROW | ffi::SQLITE_DONE) {
            return Ok(code);
        }
        // SAFETY: the connection is open while one of its tables is read, and its message is a text until the next call.
        let message = unsafe { CStr::from_ptr(ffi::sqlite3_errmsg(self.db)) };
        let message = message.to_string_lossy().into_owned();
        Err(Error::SqliteFailure(ffi::Error::new(code), Some(message)))
    }

    fn step(&mut self) -> Result<()> {
        // SAFETY: the statement was compiled by `filter` and is not finalized before the cursor goes.
        let code = unsafe { ffi::sqlite3_step(self.statement) };
        self.is_row = self.checked(code)? == ffi::SQLITE_ROW;
        Ok(())
    }
}

impl Drop for Cursor<'_> {
    fn drop(&mut self) {
        // SAFETY: null, or a statement that nobody else has.
        unsafe { ffi::sqlite3_finalize(self.statement) };
    }
}

// SAFETY: the struct is repr(C) and begins with SQLite's own.
unsafe impl VTabCursor for Cursor<'_> {
    fn filter(&mut self, _idx_num: c_int, _idx_str: Option<&str>, args: &Filters<'_>) -> Result<()> {
        (self.is_row, self.row) = (false, 0);
        let Some(ValueRef::Text(array)) = args.iter().next() else {
            return Ok(());
        };
        if self.statement.is_null() {
            // SAFETY: the connection is open, and the text ends with a zero.
            let code = unsafe {
                ffi::sqlite3_prepare_v2(
                    self.db,
                    READ.as_ptr(),
                    -1,
                    &raw mut self.statement,
                    ptr::null_mut(),
                )
            };
            self.checked(code)?;
        }
        // SAFETY: the statement is there, and SQLite makes a copy of the text.
        let code = unsafe {
            ffi::sqlite3_reset(self.statement);
            ffi::sqlite3_bind_text64(
                self.statement,
                1,
                array.as_ptr().cast(),
                array.len() as u64,
                ffi::SQLITE_TRANSIENT(),
                ffi::SQLITE_UTF8 as u8,
            )
        };
        self.checked(code)?;
        self.step()
    }

    fn next(&mut self) -> Result<()> {
        self.row += 1;
        self.step()
    }

    fn eof(&self) -> bool {
        !self.is_row
    }

    fn column(&self, context: &mut Context, column: c_int) -> Result<()> {
        if column >= ARRAY {
            return Ok(());
        }
        // SAFETY: the statement stands on a row that has both columns, and a text is copied before the next call.
        let value = unsafe {
            match ffi::sqlite3_column_type(self.statement, column) {
                ffi::SQLITE_INTEGER => ValueRef::Integer(ffi::sqlite3_column_int64(self.statement, column)),
                ffi::SQLITE_FLOAT => ValueRef::Real(ffi::sqlite3_column_double(self.statement, column)),
                ffi::SQLITE_TEXT => {
                    let text = ffi::sqlite3_column_text(self.statement, column);
                    let length = ffi::sqlite3_column_bytes(self.statement, column);
                    ValueRef::Text(slice::from_raw_parts(
                        text,
                        usize::try_from(length).unwrap_or_default(),
                    ))
                }
                _ => ValueRef::Null,
            }
        };
        context.set_result(rusqlite::types::ToSqlOutput::Borrowed(value))
    }

    fn rowid(&self) -> Result<i64> {
        Ok(self.row)
    }
}
