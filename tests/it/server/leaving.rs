//! What a client sent before it left is carried out, as PostgreSQL does it; nothing else is done for it.

use std::time::{Duration, Instant};

use super::{harness::TestServer, raw::client_message};

/// A statement that takes long enough for the client to be gone before it ends.
const SLOW: &str = "INSERT INTO customer(name) SELECT concat('c', i) FROM generate_series(1, 200000) AS i";
/// A question that takes a moment.
const SLOW_READ: &str = "SELECT count(*) FROM generate_series(1, 300000)";

/// What is sent at once before the connection is closed, and how many rows then stand in the table beside its own three.
fn conversations() -> Vec<(Vec<String>, i64)> {
    let query = |sql: &str| format!("Query {sql}");
    let prepared = |sql: &str| vec![format!("Parse | {sql}"), "Bind | |".into(), "Execute |".into()];
    let one = "INSERT INTO customer(name) VALUES ('one')";
    vec![
        (vec![query(SLOW)], 200_000),
        (vec![query(SLOW), query(one)], 200_001),
        (vec![query(SLOW), query(one), "Terminate".into()], 200_001),
        (vec![query(SLOW_READ), query(one)], 1),
        (vec![query(&format!("{SLOW_READ}; {one}; {SLOW_READ}"))], 1),
        (vec![query("BEGIN"), query(SLOW), query("COMMIT")], 200_000),
        (vec![query("BEGIN"), query(SLOW)], 0),
        (
            vec![query(&format!(
                "WITH a AS ({SLOW} RETURNING id) SELECT count(*) FROM a"
            ))],
            200_000,
        ),
        (vec![query("SELECT 1 FROM nl('how many orders')"), query(one)], 1),
        ([prepared(SLOW), vec!["Sync".into()]].concat(), 200_000),
        (
            [prepared(one), prepared(SLOW_READ), vec!["Sync".into()]].concat(),
            1,
        ),
        // Without its Sync it is not committed.
        ([prepared(one), prepared(SLOW_READ)].concat(), 0),
        (
            vec![
                query("COPY customer(name) FROM STDIN"),
                "CopyData one\n".into(),
                "CopyDone".into(),
                query(one),
            ],
            2,
        ),
        (
            vec![query("COPY customer(name) FROM STDIN"), "CopyData one\n".into()],
            0,
        ),
    ]
}

#[test]
fn what_a_client_sent_before_it_left_is_done() {
    for (messages, expected) in conversations() {
        let server = TestServer::start();
        let mut client = server.client();
        let bytes: Vec<u8> = messages.iter().flat_map(|line| client_message(line)).collect();
        client.send(&bytes);
        drop(client);
        let mut other = server.client();
        let begun = Instant::now();
        // Once nobody is left but who asks.
        while other.query("SELECT count(*) FROM pg_stat_activity WHERE state IS NOT NULL")[1] != "D 1" {
            assert!(
                begun.elapsed() < Duration::from_secs(60),
                "{messages:?} does not end"
            );
            std::thread::sleep(Duration::from_millis(20));
        }
        let count = other.query("SELECT count(*) - 3 FROM customer");
        assert_eq!(count[1], format!("D {expected}"), "{messages:?}");
    }
}
