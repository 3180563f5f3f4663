//! How a backend, a question and an answer may be written on the command line.

use std::{
    io::{BufRead, BufReader, Write},
    process::Stdio,
};

use serde_json::Value;

use crate::{
    console::served::Served,
    program::{Place, ran, refuses},
};

#[test]
fn a_file_needs_no_prefix_and_a_question_no_quotes() {
    let place = Place::new();
    for arguments in [
        &["ask", "pets.db", "how many pets are there?", "--format", "csv"][..],
        &[
            "ask", "pets.db", "how", "many", "pets", "are", "there?", "--format", "csv",
        ],
        &["ask", "--format", "csv", "sqlite:pets.db", "how", "many", "pets"],
    ] {
        let ran = place.run(arguments);
        assert_eq!(
            (ran.code, ran.out.as_str()),
            (0, "count\n3\n"),
            "{arguments:?}: {}",
            ran.err
        );
    }
    refuses(
        &place,
        &["ask", "nothing.db", "how many pets"],
        1,
        &["nothing.db"],
    );
    refuses(
        &place,
        &["ask", "host=127.0.0.1 port=1 dbname=x user=ann", "how many pets"],
        1,
        &["127.0.0.1"],
    );
}

#[test]
fn a_question_comes_from_standard_input() {
    let place = Place::new();
    let ask = |text: &str| {
        let mut command = place.command(&["ask", "pets.db", "-", "--format", "jsonl"]);
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        child.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
        ran(&child.wait_with_output().unwrap())
    };
    let told = ask("how many pets are there?\n");
    assert_eq!(
        (told.code, told.out.as_str()),
        (0, "{\"count\": 3}\n"),
        "{}",
        told.err
    );
    let told = ask(" \n");
    assert_eq!(told.code, 2, "{}", told.err);
}

#[test]
fn an_answer_comes_in_other_forms() {
    let place = Place::new();
    let question = "list the name and weight of the pets ordered by weight";
    let told = place.run(&["ask", "pets.db", question, "--format", "markdown"]);
    assert_eq!(
        told.out, "| name | weight |\n| --- | --: |\n| Kit | 3.5 |\n| Tom | 4 |\n| Rex | 20.5 |\n",
        "{}",
        told.err
    );
    let told = place.run(&["ask", "pets.db", question, "--format", "jsonl"]);
    let lines: Vec<Value> = told
        .out
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!((lines.len(), &lines[2]["weight"]), (3, &20.5.into()));
}

#[test]
fn a_ranking_that_ends_among_equals_says_so() {
    let place = Place::new();
    place.database(
        "race.db",
        "CREATE TABLE runners (id INTEGER PRIMARY KEY, name TEXT NOT NULL, points INTEGER);
         INSERT INTO runners (name, points) VALUES ('Ann', 9), ('Bob', 7), ('Cem', 7), ('Dee', 7), ('Eva', NULL)",
    );
    let told = |question: &str| place.run(&["ask", "race.db", question]).err;
    let two = told("the 2 runners with the most points");
    assert!(
        two.contains("2 more rows have the same points as the last"),
        "{two}"
    );
    let first = told("which runner has the most points?");
    assert!(!first.contains("as the last"), "{first}");
    let least = told("the 3 runners with the fewest points");
    assert!(!least.contains("as the last"), "{least}");
}

#[test]
fn an_unsure_answer_has_an_exit_code_of_its_own() {
    let place = Place::new();
    let question = "how many pets are there?";
    let told = place.run(&["ask", "pets.db", question, "--min-confidence", "0.5"]);
    assert_eq!(told.code, 0, "{}", told.err);
    refuses(
        &place,
        &["ask", "pets.db", question, "--min-confidence", "0.999"],
        3,
        &["NL003", "is below"],
    );
    refuses(
        &place,
        &["ask", "pets.db", question, "--min-confidence", "80"],
        2,
        &["from 0 to 1"],
    );
}

#[test]
fn check_speaks_json() {
    let place = Place::new();
    let told = place.run(&["check", "pets.db", "--format", "json"]);
    assert_eq!(told.code, 0, "{}", told.err);
    let report: Value = serde_json::from_str(&told.out).unwrap();
    assert_eq!(report["backend"], "sqlite:pets.db");
    assert_eq!(report["problems"], Value::Array(vec![]));
    assert_eq!(report["tables"][1]["columns"][1]["name"], "name");
    assert_eq!(report["keys"][0]["from"][0]["column"], "owner_id");
    assert!(report["value_index"]["values"].as_u64().unwrap() > 5);
    place.write("odd.toml", "[privacy]\nprivate = [\"pet.nothing\"]\n");
    let told = place.run(&["check", "pets.db", "--format", "json", "--config", "odd.toml"]);
    let report: Value = serde_json::from_str(&told.out).unwrap();
    assert_eq!(told.code, 1);
    assert!(report["problems"][0].as_str().unwrap().contains("pet.nothing"));
}

#[test]
fn shells_and_manuals_know_every_command() {
    let place = Place::new();
    // A configuration that cannot be read is no reason to know nothing.
    place.write("querent.toml", "nonsense = ");
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let told = place.run(&["completions", shell]);
        assert_eq!(told.code, 0, "{}", told.err);
        for word in ["min-confidence", "audit"] {
            assert!(told.out.contains(word), "{shell}: {word}");
        }
    }
    let told = place.run(&["man", "pages/man1"]);
    assert_eq!(told.code, 0, "{}", told.err);
    let page = place.read("pages/man1/querent-ask.1");
    assert!(page.contains("min\\-confidence"), "{page}");
    for command in ["demo", "serve", "eval", "lint", "check", "audit", "config"] {
        assert!(place.path(&format!("pages/man1/querent-{command}.1")).exists());
    }
    // The script is taken by the shell itself.
    let script = place.run(&["completions", "bash"]).out;
    place.write("completions.bash", &script);
    let bash = std::process::Command::new("bash")
        .arg("-n")
        .arg(place.path("completions.bash"))
        .output()
        .unwrap();
    assert!(bash.status.success(), "{}", String::from_utf8_lossy(&bash.stderr));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_audit_is_narrowed_and_followed() {
    let served = Served::start("");
    let client = served.client().await;
    client
        .simple_query("-- nl: how many owners are there?")
        .await
        .unwrap();
    client
        .simple_query("-- nl: frobnicate the =zorblax\x1b]0;x\x07")
        .await
        .unwrap_err();
    let audit = |arguments: &[&str]| {
        let ran = served
            .place
            .run(&[&["audit", "--format", "jsonl"], arguments].concat());
        assert_eq!(ran.code, 0, "{}", ran.err);
        ran.out.lines().count()
    };
    // The end of a run is written a moment later.
    let deadline = std::time::Instant::now() + std::time::Duration::from_secs(20);
    while audit(&["--outcome", "ok", "--outcome", "refused"]) < 2 && std::time::Instant::now() < deadline {
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    for (arguments, count) in [
        (&[][..], 2),
        (&["--outcome", "ok"], 1),
        (&["--outcome", "refused,failed"], 1),
        (&["--outcome", "refused", "--outcome", "ok"], 2),
        (&["--outcome", "open"], 0),
        (&["--min-confidence", "0.5"], 1),
        (&["--max-confidence", "0.1"], 0),
    ] {
        assert_eq!(audit(arguments), count, "{arguments:?}");
    }
    // Nothing of it steers a terminal or is a formula.
    for format in ["csv", "json", "jsonl", "markdown", "table"] {
        let told = served.place.run(&["audit", "--format", format]).out;
        assert!(told.contains("zorblax"), "{told}");
        assert!(!told.contains(['\x1b', '\x07']), "{format}: {told:?}");
    }
    let mut follow = served
        .place
        .command(&["audit", "--follow", "--since", "1h"])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(follow.stdout.take().unwrap()).lines();
    let mut next = || lines.next().unwrap().unwrap();
    assert!(next().contains(" ok 0.9"), "the first");
    assert!(next().contains("refused NL001"), "the second");
    client
        .simple_query("-- nl: how many pets are there?")
        .await
        .unwrap();
    assert!(next().contains("how many pets"), "the third");
    follow.kill().unwrap();
    follow.wait().unwrap();
    refuses(
        &served.place,
        &["audit", "--follow", "--format", "json"],
        2,
        &["--format jsonl"],
    );
}
