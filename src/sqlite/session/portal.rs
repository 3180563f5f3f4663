//! A statement with its values, perhaps halfway through its rows.

use std::{collections::VecDeque, sync::Arc};

use crate::{
    backend::{ResultColumn, Value},
    pgtypes::Format,
    sqlite::engine::{self, Cursor},
    statement::CommandTag,
};

use super::{cursor::Scroll, error::SessionError, late::Bound, plan::Prepared, runs::Runs};

/// What Bind or DECLARE made.
pub(super) struct Portal {
    pub(super) prepared: Arc<Prepared>,
    pub(super) parameters: Vec<Value>,
    /// One per column.
    pub(super) formats: Vec<Format>,
    pub(super) state: PortalState,
    /// How many savepoints there were when it was made.
    pub(super) depth: usize,
    /// It outlives its transaction.
    pub(super) held: bool,
    /// It has outlived it: nothing that is rolled back now made it.
    pub(super) settled: bool,
    /// Its place in `pg_cursors`.
    pub(super) place: Option<engine::Held>,
    /// Where its question came with Bind, and its columns are not settled yet.
    pub(super) bound: Option<Bound>,
}

/// How far a portal is.
pub(super) enum PortalState {
    /// Not begun.
    New,
    /// Its rows are on their way.
    Running(Outcome),
    /// It is a cursor of DECLARE.
    Cursor(Scroll),
    /// All its rows have been sent.
    Done,
}

/// What a statement that runs gives.
pub(super) struct Outcome {
    pub(super) columns: Vec<ResultColumn>,
    pub(super) rows: Rows,
    pub(super) tag: Tag,
}

/// Rows on their way.
pub(super) enum Rows {
    /// From the database, with how many more there may be where that is limited.
    Database {
        cursor: Box<Cursor>,
        allowed: Option<u64>,
        /// The questions that they answer.
        runs: Runs,
    },
    /// From a cursor, at most so many.
    Fetched { cursor: String, left: Option<u64> },
    /// Known already.
    Known(VecDeque<Vec<Value>>),
}

impl Rows {
    /// Tells the questions' runs how sending them ended, if it did not go well.
    pub(super) fn ended_by<T>(&mut self, sent: &Result<T, SessionError>) {
        if let (Err(error), Self::Database { runs, .. }) = (sent, self) {
            runs.failed(error);
        }
    }
}

/// How the client is told that a statement is done.
pub(super) enum Tag {
    /// In words that know their count.
    Counted(CommandTag),
    /// In these words.
    Fixed(String),
    /// With another word before the count of rows, such as FETCH.
    Rows(&'static str),
    /// By `EmptyQueryResponse`.
    Empty,
}

impl Outcome {
    /// No rows, these words.
    pub(super) fn words(tag: impl Into<String>) -> Self {
        Self {
            columns: vec![],
            rows: Rows::Known(VecDeque::new()),
            tag: Tag::Fixed(tag.into()),
        }
    }

    /// Rows that are known already.
    pub(super) fn known(columns: Vec<ResultColumn>, rows: Vec<Vec<Value>>, tag: Tag) -> Self {
        Self {
            columns,
            rows: Rows::Known(rows.into()),
            tag,
        }
    }
}

impl Portal {
    pub(super) fn new(
        prepared: Arc<Prepared>,
        parameters: Vec<Value>,
        formats: Vec<Format>,
        depth: usize,
    ) -> Self {
        Self {
            prepared,
            parameters,
            formats,
            state: PortalState::New,
            depth,
            held: false,
            settled: false,
            place: None,
            bound: None,
        }
    }

    /// Its transaction has failed: it has no rows any more.
    pub(super) fn fail(&mut self) {
        self.state = PortalState::Done;
        self.parameters = vec![];
        self.place = None;
    }

    pub(super) fn is_held(&self) -> bool {
        self.held
    }

    /// Its transaction has been committed.
    pub(super) fn outlive(&mut self) {
        self.settled = true;
        self.depth = 0;
    }

    /// True if it stays when the transaction is rolled back.
    pub(super) fn is_settled(&self) -> bool {
        self.settled
    }

    /// True if it was made before the savepoint of this position.
    pub(super) fn older_than(&self, savepoint: usize) -> bool {
        self.depth <= savepoint
    }
}
