//! Parameters: `$n`, `?n` and `?` are bound by number; SQLite itself knows `$1` only as a name.

use rusqlite::{
    Error, Result, Statement,
    types::{ToSqlOutput, ValueRef},
};

use super::command::Parameters;
use crate::backend::Value;

/// The number that the client means by the parameter at SQLite's position `index`.
/// `$1::int` is one name to SQLite, so the number ends at the first other character.
fn number(statement: &Statement<'_>, index: usize) -> usize {
    let digits: String = statement
        .parameter_name(index)
        .unwrap_or_default()
        .chars()
        .skip(1)
        .take_while(char::is_ascii_digit)
        .collect();
    digits.parse().ok().filter(|&number| number > 0).unwrap_or(index)
}

/// The highest parameter number.
pub(super) fn highest(statement: &Statement<'_>) -> usize {
    (1..=statement.parameter_count())
        .map(|index| number(statement, index))
        .max()
        .unwrap_or(0)
}

/// Binds every parameter.
pub(super) fn bind(statement: &mut Statement<'_>, parameters: &Parameters) -> Result<()> {
    let wanted = highest(statement);
    for index in 1..=statement.parameter_count() {
        let value = match parameters {
            Parameters::Nulls => &Value::Null,
            Parameters::Given(values) => values
                .get(number(statement, index) - 1)
                .ok_or(Error::InvalidParameterCount(values.len(), wanted))?,
        };
        statement.raw_bind_parameter(index, Bound(value))?;
    }
    Ok(())
}

struct Bound<'v>(&'v Value);

impl rusqlite::ToSql for Bound<'_> {
    fn to_sql(&self) -> Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::Borrowed(match self.0 {
            Value::Null => ValueRef::Null,
            Value::Integer(value) => ValueRef::Integer(*value),
            Value::Real(value) => ValueRef::Real(*value),
            Value::Text(bytes) => ValueRef::Text(bytes),
            Value::Blob(bytes) => ValueRef::Blob(bytes),
        }))
    }
}
