//! The sample database: a shop, made in code, whose history ends on a day of choice: the same rows for the same day.
//!
//! This is the one place beside `sqlite` that writes a SQLite file: it makes a new one, row by row, and
//! closes it before anybody asks a question.

use std::{
    fs::OpenOptions,
    io::ErrorKind,
    path::{Path, PathBuf},
};

use jiff::{ToSpan, civil::Date};
use rusqlite::{Connection, Params};

mod aftersales;
mod calendar;
mod catalogue;
mod customers;
mod money;
mod orders;
mod random;
mod staff;
mod words;

use calendar::Day;
use random::Random;
use words::Words;

const SCHEMA: &str = include_str!("schema.sql");
const INDEXES_AND_VIEWS: &str = include_str!("indexes.sql");

/// What was made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Summary {
    /// Tables, without views.
    pub tables: usize,
    /// Rows over all tables.
    pub rows: usize,
    /// The day of the first orders.
    pub first_day: Date,
}

/// Why the sample could not be made.
#[derive(Debug, thiserror::Error)]
pub enum SampleError {
    /// There is something at that path already; it is left alone.
    #[error("{} exists already", .0.display())]
    Exists(PathBuf),
    /// The file cannot be made there.
    #[error("cannot create {}: {source}", path.display())]
    Create {
        /// Where.
        path: PathBuf,
        /// What the operating system says.
        source: std::io::Error,
    },
    /// SQLite failed, for example on a full disk.
    #[error("cannot write the sample database: {0}")]
    Sqlite(#[from] rusqlite::Error),
}

/// Makes the sample shop in a new file, with orders up to `today`. Takes a second or two; on an error the file may be left
/// unfinished.
pub fn create(path: &Path, today: Date) -> Result<Summary, SampleError> {
    OpenOptions::new()
        .write(true)
        .create_new(true)
        .open(path)
        .map_err(|source| match source.kind() {
            ErrorKind::AlreadyExists => SampleError::Exists(path.to_owned()),
            _ => SampleError::Create {
                path: path.to_owned(),
                source,
            },
        })?;
    let mut connection = Connection::open(path)?;
    // Nothing is lost if the machine stops in the middle: the file is made anew.
    connection
        .execute_batch("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA foreign_keys = ON")?;
    let transaction = connection.transaction()?;
    transaction.execute_batch(SCHEMA)?;
    let rows = fill(&transaction, today)?;
    transaction.execute_batch(INDEXES_AND_VIEWS)?;
    let tables = transaction.query_row(
        "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'",
        [],
        |row| row.get::<_, i64>(0),
    )?;
    transaction.commit()?;
    connection.close().map_err(|(_, error)| error)?;
    Ok(Summary {
        tables: tables as usize,
        rows,
        first_day: today.saturating_sub(orders::HISTORY.days()),
    })
}

/// Each part has random numbers of its own, so that a change to one leaves the others as they were.
fn fill(connection: &Connection, today: Date) -> rusqlite::Result<usize> {
    let today = Day::from(today);
    let random = |seed| Random::new(seed, today);
    let words = Words::load();
    let catalogue = catalogue::make(&words, &mut random(1));
    let staff = staff::make(&words, &mut random(2));
    let customers = customers::make(&words, &mut random(3));
    let mut orders = orders::make(&catalogue, &staff, &customers, &mut random(4));
    let returns = aftersales::returns(&words, &mut orders, &mut random(5));
    let reviews = aftersales::reviews(&words, &catalogue, &orders, &mut random(6));
    let payments = orders::payments(&orders, &mut random(7));

    let mut rows = catalogue.insert(connection)?;
    rows += staff.insert(connection)?;
    rows += customers::insert(connection, &customers)?;
    rows += orders::insert(connection, &orders, &payments)?;
    rows += aftersales::insert(connection, &returns, &reviews)?;
    Ok(rows)
}

/// Inserts one row per item by one prepared statement. `values` is the part of an INSERT after INTO.
fn insert_all<P: Params>(
    connection: &Connection,
    values: &str,
    rows: impl IntoIterator<Item = P>,
) -> rusqlite::Result<usize> {
    let mut statement = connection.prepare(&format!("INSERT INTO {values}"))?;
    let mut count = 0;
    for row in rows {
        count += statement.execute(row)?;
    }
    Ok(count)
}

#[cfg(test)]
mod tests;
