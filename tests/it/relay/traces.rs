//! What is left of Querent's own doing: tags of statements that stand for others, lines of the server's log.

use super::harness::Relay;
use crate::server::raw::client_message;

#[test]
fn the_servers_log_has_no_warnings_of_questions() {
    let Some(relay) = Relay::start() else {
        return;
    };
    let mut client = relay.client();
    let told = client.query("-- nl: how many customers are there?");
    assert!(told.contains(&"D 3".to_owned()), "{told:?}");
    for message in [
        "Parse q | -- nl: how many orders are there?",
        "Bind | q |",
        "Execute",
        "Sync",
    ] {
        client.send(&client_message(message));
    }
    let told = client.until_ready();
    assert!(told.contains(&"D 3".to_owned()), "{told:?}");
    let log = relay.postgres.log();
    assert!(!log.contains("SET LOCAL can only be used"), "{log}");
}

#[test]
fn show_of_our_own_settings_ends_as_show_does() {
    let Some(relay) = Relay::start() else {
        return;
    };
    let mut client = relay.client();
    let told = client.query("SHOW querent.min_confidence; SELECT 1");
    assert_eq!(
        told[2..],
        ["C SHOW", "T ?column?:23", "D 1", "C SELECT 1", "Z I"],
        "{told:?}"
    );
    let messages = [
        "Parse s | SHOW querent.min_confidence",
        "Bind | s |",
        "Execute",
        "Bind | s |",
        "Execute",
        "Sync",
    ];
    for message in messages {
        client.send(&client_message(message));
    }
    let told = client.until_ready();
    let tags = told.iter().filter(|line| *line == "C SHOW").count();
    assert_eq!(tags, 2, "{told:?}");
}
