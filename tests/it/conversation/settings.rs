//! Modes, tiers and reloads: who answers in a session.

use super::legs::{COUNT, ODD, each, says, table, with_model};
use crate::model::{server::ScriptedModel, turn::Turn};

const MARS: &str = "SELECT name FROM planet WHERE moons = 2";

#[test]
fn tiers_and_modes_are_the_sessions() {
    with_model("", &[says(MARS), says(MARS)], |leg, _| {
        let mut client = leg.client();
        let show = |client: &mut crate::server::raw::Client, name: &str| {
            client.query(&format!("SHOW querent.{name}"))[1].clone()
        };
        assert_eq!(show(&mut client, "mode"), "D adaptive", "{}", leg.name);
        assert_eq!(show(&mut client, "tiers"), "D embedded, scripted");
        // PostgreSQL takes a list for a setting of others only in quotes.
        client.query("SET querent.tiers = 'scripted, embedded'");
        assert_eq!(show(&mut client, "tiers"), "D scripted, embedded");
        client.query("SET querent.tiers = embedded");
        assert_eq!(show(&mut client, "tiers"), "D embedded");
        let told = client.query(ODD);
        assert!(told[0].starts_with("E ERROR NL001"), "{told:?}");
        // A mode of models without one among the tiers.
        client.query("SET querent.mode = single");
        let told = client.query(ODD);
        assert!(told[0].starts_with("E ERROR NL004"), "{told:?}");
        client.query("SET querent.tiers = scripted");
        assert!(client.query(ODD).contains(&"D Mars".to_owned()));
        client.query("SET querent.mode = embedded");
        let told = client.query(ODD);
        assert!(told[0].starts_with("E ERROR NL001"), "{told:?}");
        // In a transaction a setting goes with it.
        client.query("RESET querent.tiers; RESET querent.mode");
        client.query("BEGIN; SET LOCAL querent.tiers = embedded; ROLLBACK");
        assert_eq!(show(&mut client, "tiers"), "D embedded, scripted");
        assert!(client.query(ODD).contains(&"D Mars".to_owned()));
    });
}

#[test]
fn tiers_that_do_not_exist_are_refused() {
    with_model("", &[], |leg, _| {
        let mut client = leg.client();
        let told = client.query("SET querent.tiers = embedded, gpt");
        assert_eq!(
            told[0], "E ERROR 22023 invalid value for parameter \"querent.tiers\": \"gpt\"",
            "{}",
            leg.name
        );
        assert_eq!(client.query("SHOW querent.tiers")[1], "D embedded, scripted");
        let told = client.query("BEGIN; SET LOCAL querent.tiers = gpt");
        assert_eq!(
            told[1],
            "E ERROR 22023 invalid value for parameter \"querent.tiers\": \"gpt\""
        );
        assert_eq!(told[2], "Z E");
        client.query("ROLLBACK");
        for line in ["Parse | SET querent.tiers = gpt", "Bind | |", "Execute", "Sync"] {
            client.send(&crate::server::raw::client_message(line));
        }
        let told = client.until_ready();
        assert!(
            told.iter().any(|line| line.starts_with("E ERROR 22023")),
            "{told:?}"
        );
        assert_eq!(client.query(COUNT)[1], "D 3");
    });
}

#[test]
fn without_a_model_the_agents_answer() {
    each("", |leg| {
        let mut client = leg.client();
        assert_eq!(client.query("SHOW querent.mode")[1], "D adaptive", "{}", leg.name);
        assert_eq!(client.query("SHOW querent.tiers")[1], "D embedded");
        assert_eq!(client.query(COUNT)[1], "D 3");
        assert!(client.query(ODD)[0].starts_with("E ERROR NL001"));
        for mode in ["single", "sot"] {
            client.query(&format!("SET querent.mode = {mode}"));
            let told = client.query(COUNT);
            assert!(told[0].starts_with("E ERROR NL004"), "{mode}: {told:?}");
        }
    });
}

#[test]
fn a_reload_brings_other_models() {
    let turns = [says(MARS), says("SELECT name FROM planet WHERE moons = 0")];
    with_model("", &turns, |leg, model| {
        let mut client = leg.client();
        assert!(client.query(ODD).contains(&"D Mars".to_owned()), "{}", leg.name);
        // What other models have said does not count any more.
        leg.reload(&table(model)).unwrap();
        assert!(client.query(ODD).contains(&"D Venus".to_owned()));
        leg.reload("").unwrap();
        assert_eq!(client.query("SHOW querent.tiers")[1], "D embedded");
        assert!(client.query(ODD)[0].starts_with("E ERROR NL001"));
    });
}

#[test]
fn a_question_keeps_the_models_it_began_with() {
    let turns = [says(MARS).after(std::time::Duration::from_millis(700))];
    with_model("", &turns, |leg, model| {
        let mut client = leg.client();
        client.send(&crate::server::raw::client_message(&format!("Query {ODD}")));
        model.wait_for_requests(1);
        leg.reload("").unwrap();
        let told = client.until_ready();
        assert!(told.contains(&"D Mars".to_owned()), "{}: {told:?}", leg.name);
    });
}

#[test]
fn the_configuration_names_the_mode() {
    let model = ScriptedModel::start(vec![Turn::status(503), Turn::status(503)]);
    let toml = format!("mode = \"single\"\n{}", table(&model));
    each(&toml, |leg| {
        let mut client = leg.client();
        assert_eq!(client.query("SHOW querent.mode")[1], "D single", "{}", leg.name);
        // Not even what the embedded agents know.
        assert!(client.query(COUNT)[0].starts_with("E ERROR NL004"));
    });
}
