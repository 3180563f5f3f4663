//! The SQLite backend through its public face: streaming, limits, errors, odd files and names.

use std::{path::Path, sync::Arc, time::Duration};

use querent::backend::{
    Backend, BackendError, SqlType, Value,
    sqlite::{Connection, Database, Options},
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

const MANY: &str = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000000) \
                    SELECT i, 'row number ' || i AS t FROM n";

#[tokio::test]
async fn parameters_are_bound_by_number() {
    let (_folder, database) = database("");
    let connection = database.connect().unwrap();
    let sql = "SELECT $2, $1, $2 || 'x'";
    assert_eq!(connection.prepare(sql).await.unwrap().parameters, 2);
    let rows = with_parameters(&connection, sql, vec![Value::Integer(1), text("b")])
        .await
        .unwrap();
    assert_eq!(rows, [[text("b"), Value::Integer(1), text("bx")]]);
    let rows = with_parameters(&connection, "SELECT ?, ?", vec![Value::Null, Value::Real(0.5)])
        .await
        .unwrap();
    assert_eq!(rows, [[Value::Null, Value::Real(0.5)]]);
    let error = with_parameters(&connection, sql, vec![Value::Null])
        .await
        .unwrap_err();
    assert_eq!(error.sqlstate, "08P01");
}

#[tokio::test]
async fn many_rows_need_little_memory() {
    let (_folder, database) = database("");
    let connection = database.connect().unwrap();
    let before = resident();
    let mut cursor = connection.run(MANY, vec![]).await.unwrap();
    let (mut rows, mut most) = (0, 0);
    loop {
        let chunk = cursor.next(0).await.unwrap();
        rows += chunk.rows.len();
        most = most.max(resident());
        if chunk.done {
            break;
        }
    }
    assert_eq!(rows, 5_000_000);
    assert!(
        most.saturating_sub(before) < 64 << 20,
        "grew by {} MiB",
        (most - before) >> 20
    );
}
