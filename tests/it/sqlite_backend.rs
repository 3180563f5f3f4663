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

#[tokio::test]
async fn several_cursors_are_open_at_once() {
    let (_folder, database) =
        database("CREATE TABLE t (a INTEGER); INSERT INTO t VALUES (1), (2), (3), (4);");
    let connection = database.connect().unwrap();
    let mut one = connection
        .run("SELECT a FROM t ORDER BY a", vec![])
        .await
        .unwrap();
    let mut two = connection
        .run("SELECT a FROM t ORDER BY a DESC", vec![])
        .await
        .unwrap();
    assert_eq!(one.next(1).await.unwrap().rows, [[Value::Integer(1)]]);
    assert_eq!(two.next(3).await.unwrap().rows.len(), 3);
    assert_eq!(
        all(&connection, "SELECT count(*) FROM t").await.unwrap(),
        [[Value::Integer(4)]]
    );
    assert_eq!(
        one.next(2).await.unwrap().rows,
        [[Value::Integer(2)], [Value::Integer(3)]]
    );
    drop(two);
    let last = one.next(0).await.unwrap();
    assert_eq!((last.rows, last.done), (vec![vec![Value::Integer(4)]], true));
    assert!(one.next(5).await.unwrap().done);
}

#[tokio::test]
async fn writes_count_their_rows_and_follow_transactions() {
    let (_folder, database) = database("CREATE TABLE t (a INTEGER PRIMARY KEY, b);");
    let connection = database.connect().unwrap();
    let insert = connection
        .run("INSERT INTO t (b) VALUES (1), (2), (3)", vec![])
        .await
        .unwrap();
    assert_eq!((insert.affected(), insert.columns().len()), (3, 0));
    let create = connection.run("CREATE TABLE u (a)", vec![]).await.unwrap();
    assert_eq!(create.affected(), 0);
    all(&connection, "BEGIN").await.unwrap();
    assert!(connection.in_transaction());
    let mut returning = connection
        .run("DELETE FROM t WHERE a > 1 RETURNING a", vec![])
        .await
        .unwrap();
    assert_eq!(returning.next(0).await.unwrap().rows.len(), 2);
    assert_eq!(returning.affected(), 2);
    all(&connection, "ROLLBACK").await.unwrap();
    assert!(!connection.in_transaction());
    assert_eq!(
        all(&connection, "SELECT count(*) FROM t").await.unwrap(),
        [[Value::Integer(3)]]
    );
}

#[tokio::test]
async fn an_empty_statement_does_nothing() {
    let (_folder, database) = database("");
    let connection = database.connect().unwrap();
    for sql in ["", " ", "-- nothing", ";", "/* nothing */"] {
        let prepared = connection.prepare(sql).await.unwrap();
        assert_eq!((prepared.columns.len(), prepared.parameters), (0, 0), "{sql}");
        assert_eq!(
            all(&connection, sql).await.unwrap(),
            Vec::<Vec<Value>>::new(),
            "{sql}"
        );
    }
}

/// Runs `sql` and expects an error with this SQLSTATE, at this position.
async fn check_error(connection: &Connection, sql: &str, sqlstate: &str, position: Option<usize>) {
    match all(connection, sql).await {
        Ok(rows) => panic!("{sql} gave {rows:?}"),
        Err(error) => assert_eq!(
            (error.sqlstate, error.position),
            (sqlstate, position),
            "{sql}: {error:?}"
        ),
    }
}

#[tokio::test]
async fn errors_have_postgresqls_codes() {
    let (_folder, database) = database(
        "CREATE TABLE p (a INTEGER PRIMARY KEY, b TEXT NOT NULL UNIQUE CHECK (b <> 'x'));
         CREATE TABLE c (a INTEGER PRIMARY KEY REFERENCES p(a));
         CREATE TABLE s (a INT) STRICT;
         INSERT INTO p VALUES (1, 'one');",
    );
    let connection = database.connect().unwrap();
    for (sql, sqlstate, position) in [
        ("SELECT 'ä', z FROM p", "42703", Some(13)),
        ("SELECT * FROM nowhere", "42P01", Some(15)),
        ("SELEC 1", "42601", Some(1)),
        ("SELECT 'open", "42601", Some(8)),
        ("SELECT (", "42601", None),
        ("SELECT a FROM p, c", "42702", Some(8)),
        ("SELECT nofunction(1)", "42883", Some(8)),
        ("SELECT abs()", "42883", Some(8)),
        ("SELECT 1; SELECT 2", "42601", None),
        ("INSERT INTO p VALUES (1, 'two')", "23505", None),
        ("INSERT INTO p VALUES (2, 'one')", "23505", None),
        ("INSERT INTO p VALUES (2, NULL)", "23502", None),
        ("INSERT INTO p VALUES (2, 'x')", "23514", None),
        ("INSERT INTO c VALUES (7)", "23503", None),
        ("INSERT INTO s VALUES ('abc')", "42804", None),
        ("INSERT INTO p VALUES (1)", "42601", None),
        ("INSERT INTO p (q) VALUES (1)", "42703", None),
        ("CREATE TABLE p (a)", "42P07", Some(14)),
        ("COMMIT", "25P01", None),
        ("SELECT sum(a) FROM p WHERE sum(a) > 1", "42803", Some(28)),
        ("SELECT * FROM p LIMIT 'x'", "42804", None),
        ("SELECT abs(-9223372036854775807 - 1)", "22003", None),
        ("ATTACH 'other.db' AS o", "42501", None),
        ("VACUUM INTO 'copy.db'", "42501", None),
        ("DETACH main", "42501", None),
        ("PRAGMA writable_schema = 1", "42501", None),
        ("PRAGMA journal_mode = off", "42501", None),
        ("PRAGMA temp_store_directory = '/tmp'", "42501", None),
        ("SELECT load_extension('x')", "42501", Some(8)),
    ] {
        check_error(&connection, sql, sqlstate, position).await;
    }
    // The session goes on, and what is harmless is allowed.
    for sql in [
        "PRAGMA table_info(p)",
        "PRAGMA journal_mode",
        "PRAGMA integrity_check",
        "VACUUM",
        "SELECT 1",
    ] {
        all(&connection, sql).await.unwrap();
    }
}

#[tokio::test]
async fn a_running_statement_is_cancelled() {
    let (_folder, database) = database("");
    let connection = Arc::new(database.connect().unwrap());
    let interrupter = connection.interrupter();
    let mut suspended = connection.run("VALUES (1), (2)", vec![]).await.unwrap();
    let endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n";
    let running = tokio::spawn({
        let connection = Arc::clone(&connection);
        async move { connection.run(endless, vec![]).await.map(|_| ()) }
    });
    tokio::time::sleep(Duration::from_millis(100)).await;
    interrupter.interrupt();
    let error = running.await.unwrap().unwrap_err();
    assert_eq!(error.sqlstate, "57014");
    // A cancel with nothing to cancel is without effect, and a suspended cursor is not touched.
    interrupter.interrupt();
    assert_eq!(suspended.next(0).await.unwrap().rows.len(), 2);
    // So does dropping the future.
    let dropped = tokio::time::timeout(Duration::from_millis(50), connection.run(endless, vec![])).await;
    assert!(dropped.is_err());
    let started = std::time::Instant::now();
    assert_eq!(all(&connection, "SELECT 1").await.unwrap(), [[Value::Integer(1)]]);
    assert!(started.elapsed() < Duration::from_secs(1));
}

#[tokio::test]
async fn statements_obey_their_time_limit() {
    let options = Options {
        statement_timeout: Duration::from_millis(50),
        ..Options::default()
    };
    let (_folder, database) = with_options("", options);
    let connection = database.connect().unwrap();
    let error = all(&connection, MANY).await.unwrap_err();
    assert_eq!(
        (error.sqlstate, error.message.as_str()),
        ("57014", "canceling statement due to statement timeout")
    );
}

fn threads() -> usize {
    let names = std::fs::read_dir("/proc/self/task")
        .unwrap()
        .filter_map(|task| std::fs::read_to_string(task.ok()?.path().join("comm")).ok());
    names.filter(|name| name.trim() == "sqlite-gone").count()
}

#[tokio::test(flavor = "multi_thread")]
async fn dropping_the_connection_ends_its_thread() {
    let _ = threads();
    let (_folder, database) = database("");
    let weak = Arc::downgrade(&database);
    let connection = database.connect().unwrap();
    let endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n";
    let mut cursor = connection.run(endless, vec![]).await.unwrap();
    cursor.next(10).await.unwrap();
    drop(connection);
    drop(database);
    assert_eq!(cursor.next(10).await.unwrap_err().sqlstate, "08003");
    let deadline = std::time::Instant::now() + Duration::from_secs(5);
    while weak.upgrade().is_some() {
        assert!(
            std::time::Instant::now() < deadline,
            "the thread still holds the database"
        );
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn many_connections_read_and_write_at_once() {
    let (_folder, database) = database("CREATE TABLE t (a INTEGER);");
    let tasks: Vec<_> = (0..40)
        .map(|number| {
            let connection = database.connect().unwrap();
            tokio::spawn(async move {
                for _ in 0..5 {
                    with_parameters(
                        &connection,
                        "INSERT INTO t VALUES ($1)",
                        vec![Value::Integer(number)],
                    )
                    .await?;
                    all(&connection, "SELECT count(*) FROM t").await?;
                }
                Ok::<(), BackendError>(())
            })
        })
        .collect();
    for task in tasks {
        task.await.unwrap().unwrap();
    }
    let connection = database.connect().unwrap();
    assert_eq!(
        all(&connection, "SELECT count(*) FROM t").await.unwrap(),
        [[Value::Integer(200)]]
    );
}

#[tokio::test]
async fn a_locked_file_is_a_retryable_error() {
    let options = Options {
        busy_timeout: Duration::from_millis(50),
        ..Options::default()
    };
    let (folder, database) = with_options("CREATE TABLE t (a);", options);
    let other = rusqlite::Connection::open(folder.path().join("test.sqlite")).unwrap();
    other.execute_batch("BEGIN EXCLUSIVE").unwrap();
    let connection = database.connect().unwrap();
    check_error(&connection, "SELECT * FROM t", "55P03", None).await;
    other.execute_batch("COMMIT").unwrap();
    all(&connection, "SELECT * FROM t").await.unwrap();
}

#[test]
fn what_cannot_be_opened_is_told_with_a_hint() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    std::fs::write(
        path("notes.txt"),
        "these are notes, not a database, and there are many of them",
    )
    .unwrap();
    create(
        &path("damaged"),
        "CREATE TABLE t (a); CREATE INDEX i ON t (a); INSERT INTO t VALUES (1);",
    );
    let mut bytes = std::fs::read(path("damaged")).unwrap();
    bytes[100..2000].fill(0xAB);
    std::fs::write(path("damaged"), bytes).unwrap();
    for (name, sqlstate) in [
        ("missing", "58P01"),
        ("", "58P01"),
        ("notes.txt", "58030"),
        ("damaged", "XX001"),
    ] {
        let error = Database::open(&path(name), Options::default()).unwrap_err();
        assert_eq!(error.sqlstate, sqlstate, "{name}: {error:?}");
        assert!(error.hint.is_some(), "{name}: {error:?}");
    }
    std::fs::write(path("empty"), "").unwrap();
    Database::open(&path("empty"), Options::default()).unwrap();
}

#[tokio::test]
async fn a_replaced_file_is_opened_anew() {
    let (folder, database) = database("CREATE TABLE t (a); INSERT INTO t VALUES ('old');");
    let connection = database.connect().unwrap();
    let path = folder.path().join("test.sqlite");
    let replace = |value: &str| {
        let new = folder.path().join("new.sqlite");
        create(
            &new,
            &format!("CREATE TABLE t (a); CREATE TABLE u (b); INSERT INTO t VALUES ('{value}');"),
        );
        std::fs::rename(&new, &path).unwrap();
    };
    assert_eq!(
        all(&connection, "SELECT a FROM t").await.unwrap(),
        [[text("old")]]
    );
    let before = database.snapshot().await.unwrap();
    replace("new");
    assert_eq!(
        all(&connection, "SELECT a FROM t").await.unwrap(),
        [[text("new")]]
    );
    let after = database.snapshot().await.unwrap();
    assert_ne!(before.fingerprint, after.fingerprint);
    assert_eq!(after.schema.tables.len(), 2);
    // In a transaction it cannot be done silently.
    all(&connection, "BEGIN").await.unwrap();
    all(&connection, "INSERT INTO t VALUES ('lost')").await.unwrap();
    replace("newer");
    check_error(&connection, "SELECT a FROM t", "55000", None).await;
    assert!(!connection.in_transaction());
    assert_eq!(
        all(&connection, "SELECT a FROM t").await.unwrap(),
        [[text("newer")]]
    );
    std::fs::remove_file(&path).unwrap();
    check_error(&connection, "SELECT a FROM t", "58P01", None).await;
    replace("newest");
    assert_eq!(
        all(&connection, "SELECT a FROM t").await.unwrap(),
        [[text("newest")]]
    );
}

#[tokio::test]
async fn mixed_values_and_odd_text_come_as_they_are() {
    let (_folder, database) = database(
        "CREATE TABLE t (a INTEGER);
         INSERT INTO t VALUES (1), ('abc'), (2.5), (NULL), (x'00ff'), (CAST(x'c328' AS TEXT));",
    );
    let connection = database.connect().unwrap();
    let rows = all(&connection, "SELECT a FROM t").await.unwrap();
    let expected = [
        Value::Integer(1),
        text("abc"),
        Value::Real(2.5),
        Value::Null,
        Value::Blob(vec![0, 255]),
        Value::Text(vec![0xC3, 0x28]),
    ];
    assert_eq!(rows.into_iter().flatten().collect::<Vec<_>>(), expected);
}

#[tokio::test]
async fn odd_names_and_wide_tables_work() {
    let columns: Vec<String> = (0..2000).map(|number| format!("c{number} INTEGER")).collect();
    let (_folder, database) = database(&format!(
        "CREATE TABLE wide ({});
         INSERT INTO wide (c0, c1999) VALUES (1, 2);
         CREATE TABLE \"select\" (\"a \"\"quoted\"\" name\" TEXT, \"group\" INTEGER, [from] REAL, `ü` DATE);
         INSERT INTO \"select\" VALUES ('x', 1, 0.5, '2024-01-31');
         CREATE VIEW broken AS SELECT * FROM gone;
         CREATE VIRTUAL TABLE notes USING fts5(body);",
        columns.join(", ")
    ));
    let connection = database.connect().unwrap();
    assert_eq!(
        connection
            .run("SELECT * FROM wide", vec![])
            .await
            .unwrap()
            .columns()
            .len(),
        2000
    );
    let schema = connection.snapshot().await.unwrap().schema;
    let names: Vec<_> = schema.tables.iter().map(|table| table.name.as_str()).collect();
    assert_eq!(names, ["wide", "select", "notes"]);
    assert_eq!(schema.tables[0].columns.len(), 2000);
    let odd: Vec<_> = schema.tables[1]
        .columns
        .iter()
        .map(|column| column.name.as_str())
        .collect();
    assert_eq!(odd, ["a \"quoted\" name", "group", "from", "ü"]);
}

#[tokio::test]
async fn columns_and_parameters_have_types() {
    let (_folder, database) = database(
        "CREATE TABLE t (a INTEGER, b DECIMAL(10,2), c DATE, d DATE, e, f BOOLEAN, g VARCHAR(20));
         INSERT INTO t VALUES (1, 9.99, '2024-01-31', 'last May', 'x', 1, NULL);
         CREATE VIEW v AS SELECT a, count(*) AS n, sum(b) AS s FROM t GROUP BY a;",
    );
    let connection = database.connect().unwrap();
    for (sql, expected) in [
        ("SELECT * FROM t", "int8 numeric date text text bool varchar"),
        ("SELECT * FROM v", "int8 int8 float8"),
        ("SELECT n + 1, s FROM v", "int8 float8"),
        (
            "SELECT count(*), avg(b), max(c), min(e) FROM t",
            "int8 float8 date text",
        ),
        // Nothing but the rows can tell.
        ("SELECT NULL UNION ALL SELECT 1", "int8"),
        ("SELECT json_extract('{\"a\": 1.5}', '$.a'), NULL", "float8 text"),
        ("PRAGMA table_info(t)", "int8 text text int8 text int8"),
    ] {
        let shown = |columns: &[querent::backend::ResultColumn]| {
            columns
                .iter()
                .map(|column| column.ty.name())
                .collect::<Vec<_>>()
                .join(" ")
        };
        let prepared = connection.prepare(sql).await.unwrap();
        assert_eq!(shown(&prepared.columns), expected, "{sql}");
        let cursor = connection.run(sql, vec![]).await.unwrap();
        assert_eq!(shown(cursor.columns()), expected, "{sql}");
    }
    let prepared = connection
        .prepare("SELECT * FROM t WHERE a = $1 AND c < $2 LIMIT $3")
        .await
        .unwrap();
    assert_eq!(
        prepared.parameter_types,
        [Some(SqlType::Int8), Some(SqlType::Date), Some(SqlType::Int8)]
    );
}

#[tokio::test]
async fn the_schema_is_read_with_keys_kinds_and_comments() {
    let (_folder, database) = database(
        "CREATE TABLE customers ( -- who buys
           id INTEGER PRIMARY KEY,
           email TEXT NOT NULL UNIQUE, -- how to reach them
           born TEXT, joined DATETIME, zip TEXT, score INT, x);
         CREATE TABLE lines (a INT, b INT, customer INT REFERENCES customers, PRIMARY KEY (b, a)) WITHOUT ROWID;
         CREATE TABLE c (a INT, b INT, FOREIGN KEY (b, a) REFERENCES lines (b, a));
         INSERT INTO customers VALUES (7, 'a@b', '1990-05-01', '2020-01-01 10:00:00', '01234', 'n/a', 1.5);",
    );
    let before = database.snapshot().await.unwrap();
    let schema = &before.schema;
    let customers = &schema.tables[0];
    assert_eq!(customers.comment.as_deref(), Some("who buys"));
    assert_eq!(customers.rows, Some(7));
    assert_eq!(customers.primary_key, [0]);
    let kinds: Vec<String> = customers
        .columns
        .iter()
        .map(|column| format!("{:?}", column.kind))
        .collect();
    assert_eq!(
        kinds,
        ["Integer", "Text", "Date", "Timestamp", "Text", "Text", "Number"]
    );
    assert_eq!(customers.columns[1].comment.as_deref(), Some("how to reach them"));
    assert!(customers.columns[1].unique && customers.columns[1].not_null && customers.columns[0].unique);
    assert_eq!(schema.tables[1].primary_key, [1, 0]);
    assert!(!schema.tables[1].columns[0].unique);
    let declared: Vec<_> = schema.foreign_keys.iter().filter(|key| key.declared).collect();
    assert_eq!(declared.len(), 2);
    assert_eq!((declared[0].from[0].table, declared[0].to[0].column), (1, 0));
    assert_eq!(
        declared[1].from.iter().map(|at| at.column).collect::<Vec<_>>(),
        [1, 0]
    );
    // It is the same snapshot until the schema changes.
    let again = database.snapshot().await.unwrap();
    assert!(Arc::ptr_eq(&before.schema, &again.schema));
    let connection = database.connect().unwrap();
    all(&connection, "CREATE TABLE more (a)").await.unwrap();
    let after = connection.snapshot().await.unwrap();
    assert_ne!(before.fingerprint, after.fingerprint);
    assert_eq!(after.schema.tables.len(), 4);
}

#[tokio::test(flavor = "multi_thread")]
async fn stored_values_are_indexed_in_the_background() {
    let (_folder, database) = database(
        "CREATE TABLE t (id INTEGER PRIMARY KEY, city TEXT);
         INSERT INTO t (city) VALUES ('Rome'), ('Rome'), (NULL), (7), (CAST(x'ff' AS TEXT)), ('New York');",
    );
    assert!(!database.values_ready(Duration::ZERO).await);
    database.index_values();
    assert!(database.values_ready(Duration::from_secs(10)).await);
    let snapshot = database.snapshot().await.unwrap();
    assert!(snapshot.values.progress().is_done());
    assert_eq!(snapshot.values.find(&["new".into(), "york".into()]).len(), 1);
    // Another schema has another index.
    let connection = database.connect().unwrap();
    all(&connection, "CREATE TABLE u (name TEXT)").await.unwrap();
    all(&connection, "INSERT INTO u VALUES ('Paris')").await.unwrap();
    assert!(database.values_ready(Duration::from_secs(10)).await);
    assert_eq!(
        database
            .snapshot()
            .await
            .unwrap()
            .values
            .find(&["paris".into()])
            .len(),
        1
    );
    let weak = Arc::downgrade(&database);
    drop((connection, database));
    tokio::time::sleep(Duration::from_millis(300)).await;
    assert!(weak.upgrade().is_none());
}

#[tokio::test]
async fn drivers_find_what_they_ask_when_they_connect() {
    let (_folder, database) = database("");
    let client = querent::catalog::Client {
        user: "ann".into(),
        process_id: 42,
    };
    let connection = database.connect_as(client).unwrap();
    for (sql, expected) in [
        (
            "SELECT current_user, session_user",
            vec![text("ann"), text("ann")],
        ),
        ("select pg_catalog.current_schema()", vec![text("main")]),
        ("SELECT current_database()", vec![text("test")]),
        (
            "SELECT pg_backend_pid(), pg_is_in_recovery()",
            vec![Value::Integer(42), Value::Integer(0)],
        ),
        (
            "SELECT current_setting('server_version_num')",
            vec![text("150014")],
        ),
        ("SELECT set_config('search_path', 'x', false)", vec![text("x")]),
        ("SELECT pg_advisory_unlock_all()", vec![Value::Null]),
        (
            "SELECT t.typname, n.nspname FROM pg_catalog.pg_type t JOIN pg_namespace n ON t.typnamespace = n.oid \
             WHERE t.oid = 23",
            vec![text("int4"), text("pg_catalog")],
        ),
        ("SELECT format_type(20, -1)", vec![text("bigint")]),
    ] {
        assert_eq!(all(&connection, sql).await.unwrap(), [expected], "{sql}");
    }
    let version = all(&connection, "select pg_catalog.version()").await.unwrap();
    assert!(matches!(&version[0][0], Value::Text(text) if text.starts_with(b"PostgreSQL 15.")));
    let hstore = "SELECT typname AS name, oid, typarray AS array_oid, oid::regtype::text AS regtype, \
                  typdelim AS delimiter FROM pg_type t WHERE t.oid = to_regtype($1) ORDER BY t.oid";
    assert!(
        with_parameters(&connection, hstore, vec![text("hstore")])
            .await
            .unwrap()
            .is_empty()
    );
    check_error(&connection, "SELECT current_user, z", "42703", Some(22)).await;
    check_error(&connection, "DELETE FROM pg_catalog.pg_type", "42501", None).await;
    check_error(&connection, "SELECT current_setting('no.such')", "42704", None).await;
}

#[tokio::test]
async fn a_read_only_database_refuses_writes() {
    let options = Options {
        read_only: true,
        ..Options::default()
    };
    let (_folder, database) = with_options("CREATE TABLE t (a);", options);
    let connection = database.connect().unwrap();
    check_error(&connection, "INSERT INTO t VALUES (1)", "25006", None).await;
    check_error(&connection, "PRAGMA query_only = 0", "42501", None).await;
    assert_eq!(
        all(&connection, "SELECT count(*) FROM t").await.unwrap(),
        [[Value::Integer(0)]]
    );
    assert_eq!(
        all(&connection, "SELECT pg_catalog.current_schema()")
            .await
            .unwrap(),
        [[text("main")]]
    );
}

/// A question's SQL as the pipeline would make it.
async fn question(connection: &Connection, sql: &str) -> querent::validator::ValidatedSql {
    let snapshot = connection.snapshot().await.unwrap();
    querent::validator::validate(sql, &snapshot.schema, querent::validator::Dialect::Sqlite)
        .unwrap_or_else(|findings| panic!("{sql}: {findings:?}"))
}

#[tokio::test]
async fn questions_only_read_wherever_they_run() {
    let options = Options {
        question_rows: 3,
        ..Options::default()
    };
    let (_folder, database) = with_options(
        "CREATE TABLE t (a INTEGER); INSERT INTO t VALUES (1), (2), (3), (4);",
        options,
    );
    let connection = database.connect().unwrap();
    let count = question(&connection, "SELECT count(*) FROM t").await;
    let run = async |around: Option<&str>| {
        let mut cursor = connection.run_generated(&count, around, vec![]).await?;
        Ok::<_, BackendError>(cursor.next(0).await?.rows)
    };
    // The catalogue can be asked for in a transaction too.
    all(&connection, "BEGIN").await.unwrap();
    all(&connection, "SELECT count(*) FROM pg_type").await.unwrap();
    all(&connection, "ROLLBACK").await.unwrap();
    all(&connection, "SELECT count(*) FROM pg_type").await.unwrap();
    // On the second connection; in a transaction on the session's own, which sees what it wrote.
    assert_eq!(run(None).await.unwrap(), [[Value::Integer(4)]]);
    all(&connection, "BEGIN").await.unwrap();
    all(&connection, "INSERT INTO t VALUES (5)").await.unwrap();
    for _ in 0..2 {
        assert_eq!(run(None).await.unwrap(), [[Value::Integer(5)]]);
        for around in [
            "DELETE FROM t",
            "PRAGMA user_version = 1",
            "COMMIT",
            "CREATE TABLE u AS SELECT 1",
        ] {
            assert_eq!(run(Some(around)).await.unwrap_err().sqlstate, "42501", "{around}");
        }
        assert!(connection.in_transaction());
        // The guard is gone afterwards.
        all(&connection, "UPDATE t SET a = a").await.unwrap();
    }
    all(&connection, "ROLLBACK").await.unwrap();
    assert_eq!(
        run(Some("DELETE FROM t RETURNING a")).await.unwrap_err().sqlstate,
        "42501"
    );
    assert_eq!(
        run(Some("SELECT sqlite_version() <> '' FROM (SELECT 1)"))
            .await
            .unwrap(),
        [[Value::Integer(1)]]
    );
    let many = question(&connection, "SELECT a FROM t").await;
    let mut cursor = connection.run_generated(&many, None, vec![]).await.unwrap();
    assert_eq!(cursor.next(0).await.unwrap_err().sqlstate, "54000");
    let trial = connection.trial(&many, 2).await.unwrap();
    assert_eq!(
        (trial.columns, trial.rows.len(), trial.complete),
        (vec!["a".to_owned()], 2, false)
    );
    let trial = connection
        .trial(&question(&connection, "SELECT a FROM t WHERE a > 1").await, 3)
        .await
        .unwrap();
    assert_eq!((trial.rows.len(), trial.complete), (3, true));
}
