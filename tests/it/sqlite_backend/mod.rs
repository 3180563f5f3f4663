//! The SQLite backend through its public face: streaming, limits, errors, odd files and names.

mod attached;
mod error_subjects;
mod errors;
mod files;
mod foreign;
mod limits;
mod long_values;
mod questions;
mod running;
mod schema;

use std::{path::Path, sync::Arc};

use querent::{
    backend::{Backend, BackendError, SqlType, Value},
    sqlite::engine::{Connection, Database, EnclosingStatement, Generated, Options},
};
use tempfile::TempDir;

/// A database made by `sql`, open with default options.
fn database(sql: &str) -> (TempDir, Arc<Database>) {
    with_options(sql, Options::default())
}

fn with_options(sql: &str, options: Options) -> (TempDir, Arc<Database>) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("test.sqlite");
    create(&path, sql);
    let database = Database::open(&path, options).unwrap();
    (folder, database)
}

fn create(path: &Path, sql: &str) {
    rusqlite::Connection::open(path)
        .unwrap()
        .execute_batch(sql)
        .unwrap();
}

async fn all(connection: &Connection, sql: &str) -> Result<Vec<Vec<Value>>, BackendError> {
    with_parameters(connection, sql, vec![]).await
}

async fn with_parameters(
    connection: &Connection,
    sql: &str,
    parameters: Vec<Value>,
) -> Result<Vec<Vec<Value>>, BackendError> {
    let mut cursor = connection.run(sql, parameters).await?;
    let mut rows = vec![];
    loop {
        let chunk = cursor.next(0).await?;
        rows.extend(chunk.rows);
        if chunk.done {
            return Ok(rows);
        }
    }
}

fn text(value: &str) -> Value {
    Value::Text(value.into())
}

/// Resident memory of this process, in bytes.
fn resident() -> usize {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find(|line| line.starts_with("VmRSS")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse::<usize>().unwrap() * 1024
}

/// Runs `sql` and expects an error with this SQLSTATE, at this position.
async fn check_error(connection: &Connection, sql: &str, sqlstate: &str, position: Option<usize>) {
    match all(connection, sql).await {
        Ok(rows) => panic!("{sql} gave {rows:?}"),
        Err(error) => assert_eq!(
            (error.sqlstate.as_str(), error.position),
            (sqlstate, position),
            "{sql}: {error:?}"
        ),
    }
}
