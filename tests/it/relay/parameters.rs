//! Questions that come with Bind, and messages that do not have them.

use super::harness::Relay;
use crate::server::raw::{Client, client_message};

fn talk(client: &mut Client, messages: &[&str]) -> Vec<String> {
    let bytes: Vec<u8> = messages
        .iter()
        .flat_map(|message| client_message(message))
        .collect();
    client.send(&bytes);
    client.until_ready()
}

#[test]
fn a_high_parameter_is_prepared_like_any_other() {
    let Some(relay) = Relay::start() else { return };
    let mut client = relay.client();
    let told = talk(
        &mut client,
        &[
            "Parse s | SELECT * FROM nl($65535)",
            "DescribeStatement s",
            "Sync",
        ],
    );
    assert!(
        told.iter().all(|line| !line.starts_with("E ")),
        "{:?}",
        told.first()
    );
    assert_eq!(told.last().unwrap(), "Z I");
}

#[test]
fn a_bind_without_the_question_is_malformed() {
    let Some(relay) = Relay::start() else { return };
    let mut client = relay.client();
    let told = talk(&mut client, &["Parse s | SELECT * FROM nl($1)", "Sync"]);
    assert_eq!(told.last().unwrap(), "Z I", "{told:?}");
    for (bind, code) in [
        ("Bind | s |", "08P01"),
        ("Raw 42 00 00 00 0d 00 73 00 00 00 00 01 00 00", "08P01"),
        ("Bind | s | NULL", "22004"),
    ] {
        let told = talk(&mut client, &[bind, "Sync"]);
        assert!(
            told[0].starts_with(&format!("E ERROR {code}")),
            "{bind}: {told:?}"
        );
        assert_eq!(told.last().unwrap(), "Z I");
    }
}
