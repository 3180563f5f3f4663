//! What is temporary is one session's own.

use super::harness::TestServer;

#[tokio::test(flavor = "multi_thread")]
async fn sequences_of_temporary_tables_are_each_sessions_own() {
    let server = TestServer::start();
    let (one, other) = (server.driver().await, server.driver().await);
    for client in [&one, &other] {
        let made = "CREATE TEMP TABLE basket (i bigserial, j int); CREATE TEMP SEQUENCE steps";
        client.batch_execute(made).await.unwrap();
        for expected in 1..4_i64 {
            let row = client
                .query_one(
                    "INSERT INTO basket (j) VALUES (1) RETURNING i, nextval('steps')",
                    &[],
                )
                .await
                .unwrap();
            assert_eq!((row.get::<_, i64>(0), row.get::<_, i64>(1)), (expected, expected));
        }
    }
    // A table of the file by the same name has its own, and a third session sees nothing of theirs.
    let third = server.driver().await;
    let found = third
        .query("SELECT sequencename::text FROM pg_sequences", &[])
        .await
        .unwrap();
    let names: Vec<String> = found.iter().map(|row| row.get(0)).collect();
    assert!(!names.iter().any(|name| name.starts_with("basket")), "{names:?}");
    third
        .batch_execute("CREATE TABLE basket (i serial, j int); INSERT INTO basket (j) VALUES (1)")
        .await
        .unwrap();
    assert!(third.query_one("SELECT nextval('steps')", &[]).await.is_err());
    let row = one
        .query_one("INSERT INTO basket (j) VALUES (1) RETURNING i", &[])
        .await
        .unwrap();
    assert_eq!(row.get::<_, i64>(0), 4);
}
