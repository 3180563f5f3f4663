//! The guard around questions.

use std::time::Duration;

use super::*;

/// A question's SQL as the pipeline would make it.
pub(super) async fn question(
    connection: &Connection,
    sql: &str,
) -> querent::question::validator::ValidatedSql {
    let snapshot = connection.snapshot().await.unwrap();
    querent::question::validator::validate(sql, &snapshot.schema, querent::question::schema::Dialect::Sqlite)
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
        let answers = Arc::from([count.clone()]);
        let around = around.map(|text| EnclosingStatement {
            text,
            generated: Generated::Nothing,
            answers: &answers,
        });
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

#[tokio::test]
async fn a_recursion_without_an_end_is_told_so() {
    let options = Options {
        question_timeout: Duration::from_millis(50),
        ..Options::default()
    };
    let (_folder, database) = with_options("CREATE TABLE t (a INTEGER);", options);
    let connection = database.connect().unwrap();
    let endless = question(
        &connection,
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i > 0) SELECT count(*) FROM n",
    )
    .await;
    let error = connection
        .run_generated(&endless, None, vec![])
        .await
        .unwrap_err();
    assert_eq!(error.sqlstate, "57014");
    let detail = error.detail.unwrap_or_default();
    assert!(
        detail.contains("Its recursion did not come to an end"),
        "{detail}"
    );
    assert!(error.hint.unwrap_or_default().contains("a bound"));
}

#[tokio::test]
async fn a_question_reads_columns_that_are_computed() {
    let (_folder, database) = database("");
    let connection = database.connect().unwrap();
    for sql in [
        "CREATE TABLE item (id integer PRIMARY KEY, price integer DEFAULT 1 + 1 CHECK (abs(price) > 0),
         total integer GENERATED ALWAYS AS (price * 2) STORED, name text DEFAULT upper('x'))",
        "CREATE INDEX item_name ON item (lower(name))",
        "INSERT INTO item (id, price) VALUES (1, 10), (2, 20)",
        "CREATE VIEW dear AS SELECT id, total + 1 AS more FROM item WHERE total > 30",
        "CREATE TABLE bill (id integer, amount numeric(10,2), at timestamp DEFAULT now())",
        "INSERT INTO bill (id, amount) VALUES (1, 10.50), (1, 3.50)",
        "CREATE VIEW due AS SELECT id, sum(amount) > 13 AND min(at) <= now() AS late FROM bill GROUP BY id",
    ] {
        all(&connection, sql).await.unwrap();
    }
    for (sql, expected) in [
        ("SELECT id FROM item WHERE total > 30", 2),
        ("SELECT sum(total) FROM item", 60),
        ("SELECT more FROM dear", 41),
        ("SELECT late FROM due", 1),
        ("SELECT id FROM item WHERE lower(name) = 'x' AND total < 30", 1),
    ] {
        let asked = question(&connection, sql).await;
        let mut cursor = connection.run_generated(&asked, None, vec![]).await.unwrap();
        assert_eq!(
            cursor.next(0).await.unwrap().rows,
            [[Value::Integer(expected)]],
            "{sql}"
        );
    }
}

#[tokio::test]
async fn a_view_does_for_no_question_what_the_question_may_not() {
    let (_folder, database) = database("CREATE TABLE t (a integer)");
    let connection = database.connect().unwrap();
    for view in [
        "CREATE VIEW sleeps AS SELECT pg_sleep(1) AS a FROM t",
        "CREATE VIEW tells AS SELECT pg_notify('a', 'b') AS a FROM t",
        "CREATE VIEW locks AS SELECT pg_advisory_lock(1) AS a FROM t",
    ] {
        all(&connection, view).await.unwrap();
    }
    let snapshot = connection.snapshot().await.unwrap();
    for view in ["sleeps", "tells", "locks"] {
        let table = snapshot.schema.tables.iter().find(|table| table.name == view);
        assert!(table.is_none_or(|table| table.forbidden.is_some()), "{view}");
    }
    let dialect = querent::question::schema::Dialect::Sqlite;
    for sql in [
        "SELECT pg_i4(a) FROM t",
        "WITH x AS (SELECT \"pg_upper\"(a) FROM t) SELECT * FROM x",
    ] {
        assert!(
            querent::question::validator::validate(sql, &snapshot.schema, dialect).is_err(),
            "{sql}"
        );
    }
}
