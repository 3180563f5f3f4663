//! Questions that end before a model has answered: the call is dropped at once, and the session goes on.

use std::{
    net::Shutdown,
    time::{Duration, Instant},
};

use super::legs::{COUNT, Leg, ODD, says, with_model};
use crate::{
    model::turn::Turn,
    server::raw::{Client, client_message},
};

/// Far less than a model that hangs would take.
const SOON: Duration = Duration::from_secs(10);
const CANCELLED: &str = "E ERROR 57014 canceling statement due to user request";

fn ask(client: &mut Client) {
    client.send(&client_message(&format!("Query {ODD}")));
}

/// The session answers as if nothing had happened.
fn goes_on(client: &mut Client, leg: &Leg) {
    client.query("ROLLBACK");
    assert_eq!(client.query(COUNT)[1], "D 3", "{}", leg.name);
}

#[test]
fn a_cancel_request_drops_the_call() {
    with_model(
        "",
        &[Turn::hangs(), Turn::hangs(), Turn::hangs()],
        |leg, model| {
            let mut client = leg.client();
            ask(&mut client);
            model.wait_for_requests(1);
            let begun = Instant::now();
            leg.cancel(&client);
            assert_eq!(client.until_ready(), [CANCELLED, "Z I"], "{}", leg.name);
            model.wait_for_leaving(1);
            goes_on(&mut client, leg);
            // In a transaction, which fails as any statement would make it fail.
            client.query("BEGIN; INSERT INTO planet VALUES (4, 'Pluto', 5)");
            ask(&mut client);
            model.wait_for_requests(2);
            leg.cancel(&client);
            assert_eq!(client.until_ready(), [CANCELLED, "Z E"], "{}", leg.name);
            model.wait_for_leaving(2);
            goes_on(&mut client, leg);
            // In the extended protocol.
            for line in [
                "Parse | -- nl: frobnicate the zorblax",
                "Bind | |",
                "Execute",
                "Sync",
            ] {
                client.send(&client_message(line));
            }
            model.wait_for_requests(3);
            leg.cancel(&client);
            assert_eq!(client.until_ready(), [CANCELLED, "Z I"], "{}", leg.name);
            model.wait_for_leaving(3);
            goes_on(&mut client, leg);
            assert!(begun.elapsed() < SOON, "{}: {:?}", leg.name, begun.elapsed());
        },
    );
}

#[test]
fn a_client_that_vanishes_drops_the_call() {
    with_model("", &[Turn::hangs()], |leg, model| {
        let mut client = leg.client();
        ask(&mut client);
        model.wait_for_requests(1);
        drop(client);
        model.wait_for_leaving(1);
    });
}

#[test]
fn a_client_that_says_no_more_gets_its_answer() {
    let slow = says("SELECT name FROM planet WHERE moons = 2").after(Duration::from_millis(1_500));
    with_model("", &[slow], |leg, _| {
        for (question, expected) in [(ODD, "D Mars"), (COUNT, "D 3")] {
            let mut client = leg.client();
            client.send(&client_message(&format!("Query {question}")));
            client.stream().shutdown(Shutdown::Write).unwrap();
            let told = client.until_ready();
            assert!(told.contains(&expected.to_owned()), "{}: {told:?}", leg.name);
            assert_eq!(client.next(), "closed", "{}", leg.name);
        }
    });
}

#[test]
fn a_session_whose_question_is_worked_on_is_not_idle() {
    let slow = says("SELECT name FROM planet WHERE moons = 2").after(Duration::from_millis(2_500));
    with_model("", &[slow.clone(), slow], |leg, _| {
        let mut client = leg.client();
        let more = format!("Parse | {ODD} twice");
        for lines in [
            &[&*format!("Query {ODD}")][..],
            &[&more, "Bind | |", "Execute", "Sync"],
        ] {
            client.query("SET idle_session_timeout = '1s'");
            // Read ahead, so that it comes in time after the answer.
            for line in lines.iter().chain(&["Query SET idle_session_timeout = 0"]) {
                client.send(&client_message(line));
            }
            let told = client.until_ready();
            assert!(told.contains(&"D Mars".to_owned()), "{}: {told:?}", leg.name);
            client.until_ready();
        }
        goes_on(&mut client, leg);
    });
}

#[test]
fn time_limits_drop_the_call() {
    let toml = "[limits]\nquestion_timeout = \"400ms\"\n";
    with_model(toml, &[Turn::hangs(), says("SELECT 1 AS one")], |leg, model| {
        let mut client = leg.client();
        ask(&mut client);
        let told = client.until_ready();
        assert!(
            told[0].starts_with("E ERROR 57014 the question took longer than 400 ms"),
            "{}: {told:?}",
            leg.name
        );
        model.wait_for_leaving(1);
        goes_on(&mut client, leg);
        ask(&mut client);
        assert!(client.until_ready().contains(&"D 1".to_owned()));
    });
    with_model("", &[Turn::hangs()], |leg, model| {
        let mut client = leg.client();
        client.query("SET statement_timeout = '400ms'");
        ask(&mut client);
        let told = client.until_ready();
        assert!(told[0].starts_with("E ERROR 57014"), "{}: {told:?}", leg.name);
        model.wait_for_leaving(1);
        client.query("RESET statement_timeout");
        goes_on(&mut client, leg);
    });
}

#[test]
fn draining_gives_a_question_its_time() {
    let toml = "[limits]\ndrain_timeout = \"300ms\"\n";
    with_model(toml, &[Turn::hangs()], |leg, model| {
        let mut client = leg.client();
        ask(&mut client);
        model.wait_for_requests(1);
        leg.handle().drain();
        model.wait_for_leaving(1);
        assert_eq!(client.next(), "closed", "{}", leg.name);
    });
    let slow = says("SELECT 1 AS one").after(Duration::from_millis(500));
    with_model("", &[slow], |leg, model| {
        let mut client = leg.client();
        ask(&mut client);
        model.wait_for_requests(1);
        leg.handle().drain();
        assert!(client.until_ready().contains(&"D 1".to_owned()), "{}", leg.name);
    });
}

#[test]
fn nothing_is_held_while_a_model_thinks() {
    let turns = [
        says("SELECT name FROM planet WHERE moons = 2").after(Duration::from_millis(800)),
        says("SELECT name FROM planet WHERE moons = 0").after(Duration::from_millis(800)),
    ];
    with_model("", &turns, |leg, model| {
        let mut client = leg.client();
        client.query("SET application_name = 'thinker'");
        ask(&mut client);
        model.wait_for_requests(1);
        if let Some(mut direct) = leg.direct() {
            let state =
                "SELECT state, backend_xmin IS NULL FROM pg_stat_activity WHERE application_name = 'thinker'";
            assert_eq!(direct.query(state)[1], "D idle | t");
            // A client's own transaction is its own, and no savepoint of ours is in it.
            assert!(client.until_ready().contains(&"D Mars".to_owned()));
            client.query("BEGIN");
            client.send(&client_message("Query -- nl: frobnicate it in a transaction"));
            model.wait_for_requests(2);
            assert!(direct.query(state)[1].starts_with("D idle in transaction"));
            assert!(client.until_ready().contains(&"D Venus".to_owned()));
            assert_eq!(client.query("COMMIT"), ["C COMMIT", "Z I"]);
        } else {
            // Others write meanwhile.
            let mut other = leg.client();
            let written = other.query("INSERT INTO planet VALUES (9, 'Pluto', 5)");
            assert_eq!(written[0], "C INSERT 0 1");
            assert!(client.until_ready().contains(&"D Mars".to_owned()));
            assert!(
                client
                    .query("-- nl: frobnicate it in a transaction")
                    .contains(&"D Venus".to_owned())
            );
        }
    });
}
