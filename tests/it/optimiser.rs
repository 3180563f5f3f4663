//! Cheaper SQL for slow answers: other ways to write a statement give the same rows on both databases and are left alone where
//! the schema does not guarantee that, and questions are answered with them only where it pays.

use std::{sync::Arc, time::Duration};

use querent::{
    ask::{Answer, AskSettings, Minds, ask},
    backend::{
        Backend, ResultSet,
        postgres::{Client, Limits, Sampling, Schemas},
        same_rows,
        sqlite::{Connection, Database, Options},
    },
    model::{Api, ModelSettings, Models, connect},
    schema::Snapshot,
    statement::Mode,
    validator,
};
use serde_json::json;

use super::{
    model::{server::ScriptedModel, turn::Turn},
    postgres::server::{PostgresServer, SUPERUSER},
};

const TABLES: &str = "
CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT NOT NULL, city TEXT);
CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_id INTEGER NOT NULL REFERENCES customers(id),
    day TEXT, total INTEGER, weight REAL);
CREATE TABLE notes (id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customers(id), words TEXT);
CREATE TABLE codes (code TEXT PRIMARY KEY, label TEXT);
";
const ROWS: &str = "
INSERT INTO customers SELECT n, 'c' || n, CASE WHEN n % 7 = 0 THEN NULL ELSE 'city ' || (n % 50) END FROM numbers WHERE n <= 400;
INSERT INTO orders SELECT n, 1 + n % 300, '2024-01-' || (n % 28), (n * 37) % 501, n FROM numbers;
INSERT INTO notes SELECT n, CASE WHEN n % 3 = 0 THEN NULL ELSE 1 + n % 300 END, 'w' || n FROM numbers WHERE n <= 500;
INSERT INTO codes SELECT 'k' || n, 'l' FROM numbers WHERE n <= 20;
";
/// Each customer's greatest order, worked out for each row.
const GREATEST: &str = "SELECT o.id, o.total FROM orders AS o \
    WHERE o.total = (SELECT MAX(i.total) FROM orders AS i WHERE i.customer_id = o.customer_id) ORDER BY o.id";

fn limits() -> Limits {
    Limits {
        cost: None,
        statement_timeout: Duration::from_secs(60),
    }
}

fn sqlite(rows: u32) -> (tempfile::TempDir, Connection) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("shop.db");
    let numbers = format!(
        "CREATE TEMP TABLE numbers AS WITH RECURSIVE all_of(n) AS \
         (SELECT 1 UNION ALL SELECT n + 1 FROM all_of WHERE n < {rows}) SELECT n FROM all_of;"
    );
    rusqlite::Connection::open(&file)
        .unwrap()
        .execute_batch(&format!("{TABLES}{numbers}{ROWS}"))
        .unwrap();
    let connection = Database::open(&file, Options::default())
        .unwrap()
        .connect()
        .unwrap();
    (folder, connection)
}

async fn postgres(server: &PostgresServer, rows: u32) -> Client {
    let numbers = format!("CREATE TEMP TABLE numbers AS SELECT n FROM generate_series(1, {rows}) AS n;");
    server
        .run("postgres", &format!("{TABLES}{numbers}{ROWS} ANALYZE"))
        .await;
    let address = server.address(SUPERUSER, "postgres").parse().unwrap();
    let schemas = Arc::new(Schemas::new(Sampling::default()));
    Client::connect(&address, schemas, limits()).await.unwrap()
}

/// What a statement is written as instead; `None` where it is left alone.
fn rewritten(sql: &str, snapshot: &Snapshot) -> Option<String> {
    let first = validator::rewrites(sql, &snapshot.schema, snapshot.dialect)
        .into_iter()
        .next();
    first.map(|rewrite| rewrite.sql)
}

/// Looks that each statement becomes one with these words in it (`""` for: is left alone), and gives the same rows.
async fn check_all(database: &dyn Backend, cases: &[(&str, &str)]) {
    let snapshot = database.snapshot().await.unwrap();
    for (sql, expected) in cases {
        let Some(other) = rewritten(sql, &snapshot) else {
            assert_eq!(*expected, "", "{sql} is left alone");
            continue;
        };
        assert!(
            !expected.is_empty() && other.contains(expected),
            "{sql} became {other}"
        );
        let mut results = vec![];
        for text in [sql, other.as_str()] {
            let valid = validator::validate(text, &snapshot.schema, snapshot.dialect)
                .unwrap_or_else(|found| panic!("{text}: {found:?}"));
            let trial = database.trial(&valid, 10_000).await.unwrap();
            assert!(trial.complete, "{text}");
            results.push(ResultSet {
                columns: trial.columns.len(),
                rows: trial.rows,
            });
        }
        assert!(
            same_rows(&results[0], &results[1], sql.contains("ORDER BY o.id")),
            "{sql} as {other}"
        );
    }
}

/// What is so on both databases.
const EVERYWHERE: &[(&str, &str)] = &[
    (
        GREATEST,
        "LEFT JOIN (SELECT i.customer_id AS figure_key, MAX(i.total) AS figure",
    ),
    (
        "SELECT o.id FROM orders AS o WHERE (SELECT COUNT(*) FROM notes AS n WHERE n.customer_id = o.customer_id AND n.id > 5) = 0",
        "COALESCE(figures_by_key.figure, 0) = 0",
    ),
    (
        "SELECT c.name, (SELECT SUM(o.total) FROM orders AS o WHERE o.customer_id = c.id) AS spent FROM customers AS c",
        "figures_by_key.figure AS spent",
    ),
    // Sums of fractions depend on their order, and texts on their collation.
    (
        "SELECT o.id FROM orders AS o WHERE o.weight > (SELECT AVG(i.weight) FROM orders AS i WHERE i.customer_id = o.customer_id)",
        "",
    ),
    // The other column would be there twice.
    (
        "SELECT * FROM orders AS o WHERE o.total = (SELECT MAX(i.total) FROM orders AS i WHERE i.customer_id = o.customer_id)",
        "",
    ),
    // What is shown of groups is not worked out row by row.
    (
        "SELECT o.customer_id, MAX((SELECT COUNT(*) FROM notes AS n WHERE n.customer_id = o.customer_id)) AS most FROM orders AS o GROUP BY o.customer_id",
        "",
    ),
    (
        "SELECT id FROM orders WHERE total > (SELECT AVG(total) FROM orders) OR weight < (SELECT AVG(total) FROM orders)",
        "WITH repeated_figure",
    ),
    (
        "SELECT id FROM orders WHERE total > (SELECT AVG(total) FROM orders)",
        "",
    ),
    (
        "SELECT name FROM customers WHERE id IN (SELECT DISTINCT customer_id FROM notes)",
        "(SELECT customer_id FROM notes)",
    ),
    ("SELECT DISTINCT id, total FROM orders", "SELECT id, total"),
    ("SELECT DISTINCT customer_id FROM orders", ""),
    (
        "SELECT DISTINCT c.id FROM customers AS c JOIN orders AS o ON o.customer_id = c.id",
        "",
    ),
    (
        "SELECT DISTINCT customer_id FROM orders UNION SELECT id FROM customers",
        "SELECT customer_id FROM orders UNION",
    ),
    (
        "SELECT DISTINCT customer_id FROM orders UNION ALL SELECT id FROM customers",
        "",
    ),
    (
        "SELECT name FROM customers WHERE id IN (SELECT customer_id FROM notes ORDER BY words)",
        "(SELECT customer_id FROM notes)",
    ),
    (
        "SELECT name FROM customers WHERE id IN (SELECT customer_id FROM notes ORDER BY words LIMIT 3)",
        "",
    ),
    (
        "SELECT total FROM orders AS o ORDER BY o.id, o.total",
        "ORDER BY o.id",
    ),
    ("SELECT total FROM orders AS o ORDER BY o.total, o.id", ""),
    ("SELECT COUNT(id) FROM orders", "COUNT(*)"),
    ("SELECT COUNT(DISTINCT id) FROM orders", "COUNT(*)"),
    ("SELECT COUNT(customer_id) FROM notes", ""),
    ("SELECT COUNT(DISTINCT customer_id) FROM orders", ""),
    (
        "SELECT COUNT(o.id) FROM customers AS c LEFT JOIN orders AS o ON o.customer_id = c.id",
        "",
    ),
    (
        "SELECT COUNT(DISTINCT c.id) FROM customers AS c JOIN orders AS o ON o.customer_id = c.id",
        "",
    ),
    (
        "SELECT n.words FROM notes AS n LEFT JOIN customers AS c ON c.id = n.customer_id",
        "FROM notes AS n",
    ),
    (
        "SELECT c.name FROM customers AS c LEFT JOIN notes AS n ON n.customer_id = c.id",
        "",
    ),
    (
        "SELECT n.words, c.name FROM notes AS n LEFT JOIN customers AS c ON c.id = n.customer_id",
        "",
    ),
    (
        "SELECT n.words FROM notes AS n JOIN customers AS c ON c.id = n.customer_id",
        "",
    ),
];

#[tokio::test]
async fn other_ways_to_write_it_give_the_same_rows_on_sqlite() {
    let (_folder, connection) = sqlite(1_500);
    check_all(&connection, EVERYWHERE).await;
    check_all(
        &connection,
        &[
            // Nobody sees to a reference being there.
            (
                "SELECT o.total FROM orders AS o JOIN customers AS c ON c.id = o.customer_id",
                "",
            ),
            // SQLite takes NULL in a key of text.
            ("SELECT COUNT(code) FROM codes", ""),
            ("SELECT DISTINCT code FROM codes", ""),
            (
                "SELECT name FROM customers WHERE id NOT IN (SELECT customer_id FROM orders)",
                "",
            ),
        ],
    )
    .await;
}

#[tokio::test]
async fn other_ways_to_write_it_give_the_same_rows_on_postgres() {
    let Some(server) = PostgresServer::start() else {
        return;
    };
    let client = postgres(&server, 600).await;
    check_all(&client, EVERYWHERE).await;
    check_all(
        &client,
        &[
            (
                "SELECT o.total FROM orders AS o JOIN customers AS c ON c.id = o.customer_id",
                "FROM orders AS o",
            ),
            (
                "SELECT o.total FROM customers AS c JOIN orders AS o ON c.id = o.customer_id",
                "FROM orders AS o",
            ),
            ("SELECT COUNT(code) FROM codes", "COUNT(*)"),
            (
                "SELECT name FROM customers WHERE id NOT IN (SELECT customer_id FROM orders)",
                "NOT EXISTS (SELECT 1 FROM orders WHERE customer_id = customers.id)",
            ),
            // With one NULL among them NOT IN is never true.
            (
                "SELECT name FROM customers WHERE id NOT IN (SELECT customer_id FROM notes)",
                "",
            ),
            ("SELECT DISTINCT ON (day) id FROM orders ORDER BY day, id", ""),
        ],
    )
    .await;
}

#[tokio::test]
async fn keys_that_do_not_hold_are_not_relied_on() {
    let Some(server) = PostgresServer::start() else {
        return;
    };
    let ddl = "CREATE TABLE parents (id int PRIMARY KEY); CREATE TABLE more () INHERITS (parents);
        CREATE TABLE late (id int PRIMARY KEY DEFERRABLE INITIALLY DEFERRED);
        CREATE TABLE old (id int PRIMARY KEY, late_id int NOT NULL, c int NOT NULL);
        CREATE TABLE kept (id int PRIMARY KEY);
        ALTER TABLE old ADD FOREIGN KEY (c) REFERENCES kept NOT VALID;
        INSERT INTO parents VALUES (1); INSERT INTO more VALUES (1)";
    server.run("postgres", ddl).await;
    let address = server.address(SUPERUSER, "postgres").parse().unwrap();
    let schemas = Arc::new(Schemas::new(Sampling::default()));
    let client = Client::connect(&address, schemas, limits()).await.unwrap();
    let cases = [
        ("SELECT DISTINCT id FROM parents", ""),
        ("SELECT DISTINCT id FROM late", ""),
        (
            "SELECT old.id FROM old LEFT JOIN late ON late.id = old.late_id",
            "",
        ),
        ("SELECT old.id FROM old JOIN kept ON kept.id = old.c", ""),
        (
            "SELECT old.id FROM old LEFT JOIN kept ON kept.id = old.c",
            "FROM old",
        ),
    ];
    check_all(&client, &cases).await;
}

fn minds(servers: &[(&str, &ScriptedModel)]) -> Arc<Minds> {
    let models = servers.iter().map(|(name, server)| {
        let settings = ModelSettings {
            base_urls: vec![server.url()],
            retries: 0,
            ..ModelSettings::new(*name, Api::OpenAi, *name)
        };
        connect(settings).unwrap()
    });
    Arc::new(Minds {
        models: Models::of(models.collect()),
        ..Minds::default()
    })
}

fn says(sql: &str) -> Vec<Turn> {
    vec![Turn::answers(
        &json!({"reasoning": "r", "sql": sql, "assumptions": [], "alternatives": []}),
    )]
}

/// What comes of a question that a model answers so.
async fn answered(database: &dyn Backend, sql: &str, from: Duration) -> Answer {
    let server = ScriptedModel::start(says(sql));
    let settings = AskSettings {
        minds: minds(&[("m", &server)]),
        mode: Mode::Single,
        optimise_from: from,
        ..AskSettings::default()
    };
    ask(database, "which orders are trustworthy?", &settings)
        .await
        .unwrap()
}

fn steps<'a>(answer: &'a Answer, wanted: &str) -> Vec<&'a str> {
    let steps = answer.steps.iter().filter(|(step, _)| step == wanted);
    steps.map(|(_, detail)| detail.as_str()).collect()
}

const AT_ONCE: Duration = Duration::from_micros(1);

#[tokio::test(flavor = "multi_thread")]
async fn a_slow_answer_becomes_a_cheaper_one() {
    let (_folder, connection) = sqlite(3_000);
    let slow = answered(&connection, GREATEST, AT_ONCE).await;
    assert!(
        slow.sql.as_str().contains("figures_by_key"),
        "{}",
        slow.sql.as_str()
    );
    let told = steps(&slow, "optimised").join("\n");
    assert!(
        told.contains("worked out once for each") && told.contains("steps"),
        "{told}"
    );
    assert!(
        slow.trace
            .iter()
            .any(|run| run.agent == "optimiser" && run.outcome == "ok")
    );
    // What is quick, or may take its time, is left as it is, and nobody works on it.
    for from in [Duration::from_secs(3_600), Duration::ZERO] {
        let left = answered(&connection, GREATEST, from).await;
        assert_eq!(left.sql.as_str(), GREATEST);
        assert!(left.trace.iter().all(|run| run.agent != "optimiser"));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_cheaper_of_two_proposals_with_the_same_rows_wins() {
    let (_folder, connection) = sqlite(3_000);
    // No rule turns one into the other.
    let dear =
        "SELECT o.id FROM orders AS o WHERE NOT EXISTS (SELECT 1 FROM orders AS i WHERE i.weight < o.weight)";
    let cheap = "SELECT id FROM orders WHERE weight = (SELECT MIN(weight) FROM orders)";
    for (from, tier) in [(AT_ONCE, "other-nano"), (Duration::ZERO, "one-nano")] {
        let (one, other) = (
            ScriptedModel::start(says(dear)),
            ScriptedModel::start(says(cheap)),
        );
        let settings = AskSettings {
            minds: minds(&[("one-nano", &one), ("other-nano", &other)]),
            mode: Mode::Adaptive,
            tiers: vec!["one-nano".into(), "other-nano".into()],
            optimise_from: from,
            ..AskSettings::default()
        };
        let question = "which orders are trustworthy?";
        let answer = ask(&connection, question, &settings).await.unwrap();
        assert_eq!(answer.tier, tier, "{:?}", answer.steps);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_index_is_advised_where_it_would_serve_on_sqlite() {
    let (_folder, connection) = sqlite(20_000);
    let database = Arc::clone(connection.database());
    database.index_values();
    assert!(database.values_ready(Duration::from_secs(60)).await);
    for (sql, expected) in [
        (
            "SELECT id FROM orders WHERE customer_id = 7",
            "CREATE INDEX orders_customer_id ON orders (customer_id): about 67 of 20000 rows",
        ),
        (
            "SELECT o.id FROM orders AS o WHERE o.customer_id = 7 AND o.total > 20",
            "ON orders (customer_id, total)",
        ),
        ("SELECT id FROM orders WHERE id = 7", ""),
        // Every row is wanted.
        ("SELECT id FROM orders", ""),
        ("SELECT id FROM orders WHERE total <> 7", ""),
        // Too few rows to matter.
        ("SELECT id FROM notes WHERE words = 'w3'", ""),
    ] {
        let answer = answered(&connection, sql, AT_ONCE).await;
        let told = steps(&answer, "index advice").join("\n");
        assert!(
            told.contains(expected) && (told.is_empty() == expected.is_empty()),
            "{sql}: {told}"
        );
        // It is a word, and nothing is made.
        assert_eq!(answer.sql.as_str(), sql);
    }
    let answer = answered(
        &connection,
        "SELECT COUNT(*) FROM notes AS n JOIN orders AS o ON o.customer_id = n.customer_id",
        AT_ONCE,
    )
    .await;
    let told = steps(&answer, "index advice").join("\n");
    assert!(told.contains("each time it answers"), "{told}");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_index_is_advised_where_it_would_serve_on_postgres() {
    let Some(server) = PostgresServer::start() else {
        return;
    };
    let client = postgres(&server, 20_000).await;
    let sql = "SELECT id FROM orders WHERE customer_id = 7";
    let answer = answered(&client, sql, AT_ONCE).await;
    let told = steps(&answer, "index advice").join("\n");
    assert!(
        told.starts_with("CREATE INDEX orders_customer_id ON orders (customer_id): about "),
        "{told}"
    );
    let all = answered(&client, "SELECT id FROM orders", AT_ONCE).await;
    assert_eq!(steps(&all, "index advice"), Vec::<&str>::new());
    let slow = answered(&client, GREATEST, AT_ONCE).await;
    let told = [steps(&slow, "optimised"), steps(&slow, "cheaper SQL")]
        .concat()
        .join("\n");
    assert!(
        told.contains("worked out once for each") && told.contains("estimated cost"),
        "{told}"
    );
    // With the extension the planner itself says what it would gain.
    if server
        .client(SUPERUSER, "postgres")
        .await
        .batch_execute("CREATE EXTENSION hypopg")
        .await
        .is_err()
    {
        eprintln!("SKIPPED in part: the extension hypopg is not installed (Debian: postgresql-15-hypopg)");
        return;
    }
    let answer = answered(&client, sql, AT_ONCE).await;
    let told = steps(&answer, "index advice").join("\n");
    assert!(
        told.contains("an estimated cost of") && told.contains("instead of"),
        "{told}"
    );
    // Nothing is left of what was imagined.
    let again = answered(&client, sql, AT_ONCE).await;
    assert_eq!(steps(&again, "index advice").join("\n"), told);
    let made = server.client(SUPERUSER, "postgres").await;
    let indexes = made
        .query_one("SELECT count(*) FROM pg_indexes WHERE tablename = 'orders'", &[])
        .await;
    assert_eq!(indexes.unwrap().get::<_, i64>(0), 1);
}
