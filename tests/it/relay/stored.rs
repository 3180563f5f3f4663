//! What a prepared question answers is read, and not stored, whatever stands around the EXECUTE that runs it.

use super::harness::Relay;
use crate::server::raw::{Client, client_message};

const PREPARE: &str = "PREPARE q AS SELECT * FROM nl('how many orders are there?')";

fn talk(client: &mut Client, messages: &[&str]) -> Vec<String> {
    let bytes: Vec<u8> = messages
        .iter()
        .flat_map(|message| client_message(message))
        .collect();
    client.send(&bytes);
    client.until_ready()
}

#[test]
fn explain_stores_nothing_of_a_prepared_question() {
    let Some(relay) = Relay::start() else { return };
    let mut client = relay.client();
    let told = client.query(PREPARE);
    assert_eq!(told.last().unwrap(), "Z I", "{told:?}");
    for sql in [
        "CREATE TABLE kept AS EXECUTE q",
        "EXPLAIN ANALYZE CREATE TABLE kept AS EXECUTE q",
        "EXPLAIN (ANALYZE, COSTS off) CREATE TABLE IF NOT EXISTS kept AS EXECUTE q",
        "explain analyze verbose create temp table kept as execute q",
        "/* x */ EXPLAIN ANALYZE CREATE UNLOGGED TABLE kept AS EXECUTE \"q\"",
    ] {
        let told = client.query(sql);
        assert!(
            told.iter().any(|line| line.starts_with("E ERROR 25006")),
            "{sql}: {told:?}"
        );
        assert_eq!(told.last().unwrap(), "Z I");
        let told = client.query("BEGIN");
        assert_eq!(told.last().unwrap(), "Z T");
        let told = client.query(sql);
        assert!(
            told.iter().any(|line| line.starts_with("E ERROR 25006")),
            "{sql}: {told:?}"
        );
        client.query("ROLLBACK");
        let told = talk(
            &mut client,
            &[&format!("Parse | {sql}"), "Bind | |", "Execute", "Sync"],
        );
        assert!(
            told.iter().any(|line| line.starts_with("E ERROR 25006")),
            "{sql}: {told:?}"
        );
    }
    let told = client.query(&format!(
        "{}; EXPLAIN ANALYZE CREATE TABLE kept AS EXECUTE r",
        PREPARE.replace(" q ", " r ")
    ));
    assert!(told.iter().any(|line| line.starts_with("E ERROR")), "{told:?}");
    let told = client.query("SELECT count(*) FROM pg_class WHERE relname = 'kept'");
    assert!(told.contains(&"D 0".to_owned()), "{told:?}");
    // What only reads goes on.
    for sql in ["EXECUTE q", "EXPLAIN ANALYZE EXECUTE q", "EXPLAIN EXECUTE q"] {
        let told = client.query(sql);
        assert!(told.iter().all(|line| !line.starts_with("E ")), "{sql}: {told:?}");
    }
}
