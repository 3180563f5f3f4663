//! What is learned of authors outlives the server.

use super::signals::Served;

/// The confidence of an answer to a question that is asked for the first time.
fn confidence(served: &Served) -> f64 {
    let mut client = served.client();
    client.query("-- nl: how many pets are there?");
    let told = client.query("SHOW querent.last_confidence");
    let row = told
        .iter()
        .find_map(|message| message.strip_prefix("D "))
        .unwrap();
    row.trim().parse().unwrap()
}

#[test]
fn what_people_have_said_counts_after_a_restart() {
    let served = Served::start("[store]\npath = \"kept.db\"\n");
    let before = confidence(&served);
    for _ in 0..3 {
        let mut client = served.client();
        client.query("-- nl: how many pets are there?");
        client.query("-- nl bad: no");
    }
    let served = served.again();
    let after = confidence(&served);
    assert!(after < before - 0.1, "{before} {after}");
    // Without the audit nothing is kept.
    let served = Served::start("[store]\npath = \"kept.db\"\n[audit]\nenabled = false\n");
    let before = confidence(&served);
    let mut client = served.client();
    client.query("-- nl: how many pets are there?");
    client.query("-- nl bad: no");
    let served = served.again();
    assert!((confidence(&served) - before).abs() < 1e-9);
}
