//! Where the audit is required: no question runs unrecorded, and plain SQL goes on.

use querent::service::store::StoreAddress;

use super::book::{PATIENCE, all, chain, wait_for};
use crate::{
    conversation::legs::{COUNT, each},
    postgres::server::{PostgresServer, SUPERUSER},
    program::{Place as Folder, refuses},
    server::harness::TestServer,
};

const REQUIRED: &str = "[audit]\nrequired = true\ntimeout = \"300ms\"\n[store]\npath = \"FOLDER/audit.db\"\n";

#[test]
fn a_question_waits_for_its_record() {
    each(REQUIRED, |leg| {
        let mut client = leg.client();
        let file = leg.folder().join("audit.db");
        assert_eq!(client.query(COUNT)[1], "D 3", "{}", leg.name);
        // It was there before the rows were.
        let runtime = tokio::runtime::Runtime::new().unwrap();
        let entries = runtime.block_on(all(&StoreAddress::File(file.clone())));
        assert_eq!(entries.len(), 1, "{}", leg.name);
        // Somebody else writes and does not stop.
        let other = rusqlite::Connection::open(&file).unwrap();
        other.execute_batch("BEGIN IMMEDIATE").unwrap();
        let told = client.query(COUNT);
        assert!(
            told[0].starts_with("E ERROR 58030 the question could not be recorded in time"),
            "{told:?}"
        );
        assert_eq!(client.query("SELECT 1")[1], "D 1", "plain SQL goes on");
        other.execute_batch("ROLLBACK").unwrap();
        drop(other);
        let begun = std::time::Instant::now();
        while client.query(COUNT)[1] != "D 3" {
            assert!(begun.elapsed() < PATIENCE, "{}", leg.name);
        }
        // The question that did not run is known not to have.
        let entries = wait_for(&file, |entries| {
            entries.len() >= 3 && entries.iter().all(|entry| entry.outcome.is_some())
        });
        assert_eq!(entries[1].outcome.as_deref(), Some("failed"), "{}", leg.name);
        assert_eq!(
            (entries[1].sqlstate.as_deref(), entries[1].rows),
            (Some("58030"), Some(0))
        );
        assert_eq!(entries.last().unwrap().outcome.as_deref(), Some("ok"));
    });
}

#[test]
fn a_server_that_is_gone_refuses_questions_until_it_is_back() {
    let Some(mut postgres) = PostgresServer::start() else {
        return;
    };
    let address = postgres.address(SUPERUSER, "postgres");
    let toml = format!("[audit]\nrequired = true\ntimeout = \"10s\"\n[store]\nurl = \"{address}\"\n");
    let server = TestServer::configured(&toml);
    let mut client = server.client();
    client.query("SET querent.notices = off");
    let count = "-- nl: how many customers are there?";
    assert_eq!(client.query(count)[1], "D 3");
    postgres.stop();
    let told = client.query(count);
    assert!(
        told[0].starts_with("E ERROR 58030 the question cannot be recorded"),
        "{told:?}"
    );
    assert!(
        !told[0].contains("postgres"),
        "where the store is, is not the client's business: {told:?}"
    );
    assert_eq!(client.query("SELECT 1")[1], "D 1", "plain SQL goes on");
    postgres.start_again();
    let begun = std::time::Instant::now();
    while client.query(count)[1] != "D 3" {
        assert!(begun.elapsed() < PATIENCE);
    }
    let place = StoreAddress::Server(Box::new(address.parse().unwrap()));
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let verdict = runtime.block_on(chain(&place));
    assert_eq!(verdict.broken, None);
    assert!(runtime.block_on(all(&place)).len() >= 3);
}

#[test]
fn nothing_starts_without_its_store() {
    let place = Folder::new();
    let serve = [
        "serve",
        "sqlite:pets.db",
        "--listen",
        "127.0.0.1:0",
        "--console",
        "off",
    ];
    place.write(
        "querent.toml",
        "[audit]\nrequired = true\n[store]\npath = \"pets.db/no/querent.db\"\n",
    );
    refuses(
        &place,
        &serve,
        1,
        &["cannot record questions", "pets.db/no/querent.db", "store.path"],
    );
    place.write(
        "querent.toml",
        "[audit]\nrequired = true\n[store]\nurl = \"postgres://ann:hunter2@127.0.0.1:1/x\"\n",
    );
    refuses(&place, &serve, 1, &["cannot record questions", "127.0.0.1:1"]);
    assert!(!place.run(&serve).err.contains("hunter2"));
    let check = place.run(&["check", "sqlite:pets.db"]);
    assert!(
        check.code == 1 && check.err.contains("the store postgres://ann:"),
        "{}",
        check.err
    );
    assert!(!check.err.contains("hunter2"), "{}", check.err);
    place.write(
        "querent.toml",
        "[audit]\nrequired = true\n[store]\nurl = \"postgres://127.0.0.1:1/x\"\n",
    );
    refuses(&place, &serve, 1, &["names no user"]);
    // A client could write to it, required or not.
    place.write("querent.toml", "[store]\npath = \"./pets.db\"\n");
    refuses(
        &place,
        &serve,
        1,
        &["the database that is served", "a file of its own"],
    );
}

#[test]
fn settings_count_from_the_next_question_on() {
    each("[store]\npath = \"FOLDER/audit.db\"\n", |leg| {
        let mut client = leg.client();
        let file = leg.folder().join("audit.db");
        client.query(COUNT);
        wait_for(&file, |entries| entries.len() == 1);
        leg.reload("[audit]\nenabled = false\n[store]\npath = \"FOLDER/audit.db\"\n")
            .unwrap();
        client.query(COUNT);
        leg.reload(REQUIRED).unwrap();
        client.query(COUNT);
        let entries = wait_for(&file, |entries| entries.len() == 2);
        assert_eq!(entries[1].question, entries[0].question, "{}", leg.name);
    });
}
