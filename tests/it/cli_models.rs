//! The command line with language models: which one is asked with what, what is recorded and played, what is refused.

use std::process::Command;

use serde_json::{Value, json};

use crate::{
    model::{server::ScriptedModel, turn::Turn},
    program::{Place, Ran, ran},
};

const QUESTION: &str = "which animals does the first of them have?";
const SQL: &str = "SELECT name FROM pet WHERE owner_id = 1 ORDER BY name";

/// An answer to the one call of ours.
fn answer(sql: &str) -> Turn {
    Turn::answers(&json!({"reasoning": "", "sql": sql, "assumptions": [], "alternatives": []}))
}

/// The command, with a key and the address of this server.
fn command(place: &Place, server: &ScriptedModel, arguments: &[&str]) -> Command {
    let mut command = place.command(arguments);
    command
        .env("OPENAI_BASE_URL", format!("{}/v1", server.url()))
        .env("OPENAI_API_KEY", "k-secret");
    command
}

fn run(command: &mut Command) -> Ran {
    ran(&command.output().unwrap())
}

#[test]
fn a_question_goes_to_the_model_that_is_named() {
    let place = Place::new();
    let server = ScriptedModel::start(vec![answer(SQL)]);
    let arguments = [
        "ask",
        "sqlite:pets.db",
        QUESTION,
        "--format",
        "csv",
        "--mode",
        "single",
        "--min-confidence",
        "0",
    ];
    let asked = [
        &arguments[..],
        &["--model", "openai:tiny", "--record", "calls.jsonl"],
    ]
    .concat();
    let first = run(&mut command(&place, &server, &asked));
    assert_eq!(
        (first.code, first.out.as_str()),
        (0, "name\nRex\nTom\n"),
        "{}",
        first.err
    );
    assert!(first.err.contains("openai:tiny, "), "{}", first.err);
    let seen = server.finish();
    assert_eq!(seen[0].header("authorization"), Some("Bearer k-secret"));
    assert_eq!(seen[0].body["model"], "tiny");

    let line: Value = serde_json::from_str(place.read("calls.jsonl").trim()).unwrap();
    assert_eq!(
        (&line["model"], &line["request"]["agent"]),
        (&json!("openai:tiny"), &json!("single"))
    );
    assert!(line["request"]["user"].as_str().unwrap().contains(QUESTION));
    assert!(!line.to_string().contains("k-secret"));
    // Played, it needs no server and no key.
    let played = [
        &arguments[..],
        &["--model", "openai:tiny", "--replay", "calls.jsonl"],
    ]
    .concat();
    let again = place.run(&played);
    assert_eq!((again.code, &again.out), (0, &first.out), "{}", again.err);
    let other = [
        "ask",
        "sqlite:pets.db",
        "another?",
        "--mode",
        "single",
        "--model",
        "openai:tiny",
    ];
    let unknown = place.run(&[&other[..], &["--replay", "calls.jsonl"]].concat());
    assert_eq!(unknown.code, 1);
    assert!(
        unknown.err.contains("NL004") && unknown.err.contains("calls.jsonl"),
        "{}",
        unknown.err
    );
}

#[test]
fn the_trace_has_a_line_for_each_agent() {
    let place = Place::new();
    let trace = |server: &ScriptedModel, code: i32| -> Vec<Value> {
        let asked = [
            "ask",
            "sqlite:pets.db",
            QUESTION,
            "--trace",
            "--format",
            "json",
            "--mode",
            "single",
            "--min-confidence",
            "0",
        ];
        let ran = run(&mut command(
            &place,
            server,
            &[&asked[..], &["--model", "openai:tiny"]].concat(),
        ));
        assert_eq!(ran.code, code, "{}", ran.err);
        ran.out
            .lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect()
    };
    let server = ScriptedModel::start(vec![answer(SQL).took(70, 20)]);
    let lines = trace(&server, 0);
    let single = lines.iter().find(|line| line["agent"] == "single").unwrap();
    assert_eq!(single["model"], "openai:tiny");
    assert_eq!(
        (&single["prompt_tokens"], &single["completion_tokens"]),
        (&json!(70), &json!(20))
    );
    assert!(single["prompt"].as_str().unwrap().contains(QUESTION));
    assert!(single["output"].as_str().unwrap().contains("owner_id"));
    server.finish();
    // What failed is what one wants to see most.
    let server = ScriptedModel::start(vec![Turn::status(401)]);
    let lines = trace(&server, 1);
    let single = lines.iter().find(|line| line["agent"] == "single").unwrap();
    assert!(single["outcome"].as_str().unwrap().contains("401"), "{single}");
    server.finish();
}

#[test]
fn what_is_missing_is_told_before_a_model_is_asked() {
    let place = Place::new();
    let file = "[[model]]\nname = \"small\"\nbase_url = \"http://127.0.0.1:1/v1\"\n";
    place.write("querent.toml", file);
    for (arguments, code, told) in [
        (&["--model", "anthropic:x"][..], 1, "ANTHROPIC_API_KEY has no key"),
        (
            &["--model", "smal"],
            1,
            "--model names \"smal\", and no model is called so",
        ),
        (
            &["--model", "smal"],
            1,
            "did you mean small? known are embedded, small",
        ),
        (&["--replay", "none.jsonl"], 1, "none.jsonl"),
        (&["--mode", "plain"], 2, "embedded, single, sot, adaptive"),
        (
            &["--model", "embedded", "--mode", "sot"],
            2,
            "mode sot needs a language model",
        ),
    ] {
        let ask = &["ask", "sqlite:pets.db", "q"][..];
        let serve = &["serve", "sqlite:pets.db"][..];
        // serve has no other of these arguments.
        let starts = if arguments.len() == 2 && arguments[0] == "--model" {
            vec![ask, serve]
        } else {
            vec![ask]
        };
        for start in starts {
            let ran = place.run(&[start, arguments].concat());
            assert_eq!(ran.code, code, "{arguments:?}: {}", ran.err);
            assert!(ran.err.contains(told), "{arguments:?}: {}", ran.err);
        }
    }
}

#[test]
fn a_budget_that_is_spent_says_which() {
    let place = Place::new();
    for (limit, value, turns, told) in [
        ("MODEL_CALLS", "1", 1, "limits.model_calls allows 1 calls"),
        ("TOKENS", "100", 0, "limits.tokens allows 100 tokens"),
        (
            "SPEND_PER_DAY",
            "0.0001",
            0,
            "limits.spend_per_day allows 0.0001 US dollars",
        ),
    ] {
        let says = "{\"tables\": [], \"columns\": []}";
        let server = ScriptedModel::start((0..turns).map(|_| Turn::says(says)).collect());
        let table = "[[model]]\nname = \"tiny\"\nprice_in = 10\nprice_out = 10\n";
        place.write(
            "querent.toml",
            &format!("{table}base_url = \"{}/v1\"\n", server.url()),
        );
        let ran = run(place
            .command(&["ask", "sqlite:pets.db", QUESTION, "--mode", "sot"])
            .env(format!("QUERENT_LIMITS__{limit}"), value));
        assert_eq!(ran.code, 1, "{}", ran.out);
        assert!(
            ran.err.contains("NL004") && ran.err.contains(told),
            "{told}: {}",
            ran.err
        );
        server.finish();
    }
}

#[test]
fn an_evaluation_is_recorded_and_repeated_at_no_cost() {
    let place = Place::new();
    let questions = json!([
        {"db_id": "pets", "question": "how many are there?", "query": "SELECT count(*) FROM pet"},
        {"db_id": "pets", "question": "what are they called?", "query": "SELECT name FROM pet"},
    ]);
    place.write("set/questions.json", &questions.to_string());
    std::fs::create_dir_all(place.path("set/database/pets")).unwrap();
    std::fs::copy(place.path("pets.db"), place.path("set/database/pets/pets.sqlite")).unwrap();
    let server = ScriptedModel::start(vec![
        Turn::says("SELECT count(*) FROM pet")
            .when("how many")
            .took(100, 10),
        Turn::says("```sql\nSELECT kind FROM pet\n```")
            .when("called")
            .took(100, 30),
    ]);
    let table = "[[model]]\nname = \"tiny\"\nprice_in = 1\nprice_out = 10\n";
    place.write(
        "querent.toml",
        &format!("{table}base_url = \"{}/v1\"\n", server.url()),
    );
    let arguments = [
        "eval",
        "set",
        "--mode",
        "plain",
        "--out",
        "out",
        "--replay",
        "calls.jsonl",
        "--record",
    ];
    let report = || -> Value {
        let ran = place.run(&[&arguments[..], &["calls.jsonl"]].concat());
        assert_eq!(ran.code, 0, "{}", ran.err);
        assert!(
            ran.out
                .contains("tiny: 2 calls, 200 tokens read, 40 written, 0.0006 US dollars"),
            "{}",
            ran.out
        );
        serde_json::from_str(&place.read("out/report.json")).unwrap()
    };
    let first = report();
    server.finish();
    assert_eq!(
        (&first["mode"], &first["models"]),
        (&json!("plain"), &json!(["tiny"]))
    );
    assert_eq!(
        (&first["ex"], &first["model_calls_per_question"]),
        (&json!(0.5), &json!(1.0))
    );
    let again = report();
    for field in [
        "ex",
        "models",
        "model_calls_per_question",
        "prompt_tokens_per_question",
        "cost_usd_per_question",
    ] {
        assert_eq!(first[field], again[field], "{field}");
    }
}

#[test]
fn check_asks_each_model_for_a_word() {
    let place = Place::new();
    let server = ScriptedModel::start(vec![
        Turn::says("ready").took(12, 3).when("\"open\""),
        Turn::status(401).when("closed"),
    ]);
    let url = server.url();
    place.write(
        "querent.toml",
        &format!(
            "[[model]]\nname = \"open\"\nbase_url = \"{url}/v1\"\n\n\
             [[model]]\nname = \"closed\"\nmodel = \"closed\"\nbase_url = \"{url}/v1\"\napi_key_file = \"key\"\n\n\
             [[model]]\nname = \"away\"\nbase_url = \"http://127.0.0.1:1/v1\"\nretries = 0\n\n\
             [[model]]\nname = \"far\"\napi_key_env = \"FAR\"\n"
        ),
    );
    place.write("key", "k-file\n");
    let ran = place.run(&["check", "sqlite:pets.db"]);
    assert_eq!(ran.code, 1);
    let open = ran
        .out
        .lines()
        .find(|line| line.starts_with("model open"))
        .unwrap_or_default();
    assert!(open.contains(&url) && open.contains("answers, "), "{}", ran.out);
    assert!(open.contains("12 tokens read, 3 written"), "{open}");
    for expected in [
        "problem: model closed (closed at",
        "the provider does not take the key",
        "problem: model away (away at http://127.0.0.1:1/v1): unreachable",
        "start its server",
        "problem: model far (far at openai): the variable FAR has no key",
    ] {
        assert!(ran.err.contains(expected), "{expected}: {}", ran.err);
    }
    assert!(!ran.err.contains("k-file"), "{}", ran.err);
    server.finish();
}

#[test]
fn models_are_printed_as_they_can_be_read_back() {
    let place = Place::new();
    place.write(
        "querent.toml",
        "[[model]]\nname = \"small\"\nbase_url = [\"http://127.0.0.1:1/v1\", \"http://127.0.0.1:2/v1\"]\n\
         headers = { x-team = \"hidden\" }\nproxy = \"http://ann:hidden@p:1\"\n",
    );
    let ran = place.run(&["config"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    for expected in [
        "tiers = [\"embedded\", \"small\"]  # (follows from model)",
        "[[model]]\n",
        "name = \"small\"  # (from ./querent.toml:2)",
        "base_url = [\"http://127.0.0.1:1/v1\", \"http://127.0.0.1:2/v1\"]",
        "headers = { x-team = \"********\" }",
        "concurrency = 16\n",
    ] {
        assert!(ran.out.contains(expected), "{expected}: {}", ran.out);
    }
    assert!(
        !ran.out.contains("hidden") && !ran.out.contains("api_key_env"),
        "{}",
        ran.out
    );
    place.write("again.toml", &ran.out);
    let again = place.run(&["config", "--config", "again.toml"]);
    assert_eq!(again.code, 0, "{}", again.err);
}

#[test]
fn tables_of_a_large_schema_are_found_by_meaning() {
    let place = Place::new();
    let mut tables = vec!["CREATE TABLE qx (id INTEGER PRIMARY KEY, fee REAL);".to_owned()];
    tables.extend((0..80).map(|number| {
        format!("CREATE TABLE thing{number} (id INTEGER PRIMARY KEY, mark{number} TEXT, sum{number} REAL);")
    }));
    tables.reverse();
    place.database("large.db", &tables.concat());
    let server = ScriptedModel::answering(|seen| {
        if !seen.path.ends_with("/embeddings") {
            return answer("SELECT count(*) FROM qx");
        }
        // What is asked for means the same as the one table.
        let texts = seen.body["input"].as_array().unwrap().iter();
        let vectors = texts.enumerate().map(|(index, text)| {
            let text = text.as_str().unwrap();
            let near = text.starts_with("qx:") || text.contains("invoices");
            json!({"index": index, "embedding": if near { [1.0, 0.1] } else { [0.1, 1.0] }})
        });
        let data: Vec<Value> = vectors.collect();
        Turn::body(json!({"data": data, "usage": {"prompt_tokens": 9, "total_tokens": 9}}).to_string())
    });
    let configure = |tiny: &str, vectors: &str| {
        let file = format!(
            "embeddings = \"vectors\"\n[limits]\nprompt_tokens = 700\n\
             [[model]]\nname = \"tiny\"\nbase_url = \"{tiny}/v1\"\n\
             [[model]]\nname = \"vectors\"\nbase_url = \"{vectors}/v1\"\nretries = 0\n"
        );
        place.write("querent.toml", &file);
    };
    configure(&server.url(), &server.url());
    let ran = place.run(&[
        "ask",
        "sqlite:large.db",
        "how many invoices?",
        "--mode",
        "single",
        "--format",
        "csv",
    ]);
    assert_eq!((ran.code, ran.out.as_str()), (0, "count\n0\n"), "{}", ran.err);
    let seen = server.finish();
    let (vectors, asked): (Vec<_>, Vec<_>) = seen.iter().partition(|seen| seen.path.ends_with("/embeddings"));
    assert_eq!((vectors.len(), asked.len()), (1, 1));
    assert_eq!(vectors[0].body["input"].as_array().unwrap().len(), 82);
    assert_eq!(vectors[0].body["model"], "vectors");
    let told = asked[0].body.to_string();
    assert!(told.contains("CREATE TABLE qx"), "{told}");
    assert!(!told.contains("thing79"), "{told}");
    // Out of reach, it is missed and no more.
    let server = ScriptedModel::start(vec![answer("SELECT count(*) FROM qx")]);
    configure(&server.url(), "http://127.0.0.1:1");
    let ran = place.run(&[
        "ask",
        "sqlite:large.db",
        "how many invoices?",
        "--mode",
        "single",
        "--format",
        "csv",
    ]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.err.contains("no embeddings"), "{}", ran.err);
    server.finish();
}

#[test]
fn a_loop_that_is_told_whether_it_is_right_goes_on_until_it_is() {
    let place = Place::new();
    let questions = json!([
        {"db_id": "pets", "question": "what are they called?", "query": "SELECT name FROM pet"},
    ]);
    place.write("set/questions.json", &questions.to_string());
    std::fs::create_dir_all(place.path("set/database/pets")).unwrap();
    std::fs::copy(place.path("pets.db"), place.path("set/database/pets/pets.sqlite")).unwrap();
    let agents = || {
        vec![
            Turn::answers(&json!({"tables": [{"name": "pet", "columns": ["kind"]}]})),
            Turn::answers(&json!({"subproblems": [{"clause": "SELECT", "expression": "kind"}]})),
            Turn::says("1. Show the kind of each pet."),
            Turn::says("SELECT kind FROM pet"),
        ]
    };
    let corrections = vec![
        Turn::says("1. Show the name instead.").when("its rows are not the right ones"),
        Turn::says("SELECT name FROM pet"),
    ];
    let check = |turns: Vec<Turn>, oracle: &[&str], expected: (f64, bool)| {
        let server = ScriptedModel::start(turns);
        let arguments = [
            "eval",
            "set",
            "--mode",
            "sot",
            "--model",
            "openai:tiny",
            "--out",
            "out",
        ];
        let ran = run(&mut command(&place, &server, &[&arguments[..], oracle].concat()));
        assert_eq!(ran.code, 0, "{}", ran.err);
        server.finish();
        let report: Value = serde_json::from_str(&place.read("out/report.json")).unwrap();
        assert_eq!(
            (&report["ex"], &report["oracle"]),
            (&json!(expected.0), &json!(expected.1))
        );
    };
    check(agents(), &[], (0.0, false));
    check([agents(), corrections].concat(), &["--oracle"], (1.0, true));
}
