//! Questions against databases: each case of `tests/ask/*.ask` is asked through a real connection, and the rows of
//! its SQL must be those of a reference that a person wrote, or its error the one that is named.

use std::{fmt::Write, path::Path, sync::Arc, time::Duration};

use querent::{
    backend::Value,
    error::ClientError,
    question::ask::{Answer, AskError, AskSettings, ask},
    sample,
    sqlite::engine::{Connection, Database, Options},
};

/// One question and what it must give.
#[derive(Default)]
pub(super) struct Case {
    pub(super) line: usize,
    pub(super) question: String,
    /// SQL literals for `$1`, `$2` … of the question.
    pub(super) parameters: Vec<String>,
    pub(super) expected: Expected,
}

#[derive(Default)]
pub(super) enum Expected {
    #[default]
    Nothing,
    /// The rows of this SQL; in its order, if it orders.
    Rows(String),
    /// This SQLSTATE, with these words told as not understood.
    Error { sqlstate: String, words: Vec<String> },
}

/// Reads `? question`, `$ literal`, `= SQL` (continued by indented lines) and `! SQLSTATE words`; `#` opens a comment.
pub(super) fn read(text: &str) -> Vec<Case> {
    let mut cases: Vec<Case> = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let (sign, rest) = line.split_at(line.len().min(2));
        if sign == "? " {
            cases.push(Case {
                line: number + 1,
                question: rest.to_owned(),
                ..Case::default()
            });
            continue;
        }
        let Some(case) = cases.last_mut() else { continue };
        match (sign, &mut case.expected) {
            ("$ ", _) => case.parameters.push(rest.to_owned()),
            ("= ", expected) => *expected = Expected::Rows(rest.to_owned()),
            ("! ", expected) => {
                let mut words = rest.split_whitespace().map(str::to_owned);
                *expected = Expected::Error {
                    sqlstate: words.next().unwrap(),
                    words: words.collect(),
                };
            }
            ("  ", Expected::Rows(sql)) => write!(sql, " {rest}").unwrap(),
            _ => assert!(
                line.is_empty() || line.starts_with('#'),
                "line {}: {line}",
                number + 1
            ),
        }
    }
    cases
}

/// Asks every case of a file and tells all that are wrong.
async fn check(file: &Path, cases: &str, enough: usize) {
    let database = Database::open(file, Options::default()).unwrap();
    database.index_values();
    assert!(database.values_ready(Duration::from_secs(60)).await);
    let connection = database.connect().unwrap();
    let cases = read(cases);
    assert!(cases.len() >= enough, "only {} cases", cases.len());
    let mut wrong = String::new();
    let mut count = 0;
    for case in &cases {
        if let Err(why) = check_case(&database, &connection, case).await {
            writeln!(wrong, "line {}: {}\n    {why}", case.line, case.question).unwrap();
            count += 1;
        }
    }
    assert!(count == 0, "{count} of {} cases are wrong:\n{wrong}", cases.len());
}

async fn check_case(database: &Arc<Database>, connection: &Connection, case: &Case) -> Result<(), String> {
    let answer = put(connection, &case.question).await;
    match (&case.expected, answer) {
        (Expected::Nothing, _) => Err("the case expects nothing".into()),
        (Expected::Rows(reference), Ok(answer)) => {
            let ordered = reference.contains("ORDER BY");
            let given = run_generated(database, connection, &answer, &case.parameters).await?;
            let wanted = rows(database, reference, ordered).await?;
            let given = folded(given, ordered);
            if given == wanted {
                return Ok(());
            }
            let differs = given.iter().zip(&wanted).find(|(one, other)| one != other);
            Err(format!(
                "{}\n    {} rows instead of {}; {differs:?}",
                answer.sql.as_str(),
                given.len(),
                wanted.len()
            ))
        }
        (Expected::Rows(_), Err(error)) => Err(told(&error)),
        (Expected::Error { .. }, Ok(answer)) => Err(format!("was answered: {}", answer.sql.as_str())),
        (Expected::Error { sqlstate, words }, Err(error)) => {
            let understood = match &error {
                AskError::NotUnderstood { words: told, .. } => words.iter().all(|word| told.contains(word)),
                _ => words.is_empty(),
            };
            if error.sqlstate() == **sqlstate && understood {
                Ok(())
            } else {
                Err(told(&error))
            }
        }
    }
}

fn told(error: &AskError) -> String {
    format!("{} {error}: {:?}", error.sqlstate(), error.detail())
}

async fn put(connection: &Connection, question: &str) -> Result<Answer, AskError> {
    let settings = AskSettings::default();
    ask(connection, question, &settings).await
}

async fn run_generated(
    database: &Arc<Database>,
    connection: &Connection,
    answer: &Answer,
    literals: &[String],
) -> Result<Vec<Vec<Value>>, String> {
    if answer.sql.parameters() > literals.len() {
        return Err(format!("{} has a parameter too many", answer.sql.as_str()));
    }
    let mut parameters = Vec::new();
    for literal in literals {
        let value = rows_of(database, &format!("SELECT {literal}")).await?;
        parameters.push(value[0][0].clone());
    }
    let cursor = connection.run_generated(&answer.sql, None, parameters).await;
    drain(cursor.map_err(|error| error.message)?).await
}

pub(super) async fn rows(
    database: &Arc<Database>,
    sql: &str,
    ordered: bool,
) -> Result<Vec<Vec<String>>, String> {
    Ok(folded(rows_of(database, sql).await?, ordered))
}

async fn rows_of(database: &Arc<Database>, sql: &str) -> Result<Vec<Vec<Value>>, String> {
    // The references are SQLite's own SQL, as the answers are.
    let options = Options {
        sqlite_dialect: true,
        ..Options::default()
    };
    let own = Database::open(database.path(), options).unwrap();
    let connection = own.connect().unwrap();
    let cursor = connection.run(sql, vec![]).await;
    drain(cursor.map_err(|error| format!("the reference fails: {}", error.message))?).await
}

async fn drain(mut cursor: querent::sqlite::engine::Cursor) -> Result<Vec<Vec<Value>>, String> {
    let mut rows = Vec::new();
    loop {
        let chunk = cursor.next(0).await.map_err(|error| error.message)?;
        rows.extend(chunk.rows);
        if chunk.done {
            return Ok(rows);
        }
    }
}

/// Rows that can be compared: numbers by their value, in one order unless theirs is asked for.
pub(super) fn folded(rows: Vec<Vec<Value>>, ordered: bool) -> Vec<Vec<String>> {
    let fold = |value: Value| match value {
        Value::Null => "NULL".to_owned(),
        Value::Integer(number) => format!("{:.6}", number as f64),
        Value::Real(number) => format!("{number:.6}"),
        Value::Text(text) => format!("'{}'", String::from_utf8_lossy(&text)),
        Value::Blob(bytes) => format!("{bytes:?}"),
    };
    let mut rows: Vec<Vec<String>> = rows
        .into_iter()
        .map(|row| row.into_iter().map(fold).collect())
        .collect();
    if !ordered {
        rows.sort();
    }
    rows
}

async fn check_shop(cases: &str, at_least: usize) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("shop.sqlite");
    sample::create(&file, crate::program::sample_day()).unwrap();
    check(&file, cases, at_least).await;
}

#[tokio::test]
async fn the_sample_shop_is_understood() {
    check_shop(include_str!("../ask/shop.ask"), 80).await;
}

#[tokio::test]
async fn business_questions_are_understood() {
    check_shop(include_str!("../ask/business.ask"), 20).await;
}

#[tokio::test]
async fn what_is_not_understood_is_refused() {
    check_shop(include_str!("../ask/refusals.ask"), 20).await;
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

#[tokio::test]
async fn a_warehouse_in_short_forms_is_understood() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("warehouse.sqlite");
    rusqlite::Connection::open(&file)
        .unwrap()
        .execute_batch(include_str!("../ask/warehouse.sql"))
        .unwrap();
    check(&file, include_str!("../ask/warehouse.ask"), 8).await;
}

#[tokio::test]
async fn a_club_is_understood() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("club.sqlite");
    rusqlite::Connection::open(&file)
        .unwrap()
        .execute_batch(include_str!("../ask/club.sql"))
        .unwrap();
    check(&file, include_str!("../ask/club.ask"), 24).await;
}

#[tokio::test]
async fn a_league_is_understood() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("league.sqlite");
    rusqlite::Connection::open(&file)
        .unwrap()
        .execute_batch(include_str!("../ask/league.sql"))
        .unwrap();
    check(&file, include_str!("../ask/league.ask"), 16).await;
}

#[tokio::test]
async fn a_kennel_is_understood() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("kennel.sqlite");
    rusqlite::Connection::open(&file)
        .unwrap()
        .execute_batch(include_str!("../ask/kennel.sql"))
        .unwrap();
    check(&file, include_str!("../ask/kennel.ask"), 24).await;
}

#[tokio::test]
async fn a_lodge_whose_books_ended_is_understood() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("lodge.sqlite");
    rusqlite::Connection::open(&file)
        .unwrap()
        .execute_batch(include_str!("../ask/lodge.sql"))
        .unwrap();
    check(&file, include_str!("../ask/lodge.ask"), 20).await;
    // Which day stands for today is told, and of which table it is.
    let database = Database::open(&file, Options::default()).unwrap();
    database.index_values();
    assert!(database.values_ready(Duration::from_secs(60)).await);
    let connection = database.connect().unwrap();
    for (question, day) in [
        (
            "how many bookings were there last month",
            "2023-05-09, the newest bookings.booked_on",
        ),
        (
            "average age of guests",
            "2023-05-20, the newest contracts.start_date",
        ),
        (
            "how many inspections this year",
            "2025-01-20, the newest inspections.inspected_on",
        ),
    ] {
        let answer = put(&connection, question).await.unwrap();
        let told = querent::service::conversation::notice(&answer);
        assert!(told.contains(day), "{question}: {told}");
    }
    let answer = put(&connection, "how many bookings in 2022").await.unwrap();
    let told = querent::service::conversation::notice(&answer);
    assert!(!told.contains("newest"), "{told}");
}

/// What cannot stand in a line of a file.
#[tokio::test]
async fn monstrous_questions_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("clinic.sqlite");
    rusqlite::Connection::open(&file)
        .unwrap()
        .execute_batch(include_str!("../ask/clinic.sql"))
        .unwrap();
    let database = Database::open(&file, Options::default()).unwrap();
    database.index_values();
    assert!(database.values_ready(Duration::from_secs(60)).await);
    let connection = database.connect().unwrap();
    for question in [
        String::new(),
        " \t\r\n ".into(),
        "\0".into(),
        "???".into(),
        "how many patients ".repeat(60_000),
        "patients'".repeat(200_000),
        "(".repeat(1 << 20),
        "how many \0\0\0 florbs".into(),
    ] {
        let start: String = question.chars().take(30).collect();
        match put(&connection, &question).await {
            Ok(answer) => panic!("{start:?} was answered: {}", answer.sql.as_str()),
            Err(error) => assert_eq!(error.sqlstate(), "NL001", "{start:?}: {error:?}"),
        }
    }
}
