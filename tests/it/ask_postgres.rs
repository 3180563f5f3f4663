//! The questions of `tests/ask/*.ask` on PostgreSQL: each SQLite file is copied into a database with types of
//! PostgreSQL's own, and the rows of each answer must be those that SQLite gives for the reference.

use std::{fmt::Write, path::Path, sync::Arc, time::Duration};

use querent::{
    backend::Value,
    error::ClientError,
    postgres::introspection::{Client, Limits, Sampling, Schemas},
    question::{
        ask::{AskSettings, ask},
        schema::{ColumnKind, Schema, Snapshot},
    },
    sample,
    sqlite::engine::{Database, Options},
};
use rusqlite::types::ValueRef;

use super::{
    ask::{Case, Expected, folded, read, rows},
    postgres::server::{PostgresServer, SUPERUSER},
};

const LIMITS: Limits = Limits {
    cost: None,
    kept: None,
    statement_timeout: Duration::from_secs(60),
};
/// Rows of one INSERT.
const BATCH: usize = 500;

fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

fn literal(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}

/// The type that a column has on PostgreSQL, and a statement that makes it where it is an enum's.
fn column_type(
    schema: &Schema,
    table: usize,
    column: usize,
    file: &rusqlite::Connection,
) -> (String, String) {
    let (table, column) = (&schema.tables[table], &schema.tables[table].columns[column]);
    let enumerated = matches!(column.name.as_str(), "status" | "sex");
    if enumerated {
        let name = quoted(&format!("{}_{}", table.name, column.name));
        let (from, of) = (quoted(&table.name), quoted(&column.name));
        let mut statement = file
            .prepare(&format!(
                "SELECT DISTINCT {of} FROM {from} WHERE {of} IS NOT NULL ORDER BY 1"
            ))
            .unwrap();
        let labels = statement.query_map([], |row| row.get::<_, String>(0)).unwrap();
        let labels: Vec<String> = labels.map(|label| literal(&label.unwrap())).collect();
        let create = format!("CREATE TYPE {name} AS ENUM ({});\n", labels.join(", "));
        return (name, create);
    }
    let ty = match column.kind {
        ColumnKind::Integer => "integer",
        ColumnKind::Number => "numeric",
        ColumnKind::Boolean => "boolean",
        ColumnKind::Date => "date",
        ColumnKind::Timestamp => "timestamp with time zone",
        _ => "text",
    };
    (ty.to_owned(), String::new())
}

/// The schema of a SQLite file as PostgreSQL's DDL.
fn tables(schema: &Schema, file: &rusqlite::Connection) -> String {
    let (mut ddl, mut comments) = (String::new(), String::new());
    for (at, table) in schema
        .tables
        .iter()
        .enumerate()
        .filter(|(_, table)| !table.is_view)
    {
        let name = quoted(&table.name);
        let mut columns = Vec::new();
        for (position, column) in table.columns.iter().enumerate() {
            let (ty, create) = column_type(schema, at, position, file);
            ddl += &create;
            let not_null = if column.not_null { " NOT NULL" } else { "" };
            columns.push(format!("{} {ty}{not_null}", quoted(&column.name)));
            if let Some(comment) = &column.comment {
                let column = quoted(&column.name);
                writeln!(
                    comments,
                    "COMMENT ON COLUMN {name}.{column} IS {};",
                    literal(comment)
                )
                .unwrap();
            }
        }
        if let Some(comment) = &table.comment {
            writeln!(comments, "COMMENT ON TABLE {name} IS {};", literal(comment)).unwrap();
        }
        let key: Vec<String> = table
            .primary_key
            .iter()
            .map(|column| quoted(&table.columns[*column].name))
            .collect();
        if !key.is_empty() {
            columns.push(format!("PRIMARY KEY ({})", key.join(", ")));
        }
        for column in table
            .columns
            .iter()
            .filter(|column| column.unique && key != [quoted(&column.name)])
        {
            columns.push(format!("UNIQUE ({})", quoted(&column.name)));
        }
        writeln!(ddl, "CREATE TABLE {name} ({});", columns.join(", ")).unwrap();
    }
    ddl + &comments
}

/// The declared keys, once the rows are there.
fn foreign_keys(schema: &Schema) -> String {
    let mut ddl = String::new();
    for key in schema.foreign_keys.iter().filter(|key| key.declared) {
        let names = |columns: &[querent::question::schema::ColumnRef]| {
            let names = columns.iter().map(|at| quoted(&schema.column(*at).name));
            names.collect::<Vec<_>>().join(", ")
        };
        let table =
            |columns: &[querent::question::schema::ColumnRef]| quoted(&schema.tables[columns[0].table].name);
        writeln!(
            ddl,
            "ALTER TABLE {} ADD FOREIGN KEY ({}) REFERENCES {} ({});",
            table(&key.from),
            names(&key.from),
            table(&key.to),
            names(&key.to)
        )
        .unwrap();
    }
    ddl
}

/// The rows of every table as INSERTs.
fn inserts(schema: &Schema, file: &rusqlite::Connection) -> Vec<String> {
    let mut inserts = Vec::new();
    for table in schema.tables.iter().filter(|table| !table.is_view) {
        let name = quoted(&table.name);
        let mut statement = file.prepare(&format!("SELECT * FROM {name}")).unwrap();
        let mut found = statement.query([]).unwrap();
        let mut batch = Vec::new();
        loop {
            let row = found.next().unwrap();
            if let Some(row) = row {
                let values = table.columns.iter().enumerate().map(|(at, column)| {
                    match (row.get_ref(at).unwrap(), column.kind) {
                        (ValueRef::Null, _) => "NULL".to_owned(),
                        (ValueRef::Integer(number), ColumnKind::Boolean) => (number != 0).to_string(),
                        (ValueRef::Integer(number), _) => number.to_string(),
                        (ValueRef::Real(number), _) => number.to_string(),
                        (ValueRef::Text(text) | ValueRef::Blob(text), _) => {
                            literal(std::str::from_utf8(text).unwrap())
                        }
                    }
                });
                batch.push(format!("({})", values.collect::<Vec<_>>().join(", ")));
                if batch.len() < BATCH {
                    continue;
                }
            }
            if !batch.is_empty() {
                inserts.push(format!("INSERT INTO {name} VALUES {}", batch.join(", ")));
                batch.clear();
                continue;
            }
            break;
        }
    }
    inserts
}

/// Copies a SQLite file into the server's database `postgres`.
async fn copy(file: &Path, snapshot: &Snapshot, server: &PostgresServer) {
    let statements = {
        let file = rusqlite::Connection::open(file).unwrap();
        let mut statements = vec![tables(&snapshot.schema, &file)];
        statements.extend(inserts(&snapshot.schema, &file));
        statements.push(foreign_keys(&snapshot.schema));
        statements.push("ANALYZE".to_owned());
        statements
    };
    let client = server.client(SUPERUSER, "postgres").await;
    for statement in statements {
        if let Err(error) = client.batch_execute(&statement).await {
            let start: String = statement.chars().take(2_000).collect();
            panic!("{error:?} in {start}");
        }
    }
}

/// How much of a result is SQLite's.
enum Alike {
    Wholly,
    /// Which of several equal rows come first is left to the database.
    InNumber,
}

/// Asks every case of a file on PostgreSQL and tells all whose rows are not SQLite's.
async fn check(file: &Path, cases: &str, enough: usize) {
    let Some(server) = PostgresServer::start() else {
        return;
    };
    let database = Database::open(file, Options::default()).unwrap();
    let snapshot = database.snapshot().await.unwrap();
    copy(file, &snapshot, &server).await;
    let address = server.socket_address(SUPERUSER, "postgres").parse().unwrap();
    let schemas = Arc::new(Schemas::new(Sampling::thorough()));
    let client = Client::connect(&address, schemas, LIMITS).await.unwrap();
    let cases = read(cases);
    let mut wrong = String::new();
    let (mut asked, mut tied) = (0, 0);
    for case in &cases {
        let Expected::Rows(reference) = &case.expected else {
            continue;
        };
        asked += 1;
        match check_case(&client, &database, case, reference).await {
            Ok(Alike::Wholly) => {}
            Ok(Alike::InNumber) => tied += 1,
            Err(why) => writeln!(wrong, "line {}: {}\n    {why}", case.line, case.question).unwrap(),
        }
    }
    assert!(asked >= enough, "only {asked} cases");
    assert!(wrong.is_empty(), "{wrong}");
    assert!(tied <= 3, "{tied} cases differ at their limit");
}

async fn check_case(
    client: &Client,
    database: &Arc<Database>,
    case: &Case,
    reference: &str,
) -> Result<Alike, String> {
    let settings = AskSettings {
        question_timeout: Duration::from_secs(60),
        ..AskSettings::default()
    };
    let answer = ask(client, &case.question, &settings)
        .await
        .map_err(|error| format!("{error}: {:?}", error.detail()))?;
    let mut sql = answer.sql.as_str().to_owned();
    for (at, literal) in case.parameters.iter().enumerate() {
        sql = sql.replace(&format!("${}", at + 1), literal);
    }
    // Rows that are equal by the order come as each database likes.
    let given = folded(told(client, &sql).await?, false);
    let wanted = rows(database, reference, false).await?;
    if given == wanted {
        return Ok(Alike::Wholly);
    }
    if reference.contains(" LIMIT ") && given.len() == wanted.len() {
        return Ok(Alike::InNumber);
    }
    let differs = given.iter().zip(&wanted).find(|(one, other)| one != other);
    Err(format!(
        "{sql}\n    {} rows instead of {}; {differs:?}",
        given.len(),
        wanted.len()
    ))
}

async fn told(client: &Client, sql: &str) -> Result<Vec<Vec<Value>>, String> {
    let mut cursor = client
        .run(sql, LIMITS.statement_timeout)
        .await
        .map_err(|error| format!("{} in {sql}", error.message))?;
    let mut told = Vec::new();
    loop {
        let chunk = cursor.next().await.map_err(|error| error.message)?;
        told.extend(chunk.values());
        if chunk.complete {
            break;
        }
    }
    for value in told.iter_mut().flatten() {
        // The server's time zone is UTC.
        if let Value::Text(text) = value
            && text.len() == 22
            && text.ends_with(b"+00")
        {
            text.truncate(19);
        }
    }
    Ok(told)
}

#[tokio::test]
async fn the_sample_shop_is_understood() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("shop.sqlite");
    sample::create(&file, crate::program::sample_day()).unwrap();
    check(&file, include_str!("../ask/shop.ask"), 80).await;
}

#[tokio::test]
async fn a_clinic_with_odd_names_is_understood() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("clinic.sqlite");
    rusqlite::Connection::open(&file)
        .unwrap()
        .execute_batch(include_str!("../ask/clinic.sql"))
        .unwrap();
    check(&file, include_str!("../ask/clinic.ask"), 40).await;
}
