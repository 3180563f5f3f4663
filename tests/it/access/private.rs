//! Columns that models are never told of, and stored values that stay here.

use crate::{
    conversation::legs::{Leg, over_with_model, says, table},
    model::{server::ScriptedModel, turn::Turn},
};

const TABLES: &str = "
    CREATE TABLE person(id INTEGER PRIMARY KEY, name TEXT NOT NULL, e_mail TEXT, country TEXT);
    INSERT INTO person VALUES (1, 'Ann', 'Annapurna', 'Spain'), (2, 'Bob', 'Kilimanjaro', 'France');
    CREATE VIEW contact AS SELECT id AS number, e_mail AS address FROM person;";

const PRIVATE: &str = "notices = \"off\"\n[privacy]\nprivate = [\"person.e_mail\"]\n";
const OPEN: &str = "SELECT country FROM person WHERE name = 'Ann'";

/// Asks in this mode. None of these words may come to the model, and `shown`, where it is not empty, must.
fn check(toml: &str, mode: &str, turns: &[Turn], (shown, hidden): (&str, &[&str])) {
    over_with_model(TABLES, toml, turns, |leg, model: &ScriptedModel| {
        let mut client = leg.client();
        client.query(&format!("SET querent.mode = {mode}"));
        let told = client.query("-- nl: where does the climber of Kilimandscharo live?");
        assert!(told.contains(&"D Spain".to_owned()), "{}: {told:?}", leg.name);
        let seen: Vec<String> = model
            .requests()
            .iter()
            .map(|seen| seen.body.to_string())
            .collect();
        assert!(
            seen.iter().any(|body| body.contains(shown)),
            "{}: {seen:?}",
            leg.name
        );
        for (body, word) in seen
            .iter()
            .flat_map(|body| hidden.iter().map(move |word| (body, word)))
        {
            assert!(!body.contains(word), "{}: {word} in {body}", leg.name);
        }
    });
}

#[test]
fn a_private_column_is_in_no_prompt() {
    let words = (
        "country",
        &["e_mail", "Annapurna", "Kilimanjaro", "contact", "address"][..],
    );
    check(PRIVATE, "single", &[says(OPEN)], words);
    check(PRIVATE, "adaptive", &[says(OPEN)], words);
    let agents = [
        Turn::says("{\"tables\": [{\"name\": \"person\", \"columns\": [\"country\", \"e_mail\"]}]}"),
        Turn::says("{\"subproblems\": [{\"clause\": \"WHERE\", \"expression\": \"x\"}]}"),
        Turn::says("1. look"),
        Turn::says(OPEN),
    ];
    check(PRIVATE, "sot", &agents, words);
}

#[test]
fn a_comment_that_names_a_private_column_is_in_no_prompt() {
    let comments = [
        (
            "TABLE person",
            "people, whose E-Mail is like annapurna@example.org",
        ),
        ("COLUMN person.name", "what stands in e_mail before the at"),
        ("COLUMN person.country", "where the person lives"),
    ];
    over_with_model(TABLES, PRIVATE, &[says(OPEN)], |leg, model: &ScriptedModel| {
        let mut client = leg.client();
        for (what, comment) in comments {
            client.query(&format!("COMMENT ON {what} IS '{comment}'"));
        }
        client.query("SET querent.mode = single");
        let told = client.query("-- nl: where does the climber of Kilimandscharo live?");
        assert!(told.contains(&"D Spain".to_owned()), "{}: {told:?}", leg.name);
        for seen in model.requests() {
            let body = seen.body.to_string();
            assert!(body.contains(comments[2].1), "{}: {body}", leg.name);
            for (_, comment) in &comments[..2] {
                assert!(!body.contains(comment), "{}: {comment} in {body}", leg.name);
            }
        }
    });
}

#[test]
fn a_correction_tells_nothing_private() {
    // The first column is repaired to the private one; the second cannot be.
    let turns = [says("SELECT e_mial, qqqq FROM person"), Turn::says(OPEN)];
    let words = ("SELECT e_mial, qqqq FROM person", &["e_mail", "Annapurna"][..]);
    check(PRIVATE, "adaptive", &turns, words);
    // Where nothing private is near, all is told.
    let turns = [says("SELECT contry, qqqq FROM person"), Turn::says(OPEN)];
    check(PRIVATE, "adaptive", &turns, ("qqqq", &["e_mail", "Annapurna"]));
}

#[test]
fn a_repair_gives_no_stored_value_away() {
    let toml = "notices = \"off\"\n[privacy]\nsend_values = false\n";
    let turns = [says("SELECT contry, qqqq FROM person"), Turn::says(OPEN)];
    let words = (
        "SELECT contry, qqqq FROM person",
        &["SELECT country, qqqq", "Annapurna", "Kilimanjaro"][..],
    );
    check(toml, "adaptive", &turns, words);
}

#[test]
fn the_embedded_agents_may_use_private_columns() {
    over_with_model(TABLES, PRIVATE, &[], |leg, _| {
        let mut client = leg.client();
        client.query("SET querent.mode = embedded");
        let told = client.query("-- nl: list the e mail of all persons");
        assert!(told.contains(&"D Annapurna".to_owned()), "{}: {told:?}", leg.name);
    });
}

#[test]
fn what_is_computed_of_a_private_column_is_private() {
    let tables = "
        CREATE TABLE person(id INTEGER PRIMARY KEY, name TEXT NOT NULL, e_mail TEXT, country TEXT,
            handle TEXT GENERATED ALWAYS AS (lower(e_mail)) STORED);
        INSERT INTO person(id, name, e_mail, country) VALUES (1, 'Ann', 'Annapurna', 'Spain'), (2, 'Bob', 'Kilimanjaro', 'France');";
    over_with_model(tables, PRIVATE, &[says(OPEN)], |leg, model: &ScriptedModel| {
        let mut client = leg.client();
        client.query("SET querent.mode = single");
        let told = client.query("-- nl: where does the climber of kilimanjaro live?");
        assert!(told.contains(&"D Spain".to_owned()), "{}: {told:?}", leg.name);
        for seen in model.requests() {
            for word in ["handle", "annapurna", "e_mail"] {
                let body = seen.body.to_string();
                assert!(!body.contains(word), "{}: {word} in {body}", leg.name);
            }
        }
    });
}

#[test]
fn what_refers_to_a_private_or_denied_column_is_private() {
    let tables = "
        CREATE TABLE person(id INTEGER PRIMARY KEY, name TEXT NOT NULL, e_mail TEXT UNIQUE, country TEXT);
        CREATE TABLE visit(id INTEGER PRIMARY KEY, visitor_key TEXT UNIQUE REFERENCES person(e_mail), ward TEXT);
        CREATE TABLE bill(id INTEGER PRIMARY KEY, payer_key TEXT REFERENCES visit(visitor_key), total INTEGER);
        CREATE VIEW seen AS SELECT visitor_key AS caller, ward AS place FROM visit;
        INSERT INTO person VALUES (1, 'Ann', 'Annapurna', 'Spain'), (2, 'Bob', 'Kilimanjaro', 'France');
        INSERT INTO visit VALUES (1, 'Annapurna', 'north'), (2, 'Kilimanjaro', 'south');
        INSERT INTO bill VALUES (1, 'Annapurna', 10), (2, 'Kilimanjaro', 20);";
    let denied = "notices = \"off\"\n[[policy.rule]]\ndeny = [\"person.e_mail\"]\n";
    for toml in [PRIVATE, denied] {
        over_with_model(tables, toml, &[says(OPEN)], |leg, model: &ScriptedModel| {
            let mut client = leg.client();
            client.query("SET querent.mode = single");
            client.query("-- nl: where does Ann with the bill of Annapurna live?");
            let seen: Vec<String> = model
                .requests()
                .iter()
                .map(|seen| seen.body.to_string())
                .collect();
            assert!(
                seen.iter().any(|body| body.contains("ward")),
                "{}: {seen:?}",
                leg.name
            );
            for body in &seen {
                // The question itself says the one value.
                for word in ["e_mail", "visitor_key", "payer_key", "caller", "Kilimanjaro"] {
                    assert!(!body.contains(word), "{}: {word} in {body}", leg.name);
                }
            }
        });
    }
}

#[test]
fn what_the_database_says_of_a_private_value_is_in_no_trace() {
    let toml = format!("{PRIVATE}\n").replacen("notices", "trace_log = \"FOLDER/trace.jsonl\"\nnotices", 1);
    let turns = [
        Turn::says("{\"tables\": [{\"name\": \"person\", \"columns\": [\"country\"]}]}"),
        Turn::says("{\"subproblems\": [{\"clause\": \"WHERE\", \"expression\": \"x\"}]}"),
        Turn::says("1. look"),
        Turn::says("SELECT CAST(person.e_mail AS int) FROM person"),
        Turn::says("1. look again"),
        Turn::says(OPEN),
    ];
    let tables = TABLES
        .replace("'Annapurna'", "'forty-two'")
        .replace("'Kilimanjaro'", "'forty-three'");
    // SQLite casts without a word.
    let model = ScriptedModel::start(turns.to_vec());
    let Some(leg) = Leg::postgres(&format!("{toml}{}", table(&model)), &tables) else {
        return;
    };
    let mut client = leg.client();
    client.query("SET querent.mode = sot");
    let told = client.query("-- nl: where does the climber of Kilimandscharo live?");
    assert!(told.contains(&"D Spain".to_owned()), "{told:?}");
    model.finish();
    let trace = std::fs::read_to_string(leg.folder().join("trace.jsonl")).unwrap();
    assert!(trace.contains("(private)"), "{trace}");
    assert!(!trace.contains("forty-"), "{trace}");
}

const FULL_TEXT: &str = "
    CREATE TABLE person(id INTEGER PRIMARY KEY, name TEXT NOT NULL, bio TEXT, country TEXT);
    INSERT INTO person VALUES (1, 'Ann', 'Annapurna forty-two', 'Spain'), (2, 'Bob', 'Kilimanjaro forty-three', 'France');
    CREATE VIRTUAL TABLE person_search USING fts5(name, bio, content='person', content_rowid='id');
    INSERT INTO person_search(person_search) VALUES ('rebuild');
    CREATE VIRTUAL TABLE person_terms USING fts5vocab(person_search, 'row');
    CREATE VIRTUAL TABLE bio_index USING fts5(words, content='');
    INSERT INTO bio_index(rowid, words) SELECT id, bio FROM person;
    CREATE VIRTUAL TABLE leaflet USING fts5(title, body);
    INSERT INTO leaflet SELECT name, bio FROM person;
    CREATE VIRTUAL TABLE old_search USING fts4(name, bio, content=\"person\");
    INSERT INTO old_search(old_search) VALUES ('rebuild');
    CREATE VIEW person_lines AS SELECT id, name || ' ' || bio AS line FROM person;
    CREATE VIRTUAL TABLE line_search USING fts5(line, content='person_lines', content_rowid='id');
    INSERT INTO line_search(line_search) VALUES ('rebuild');";

#[test]
fn full_text_of_a_private_column_is_in_no_prompt() {
    let private =
        "notices = \"off\"\n[privacy]\nprivate = [\"person.bio\", \"bio_index\", \"leaflet.body\"]\n";
    // Each is wrong in some way, so that its author is told of that and asked again.
    for sql in [
        "SELECT bio, qqqq FROM person_search",
        "SELECT snippet(person_search, 1, '', '', '', 9) FROM person_search WHERE person_search MATCH 'annapurna'",
        "SELECT highlight(leaflet, 1, '', '') FROM leaflet",
        "SELECT * FROM leaflet('annapurna')",
        "SELECT c1 FROM leaflet_content",
        "SELECT term FROM person_terms",
        "SELECT term FROM person_liness",
        "SELECT qqqq FROM bio_index",
        "SELECT snippet(old_search) FROM old_search",
        "SELECT line, qqqq FROM line_search",
    ] {
        let model = ScriptedModel::start(vec![says(sql), Turn::says(OPEN)]);
        let leg = Leg::sqlite(&format!("{private}{}", table(&model)), FULL_TEXT);
        let mut client = leg.client();
        client.query("SET querent.mode = adaptive");
        let told = client.query("-- nl: where does the climber of Kilimandscharo live?");
        assert!(told.contains(&"D Spain".to_owned()), "{sql}: {told:?}");
        let seen = model.requests();
        assert_eq!(seen.len(), 2, "{sql}");
        // What the model has said itself is no news.
        let told = seen.iter().map(|seen| seen.body.to_string().replace(sql, ""));
        let told = told.collect::<String>().to_lowercase();
        for word in [
            "annapurna",
            "kilimanjaro",
            "forty",
            "bio",
            "person_search",
            "bio_index",
            "old_search",
            "person_lines",
            "line_search",
        ] {
            let asked = sql.to_lowercase().contains(word);
            assert!(asked || !told.contains(word), "{sql}: {word} in {told}");
        }
        model.finish();
    }
}
