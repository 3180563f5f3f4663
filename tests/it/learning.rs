//! What corrections teach: one change is told from several, kept where the settings say, proposed to a person, and once it is
//! accepted found, hinted at and repaired.

use std::{
    path::Path,
    time::{Duration, Instant, SystemTime},
};

use querent::{
    backend::Backend,
    question::{
        schema::{Dialect, Schema},
        validator::{self, Change},
    },
    service::store::{Collected, Lesson, StoreAddress as Store},
    sqlite::engine::{Database, Options},
};

use super::{
    conversation::legs::{COUNT, Leg, ODD, each, says, with_model},
    model::turn::Turn,
    postgres::server::{PostgresServer, SUPERUSER},
    program::{Place, refuses},
};

const STORE: &str = "[store]\npath = \"FOLDER/kept.db\"\n";
const PATIENCE: Duration = Duration::from_secs(20);

const TABLES: &str = "
CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT, region TEXT, secret TEXT);
CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customers(id), status TEXT, day TEXT, total REAL);";

async fn schema() -> (tempfile::TempDir, Schema) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("shop.db");
    rusqlite::Connection::open(&file)
        .unwrap()
        .execute_batch(TABLES)
        .unwrap();
    let connection = Database::open(&file, Options::default())
        .unwrap()
        .connect()
        .unwrap();
    let mut schema = (*connection.snapshot().await.unwrap().schema).clone();
    let customers = schema.table_named("customers").unwrap();
    schema.tables[customers].columns[3].private = true;
    (folder, schema)
}

#[tokio::test]
async fn one_change_is_told_by_its_tree() {
    let (_folder, schema) = schema().await;
    for (before, after, expected) in [
        (
            "SELECT year(o.day) FROM orders AS o",
            "SELECT strftime('%Y', day) FROM orders",
            "year($1) -> strftime('%Y', $1)",
        ),
        // In several places it is one change.
        (
            "SELECT year(day), COUNT(*) FROM orders GROUP BY year(day)",
            "SELECT strftime('%Y', day), COUNT(*) FROM orders GROUP BY strftime('%Y', day)",
            "year($1) -> strftime('%Y', $1)",
        ),
        (
            "SELECT COUNT(*) FROM orders",
            "SELECT COUNT(*) FROM orders AS x WHERE x.status <> 'cancelled'",
            "orders where orders.status <> 'cancelled'",
        ),
        (
            "SELECT total FROM orders WHERE day > '2024' AND status = 'open'",
            "SELECT total FROM orders WHERE status = 'O' AND day > '2024'",
            "orders.status = 'open' -> orders.status = 'O'",
        ),
        (
            "SELECT name FROM customers WHERE name = 'Ann'",
            "SELECT name FROM customers WHERE region = 'Ann'",
            "customers.name -> customers.region",
        ),
        (
            "SELECT c.name, COUNT(o.id) FROM customers c JOIN orders o ON o.customer_id = c.id GROUP BY c.id",
            "SELECT a.name, COUNT(b.id) FROM customers a LEFT JOIN orders b ON b.customer_id = a.id GROUP BY a.id",
            "JOIN orders -> LEFT JOIN orders",
        ),
        // Names of tables, letters and blanks are no change, two changes are none, and another question is another one.
        ("SELECT o.day FROM orders AS o", "select  day from orders", ""),
        (
            "SELECT year(day) FROM orders",
            "SELECT strftime('%Y', day) FROM orders WHERE status = 'O'",
            "",
        ),
        ("SELECT day FROM orders", "SELECT COUNT(*), day FROM orders", ""),
        ("SELECT day FROM orders", "SELECT name FROM customers", ""),
        // What is private is not learned of, nor what is not right.
        (
            "SELECT name FROM customers",
            "SELECT name FROM customers WHERE secret = 'x'",
            "",
        ),
        (
            "SELECT secrt, secret FROM customers",
            "SELECT name, secret FROM customers",
            "",
        ),
        ("SELECT FROM", "SELECT name FROM customers", ""),
    ] {
        let change = validator::change(before, after, &schema, Dialect::Sqlite);
        let told = change.map_or_else(String::new, |change| change.describe());
        assert_eq!(told, expected, "{before}");
    }
}

/// What a store holds once it is as wanted.
fn collected(file: &Path, wanted: impl Fn(&[Collected]) -> bool) -> Vec<Collected> {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let store = Store::File(file.to_path_buf());
    let begun = Instant::now();
    loop {
        let found = runtime.block_on(store.learned()).unwrap_or_default();
        if wanted(&found) {
            return found;
        }
        assert!(begun.elapsed() < PATIENCE, "{found:#?}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Accepts all that was learned, and lets the server know.
fn accept(leg: &Leg) {
    let file = leg.folder().join("kept.db");
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(async {
        let mut store = Store::File(file).lessons().await.unwrap();
        for one in store.collected().await.unwrap() {
            store.decide(&one.database, &one.change, true).await.unwrap();
        }
        leg.handle().reload_meanings().await.unwrap();
    });
}

#[test]
fn a_fix_teaches_what_is_found_afterwards() {
    each(STORE, |leg| {
        let mut client = leg.client();
        client.query(COUNT);
        let told = client.query("-- nl fix: SELECT COUNT(*) FROM planet WHERE moons > 0");
        assert!(told.iter().any(|line| line.contains("corrected")), "{told:?}");
        let found = collected(&leg.folder().join("kept.db"), |found| !found.is_empty());
        assert_eq!(
            (found.len(), found[0].code.as_str()),
            (1, "where_missing"),
            "{}",
            leg.name
        );
        let doubt = |lines: &[String]| {
            lines
                .iter()
                .any(|line| line.contains("planet is read without planet.moons > 0"))
        };
        let explained = "-- nl explain: how many planets are there?";
        assert!(!doubt(&client.query(explained)));
        accept(leg);
        let told = client.query(explained);
        assert!(doubt(&told), "{}: {told:?}", leg.name);
        // What already says so is no error.
        let told = client.query("-- nl explain: how many planets have more than 1 moons?");
        assert!(!doubt(&told), "{}: {told:?}", leg.name);
    });
}

#[test]
fn no_statement_around_an_answer_ends_the_server() {
    each("", |leg| {
        let mut client = leg.client();
        for links in [400, 1_000, 10_000] {
            let deep = format!("SELECT 1::int{}", "[]".repeat(links));
            client.query(COUNT);
            let told = client.query(&format!("-- nl fix: {deep}"));
            assert!(told.iter().any(|line| line.contains("corrected")), "{told:?}");
            client.query(&format!("{deep}, * FROM nl('how many planets are there?')"));
            client.query(&deep);
        }
        let told = client.query(COUNT);
        assert!(told.iter().any(|line| line.starts_with("D ")), "{told:?}");
    });
}

#[test]
fn a_correction_that_is_none_counts_for_nothing() {
    each("", |leg| {
        let mut client = leg.client();
        client.query(COUNT);
        let before = client.query("SHOW querent.last_confidence");
        for _ in 0..3 {
            client.query("-- nl: how many planets are there in all?");
            for fix in ["nonsense", "SELECT nowhere FROM planet", "DROP TABLE planet"] {
                let told = client.query(&format!("-- nl fix: {fix}"));
                assert!(
                    told.iter().any(|line| line.contains("it teaches nothing")),
                    "{told:?}"
                );
            }
        }
        client.query("-- nl: how many planets are there, then?");
        assert_eq!(
            client.query("SHOW querent.last_confidence"),
            before,
            "{}",
            leg.name
        );
    });
}

const SHORTENED: &str = "SELECT shorten(name) FROM planet";
const UPPER: &str = "SELECT upper(name) FROM planet";

#[test]
fn what_a_model_corrected_is_repaired_without_it_the_next_time() {
    let turns = [
        says(SHORTENED),
        Turn::says(format!("```sql\n{UPPER}\n```")),
        says("SELECT shorten(p.name) FROM planet AS p WHERE p.moons > 1"),
    ];
    with_model(STORE, &turns, |leg, _| {
        let mut client = leg.client();
        let told = client.query(ODD);
        assert!(told.iter().any(|line| line == "D MARS"), "{}: {told:?}", leg.name);
        let found = collected(&leg.folder().join("kept.db"), |found| !found.is_empty());
        assert_eq!(found[0].code, "unsupported_function");
        let change: Change = serde_json::from_str(&found[0].change).unwrap();
        assert_eq!(change.describe(), "shorten($1) -> upper($1)");
        accept(leg);
        let told = client.query("-- nl: refrobnicate the zorblax");
        let rows: Vec<_> = told.iter().filter(|line| line.starts_with("D ")).collect();
        assert_eq!(rows, ["D MARS", "D SATURN"], "{}: {told:?}", leg.name);
    });
}

#[test]
fn nothing_is_learned_of_private_columns_or_where_it_is_switched_off() {
    for more in ["learn = false\n", "[privacy]\nprivate = [\"planet.moons\"]\n"] {
        each(&format!("{STORE}{more}"), |leg| {
            let mut client = leg.client();
            client.query(COUNT);
            client.query("-- nl fix: SELECT COUNT(*) FROM planet WHERE moons > 0");
            // Lessons are kept in their order, so that this one would come behind that.
            if more.contains("private") {
                client.query(COUNT);
                client.query("-- nl fix: SELECT COUNT(*) FROM planet WHERE name = 'Mars'");
                let found = collected(&leg.folder().join("kept.db"), |found| !found.is_empty());
                assert!(
                    found.len() == 1 && !found[0].change.contains("moons"),
                    "{found:?}"
                );
            } else {
                assert_eq!(collected(&leg.folder().join("kept.db"), |_| true), []);
            }
        });
    }
}

fn lesson(before: &str, after: &str) -> Lesson {
    let change = Change::Expression {
        before: "shorten($1)".into(),
        after: "upper($1)".into(),
    };
    Lesson {
        time: SystemTime::now(),
        database: "pets".into(),
        source: "fix",
        code: "unsupported_function".into(),
        change: serde_json::to_string(&change).unwrap(),
        before: before.into(),
        after: after.into(),
    }
}

async fn keep_and_decide(store: &Store) {
    assert_eq!(store.learned().await.unwrap(), []);
    let mut lessons = store.lessons().await.unwrap();
    for (before, after) in [
        ("SELECT 1", "SELECT 2"),
        ("SELECT 3", "SELECT 4"),
        ("SELECT 1", "SELECT 2"),
    ] {
        lessons.learn(&lesson(before, after)).await.unwrap();
    }
    let found = store.learned().await.unwrap();
    assert_eq!((found.len(), found[0].lessons, found[0].accepted), (1, 2, None));
    for accepted in [true, false] {
        lessons.decide("pets", &found[0].change, accepted).await.unwrap();
        assert_eq!(store.learned().await.unwrap()[0].accepted, Some(accepted));
    }
}

#[tokio::test]
async fn both_stores_keep_lessons_and_decisions() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("kept.db");
    keep_and_decide(&Store::File(file.clone())).await;
    // A store of before gets the tables when something is learned, and is read until then.
    let before = "DROP TABLE lesson; DROP TABLE subtype; DROP TABLE history; DROP TABLE agent_runs; DROP TRIGGER history_decided; \
                  DROP TRIGGER history_ended; DROP TRIGGER history_feedback; DROP TRIGGER history_removed; \
                  PRAGMA user_version = 1";
    rusqlite::Connection::open(&file)
        .unwrap()
        .execute_batch(before)
        .unwrap();
    keep_and_decide(&Store::File(file)).await;
    let Some(server) = PostgresServer::start() else {
        return;
    };
    let address = server.address(SUPERUSER, "postgres").parse().unwrap();
    keep_and_decide(&Store::Server(Box::new(address))).await;
}

#[test]
fn a_person_decides_on_the_command_line() {
    let place = Place::new();
    let none = place.run(&["taxonomy", "list", "--format", "csv"]);
    assert_eq!((none.code, none.out.lines().count()), (0, 1), "{}", none.err);
    let store = Store::File(place.path(".local/state/querent/querent.db"));
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(async {
        let mut lessons = store.lessons().await.unwrap();
        lessons
            .learn(&lesson(
                "SELECT shorten(name) FROM pet",
                "SELECT upper(name) FROM pet",
            ))
            .await
            .unwrap();
    });
    let lint = |expected: bool| {
        let sql = "SELECT shorten(p.name) FROM pet AS p";
        let ran = place.run(&["lint", "sqlite:pets.db", "", sql]);
        assert_eq!(
            ran.out.contains("people have corrected this before"),
            expected,
            "{}",
            ran.out
        );
        assert_eq!(
            ran.err.contains("repaired: SELECT upper(name) FROM pet"),
            expected,
            "{}",
            ran.err
        );
    };
    lint(false);
    let list = place.run(&["taxonomy", "list", "--format", "json"]);
    let list: serde_json::Value = serde_json::from_str(&list.out).unwrap();
    assert_eq!(
        (list[0]["status"].as_str(), list[0]["corrections"].as_i64()),
        (Some("proposed"), Some(1))
    );
    let id = list[0]["id"].as_str().unwrap();
    let accepted = place.run(&["taxonomy", "accept", id]);
    assert_eq!(
        accepted.out, "accepted: shorten($1) -> upper($1)\n",
        "{}",
        accepted.err
    );
    lint(true);
    assert_eq!(place.run(&["taxonomy", "drop", id]).code, 0);
    lint(false);
    refuses(
        &place,
        &["taxonomy", "accept", "nothing"],
        1,
        &["nothing with the number", "querent taxonomy lists"],
    );
}
