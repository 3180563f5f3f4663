//! The server through tokio-postgres, which describes every statement and uses the binary format.

use std::time::Duration;

use tokio_postgres::{SimpleQueryMessage, error::SqlState};

use super::harness::TestServer;

#[tokio::test(flavor = "multi_thread")]
async fn values_come_in_their_types() {
    let server = TestServer::start();
    let client = server.driver().await;
    let row = client
        .query_one(
            "SELECT id, name, vip, country FROM customer WHERE id = $1",
            &[&1_i64],
        )
        .await
        .unwrap();
    assert_eq!(row.get::<_, i64>(0), 1);
    assert_eq!(row.get::<_, &str>(1), "Ann");
    assert!(row.get::<_, bool>(2));
    assert_eq!(row.get::<_, Option<&str>>(3), Some("Spain"));
    let row = client
        .query_one("SELECT total, total * $1 FROM orders WHERE id = 1", &[&2.0_f64])
        .await
        .unwrap();
    assert_eq!(row.get::<_, f64>(0).to_bits(), 10.5_f64.to_bits());
}

#[tokio::test(flavor = "multi_thread")]
async fn transactions_commit_and_roll_back() {
    let server = TestServer::start();
    let mut client = server.driver().await;
    let transaction = client.transaction().await.unwrap();
    transaction
        .execute("INSERT INTO orders VALUES ($1, 1, 5)", &[&100_i64])
        .await
        .unwrap();
    transaction.rollback().await.unwrap();
    let mut transaction = client.transaction().await.unwrap();
    let inner = transaction.transaction().await.unwrap();
    inner
        .execute("INSERT INTO orders VALUES ($1, 1, 5)", &[&101_i64])
        .await
        .unwrap();
    inner.rollback().await.unwrap();
    transaction
        .execute("INSERT INTO orders VALUES ($1, 1, 5)", &[&102_i64])
        .await
        .unwrap();
    transaction.commit().await.unwrap();
    let rows = client
        .query("SELECT id FROM orders WHERE id >= 100", &[])
        .await
        .unwrap();
    assert_eq!(rows.iter().map(|row| row.get(0)).collect::<Vec<i64>>(), [102]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_portal_gives_rows_in_portions() {
    let server = TestServer::start();
    let mut client = server.driver().await;
    let transaction = client.transaction().await.unwrap();
    let statement = transaction
        .prepare(
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000) SELECT i FROM n",
        )
        .await
        .unwrap();
    let portal = transaction.bind(&statement, &[]).await.unwrap();
    let mut seen = 0;
    loop {
        let rows = transaction.query_portal(&portal, 300).await.unwrap();
        if rows.is_empty() {
            break;
        }
        assert!(rows.len() <= 300);
        seen += rows.len();
    }
    assert_eq!(seen, 1000);
}

#[tokio::test(flavor = "multi_thread")]
async fn questions_are_asked_through_the_driver() {
    let server = TestServer::start();
    server.database.values_ready(Duration::from_secs(10)).await;
    let client = server.driver().await;
    let row = client
        .query_one("-- nl: how many customers are there?", &[])
        .await
        .unwrap();
    assert_eq!(row.get::<_, i64>(0), 3);
    let row = client
        .query_one("SELECT * FROM nl('how many customers are there?', 'sql')", &[])
        .await
        .unwrap();
    assert!(row.get::<_, &str>("sql").to_lowercase().contains("count"));
    assert!((0.0..=1.0).contains(&row.get::<_, f64>("confidence")));
    assert_eq!(row.get::<_, i64>("model_calls"), 0);
    let rows = client
        .query(
            "SELECT c.name FROM nl('customers in Spain') AS c ORDER BY 1 LIMIT 1",
            &[],
        )
        .await
        .unwrap();
    assert_eq!(rows[0].get::<_, &str>(0), "Ann");

    let error = client
        .query("-- nl: flibber the wibbly gromph", &[])
        .await
        .unwrap_err();
    assert_eq!(error.as_db_error().unwrap().code().code(), "NL001");
    // The session goes on.
    assert_eq!(client.query("SELECT 1", &[]).await.unwrap().len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_failed_question_fails_its_transaction() {
    let server = TestServer::start();
    let client = server.driver().await;
    client.batch_execute("BEGIN").await.unwrap();
    assert!(
        client
            .simple_query("-- nl: flibber the wibbly gromph")
            .await
            .is_err()
    );
    let error = client.simple_query("SELECT 1").await.unwrap_err();
    assert_eq!(error.code(), Some(&SqlState::IN_FAILED_SQL_TRANSACTION));
    client.batch_execute("ROLLBACK").await.unwrap();
    let messages = client.simple_query("SELECT 1").await.unwrap();
    assert!(
        messages
            .iter()
            .any(|message| matches!(message, SimpleQueryMessage::Row(_)))
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn questions_can_be_switched_off() {
    let server = TestServer::configured("questions = false\n");
    let client = server.driver().await;
    let error = client
        .simple_query("-- nl: how many customers?")
        .await
        .unwrap_err();
    assert_eq!(error.code(), Some(&SqlState::INSUFFICIENT_PRIVILEGE));
    assert!(client.simple_query("SELECT 1").await.is_ok());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_question_may_come_as_a_parameter() {
    let server = TestServer::start();
    let mut client = server.client();
    let send = |client: &mut super::raw::Client, lines: &[&str]| {
        for line in lines {
            client.send(&super::raw::client_message(line));
        }
    };
    send(
        &mut client,
        &["Parse q | SELECT * FROM nl($1)", "DescribeStatement q", "Sync"],
    );
    let described = client.until_ready();
    assert_eq!(described[1..3], ["t 25", "T nl:114"], "{described:?}");
    send(
        &mut client,
        &[
            "Query SET querent.notices = off",
            "Parse q2 | SELECT * FROM nl($1)",
            "Bind | q2 | how many customers are there?",
            "DescribePortal ",
            "Execute",
            "Sync",
        ],
    );
    client.until_ready();
    let answered = client.until_ready();
    assert_eq!(answered[3], "D 3", "{answered:?}");
    assert_eq!(answered[4], "C SELECT 1");
}

#[tokio::test(flavor = "multi_thread")]
async fn errors_of_questions_say_what_and_where() {
    let server = TestServer::start();
    let client = server.driver().await;
    let fields = async |sql: &str| {
        let error = client.simple_query(sql).await.unwrap_err();
        let error = error.as_db_error().unwrap().clone();
        let position = match error.position() {
            Some(tokio_postgres::error::ErrorPosition::Original(at)) => *at,
            other => panic!("{other:?}"),
        };
        (error.code().code().to_owned(), error, position)
    };
    // The position counts characters in the client's whole text.
    let (code, error, position) = fields("SELECT 'é'; SELECT * FROM nl('flibber the wibbly gromph')").await;
    assert_eq!((code.as_str(), position), ("NL001", 27));
    assert!(error.detail().unwrap().contains("gromph"), "{error:?}");
    assert!(error.hint().is_some());
    let (code, error, _) = fields("SELECT * FROM nl('what', 'nothing')").await;
    assert_eq!(code, "22023");
    assert_eq!(
        error.hint().unwrap(),
        "The actions are run, sql, explain, trace, good, bad, fix, reset."
    );
    // An error in the client's own part of a statement points there.
    let (code, _, position) = fields("SELECT nope FROM nl('how many customers are there?')").await;
    assert_eq!((code.as_str(), position), ("42703", 8));
    let (code, error, _) = fields("CREATE VIEW v AS SELECT * FROM nl('how many customers?')").await;
    assert_eq!(code, "42501");
    assert!(error.hint().unwrap().contains("allow_in_writes"));
    let error = client
        .simple_query("SET querent.mode = sot; -- nl: how many customers?")
        .await
        .unwrap_err();
    let error = error.as_db_error().unwrap();
    assert_eq!(error.code().code(), "NL004");
    assert!(error.detail().unwrap().contains("sot"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_question_is_answered_once_when_it_is_prepared() {
    let server = TestServer::start();
    let client = server.driver().await;
    let statement = client
        .prepare("-- nl: how many customers are there?")
        .await
        .unwrap();
    let sql = |rows: Vec<tokio_postgres::Row>| rows[0].get::<_, String>(0);
    let before = sql(client.query("SHOW querent.last_sql", &[]).await.unwrap());
    client.batch_execute("/* nl reset: */;").await.unwrap();
    for _ in 0..3 {
        let rows = client.query(&statement, &[]).await.unwrap();
        assert_eq!(rows[0].get::<_, i64>(0), 3);
    }
    // Nothing was asked again, so there is no last question.
    assert!(before.contains("customer"));
    assert_eq!(sql(client.query("SHOW querent.last_sql", &[]).await.unwrap()), "");
}

#[tokio::test(flavor = "multi_thread")]
async fn questions_stand_in_larger_statements() {
    let server = TestServer::configured("allow_in_writes = true\nask_keyword = true\n");
    let client = server.driver().await;
    let ask = async |sql: &str| -> Vec<String> {
        let messages = client.simple_query(sql).await.unwrap();
        messages
            .iter()
            .filter_map(|message| match message {
                SimpleQueryMessage::Row(row) => row.get(0).map(str::to_owned),
                _ => None,
            })
            .collect()
    };
    let spain = "nl('customers in Spain')";
    for (sql, expected) in [
        (format!("SELECT count(*) FROM {spain}"), vec!["2"]),
        (
            format!("WITH a AS (SELECT * FROM {spain}) SELECT count(*) FROM a"),
            vec!["2"],
        ),
        (
            format!("SELECT c.country FROM customer c JOIN {spain} s ON s.name = c.name LIMIT 1"),
            vec!["Spain"],
        ),
        (
            format!("BEGIN; DECLARE c CURSOR FOR SELECT * FROM {spain}; FETCH 1 FROM c; COMMIT"),
            vec!["Ann"],
        ),
        (
            format!("PREPARE p AS SELECT * FROM {spain}; EXECUTE p; DEALLOCATE p"),
            vec!["Ann", "Zoë"],
        ),
        (
            format!("CREATE VIEW v AS SELECT * FROM {spain}; SELECT count(*) FROM v; DROP VIEW v"),
            vec!["2"],
        ),
        ("ASK how many customers are there".to_owned(), vec!["3"]),
        (
            "SELECT tier FROM nl('how many customers?', 'sql') AS s".to_owned(),
            vec!["embedded"],
        ),
        (
            "SET querent.row_limit = 5; SHOW querent.row_limit".to_owned(),
            vec!["5"],
        ),
    ] {
        assert_eq!(ask(&sql).await, expected, "{sql}");
    }
    assert!(ask(&format!("EXPLAIN SELECT * FROM {spain}")).await[0].contains("customer"));
    client.batch_execute("SET querent.row_limit = 1").await.unwrap();
    let error = client
        .simple_query(&format!("SELECT * FROM {spain}"))
        .await
        .unwrap_err();
    assert_eq!(error.code().unwrap().code(), "54000");
}
