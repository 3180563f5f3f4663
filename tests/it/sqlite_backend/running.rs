//! Statements and cursors: values, memory, cancelling, many at once.

use std::time::Duration;

use super::*;

const MANY: &str = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000000) \
                    SELECT i, 'row number ' || i AS t FROM n";

#[tokio::test]
async fn parameters_are_bound_by_number() {
    let (_folder, database) = database("");
    let connection = database.connect().unwrap();
    let sql = "SELECT $2, $1, $2 || 'x'";
    assert_eq!(connection.prepare(sql, &[]).await.unwrap().parameters, 2);
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
        let prepared = connection.prepare(sql, &[]).await.unwrap();
        assert_eq!((prepared.columns.len(), prepared.parameters), (0, 0), "{sql}");
        assert_eq!(
            all(&connection, sql).await.unwrap(),
            Vec::<Vec<Value>>::new(),
            "{sql}"
        );
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
        (error.sqlstate.as_str(), error.message.as_str()),
        ("57014", "canceling statement due to statement timeout")
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn dropping_the_connection_ends_its_thread() {
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
