//! The same figures and lines in front of a PostgreSQL server.

use serde_json::Value;

use super::served::Served;
use crate::{postgres::server::PostgresServer, program::Place};

const TABLES: &str = "CREATE TABLE owner (id int PRIMARY KEY, name text NOT NULL, city text);
    INSERT INTO owner VALUES (1, 'Ada', 'Paris'), (2, 'Ben', 'Rome'), (3, 'Cy', 'Paris');
    CREATE ROLE ada LOGIN; GRANT SELECT ON owner TO ada";

fn check(served: &Served, expected: &[(&str, f64)]) {
    for (series, value) in expected {
        served.wait_for(series, *value);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_relayed_session_is_counted_and_logged() {
    let Some(postgres) = PostgresServer::start() else {
        return;
    };
    postgres.run("postgres", "CREATE DATABASE pets").await;
    postgres.run("pets", TABLES).await;
    let address = format!("postgres://127.0.0.1:{}/?sslmode=disable", postgres.port);
    let served = Served::start_in(
        Place::new(),
        "log_format = \"json\"\n",
        &[&address, "--console", "127.0.0.1:0"],
    );
    let client = served.client().await;
    check(&served, &[("querent_sessions{leg=\"postgres\"}", 1.0)]);
    client.simple_query("SELECT 1").await.unwrap();
    client.query("SELECT name FROM owner", &[]).await.unwrap();
    client
        .simple_query("-- nl: how many owners are there?")
        .await
        .unwrap();
    client
        .simple_query("-- nl: frobnicate the zorblax")
        .await
        .unwrap_err();
    client.simple_query("SELECT no_such_column").await.unwrap_err();
    drop(client);
    check(
        &served,
        &[
            (
                "querent_sessions_ended_total{leg=\"postgres\",reason=\"client\"}",
                1.0,
            ),
            ("querent_sessions{leg=\"postgres\"}", 0.0),
            ("querent_statements_total{leg=\"postgres\"}", 3.0),
            (
                "querent_questions_total{outcome=\"answered\",sqlstate=\"\",tier=\"embedded\"}",
                1.0,
            ),
            (
                "querent_questions_total{outcome=\"refused\",sqlstate=\"NL001\",tier=\"embedded\"}",
                1.0,
            ),
            ("querent_errors_total{class=\"NL\"}", 1.0),
            ("querent_errors_total{class=\"42\"}", 1.0),
            ("querent_snapshot_refreshes_total{leg=\"postgres\"}", 1.0),
        ],
    );
    for direction in ["from_client", "to_client", "from_server", "to_server"] {
        let series = format!("querent_relayed_bytes_total{{leg=\"postgres\",direction=\"{direction}\"}}");
        assert!(served.value(&series) > 100.0, "{direction}");
    }
    served.line(|line| line.contains("session ended"));
    let lines = served.lines();
    let events: Vec<Value> = lines
        .iter()
        .filter_map(|line| serde_json::from_str(line).ok())
        .collect();
    let of_session: Vec<&Value> = events.iter().filter(|event| event["span"]["id"] == 1).collect();
    let messages: Vec<&str> = of_session
        .iter()
        .map(|event| event["message"].as_str().unwrap())
        .collect();
    assert_eq!(messages, ["logged in", "question", "question", "session ended"]);
    assert_eq!(of_session[0]["span"]["user"], "ada");
    assert_eq!(of_session[3]["statements"], 3);
    assert!(!lines.join("\n").contains("zorblax"));
}

#[tokio::test(flavor = "multi_thread")]
async fn silence_and_a_server_that_goes_away_end_sessions() {
    let Some(mut postgres) = PostgresServer::start() else {
        return;
    };
    postgres.run("postgres", "CREATE DATABASE pets").await;
    postgres.run("postgres", "CREATE ROLE ada LOGIN").await;
    let address = format!("postgres://127.0.0.1:{}/?sslmode=disable", postgres.port);
    let served = Served::start_in(
        Place::new(),
        "[limits]\nidle_timeout = \"2s\"\n",
        &[&address, "--console", "127.0.0.1:0"],
    );
    assert_eq!(served.get("/healthz").code, 200);
    let silent = served.client().await;
    let ended = |reason: &str| {
        let series = format!("querent_sessions_ended_total{{leg=\"postgres\",reason=\"{reason}\"}}");
        served.wait_for(&series, 1.0);
    };
    ended("idle_timeout");
    drop(silent);
    let left = served.client().await;
    postgres.stop();
    ended("backend");
    drop(left);
    std::thread::sleep(std::time::Duration::from_millis(1_100));
    let reply = served.get("/healthz");
    assert_eq!((reply.code, reply.body.contains("unavailable")), (503, true));
}
