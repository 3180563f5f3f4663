//! `/metrics` after real traffic.

use querent::telemetry::metrics::METRICS;

use super::served::Served;
use crate::model::{server::ScriptedModel, turn::Turn};

fn check(served: &Served, expected: &[(&str, f64)]) {
    for (series, value) in expected {
        served.wait_for(series, *value);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn traffic_is_counted() {
    let served = Served::start("");
    let open = "querent_sessions{leg=\"sqlite\"}";
    check(&served, &[(open, 0.0), ("querent_draining", 0.0)]);
    let version = format!("querent_build_info{{version=\"{}\"}}", env!("CARGO_PKG_VERSION"));
    check(&served, &[(&version, 1.0)]);

    let client = served.client().await;
    check(&served, &[(open, 1.0)]);
    client.simple_query("SELECT 1; SELECT 2").await.unwrap();
    client.query("SELECT name FROM owner", &[]).await.unwrap();
    let asked = client.simple_query("-- nl: how many owners are there?").await;
    asked.unwrap();
    client
        .simple_query("-- nl: frobnicate the zorblax")
        .await
        .unwrap_err();
    client
        .simple_query("SELECT no_such_column FROM pet")
        .await
        .unwrap_err();
    check(
        &served,
        &[
            ("querent_statements_total{leg=\"sqlite\"}", 4.0),
            (
                "querent_questions_total{outcome=\"answered\",sqlstate=\"\",tier=\"embedded\"}",
                1.0,
            ),
            (
                "querent_questions_total{outcome=\"refused\",sqlstate=\"NL001\",tier=\"embedded\"}",
                1.0,
            ),
            ("querent_question_duration_seconds_count{tier=\"embedded\"}", 2.0),
            (
                "querent_question_duration_seconds_bucket{tier=\"embedded\",le=\"+Inf\"}",
                2.0,
            ),
            ("querent_errors_total{class=\"NL\"}", 1.0),
            ("querent_errors_total{class=\"42\"}", 1.0),
            ("querent_sessions_begun_total{leg=\"sqlite\"}", 1.0),
        ],
    );
    assert!(served.value("querent_relayed_bytes_total{leg=\"sqlite\",direction=\"from_client\"}") > 100.0);
    assert!(served.value("querent_relayed_bytes_total{leg=\"sqlite\",direction=\"to_client\"}") > 100.0);
    assert!(served.value("querent_snapshot_refreshes_total{leg=\"sqlite\"}") >= 1.0);
    drop(client);
    check(
        &served,
        &[
            (open, 0.0),
            (
                "querent_sessions_ended_total{leg=\"sqlite\",reason=\"client\"}",
                1.0,
            ),
        ],
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn what_goes_wrong_is_counted() {
    let served = Served::start(
        "[auth]\nmode = \"scram\"\n[auth.users]\nada = \"right\"\n[limits]\nidle_timeout = \"300ms\"\n",
    );
    let config = |password: &str| {
        let port = served.port;
        format!("host=127.0.0.1 port={port} user=ada dbname=pets password={password}")
    };
    let wrong = tokio_postgres::connect(&config("wrong"), tokio_postgres::NoTls).await;
    assert!(wrong.is_err());
    let mut garbage = std::net::TcpStream::connect(("127.0.0.1", served.port)).unwrap();
    std::io::Write::write_all(&mut garbage, &[0xff; 20]).unwrap();
    let (client, connection) = tokio_postgres::connect(&config("right"), tokio_postgres::NoTls)
        .await
        .unwrap();
    let connection = tokio::spawn(connection);
    let token = client.cancel_token();
    token.cancel_query(tokio_postgres::NoTls).await.unwrap();
    check(
        &served,
        &[
            ("querent_logins_refused_total{sqlstate=\"28P01\"}", 1.0),
            ("querent_handshake_failures_total{reason=\"protocol\"}", 1.0),
            ("querent_cancels_total{kind=\"received\"}", 1.0),
            ("querent_cancels_total{kind=\"matched\"}", 1.0),
            // The client says nothing any more, and is sent away for it.
            (
                "querent_sessions_ended_total{leg=\"sqlite\",reason=\"idle_timeout\"}",
                1.0,
            ),
            ("querent_sessions{leg=\"sqlite\"}", 0.0),
        ],
    );
    let told = connection.await.unwrap().unwrap_err();
    assert_eq!(
        told.code().map(tokio_postgres::error::SqlState::code),
        Some("57P05")
    );
    drop(client);
    let log = served.lines().join("\n");
    assert!(!log.contains("right") && !log.contains("wrong"), "{log}");
}

#[tokio::test(flavor = "multi_thread")]
async fn models_are_counted() {
    let turns = vec![
        Turn::says("```sql\nSELECT name FROM owner\n```").took(1_000, 50),
        Turn::status(401),
        Turn::hangs(),
    ];
    let model = ScriptedModel::start(turns);
    let served = Served::start(&format!(
        "mode = \"single\"\n[limits]\ntokens = 100000\n[[model]]\nname = \"m\"\nbase_url = \"{}\"\nretries = 0\n\
         price_in = 2.0\nprice_out = 10.0\n",
        model.url()
    ));
    let client = served.client().await;
    client.simple_query("-- nl: who owns pets?").await.unwrap();
    client.simple_query("-- nl: who owns none?").await.unwrap_err();
    let cancel = client.cancel_token();
    let asked = tokio::spawn(async move { client.simple_query("-- nl: who owns all?").await });
    model.wait_for_requests(3);
    cancel.cancel_query(tokio_postgres::NoTls).await.unwrap();
    asked.await.unwrap().unwrap_err();
    check(
        &served,
        &[
            ("querent_model_calls_total{model=\"m\"}", 3.0),
            ("querent_model_errors_total{model=\"m\",kind=\"refused\"}", 1.0),
            ("querent_model_errors_total{model=\"m\",kind=\"cancelled\"}", 1.0),
            ("querent_model_call_duration_seconds_count{model=\"m\"}", 3.0),
            (
                "querent_model_tokens_total{model=\"m\",direction=\"completion\"}",
                50.0,
            ),
            (
                "querent_questions_total{outcome=\"answered\",sqlstate=\"\",tier=\"m\"}",
                1.0,
            ),
            (
                "querent_questions_total{outcome=\"refused\",sqlstate=\"NL004\",tier=\"m\"}",
                1.0,
            ),
        ],
    );
    // What was cancelled has been read at least.
    let read = served.value("querent_model_tokens_total{model=\"m\",direction=\"prompt\"}");
    assert!(read > 1_000.0, "{read}");
    let cost = served.value("querent_model_cost_usd{model=\"m\"}");
    assert!((cost - (read * 2.0 + 50.0 * 10.0) / 1e6).abs() < 1e-9, "{cost}");
    // Whatever models do, the server is well.
    assert_eq!(served.get("/healthz").code, 200);
}

#[test]
fn silence_instead_of_a_startup_message_is_counted() {
    let served = Served::start("[limits]\nhandshake_timeout = \"300ms\"\n");
    let _silent = std::net::TcpStream::connect(("127.0.0.1", served.port)).unwrap();
    check(
        &served,
        &[("querent_handshake_failures_total{reason=\"timeout\"}", 1.0)],
    );
}

/// The table of the documentation is the table of the code.
#[test]
fn every_metric_is_documented() {
    let root = env!("CARGO_MANIFEST_DIR");
    let text = std::fs::read_to_string(format!("{root}/docs/operations.md")).unwrap();
    let rows: Vec<&str> = text
        .lines()
        .filter(|line| line.starts_with("| `querent_"))
        .collect();
    let expected: Vec<String> = METRICS
        .iter()
        .map(|metric| {
            let labels: Vec<String> = metric.labels.iter().map(|label| format!("`{label}`")).collect();
            let (name, kind, labels) = (metric.name, metric.kind.name(), labels.join(", "));
            format!("| `{name}` | {kind} | {labels} | {} |", metric.meaning)
        })
        .collect();
    assert_eq!(
        rows,
        expected,
        "docs/operations.md should have:\n{}",
        expected.join("\n")
    );
}
