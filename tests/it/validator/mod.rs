//! The validator on tables of statements, against the schema of a small clinic as SQLite reports it.

use std::sync::OnceLock;

use querent::{
    question::{
        schema::{ColumnRef, Dialect, Schema, Snapshot},
        validator::{Finding, inspect},
    },
    sqlite::engine::{Database, Options},
};

mod accepted;
mod findings;
mod fixed;
mod hostile;
mod limits;
mod one_fault;
mod postgres;
mod quotes;
mod rejoined;
mod repaired;
mod taxonomy;

/// Doctors with a chief among themselves, visits, and what was prescribed.
const CLINIC: &str = r#"
    CREATE TABLE department (id INTEGER PRIMARY KEY, name TEXT, floor INTEGER);
    CREATE TABLE doctor (id INTEGER PRIMARY KEY, name TEXT, department_id INTEGER REFERENCES department (id),
        salary REAL, chief_id INTEGER REFERENCES doctor (id));
    CREATE TABLE patient (id INTEGER PRIMARY KEY, name TEXT NOT NULL, born DATE, city TEXT, "phone number" TEXT,
        weight REAL);
    CREATE TABLE visit (id INTEGER PRIMARY KEY, patient_id INTEGER REFERENCES patient (id),
        doctor_id INTEGER REFERENCES doctor (id), at DATETIME, fee REAL);
    CREATE TABLE drug (code TEXT PRIMARY KEY, title TEXT, price REAL);
    CREATE TABLE prescription (visit_id INTEGER REFERENCES visit (id), drug_code TEXT REFERENCES drug (code),
        amount INTEGER, PRIMARY KEY (visit_id, drug_code));
    CREATE TABLE "order" (id INTEGER PRIMARY KEY, "group" TEXT, drug_code TEXT REFERENCES drug (code));
    CREATE VIEW heavy AS SELECT id, name FROM patient WHERE weight > 100;
"#;

/// The clinic's schema, read once.
fn clinic() -> &'static Schema {
    &clinic_snapshot().schema
}

/// The clinic's schema with its keys and values, read once.
fn clinic_snapshot() -> &'static Snapshot {
    static SNAPSHOT: OnceLock<Snapshot> = OnceLock::new();
    SNAPSHOT.get_or_init(|| {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("clinic.sqlite");
        rusqlite::Connection::open(&path)
            .unwrap()
            .execute_batch(CLINIC)
            .unwrap();
        let runtime = tokio::runtime::Runtime::new().unwrap();
        let snapshot = runtime.block_on(Database::open(&path, Options::default()).unwrap().snapshot());
        snapshot.unwrap()
    })
}

/// The clinic in memory, with SQLite's own opinion on a statement.
fn sqlite() -> rusqlite::Connection {
    let connection = rusqlite::Connection::open_in_memory().unwrap();
    connection
        .set_db_config(rusqlite::config::DbConfig::SQLITE_DBCONFIG_DQS_DML, false)
        .unwrap();
    connection.execute_batch(CLINIC).unwrap();
    connection
}

/// `table.column` of the schema.
fn column(schema: &Schema, name: &str) -> ColumnRef {
    let (table, column) = name.split_once('.').unwrap();
    let table = schema.table_named(table).unwrap();
    ColumnRef {
        table,
        column: schema.tables[table].column_named(column).unwrap(),
    }
}

/// The codes found, errors first, each with a `!` behind it if it is an error.
fn codes(sql: &str) -> String {
    let findings = inspect(sql, clinic(), Dialect::Sqlite).findings;
    let mark = |finding: &Finding| if finding.is_error() { "!" } else { "" };
    let codes = findings
        .iter()
        .map(|finding| format!("{}{}", finding.code, mark(finding)));
    codes.collect::<Vec<_>>().join(" ")
}
