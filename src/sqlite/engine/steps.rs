//! Translations that are several statements: run as one, in a savepoint.

use rusqlite::{Connection, Result};

use super::{Prepared, binding, command::Parameters, numbered, running, write_lock};
use crate::{
    backend::{ResultColumn, SqlType, column},
    sqlite::{
        decltype,
        functions::{Failure, kept::Kept, sequence},
        memory::Held,
        translate::{Object, Translated},
    },
    statement::sqlite_lexer,
};

/// Runs what comes before a translation and then `last` with the rows that it reads of them; all of it happens, or nothing.
pub(super) fn run<T>(
    connection: &Connection,
    translated: &Translated,
    parameters: &Parameters,
    last: impl FnOnce(Vec<Kept>) -> Result<T>,
) -> Result<T> {
    write_lock::open_savepoint(connection, "querent:steps")?;
    let done = before(connection, translated, parameters).and_then(last);
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

fn before(connection: &Connection, translated: &Translated, parameters: &Parameters) -> Result<Vec<Kept>> {
    let mut kept = vec![];
    for step in &translated.before {
        let mut statement = connection.prepare(&step.sql)?;
        binding::bind_with(&mut statement, parameters, &kept)?;
        let mut found = statement.raw_query();
        let (mut rows, mut held) = (vec![], Held::default());
        while let Some(row) = found.next()? {
            if step.rows.is_some() {
                let row = running::values(row)?;
                if !held.take(running::size(&row)) {
                    return Err(Failure::out_of_memory().into());
                }
                rows.push(row);
            }
        }
        drop(found);
        drop(statement);
        if let Some(key_sequence) = &step.key_sequence {
            numbered::within(connection, key_sequence)?;
            sequence::drawn(connection, key_sequence, connection.last_insert_rowid())?;
        }
        kept.extend(step.rows.map(|step| Kept::new(step, rows, held)));
    }
    Ok(kept)
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
                ..column(&told.name, told.ty.map_or(SqlType::Text, decltype::sql_type_of))
            })
            .collect(),
        parameter_types: decltype::parameter_types(translated, parameters),
        parameters,
        read_only: false,
        strict: true,
    }
}

/// The tables, views, indexes and triggers of a schema.
pub(super) fn objects(connection: &Connection, schema: &str) -> Result<Vec<Object>> {
    let sql = format!(
        "SELECT type, name, tbl_name, coalesce(sql, ''), \
         (SELECT json_group_array(\"table\") FROM pg_catalog.pragma_foreign_key_list(s.name, ?1)) \
         FROM {}.sqlite_schema AS s",
        sqlite_lexer::quote(schema)
    );
    let mut statement = connection.prepare_cached(&sql)?;
    let rows = statement.query_map([schema], |row| {
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
