//! The asynchronous side of a connection: handles that send commands to its thread.

use async_trait::async_trait;

use crate::{
    backend::{Backend, BackendError, ResultColumn, Trial, Value},
    schema::Snapshot,
    validator::ValidatedSql,
};

/// One connection to a SQLite file, on a thread of its own. Dropping it interrupts what is running,
/// rolls back an open transaction and ends the thread.
#[derive(Debug)]
pub struct Connection {}

/// What is known of a statement before it runs.
#[derive(Debug, Clone)]
pub struct Prepared {
    /// The result's columns; empty for a statement that returns no rows.
    pub columns: Vec<ResultColumn>,
    /// The highest parameter number.
    pub parameters: usize,
    /// True if it cannot change the database.
    pub read_only: bool,
}

/// A running statement. Several may be open on one connection; dropping one closes it.
#[derive(Debug)]
pub struct Cursor {}

/// Some rows of a result.
#[derive(Debug, Clone, Default)]
pub struct Chunk {
    /// The rows.
    pub rows: Vec<Vec<Value>>,
    /// True if there are no more.
    pub done: bool,
}

/// Interrupts what a connection is running, from anywhere.
#[derive(Debug, Clone)]
pub struct Interrupter {}

impl Connection {
    /// Compiles one statement to see its columns and parameters.
    pub async fn prepare(&self, _sql: &str) -> Result<Prepared, BackendError> {
        Err(BackendError::new("0A000", "not built yet"))
    }

    /// Runs one statement of the client's own. A statement without result columns has run to its end when
    /// this returns; `$n`, `?n` and `?` are bound by number.
    pub async fn run(&self, _sql: &str, _parameters: Vec<Value>) -> Result<Cursor, BackendError> {
        Err(BackendError::new("0A000", "not built yet"))
    }

    /// Runs a question's SQL under the question guard: reads only, listed functions only, limited in time, rows
    /// and bytes. `around` is the client's own statement with the SQL written into it, where there is one.
    pub async fn run_generated(
        &self,
        _sql: &ValidatedSql,
        _around: Option<&str>,
        _parameters: Vec<Value>,
    ) -> Result<Cursor, BackendError> {
        Err(BackendError::new("0A000", "not built yet"))
    }

    /// True inside BEGIN … COMMIT, as of the last statement that finished.
    pub fn in_transaction(&self) -> bool {
        false
    }

    /// A handle that cancels the running statement.
    pub fn interrupter(&self) -> Interrupter {
        Interrupter {}
    }
}

impl Interrupter {
    /// Cancels the statement that runs at this moment, if any, with 57014.
    pub fn interrupt(&self) {}
}

impl Cursor {
    /// The result's columns; empty for a statement that returns no rows.
    pub fn columns(&self) -> &[ResultColumn] {
        &[]
    }

    /// Rows that an INSERT, UPDATE or DELETE changed, once it has run to its end; 0 for others.
    pub fn affected(&self) -> u64 {
        0
    }

    /// The next rows: at most `max_rows` (0 means any number), and no more than fit some 256 KiB.
    /// Not cancel safe: dropping the future may lose rows and interrupts the statement.
    pub async fn next(&mut self, _max_rows: usize) -> Result<Chunk, BackendError> {
        Ok(Chunk {
            rows: vec![],
            done: true,
        })
    }
}

#[async_trait]
impl Backend for Connection {
    async fn snapshot(&self) -> Result<Snapshot, BackendError> {
        Err(BackendError::new("0A000", "not built yet"))
    }

    async fn trial(&self, _sql: &ValidatedSql, _max_rows: usize) -> Result<Trial, BackendError> {
        Err(BackendError::new("0A000", "not built yet"))
    }
}
