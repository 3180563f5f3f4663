//! What a client is told of a result's columns: the declared type, else the expression's, else the first
//! rows', else text.

use std::time::Duration;

use rusqlite::{Connection, Statement};

use super::{decltype, running, watch::Watch};
use crate::backend::{ResultColumn, SqlType, Value};

/// How long a statement that is only being prepared may run for the sake of its columns' types.
const LOOK: Duration = Duration::from_millis(50);

/// The columns' types as far as the statement itself tells them.
pub(super) fn of_statement(
    _connection: &Connection,
    statement: &Statement<'_>,
    _sql: &str,
) -> Vec<Option<SqlType>> {
    statement
        .columns()
        .map(|column| column.decl_type().and_then(decltype::sql_type))
        .collect()
}

/// Fills what is not known from rows that were read.
pub(super) fn from_rows<'r>(
    told: &mut [Option<SqlType>],
    rows: impl Iterator<Item = &'r Vec<Value>> + Clone,
) {
    for (position, ty) in told.iter_mut().enumerate() {
        if ty.is_none() {
            *ty = rows
                .clone()
                .filter_map(|row| running::type_of(&row[position]))
                .reduce(common);
        }
    }
}

/// Runs a statement for a moment to see what its first rows hold.
pub(super) fn look_at_rows(statement: &mut Statement<'_>, told: &mut [Option<SqlType>], watch: &Watch) {
    watch.shorten(LOOK);
    let mut seen = Vec::new();
    let mut rows = statement.raw_query();
    while seen.len() < running::ROWS_LOOKED_AT && told.contains(&None) {
        // An error belongs to the statement's execution, and is told then.
        let Ok(Some(row)) = rows.next() else { break };
        let Ok(values) = running::values(row) else { break };
        seen.push(values);
        from_rows(told, seen.iter());
    }
    drop(rows);
    watch.forget_stop();
}

/// Names and types; text where nothing is known.
pub(super) fn columns(statement: &Statement<'_>, told: &[Option<SqlType>]) -> Vec<ResultColumn> {
    statement
        .column_names()
        .into_iter()
        .zip(told)
        .map(|(name, ty)| ResultColumn {
            name: name.to_owned(),
            ty: ty.unwrap_or(SqlType::Text),
        })
        .collect()
}

/// The type that both fit.
fn common(one: SqlType, other: SqlType) -> SqlType {
    match (one, other) {
        (one, other) if one == other => one,
        (SqlType::Int8 | SqlType::Float8, SqlType::Int8 | SqlType::Float8) => SqlType::Float8,
        _ => SqlType::Text,
    }
}
