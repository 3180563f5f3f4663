//! What the log says of a session.

use serde_json::Value;

use super::served::Served;

/// The lines that are JSON.
fn events(served: &Served) -> Vec<Value> {
    let lines = served.lines();
    lines
        .iter()
        .filter_map(|line| serde_json::from_str(line).ok())
        .collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn every_line_of_a_session_has_its_number() {
    let served = Served::start("log_format = \"json\"\n");
    for _ in 0..2 {
        let client = served.client().await;
        client.simple_query("SELECT 1").await.unwrap();
        client
            .simple_query("-- nl: which owners live in Paris")
            .await
            .unwrap();
        client.simple_query("-- nl bad: Paris is no owner").await.unwrap();
        client
            .simple_query("-- nl: frobnicate the zorblax")
            .await
            .unwrap_err();
    }
    served.line(|line| line.contains("session ended") && line.contains("\"id\":2"));
    served.line(|line| line.contains("session ended") && line.contains("\"id\":1"));
    for id in [1, 2] {
        let of_session = |event: &&Value| event["span"]["id"] == id;
        let events = events(&served);
        let events: Vec<&Value> = events.iter().filter(of_session).collect();
        let messages: Vec<&str> = events
            .iter()
            .map(|event| event["message"].as_str().unwrap())
            .collect();
        assert_eq!(
            messages,
            ["logged in", "question", "feedback", "question", "session ended"]
        );
        for event in &events {
            let span = &event["span"];
            assert_eq!(span["name"], "session", "{event}");
            assert_eq!(
                (&span["user"], &span["database"]),
                (&"ada".into(), &"pets".into())
            );
            assert_eq!(span["peer"], "127.0.0.1");
        }
        assert_eq!(events[1]["outcome"], "answered");
        assert_eq!(events[1]["tier"], "embedded");
        assert!(events[1]["milliseconds"].is_u64() && events[1]["confidence"].is_f64());
        assert_eq!(
            (&events[3]["outcome"], &events[3]["sqlstate"]),
            (&"refused".into(), &"NL001".into())
        );
        let end = events[4];
        assert_eq!(
            (&end["reason"], &end["statements"]),
            (&"client".into(), &1.into())
        );
        assert!(
            end["bytes_in"].as_u64() > Some(50) && end["bytes_out"].as_u64() > Some(50),
            "{end}"
        );
    }
    // What was asked, and what is stored, stays out of the log.
    let log = served.lines().join("\n");
    for secret in ["Paris", "zorblax", "SELECT"] {
        assert!(!log.contains(secret), "{secret} in {log}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn debugging_shows_what_was_asked() {
    let served = Served::start("log = \"querent=debug\"\nlog_format = \"json\"\n");
    let client = served.client().await;
    client
        .simple_query("-- nl: how many owners are there?")
        .await
        .unwrap();
    client
        .simple_query("SELECT no_such_column FROM pet")
        .await
        .unwrap_err();
    drop(client);
    served.line(|line| line.contains("session ended"));
    let events = events(&served);
    let find = |message: &str| {
        let found = events.iter().find(|event| event["message"] == message);
        found.unwrap_or_else(|| panic!("no {message:?} in {events:#?}"))
    };
    let answered = find("answered");
    assert_eq!(answered["question"], "how many owners are there?");
    assert!(answered["sql"].as_str().unwrap().contains("owner"));
    assert_eq!(find("error")["sqlstate"], "42703");
    // What the agents say stands under the session that asked them.
    assert_eq!(find("agent")["span"]["id"], 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn text_has_the_number_too() {
    let served = Served::start("");
    drop(served.client().await);
    let line = served.line(|line| line.contains("session ended"));
    assert!(
        line.contains("session{id=1 user=\"ada\" database=\"pets\" peer=127.0.0.1}"),
        "{line}"
    );
}
