//! Statements that write and are stopped in the middle of a sort, or take more memory than they may: nothing half made is left.

use querent::sqlite::engine::Options;

use super::harness::TestServer;

#[test]
fn writing_statements_stop_in_a_sort() {
    let server = TestServer::with("", Options::default());
    let mut client = server.client();
    client.query("CREATE TABLE big (a numeric)");
    client.query(
        "INSERT INTO big SELECT (n::bigint * 7919 % 1000003) / 7.0 FROM generate_series(1, 400000) AS s(n)",
    );
    client.query("CREATE TABLE kept (a numeric)");
    client.query("SET statement_timeout = 100");
    for sql in [
        "CREATE TABLE made AS SELECT a FROM big ORDER BY a",
        "INSERT INTO kept SELECT a FROM big ORDER BY a",
        "CREATE INDEX big_a ON big (a)",
    ] {
        let told = client.query(sql);
        assert!(
            told.iter().any(|message| message.starts_with("E ERROR 57014")),
            "{sql}: {told:?}"
        );
    }
    client.query("SET statement_timeout = 0");
    let left = "SELECT (SELECT count(*) FROM kept), to_regclass('made'), to_regclass('big_a')";
    assert!(
        client.query(left).contains(&"D 0 | NULL | NULL".to_owned()),
        "{:?}",
        client.query(left)
    );
}

#[test]
fn texts_within_texts_are_counted() {
    let options = Options {
        memory: 64 << 20,
        ..Options::default()
    };
    let server = TestServer::with("", options);
    let mut client = server.client();
    let told = client.query("SELECT length(repeat(repeat('x', 10000000), 3))");
    assert!(
        told.iter().any(|message| message.starts_with("E ERROR 53200")),
        "{told:?}"
    );
    assert!(
        client
            .query("SELECT length(repeat(repeat('x', 1000000), 3))")
            .contains(&"D 3000000".to_owned())
    );
}
