//! What is judged is what runs: tables, views and rules that change while a model thinks, or after a question was prepared.

use crate::{
    conversation::legs::{Leg, over_with_model, says, table},
    model::{server::ScriptedModel, turn::Turn},
    server::{harness::create, raw::client_message},
};

const TABLES: &str = "
    CREATE TABLE person(id INTEGER PRIMARY KEY, name TEXT NOT NULL, ssn TEXT);
    INSERT INTO person VALUES (1, 'Ann', '111'), (2, 'Bob', '222');
    CREATE TABLE payroll(id INTEGER PRIMARY KEY, name TEXT);
    INSERT INTO payroll VALUES (1, '9000');
    CREATE TABLE sale(id INTEGER PRIMARY KEY, name TEXT, region TEXT);
    INSERT INTO sale VALUES (1, 'lamp', 'EU'), (2, 'desk', 'US');
    CREATE TABLE gadget(id INTEGER PRIMARY KEY, name TEXT);
    INSERT INTO gadget VALUES (1, 'cog');
    CREATE VIEW staffing AS SELECT id, name FROM person;";

const RULES: &str = "
    [[policy.rule]]
    deny = [\"payroll.*\", \"person.ssn\"]
    rows = { sale = \"region = 'EU'\" }
    ";

/// What may be made of the tables, and of it the tables as they were.
const CHANGES: [(&str, &str, &str); 4] = [
    (
        "staffing",
        "DROP VIEW staffing; CREATE VIEW staffing AS SELECT id, ssn AS name FROM person",
        "DROP VIEW staffing; CREATE VIEW staffing AS SELECT id, name FROM person",
    ),
    (
        "staffing",
        "DROP VIEW staffing; CREATE VIEW staffing AS SELECT id, name FROM sale",
        "DROP VIEW staffing; CREATE VIEW staffing AS SELECT id, name FROM person",
    ),
    (
        "gadget",
        "ALTER TABLE gadget RENAME TO other; CREATE VIEW gadget AS SELECT id, name FROM payroll",
        "DROP VIEW gadget; ALTER TABLE other RENAME TO gadget",
    ),
    (
        "person",
        "ALTER TABLE person RENAME COLUMN name TO x; ALTER TABLE person RENAME COLUMN ssn TO name; \
         ALTER TABLE person RENAME COLUMN x TO ssn",
        "ALTER TABLE person RENAME COLUMN ssn TO x; ALTER TABLE person RENAME COLUMN name TO ssn; \
         ALTER TABLE person RENAME COLUMN x TO name",
    ),
];

fn rows(told: &[String]) -> Vec<&str> {
    told.iter().filter_map(|line| line.strip_prefix("D ")).collect()
}

fn overtaken(leg: &Leg, about: &str, told: &[String]) {
    let failed = told.iter().any(|line| line.starts_with("E ERROR 40001"));
    assert!(failed && rows(told).is_empty(), "{}: {about}: {told:?}", leg.name);
}

/// The ways to ask, each with what is sent.
fn ways(words: &str) -> [(&'static str, Vec<u8>); 4] {
    let pipeline = |messages: &[String]| -> Vec<u8> {
        messages
            .iter()
            .flat_map(|message| client_message(message))
            .collect()
    };
    [
        ("alone", client_message(&format!("Query -- nl: {words}"))),
        (
            "in SQL",
            client_message(&format!("Query SELECT name FROM nl('{words} in SQL') AS a")),
        ),
        (
            "PREPARE",
            client_message(&format!("Query PREPARE p AS SELECT * FROM nl('{words} later')")),
        ),
        (
            "prepared by the protocol",
            pipeline(&[
                format!("Parse | -- nl: {words} by messages"),
                "Bind | | |".into(),
                "Execute".into(),
                "Sync".into(),
            ]),
        ),
    ]
}

#[test]
fn what_changes_while_a_model_thinks_is_not_read() {
    let ways = |table: &str| ways(&format!("frobnicate {table}"));
    let turns: Vec<Turn> = CHANGES
        .iter()
        .flat_map(|(table, ..)| {
            let sql = format!("SELECT id, name FROM {table}");
            ways(table).map(|_| says(&sql).held())
        })
        .collect();
    let toml = format!("mode = \"single\"\nlimits.attempts = 0\n{RULES}");
    over_with_model(TABLES, &toml, &turns, |leg, model| {
        let mut asked = 0;
        for (name, change, back) in CHANGES {
            for (about, bytes) in ways(name) {
                let mut client = leg.client();
                // Outside of a transaction a question before PostgreSQL is asked anew.
                let within = leg.name == "PostgreSQL";
                if within {
                    client.query("BEGIN");
                }
                client.send(&bytes);
                asked += 1;
                model.wait_for_requests(asked);
                leg.change(change);
                model.release();
                overtaken(leg, &format!("{about}: {change}"), &client.until_ready());
                if within {
                    client.query("ROLLBACK");
                }
                leg.change(back);
            }
        }
    });
}

#[test]
fn a_policy_that_comes_while_a_model_thinks_holds() {
    let policies = [
        "[[policy.rule]]\ndeny = [\"person.name\"]\n",
        "[[policy.rule]]\nusers = [\"test\", \"postgres\"]\nquestions = \"off\"\n",
        "questions = false\n",
        "[privacy]\nprivate = [\"person.name\"]\n",
    ];
    let turns: Vec<Turn> = policies
        .iter()
        .flat_map(|_| ways("").map(|_| says("SELECT id, name FROM person").held()))
        .collect();
    let toml = "mode = \"single\"\nlimits.attempts = 0\n";
    over_with_model(TABLES, toml, &turns, |leg, model| {
        let mut asked = 0;
        let modelled = format!("{toml}{}", table(model));
        for policy in policies {
            for (about, bytes) in ways("frobnicate") {
                let mut client = leg.client();
                client.send(&bytes);
                asked += 1;
                model.wait_for_requests(asked);
                leg.reload(&format!("{toml}{policy}{}", table(model))).unwrap();
                model.release();
                overtaken(leg, &format!("{about}: {policy}"), &client.until_ready());
                leg.reload(&modelled).unwrap();
            }
        }
    });
}

#[test]
fn a_prepared_question_is_judged_again_after_a_change() {
    let leg = Leg::sqlite(
        &format!("mode = \"embedded\"\nlimits.attempts = 0\n{RULES}"),
        TABLES,
    );
    let mut client = leg.client();
    let prepared = client.query("PREPARE a AS SELECT name FROM nl('list the names of staffing') AS a");
    assert!(
        prepared.iter().all(|line| !line.starts_with("E ")),
        "{prepared:?}"
    );
    let parse = "Parse b | SELECT name FROM nl('list the names of staffing') AS b";
    for message in [parse, "Sync"] {
        client.send(&client_message(message));
    }
    client.until_ready();
    let execute: Vec<u8> = ["Bind | b |", "Execute", "Sync"]
        .iter()
        .flat_map(|message| client_message(message))
        .collect();
    let mut both = |about: &str, expected: Option<&[&str]>| {
        let by_words = client.query("EXECUTE a");
        client.send(&execute);
        let by_messages = client.until_ready();
        for told in [by_words, by_messages] {
            match expected {
                Some(expected) => assert_eq!(rows(&told), expected, "{about}: {told:?}"),
                None => overtaken(&leg, about, &told),
            }
        }
    };
    let names: &[&str] = &["Ann", "Bob"];
    both("as it was", Some(names));
    // What else is in the file is no matter, nor is who says that it is the same version.
    leg.change("CREATE TABLE later(a); CREATE INDEX by_name ON person(name)");
    both("another table", Some(names));
    for (what, behind) in [
        ("a denied column", "SELECT id, ssn AS name FROM person"),
        ("a denied table", "SELECT id, name FROM payroll"),
        ("the catalogue", "SELECT 1 AS id, sql AS name FROM sqlite_master"),
    ] {
        leg.change(&format!("DROP VIEW staffing; CREATE VIEW staffing AS {behind}"));
        both(what, None);
        leg.change("DROP VIEW staffing; CREATE VIEW staffing AS SELECT id, name FROM person");
        both("as it was again", Some(names));
    }
    // Another file with the same version of its schema.
    let (file, new) = (leg.folder().join("test.db"), leg.folder().join("new.db"));
    std::fs::copy(&file, &new).unwrap();
    let version: i64 = rusqlite::Connection::open(&new)
        .unwrap()
        .query_row("PRAGMA schema_version", [], |row| row.get(0))
        .unwrap();
    create(
        &new,
        &format!(
            "DROP VIEW staffing; CREATE VIEW staffing AS SELECT id, ssn AS name FROM person; \
             PRAGMA schema_version = {version}"
        ),
    );
    std::fs::rename(&new, &file).unwrap();
    both("another file", None);
}

#[test]
fn what_was_judged_in_a_transaction_that_is_rolled_back_is_gone() {
    let leg = Leg::sqlite(&format!("mode = \"embedded\"\n{RULES}"), TABLES);
    let mut client = leg.client();
    for statement in [
        "BEGIN",
        "CREATE VIEW visitors AS SELECT id, name FROM person",
        "PREPARE a AS SELECT name FROM nl('list the names of visitors') AS a",
    ] {
        let told = client.query(statement);
        assert!(told.iter().all(|line| !line.starts_with("E ")), "{told:?}");
    }
    assert_eq!(rows(&client.query("EXECUTE a")), ["Ann", "Bob"]);
    client.query("ROLLBACK");
    // The version of the schema is the one that it was in the transaction.
    client.query("CREATE VIEW visitors AS SELECT id, ssn AS name FROM person");
    overtaken(&leg, "rolled back", &client.query("EXECUTE a"));
}

#[test]
fn a_written_answer_is_what_was_judged() {
    let toml = format!("mode = \"embedded\"\nallow_in_writes = true\n{RULES}");
    let leg = Leg::sqlite(&toml, TABLES);
    let mut client = leg.client();
    client.query("CREATE TABLE copy(name TEXT)");
    let execute: Vec<u8> = ["Bind | w |", "Execute", "Sync"]
        .iter()
        .flat_map(|message| client_message(message))
        .collect();
    let parse = "Parse w | INSERT INTO copy SELECT name FROM nl('list the names of staffing') AS b";
    for message in [parse, "Sync"] {
        client.send(&client_message(message));
    }
    let told = client.until_ready();
    assert!(told.iter().all(|line| !line.starts_with("E ")), "{told:?}");
    client.send(&execute);
    assert!(client.until_ready().contains(&"C INSERT 0 2".to_owned()));
    leg.change("DROP VIEW staffing; CREATE VIEW staffing AS SELECT id, ssn AS name FROM person");
    client.send(&execute);
    overtaken(&leg, "written", &client.until_ready());
    assert_eq!(rows(&client.query("SELECT name FROM copy")), ["Ann", "Bob"]);
    // The session can go on writing.
    assert_eq!(client.query("DELETE FROM copy")[0], "C DELETE 2");
}

#[test]
fn tables_that_keep_another_ones_rows_are_denied_with_it() {
    let tables = format!(
        "{TABLES}
        CREATE VIRTUAL TABLE docs USING fts5(title);
        INSERT INTO docs VALUES ('sesame');
        CREATE VIRTUAL TABLE place USING rtree(id, low, high, +word);
        INSERT INTO place VALUES (1, 2, 3, 'sesame');
        CREATE VIRTUAL TABLE open_docs USING fts5(title);
        INSERT INTO open_docs VALUES ('hello');
        CREATE VIEW kept AS SELECT c0 AS v FROM docs_content;
        CREATE VIEW deeper AS SELECT v FROM kept;
        CREATE VIEW placed AS SELECT a0 AS v FROM place_rowid;
        CREATE VIEW shown AS SELECT c0 AS v FROM open_docs_content;"
    );
    let views = ["kept", "deeper", "placed"];
    let asked = views.iter().chain(&["shown"]);
    let turns: Vec<Turn> = asked.map(|view| says(&format!("SELECT v FROM {view}"))).collect();
    let model = ScriptedModel::start(turns);
    let toml = format!(
        "mode = \"single\"\nlimits.attempts = 0\n[[policy.rule]]\ndeny = [\"docs\", \"place.*\"]\n{}",
        table(&model)
    );
    let leg = Leg::sqlite(&toml, &tables);
    let mut client = leg.client();
    for (number, view) in views.iter().enumerate() {
        let told = client.query(&format!("-- nl: frobnicate number {number}"));
        let denied = told[0].starts_with("E ERROR 42501");
        assert!(denied && rows(&told).is_empty(), "{view}: {told:?}");
    }
    let told = client.query("-- nl: frobnicate the last one");
    assert_eq!(rows(&told).len(), 1, "{told:?}");
    model.finish();
}
