//! Values from their text, by the number of their type.

use super::Rows;
use crate::backend::{ResultColumn, SqlType, Value, column};

/// The value that a text stands for: a number for the numeric types, 0 or 1 for `boolean`, text for all others.
pub(super) fn value(text: Option<&[u8]>, oid: u32) -> Value {
    let Some(text) = text else {
        return Value::Null;
    };
    let known = std::str::from_utf8(text).ok().zip(SqlType::from_oid(oid));
    let read = known.and_then(|(text, ty)| match ty {
        SqlType::Int2 | SqlType::Int4 | SqlType::Int8 | SqlType::Oid => text.parse().ok().map(Value::Integer),
        SqlType::Float4 | SqlType::Float8 | SqlType::Numeric => text.parse().ok().map(Value::Real),
        SqlType::Bool => Some(Value::Integer(i64::from(text == "t"))),
        _ => None,
    });
    read.unwrap_or_else(|| Value::Text(text.to_vec()))
}

impl Rows {
    /// The rows as values.
    pub fn values(&self) -> Vec<Vec<Value>> {
        let row = |row: &Vec<Option<bytes::Bytes>>| {
            let cells = row.iter().zip(&self.columns);
            cells
                .map(|(text, (_, oid))| value(text.as_deref(), *oid))
                .collect()
        };
        self.rows.iter().map(row).collect()
    }

    /// The columns as a client is told of them; `text` for types that are not known here.
    pub fn result_columns(&self) -> Vec<ResultColumn> {
        let column =
            |(name, oid): &(String, u32)| column(name, SqlType::from_oid(*oid).unwrap_or(SqlType::Text));
        self.columns.iter().map(column).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_become_values() {
        for (text, oid, expected) in [
            ("42", 23, Value::Integer(42)),
            ("-9223372036854775808", 20, Value::Integer(i64::MIN)),
            ("1.50", 1700, Value::Real(1.5)),
            ("t", 16, Value::Integer(1)),
            ("42", 25, Value::Text(b"42".to_vec())),
            ("2024-02-29", 1082, Value::Text(b"2024-02-29".to_vec())),
            ("happy", 99_999, Value::Text(b"happy".to_vec())),
        ] {
            assert_eq!(value(Some(text.as_bytes()), oid), expected, "{text}");
        }
        assert!(matches!(value(Some(b"NaN"), 1700), Value::Real(number) if number.is_nan()));
        assert_eq!(value(None, 23), Value::Null);
    }
}
