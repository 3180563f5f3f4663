//! The rows that one step of a statement returned, for the steps behind it. They are bound by a number and read as
//! values: no text is made of them.

use std::{
    cell::{OnceCell, RefCell},
    collections::HashMap,
    fmt::Write as _,
    rc::Rc,
};

use rusqlite::{
    Connection, Error, Result,
    functions::FunctionFlags,
    types::{ToSqlOutput, ValueRef},
};

use super::{Failure, fail};
use crate::{backend::Value, sqlite::memory::Held};

type Rows = Rc<Table>;

struct Table {
    rows: Vec<Vec<Value>>,
    /// The place of the first row that begins with a number, once somebody wants to know.
    places: OnceCell<HashMap<i64, usize>>,
}

impl Table {
    fn place(&self, number: i64) -> Option<usize> {
        let places = self.places.get_or_init(|| {
            let mut places = HashMap::new();
            for (place, row) in self.rows.iter().enumerate() {
                if let Some(Value::Integer(number)) = row.first() {
                    places.entry(*number).or_insert(place);
                }
            }
            places
        });
        places.get(&number).copied()
    }
}

#[derive(Default)]
struct All {
    last: i64,
    rows: HashMap<i64, Rows>,
}

thread_local! {
    static ALL: RefCell<All> = RefCell::default();
}

/// Rows that can be read as long as this is there.
pub(in crate::sqlite) struct Kept {
    /// The number of the step that returned them, as the translation has it.
    pub(in crate::sqlite) step: usize,
    /// What is bound for them.
    pub(in crate::sqlite) number: i64,
    count: u64,
    _held: Held,
}

impl Kept {
    pub(in crate::sqlite) fn new(step: usize, rows: Vec<Vec<Value>>, held: Held) -> Self {
        let count = rows.len() as u64;
        let number = ALL.with_borrow_mut(|all| {
            all.last += 1;
            let places = OnceCell::new();
            all.rows.insert(all.last, Rc::new(Table { rows, places }));
            all.last
        });
        Self {
            step,
            number,
            count,
            _held: held,
        }
    }

    /// How many rows these are.
    pub(in crate::sqlite) fn count(&self) -> u64 {
        self.count
    }
}

impl Drop for Kept {
    fn drop(&mut self) {
        ALL.with_borrow_mut(|all| all.rows.remove(&self.number));
    }
}

fn rows(number: i64) -> std::result::Result<Rows, Failure> {
    match ALL.with_borrow(|all| all.rows.get(&number).cloned()) {
        Some(rows) => Ok(rows),
        None => fail("55000", "these rows are no longer kept"),
    }
}

struct Cell(Rows, usize, usize);

impl rusqlite::ToSql for Cell {
    fn to_sql(&self) -> Result<ToSqlOutput<'_>> {
        let Self(rows, row, column) = self;
        Ok(ToSqlOutput::Borrowed(
            match rows.rows.get(*row).and_then(|row| row.get(*column)) {
                None | Some(Value::Null) => ValueRef::Null,
                Some(Value::Integer(value)) => ValueRef::Integer(*value),
                Some(Value::Real(value)) => ValueRef::Real(*value),
                Some(Value::Text(bytes)) => ValueRef::Text(bytes),
                Some(Value::Blob(bytes)) => ValueRef::Blob(bytes),
            },
        ))
    }
}

/// `pg_kept(rows)` is a JSON array with an element for each of them, `pg_kept(rows, place, column)` one value, and
/// `pg_kept_of(rows, number, column)` one of the first row that begins with this number.
pub(super) fn add(connection: &Connection) -> Result<()> {
    // Views and triggers have no business with them.
    let flags = FunctionFlags::SQLITE_UTF8 | FunctionFlags::SQLITE_DIRECTONLY;
    connection.create_scalar_function("pg_kept", 1, flags, |context| {
        let rows = rows(context.get(0)?)?;
        let mut list = String::from("[");
        for row in 0..rows.rows.len() {
            let _ = write!(list, "{}{row}", if row == 0 { "" } else { "," });
        }
        list.push(']');
        Ok(list)
    })?;
    connection.create_scalar_function("pg_kept", 3, flags, |context| {
        let at = |argument: usize| context.get::<usize>(argument);
        let (row, column): (usize, usize) = (at(1)?, at(2)?);
        Ok::<_, Error>(Cell(rows(context.get(0)?)?, row, column))
    })?;
    connection.create_scalar_function("pg_kept_of", 3, flags, |context| {
        let rows = rows(context.get(0)?)?;
        let row = rows.place(context.get(1)?).unwrap_or(usize::MAX);
        Ok::<_, Error>(Cell(rows, row, context.get(2)?))
    })
}
