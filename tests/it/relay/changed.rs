//! What others make of the database while a question is answered, and what they have put into it before.

use std::{thread::sleep, time::Duration};

use super::harness::Relay;
use crate::server::raw::{Client, client_message};

/// A function that tells that it ran, in a way that a rollback takes back, and one that stays.
const EVIL: &str = "
    CREATE TABLE ran(who text);
    GRANT ALL ON ran TO public;
    CREATE FUNCTION evil() RETURNS int LANGUAGE plpgsql AS
        $$ BEGIN PERFORM pg_advisory_lock(4242); INSERT INTO ran VALUES (current_user); RETURN 1; END $$;
    CREATE FUNCTION mild() RETURNS int LANGUAGE sql IMMUTABLE AS 'SELECT public.evil()';
    CREATE TABLE things(id int PRIMARY KEY, thing text);
    INSERT INTO things VALUES (1, 'x')";

/// The swap that somebody waits with until the question waits for it.
const SWAP: &str =
    "BEGIN; DROP TABLE things; CREATE VIEW things AS SELECT evil() AS id, mild()::text AS thing";

fn set_up() -> Option<(Relay, Client)> {
    let relay = Relay::start()?;
    let mut admin = relay.direct();
    let made = admin.query(EVIL);
    assert_eq!(made.last().unwrap(), "Z I", "{made:?}");
    Some((relay, admin))
}

/// How many locks of the function's there are, and how many rows.
fn traces(admin: &mut Client) -> Vec<String> {
    admin.query(
        "SELECT (SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'), (SELECT count(*) FROM ran)",
    )
}

fn untouched(admin: &mut Client, about: &str) {
    let told = traces(admin);
    assert!(told.contains(&"D 0 | 0".to_owned()), "{about}: {told:?}");
}

#[test]
fn what_is_replaced_meanwhile_is_not_read() {
    let Some((relay, mut admin)) = set_up() else {
        return;
    };
    let ways: [(&str, Vec<&str>); 4] = [
        ("alone", vec!["Query -- nl: how many things are there?"]),
        (
            "in a transaction",
            vec!["Query BEGIN", "Query -- nl: how many things are there?"],
        ),
        (
            "in one that sees what was there",
            vec![
                "Query BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT 1",
                "Query -- nl: how many things are there?",
            ],
        ),
        (
            "prepared",
            vec![
                "Parse q | -- nl: how many things are there?",
                "Bind | q |",
                "Execute",
                "Sync",
            ],
        ),
    ];
    for (about, messages) in ways {
        let mut client = relay.client();
        // It is known by then what there is, and what the question means.
        let told = client.query("-- nl: how many things are there?");
        assert!(told.contains(&"D 1".to_owned()), "{about}: {told:?}");
        let (first, last) = messages.split_at(usize::from(messages.len() == 2));
        for message in first {
            client.send(&client_message(message));
            client.until_ready();
        }
        admin.query(SWAP);
        let bytes: Vec<u8> = last.iter().flat_map(|message| client_message(message)).collect();
        client.send(&bytes);
        sleep(Duration::from_millis(500));
        admin.query("COMMIT");
        let told = client.until_ready();
        assert!(
            told.iter().any(|line| line.starts_with("E ")),
            "{about}: {told:?}"
        );
        assert!(
            !told.iter().any(|line| line.starts_with("D ")),
            "{about}: {told:?}"
        );
        untouched(&mut admin, about);
        admin.query("DROP VIEW things; CREATE TABLE things(id int PRIMARY KEY, thing text); INSERT INTO things VALUES (1, 'x')");
    }
}

#[test]
fn tables_that_are_emptied_meanwhile_change_nothing() {
    let Some((relay, mut admin)) = set_up() else {
        return;
    };
    let mut client = relay.client();
    let told = client.query("-- nl: how many things are there?");
    assert!(told.contains(&"D 1".to_owned()), "{told:?}");
    admin.query("BEGIN; LOCK TABLE things");
    client.send(&client_message("Query -- nl: how many things are there?"));
    sleep(Duration::from_millis(500));
    let emptied = relay
        .direct()
        .query("TRUNCATE orders; TRUNCATE notes RESTART IDENTITY");
    assert_eq!(emptied.last().unwrap(), "Z I", "{emptied:?}");
    admin.query("COMMIT");
    let told = client.until_ready();
    assert!(told.contains(&"D 1".to_owned()), "{told:?}");
}

#[test]
fn what_a_question_may_not_read_is_not_looked_at_either() {
    let Some((relay, mut admin)) = set_up() else {
        return;
    };
    let made = admin.query(
        "CREATE TYPE pair AS (a int, b int); \
         CREATE FUNCTION shown(pair) RETURNS text LANGUAGE sql AS 'SELECT public.evil()::text'; \
         CREATE CAST (pair AS text) WITH FUNCTION shown(pair); \
         CREATE TABLE pairs(id int PRIMARY KEY, both_of pair, name text); \
         INSERT INTO pairs VALUES (1, ROW(1, 2), 'first'); \
         CREATE TABLE kept(id int PRIMARY KEY, name text); \
         INSERT INTO kept VALUES (1, 'first'); \
         CREATE INDEX ON kept ((id + mild())); \
         TRUNCATE ran; SELECT pg_advisory_unlock_all()",
    );
    assert_eq!(made.last().unwrap(), "Z I", "{made:?}");
    let mut client = relay.client();
    let told = client.query("-- nl: how many customers are there?");
    assert!(told.contains(&"D 3".to_owned()), "{told:?}");
    untouched(&mut admin, "values were read");
}

#[test]
fn what_is_said_of_an_answer_does_not_depend_on_the_database() {
    let Some((relay, _)) = set_up() else {
        return;
    };
    for before in [
        "CREATE TABLE other(id int)",
        "SET search_path = pg_catalog",
        "COMMIT AND CHAIN",
    ] {
        let mut client = relay.client();
        client.query("BEGIN");
        let told = client.query("-- nl: how many things are there?");
        assert!(told.contains(&"D 1".to_owned()), "{told:?}");
        let told = client.query(&format!("{before}; /* nl good: */;"));
        assert!(
            told.iter().any(|line| line.starts_with("D ")),
            "{before}: {told:?}"
        );
        assert!(
            !told.iter().any(|line| line.starts_with("E ")),
            "{before}: {told:?}"
        );
    }
}

/// How questions tell that the database has another `things` now: `told` is what they say.
fn is_refused(told: &[String], about: &str) {
    assert!(told[0].starts_with("E ERROR 42501"), "{about}: {told:?}");
}

#[test]
fn numbers_of_transactions_hide_no_change() {
    let Some((relay, mut admin)) = set_up() else {
        return;
    };
    admin.query("DROP TABLE things");
    admin.query("CREATE VIEW other AS SELECT 1 AS a");
    // It began between the two views, so that what it makes of both has the same numbers in sum.
    let mut early = relay.direct();
    early.query("BEGIN; SELECT pg_current_xact_id()");
    admin.query("CREATE VIEW things AS SELECT 1 AS id, 'x'::text AS thing");
    let mut client = relay.client();
    let told = client.query("-- nl: how many things are there?");
    assert!(told.contains(&"D 1".to_owned()), "{told:?}");
    let swapped = early.query(
        "CREATE OR REPLACE VIEW things AS SELECT evil() AS id, mild()::text AS thing; \
         CREATE OR REPLACE VIEW other AS SELECT 1 AS a; COMMIT",
    );
    assert_eq!(swapped.last().unwrap(), "Z I", "{swapped:?}");
    is_refused(&client.query("-- nl: how many things are there?"), "swapped");
    untouched(&mut admin, "swapped");
}

#[test]
fn what_a_transaction_changes_twice_is_seen_twice() {
    let Some((relay, mut admin)) = set_up() else {
        return;
    };
    let twice = [
        (
            "a view",
            "DROP TABLE things; CREATE VIEW things AS SELECT 1 AS id",
            "CREATE OR REPLACE VIEW things AS SELECT evil() AS id",
        ),
        (
            "a policy",
            "ALTER TABLE things ENABLE ROW LEVEL SECURITY; CREATE POLICY p ON things USING (true)",
            "ALTER POLICY p ON things USING (evil() > 0)",
        ),
        (
            "a function",
            "CREATE FUNCTION calm() RETURNS int LANGUAGE sql STABLE AS 'SELECT 1'; \
             DROP TABLE things; CREATE VIEW things AS SELECT calm() AS id",
            "CREATE OR REPLACE FUNCTION calm() RETURNS int LANGUAGE sql STABLE AS 'SELECT public.evil()'",
        ),
    ];
    let mut client = relay.client();
    for (about, first, second) in twice {
        client.query("BEGIN");
        client.query(first);
        let told = client.query("-- nl: how many things are there?");
        assert!(told.contains(&"D 1".to_owned()), "{about}: {told:?}");
        client.query(second);
        is_refused(&client.query("-- nl: how many things are there?"), about);
        client.query("ROLLBACK");
        untouched(&mut admin, about);
    }
}
