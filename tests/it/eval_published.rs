//! `querent eval` on data sets in the forms that they are published in, each a tiny one of ours.

use serde_json::{Value, json};

use crate::{
    model::{server::ScriptedModel, turn::Turn},
    program::{Place, ran, refuses},
};

const COUNT: &str = "SELECT count(*) FROM pet";
const NAMES: &str = "SELECT name FROM pet WHERE kind = 'd'";

fn pets(place: &Place, file: &str) {
    place.database(
        file,
        "CREATE TABLE pet (id INTEGER PRIMARY KEY, name TEXT, kind TEXT);
         INSERT INTO pet VALUES (1, 'Rex', 'd'), (2, 'Tom', 'c'), (3, 'Kit', 'd');",
    );
}

/// A question with its reference, and what Spider has beside.
fn spider(question: &str, query: &str) -> Value {
    json!({"db_id": "pets", "query": query, "query_toks": ["SELECT"], "question": question,
           "question_toks": ["How"], "sql": {"from": {"table_units": [["table_unit", 0]]}, "limit": null}})
}

/// Scores predictions, one of two right, and returns the report and what was printed.
fn scored(place: &Place, arguments: &[&str], predictions: &str) -> (Value, String) {
    place.write("mine.sql", predictions);
    let rest = ["--predictions", "mine.sql", "--out", "out"];
    let ran = place.run(&[&["eval"], arguments, &rest].concat());
    assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{arguments:?}");
    (
        serde_json::from_str(&place.read("out/report.json")).unwrap(),
        ran.out,
    )
}

fn one_of_two(place: &Place, arguments: &[&str]) {
    let (report, _) = scored(place, arguments, &format!("{COUNT}\nSELECT 5\n"));
    assert_eq!(
        (&report["n"], &report["ex"]),
        (&json!(2), &json!(0.5)),
        "{arguments:?}"
    );
}

#[test]
fn spider_and_what_was_made_of_it() {
    let place = Place::new();
    let questions = json!([
        spider("How many pets are there?", COUNT),
        spider("Which dogs?", NAMES)
    ]);
    place.write("spider/dev.json", &questions.to_string());
    place.write("spider/tables.json", "[]");
    place.write("spider/dev_gold.sql", "SELECT count(*) FROM pet\tpets\n");
    pets(&place, "spider/database/pets/pets.sqlite");
    one_of_two(&place, &["spider"]);
    one_of_two(&place, &["spider/dev.json"]);
    // Others lie beside, without databases of their own, or with some.
    place.write("spider-realistic.json", &questions.to_string());
    one_of_two(
        &place,
        &["spider-realistic.json", "--databases", "spider/database"],
    );
    place.write("dk/Spider-DK.json", &questions.to_string());
    one_of_two(&place, &["dk", "--databases", "spider"]);
    refuses(
        &place,
        &["eval", "dk"],
        1,
        &["there is no database", "--databases"],
    );
    let reworded = |question: &str, other: &str, query: &str| json!({"db_id": "pets", "SpiderQuestion": question, "SpiderSynQuestion": other, "query": query});
    let questions = json!([
        reworded("How many pets?", "How many animals?", COUNT),
        reworded("Which dogs?", "Which hounds?", NAMES),
    ]);
    place.write("syn/dev.json", &questions.to_string());
    one_of_two(&place, &["syn", "--databases", "spider"]);
    assert!(place.read("out/predictions.csv").contains("How many animals?"));
    one_of_two(
        &place,
        &[
            "syn",
            "--databases",
            "spider",
            "--question-field",
            "SpiderQuestion",
        ],
    );
    assert!(place.read("out/predictions.csv").contains("How many pets?"));
}

#[test]
fn bird_has_evidence_levels_and_descriptions() {
    let place = Place::new();
    let question = json!({"question_id": 0, "db_id": "pets", "question": "Of the hounds, who is furthest down the alphabet?",
                          "evidence": "hounds refers to kind = 'd'", "SQL": "SELECT max(name) FROM pet WHERE kind = 'd'",
                          "difficulty": "challenging"});
    place.write("bird/dev.json", &json!([question]).to_string());
    pets(&place, "bird/dev_databases/pets/pets.sqlite");
    place.write(
        "bird/dev_databases/pets/database_description/pet.csv",
        "\u{feff}original_column_name,column_name,column_description,data_format,value_description\n\
         kind,,what sort of animal it is,text,\"c: cat, d: dog\"\n",
    );
    let sql = "SELECT max(name) FROM pet WHERE kind = 'd'";
    let reply = json!({"reasoning": "", "sql": sql, "assumptions": [], "alternatives": []});
    let server = ScriptedModel::start(vec![Turn::answers(&reply)]);
    let mut command = place.command(&[
        "eval",
        "bird",
        "--mode",
        "single",
        "--model",
        "openai:tiny",
        "--out",
        "out",
    ]);
    command
        .env("OPENAI_BASE_URL", format!("{}/v1", server.url()))
        .env("OPENAI_API_KEY", "k");
    let ran = ran(&command.output().unwrap());
    assert_eq!(ran.code, 0, "{}", ran.err);
    let report: Value = serde_json::from_str(&place.read("out/report.json")).unwrap();
    assert_eq!(report["by_difficulty"]["challenging"]["ex"], 1.0, "{report}");
    let error = report["calibration_error"].as_f64().unwrap();
    assert!((0.01..0.5).contains(&error), "{report}");
    assert!(ran.out.contains("calibration 0."), "{}", ran.out);
    let prompt = server.finish()[0].body.to_string();
    for told in [
        "hounds refers to kind = 'd'",
        "what sort of animal it is; c: cat, d: dog",
    ] {
        assert!(prompt.contains(told), "no {told} in {prompt}");
    }
}

#[test]
fn kaggledbqa_has_a_file_for_each_database() {
    let place = Place::new();
    for (file, questions) in [
        ("pets_fewshot.json", json!([spider("Any?", "SELECT 7")])),
        ("pets_test.json", json!([spider("How many pets?", COUNT)])),
        ("cats_test.json", json!([spider("Which cats?", NAMES)])),
    ] {
        place.write(&format!("kaggle/examples/{file}"), &questions.to_string());
    }
    place.write("kaggle/KaggleDBQA_tables.json", "[]");
    pets(&place, "kaggle/databases/pets/pets.sqlite");
    let (report, _) = scored(&place, &["kaggle"], &format!("SELECT 5\n{COUNT}\n"));
    assert_eq!((&report["n"], &report["ex"]), (&json!(2), &json!(0.5)));
    // One file alone.
    let (report, _) = scored(&place, &["kaggle/examples/pets_fewshot.json"], "SELECT 7\n");
    assert_eq!((&report["n"], &report["ex"]), (&json!(1), &json!(1.0)));
}

#[test]
fn conversations_are_scored_by_turn_and_as_a_whole() {
    let place = Place::new();
    let turn = |words: &str, query: &str| json!({"utterance": words, "query": query, "utterance_toks": [], "sql": {}});
    let conversation =
        |turns: &[Value]| json!({"database_id": "pets", "interaction": turns, "final": turns.last()});
    let set = json!([
        conversation(&[turn("Show the dogs.", NAMES), turn("How many are there?", COUNT)]),
        conversation(&[turn("How many pets?", COUNT), turn("And the dogs?", NAMES)]),
    ]);
    place.write("sparc/dev.json", &set.to_string());
    pets(&place, "sparc/database/pets/pets.sqlite");
    // As its own evaluator has it: an empty line between conversations.
    let mine = format!("{NAMES}\n{COUNT}\n\n{COUNT}\nSELECT 5\n");
    let (report, printed) = scored(&place, &["sparc"], &mine);
    assert_eq!((&report["n"], &report["ex"]), (&json!(4), &json!(0.75)));
    let conversations = &report["conversations"];
    assert_eq!(
        (&conversations["n"], &conversations["interaction_match"]),
        (&json!(2), &json!(0.5))
    );
    assert_eq!(conversations["by_turn"]["2"]["ex"], 0.5, "{conversations}");
    assert!(
        printed
            .contains("interaction match 0.500 (n 2); question match by turn 1: 1.000 of 2, 2: 0.500 of 2"),
        "{printed}"
    );
    assert_eq!(place.read("out/predicted.sql"), mine);
    // A limit counts conversations.
    let (report, _) = scored(&place, &["sparc", "--limit", "1"], &mine);
    assert_eq!(
        (&report["n"], &report["conversations"]["n"]),
        (&json!(2), &json!(1))
    );
    // CoSQL's questions lie one folder deeper than its databases.
    place.write(
        "cosql/sql_state_tracking/cosql_dev.json",
        &json!([set[0]]).to_string(),
    );
    pets(&place, "cosql/database/pets/pets.sqlite");
    for folder in ["cosql", "cosql/sql_state_tracking"] {
        let (report, _) = scored(&place, &[folder], &format!("{NAMES}\nSELECT 5\n"));
        assert_eq!(
            (&report["n"], &report["ex"]),
            (&json!(2), &json!(0.5)),
            "{folder}"
        );
    }
}

#[test]
fn a_turn_is_asked_with_those_before() {
    let place = Place::new();
    let turns = [
        json!({"utterance": "Show the dogs.", "query": NAMES}),
        json!({"utterance": "and how many pets beside?", "query": COUNT}),
    ];
    let set = json!([{"database_id": "pets", "interaction": turns}]);
    place.write("sparc/dev.json", &set.to_string());
    pets(&place, "sparc/database/pets/pets.sqlite");
    let reply = |sql: &str| {
        Turn::answers(&json!({"reasoning": "", "sql": sql, "assumptions": [], "alternatives": []}))
    };
    let server = ScriptedModel::start(vec![reply(NAMES), reply(COUNT)]);
    let mut command = place.command(&[
        "eval",
        "sparc",
        "--mode",
        "single",
        "--model",
        "openai:tiny",
        "--jobs",
        "1",
        "--out",
        "out",
    ]);
    command
        .env("OPENAI_BASE_URL", format!("{}/v1", server.url()))
        .env("OPENAI_API_KEY", "k");
    let ran = ran(&command.output().unwrap());
    assert_eq!(ran.code, 0, "{}", ran.err);
    let seen = server.finish();
    let before = "earlier ones of the same conversation: 1. Show the dogs.";
    let told: Vec<bool> = seen
        .iter()
        .map(|call| call.body.to_string().contains(before))
        .collect();
    assert_eq!(told, [false, true]);
}

#[test]
fn csv_is_a_data_set_too() {
    let place = Place::new();
    place.write(
        "mine.csv",
        &format!(
            "Question,Query,DB,difficulty\nHow many pets?,{COUNT},pets,easy\n\"Dogs, please\",{NAMES},pets,\n"
        ),
    );
    pets(&place, "files/pets/pets.sqlite");
    one_of_two(&place, &["mine.csv", "--databases", "files"]);
    place.write("bad.csv", "question,db\nHow many?,pets\n");
    refuses(&place, &["eval", "bad.csv"], 1, &["has no text field \"query\""]);
}

#[test]
fn a_comparison_is_written_as_csv() {
    let place = Place::new();
    let questions = json!([
        spider("How many pets are there?", COUNT),
        spider("Which dogs?", NAMES)
    ]);
    place.write("spider/dev.json", &questions.to_string());
    pets(&place, "spider/database/pets/pets.sqlite");
    for (predictions, out) in [
        (format!("{COUNT}\nSELECT 5\n"), "one"),
        (format!("SELECT 5\n{NAMES}\n"), "two"),
    ] {
        place.write("mine.sql", &predictions);
        let ran = place.run(&["eval", "spider", "--predictions", "mine.sql", "--out", out]);
        assert_eq!(ran.code, 0, "{}", ran.err);
    }
    let ran = place.run(&["eval", "--compare", "one", "two", "--csv", "changes.csv"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.out.contains("McNemar"), "{}", ran.out);
    let csv = place.read("changes.csv");
    let lines: Vec<&str> = csv.lines().collect();
    assert_eq!(lines.len(), 3, "{csv}");
    assert!(lines[0].starts_with("index,db_id,question,gold,change,correct_first,correct_second,"));
    assert!(lines[1].contains(",lost,true,false,"), "{csv}");
    assert!(lines[2].contains(",gained,false,true,"), "{csv}");
    refuses(&place, &["eval", "--csv", "changes.csv"], 2, &["--compare"]);
    refuses(
        &place,
        &["eval", "spider", "--compare", "one", "two"],
        2,
        &["--compare"],
    );
}
