//! What is asked of a PostgreSQL server for a question: its schema, rights, stored values, plans and trial runs.
//!
//! Whatever carries Querent's own statements to a server is a [`Querier`]: a session's own connection with the
//! statements between the client's, or a connection of our own.

use std::time::Duration;

use async_trait::async_trait;
use bytes::Bytes;

mod client;
mod inclusion;
mod introspect;
mod judge;
mod kinds;
mod lineage;
mod plan;
mod profile;
mod rows;
mod sampling;
mod schemas;
mod state;
mod trial;
mod trust;
mod unchanged;
mod values;

pub use client::{Client, Cursor};
pub use plan::{cost_with, full_scans};
pub use sampling::Sampling;
pub use schemas::{Schemas, SessionSnapshot, snapshot};
pub use state::State;
pub use trial::{Limits, trial};
pub use trust::Trust;
pub use unchanged::{
    LookedAt, are_seen, changed_meanwhile, is_seen_unchanged, is_still_unchanged, is_unchanged, lock,
    unguessable_name,
};

use crate::backend::BackendError;

/// A way for Querent's own statements to a PostgreSQL server.
#[async_trait]
pub trait Querier: Send + Sync {
    /// Runs the statements in order in one round trip, read-only, leaving nothing behind in the session or the
    /// transaction, and returns the rows of each in text format. A `time_limit` of zero is none. The first error
    /// ends it.
    async fn read(&self, statements: &[Query<'_>], time_limit: Duration) -> Result<Vec<Rows>, BackendError>;

    /// The transactions that were seen when the catalogue was looked at last, if that was for what is read now.
    fn sees(&self) -> Option<&str> {
        None
    }
}

/// One statement for a [`Querier`].
#[derive(Debug, Clone, Copy)]
pub struct Query<'a> {
    /// One statement, without a semicolon at its end.
    pub sql: &'a str,
    /// How many parameters it has; all are bound to NULL.
    pub parameters: usize,
    /// How many rows are returned at most; 0 for all.
    pub max_rows: u32,
}

/// What a statement returned.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Rows {
    /// Names and type numbers of the columns.
    pub columns: Vec<(String, u32)>,
    /// The values in text format; `None` is NULL.
    pub rows: Vec<Vec<Option<Bytes>>>,
    /// False if there are more rows than were asked for.
    pub complete: bool,
}
