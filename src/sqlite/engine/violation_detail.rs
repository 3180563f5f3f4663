//! Keys and rows as the details of a violated constraint show them.

use std::fmt::Write as _;

use rusqlite::Result;

use super::{
    lossy, running,
    violation::{Row, Violation},
};
use crate::{
    backend::{SqlType, Value},
    sqlite::{catalog::Named, decltype},
};

impl Violation<'_> {
    /// `(a, b)=(1, x)`.
    pub(super) fn key(&self, named: &Named, values: &[Value]) -> Result<String> {
        let types = self.columns(&named.table)?;
        let shown: Vec<String> = named
            .columns
            .iter()
            .zip(values)
            .map(|(name, value)| {
                let column = types.iter().find(|column| column.name == *name);
                column.map_or_else(|| shown(value, None), |column| column.shown(value))
            })
            .collect();
        Ok(format!("({})=({})", named.columns.join(", "), shown.join(", ")))
    }

    pub(super) fn failing_row(&self, table: &str, row: &Row) -> Result<Option<String>> {
        let mut parts = vec![];
        for column in self.columns(table)? {
            let value = match (row.of(std::slice::from_ref(&column.name)).pop(), &column.default) {
                (Some(value), _) => value,
                (None, Some(default)) => {
                    let mut statement = self.connection.prepare(&format!("SELECT {default}"))?;
                    let mut rows = statement.raw_query();
                    rows.next()?
                        .map(running::values)
                        .transpose()?
                        .and_then(|mut row| row.pop())
                        .unwrap_or(Value::Null)
                }
                // Which number it would have got, nobody knows any more.
                (None, None) if column.is_key => return Ok(None),
                (None, None) => Value::Null,
            };
            parts.push(column.shown(&value));
        }
        Ok((!parts.is_empty()).then(|| format!("Failing row contains ({}).", parts.join(", "))))
    }

    fn columns(&self, table: &str) -> Result<Vec<Column>> {
        let sql = "SELECT name, type, dflt_value, pk FROM pragma_table_info(?1)";
        let mut statement = self.connection.prepare(sql)?;
        let columns = statement.query_map([table], |row| {
            let declared = lossy::text(row, 1)?;
            Ok(Column {
                name: lossy::text(row, 0)?,
                ty: decltype::sql_type(&declared),
                scale: decltype::scale(&declared),
                default: lossy::some_text(row, 2)?,
                is_key: row.get::<_, i64>(3)? > 0 && declared.eq_ignore_ascii_case("integer"),
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
    default: Option<String>,
    /// True for a key that SQLite numbers by itself.
    is_key: bool,
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

/// A value as PostgreSQL's details show it.
fn shown(value: &Value, ty: Option<SqlType>) -> String {
    match (value, ty) {
        (Value::Null, _) => "null".to_owned(),
        (Value::Integer(truth @ (0 | 1)), Some(SqlType::Bool)) => {
            if *truth == 1 { "t" } else { "f" }.to_owned()
        }
        (Value::Integer(number), _) => number.to_string(),
        (Value::Real(number), _) => number.to_string(),
        (Value::Text(text), _) => String::from_utf8_lossy(text).into_owned(),
        (Value::Blob(bytes), _) => bytes.iter().fold("\\x".to_owned(), |mut hex, byte| {
            let _ = write!(hex, "{byte:02x}");
            hex
        }),
    }
}
