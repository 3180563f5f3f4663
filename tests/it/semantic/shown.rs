//! What views show is what the tables behind them mean. On both backends.

use querent::question::{ossie::inferred, schema::Snapshot, semantic::DatasetRole};

use super::{postgres_snapshot, sqlite_snapshot};
use crate::postgres::server::PostgresServer;

const TABLES: &str = r#"
    CREATE TABLE buyers(buyer_id INTEGER PRIMARY KEY, name TEXT NOT NULL);
    CREATE TABLE sales(
        sale_id INTEGER PRIMARY KEY, buyer_id INTEGER REFERENCES buyers, sale_no TEXT UNIQUE, sold_on DATE, total INTEGER
    );
    CREATE TABLE parts(
        sale_id INTEGER REFERENCES sales, line_no INTEGER, quantity INTEGER, PRIMARY KEY (sale_id, line_no)
    );
    CREATE VIEW plain AS SELECT sale_id AS number, sale_no, total AS "in all" FROM sales WHERE total > 0;
    CREATE VIEW joined AS
        SELECT s.sale_id, p.line_no, b.buyer_id AS "the buyer", b.name
        FROM sales AS s JOIN parts AS p ON p.sale_id = s.sale_id JOIN buyers AS b ON b.buyer_id = s.buyer_id;
    CREATE VIEW through AS SELECT "the buyer" AS who, count(*) AS parts FROM joined GROUP BY "the buyer";
    CREATE VIEW mixed AS SELECT buyer_id, name FROM buyers UNION SELECT sale_id, sale_no FROM sales;
    CREATE VIEW of_mixed AS SELECT buyer_id FROM mixed;
    CREATE VIEW computed AS
        WITH recent AS (SELECT sale_id, buyer_id FROM sales)
        SELECT sale_id + 1 AS sale_id, coalesce(buyer_id, 0) AS buyer_id FROM recent;
    CREATE VIEW pairs AS
        SELECT a.sale_id AS one, b.sale_id AS other, a.line_no FROM parts AS a JOIN parts AS b ON a.line_no = b.line_no;
    INSERT INTO buyers VALUES (1, 'Ada'), (2, 'Bo');
    INSERT INTO sales VALUES (1, 1, 'S-1', '2024-01-01', 10), (2, 1, 'S-2', '2024-01-02', 20), (3, 2, 'S-3', '2024-01-03', 30);
    INSERT INTO parts VALUES (1, 1, 5), (1, 2, 5), (3, 1, 10);"#;

/// The keys that lead out of views.
fn keys(snapshot: &Snapshot) -> Vec<String> {
    let schema = &snapshot.schema;
    let names = |columns: &[querent::question::schema::ColumnRef]| {
        let names: Vec<&str> = columns
            .iter()
            .map(|at| schema.column(*at).name.as_str())
            .collect();
        format!("{}.{}", schema.tables[columns[0].table].name, names.join("+"))
    };
    let keys = schema.foreign_keys.iter();
    let keys = keys.filter(|key| schema.tables[key.from[0].table].is_view);
    let mut keys: Vec<String> = keys
        .map(|key| format!("{} -> {}", names(&key.from), names(&key.to)))
        .collect();
    keys.sort();
    keys
}

fn check(snapshot: &Snapshot) {
    let expected = [
        "joined.sale_id -> sales.sale_id",
        "joined.sale_id+line_no -> parts.sale_id+line_no",
        "joined.the buyer -> buyers.buyer_id",
        "pairs.one -> sales.sale_id",
        "pairs.other -> sales.sale_id",
        "plain.number -> sales.sale_id",
        "through.who -> buyers.buyer_id",
    ];
    assert_eq!(keys(snapshot), expected);
    let model = inferred(snapshot).model;
    let dataset = |name: &str| &model.datasets[snapshot.schema.table_named(name).unwrap()];
    // A row of it is a sale, and it has a sale's number and amount.
    assert_eq!(dataset("plain").role, DatasetRole::Event);
    assert_eq!(dataset("plain").display, [1]);
    let amount = dataset("plain").fields[2].role;
    assert_eq!(amount, dataset("sales").fields[4].role);
    assert!(amount.is_measure());
    assert_eq!(dataset("joined").role, dataset("parts").role);
}

#[tokio::test]
async fn views_of_a_file_show_what_their_tables_mean() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("test.sqlite");
    let connection = rusqlite::Connection::open(&path).unwrap();
    connection.execute_batch(TABLES).unwrap();
    check(&sqlite_snapshot(&path).await);
}

#[tokio::test]
async fn views_of_a_server_show_what_their_tables_mean() {
    let Some(server) = PostgresServer::start() else {
        return;
    };
    server.run("postgres", TABLES).await;
    check(&postgres_snapshot(&server, "postgres").await);
}
