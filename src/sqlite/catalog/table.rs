//! The virtual tables through which SQLite reads the catalogue.

#![allow(
    unsafe_code,
    reason = "SQLite reads a virtual table through structs that begin with its own"
)]

use std::{
    borrow::Cow,
    ffi::{CStr, CString, c_int},
    fmt::Write as _,
    marker::PhantomData,
    sync::Arc,
};

use rusqlite::{
    Connection, Error, Result, ffi,
    types::{FromSql, FromSqlResult, ValueRef},
    vtab::{
        Context, CreateVTab, Filters, IndexConstraintOp, IndexInfo, Module, VTab, VTabConfig, VTabConnection,
        VTabCursor, VTabKind,
    },
};

use super::{
    content::Catalog,
    definitions::{self, Column, Relation},
    model::OWNER,
    rows::{Cell, Filling, Key, Rows},
};

/// The module's name in `CREATE VIRTUAL TABLE`.
pub(crate) const MODULE: &str = "querent_catalogue";
const MODULE_NAME: &CStr = c"querent_catalogue";

/// Columns that every table of PostgreSQL's has, and no `SELECT *` shows.
const SYSTEM_COLUMNS: [&str; 2] = ["tableoid", "xmin"];

/// The column whose values change without the schema, so that no row is found by them.
const LIVE: &str = "last_value";

/// Makes the tables known to a connection; they are created where a statement names them.
pub(super) fn register(connection: &Connection, catalog: &Arc<Catalog>) -> Result<()> {
    const TABLE: Module<Table> = Module::read_only_module();
    connection.create_module(MODULE_NAME, &TABLE, Some(Arc::clone(catalog)))
}

/// One table of the catalogue.
#[repr(C)]
struct Table {
    base: ffi::sqlite3_vtab,
    relation: &'static Relation,
    catalog: Arc<Catalog>,
    /// The connection that the table belongs to, and that outlives it.
    db: *mut ffi::sqlite3,
}

/// What makes SQLite compare a column's values as what they are: numbers as numbers.
fn affinity(column: &Column) -> &'static str {
    match column.ty {
        ty if ty.starts_with("float") => "real",
        _ if column.is_number() => "integer",
        _ => "text",
    }
}

// SAFETY: the struct is repr(C) and begins with SQLite's own.
unsafe impl<'t> VTab<'t> for Table {
    type Aux = Arc<Catalog>;
    type Cursor = Cursor<'t>;

    fn connect(
        db: &mut VTabConnection,
        aux: Option<&Self::Aux>,
        _module_name: &[u8],
        database_name: &[u8],
        table_name: &[u8],
        _args: &[&[u8]],
    ) -> Result<(Cow<'static, CStr>, Self)> {
        let name = |bytes: &[u8]| String::from_utf8_lossy(bytes).to_ascii_lowercase();
        let found = definitions::find(&name(database_name), &name(table_name)).zip(aux);
        let Some((relation, catalog)) = found else {
            return Err(Error::ModuleError(
                "this module is for the catalogue alone".to_owned(),
            ));
        };
        let mut sql = String::from("CREATE TABLE x(");
        for column in &relation.columns {
            let hidden = if column.argument { " HIDDEN" } else { "" };
            let _ = write!(sql, "\"{}\" {}{hidden}, ", column.name, affinity(column));
        }
        let own = |name: &str| relation.columns.iter().any(|column| column.name == name);
        let system: Vec<String> = SYSTEM_COLUMNS
            .iter()
            .enumerate()
            // A view may have a column of that name, and what stands behind it is then nobody's.
            .map(|(at, name)| {
                if own(name) {
                    format!("\"{name} {at}\" integer HIDDEN")
                } else {
                    format!("{name} integer HIDDEN")
                }
            })
            .collect();
        sql.push_str(&system.join(", "));
        sql.push(')');
        db.config(VTabConfig::Innocuous)?;
        let table = Self {
            base: ffi::sqlite3_vtab::default(),
            relation,
            catalog: Arc::clone(catalog),
            // SAFETY: it is used on the connection's own thread alone, while the table is there.
            db: unsafe { db.handle() },
        };
        Ok((Cow::Owned(CString::new(sql)?), table))
    }

    fn best_index(&self, info: &mut IndexInfo) -> Result<bool> {
        let width = self.relation.columns.len();
        let (mut equal, mut arguments): (Option<(usize, usize, f64)>, Vec<usize>) = (None, vec![]);
        for (position, constraint) in info.constraints().enumerate() {
            let Ok(column) = usize::try_from(constraint.column()) else {
                continue;
            };
            if column >= width || constraint.operator() != IndexConstraintOp::SQLITE_INDEX_CONSTRAINT_EQ {
                continue;
            }
            if self.relation.columns[column].argument {
                if !constraint.is_usable() {
                    return Ok(false);
                }
                arguments.push(position);
            } else if constraint.is_usable() && self.relation.columns[column].name != LIVE {
                let rows = expected(&self.relation.columns[column]);
                if equal.is_none_or(|(.., fewest)| rows < fewest) {
                    equal = Some((position, column, rows));
                }
            }
        }
        let mut arguments_count = 0;
        if let Some((position, column, rows)) = equal {
            info.constraint_usage(position).set_argv_index(1);
            arguments_count = 1;
            info.set_idx_num(column as c_int + 1);
            info.set_estimated_rows(rows as i64);
            info.set_estimated_cost(rows + 1.0);
        } else {
            info.set_estimated_rows(2_000);
            info.set_estimated_cost(4_000.0);
        }
        // What a function is called with makes no difference: nothing is partitioned here.
        for position in arguments {
            arguments_count += 1;
            let mut usage = info.constraint_usage(position);
            usage.set_argv_index(arguments_count);
            usage.set_omit(true);
        }
        Ok(true)
    }

    fn open(&mut self) -> Result<Cursor<'_>> {
        Ok(Cursor {
            base: ffi::sqlite3_vtab_cursor::default(),
            relation: self.relation,
            catalog: Arc::clone(&self.catalog),
            db: self.db,
            parts: vec![],
            found: None,
            at: (0, 0),
            table: PhantomData,
        })
    }
}

impl CreateVTab<'_> for Table {
    const KIND: VTabKind = VTabKind::Default;
}

/// How many rows have one value of a column, roughly.
fn expected(column: &Column) -> f64 {
    match column.name {
        "oid" | "indexrelid" => 1.0,
        "relname" | "typname" | "attrelid" | "indrelid" | "conrelid" | "adrelid" | "objoid"
        | "table_name" | "tablename" | "nspname" | "name" | "conname" | "rolname" | "typrelid" => 4.0,
        "attname" | "column_name" | "proname" | "attnum" | "classoid" => 40.0,
        _ => 400.0,
    }
}

/// A walk through the rows.
#[repr(C)]
struct Cursor<'t> {
    base: ffi::sqlite3_vtab_cursor,
    relation: &'static Relation,
    catalog: Arc<Catalog>,
    db: *mut ffi::sqlite3,
    parts: Vec<Arc<Rows>>,
    /// The rows that were looked up, by part; `None` for all of them.
    found: Option<Vec<(usize, usize)>>,
    /// The part and the row in it; with `found`, the position there.
    at: (usize, usize),
    table: PhantomData<&'t Table>,
}

/// A value that SQLite asks for, as it is.
struct Asked(Cell);

impl FromSql for Asked {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        Ok(Self(match value {
            ValueRef::Null | ValueRef::Blob(_) => Cell::Null,
            ValueRef::Integer(number) => Cell::Integer(number),
            ValueRef::Real(number) => Cell::Real(number),
            ValueRef::Text(text) => Cell::from(String::from_utf8_lossy(text).into_owned()),
        }))
    }
}

/// What to look for, as a column holds it: SQLite compares `oid = '1'` as numbers.
fn key(column: &Column, asked: Cell) -> Option<Key> {
    let number = column.is_number();
    Some(match asked {
        Cell::Integer(value) if number => Key::Integer(value),
        Cell::Integer(value) => Key::Text(value.to_string()),
        Cell::Real(value) if number && value.fract() == 0.0 => Key::Integer(value as i64),
        Cell::Text(text) if number => Key::Integer(text.trim().parse().ok()?),
        Cell::Text(text) => Key::Text(text.into_owned()),
        Cell::Null | Cell::Real(_) | Cell::User | Cell::LastValue(_) => return None,
    })
}

impl Cursor<'_> {
    /// The large objects, which come and go without the schema.
    fn large_objects(&self) -> Result<Rows> {
        // SAFETY: the connection is open while one of its tables is read, and is not closed here.
        let connection = unsafe { Connection::from_handle(self.db)? };
        let mut rows = Filling::new(self.relation, &["oid", "lomowner"]);
        let is_there = "SELECT 1 FROM sqlite_schema WHERE name = 'querent_large_objects'";
        if connection.prepare(is_there)?.exists([])? {
            let sql = "SELECT DISTINCT loid FROM querent_large_objects";
            let mut statement = connection.prepare(sql)?;
            for number in statement.query_map([], |row| row.get::<_, i64>(0))? {
                rows.add([number?.into(), OWNER.into()]);
            }
        }
        Ok(rows.done())
    }

    fn last_value(&self, sequence: i64) -> Result<Option<i64>> {
        // SAFETY: as above.
        let connection = unsafe { Connection::from_handle(self.db)? };
        let sql = "SELECT pg_sequence_last_value(?1)";
        connection.query_row(sql, [sequence], |row| row.get(0))
    }

    fn current(&self) -> Option<(usize, usize)> {
        match &self.found {
            Some(found) => found.get(self.at.1).copied(),
            None => (self.at.0 < self.parts.len()).then_some(self.at),
        }
    }

    /// Steps over parts that have no more rows.
    fn settle(&mut self) {
        while self.found.is_none()
            && self
                .parts
                .get(self.at.0)
                .is_some_and(|part| self.at.1 >= part.len())
        {
            self.at = (self.at.0 + 1, 0);
        }
    }
}

// SAFETY: the struct is repr(C) and begins with SQLite's own.
unsafe impl VTabCursor for Cursor<'_> {
    fn filter(&mut self, idx_num: c_int, _idx_str: Option<&str>, args: &Filters<'_>) -> Result<()> {
        self.parts = if self.relation.name == "pg_largeobject_metadata" {
            vec![Arc::new(self.large_objects()?)]
        } else {
            self.catalog.rows_of(self.relation)
        };
        self.at = (0, 0);
        self.found = None;
        if let Some(column) = usize::try_from(idx_num)
            .ok()
            .and_then(|number| number.checked_sub(1))
        {
            let asked: Asked = args.get(0)?;
            let mut found = vec![];
            if let Some(key) = key(&self.relation.columns[column], asked.0) {
                let is_user = matches!(&key, Key::Text(text) if *text == self.catalog.client.user);
                for (part, rows) in self.parts.iter().enumerate() {
                    found.extend(rows.find(column, &key).iter().map(|&row| (part, row)));
                    if is_user {
                        found.extend(rows.find(column, &Key::User).iter().map(|&row| (part, row)));
                    }
                }
            }
            self.found = Some(found);
        }
        self.settle();
        Ok(())
    }

    fn next(&mut self) -> Result<()> {
        self.at.1 += 1;
        self.settle();
        Ok(())
    }

    fn eof(&self) -> bool {
        self.current().is_none()
    }

    fn column(&self, context: &mut Context, column: c_int) -> Result<()> {
        let Some((part, row)) = self.current() else {
            return Ok(());
        };
        let column = column as usize;
        match self.parts[part].row(row).get(column) {
            Some(Cell::User) => context.set_result(self.catalog.client.user.as_str()),
            Some(Cell::LastValue(sequence)) => context.set_result(self.last_value(*sequence)?),
            Some(cell) => context.set_result(cell),
            None if column == self.relation.columns.len() => context.set_result(self.relation.oid),
            None => context.set_result(1),
        }
    }

    fn rowid(&self) -> Result<i64> {
        let (part, row) = self.current().unwrap_or_default();
        Ok((part as i64) << 32 | row as i64)
    }
}
