//! `querent eval` on a small data set made here: scores, files, going on after an interrupt, bad input.

use std::{
    process::{Command, Stdio},
    time::Duration,
};

use serde_json::{Value, json};

use crate::program::{Place, ran, refuses};

impl Place {
    /// A data set of two databases and six questions.
    fn data_set(&self) {
        let question = |db: &str, question: &str, query: &str, difficulty: &str| {
            json!({"db_id": db, "question": question, "reworded": format!("{question}!"), "query": query,
                   "difficulty": difficulty})
        };
        let questions = json!([
            question(
                "pets",
                "How many pets are there?",
                "SELECT count(*) FROM pet",
                "easy"
            ),
            question(
                "pets",
                "List the names of pets by weight.",
                "SELECT name FROM pet ORDER BY weight",
                "easy"
            ),
            question(
                "pets",
                "Pets heavier than 100?",
                "SELECT name FROM pet WHERE weight > 100",
                "hard"
            ),
            question(
                "shops",
                "How many shops are there?",
                "SELECT count(*) FROM shop",
                "easy"
            ),
            question("shops", "Which shops?", "SELECT name, city FROM shop", "medium"),
            question("shops", "Broken gold?", "SELECT nothing FROM shop", "hard"),
        ]);
        self.write("set/questions.json", &questions.to_string());
        self.write(
            "set/split.json",
            r#"{"one": ["pets"], "both": ["pets", "shops"]}"#,
        );
        self.database(
            "set/database/pets/pets.sqlite",
            "CREATE TABLE pet (id INTEGER PRIMARY KEY, name TEXT, weight REAL);
             INSERT INTO pet VALUES (1, 'Rex', 20.5), (2, 'Tom', 4.0), (3, 'Kit', 3.5);",
        );
        self.database(
            "set/database/shops/shops.sqlite",
            "CREATE TABLE shop (id INTEGER PRIMARY KEY, name TEXT, city TEXT);
             INSERT INTO shop VALUES (1, 'North', 'Oslo'), (2, 'South', 'Rome');",
        );
    }

    fn report(&self) -> Value {
        serde_json::from_str(&self.read("out/report.json")).unwrap()
    }
}

#[test]
fn predictions_are_scored() {
    let place = Place::new();
    place.data_set();
    // Right in another order of columns; wrong order of rows; empty like the gold; a failing one; none; a good one.
    let predictions = json!([
        "select COUNT(*) from pet;",
        "SELECT name FROM pet",
        "SELECT id, name FROM pet WHERE weight > 500",
        "SELECT count(*) FROM shops",
        "SELECT city, name FROM shop",
        null
    ]);
    place.write("mine.json", &predictions.to_string());
    let ran = place.run(&[
        "eval",
        "set",
        "--predictions",
        "mine.json",
        "--out",
        "out",
        "--jobs",
        "2",
    ]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    assert!(ran.out.contains("set by predictions"), "{}", ran.out);
    let report = place.report();
    for (field, expected) in [
        ("n", json!(6)),
        ("mode", json!("predictions")),
        ("dataset", json!("set")),
        ("oracle", json!(false)),
        ("ex", json!(0.5)),
        ("answered", json!(5.0 / 6.0)),
        ("valid", json!(4.0 / 6.0)),
        ("em", json!(1.0 / 6.0)),
        ("precision_when_answered", json!(0.6)),
        ("ex_nonempty", json!(0.5)),
        ("cost_usd_per_question", json!(0.0)),
    ] {
        assert_eq!(report[field], expected, "{field}");
    }
    assert!(report["ves"].as_f64().unwrap() > 0.0);
    // A gold that fails is told apart, and nobody is blamed for it.
    assert_eq!(report["gold_failed"], 1, "{report}");
    for told in [
        "gold that does not run: 1 of 6;",
        "execution accuracy",
        "exact match",
        "valid efficiency",
    ] {
        assert!(ran.out.contains(told), "no {told} in {}", ran.out);
    }
    assert_eq!(report["by_difficulty"]["easy"]["n"], 3);
    assert_eq!(report["errors"]["42P01"], 1, "{report}");
    assert_eq!(report["errors"]["no_prediction"], 1, "{report}");
    let csv = place.read("out/predictions.csv");
    assert!(csv.starts_with(
        "index,db_id,question,gold,predicted,answered,valid,correct,exact_match,tier,confidence,findings,model_calls,\
         prompt_tokens,completion_tokens,milliseconds,error\n"
    ));
    assert_eq!(csv.lines().count(), 7);
    let sql = place.read("out/predicted.sql");
    assert_eq!(sql.lines().count(), 6);

    // What was written scores the same when it is read.
    let ran = place.run(&[
        "eval",
        "set",
        "--predictions",
        "out/predicted.sql",
        "--out",
        "again",
    ]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let again: Value = serde_json::from_str(&place.read("again/report.json")).unwrap();
    for field in ["ex", "answered", "valid", "em"] {
        assert_eq!(report[field], again[field], "{field}");
    }
}

#[test]
fn findings_and_repairs_are_counted() {
    let place = Place::new();
    place.data_set();
    let predictions = json!([
        // Repaired, and right then.
        "SELECT count(*) FROM pets",
        "SELECT nmae FROM pet ORDER BY weight",
        // Flagged, and wrong.
        "SELECT name, name FROM pet WHERE weight > 1",
        "SELECT count(*) FROM shop",
        // Not repaired: nothing is near.
        "SELECT zzz FROM shop",
        null
    ]);
    place.write("mine.json", &predictions.to_string());
    let arguments = ["eval", "set", "--predictions", "mine.json", "--out", "out"];
    let ran = place.run(&arguments);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let report = place.report();
    assert_eq!(report["ex"], json!(1.0 / 6.0));
    assert_eq!(report["flagged"]["wrong_flagged_at_error"], 3, "{report}");
    assert_eq!(report["by_taxonomy"]["table_missing"]["wrong"], 1);
    assert_eq!(report["by_taxonomy"]["duplicate_select"]["wrong"], 1);
    assert_eq!(report["repairs"]["tried"], 0);
    assert!(
        ran.out.contains("flagged: 4 of 4 wrong answers (3 at error)"),
        "{}",
        ran.out
    );

    let ran = place.run(&[&arguments[..], &["--repair"]].concat());
    assert_eq!(ran.code, 0, "{}", ran.err);
    let report = place.report();
    assert_eq!(report["ex"], json!(0.5));
    let repairs = &report["repairs"];
    assert_eq!(
        (&repairs["tried"], &repairs["made_wrong"]),
        (&json!(5), &json!(0))
    );
    assert_eq!(repairs["made_right"], 2, "{repairs}");
    for (code, tried, kept, made_right) in [("table_missing", 1, 1, 1), ("col_missing", 2, 1, 1)] {
        let repairs = &report["by_taxonomy"][code]["repairs"];
        let told = ["tried", "kept", "made_right"].map(|count| repairs[count].as_u64().unwrap());
        assert_eq!(told, [tried, kept, made_right], "{code}");
    }
    assert!(ran.out.contains("2 made right, 0 made wrong"), "{}", ran.out);
    let tier = |line: &str| line.contains(",repaired,");
    assert_eq!(
        place
            .read("out/predictions.csv")
            .lines()
            .filter(|line| tier(line))
            .count(),
        repairs["kept"]
    );
}

#[test]
fn the_embedded_mode_fills_the_same_report() {
    let place = Place::new();
    place.data_set();
    let arguments = [
        "eval",
        "set",
        "--mode",
        "embedded",
        "--split",
        "split.json:one",
        "--out",
        "out",
    ];
    let ran = place.run(&arguments);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let report = place.report();
    assert_eq!(
        (&report["n"], &report["models"]),
        (&json!(3), &json!(["embedded"]))
    );
    for field in ["p50", "p95", "max"] {
        assert!(report["latency_ms"][field].as_f64().unwrap() >= 0.0);
    }
}

#[test]
fn an_evaluation_goes_on_where_it_stopped() {
    let place = Place::new();
    place.data_set();
    place.write("mine.sql", &"SELECT count(*) FROM pet\n".repeat(6));
    let base = ["eval", "set", "--predictions", "mine.sql", "--out", "out"];
    assert_eq!(place.run(&[&base[..], &["--limit", "2"]].concat()).code, 0);
    // As if it had been killed while it wrote.
    let state = place.read("out/state.jsonl");
    assert_eq!(state.lines().count(), 3);
    place.write("out/state.jsonl", &state[..state.len() - 20]);
    let ran = place.run(&[&base[..], &["--resume"]].concat());
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert_eq!(place.report()["n"], 6);
    assert_eq!(place.read("out/state.jsonl").lines().count(), 7);

    let other = ["eval", "set", "--out", "out", "--resume"];
    refuses(
        &place,
        &other,
        1,
        &["cannot resume: mode was \"predictions\"", "hint:"],
    );
    let other = [&base[..], &["--resume", "--question-field", "reworded"]].concat();
    refuses(&place, &other, 1, &["cannot resume: question-field"]);
    place.write("out/state.jsonl", "garbage");
    refuses(
        &place,
        &[&base[..], &["--resume"]].concat(),
        1,
        &["is not the state of an evaluation"],
    );
}

#[test]
fn an_interrupt_leaves_a_state_to_go_on_from() {
    let place = Place::new();
    place.data_set();
    let slow = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c WHERE x < 800000) \
                SELECT count(*) FROM c\n";
    place.write("slow.sql", &slow.repeat(6));
    let arguments = [
        "eval",
        "set",
        "--predictions",
        "slow.sql",
        "--out",
        "out",
        "--jobs",
        "1",
    ];
    let child = place
        .command(&arguments)
        .stderr(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let begun = || {
        std::fs::read_to_string(place.path("out/state.jsonl")).is_ok_and(|state| state.lines().count() > 1)
    };
    while !begun() {
        std::thread::sleep(Duration::from_millis(10));
    }
    let interrupted = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status()
        .unwrap();
    assert!(interrupted.success());
    let ran = ran(&child.wait_with_output().unwrap());
    assert_eq!((ran.code, ran.out.as_str()), (1, ""));
    assert!(
        ran.err.contains("stopped after") && ran.err.contains("--resume"),
        "{}",
        ran.err
    );
    assert_eq!(place.run(&[&arguments[..], &["--resume"]].concat()).code, 0);
    assert_eq!(place.report()["n"], 6);
}

#[test]
fn a_data_set_that_does_not_fit_is_refused() {
    let place = Place::new();
    place.data_set();
    refuses(
        &place,
        &["eval", "nowhere"],
        1,
        &["nowhere/questions.json", "hint:"],
    );
    refuses(
        &place,
        &["eval", "set", "--split", "split.json:three"],
        1,
        &["has no split \"three\"", "both, one"],
    );
    refuses(
        &place,
        &["eval", "set", "--split", "none.json:one"],
        1,
        &["cannot read the split"],
    );
    refuses(
        &place,
        &["eval", "set", "--db", "shop"],
        1,
        &["did you mean shops?"],
    );
    refuses(
        &place,
        &["eval", "set", "--question-field", "text"],
        1,
        &["has no text field \"text\"", "reworded"],
    );
    refuses(
        &place,
        &["eval", "set", "--predictions", "none.sql"],
        1,
        &["none.sql"],
    );
    place.write("short.sql", "SELECT 1\n");
    refuses(
        &place,
        &["eval", "set", "--predictions", "short.sql"],
        1,
        &["1 predictions for 6 questions"],
    );
    place.write("broken.json", "[\"SELECT 1\", 5]");
    refuses(
        &place,
        &["eval", "set", "--predictions", "broken.json"],
        1,
        &["broken.json", "hint:"],
    );
    place.write("set/questions.json", "{\"questions\": []}");
    refuses(
        &place,
        &["eval", "set"],
        1,
        &["questions.json", "is a list of objects"],
    );
    std::fs::remove_file(place.path("set/database/pets/pets.sqlite")).unwrap();
    place.write(
        "set/questions.json",
        r#"[{"db_id": "pets", "question": "q", "query": "SELECT 1"}]"#,
    );
    refuses(
        &place,
        &["eval", "set"],
        1,
        &["there is no database", "db_id \"pets\""],
    );
}

#[test]
fn a_broken_database_counts_as_wrong_and_does_not_stop_the_rest() {
    let place = Place::new();
    place.data_set();
    place.write(
        "set/database/pets/pets.sqlite",
        "no database at all, just some words in a file of some length",
    );
    place.write("mine.sql", &"SELECT count(*) FROM shop\n".repeat(6));
    let ran = place.run(&["eval", "set", "--predictions", "mine.sql", "--out", "out"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert_eq!(place.report()["ex"], json!(1.0 / 6.0));
}
