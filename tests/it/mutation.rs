//! Breaking queries on purpose: each code of the taxonomy has ways to make it, and each way makes what it says.

use std::{collections::BTreeSet, sync::OnceLock, time::Duration};

use querent::{
    eval::mutation::{all_mutants, kinds, mutants},
    question::{schema::Snapshot, validator::Code},
    sqlite::engine::{Database, Options},
};
use serde_json::{Value, json};

use crate::program::{Place, refuses};

const NURSERY: &str = "
    CREATE TABLE gardens (id INTEGER PRIMARY KEY, name TEXT, town TEXT, acres INTEGER);
    CREATE TABLE flowers (id INTEGER PRIMARY KEY, name TEXT, colour TEXT, height INTEGER, planted DATE,
        garden_id INTEGER REFERENCES gardens (id));
    CREATE TABLE sales (id INTEGER PRIMARY KEY, flower_id INTEGER REFERENCES flowers (id), code TEXT, price REAL);
    CREATE TABLE seed_bags (id INTEGER PRIMARY KEY, grams REAL);
    INSERT INTO gardens VALUES (1, 'North', 'Bath', 3), (2, 'South', 'York', 9), (3, 'East', 'Bath', 5);
    INSERT INTO flowers VALUES (1, 'Rose', 'red', 80, '2020-03-01', 1), (2, 'Aster', 'blue', 60, '2021-04-11', 1),
        (3, 'Daisy', 'white', 20, '2021-05-30', 2), (4, 'Tulip', 'red', 40, '2022-10-02', 2);
    INSERT INTO sales VALUES (1, 1, '007', 3.5), (2, 1, '015', 3.0), (3, 3, '007', 1.25);";

/// The nursery's schema with its keys and values, read once.
fn nursery() -> &'static Snapshot {
    static SNAPSHOT: OnceLock<Snapshot> = OnceLock::new();
    SNAPSHOT.get_or_init(|| {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("nursery.sqlite");
        rusqlite::Connection::open(&path)
            .unwrap()
            .execute_batch(NURSERY)
            .unwrap();
        tokio::runtime::Runtime::new().unwrap().block_on(async {
            let database = Database::open(&path, Options::default()).unwrap();
            database.index_values();
            let snapshot = database.snapshot().await.unwrap();
            assert!(database.values_ready(Duration::from_secs(60)).await);
            snapshot
        })
    })
}

/// A query, a way to break it, and one of the texts that come of it.
struct Break {
    sql: &'static str,
    code: Code,
    kind: &'static str,
    expected: &'static str,
}

fn breaks() -> Vec<Break> {
    let text = include_str!("../breaks.txt");
    let blocks = text
        .split("\n\n")
        .map(str::trim)
        .filter(|block| !block.is_empty() && !block.starts_with('#'));
    let read = |block: &'static str| {
        let lines: Vec<&str> = block.lines().collect();
        let [sql, way, expected] = lines[..] else {
            panic!("three lines are wanted: {block}");
        };
        let (code, kind) = way.split_once(": ").unwrap();
        let code = Code::TAXONOMY
            .iter()
            .copied()
            .find(|known| known.name() == code)
            .unwrap();
        Break {
            sql,
            code,
            kind,
            expected,
        }
    };
    blocks.map(read).collect()
}

#[test]
fn each_way_to_break_a_query_makes_what_it_says() {
    for Break {
        sql,
        code,
        kind,
        expected,
    } in breaks()
    {
        let made: Vec<String> = all_mutants(sql, nursery())
            .into_iter()
            .filter(|mutant| (mutant.code, mutant.kind) == (code, kind))
            .map(|mutant| mutant.sql)
            .collect();
        assert!(
            made.iter().any(|made| made == expected),
            "{sql}\n{code}, {kind}: {made:#?}"
        );
    }
}

#[test]
fn each_code_and_each_way_is_tried_here() {
    let ways: BTreeSet<_> = kinds().collect();
    let tried: BTreeSet<_> = breaks().iter().map(|tried| (tried.code, tried.kind)).collect();
    assert_eq!(ways, tried);
    let codes: BTreeSet<_> = ways.iter().map(|(code, _)| *code).collect();
    assert_eq!(codes, Code::TAXONOMY.iter().copied().collect());
}

#[test]
fn a_query_is_broken_in_one_way_for_each_code_and_by_the_seed() {
    let sql = "SELECT f.name FROM flowers AS f JOIN gardens AS g ON f.garden_id = g.id WHERE g.town = 'Bath'";
    let codes = |seed| -> Vec<Code> {
        mutants(sql, nursery(), seed)
            .iter()
            .map(|mutant| mutant.code)
            .collect()
    };
    let mut distinct = codes(1);
    distinct.dedup();
    assert_eq!(codes(1), distinct);
    assert!(distinct.len() > 10, "{distinct:?}");
    assert_eq!(mutants(sql, nursery(), 7), mutants(sql, nursery(), 7));
    let seeds: BTreeSet<String> = (0..20)
        .map(|seed| format!("{:?}", mutants(sql, nursery(), seed)))
        .collect();
    assert!(seeds.len() > 10);
    assert_eq!(mutants("SELECT FROM WHERE", nursery(), 1), []);
    assert_eq!(mutants("DELETE FROM flowers", nursery(), 1), []);
}

/// A data set of four questions, one of which has a gold query that fails.
fn data_set(place: &Place) {
    let question =
        |question: &str, query: &str| json!({"db_id": "nursery", "question": question, "query": query});
    let questions = json!([
        question("How many flowers are there?", "SELECT COUNT(*) FROM flowers"),
        question(
            "Which flowers grow in gardens in Bath?",
            "SELECT f.name FROM flowers AS f JOIN gardens AS g ON f.garden_id = g.id WHERE g.town = 'Bath'"
        ),
        question(
            "Which colour is the most frequent?",
            "SELECT colour FROM flowers GROUP BY colour ORDER BY COUNT(*) DESC LIMIT 1"
        ),
        question("Which is broken?", "SELECT nothing FROM flowers"),
    ]);
    place.write("set/questions.json", &questions.to_string());
    place.database("set/database/nursery/nursery.sqlite", NURSERY);
}

#[test]
fn what_the_validator_makes_of_broken_queries_is_counted() {
    let place = Place::new();
    data_set(&place);
    let ran = place.run(&["eval", "set", "--mutate", "--out", "out", "--jobs", "2"]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    assert!(ran.out.contains("set: 3 gold queries"), "{}", ran.out);
    let report: Value = serde_json::from_str(&place.read("out/mutations.json")).unwrap();
    assert_eq!((&report["n"], &report["unbroken"]["n"]), (&json!(3), &json!(3)));
    assert_eq!(report["skipped"].as_object().unwrap().len(), 1, "{report}");
    // A table that does not exist is noticed, named, and spelled right again.
    let missing = &report["by_code"]["table_missing"];
    for count in [
        "mutants",
        "changed",
        "flagged",
        "flagged_at_error",
        "right_code",
        "right_category",
    ] {
        assert_eq!(missing[count], 3, "{count}: {missing}");
    }
    assert_eq!(missing["repaired"], missing["restored"]);
    for figure in [
        "breaks_flagged",
        "breaks_flagged_with_right_category",
        "unbroken_flagged_at_error",
    ] {
        assert!(report["figures"][figure].as_f64().is_some(), "{figure}");
    }
    let all = &report["all"];
    let sums = |count: &str| -> u64 {
        let codes = report["by_code"].as_object().unwrap().values();
        codes.map(|code| code[count].as_u64().unwrap()).sum()
    };
    for count in ["mutants", "changed", "flagged", "right_code", "restored"] {
        assert_eq!(all[count], sums(count), "{count}");
    }
    let csv = place.read("out/mutations.csv");
    assert!(csv.starts_with(
        "index,db_id,question,code,kind,sql,changed,findings,messages,repaired_sql,repair_correct\n"
    ));
    // The same again, on one thread.
    let ran = place.run(&["eval", "set", "--mutate", "--out", "again", "--jobs", "1"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert_eq!(csv, place.read("again/mutations.csv"));
}

#[test]
fn breaking_queries_asks_nobody() {
    let place = Place::new();
    data_set(&place);
    for (more, expected) in [
        (&["--mode", "embedded"][..], "--mutate"),
        (&["--predictions", "mine.sql"], "--mutate"),
        (&["--model", "openai:x"], "--mutate asks nobody"),
        (&["--out", "out", "--resume"], "--mutate"),
    ] {
        let arguments = [&["eval", "set", "--mutate"], more].concat();
        refuses(&place, &arguments, 2, &[expected]);
    }
}
