//! A statement outside of transactions that ends with an error has done nothing, whenever the error comes: what PostgreSQL can
//! be compared in stands in `tests/sqllogictest/undone.slt`, what the protocol adds in `tests/wire/undone.pt`.

use std::time::{Duration, Instant};

use super::{
    data::with,
    harness::TestServer,
    life::cancel,
    raw::{Client, client_message, frame, string},
};

/// Values that another program has written and no client can be shown.
const BROKEN: &str = "CREATE TABLE pr(a INTEGER PRIMARY KEY, b TEXT, d DATE); \
     INSERT INTO pr VALUES (1, 'x', '2024-01-01'), (2, CAST(x'ff41' AS TEXT), 'notadate')";

fn check(server: &TestServer, client: &mut Client, messages: &[String], code: &str) {
    let bytes: Vec<u8> = messages.iter().flat_map(|line| client_message(line)).collect();
    client.send(&bytes);
    let told = client.until_ready();
    let refused = format!("E ERROR {code}");
    let ending = (&told[told.len() - 2], &told[told.len() - 1]);
    assert!(
        ending.0.starts_with(&refused) && ending.1 == "Z I",
        "{messages:?}: {told:?}"
    );
    let file = rusqlite::Connection::open(server.folder.path().join("test.db")).unwrap();
    let sql = "SELECT count(*) FROM pr WHERE a < 3 AND d IN ('2024-01-01', 'notadate')";
    let left: i64 = file.query_row(sql, [], |row| row.get(0)).unwrap();
    assert_eq!(left, 2, "{messages:?}");
    // Nobody is kept from writing either: who writes is free to begin at once, and to end as soon as the server's own look at the
    // schema, which may be reading just then, is over.
    file.execute_batch("PRAGMA busy_timeout = 0; BEGIN IMMEDIATE; ROLLBACK")
        .unwrap();
    file.execute_batch("PRAGMA busy_timeout = 2000; CREATE TABLE free(a); DROP TABLE free")
        .unwrap();
}

#[test]
fn rows_that_cannot_be_shown_are_not_written() {
    let server = with(BROKEN);
    let mut client = server.client();
    for sql in [
        "DELETE FROM pr RETURNING b",
        "UPDATE pr SET d = NULL RETURNING a, b",
        "INSERT INTO pr SELECT a + 10, b FROM pr RETURNING b",
        "WITH gone AS (DELETE FROM pr RETURNING *) SELECT b FROM gone",
    ] {
        check(&server, &mut client, &[format!("Query {sql}")], "22021");
        let copied = format!("Query COPY ({sql}) TO STDOUT");
        check(&server, &mut client, &[copied], "22021");
        for format in ["0", "1"] {
            let messages = [
                format!("Parse | {sql}"),
                format!("Bind | | | {format}"),
                "Execute |".to_owned(),
                "Sync".to_owned(),
            ];
            check(&server, &mut client, &messages, "22021");
        }
    }
    for sql in [
        "DELETE FROM pr RETURNING d",
        "UPDATE pr SET b = 'y' RETURNING d",
        "WITH gone AS (DELETE FROM pr RETURNING *) SELECT d FROM gone",
    ] {
        let messages = [
            format!("Parse | {sql}"),
            "Bind | | | 1".to_owned(),
            "Execute |".to_owned(),
            "Sync".to_owned(),
        ];
        let bytes: Vec<u8> = messages.iter().flat_map(|line| client_message(line)).collect();
        client.send(&bytes);
        let told = client.until_ready();
        let refused = told.iter().any(|line| line.starts_with("E ERROR 22"));
        // Once the values are known, the column is one of texts, which can be shown.
        let shown = told.contains(&"D notadate".to_owned());
        assert!(refused != shown, "{messages:?}: {told:?}");
        let file = rusqlite::Connection::open(server.folder.path().join("test.db")).unwrap();
        let same = "SELECT count(*) FROM pr WHERE a < 3 AND d IS NOT NULL AND b IS NOT 'y'";
        let left: i64 = file.query_row(same, [], |row| row.get(0)).unwrap();
        assert_eq!(left, if refused { 2 } else { 0 }, "{messages:?}");
        if shown {
            file.execute_batch("DROP TABLE pr").unwrap();
            file.execute_batch(BROKEN).unwrap();
        }
    }
}

#[test]
fn what_is_cancelled_is_not_written() {
    let server = with(BROKEN);
    let mut client = server.client();
    let sql =
        "WITH gone AS (DELETE FROM pr RETURNING a) SELECT CASE WHEN a > 1 THEN pg_sleep(600) END FROM gone";
    for again in [false, true] {
        let begun = Instant::now();
        client.send(&frame(b'Q', &string(sql)));
        std::thread::sleep(Duration::from_millis(300));
        cancel(&server, &client, false);
        let told = client.until_ready();
        assert!(
            told[told.len() - 2].starts_with("E ERROR 57014"),
            "{told:?}, again: {again}"
        );
        assert!(begun.elapsed() < Duration::from_secs(60));
        assert_eq!(client.query("SELECT count(*) FROM pr")[1], "D 2");
    }
}

#[test]
fn who_does_not_read_the_rows_of_a_write_ends_it() {
    let server = with("CREATE TABLE wide(a INTEGER PRIMARY KEY, b TEXT)");
    let mut client = server.client();
    client.query("INSERT INTO wide SELECT i, repeat('x', 10000) FROM generate_series(1, 3000) AS i");
    client.query("SET statement_timeout = '1s'");
    client.send(&frame(b'Q', &string("DELETE FROM wide RETURNING b")));
    // Thirty megabytes fill what lies between.
    std::thread::sleep(Duration::from_secs(3));
    let mut other = server.client();
    assert_eq!(other.query("SELECT count(*) FROM wide")[1], "D 3000");
    assert_eq!(other.query("INSERT INTO wide VALUES (0)")[0], "C INSERT 0 1");
    let told = client.until_ready();
    assert!(told[told.len() - 2].starts_with("E ERROR 57014"));
    assert_eq!(client.query("SELECT count(*) FROM wide")[1], "D 3001");
}

#[test]
fn what_stands_alone_is_committed_before_it_is_told_to_be() {
    let server = with("CREATE TABLE t(a INTEGER PRIMARY KEY)");
    let mut client = server.client();
    let file = rusqlite::Connection::open(server.folder.path().join("test.db")).unwrap();
    let mut expected = 0;
    for number in 0..50 {
        let sql = match number % 3 {
            0 => "INSERT INTO t DEFAULT VALUES RETURNING a",
            1 => "WITH new AS (INSERT INTO t DEFAULT VALUES RETURNING a) SELECT a FROM new",
            _ => "INSERT INTO t DEFAULT VALUES",
        };
        client.send(&frame(b'Q', &string(sql)));
        while !client.next().starts_with("C ") {}
        expected += 1;
        let count: i64 = file
            .query_row("SELECT count(*) FROM t", [], |row| row.get(0))
            .unwrap();
        assert_eq!(count, expected, "{sql}");
        assert_eq!(client.next(), "Z I");
    }
}

#[test]
fn a_write_around_an_answer_is_undone_too() {
    let server = TestServer::configured("mode = \"embedded\"\nallow_in_writes = true\n");
    let mut client = server.client();
    client.query("CREATE TABLE kept(n bigint)");
    let write = |returning: &str| {
        format!("INSERT INTO kept SELECT * FROM nl('how many customers are there') RETURNING {returning}")
    };
    // The setting is looked at once all rows are there.
    let told = client.query(&write("n, set_config('statement_timeout', 'nonsense', false)"));
    assert!(told[told.len() - 2].starts_with("E ERROR 22023"), "{told:?}");
    assert_eq!(client.query("SELECT count(*) FROM kept")[1], "D 0");
    let told = client.query(&write("n"));
    assert_eq!(told[told.len() - 2..], ["C INSERT 0 1", "Z I"], "{told:?}");
    assert_eq!(client.query("SELECT count(*) FROM kept")[1], "D 1");
}
