//! Parameters: `$n`, `?n` and `?` are bound by number; SQLite itself knows `$1` only as a name.

use rusqlite::{
    Error, Result, Statement,
    types::{ToSqlOutput, ValueRef},
};

use super::command::Parameters;
use crate::{
    backend::Value,
    pgtypes::float::NAN,
    sqlite::{functions::kept::Kept, translate},
};

/// What a parameter stands for.
enum Meaning {
    /// The client's value of this number.
    Value(usize),
    /// The rows of the step of this number.
    Rows(usize),
}

fn meaning(statement: &Statement<'_>, index: usize) -> Meaning {
    let step = statement
        .parameter_name(index)
        .and_then(|name| name.strip_prefix(translate::ROWS)?.parse().ok());
    step.map_or_else(|| Meaning::Value(number(statement, index)), Meaning::Rows)
}

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
        .filter_map(|index| match meaning(statement, index) {
            Meaning::Value(number) => Some(number),
            Meaning::Rows(_) => None,
        })
        .max()
        .unwrap_or(0)
}

/// Binds every parameter.
pub(super) fn bind(statement: &mut Statement<'_>, parameters: &Parameters) -> Result<()> {
    bind_with(statement, parameters, &[])
}

/// Binds every parameter, those for the rows of earlier steps too.
pub(super) fn bind_with(statement: &mut Statement<'_>, parameters: &Parameters, kept: &[Kept]) -> Result<()> {
    let wanted = highest(statement);
    for index in 1..=statement.parameter_count() {
        let value = match (meaning(statement, index), parameters) {
            (Meaning::Rows(step), _) => {
                let number = kept.iter().find(|kept| kept.step == step).map(|kept| kept.number);
                statement.raw_bind_parameter(index, number)?;
                continue;
            }
            (_, Parameters::Nulls) => &Value::Null,
            (Meaning::Value(number), Parameters::Given(values)) => values
                .get(number - 1)
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
            // SQLite would take it for NULL.
            Value::Real(value) if value.is_nan() => ValueRef::Text(NAN.as_bytes()),
            Value::Real(value) => ValueRef::Real(*value),
            Value::Text(bytes) => ValueRef::Text(bytes),
            Value::Blob(bytes) => ValueRef::Blob(bytes),
        }))
    }
}
