//! Questions where nothing can keep them from writing, among the client's own statements: what they read is looked at
//! on the server, so that it does not matter when somebody changes it.

use std::time::Duration;

use super::harness::Relay;
use crate::server::raw::{Client, client_message};

/// A table that is replaced by a view which writes.
const TABLE: &str = "CREATE TABLE log(line text); CREATE TABLE traps(caught int); \
    CREATE FUNCTION spy() RETURNS int LANGUAGE sql VOLATILE AS $$ INSERT INTO log VALUES ('x') RETURNING 1 $$";
const REPLACE: &str = "DROP TABLE traps; CREATE VIEW traps AS SELECT spy() AS caught";
const RESTORE: &str = "DROP VIEW IF EXISTS traps; CREATE TABLE IF NOT EXISTS traps(caught int)";
const COUNT: &str = "-- nl: how many traps are there?";

fn send(client: &mut Client, messages: &[&str]) {
    let bytes: Vec<u8> = messages
        .iter()
        .flat_map(|message| client_message(&message.replace("{Q}", COUNT)))
        .collect();
    client.send(&bytes);
}

/// Messages up to and including one of this type.
fn until(client: &mut Client, tag: char) -> Vec<String> {
    let mut told = vec![];
    loop {
        told.push(client.next());
        if told.last().is_some_and(|last| last.starts_with(tag)) {
            return told;
        }
    }
}

#[test]
fn what_the_server_passes_over_is_not_told_of() {
    let Some(relay) = Relay::start() else { return };
    relay.direct().query(TABLE);
    let mut client = relay.client();
    let notice = |line: &String| line.starts_with("N NOTICE");
    let told = client.query(COUNT);
    assert!(notice(&told[0]), "{told:?}");
    let run = ["Parse | {Q}", "Bind | |", "Execute", "Sync"];
    for before in [
        &["Parse | SELECT nope"][..],
        &["Execute nowhere"],
        &["Parse | SELECT 1 / (SELECT 0)", "Bind | |", "Execute"],
    ] {
        for question in [&run[..], &["Query {Q}", "Sync"]] {
            send(&mut client, &[before, question].concat());
            let told = client.until_ready();
            assert!(told.iter().any(|line| line.starts_with("E ERROR")), "{told:?}");
            assert!(!told.iter().any(notice), "{before:?} {question:?}: {told:?}");
            // It was not put off either.
            assert!(!client.query("SELECT 1").iter().any(notice), "{before:?}");
        }
    }
    // Where the server comes to it, it is told in its place.
    send(
        &mut client,
        &[&["Parse | SELECT 1", "Bind | |", "Execute"][..], &run].concat(),
    );
    let told = client.until_ready();
    assert_eq!(told.iter().position(notice), Some(4), "{told:?}");
    assert_eq!(told[7..], ["D 0", "C SELECT 1", "Z I"], "{told:?}");
}

#[test]
fn what_is_replaced_before_it_runs_in_a_pipeline_does_not_write() {
    let Some(relay) = Relay::start() else { return };
    let mut admin = relay.direct();
    admin.query(TABLE);
    let sql = ["Parse | SELECT 1", "Bind | |", "Execute"];
    for (way, before, behind) in [
        (
            "asked behind Flush",
            &sql[..],
            &["Parse | {Q}", "Bind | |", "Execute", "Sync"][..],
        ),
        (
            "asked behind Flush, and more follows",
            &sql[..],
            &["Parse | {Q}", "Bind | |", "Execute", "Parse | SELECT 2", "Sync"],
        ),
        (
            "prepared before",
            &["Parse s | {Q}", "Sync", "Parse | SELECT 1", "Bind | |", "Execute"],
            &["Bind | s |", "Execute", "Sync"],
        ),
        ("a Query behind Flush", &sql[..], &["Query {Q}"]),
    ] {
        for replaced in [false, true] {
            admin.query(RESTORE);
            let mut client = relay.client();
            assert_eq!(client.query(COUNT)[2], "D 0", "{way}");
            send(&mut client, before);
            send(&mut client, &["Flush"]);
            until(&mut client, 'C');
            if replaced {
                let told = admin.query(REPLACE);
                assert_eq!(told[1], "C CREATE VIEW", "{told:?}");
            }
            send(&mut client, behind);
            let told = client.until_ready();
            let refused = told.iter().any(|line| line.starts_with("E ERROR 0A000"));
            assert_eq!(refused, replaced, "{way}: {told:?}");
            let rows: Vec<_> = told.iter().filter(|line| line.starts_with("D ")).collect();
            assert_eq!(rows == ["D 0"], !replaced, "{way}: {told:?}");
            assert_eq!(admin.query("SELECT count(*) FROM log")[1], "D 0", "{way}");
        }
    }
}

#[test]
fn what_is_replaced_while_a_string_runs_does_not_write() {
    let Some(relay) = Relay::start() else { return };
    let mut admin = relay.direct();
    admin.query(TABLE);
    let ways = [
        "INSERT INTO notes(body) VALUES ('1'); SELECT pg_sleep(1); {Q}\n; INSERT INTO notes(body) VALUES ('2')",
        "BEGIN; SELECT pg_sleep(1); DECLARE k CURSOR WITH HOLD FOR SELECT * FROM nl('how many traps are there?'); COMMIT",
    ];
    for way in ways {
        for replaced in [false, true] {
            admin.query(RESTORE);
            let mut client = relay.client();
            assert_eq!(client.query(COUNT)[2], "D 0");
            send(&mut client, &[&format!("Query {}", way.replace('\n', "\\n"))]);
            if replaced {
                let sleeps = "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'PgSleep'";
                while admin.query(sleeps)[1] == "D 0" {
                    std::thread::sleep(Duration::from_millis(10));
                }
                assert_eq!(admin.query(REPLACE)[1], "C CREATE VIEW");
            }
            let told = client.until_ready();
            let refused = told.iter().any(|line| line.starts_with("E ERROR 0A000"));
            assert_eq!(refused, replaced, "{way}: {told:?}");
            assert_eq!(admin.query("SELECT count(*) FROM log")[1], "D 0", "{way}");
        }
    }
}

#[test]
fn how_an_execute_is_guarded_does_not_depend_on_packets() {
    let Some(relay) = Relay::start() else { return };
    let mut admin = relay.direct();
    admin.query("CREATE VIEW seen AS SELECT id FROM orders");
    let mut client = relay.client();
    send(
        &mut client,
        &["Parse s | -- nl: how many seen are there?", "Sync"],
    );
    client.until_ready();
    for messages in [
        &["Bind | s |", "Execute", "Sync"][..],
        &["Bind | s |", "Execute | 1", "Execute | 1", "Sync"],
    ] {
        let bytes: Vec<u8> = messages
            .iter()
            .flat_map(|message| client_message(message))
            .collect();
        for cut in 1..bytes.len() {
            let (first, rest) = bytes.split_at(cut);
            client.send(first);
            // Long enough for most to be read by itself.
            std::thread::sleep(Duration::from_millis(5));
            client.send(rest);
            let told = client.until_ready();
            assert!(
                told.contains(&"D 3".to_owned()),
                "{messages:?} cut at {cut}: {told:?}"
            );
        }
    }
}

#[test]
fn notices_stand_between_messages() {
    let Some(relay) = Relay::start() else { return };
    let mut client = relay.client();
    client.query("-- nl: how many orders are there?");
    // A value that comes in many pieces, and a question that is read meanwhile.
    for _ in 0..3 {
        send(
            &mut client,
            &[
                "Parse | SELECT repeat('x', 30000000)",
                "Bind | |",
                "Execute",
                "Flush",
            ],
        );
        std::thread::sleep(Duration::from_millis(150));
        send(
            &mut client,
            &[
                "Parse | -- nl: how many orders are there?",
                "Bind | |",
                "Execute",
                "Sync",
            ],
        );
        let told = client.until_ready();
        let kinds: String = told.iter().filter_map(|line| line.chars().next()).collect();
        assert!(told.contains(&"D 3".to_owned()), "{kinds}");
        assert!(
            told.iter()
                .any(|line| line.starts_with("N ") && line.contains("nl:")),
            "{kinds}"
        );
    }
}

/// Another schema with a table of the same name, and a role that may read both.
const OTHER: &str = "CREATE SCHEMA other; CREATE TABLE other.orders AS SELECT * FROM orders LIMIT 1; \
    CREATE ROLE guest; GRANT USAGE ON SCHEMA other TO guest; GRANT SELECT ON orders, customers, other.orders TO guest";
const ORDERS: &str = "-- nl: how many orders are there?";

/// Whether a question was refused for what stands before it; if not, it has its answer.
fn is_refused(told: &[String]) -> bool {
    let refused = told.iter().any(|line| line.starts_with("E ERROR 0A000"));
    let answered = told.contains(&"D 3".to_owned());
    assert!(
        refused != answered && !told.contains(&"D 1".to_owned()),
        "{told:?}"
    );
    refused
}

#[test]
fn what_changes_the_session_ahead_of_a_question_in_its_pipeline_is_seen() {
    let Some(relay) = Relay::start() else { return };
    let mut admin = relay.direct();
    admin.query(OTHER);
    let question = format!("Parse | {ORDERS}");
    let query = format!("Query {ORDERS}");
    let prepared = format!("Parse q | {ORDERS}");
    for (change, reads, finds) in [
        ("SELECT", false, false),
        ("SET client_encoding = 'UTF8'", false, false),
        ("INSERT INTO notes(body) VALUES ('1')", false, false),
        ("CREATE TEMP TABLE made(id int)", false, false),
        ("SET client_encoding = 'SJIS'", true, false),
        ("SET NAMES 'LATIN1'", true, false),
        ("SELECT set_config('client_encoding', 'BIG5', false)", true, false),
        (
            "DO $$ BEGIN PERFORM set_config('client_encoding', 'GBK', false); END $$",
            true,
            false,
        ),
        ("SET standard_conforming_strings = off", true, false),
        ("SET search_path = other, public", true, true),
        ("SET SESSION AUTHORIZATION guest", true, true),
        ("SET ROLE guest", true, true),
        ("CREATE TEMP TABLE orders AS SELECT 1 AS id", true, true),
    ] {
        let change = format!("Parse | {change}");
        let run = [change.as_str(), "Bind | |", "Execute"];
        let ways: [(&str, &[&str], &[&str], bool); 4] = [
            (
                "asked behind it",
                &[],
                &[&question, "Bind | |", "Execute", "Sync"],
                reads,
            ),
            (
                "asked behind Flush",
                &["Flush"],
                &[&question, "Bind | |", "Execute", "Sync"],
                reads,
            ),
            ("a Query", &[], &[&query], reads),
            ("prepared before", &[], &["Bind | q |", "Execute", "Sync"], finds),
        ];
        for (way, between, behind, expected) in ways {
            let mut client = relay.client();
            send(&mut client, &[&prepared, "Bind | q |", "Execute", "Sync"]);
            assert!(!is_refused(&client.until_ready()));
            send(&mut client, &[&run, between].concat());
            if !between.is_empty() {
                until(&mut client, 'C');
            }
            send(&mut client, behind);
            let told = client.until_ready();
            // What was prepared in an earlier pipeline is to be prepared again.
            let again = told.iter().any(|line| line.starts_with("E ERROR 26000"));
            let refused = again || is_refused(&told);
            assert_eq!(refused, expected, "{change}, {way}: {told:?}");
        }
    }
}

#[test]
fn settings_that_come_back_ahead_of_a_question_are_seen() {
    let Some(relay) = Relay::start() else { return };
    let mut client = relay.client();
    client
        .query("BEGIN; SET LOCAL client_encoding = 'SJIS'; SAVEPOINT a; SET LOCAL client_encoding = 'UTF8'");
    let question = format!("Parse | {ORDERS}");
    let back = ["Parse | ROLLBACK TO a", "Bind | |", "Execute"];
    send(
        &mut client,
        &[&back[..], &[&question, "Bind | |", "Execute", "Sync"]].concat(),
    );
    assert!(is_refused(&client.until_ready()));
}

#[test]
fn what_changes_the_session_ahead_of_a_question_in_its_message_is_seen() {
    let Some(relay) = Relay::start() else { return };
    let mut admin = relay.direct();
    admin.query(OTHER);
    let forms = [
        "{C}; -- nl: how many orders are there?",
        "{C}; SELECT * FROM nl('how many orders are there?')",
        "{C}; SELECT * FROM nl('how many orders are there?'); SELECT 2",
        "BEGIN; {C}; SELECT * FROM nl('how many orders are there?'); ROLLBACK",
        "{C}; PREPARE p AS SELECT * FROM nl('how many orders are there?'); EXECUTE p",
        "PREPARE p AS SELECT * FROM nl('how many orders are there?'); {C}; EXECUTE p",
    ];
    for (change, expected) in [
        ("SELECT", false),
        ("SHOW search_path", false),
        ("INSERT INTO notes(body) VALUES ('1')", false),
        ("CREATE TEMP TABLE made(id int)", false),
        ("SET search_path = other, public", true),
        ("SET LOCAL search_path = other, public", true),
        ("SELECT set_config('search_path', 'other, public', true)", true),
        (
            "DO $$ BEGIN PERFORM set_config('search_path', 'other, public', false); END $$",
            true,
        ),
        (
            "SELECT set_config('search_path', 'other, public', false) FROM nl('how many customers are there?')",
            true,
        ),
        ("SET SESSION AUTHORIZATION guest", true),
        ("SET ROLE guest", true),
        ("CREATE TEMP TABLE orders AS SELECT 1 AS id", true),
        (
            "ALTER TABLE orders RENAME TO gone; ALTER TABLE other.orders SET SCHEMA public",
            true,
        ),
    ] {
        for form in forms {
            let mut client = relay.client();
            let told = client.query(&form.replace("{C}", change));
            assert_eq!(is_refused(&told), expected, "{change}, {form}: {told:?}");
        }
    }
    // Whose rights a policy looks at may change while the role stays.
    let mut client = relay.client();
    client.query("SET ROLE guest");
    let told = client.query(&format!("SET SESSION AUTHORIZATION guest; {ORDERS}"));
    assert!(is_refused(&told), "{told:?}");
    // What a message ends brings back what was there before it.
    client.query("RESET SESSION AUTHORIZATION; SET search_path = other, public");
    client.query("BEGIN; SET LOCAL search_path = public");
    let told = client.query(&format!("ROLLBACK; {ORDERS}"));
    assert!(is_refused(&told), "{told:?}");
}
