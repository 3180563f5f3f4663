//! Names of prepared statements and of cursors that are a question's: what a name is, the server's answers decide.

use super::harness::Relay;
use crate::server::raw::{Client, client_message};

/// A question that reads a view which writes once it is armed, and what shows whether it has.
const TRAP: &str = "
    CREATE TABLE log(line text);
    CREATE FUNCTION spy() RETURNS int LANGUAGE sql VOLATILE AS $$ INSERT INTO log VALUES ('x') RETURNING 1 $$;
    CREATE FUNCTION runs(text, bool, bool, text) RETURNS xml LANGUAGE internal STABLE STRICT AS 'query_to_xml';
    CREATE VIEW trap AS SELECT g AS caught FROM generate_series(1, 2) g WHERE runs(
        'SELECT CASE WHEN current_setting(''trap.armed'', true) = ''on'' THEN public.spy() END', true, false, '') IS NOT NULL";

const ARM: &str = "SET trap.armed = on";

/// The two forms of a question that is all of a query.
const FORMS: [&str; 2] = [
    "SELECT * FROM nl('how many traps are there?')",
    "-- nl: how many traps are there?",
];

fn hold(client: &mut Client, messages: &[&str], form: &str) -> Vec<String> {
    let mut told = vec![];
    for part in messages.split_inclusive(|message| message.starts_with("Query") || *message == "Sync") {
        let bytes: Vec<u8> = part
            .iter()
            .flat_map(|message| {
                let message = message.replace("{Q}", FORMS[1]).replace("{A}", form);
                client_message(&message)
            })
            .collect();
        client.send(&bytes);
        if part
            .last()
            .is_some_and(|last| last.starts_with("Query") || *last == "Sync")
        {
            told.extend(client.until_ready());
        }
    }
    told
}

#[test]
fn a_name_stays_a_questions_until_the_server_has_changed_it() {
    let Some(relay) = Relay::start() else { return };
    let mut admin = relay.direct();
    admin.query(TRAP);
    let ways: &[(&str, &[&str])] = &[
        (
            "a name that is taken",
            &[
                "Parse s | {Q}",
                "Sync",
                "Parse s | INSERT INTO notes(body) VALUES ('z')",
                "Sync",
                "Bind | s |",
                "Execute",
                "Sync",
            ],
        ),
        (
            "a Parse that does not parse",
            &[
                "Parse s | {Q}",
                "Sync",
                "Parse s | SELEC",
                "Sync",
                "Bind | s |",
                "Execute",
                "Sync",
            ],
        ),
        (
            "a Close that the server passes over",
            &[
                "Parse s | {Q}",
                "Sync",
                "Parse | SELEC",
                "CloseStatement s",
                "Sync",
                "Bind | s |",
                "Execute",
                "Sync",
            ],
        ),
        (
            "PREPARE of a name that is taken",
            &[
                "Query PREPARE p AS {A}",
                "Query PREPARE p AS INSERT INTO notes(body) VALUES ('z')",
                "Query EXECUTE p",
            ],
        ),
        (
            "DEALLOCATE behind an error",
            &[
                "Query PREPARE p AS {A}",
                "Query SELECT 1/0; DEALLOCATE p",
                "Query EXECUTE p",
            ],
        ),
        (
            "DEALLOCATE that is prepared and does not run",
            &[
                "Query PREPARE p AS {A}",
                "Parse | DEALLOCATE p",
                "Sync",
                "Query EXECUTE p",
            ],
        ),
        (
            "EXECUTE that is prepared before its name is a question's",
            &[
                "Query PREPARE p AS SELECT 1",
                "Parse e | EXECUTE p",
                "Sync",
                "Query DEALLOCATE p",
                "Query PREPARE p AS {A}",
                "Bind | e |",
                "Execute",
                "Sync",
            ],
        ),
        (
            "DECLARE that is prepared outside the transaction",
            &[
                "Parse d | DECLARE k CURSOR FOR {A}",
                "Sync",
                "Query BEGIN",
                "Bind | d |",
                "Execute",
                "Sync",
                "Query FETCH k",
                "Query ROLLBACK",
            ],
        ),
        (
            "a cursor of a name that is taken",
            &[
                "Query BEGIN",
                "Query DECLARE k CURSOR FOR {A}",
                "Query SAVEPOINT a",
                "Query DECLARE k CURSOR FOR SELECT 1",
                "Query ROLLBACK TO a",
                "Query FETCH k",
                "Query ROLLBACK",
            ],
        ),
        (
            "a cursor that outlives its transaction",
            &[
                "Query BEGIN",
                "Query SET LOCAL trap.armed = on",
                "Query DECLARE k CURSOR WITH HOLD FOR {A}",
                "Query COMMIT",
                "Query FETCH k",
            ],
        ),
        (
            "CLOSE behind an error",
            &[
                "Query BEGIN",
                "Query DECLARE k CURSOR FOR {A}",
                "Query SAVEPOINT a",
                "Query SELECT 1/0; CLOSE k",
                "Query ROLLBACK TO a",
                "Query FETCH k",
                "Query ROLLBACK",
            ],
        ),
    ];
    for (form, (way, messages)) in FORMS
        .iter()
        .flat_map(|form| ways.iter().map(move |way| (form, way)))
    {
        let mut client = relay.client();
        let runs = messages
            .iter()
            .rposition(|message| {
                ["Bind", "Query EXECUTE", "Query FETCH"]
                    .iter()
                    .any(|start| message.starts_with(start))
            })
            .unwrap();
        let (before, behind) = messages.split_at(runs);
        hold(&mut client, before, form);
        client.query(ARM);
        let told = hold(&mut client, behind, form);
        let stopped = told.iter().any(|line| {
            ["25006", "0A000", "34000"]
                .iter()
                .any(|state| line.contains(state))
        });
        assert!(stopped, "{way} {form}: {told:?}");
        assert_eq!(admin.query("SELECT count(*) FROM log")[1], "D 0", "{way} {form}");
    }
}

#[test]
fn pipelines_that_follow_at_once_are_guarded() {
    let Some(relay) = Relay::start() else { return };
    let mut admin = relay.direct();
    admin.query(TRAP);
    let mut client = relay.client();
    // Whether there is a transaction is known once the server has answered what was sent before.
    let send = |client: &mut Client, messages: &[&str]| {
        let bytes: Vec<u8> = messages
            .iter()
            .flat_map(|message| client_message(&message.replace("{Q}", "-- nl: how many orders are there?")))
            .collect();
        client.send(&bytes);
        let answers = messages
            .iter()
            .filter(|message| message.starts_with("Query") || **message == "Sync")
            .count();
        (0..answers)
            .flat_map(|_| client.until_ready())
            .collect::<Vec<_>>()
    };
    send(&mut client, &["Parse s | {Q}", "Sync"]);
    let told = send(
        &mut client,
        &[
            "Query SELECT pg_sleep(0.2)",
            "Query BEGIN",
            "Bind | s |",
            "Execute",
            "Sync",
            "Query INSERT INTO notes(body) VALUES ('y')",
            "Query COMMIT",
            "Bind | s |",
            "Execute",
            "Sync",
        ],
    );
    assert!(told.iter().all(|line| !line.starts_with("E ")), "{told:?}");
    assert_eq!(told.iter().filter(|line| *line == "D 3").count(), 2, "{told:?}");
    // A portal of a later pipeline is not forgotten with those of an earlier one.
    let trap = "Parse t | -- nl: how many traps are there?";
    send(&mut client, &[trap, "Sync"]);
    client.query(ARM);
    client.send(&client_message("Query SELECT pg_sleep(0.3)"));
    client.send(&client_message("Bind | t |"));
    std::thread::sleep(std::time::Duration::from_millis(600));
    for message in ["Execute", "Sync"] {
        client.send(&client_message(message));
    }
    let told = [client.until_ready(), client.until_ready()].concat();
    assert!(told.iter().any(|line| line.contains("25006")), "{told:?}");
    assert_eq!(admin.query("SELECT count(*) FROM log")[1], "D 0");
}
