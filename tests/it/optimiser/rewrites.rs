//! Other ways to write a statement give the same rows on both databases, and are left alone where the schema does not guarantee
//! that.

use std::sync::Arc;

use querent::{
    backend::{Backend, ResultSet, same_rows},
    postgres::introspection::{Client, Sampling, Schemas},
    question::{schema::Snapshot, validator},
};

use super::{GREATEST, limits, postgres, sqlite};
use crate::postgres::server::{PostgresServer, SUPERUSER};

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
            // What a row belongs to is looked up, and not looked for.
            (
                "SELECT c.name FROM customers AS c WHERE EXISTS (SELECT 1 FROM orders AS o WHERE o.customer_id = c.id AND o.total > 490)",
                "c.id IN (SELECT o.customer_id FROM orders AS o WHERE o.total > 490)",
            ),
            (
                "SELECT c.name FROM customers AS c WHERE NOT EXISTS (SELECT 1 FROM orders AS o WHERE o.customer_id = c.id) AND c.id > 9",
                "c.id NOT IN (SELECT o.customer_id FROM orders AS o) AND c.id > 9",
            ),
            // NULL is equal to nothing, on either side.
            (
                "SELECT n.id FROM notes AS n WHERE NOT EXISTS (SELECT 1 FROM notes AS m WHERE m.customer_id = n.customer_id AND m.id > n.id)",
                "",
            ),
            (
                "SELECT n.id FROM notes AS n WHERE NOT EXISTS (SELECT 1 FROM notes AS m WHERE m.customer_id = n.customer_id AND m.id > 450)",
                "(n.customer_id IS NULL OR n.customer_id NOT IN (SELECT m.customer_id FROM notes AS m WHERE m.id > 450 AND m.customer_id IS NOT NULL))",
            ),
            (
                "SELECT n.id FROM notes AS n WHERE EXISTS (SELECT 1 FROM orders AS o JOIN customers AS c ON c.id = o.customer_id WHERE c.id = n.customer_id AND o.total = 0)",
                "n.customer_id IN (SELECT c.id FROM orders AS o JOIN customers AS c ON c.id = o.customer_id WHERE o.total = 0)",
            ),
            // Under NOT or OR an unknown is no false.
            (
                "SELECT n.id FROM notes AS n WHERE n.id < 5 OR EXISTS (SELECT 1 FROM customers AS c WHERE c.id = n.customer_id)",
                "",
            ),
            // Texts and numbers are not equal to each other in the same way whichever stands first.
            ("SELECT c.name FROM customers AS c WHERE EXISTS (SELECT 1 FROM notes AS n WHERE n.words = c.id)", ""),
            ("SELECT c.name FROM customers AS c WHERE EXISTS (SELECT 1 FROM folded AS f WHERE f.name = c.name)", ""),
            ("SELECT c.name FROM customers AS c WHERE EXISTS (SELECT 1 FROM codes AS k WHERE k.label = c.name)", "c.name IN (SELECT k.label"),
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
