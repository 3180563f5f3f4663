//! The connection of our own: read-only whatever is asked, limits, and what is left when it is interrupted.

use std::{sync::Arc, time::Duration};

use querent::{
    backend::{Backend, BackendError, Value},
    postgres::introspection::{Client, Limits, Querier, Query, Rows},
    question::{
        schema::Dialect,
        validator::{self, ValidatedSql},
    },
};

use super::{
    introspection::{LIMITS, schemas},
    server::{PostgresServer, SUPERUSER},
};

async fn client(server: &PostgresServer, limits: Limits) -> Client {
    let address = server.address(SUPERUSER, "postgres").parse().unwrap();
    Client::connect(&address, schemas(), limits).await.unwrap()
}

async fn read(client: &Client, sql: &str) -> Result<Rows, BackendError> {
    let limit = Duration::from_secs(60);
    client
        .read(&[Query::all(sql)], limit)
        .await
        .map(|mut answers| answers.remove(0))
}

/// Reads and expects an error with this SQLSTATE, at this position.
async fn check_error(client: &Client, sql: &str, expected: (&str, Option<usize>)) {
    let error = read(client, sql).await.unwrap_err();
    assert_eq!(
        (error.sqlstate.as_str(), error.position),
        expected,
        "{sql}: {error:?}"
    );
}

async fn validated(client: &Client, sql: &str) -> ValidatedSql {
    let snapshot = client.snapshot().await.unwrap();
    validator::validate(sql, &snapshot.schema, Dialect::Postgres)
        .unwrap_or_else(|found| panic!("{sql}: {found:?}"))
}

#[tokio::test]
async fn it_only_reads() {
    let Some(server) = PostgresServer::start() else {
        return;
    };
    server
        .run("postgres", "CREATE TABLE t (a int); INSERT INTO t VALUES (1)")
        .await;
    let client = client(&server, LIMITS).await;
    for (sql, expected) in [
        ("INSERT INTO t VALUES (2)", ("25006", None)),
        ("SELECT 1; COMMIT; DELETE FROM t", ("42601", None)),
        ("COMMIT; DELETE FROM t", ("42601", None)),
        ("SELECT nothing FROM t", ("42703", Some(8))),
        ("SELECT 'ä', nothing FROM t", ("42703", Some(13))),
        ("SELECT 1 / (a - 1) FROM t", ("22012", None)),
    ] {
        check_error(&client, sql, expected).await;
    }
    let rows = read(
        &client,
        "SELECT a, NULL::text, 'x' || a, 1.50, true FROM t -- the end",
    )
    .await
    .unwrap();
    let names: Vec<_> = rows
        .columns
        .iter()
        .map(|(name, oid)| (name.as_str(), *oid))
        .collect();
    assert_eq!(
        names,
        [
            ("a", 23),
            ("text", 25),
            ("?column?", 25),
            ("?column?", 1700),
            ("?column?", 16)
        ]
    );
    let expected = [
        Value::Integer(1),
        Value::Null,
        Value::Text(b"x1".to_vec()),
        Value::Real(1.5),
        Value::Integer(1),
    ];
    assert_eq!(rows.values(), [expected.to_vec()]);
    // Nothing is left behind in the session.
    let state = read(
        &client,
        "SELECT current_setting('statement_timeout'), current_setting('transaction_read_only')",
    );
    let first = |rows: &Rows| String::from_utf8(rows.rows[0][0].as_ref().unwrap().to_vec()).unwrap();
    assert_eq!(first(&state.await.unwrap()), "1min");
}

#[tokio::test]
async fn several_statements_have_each_their_rows() {
    let Some(server) = PostgresServer::start() else {
        return;
    };
    let client = client(&server, LIMITS).await;
    let statements = [
        Query::first("SELECT n FROM generate_series(1, 10) AS n", 3),
        Query::first("SELECT n FROM generate_series(1, 3) AS n -- all", 3),
        Query::all("SELECT 1 WHERE false"),
        Query {
            sql: "SELECT $1::int IS NULL, '$1' -- $1",
            parameters: 1,
            max_rows: 1,
        },
        Query::all("EXPLAIN SELECT 1"),
    ];
    let answers = client.read(&statements, Duration::ZERO).await.unwrap();
    let seen: Vec<_> = answers
        .iter()
        .map(|rows| (rows.rows.len(), rows.complete))
        .collect();
    assert_eq!(seen, [(3, false), (3, true), (0, true), (1, true), (1, true)]);
    assert_eq!(
        answers[3].values(),
        [[Value::Integer(1), Value::Text(b"$1".to_vec())]]
    );
}

#[tokio::test]
async fn time_and_cost_are_limited() {
    let Some(server) = PostgresServer::start() else {
        return;
    };
    server
        .run(
            "postgres",
            "CREATE TABLE t AS SELECT n, n::text AS word FROM generate_series(1, 3000) AS n; ANALYZE",
        )
        .await;
    let limits = Limits {
        cost: Some(100_000),
        kept: Some(50_000),
        statement_timeout: Duration::from_secs(60),
    };
    let client = client(&server, limits).await;
    let started = std::time::Instant::now();
    let slow = client
        .read(&[Query::all("SELECT pg_sleep(60)")], Duration::from_millis(50))
        .await;
    assert_eq!(
        slow.unwrap_err().message,
        "canceling statement due to statement timeout"
    );
    assert!(started.elapsed() < Duration::from_secs(30));
    let cheap = validated(&client, "SELECT word FROM t ORDER BY n").await;
    let trial = client.trial(&cheap, 2).await.unwrap();
    assert_eq!(
        trial.rows,
        [[Value::Text(b"1".to_vec())], [Value::Text(b"2".to_vec())]]
    );
    assert!(!trial.complete && trial.columns == ["word"]);
    // Dear, but allowed: not tried.
    let dear = validated(
        &client,
        "SELECT a.n FROM t AS a JOIN t AS b ON a.n + b.n > 0 LIMIT 1000000",
    )
    .await;
    let trial = client.trial(&dear, 2).await.unwrap();
    assert_eq!(
        (trial.rows.len(), trial.complete, trial.columns.len()),
        (0, false, 1)
    );
    let dearest = validated(&client, "SELECT a.n FROM t AS a JOIN t AS b ON a.n + b.n > 0").await;
    let error = client.trial(&dearest, 2).await.unwrap_err();
    assert_eq!(error.sqlstate, "54000", "{error:?}");
    assert!(error.detail.unwrap().ends_with("; allowed are 100000.") && error.hint.is_some());
    let kept = validated(&client, "SELECT array_agg(word) FROM t WHERE n < 1500").await;
    assert!(client.trial(&kept, 2).await.unwrap().complete);
    let kept = validated(&client, "SELECT string_agg(word, ',') FROM t").await;
    let error = client.trial(&kept, 2).await.unwrap_err();
    assert_eq!(error.sqlstate, "54000", "{error:?}");
    assert!(error.detail.unwrap().ends_with("; allowed are 50000."));
}

#[tokio::test]
async fn what_is_dropped_is_cancelled() {
    let Some(server) = PostgresServer::start() else {
        return;
    };
    let client = Arc::new(client(&server, LIMITS).await);
    let sleeper = Arc::clone(&client);
    let sleeping = tokio::spawn(async move { read(&sleeper, "SELECT pg_sleep(600)").await.map(drop) });
    let watcher = server.client(SUPERUSER, "postgres").await;
    let asleep = "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'PgSleep'";
    while watcher.query_one(asleep, &[]).await.unwrap().get::<_, i64>(0) == 0 {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    sleeping.abort();
    // The connection serves on, as soon as the server has let go of the statement.
    let rows = tokio::time::timeout(Duration::from_secs(60), read(&client, "SELECT 1"))
        .await
        .unwrap();
    assert_eq!(rows.unwrap().values(), [[Value::Integer(1)]]);
    assert_eq!(watcher.query_one(asleep, &[]).await.unwrap().get::<_, i64>(0), 0);
}

#[tokio::test]
async fn a_lost_server_is_told() {
    let Some(mut server) = PostgresServer::start() else {
        return;
    };
    let client = client(&server, LIMITS).await;
    server.stop();
    for _ in 0..2 {
        let error = read(&client, "SELECT 1").await.unwrap_err();
        assert!(
            error.sqlstate.starts_with("08") || error.sqlstate.starts_with("57P"),
            "{error:?}"
        );
    }
    server.start_again();
}
