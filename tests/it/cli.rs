//! The command line, by running the program: every subcommand, bad input, exit codes, hints.

use std::{
    io::{BufRead, BufReader},
    net::TcpStream,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
    time::Duration,
};

use serde_json::{Value, json};
use tempfile::TempDir;

/// A folder in which the program runs, away from the surroundings of the tests.
struct Place(TempDir);

/// What the program did.
struct Ran {
    code: i32,
    out: String,
    err: String,
}

impl Place {
    fn new() -> Self {
        let place = Self(tempfile::tempdir().unwrap());
        place.database(
            "pets.db",
            "CREATE TABLE owner (id INTEGER PRIMARY KEY, name TEXT NOT NULL, city TEXT);
             CREATE TABLE pet (id INTEGER PRIMARY KEY, name TEXT, kind TEXT, weight REAL,
                               owner_id INTEGER REFERENCES owner(id));
             INSERT INTO owner VALUES (1, 'Ada', 'Paris'), (2, 'Ben', 'Rome'), (3, 'Cy', 'Paris');
             INSERT INTO pet VALUES (1, 'Rex', 'dog', 20.5, 1), (2, 'Tom', 'cat', 4.0, 1), (3, 'Kit', 'cat', 3.5, 2);",
        );
        place
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn write(&self, name: &str, text: &str) {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).unwrap()
    }

    fn database(&self, name: &str, sql: &str) {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        let connection = rusqlite::Connection::open(path).unwrap();
        connection.execute_batch(sql).unwrap();
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_querent"));
        command
            .args(arguments)
            .current_dir(self.0.path())
            .env_clear()
            .env("HOME", self.0.path());
        command
    }

    fn run(&self, arguments: &[&str]) -> Ran {
        ran(&self.command(arguments).output().unwrap())
    }

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

fn ran(output: &Output) -> Ran {
    Ran {
        code: output.status.code().unwrap_or(-1),
        out: String::from_utf8_lossy(&output.stdout).into_owned(),
        err: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}

/// Runs the program and expects this exit code and these words on stderr, with nothing on stdout.
fn refuses(place: &Place, arguments: &[&str], code: i32, expected: &[&str]) {
    let ran = place.run(arguments);
    assert_eq!(ran.code, code, "{arguments:?}: {}", ran.err);
    assert_eq!(ran.out, "", "{arguments:?}");
    for words in expected {
        assert!(
            ran.err.contains(words),
            "{arguments:?}: no {words:?} in: {}",
            ran.err
        );
    }
    assert!(!ran.err.contains("panicked"), "{arguments:?}: {}", ran.err);
}

#[test]
fn help_and_version_go_to_stdout() {
    let place = Place::new();
    for arguments in [
        &["--help"][..],
        &["--version"],
        &["serve", "--help"],
        &["ask", "--help"],
        &["eval", "--help"],
        &["check", "--help"],
        &["config", "--help"],
        &["demo", "--help"],
    ] {
        let ran = place.run(arguments);
        assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{arguments:?}");
        assert!(ran.out.contains("querent"), "{arguments:?}: {}", ran.out);
    }
    assert!(place.run(&["ask", "--help"]).out.contains("Examples:"));
    assert_eq!(place.run(&[]).code, 2);
}

#[test]
fn wrong_usage_is_exit_code_2() {
    let place = Place::new();
    refuses(&place, &["bogus"], 2, &["bogus"]);
    refuses(&place, &["ask"], 2, &["BACKEND"]);
    refuses(&place, &["ask", "sqlite:pets.db"], 2, &["QUESTION"]);
    refuses(
        &place,
        &["ask", "pets.db", "q"],
        2,
        &["did you mean sqlite:pets.db?"],
    );
    refuses(
        &place,
        &["ask", "postgres://localhost/x", "q"],
        2,
        &["not supported yet", "sqlite:PATH"],
    );
    refuses(&place, &["ask", "sqlite:", "q"], 2, &["names no file"]);
    refuses(
        &place,
        &["ask", "sqlite:pets.db", "q", "--format", "xml"],
        2,
        &["table, csv, json"],
    );
    refuses(
        &place,
        &["ask", "sqlite:pets.db", "q", "--model", "openai:x"],
        2,
        &["not supported yet"],
    );
    refuses(
        &place,
        &["eval", "set", "--mode", "plain"],
        2,
        &["not supported yet", "embedded"],
    );
    refuses(&place, &["eval", "set", "--mode", "guess"], 2, &["embedded"]);
    refuses(&place, &["eval", "set", "--oracle"], 2, &["--oracle"]);
    refuses(&place, &["eval", "set", "--resume"], 2, &["--out"]);
    refuses(&place, &["eval", "set", "--repair"], 2, &["--predictions"]);
    refuses(&place, &["eval", "set", "--limit", "0"], 2, &["above 0"]);
    refuses(&place, &["eval", "set", "--split", "x"], 2, &["FILE:NAME"]);
}

#[test]
fn files_that_are_no_database_are_refused() {
    let place = Place::new();
    place.write(
        "text.db",
        "this is not a database, only text that is long enough to be read as a header of one",
    );
    std::fs::create_dir(place.path("folder")).unwrap();
    for command in ["ask", "check", "serve"] {
        for (backend, expected) in [
            ("sqlite:missing.db", "missing.db"),
            ("sqlite:folder", "folder"),
            ("sqlite:text.db", "text.db"),
        ] {
            let mut arguments = vec![command, backend];
            if command == "ask" {
                arguments.push("how many?");
            }
            refuses(&place, &arguments, 1, &["error: ", expected]);
        }
    }
    assert!(!place.path("missing.db").exists());
}

#[test]
fn settings_are_printed_with_their_sources_and_can_be_read_back() {
    let place = Place::new();
    place.write(
        "querent.toml",
        "listen = \"127.0.0.1:1\"\n[auth]\nmode = \"scram\"\n[auth.users]\nann = \"hunter2\"\n",
    );
    let output = place
        .command(&["config"])
        .env("QUERENT_LIMITS__ROWS", "9")
        .output()
        .unwrap();
    let ran = ran(&output);
    assert_eq!(ran.code, 0, "{}", ran.err);
    for expected in [
        "listen = [\"127.0.0.1:1\"]  # (from ./querent.toml:1)",
        "rows = 9  # (from environment QUERENT_LIMITS__ROWS)",
        "users = { ann = \"********\" }",
        "mode = \"scram\"",
    ] {
        assert!(ran.out.contains(expected), "{expected}: {}", ran.out);
    }
    assert!(!ran.out.contains("hunter2"));
    place.write("again.toml", &ran.out);
    let again = place.run(&["config", "--config", "again.toml"]);
    assert_eq!(again.code, 0, "{}", again.err);
}

#[test]
fn wrong_settings_name_the_place_and_the_neighbour() {
    let place = Place::new();
    place.write("querent.toml", "[limits]\nrow = 5\n");
    refuses(
        &place,
        &["config"],
        1,
        &["querent.toml:2", "limits.row", "did you mean limits.rows?"],
    );
    refuses(
        &place,
        &["ask", "sqlite:pets.db", "q"],
        1,
        &["did you mean limits.rows?"],
    );
    refuses(&place, &["config", "--config", "none.toml"], 1, &["none.toml"]);
    place.write("querent.toml", "log = \"a=b=c\"\n");
    refuses(&place, &["config"], 1, &["log filter", "hint:"]);
}

#[test]
fn check_shows_the_schema_and_tells_problems() {
    let place = Place::new();
    let ran = place.run(&["check", "sqlite:pets.db"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    for expected in [
        "owner_id",
        "-> owner.id",
        "primary",
        "2 tables",
        "1 declared foreign keys",
        "value index:",
    ] {
        assert!(ran.out.contains(expected), "{expected}: {}", ran.out);
    }
    place.write("open.toml", "listen = \"0.0.0.0:7432\"\n");
    let ran = place.run(&["check", "sqlite:pets.db", "--config", "open.toml"]);
    assert_eq!(ran.code, 1);
    assert!(
        ran.err.contains("problem: 0.0.0.0:7432") && ran.err.contains("allow_trust_from_anywhere"),
        "{}",
        ran.err
    );
    place.database("empty.db", "VACUUM");
    let ran = place.run(&["check", "sqlite:empty.db"]);
    assert_eq!(ran.code, 1);
    assert!(ran.err.contains("no tables"), "{}", ran.err);
}

#[test]
fn serve_refuses_strangers_without_passwords() {
    let place = Place::new();
    let arguments = ["serve", "sqlite:pets.db", "--listen", "0.0.0.0:0"];
    refuses(&place, &arguments, 1, &["trust", "allow_trust_from_anywhere"]);
    refuses(
        &place,
        &["serve", "sqlite:pets.db", "--listen", "nowhere:x"],
        1,
        &["listen", "argument --listen"],
    );
}

#[test]
fn serve_tells_where_it_listens_and_ends_on_sigterm() {
    let place = Place::new();
    let mut child = place
        .command(&["serve", "sqlite:pets.db", "--listen", "127.0.0.1:0"])
        .arg("--listen")
        .arg(place.path("").join(".s.PGSQL.7"))
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stderr.take().unwrap())
        .lines()
        .map(Result::unwrap);
    let mut listening = || loop {
        let line = lines.next().expect("the server says where it listens");
        if let Some(address) = line.strip_prefix("listening on ") {
            return address.to_owned();
        }
    };
    let address = listening();
    assert!(!address.ends_with(":0"), "{address}");
    assert!(listening().ends_with(".s.PGSQL.7"));
    TcpStream::connect(address).unwrap();
    let told = Command::new("kill")
        .args(["-TERM", &child.id().to_string()])
        .status()
        .unwrap();
    assert!(told.success());
    assert!(child.wait().unwrap().success());
    assert!(!place.path(".s.PGSQL.7").exists());
}

#[test]
fn a_question_is_answered_in_every_format() {
    let place = Place::new();
    let ask = |more: &[&str]| {
        let question = ["ask", "sqlite:pets.db", "How many pets are there of each kind?"];
        let ran = place.run(&[&question[..], more].concat());
        assert_eq!(ran.code, 0, "{more:?}: {}", ran.err);
        ran
    };
    let table = ask(&[]);
    assert!(
        table.out.contains("(2 rows)") && table.out.contains("cat"),
        "{}",
        table.out
    );
    let notice = table.err.lines().last().unwrap();
    assert!(
        notice.starts_with("nl: SELECT ") && notice.ends_with(" ms)"),
        "{notice}"
    );

    let csv = ask(&["--format", "csv"]).out;
    let lines: Vec<&str> = csv.lines().skip(1).collect();
    assert_eq!(lines, ["cat,2", "dog,1"]);
    let rows: Value = serde_json::from_str(&ask(&["--format", "json"]).out).unwrap();
    assert_eq!(rows[0]["kind"], "cat");

    let sql = ask(&["--sql"]);
    assert!(
        sql.out.starts_with("SELECT ") && sql.out.ends_with(";\n"),
        "{}",
        sql.out
    );
    let connection = rusqlite::Connection::open(place.path("pets.db")).unwrap();
    connection.query_row(sql.out.trim(), [], |_| Ok(())).unwrap();

    let trace = ask(&["--trace", "--format", "csv"]).out;
    assert!(trace.starts_with(
        "seq,agent,model,attempt,milliseconds,prompt_tokens,completion_tokens,outcome,output\n1,schema_linking,"
    ));
    let quiet = place
        .command(&["ask", "sqlite:pets.db", "how many owners?"])
        .env("QUERENT_NOTICES", "off")
        .output();
    assert_eq!(ran(&quiet.unwrap()).err, "");
}

#[test]
fn questions_that_make_no_sense_have_an_error_and_a_hint() {
    let place = Place::new();
    for question in [
        "",
        "   ",
        "xyzzy plugh frobnicate",
        "Wie viele Haustiere gibt es eigentlich?",
    ] {
        refuses(&place, &["ask", "sqlite:pets.db", question], 1, &["error: NL00"]);
    }
    let output = place
        .command(&["ask", "sqlite:pets.db", "how many pets?"])
        .env("QUERENT_QUESTIONS", "off")
        .output();
    assert!(ran(&output.unwrap()).err.contains("switched off"));
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
    let slow = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c WHERE x < 2000000) \
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

#[test]
fn a_reader_that_goes_away_is_no_failure() {
    let place = Place::new();
    let binary = Path::new(env!("CARGO_BIN_EXE_querent"));
    let script = format!("set -o pipefail; '{}' config | true", binary.display());
    let output = Command::new("bash")
        .args(["-c", &script])
        .current_dir(place.path(""))
        .output()
        .unwrap();
    let ran = ran(&output);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
}
