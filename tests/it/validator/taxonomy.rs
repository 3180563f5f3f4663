//! The executable taxonomy: each code's own example is noticed, and what is right is left alone.

use std::{sync::OnceLock, time::Duration};

use querent::{
    question::{
        schema::{Dialect, Snapshot},
        validator::{Asked, Code, EQUAL_ROWS_MERGED, Inspection, ResultShape, review, review_result},
    },
    sqlite::engine::{Database, Options},
};

/// Gardens, and the flowers and trees in them.
const GARDENS: &str = "
    CREATE TABLE gardens (id INTEGER PRIMARY KEY, name TEXT, city TEXT);
    CREATE TABLE flowers (id INTEGER PRIMARY KEY, name TEXT, colour TEXT, height INTEGER, planted DATE,
        garden_id INTEGER REFERENCES gardens (id));
    CREATE TABLE trees (id INTEGER PRIMARY KEY, name TEXT, age INTEGER, garden_id INTEGER REFERENCES gardens (id));
    INSERT INTO gardens VALUES (1, 'North', 'Oslo'), (2, 'South', 'Bergen'), (3, 'Hill', 'Oslo'), (7, 'Quay', 'Hamar');
    INSERT INTO flowers VALUES (1, 'rose', 'red', 60, '2019-05-01', 1), (2, 'tulip', 'blue', 30, '2021-04-01', 1),
        (3, 'lily', 'white', 15, '2022-06-01', 2), (4, 'poppy', 'red', 25, '2020-03-01', 3);
    INSERT INTO trees VALUES (1, 'oak', 120, 1), (2, 'birch', 40, 2);
";

/// The gardens with their values read, opened once.
pub(super) fn gardens() -> &'static Snapshot {
    static SNAPSHOT: OnceLock<Snapshot> = OnceLock::new();
    SNAPSHOT.get_or_init(|| {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("gardens.sqlite");
        rusqlite::Connection::open(&path)
            .unwrap()
            .execute_batch(GARDENS)
            .unwrap();
        let runtime = tokio::runtime::Runtime::new().unwrap();
        runtime.block_on(async {
            let database = Database::open(&path, Options::default()).unwrap();
            database.index_values();
            assert!(database.values_ready(Duration::from_secs(60)).await);
            database.snapshot().await.unwrap()
        })
    })
}

fn reviewed(question: &str, sql: &str) -> Inspection {
    review(sql, &Asked::now(question, gardens()))
}

/// The codes found, errors first, each with a `!` behind it if it is an error.
fn codes(question: &str, sql: &str) -> String {
    let findings = reviewed(question, sql).findings;
    let mark = |error: bool| if error { "!" } else { "" };
    let codes = findings
        .iter()
        .map(|finding| format!("{}{}", finding.code, mark(finding.is_error())));
    codes.collect::<Vec<_>>().join(" ")
}

#[test]
fn every_code_notices_its_own_example_and_nothing_in_the_right_answer() {
    let mut wrong = Vec::new();
    for code in Code::TAXONOMY {
        let entry = code.entry().unwrap();
        let found = reviewed(&entry.question, &entry.bad).findings;
        if !found.iter().any(|finding| finding.code == *code) {
            wrong.push(format!("{code} misses {}: {found:?}", entry.bad));
        }
        let found = reviewed(&entry.question, &entry.good).findings;
        if !found.is_empty() {
            wrong.push(format!("{code} in {}: {found:?}", entry.good));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn the_question_is_held_against_the_statement() {
    let mut wrong = Vec::new();
    let mut check = |question: &str, sql: &str, expected: &str| {
        let found = codes(question, sql);
        if found != expected {
            wrong.push(format!("{question} {sql}: {found}, not {expected}"));
        }
    };
    let names = "SELECT name FROM flowers";
    // superlatives and order
    check(
        "What is the lowest flower called?",
        "SELECT name FROM flowers ORDER BY height LIMIT 1",
        "",
    );
    check(
        "What is the name of the flower with the lowest height?",
        "SELECT name FROM flowers ORDER BY height DESC LIMIT 1",
        "order_by_missing",
    );
    check(
        "What are the names of the 3 highest flowers?",
        "SELECT name FROM flowers ORDER BY height DESC LIMIT 5",
        "limit_missing",
    );
    check(
        "List the names of the flowers sorted by height.",
        names,
        "order_by_missing",
    );
    check(
        "List the names of the flowers in descending order of height.",
        "SELECT name FROM flowers ORDER BY height",
        "order_by_missing",
    );
    // numbers and values
    check(
        "What are the names of flowers higher than 20?",
        "SELECT name FROM flowers WHERE height < 20",
        "where_missing",
    );
    check(
        "What are the names of flowers higher than 20?",
        names,
        "where_missing",
    );
    check(
        "What are the names of flowers higher than 20?",
        "SELECT name FROM flowers WHERE height > 50",
        "where_missing hardcoded_value",
    );
    check(
        "What are the names of the flowers in the garden \"North\"?",
        names,
        "where_missing",
    );
    check(
        "What are the names of the red flowers?",
        "SELECT name FROM flowers WHERE colour = 'rde'",
        "where_missing value_format_wrong",
    );
    check(
        "What are the names of the red flowers?",
        "SELECT name FROM flowers WHERE colour = 'blue'",
        "where_missing hardcoded_value",
    );
    // counts and averages
    check(
        "How many flowers are there?",
        "SELECT name FROM flowers",
        "incorrect_col",
    );
    check(
        "What is the average height of the flowers?",
        "SELECT height FROM flowers",
        "incorrect_col",
    );
    check(
        "What is the average height of the flowers?",
        "SELECT AVG(height) FROM flowers",
        "",
    );
    check(
        "What are the ages of the trees?",
        "SELECT SUM(age) FROM trees",
        "incorrect_col",
    );
    check(
        "What is the total age of the trees?",
        "SELECT SUM(id) FROM trees",
        "incorrect_col",
    );
    // negation
    check(
        "What are the names of the gardens without flowers?",
        "SELECT name FROM gardens WHERE id IN (SELECT garden_id FROM flowers)",
        "except_missing",
    );
    check(
        "What are the names of the gardens with flowers?",
        "SELECT name FROM gardens WHERE id NOT IN (SELECT garden_id FROM flowers)",
        "except_missing",
    );
    // both, either, different
    check(
        "Which garden ids have both red and blue flowers?",
        "SELECT garden_id FROM flowers WHERE colour = 'red' OR colour = 'blue'",
        "intersect_missing",
    );
    check(
        "What are the names of flowers that are higher than 50 and lower than 20?",
        "SELECT name FROM flowers WHERE height > 50 AND height < 20",
        "intersect_missing!",
    );
    check(
        "What are the different colours of the flowers?",
        "SELECT colour FROM flowers",
        "duplicate_select",
    );
    check(
        "What are the different colours of the flowers?",
        "SELECT DISTINCT colour FROM flowers",
        "",
    );
    check(
        "What are the names of the red flowers that are higher than 20?",
        "SELECT name FROM flowers WHERE colour = 'red' OR height > 20",
        "intersect_missing",
    );
    check(
        "What are the names of flowers with a height between 10 and 20?",
        "SELECT name FROM flowers WHERE height >= 10 OR height <= 20",
        "intersect_missing",
    );
    check(
        "How many different colours do the flowers have?",
        "SELECT COUNT(colour) FROM flowers",
        "duplicate_select",
    );
    check(
        "Which colours have an average height above the average height of all flowers?",
        "SELECT colour FROM flowers GROUP BY colour HAVING AVG(height) > AVG(height)",
        "subquery_missing",
    );
    check(
        "What are the names of gardens without flowers?",
        "SELECT gardens.name FROM gardens JOIN flowers ON flowers.garden_id = gardens.id \
         WHERE gardens.id NOT IN (SELECT garden_id FROM flowers WHERE garden_id IS NOT NULL)",
        "extra_table",
    );
    check(
        "Which gardens have both red and blue flowers?",
        "SELECT garden_id, colour FROM flowers WHERE colour = 'red' \
         INTERSECT SELECT garden_id, colour FROM flowers WHERE colour = 'blue'",
        "extra_values_selected extra_values_selected",
    );
    // what is meant otherwise
    check(
        "What are the names of gardens without flowers?",
        "SELECT name FROM gardens WHERE id NOT IN (SELECT garden_id FROM flowers)",
        "",
    );
    check(
        "List the names of flowers from the highest to the lowest.",
        "SELECT name FROM flowers ORDER BY height DESC",
        "",
    );
    check(
        "What is the total age across all trees?",
        "SELECT SUM(age) FROM trees",
        "",
    );
    check("How many flowers are listed?", "SELECT COUNT(*) FROM flowers", "");
    check(
        "Which colour is the most popular?",
        "SELECT colour FROM flowers GROUP BY colour ORDER BY COUNT(*) DESC LIMIT 1",
        "",
    );
    // counts of things, and keys
    check(
        "What are the names of gardens that have more than two flowers?",
        "SELECT g.name FROM gardens AS g JOIN flowers AS f ON f.garden_id = g.id WHERE f.height > 2",
        "having_vs_where",
    );
    check(
        "What are the names of flowers with a height above 20?",
        "SELECT name FROM flowers WHERE id > 20",
        "condition_wrong_col",
    );
    check(
        "What are the names of gardens that have trees?",
        "SELECT name FROM gardens WHERE id IN (SELECT id FROM trees)",
        "subquery_correlation_error",
    );
    // what is shown
    check(
        "What are the names of all flowers?",
        "SELECT * FROM flowers",
        "extra_values_selected",
    );
    check(
        "What are the heights of the flowers named rose?",
        "SELECT name FROM flowers WHERE name = 'rose'",
        "incorrect_col",
    );
    // subqueries
    check(
        "What are the names of the gardens that have flowers?",
        "SELECT name FROM gardens WHERE EXISTS (SELECT 1 FROM flowers WHERE height > 0)",
        "subquery_correlation_error",
    );
    // a question that nobody knows says nothing
    check("", "SELECT * FROM flowers", "");
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn distinct_on_keeps_the_first_of_each() {
    let postgres = Snapshot {
        dialect: Dialect::Postgres,
        ..gardens().clone()
    };
    let sql = "SELECT DISTINCT ON (colour) colour, name FROM flowers ORDER BY colour, height DESC";
    for question in [
        "the highest flower of each colour",
        "What is the lowest flower of each colour?",
    ] {
        let limits = review(sql, &Asked::now(question, &postgres)).findings;
        let limits = limits.iter().filter(|finding| finding.code == Code::LimitMissing);
        assert_eq!(limits.count(), 0, "{question}");
    }
}

#[test]
fn a_misspelt_value_is_repaired_to_the_stored_one() {
    let check = |literal: &str, expected: Option<&str>| {
        let sql = format!("SELECT name FROM flowers WHERE colour = '{literal}'");
        let findings = reviewed("", &sql).findings;
        let repair = findings.first().and_then(|finding| finding.repair.as_deref());
        assert_eq!(repair, expected, "{literal}");
    };
    check("red", None);
    check("RED", Some("'red'"));
    check("whte", Some("'white'"));
    check("purple", None);
}

#[test]
fn a_result_is_judged_by_its_shape() {
    let check = |question: &str, sql: &str, (rows, all_null): (usize, bool), expected: &str| {
        let shape = ResultShape {
            rows,
            complete: true,
            all_null,
            merged: false,
        };
        let findings = review_result(sql, shape, &Asked::now(question, gardens()));
        let codes: Vec<&str> = findings.iter().map(|finding| finding.code.name()).collect();
        assert_eq!(codes.join(" "), expected, "{question} {sql}");
    };
    let red = "SELECT name FROM flowers WHERE colour = 'red'";
    let few = ResultShape {
        rows: 2,
        complete: true,
        all_null: false,
        merged: true,
    };
    let found = review_result(red, few, &Asked::now("Which flowers are red?", gardens()));
    assert_eq!(found[0].rule, EQUAL_ROWS_MERGED);
    check("Which flowers are red?", red, (2, false), "");
    check("Which flowers are red?", red, (0, false), "condition_wrong_col");
    check(
        "",
        "SELECT MAX(height) FROM flowers",
        (1, true),
        "condition_wrong_col",
    );
    let joined = "SELECT f.name FROM flowers AS f JOIN trees AS t ON t.id = f.garden_id";
    check("", joined, (0, false), "incorrect_foreign_key");
    check(
        "How many flowers are there?",
        "SELECT COUNT(*) FROM flowers",
        (1, false),
        "",
    );
    check(
        "How many flowers are there?",
        "SELECT COUNT(*) FROM flowers GROUP BY colour",
        (3, false),
        "limit_missing",
    );
    check(
        "How many flowers are there for each colour?",
        "SELECT COUNT(*) FROM flowers",
        (1, false),
        "agg_no_groupby",
    );
    check(red, "SELECT name FROM flowers WHERE colour = $1", (0, false), "");
}
