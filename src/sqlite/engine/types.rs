//! What a client is told of a result's columns: the declared type, else the expression's, else the first
//! rows', else text.

use std::{collections::HashMap, time::Duration};

use rusqlite::Statement;

use super::{
    described::Described,
    infer::{self, Inferred},
    running,
    watch::Watch,
};
use crate::{
    backend::{ResultColumn, SqlType, Value, column},
    sqlite::{decltype, translate},
    statement::sqlite_lexer,
};

/// How long a statement that is only being prepared may run for the sake of its columns' types.
const LOOK: Duration = Duration::from_millis(50);

/// The columns' types as far as statement and schema tell them.
pub(super) fn of_statement(described: &[Described], inferred: &Inferred) -> Vec<Option<SqlType>> {
    let mut told: Vec<Option<SqlType>> = described
        .iter()
        .map(|column| column.declared.as_deref().and_then(decltype::sql_type))
        .collect();
    // A count that differs means that the text was not understood: a join that merges columns, for one.
    if let Some(columns) = inferred
        .columns
        .as_ref()
        .filter(|columns| columns.len() == told.len())
    {
        for (told, inferred) in told.iter_mut().zip(columns) {
            *told = inferred.or(*told);
        }
    }
    // The catalogue has a column be text where neither its declaration nor all of its values tell another type.
    for (told, described) in told.iter_mut().zip(described) {
        if told.is_none()
            && described
                .column
                .as_ref()
                .is_some_and(|column| inferred.knows(column))
        {
            *told = Some(SqlType::Text);
        }
    }
    told
}

/// Fills what is not known from rows that were read.
pub(super) fn from_rows<'r>(
    told: &mut [Option<SqlType>],
    rows: impl IntoIterator<Item = &'r Vec<Value>, IntoIter: Clone>,
) {
    let rows = rows.into_iter();
    for (position, ty) in told.iter_mut().enumerate() {
        if ty.is_none() {
            *ty = rows
                .clone()
                .filter_map(|row| running::type_of(&row[position]))
                .reduce(infer::common);
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

/// The types that casts give parameters, as in `$1::oid[]`.
pub(crate) fn parameter_casts(sql: &str) -> HashMap<usize, SqlType> {
    let mut casts = casts_of_tokens(sql);
    let read = translate::parameter_casts(sql).into_iter();
    casts.extend(read.map(|(number, ty)| (number, decltype::sql_type_of(ty))));
    casts
}

/// The same in what may be no SQL of PostgreSQL's.
fn casts_of_tokens(sql: &str) -> HashMap<usize, SqlType> {
    let tokens: Vec<&str> = sqlite_lexer::tokens(sql).map(|(_, token)| token).collect();
    tokens
        .windows(5)
        .chain(tokens.get(tokens.len().saturating_sub(4)..))
        .filter_map(|tokens| {
            let number = tokens.first()?.strip_prefix('$')?.parse().ok()?;
            let [_, ":", ":", name, rest @ ..] = tokens else {
                return None;
            };
            let name = name.to_ascii_lowercase();
            let ty = SqlType::all().find(|ty| ty.name() == name)?;
            Some((
                number,
                if rest.first() == Some(&"[]") {
                    ty.array()
                } else {
                    ty
                },
            ))
        })
        .collect()
}

/// Names and types; text where nothing is known.
pub(super) fn columns(described: &[Described], told: &[Option<SqlType>]) -> Vec<ResultColumn> {
    described
        .iter()
        .zip(told)
        .map(|(described, ty)| column(&described.name, ty.unwrap_or(SqlType::Text)))
        .collect()
}

/// Notes of which columns the values alone tell what they hold, by what was told of them before.
pub(super) fn note_guesses(columns: &mut [ResultColumn], told: &[Option<SqlType>]) {
    for (column, told) in columns.iter_mut().zip(told) {
        column.guessed = told.is_none();
    }
}

/// The types of a statement's columns as its translation tells them; `None` where it does not fit them.
pub(super) fn translated(
    statement: &Statement<'_>,
    columns: &[translate::ResultColumn],
) -> Option<Vec<Option<SqlType>>> {
    if columns.is_empty() || columns.len() != statement.column_count() {
        return None;
    }
    let types = columns.iter().map(|column| column.ty.map(decltype::sql_type_of));
    Some(types.collect())
}

/// Columns with the names and the lengths that the client expects.
pub(super) fn tell(told: &[Option<SqlType>], translated: &[translate::ResultColumn]) -> Vec<ResultColumn> {
    let columns = translated.iter().zip(told);
    columns
        .map(|(translated, ty)| ResultColumn {
            modifier: translated.modifier.unwrap_or(-1),
            origin: origin(translated),
            ..column(&translated.name, ty.unwrap_or(SqlType::Text))
        })
        .collect()
}

/// Where clients find a column in the catalogue.
pub(super) fn origin(translated: &translate::ResultColumn) -> (u32, u16) {
    translated
        .origin
        .map_or((0, 0), |origin| (origin.table, origin.column))
}
