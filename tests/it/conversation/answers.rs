//! What clients get of a model's answers: rows, notices, traces, errors with their details.

use super::legs::{COUNT, Leg, ODD, says, table, with_model};
use crate::{
    model::{server::ScriptedModel, turn::Turn},
    server::raw::{Client, client_message},
};

const MARS: &str = "SELECT name FROM planet WHERE moons = 2";
const WRONG: &str = "SELECT name FROM moon_of_nowhere";

/// What the driver is told of an error: code, detail, hint.
fn refusal(leg: &Leg, settings: &str, question: &str) -> (String, String, String) {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(async {
        let client = leg.driver().await;
        client.batch_execute(settings).await.unwrap();
        let error = client.simple_query(question).await.unwrap_err();
        let error = error.as_db_error().unwrap_or_else(|| panic!("{error:?}"));
        (
            error.code().code().to_owned(),
            error.detail().unwrap_or_default().to_owned(),
            error.hint().unwrap_or_default().to_owned(),
        )
    })
}

fn converse(client: &mut Client, lines: &[&str]) -> Vec<String> {
    for line in lines {
        client.send(&client_message(line));
    }
    client.until_ready()
}

#[test]
fn a_model_answers_what_the_agents_cannot() {
    with_model("", &[says(MARS).took(321, 45)], |leg, model| {
        let mut client = leg.client();
        // What the embedded agents are sure of costs nothing.
        assert_eq!(client.query(COUNT)[1], "D 3", "{}", leg.name);
        assert!(model.requests().is_empty());
        client.query("SET querent.notices = sql");
        let told = client.query(ODD);
        let notice = told.iter().find(|line| line.starts_with("N ")).unwrap();
        assert!(
            notice.contains(MARS) && notice.contains(", scripted, "),
            "{notice}"
        );
        assert!(told.contains(&"D Mars".to_owned()), "{told:?}");
        assert_eq!(client.query("SHOW querent.last_sql")[1], format!("D {MARS}"));
        // The trace is the same for who asks again.
        client.query("SET querent.notices = off");
        let trace = client.query("-- nl trace: frobnicate the zorblax");
        let run = trace.iter().find(|line| line.contains("| scripted |")).unwrap();
        let run: Vec<&str> = run.split(" | ").collect();
        assert_eq!(
            (run[1], run[5], run[6], run[7]),
            ("single", "321", "45", "ok"),
            "{run:?}"
        );
        let sql = client.query("-- nl sql: frobnicate the zorblax");
        assert!(sql[1].contains("| scripted | 0 |"), "{sql:?}");
    });
}

#[test]
fn wrong_sql_is_corrected() {
    let turns = [says(WRONG), Turn::says(MARS)];
    with_model("", &turns, |leg, _| {
        let mut client = leg.client();
        let trace = client.query("-- nl trace: frobnicate the zorblax");
        let runs: Vec<Vec<&str>> = trace
            .iter()
            .filter(|line| line.starts_with("D "))
            .map(|line| line.split(" | ").collect())
            .collect();
        let correction = runs.iter().find(|run| run[1] == "correction_sql");
        assert!(correction.is_some_and(|run| run[2] == "scripted"), "{trace:?}");
        assert!(client.query(ODD).contains(&"D Mars".to_owned()));
    });
}

#[test]
fn sql_that_stays_wrong_is_told() {
    let toml = "[limits]\nattempts = 1\n";
    with_model(toml, &[says(WRONG), Turn::says(WRONG)], |leg, _| {
        let (code, detail, _) = refusal(leg, "", ODD);
        assert_eq!(code, "NL005", "{}", leg.name);
        assert!(detail.contains(WRONG), "{detail}");
    });
}

#[test]
fn a_model_that_does_not_answer_is_named() {
    let turns = [
        Turn::status(500),
        Turn::status(401),
        Turn::says("I would rather not."),
    ];
    with_model("", &turns, |leg, _| {
        for expected in ["HTTP 500", "HTTP 401", "scripted: not understood"] {
            let (code, detail, hint) = refusal(leg, "SET querent.mode = single", ODD);
            assert_eq!(code, "NL004", "{}: {detail}", leg.name);
            assert!(
                detail.contains("scripted: ") && detail.contains(expected),
                "{detail}"
            );
            assert!(!hint.is_empty());
        }
    });
}

#[test]
fn one_out_of_reach_leaves_the_agents_their_answers() {
    let model = ScriptedModel::start(vec![]);
    let toml = table(&model);
    drop(model);
    super::legs::each(&toml, |leg| {
        let mut client = leg.client();
        assert_eq!(client.query(COUNT)[1], "D 3", "{}", leg.name);
        let (code, detail, _) = refusal(leg, "", ODD);
        assert_eq!(code, "NL004");
        assert!(detail.contains("scripted: unreachable"), "{detail}");
        // Afterwards nothing is different.
        assert_eq!(client.query(COUNT)[1], "D 3");
    });
}

#[test]
fn budgets_are_kept() {
    let linked = Turn::says("{\"tables\": [{\"name\": \"planet\", \"columns\": [\"name\"]}]}");
    let toml = "[limits]\nmodel_calls = 1\n";
    with_model(toml, &[linked], |leg, _| {
        let (code, detail, _) = refusal(leg, "SET querent.mode = sot", ODD);
        assert_eq!(code, "NL004", "{}: {detail}", leg.name);
        assert!(
            detail.contains("budget spent") && detail.contains("model_calls"),
            "{detail}"
        );
    });
    let toml = "[limits]\ntokens_per_session = 20000\n";
    with_model(toml, &[says(MARS).took(19_990, 10), says(MARS)], |leg, _| {
        let mut client = leg.client();
        assert_eq!(client.query(ODD)[1], "D Mars");
        // The session's tokens are spent, and DISCARD brings none back; another has its own.
        client.query("DISCARD ALL");
        let told = client.query("-- nl: frobnicate it once more");
        assert!(told[0].starts_with("E ERROR NL004"), "{}: {told:?}", leg.name);
        assert!(
            leg.client()
                .query("-- nl: frobnicate all")
                .contains(&"D Mars".to_owned())
        );
    });
}

#[test]
fn an_answer_is_frozen_at_parse() {
    with_model(
        "",
        &[says("SELECT name, moons FROM planet WHERE moons > 1 ORDER BY id")],
        |leg, model| {
            let mut client = leg.client();
            let told = converse(
                &mut client,
                &[
                    "Parse s | -- nl: frobnicate the zorblax",
                    "DescribeStatement s",
                    "Bind | s",
                    "Execute | 1",
                    "Execute",
                    "Sync",
                ],
            );
            let rows: Vec<&String> = told.iter().filter(|line| line.starts_with("D ")).collect();
            assert_eq!(rows, ["D Mars | 2", "D Saturn | 146"], "{}: {told:?}", leg.name);
            let columns = told.iter().find(|line| line.starts_with("T ")).unwrap();
            assert!(columns.starts_with("T name:25 moons:"), "{columns}");
            // The statement asks nobody again, whatever the session's settings have become.
            client.query("SET querent.mode = sot");
            let told = converse(&mut client, &["Bind | s", "Execute", "Sync"]);
            assert!(told.contains(&"D Saturn | 146".to_owned()), "{told:?}");
            assert_eq!(model.requests().len(), 1);
        },
    );
}

#[test]
fn questions_come_with_bind_and_in_larger_statements() {
    let turns = [says(MARS).when("zorblax"), says(MARS).when("gizmo")];
    with_model("", &turns, |leg, _| {
        let mut client = leg.client();
        let told = converse(
            &mut client,
            &[
                "Parse | SELECT * FROM nl($1)",
                "Bind | | frobnicate the zorblax",
                "DescribePortal ",
                "Execute",
                "Sync",
            ],
        );
        assert!(told.contains(&"D Mars".to_owned()), "{}: {told:?}", leg.name);
        let told = client.query("SELECT count(*) AS n FROM nl('frobnicate the gizmo') AS g");
        assert_eq!(told[1], "D 1", "{}: {told:?}", leg.name);
        // EXPLAIN of the same asks nobody.
        let told = client.query("EXPLAIN SELECT * FROM nl('frobnicate the gizmo')");
        assert!(told[0].starts_with("T QUERY PLAN"), "{told:?}");
    });
}

#[test]
fn agents_are_told_of_with_their_models() {
    with_model("", &[says(MARS)], |leg, _| {
        let mut client = leg.client();
        client.query("SET querent.notices = progress");
        let told = client.query(ODD);
        let notices: Vec<&String> = told.iter().filter(|line| line.starts_with("N ")).collect();
        let single = notices
            .iter()
            .find(|line| line.contains("nl: single (scripted, ok, "));
        assert!(single.is_some(), "{}: {told:?}", leg.name);
        for (notice, agent) in notices.iter().zip(["reading", "schema_linking", "subproblems"]) {
            let start = format!("N NOTICE 00000 nl: {agent} (");
            assert!(notice.starts_with(&start), "{}: {told:?}", leg.name);
        }
    });
}

#[test]
fn a_write_of_a_model_never_reaches_the_database() {
    let turns = [
        says("DELETE FROM planet"),
        Turn::says("SELECT name FROM planet; DROP TABLE planet"),
        Turn::says("UPDATE planet SET moons = 0"),
    ];
    with_model("", &turns, |leg, _| {
        let mut client = leg.client();
        let told = client.query(ODD);
        let refused = ["E ERROR 42501", "E ERROR NL005"];
        assert!(
            refused.iter().any(|code| told[0].starts_with(code)),
            "{}: {told:?}",
            leg.name
        );
        assert_eq!(client.query("SELECT sum(moons) FROM planet")[1], "D 148");
    });
}
