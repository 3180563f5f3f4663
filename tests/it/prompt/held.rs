//! What is told of the values of a database that was made for it.

use std::time::Duration;

use querent::{
    question::{
        prompt::{Excerpt, Values, evidence, schema_text},
        schema::Snapshot,
    },
    sqlite::engine::{Database, Options},
};

const TABLES: &str = "
    CREATE TABLE status (code INTEGER PRIMARY KEY, label TEXT);
    INSERT INTO status VALUES (1, 'new'), (2, 'paid'), (3, 'shipped');
    CREATE TABLE codetab (domain TEXT, code TEXT, descr TEXT, PRIMARY KEY (domain, code));
    INSERT INTO codetab VALUES ('CHANNEL', 'W', 'Web'), ('CHANNEL', 'P', 'Phone'), ('PRIO', '1', 'low'), ('PRIO', '2', 'high');
    CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT, place TEXT);
    CREATE TABLE sale (id INTEGER PRIMARY KEY, book INTEGER REFERENCES book (id), status INTEGER REFERENCES status (code),
        channel TEXT, prio INTEGER, rating INTEGER, cents INTEGER, city TEXT, born TEXT, ymd INTEGER, at INTEGER, slot TEXT,
        note TEXT, made DATE);
    CREATE VIEW open_sale AS SELECT s.id, b.title FROM sale s JOIN book b ON b.id = s.book WHERE s.status < 3;";

fn database() -> Snapshot {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("shop.db");
    let connection = rusqlite::Connection::open(&file).unwrap();
    connection.execute_batch(TABLES).unwrap();
    for number in 0..60_i64 {
        let title = match number {
            0 => "Total".to_owned(),
            1 => "Ulysses".to_owned(),
            _ => format!("The story of {number} nights"),
        };
        let place = ["Oslo", "Rome", "Georgia"][number as usize % 3];
        connection
            .execute("INSERT INTO book VALUES (?1, ?2, ?3)", (number, title, place))
            .unwrap();
        let at = number as usize;
        connection
            .execute(
                "INSERT INTO sale VALUES (?1, ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)",
                rusqlite::params![
                    number,
                    1 + number % 3,
                    ["W", "P"][at % 2],
                    1 + number % 2,
                    [0, 1, 5][at % 3],
                    100 + number * 7,
                    ["Berlin", "berlin", "Georgia", "Oslo "][at % 4],
                    ["17/05/1975", "31/01/1990"][at % 2],
                    [20_240_105, 20_230_217, 0][at % 3],
                    1_672_531_200 + number * 86_400,
                    ["10:30", "14:15"][at % 2],
                    ["", "gift"][at % 2],
                    ["2024-01-05", "2023-02-17"][at % 2],
                ],
            )
            .unwrap();
    }
    drop(connection);
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(async {
        let database = Database::open(&file, Options::default()).unwrap();
        database.index_values();
        database.snapshot().await.unwrap();
        assert!(database.values_ready(Duration::from_secs(20)).await);
        database.snapshot().await.unwrap()
    })
}

#[test]
fn columns_say_what_sql_has_to_know_of_their_values() {
    let snapshot = database();
    let whole = Excerpt::whole(&snapshot);
    insta::assert_snapshot!("held", schema_text(&snapshot, &whole, Values::Send));
    let bare = schema_text(&snapshot, &whole, Values::Withhold);
    for value in ["'", "Web", "paid", "codes", "0, 1"] {
        assert!(!bare.contains(value), "{value} in {bare}");
    }
}

#[test]
fn a_value_is_told_with_its_likely_columns_alone() {
    let snapshot = database();
    let whole = Excerpt::whole(&snapshot);
    let lines = |question: &str| evidence(question, &snapshot, &whole, Values::Send).join("\n");
    // An everyday word is no title, unless it is written as a name.
    assert_eq!(lines("the total of all cents"), "");
    assert!(lines("sales of Ulysses").contains("'Ulysses' in book.title"));
    let georgia = lines("books with a place in georgia");
    let told = "'Georgia' in book.place and sale.city";
    assert!(georgia.contains(told), "{georgia}");
    let georgia = lines("sale in georgia");
    let told = "'Georgia' in sale.city and book.place";
    assert!(georgia.contains(told), "{georgia}");
}
