//! What is recorded of questions, in front of both databases.

use std::time::Duration;

use querent::service::audit::Entry;

use super::book::wait_for;
use crate::conversation::legs::{COUNT, Leg, ODD, each, says, with_model};
use crate::{model::turn::Turn, server::raw::client_message};

const AUDIT: &str = "[store]\npath = \"FOLDER/audit.db\"\n";

/// The entries once there are so many, and all that have run have ended.
fn recorded(leg: &Leg, count: usize) -> Vec<Entry> {
    wait_for(&leg.folder().join("audit.db"), |entries| {
        entries.len() == count && entries.iter().all(|entry| entry.outcome.is_some())
    })
}

/// What matters of an entry.
fn outline(entry: &Entry) -> String {
    format!(
        "{} {} {} {} {}",
        entry.action,
        entry.decision,
        entry.outcome.as_deref().unwrap_or("-"),
        entry.sqlstate.as_deref().unwrap_or("-"),
        entry.rows.map_or_else(|| "-".to_owned(), |rows| rows.to_string())
    )
}

#[test]
fn every_way_to_ask_is_recorded() {
    each(&format!("ask_keyword = true\n{AUDIT}"), |leg| {
        let mut client = leg.client();
        client.query("SET application_name = 'the test'");
        let ways = [
            (COUNT, "run allowed ok - 1"),
            ("-- nl: list the names of all planets", "run allowed ok - 3"),
            (
                "SELECT * FROM nl('how many planets are there?')",
                "run allowed ok - 1",
            ),
            ("ASK how many planets are there?;", "run allowed ok - 1"),
            (
                "SELECT name FROM nl('list the names of all planets') AS p LIMIT 2",
                "run allowed ok - 2",
            ),
            ("-- nl sql: how many planets are there?", "sql allowed shown - 1"),
            (ODD, "run refused refused NL001 -"),
            (
                "CREATE TABLE kept AS SELECT * FROM nl('list the names of all planets')",
                "statement refused refused 42501 -",
            ),
            ("-- nl good: yes", "good feedback - - -"),
        ];
        for (statement, _) in ways {
            client.query(statement);
        }
        let entries = wait_for(&leg.folder().join("audit.db"), |entries| {
            entries.len() == ways.len()
                && entries
                    .iter()
                    .all(|entry| entry.outcome.is_some() || entry.decision == "feedback")
        });
        for (entry, (statement, expected)) in entries.iter().zip(ways) {
            assert_eq!(outline(entry), expected, "{}: {statement}: {entry:#?}", leg.name);
            assert_eq!(
                (entry.application.as_str(), entry.address.as_str()),
                ("the test", "127.0.0.1")
            );
            assert!(
                !entry.user.is_empty() && !entry.database.is_empty() && entry.session > 0,
                "{entry:?}"
            );
        }
        let first = &entries[0];
        assert_eq!(first.question, "how many planets are there?");
        assert_eq!(
            (first.tier.as_deref(), first.cached, first.runs),
            (Some("embedded"), Some(false), 1)
        );
        let sql = first.sql.as_deref().unwrap().to_lowercase();
        assert!(sql.contains("count(*)") && sql.contains("planet"), "{sql}");
        assert!(first.confidence.unwrap() > 0.0 && first.run_ms.unwrap() > 0.0);
        // The same words again took no work.
        assert_eq!(entries[2].cached, Some(true), "{}", leg.name);
        assert!(entries[6].sql.is_none() && entries[6].reason.is_some());
        let said = entries.last().unwrap();
        assert_eq!(
            (said.question.as_str(), said.text.as_deref()),
            ("how many planets are there?", Some("yes"))
        );
    });
}

#[test]
fn each_run_of_a_prepared_question_is_recorded() {
    each(AUDIT, |leg| {
        let mut client = leg.client();
        client.send(&client_message("Parse s | -- nl: list the names of all planets"));
        for _ in 0..3 {
            client.send(&client_message("Bind | s |"));
            client.send(&client_message("Execute"));
        }
        client.send(&client_message("Sync"));
        client.until_ready();
        let entries = wait_for(&leg.folder().join("audit.db"), |entries| {
            entries.iter().any(|entry| entry.runs == 3)
        });
        assert_eq!(entries.len(), 1, "{}: asked once: {entries:#?}", leg.name);
        assert_eq!(outline(&entries[0]), "run allowed ok - 9", "{}", leg.name);
        // By SQL, and by a cursor.
        client.query("PREPARE p AS SELECT * FROM nl('list the names of all planets')");
        client.query("EXECUTE p; EXECUTE p");
        client.query("BEGIN; DECLARE k CURSOR FOR SELECT * FROM nl('list the names of all planets')");
        client.query("FETCH 2 FROM k; FETCH ALL FROM k; COMMIT");
        client.query("COPY (SELECT * FROM nl('list the names of all planets')) TO STDOUT");
        let entries = wait_for(&leg.folder().join("audit.db"), |entries| {
            let rows: Vec<_> = entries.iter().map(|entry| entry.rows.unwrap_or(0)).collect();
            rows == [9, 6, 3, 3]
        });
        assert!(entries.iter().all(|entry| entry.decision == "allowed"));
    });
}

#[test]
fn what_fails_or_is_cut_off_is_recorded() {
    each(AUDIT, |leg| {
        let mut client = leg.client();
        client.query("SET querent.row_limit = 2");
        client.query("-- nl: list the names of all planets");
        let entries = recorded(leg, 1);
        let told = outline(&entries[0]);
        assert!(
            told.starts_with("run allowed failed 54000"),
            "{}: {told}",
            leg.name
        );
        assert!(entries[0].rows <= Some(2), "{}: {told}", leg.name);
        // Rows that are not taken.
        client.query("RESET querent.row_limit");
        client.query("SET querent.row_limit = 100");
        for message in [
            "Parse | -- nl: list the names of all planets",
            "Bind | |",
            "Execute | 2",
            "Sync",
        ] {
            client.send(&client_message(message));
        }
        client.until_ready();
        // Whoever begins something else does not come back for them.
        client.query("SELECT 1");
        let entries = recorded(leg, 2);
        assert_eq!(outline(&entries[1]), "run allowed left - 2", "{}", leg.name);
    });
}

#[test]
fn what_is_too_large_beside_other_statements_is_recorded_as_that() {
    each(AUDIT, |leg| {
        let mut client = leg.client();
        client.query("SET querent.row_limit = 2");
        let ways = [
            "{}; SELECT 2",
            "SELECT 2; {}",
            "BEGIN; {}; COMMIT",
            "COPY ({}) TO STDOUT",
        ];
        for (count, way) in (1..).zip(ways) {
            let query = way.replace("{}", "SELECT * FROM nl('list the names of all planets') p");
            let told = client.query(&query);
            let error = &told[told.len() - 2];
            assert!(error.starts_with("E ERROR 54000"), "{}: {told:?}", leg.name);
            client.query("ROLLBACK");
            let entries = recorded(leg, count);
            let told = outline(entries.last().unwrap());
            assert!(
                told.starts_with("run allowed failed 54000"),
                "{}: {query}: {told}",
                leg.name
            );
        }
    });
}

#[test]
fn a_cancelled_question_is_recorded() {
    with_model(AUDIT, &[Turn::hangs()], |leg, model| {
        let mut client = leg.client();
        client.send(&client_message(&format!("Query {ODD}")));
        model.wait_for_requests(1);
        leg.cancel(&client);
        client.until_ready();
        let entries = recorded(leg, 1);
        assert_eq!(outline(&entries[0]), "run none cancelled 57014 -", "{}", leg.name);
        assert_eq!(entries[0].model_calls, Some(1), "{}", leg.name);
    });
}

#[test]
fn a_model_is_named_for_what_is_refused_of_its_sql() {
    let toml = format!("{AUDIT}[limits]\nattempts = 0\n");
    for (sql, expected) in [
        ("DELETE FROM planet", "run refused refused 42501 -"),
        ("SELECT no FROM nowhere", "run none failed NL005 -"),
    ] {
        with_model(&toml, &[says(sql)], |leg, _| {
            leg.client().query(ODD);
            let entries = recorded(leg, 1);
            assert_eq!(outline(&entries[0]), expected, "{}", leg.name);
            assert_eq!(entries[0].tier.as_deref(), Some("scripted"), "{}", leg.name);
        });
    }
}

#[test]
fn sql_that_is_cancelled_is_recorded() {
    let tables: Vec<String> = (0..16).map(|number| format!("planet AS p{number}")).collect();
    let endless = format!("SELECT p0.name FROM {}", tables.join(" CROSS JOIN "));
    let toml = format!("{AUDIT}[limits]\nrows = 0\nbytes = 0\ncost = 0\n");
    let ways = [
        ODD.to_owned(),
        format!(
            "COPY (SELECT * FROM nl('{}')) TO STDOUT",
            ODD.trim_start_matches("-- nl: ")
        ),
    ];
    for way in ways {
        with_model(&toml, &[says(&endless)], |leg, _| {
            let mut client = leg.client();
            client.send(&client_message(&format!("Query {way}")));
            // It is let through, and more of its rows than fit wait for the client.
            wait_for(&leg.folder().join("audit.db"), |entries| !entries.is_empty());
            std::thread::sleep(Duration::from_millis(500));
            leg.cancel(&client);
            let told = client.until_ready();
            assert!(told.iter().any(|line| line.contains("57014")), "{}", leg.name);
            let entries = recorded(leg, 1);
            let told = outline(&entries[0]);
            assert!(
                told.starts_with("run allowed cancelled 57014"),
                "{}: {told}",
                leg.name
            );
        });
    }
}
