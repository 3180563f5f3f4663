//! Translations that are several statements: run as one, in a savepoint.

use rusqlite::{Connection, Result, types::ValueRef};

use super::{Prepared, binding, command::Parameters, functions, translation};
use crate::{
    backend::{ResultColumn, SqlType, column},
    translate::{Object, Translated},
};

/// Runs what comes before a translation and then `last` with its text; all of it happens, or nothing.
pub(super) fn run<T>(
    connection: &Connection,
    translated: &Translated,
    parameters: &Parameters,
    last: impl FnOnce(&str) -> Result<T>,
) -> Result<T> {
    if translated.before.is_empty() {
        return last(&translated.sql);
    }
    connection.execute_batch("SAVEPOINT \"querent:steps\"")?;
    let done = before(connection, translated, parameters).and_then(|sql| last(&sql));
    let done = done.and_then(|value| {
        connection
            .execute_batch("RELEASE \"querent:steps\"")
            .map(|()| value)
    });
    if done.is_err() {
        // The first error is the one to tell.
        let _ = connection.execute_batch("ROLLBACK TO \"querent:steps\"; RELEASE \"querent:steps\"");
    }
    done
}

fn before(connection: &Connection, translated: &Translated, parameters: &Parameters) -> Result<String> {
    let mut rows: Vec<(&str, String)> = vec![];
    let fill = |sql: &str, rows: &[(&str, String)]| {
        rows.iter()
            .fold(sql.to_owned(), |sql, (word, values)| sql.replace(word, values))
    };
    for step in &translated.before {
        let mut statement = connection.prepare(&fill(&step.sql, &rows))?;
        binding::bind(&mut statement, parameters)?;
        let width = statement.column_count();
        let mut found = statement.raw_query();
        let mut values = vec![];
        while let Some(row) = found.next()? {
            if step.rows_as.is_some() {
                let cells = (0..width).map(|column| row.get_ref(column).map(literal));
                values.push(format!("({})", cells.collect::<Result<Vec<_>>>()?.join(", ")));
            }
        }
        if let Some(word) = &step.rows_as {
            rows.push((word, list(&values, width)));
        }
    }
    Ok(fill(&translated.sql, &rows))
}

fn list(values: &[String], width: usize) -> String {
    if values.is_empty() {
        format!("SELECT {} WHERE 0", vec!["NULL"; width].join(", "))
    } else {
        format!("VALUES {}", values.join(", "))
    }
}

fn literal(value: ValueRef<'_>) -> String {
    match value {
        ValueRef::Null => "NULL".into(),
        ValueRef::Integer(number) => number.to_string(),
        ValueRef::Real(number) if number.is_infinite() => {
            if number > 0.0 { "9e999" } else { "-9e999" }.into()
        }
        ValueRef::Real(number) => format!("{number:?}"),
        ValueRef::Text(bytes) => match std::str::from_utf8(bytes) {
            Ok(text) if !text.contains('\0') => format!("'{}'", text.replace('\'', "''")),
            _ => format!("CAST(x'{}' AS TEXT)", functions::hex(bytes)),
        },
        ValueRef::Blob(bytes) => format!("x'{}'", functions::hex(bytes)),
    }
}

/// What can be told of one before it runs.
pub(super) fn told(translated: &Translated) -> Prepared {
    let parameters = translated.parameters.keys().next_back().copied().unwrap_or(0);
    Prepared {
        columns: translated
            .columns
            .iter()
            .map(|told| ResultColumn {
                modifier: told.modifier.unwrap_or(-1),
                origin: super::types::origin(told),
                ..column(&told.name, told.ty.map_or(SqlType::Text, translation::told))
            })
            .collect(),
        parameter_types: (1..=parameters)
            .map(|number| translated.parameters.get(&number).copied().map(translation::told))
            .collect(),
        parameters,
        read_only: false,
        strict: true,
    }
}

/// The tables, views, indexes and triggers of the file.
pub(super) fn objects(connection: &Connection) -> Result<Vec<Object>> {
    let mut statement = connection.prepare_cached(
        "SELECT type, name, tbl_name, coalesce(sql, ''), \
         (SELECT json_group_array(\"table\") FROM pragma_foreign_key_list(s.name)) FROM sqlite_schema AS s",
    )?;
    let rows = statement.query_map([], |row| {
        let parents: String = row.get(4)?;
        Ok(Object {
            kind: row.get(0)?,
            name: row.get(1)?,
            table: row.get(2)?,
            sql: row.get(3)?,
            parents: serde_json::from_str(&parents).unwrap_or_default(),
        })
    })?;
    rows.collect()
}
