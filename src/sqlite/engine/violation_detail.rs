//! Keys and rows as the details of a violated constraint show them.

use std::fmt::Write as _;

use rusqlite::Result;

use super::{
    lossy, running,
    violation::{Row, Violation},
};
use crate::{
    backend::{SqlType, Value},
    pgtypes::float::float8_text,
    sqlite::{catalog::Named, decltype, functions::REFUSED_NULL},
};

impl Violation<'_> {
    /// `(a, b)=(1, x)`.
    pub(super) fn key(&self, named: &Named, values: &[Value]) -> Result<String> {
        let columns: Vec<Option<&String>> = named.columns.iter().map(Some).collect();
        let shown = self.shown_values(&named.table, &columns, values)?;
        Ok(format!("({})=({})", named.columns.join(", "), shown.join(", ")))
    }

    /// Values of columns, or of what is made of them.
    pub(super) fn shown_values(
        &self,
        table: &str,
        columns: &[Option<&String>],
        values: &[Value],
    ) -> Result<Vec<String>> {
        let types = self.columns(table)?;
        let shown = columns.iter().zip(values).map(|(name, value)| {
            let column = types.iter().find(|column| Some(&column.name) == *name);
            column.map_or_else(|| shown(value, None), |column| column.shown(value))
        });
        Ok(shown.collect())
    }

    /// What a row gets for columns that the statement does not name; of one that SQLite numbers nothing is known.
    pub(super) fn complete(&self, table: &str, row: &mut Row) -> Result<()> {
        for column in self.columns(table)? {
            if column.is_key && row.of(std::slice::from_ref(&column.name)) == [Value::Null] {
                row.forget(&column.name);
            }
            let is_left = !(column.is_computed || column.is_key);
            if is_left && row.of(std::slice::from_ref(&column.name)).is_empty() {
                let default = column.default.as_ref();
                let value = default.map_or(Ok(Value::Null), |default| self.value_of(default))?;
                row.set(column.name, value);
            }
        }
        Ok(())
    }

    /// A row as the table would keep it, where conditions read numbers and no texts of them.
    pub(super) fn kept(&self, table: &str, mut row: Row) -> Result<Row> {
        for column in self.columns(table)?.iter().filter(|column| column.keeps_numbers) {
            if let Some(Value::Text(text)) = row.of(std::slice::from_ref(&column.name)).pop() {
                if column.is_key && text == REFUSED_NULL.as_bytes() {
                    row.set(column.name.clone(), Value::Null);
                }
                let digits = String::from_utf8_lossy(&text);
                let whole = digits.parse().ok().map(Value::Integer);
                if let Some(number) = whole.or_else(|| digits.parse().ok().map(Value::Real)) {
                    row.set(column.name.clone(), number);
                }
            }
        }
        Ok(row)
    }

    fn value_of(&self, default: &str) -> Result<Value> {
        let mut statement = self.connection.prepare(&format!("SELECT {default}"))?;
        let mut rows = statement.raw_query();
        let row = rows.next()?.map(running::values).transpose()?;
        Ok(row.and_then(|mut row| row.pop()).unwrap_or(Value::Null))
    }

    /// A whole row as it is told; not where some of it is unknown, such as the number that it would have got.
    pub(super) fn failing_row(&self, table: &str, row: &Row) -> Result<Option<String>> {
        let row = self.computed(table, row.clone())?;
        let columns = self.columns(table)?;
        let parts = columns.iter().map(|column| {
            let value = row.of(std::slice::from_ref(&column.name)).pop();
            value.map(|value| column.shown(&value))
        });
        let parts: Option<Vec<String>> = parts.collect();
        let parts = parts.filter(|parts| !parts.is_empty());
        Ok(parts.map(|parts| format!("Failing row contains ({}).", parts.join(", "))))
    }

    fn columns(&self, table: &str) -> Result<Vec<Column>> {
        let sql = "SELECT name, type, dflt_value, pk > 0 AND sum(pk > 0) OVER () = 1, hidden \
                   FROM pg_catalog.pragma_table_xinfo(?1, ?2) WHERE hidden <> 1 ORDER BY cid";
        let mut statement = self.connection.prepare(sql)?;
        // Of no schema it is the first table of that name.
        let schema = self.schema.as_ref().filter(|_| self.writes(table));
        let columns = statement.query_map((table, schema), |row| {
            let declared = lossy::text(row, 1)?;
            Ok(Column {
                name: lossy::text(row, 0)?,
                ty: decltype::sql_type(&declared),
                scale: decltype::scale(&declared),
                keeps_numbers: keeps_numbers(&declared),
                default: lossy::some_text(row, 2)?,
                is_key: row.get(3)? && declared.eq_ignore_ascii_case("integer"),
                is_computed: row.get::<_, i64>(4)? > 1,
            })
        })?;
        columns.collect()
    }
}

struct Column {
    name: String,
    ty: Option<SqlType>,
    /// The digits behind the point that a number of this type always has.
    scale: Option<usize>,
    /// True where SQLite makes a number of the text of one.
    keeps_numbers: bool,
    default: Option<String>,
    /// True for a key that SQLite numbers by itself.
    is_key: bool,
    is_computed: bool,
}

impl Column {
    fn shown(&self, value: &Value) -> String {
        let text = shown(value, self.ty);
        match self.scale {
            Some(scale) if scale > 0 && !matches!(value, Value::Null | Value::Blob(_)) => {
                let (whole, digits) = text.split_once('.').unwrap_or((&text, ""));
                format!("{whole}.{digits:0<scale$}")
            }
            _ => text,
        }
    }
}

/// By the type's affinity ("Datatypes In SQLite", section 3.1).
fn keeps_numbers(declared: &str) -> bool {
    let declared = declared.to_ascii_lowercase();
    let has = |parts: &[&str]| parts.iter().any(|part| declared.contains(part));
    has(&["int"]) || !(declared.is_empty() || has(&["char", "clob", "text", "blob"]))
}

/// A value as PostgreSQL's details show it.
fn shown(value: &Value, ty: Option<SqlType>) -> String {
    match (value, ty) {
        (Value::Null, _) => "null".to_owned(),
        (Value::Integer(truth @ (0 | 1)), Some(SqlType::Bool)) => {
            if *truth == 1 { "t" } else { "f" }.to_owned()
        }
        (Value::Integer(number), _) => number.to_string(),
        (Value::Real(number), None | Some(SqlType::Float8)) => float8_text(*number),
        (Value::Real(number), _) => number.to_string(),
        (Value::Text(text), _) => String::from_utf8_lossy(text).into_owned(),
        (Value::Blob(bytes), _) => bytes.iter().fold("\\x".to_owned(), |mut hex, byte| {
            let _ = write!(hex, "{byte:02x}");
            hex
        }),
    }
}
