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
    assert!(described[1].starts_with("E ERROR 0A000"), "{described:?}");
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
