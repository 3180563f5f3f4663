//! The time of a question's SQL is its own, however it is sent and whatever the client runs beside it.

use std::time::{Duration, Instant};

use super::harness::Relay;
use crate::server::raw::{Client, client_message};

const SLOW: &str = "-- nl: how many slow are there?";

/// A view whose rows take their time once that is switched on.
fn slow_view() -> Option<(Relay, Client)> {
    let relay = Relay::start()?;
    let mut admin = relay.direct();
    let made = admin.query(
        "CREATE TABLE speed(slow bool); INSERT INTO speed VALUES (false); \
         CREATE FUNCTION runs(text, bool, bool, text) RETURNS xml LANGUAGE internal STABLE STRICT AS 'query_to_xml'; \
         CREATE VIEW slow AS SELECT g AS id FROM generate_series(1, 100) g WHERE runs( \
         'SELECT pg_sleep(CASE WHEN slow THEN 3 ELSE 0 END) FROM public.speed', true, false, '') IS NOT NULL AND g > 0",
    );
    assert_eq!(made.last().unwrap(), "Z I", "{made:?}");
    Some((relay, admin))
}

fn switch(admin: &mut Client, slow: bool) {
    assert_eq!(
        admin.query(&format!("UPDATE speed SET slow = {slow}"))[0],
        "C UPDATE 1"
    );
}

fn send(client: &mut Client, messages: &[&str]) -> Vec<String> {
    let messages = messages.iter().flat_map(|message| client_message(message));
    client.send(&messages.collect::<Vec<u8>>());
    client.until_ready()
}

fn is_stopped(told: &[String]) -> bool {
    let stopped =
        |line: &&String| line.starts_with("E ERROR 57014 canceling statement due to statement timeout");
    told.iter().filter(stopped).count() == 1 && told.iter().filter(|line| line.starts_with("E ")).count() == 1
}

#[test]
fn the_extended_protocol_has_the_clock_too() {
    let Some((relay, mut admin)) = slow_view() else {
        return;
    };
    let mut client = relay.client();
    client.query("SET querent.statement_timeout = '600ms'");
    let prepared = send(&mut client, &[&format!("Parse q | {SLOW}"), "Sync"]);
    assert!(prepared.ends_with(&["1".into(), "Z I".into()]), "{prepared:?}");
    switch(&mut admin, true);
    let begun = Instant::now();
    let told = send(&mut client, &["Bind | q |", "Execute", "Sync"]);
    assert!(is_stopped(&told), "{told:?}");
    assert!(begun.elapsed() < Duration::from_secs(20), "it was stopped");

    // The client's own has all the time that it wants, before the question and behind it.
    switch(&mut admin, false);
    let sleep = ["Parse | SELECT pg_sleep(1)", "Bind | |", "Execute"];
    send(&mut client, &["Query BEGIN"]);
    let mut messages = vec!["Bind p | q |", "Execute p"];
    messages.extend(sleep);
    messages.push("Sync");
    let told = send(&mut client, &messages);
    assert!(
        told.contains(&"D 100".to_owned()) && told.contains(&"D ".to_owned()),
        "{told:?}"
    );
    client.query("ROLLBACK");
    admin.query("CREATE TABLE things(id int)");
    send(
        &mut client,
        &["Parse t | -- nl: how many things are there?", "Sync"],
    );
    admin.query("BEGIN; LOCK TABLE things");
    let mut messages = sleep.to_vec();
    messages.extend(["Bind p | t |", "Execute p", "Sync"]);
    let told = send(&mut client, &messages);
    assert!(is_stopped(&told) && told.contains(&"D ".to_owned()), "{told:?}");
    admin.query("ROLLBACK");
}

#[test]
fn among_a_clients_statements_only_the_question_has_a_clock() {
    let Some((relay, mut admin)) = slow_view() else {
        return;
    };
    let mut client = relay.client();
    client.query("SET querent.statement_timeout = '600ms'; SET statement_timeout = '50s'");
    let query = format!(
        "SELECT 5; BEGIN; SELECT pg_sleep(1); {SLOW}\n; SELECT pg_sleep(1); SELECT current_setting('statement_' || 'timeout'); COMMIT"
    );
    let told = client.query(&query);
    assert!(told.contains(&"D 100".to_owned()), "{told:?}");
    assert!(
        told.contains(&"D 50s".to_owned()),
        "as the client has it: {told:?}"
    );
    assert!(!told.iter().any(|line| line.starts_with('E')), "{told:?}");

    switch(&mut admin, true);
    // The answer was found while it was fast, and is not looked for again.
    let told = client.query(&query);
    assert!(is_stopped(&told), "{told:?}");
    assert!(
        told.contains(&"D 5".to_owned()),
        "what came before stays: {told:?}"
    );
    client.query("ROLLBACK");
    assert_eq!(client.query("SHOW statement_timeout")[1], "D 50s");
}

#[test]
fn who_leaves_a_question_leaves_no_work() {
    let Some((relay, mut admin)) = slow_view() else {
        return;
    };
    let mut client = relay.client();
    send(&mut client, &[&format!("Parse q | {SLOW}"), "Sync"]);
    switch(&mut admin, true);
    let messages = ["Bind | q |", "Execute", "Sync"];
    let messages = messages.iter().flat_map(|message| client_message(message));
    client.send(&messages.collect::<Vec<u8>>());
    std::thread::sleep(Duration::from_millis(300));
    drop(client);
    let begun = Instant::now();
    let at_work = "SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()";
    while admin.query(at_work)[1] != "D 0" {
        assert!(begun.elapsed() < Duration::from_secs(30), "the server works on");
        std::thread::sleep(Duration::from_millis(50));
    }
}

#[test]
fn behind_a_result_that_was_too_large_nobody_waits() {
    let Some(relay) = Relay::start() else { return };
    let mut client = relay.client();
    client.query("SET querent.row_limit = 1");
    for behind in ["COPY notes FROM STDIN", "COPY orders TO STDOUT", "SELECT 6"] {
        let told = client.query(&format!("SELECT * FROM nl('show all orders') t; {behind}"));
        let errors: Vec<_> = told.iter().filter(|line| line.starts_with("E ")).collect();
        assert!(
            errors.len() == 1 && errors[0].starts_with("E ERROR 54000"),
            "{told:?}"
        );
        assert!(told.ends_with(&[errors[0].clone(), "Z I".into()]), "{told:?}");
        assert_eq!(client.query("SELECT 1")[1], "D 1");
    }
}

#[test]
fn a_clients_own_work_behind_a_question_goes_on_without_it() {
    let Some(relay) = Relay::start() else { return };
    let mut client = relay.client();
    let messages = [
        "Parse q | -- nl: how many orders are there?",
        "Bind | q |",
        "Execute",
        "Parse | INSERT INTO notes(body) SELECT 'after' FROM pg_sleep(1)",
        "Bind | |",
        "Execute",
        "Sync",
    ];
    let messages = messages.iter().flat_map(|message| client_message(message));
    client.send(&messages.collect::<Vec<u8>>());
    std::thread::sleep(Duration::from_millis(500));
    drop(client);
    let mut admin = relay.direct();
    let begun = Instant::now();
    while admin.query("SELECT count(*) FROM notes WHERE body = 'after'")[1] != "D 1" {
        assert!(begun.elapsed() < Duration::from_secs(30), "it was stopped");
        std::thread::sleep(Duration::from_millis(50));
    }
}
