//! Questions that were asked before, and those that several sessions ask at once.

use std::time::Duration;

use super::legs::{ODD, says, with_model};
use crate::{
    model::turn::Turn,
    server::raw::{Client, client_message},
};

const MARS: &str = "SELECT name FROM planet WHERE moons = 2";
/// Long enough for others to come meanwhile.
const SLOW: Duration = Duration::from_millis(700);

fn ask(client: &mut Client) {
    client.send(&client_message(&format!("Query {ODD}")));
}

fn is_answered(client: &mut Client, leg: &str) {
    let told = client.until_ready();
    assert!(told.contains(&"D Mars".to_owned()), "{leg}: {told:?}");
}

#[test]
fn an_answer_serves_all_who_ask_the_same() {
    with_model(
        "",
        &[says(MARS).after(SLOW), says(MARS), says(MARS)],
        |leg, model| {
            let mut clients: Vec<Client> = (0..5).map(|_| leg.client()).collect();
            for client in &mut clients {
                ask(client);
            }
            for client in &mut clients {
                is_answered(client, leg.name);
            }
            assert_eq!(model.requests().len(), 1);
            // And whoever comes later.
            let mut later = leg.client();
            ask(&mut later);
            is_answered(&mut later, leg.name);
            assert_eq!(model.requests().len(), 1);
            // Other words, another mode, another schema: other questions.
            later.query("SET querent.mode = single");
            ask(&mut later);
            is_answered(&mut later, leg.name);
            assert_eq!(model.requests().len(), 2);
            later.query("RESET querent.mode");
            later.query("CREATE TABLE comet(id int)");
            ask(&mut later);
            is_answered(&mut later, leg.name);
        },
    );
}

#[test]
fn who_leaves_hands_the_work_on() {
    with_model("", &[Turn::hangs(), says(MARS)], |leg, model| {
        let (mut first, mut second) = (leg.client(), leg.client());
        ask(&mut first);
        model.wait_for_requests(1);
        ask(&mut second);
        std::thread::sleep(Duration::from_millis(300));
        assert_eq!(model.requests().len(), 1, "{}", leg.name);
        leg.cancel(&first);
        let told = first.until_ready();
        assert!(told[0].starts_with("E ERROR 57014"), "{told:?}");
        is_answered(&mut second, leg.name);
        model.wait_for_leaving(1);
    });
}

#[test]
fn what_a_transaction_alone_sees_is_its_own() {
    with_model("", &[says(MARS), says(MARS)], |leg, model| {
        let (mut one, mut other) = (leg.client(), leg.client());
        one.query("BEGIN; CREATE TABLE comet(id int)");
        ask(&mut one);
        is_answered(&mut one, leg.name);
        one.query("ROLLBACK");
        ask(&mut other);
        is_answered(&mut other, leg.name);
        assert_eq!(model.requests().len(), 2);
    });
}

#[test]
fn an_answer_for_want_of_a_model_is_not_kept() {
    // The agents' own answer is doubtful, and the model that was to judge it was away.
    let question = "-- nl: how many satellites does Mars have?";
    let turns = [
        Turn::status(503),
        says("SELECT moons FROM planet WHERE name = 'Mars'"),
    ];
    with_model("", &turns, |leg, model| {
        let mut client = leg.client();
        client.query(question);
        assert_eq!(model.requests().len(), 1, "{}", leg.name);
        let told = client.query(question);
        assert!(told.contains(&"D 2".to_owned()), "{told:?}");
    });
}
