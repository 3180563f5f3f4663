//! Cheaper SQL for slow answers, and indexes that would serve.

mod answers;
mod rewrites;

use std::{sync::Arc, time::Duration};

use querent::{
    postgres::introspection::{Client, Limits, Sampling, Schemas},
    sqlite::engine::{Connection, Database, Options},
};

use crate::postgres::server::{PostgresServer, SUPERUSER};

const TABLES: &str = "
CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT NOT NULL, city TEXT);
CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_id INTEGER NOT NULL REFERENCES customers(id),
    day TEXT, total INTEGER, weight REAL);
CREATE TABLE notes (id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customers(id), words TEXT);
CREATE TABLE codes (code TEXT PRIMARY KEY, label TEXT);
";
/// What only SQLite knows.
const FOLDED: &str = "CREATE TABLE folded (name TEXT COLLATE NOCASE);";
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
        kept: None,
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
        .execute_batch(&format!("{TABLES}{FOLDED}{numbers}{ROWS}"))
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
