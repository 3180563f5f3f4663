//! Files that are locked, damaged, replaced or taken away while clients are connected.

use std::{
    fs,
    io::{Seek, SeekFrom, Write},
    time::Duration,
};

use querent::sqlite::engine::Options;

use super::{
    harness::{TestServer, create},
    raw::{Client, client_message},
};

const COUNT: &str = "-- nl: how many customers are there?";
const SELECT: &str = "SELECT count(*) AS n FROM customer";

/// Both ways to read the table end like this.
fn both(client: &mut Client, expected: &str) {
    for sql in [COUNT, SELECT] {
        let messages = client.query(sql);
        let told = messages
            .iter()
            .find(|message| message.starts_with("D ") || message.starts_with("E "));
        assert!(told.unwrap().starts_with(expected), "{sql}: {messages:?}");
    }
}

#[test]
fn a_locked_file_is_an_error_and_no_end() {
    let options = Options {
        busy_timeout: Duration::from_millis(200),
        ..Options::default()
    };
    let server = TestServer::with("", options);
    let mut client = server.client();
    both(&mut client, "D 3");
    let other = rusqlite::Connection::open(server.database.path()).unwrap();
    other.execute_batch("BEGIN EXCLUSIVE").unwrap();
    both(&mut client, "E ERROR 55P03");
    both(&mut server.client(), "E ERROR 55P03");
    other.execute_batch("ROLLBACK").unwrap();
    both(&mut client, "D 3");
}

#[test]
fn a_damaged_file_is_an_error_for_everyone() {
    let server = TestServer::start();
    let mut client = server.client();
    both(&mut client, "D 3");
    let mut file = fs::OpenOptions::new()
        .write(true)
        .open(server.database.path())
        .unwrap();
    let length = file.metadata().unwrap().len();
    file.seek(SeekFrom::Start(4096)).unwrap();
    file.write_all(&vec![0xcd; usize::try_from(length).unwrap() - 4096])
        .unwrap();
    let mut fresh = server.client();
    assert!(fresh.query(SELECT)[0].starts_with("E ERROR XX001"));
    assert!(fresh.query("SELECT * FROM orders")[0].starts_with("E ERROR XX001"));
    assert_eq!(fresh.query("SELECT 1 AS a")[1], "D 1");
    // Not even the header is left.
    file.rewind().unwrap();
    file.write_all(&[b'?'; 4096]).unwrap();
    both(&mut client, "E ERROR 58030");
    both(&mut server.client(), "E ERROR 58030");
}

#[test]
fn a_replaced_file_is_answered_from() {
    let server = TestServer::start();
    let path = server.database.path().to_owned();
    let new = server.folder.path().join("new.db");
    let mut client = server.client();
    both(&mut client, "D 3");
    create(&new, "CREATE TABLE customer(id INTEGER PRIMARY KEY); INSERT INTO customer VALUES (1);
                  CREATE TABLE plane(id INTEGER PRIMARY KEY, name TEXT); INSERT INTO plane VALUES (1, 'Spad');");
    fs::rename(&new, &path).unwrap();
    both(&mut client, "D 1");
    assert!(
        client
            .query("-- nl: how many planes are there?")
            .contains(&"D 1".to_owned())
    );
    // A transaction cannot go on in another file.
    client.query("BEGIN; DELETE FROM plane");
    create(&new, "CREATE TABLE customer(id INTEGER PRIMARY KEY);");
    fs::rename(&new, &path).unwrap();
    let refused = client.query(COUNT);
    assert_eq!(
        refused,
        [
            "E ERROR 55000 the database file was replaced while this session had it open @1",
            "Z E"
        ]
    );
    client.query("ROLLBACK");
    both(&mut client, "D 0");
    fs::write(&new, "these are notes, and no database").unwrap();
    fs::rename(&new, &path).unwrap();
    both(&mut client, "E ERROR 58030");
    fs::remove_file(&path).unwrap();
    both(&mut client, "E ERROR 58P01");
    fs::create_dir(&path).unwrap();
    both(&mut client, "E ERROR 58P01");
    fs::remove_dir(&path).unwrap();
    create(
        &path,
        "CREATE TABLE customer(id INTEGER PRIMARY KEY); INSERT INTO customer VALUES (1), (2);",
    );
    both(&mut client, "D 2");
}

/// Sends messages, each a line, and gives the answers up to `ReadyForQuery`.
fn converse(client: &mut Client, lines: &[&str]) -> Vec<String> {
    for line in lines {
        client.send(&client_message(line));
    }
    client.until_ready()
}

#[test]
fn a_write_that_is_only_prepared_holds_nobody_up() {
    let server = TestServer::start();
    let (mut one, mut other) = (server.client(), server.client());
    one.query("CREATE TABLE counted (n int)");
    one.query("INSERT INTO counted VALUES (0)");
    let more = "UPDATE counted SET n = n + 1";
    // Twice, so that what was remembered of the first transaction counts too.
    for round in 0..2 {
        one.query("BEGIN");
        let prepared = converse(&mut one, &[&format!("Parse s{round} | {more}"), "Sync"]);
        assert!(prepared[0].starts_with('1'), "{prepared:?}");
        // A client may be one thread that waits for the other.
        let there = other.query(more);
        assert!(there.iter().any(|message| message == "C UPDATE 1"), "{there:?}");
        let ran = converse(&mut one, &[&format!("Bind | s{round}"), "Execute", "Sync"]);
        assert!(ran.iter().any(|message| message == "C UPDATE 1"), "{ran:?}");
        one.query("COMMIT");
    }
    assert_eq!(other.query("SELECT n FROM counted")[1], "D 4");
    // What was deferred, and what a savepoint begins, stays as it is.
    one.query("BEGIN");
    one.query("SAVEPOINT s");
    converse(&mut one, &[&format!("Parse s2 | {more}"), "Sync"]);
    let back = one.query("ROLLBACK TO s");
    assert!(back.iter().any(|message| message == "C ROLLBACK"), "{back:?}");
    one.query("COMMIT");
}

#[test]
fn who_asks_is_told_that_a_file_is_only_read() {
    for (read_only, expected) in [(true, "D on"), (false, "D off")] {
        let options = Options {
            read_only,
            ..Options::default()
        };
        let server = TestServer::with("", options);
        let mut client = server.client();
        for sql in [
            "SHOW transaction_read_only",
            "SELECT current_setting('transaction_read_only')",
            "BEGIN",
            "SHOW transaction_read_only",
        ] {
            let told = client.query(sql);
            let rows: Vec<&String> = told.iter().filter(|message| message.starts_with("D ")).collect();
            assert!(rows.iter().all(|row| *row == expected), "{sql}: {told:?}");
            assert!(sql == "BEGIN" || rows.len() == 1, "{sql}: {told:?}");
        }
    }
}
