//! What a database behind Querent is to a question, whatever its kind: the trait, trial runs and when results are the same.

use std::time::Duration;

use async_trait::async_trait;

pub use crate::{
    error::ErrorSubject,
    pgtypes::{SqlType, Value},
};
use crate::{
    error::{ClientError, Fault, SqlState},
    question::{schema::Snapshot, validator::ValidatedSql},
};

mod compare;
pub(crate) mod computed;
mod review;

pub use compare::{ResultSet, has_rows, same_rows};
pub use review::{review, review_trial};

/// A column of a result as a client is told of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResultColumn {
    /// The name, as the database gives it.
    pub name: String,
    /// What it holds.
    pub ty: SqlType,
    /// Its length or its digits, as `pg_attribute.atttypmod` has them; -1 where nothing is told.
    pub modifier: i32,
    /// The numbers of the table and of the column in the catalogue that it is; 0 where it is none.
    pub origin: (u32, u16),
    /// True where nothing but the values, if there are any, tells what it holds.
    pub guessed: bool,
}

/// A column of a result.
pub fn column(name: &str, ty: SqlType) -> ResultColumn {
    ResultColumn {
        name: name.to_owned(),
        ty,
        modifier: -1,
        origin: (0, 0),
        guessed: false,
    }
}

/// A column of text.
pub fn text_column(name: &str) -> ResultColumn {
    column(name, SqlType::Text)
}

/// A value of text.
pub fn text(text: &str) -> Value {
    Value::Text(text.as_bytes().to_vec())
}

/// The first rows of a validated query, run under the guard to see whether and what it answers.
#[derive(Debug, Clone)]
pub struct Trial {
    /// Output column names.
    pub columns: Vec<String>,
    /// At most as many rows as were asked for.
    pub rows: Vec<Vec<Value>>,
    /// True if there are no more rows than these.
    pub complete: bool,
    /// What it took.
    pub effort: Effort,
}

/// What a query takes, by its trial run.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Effort {
    /// Time, planning included.
    pub elapsed: Duration,
    /// What the database itself says, to compare statements by: the steps that SQLite took, or PostgreSQL's estimate of all
    /// that it would take. 0 where it says nothing.
    pub cost: f64,
    /// False for a plan that was thought too costly to run.
    pub run: bool,
}

/// A part of a plan that reads every row of a table.
#[derive(Debug, Clone, PartialEq)]
pub struct FullScan {
    /// What the query calls the table.
    pub name: String,
    /// Rows that are left of it, where the plan says so.
    pub left: Option<f64>,
    /// Columns by which the database indexes the rows for this one run; empty where it does not.
    pub indexed_by: Vec<String>,
}

/// An index that might be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IndexIdea {
    /// `CREATE INDEX`, as a person would write it.
    pub ddl: String,
}

/// What the pipeline needs of a database. Every call obeys the backend's own time limits.
#[async_trait]
pub trait Backend: Send + Sync {
    /// The schema as the asking user may read it; cheap when nothing changed.
    async fn snapshot(&self) -> Result<Snapshot, BackendError>;

    /// Runs a validated query read-only under the guard and returns its first `max_rows` rows.
    /// Parameters `$n` are bound to NULL. Dropping the future interrupts the query.
    async fn trial(&self, sql: &ValidatedSql, max_rows: usize) -> Result<Trial, BackendError>;

    /// The tables that the database would read from end to end for a validated query; nothing where nobody can say.
    async fn full_scans(&self, _: &ValidatedSql) -> Result<Vec<FullScan>, BackendError> {
        Ok(Vec::new())
    }

    /// What the query would cost if there were this index, in the units of [`Effort::cost`]; `None` where nobody can say.
    /// Nothing is made.
    async fn cost_with(&self, _: &ValidatedSql, _: &IndexIdea) -> Result<Option<f64>, BackendError> {
        Ok(None)
    }
}

/// An error of a database, with the fields that a client may read.
#[derive(Debug, Clone, thiserror::Error)]
#[error("{message}")]
pub struct BackendError {
    /// PostgreSQL's code for it.
    pub sqlstate: SqlState,
    /// The database's own words.
    pub message: String,
    /// More of it.
    pub detail: Option<String>,
    /// What to do.
    pub hint: Option<String>,
    /// Where in the statement, in characters from 1.
    pub position: Option<usize>,
    /// What of the schema it is about.
    pub place: Option<Box<ErrorSubject>>,
}

impl BackendError {
    /// An error of which only code and words are known.
    pub fn new(sqlstate: impl Into<SqlState>, message: impl Into<String>) -> Self {
        Self {
            sqlstate: sqlstate.into(),
            message: message.into(),
            detail: None,
            hint: None,
            position: None,
            place: None,
        }
    }

    /// The same error with advice.
    #[must_use]
    pub fn with_hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// The same error with more of what happened.
    #[must_use]
    pub fn with_detail(mut self, detail: impl Into<String>) -> Self {
        self.detail = Some(detail.into());
        self
    }
}

impl ClientError for BackendError {
    fn sqlstate(&self) -> SqlState {
        self.sqlstate
    }

    fn message(&self) -> String {
        self.message.clone()
    }

    fn detail(&self) -> Option<String> {
        self.detail.clone()
    }

    fn hint(&self) -> Option<String> {
        self.hint.clone()
    }

    fn position(&self) -> Option<usize> {
        self.position
    }

    fn place(&self) -> Option<&ErrorSubject> {
        self.place.as_deref()
    }

    fn fault(&self) -> Fault {
        match &self.sqlstate[..2] {
            "53" | "58" | "08" => Fault::Backend,
            "XX" => Fault::Internal,
            _ => Fault::Client,
        }
    }
}
