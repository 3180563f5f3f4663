//! What the asynchronous side of a connection asks of its thread, and what it answers.

use std::{collections::VecDeque, sync::Arc};

use tokio::sync::oneshot;

use super::{Chunk, FailedRow, Generated, Prepared, guard::Mode, watch::CancelFlag};
use crate::{
    backend::{BackendError, ResultColumn, SqlType, Value},
    question::{schema::Snapshot, validator::ValidatedSql},
};

/// What is asked of the thread. Each reply may find nobody waiting any more.
pub(super) enum Command {
    /// See [`super::Connection::prepare`].
    Prepare {
        sql: String,
        declared: Vec<Option<SqlType>>,
        generated: Generated,
        reply: oneshot::Sender<Result<Prepared, BackendError>>,
    },
    /// The schema as the session sees it.
    Snapshot {
        reply: oneshot::Sender<Result<Snapshot, BackendError>>,
    },
    /// Starts a statement as cursor `id`.
    Run {
        id: u64,
        request: Request,
        reply: oneshot::Sender<Result<Opened, BackendError>>,
    },
    /// Runs a statement once for each row.
    Many {
        sql: String,
        declared: Vec<Option<SqlType>>,
        rows: Vec<Vec<Value>>,
        reply: oneshot::Sender<Result<(), FailedRow>>,
    },
    /// More rows of a cursor.
    Next {
        id: u64,
        max_rows: usize,
        reply: oneshot::Sender<Result<Progress, BackendError>>,
    },
    /// Makes the thread look at the cursors that were dropped.
    CloseDropped,
}

/// A command and the flag that cancels it.
pub(super) struct Operation {
    pub(super) command: Command,
    pub(super) cancelled: CancelFlag,
}

/// A statement to run.
pub(super) struct Request {
    pub(super) sql: String,
    pub(super) parameters: Parameters,
    /// The types that the client declared of them.
    pub(super) declared: Vec<Option<SqlType>>,
    /// The types by which the values were read, where the statement was prepared: it keeps them whatever becomes of the tables.
    pub(super) resolved: Arc<[Option<SqlType>]>,
    /// Which of it was generated.
    pub(super) generated: Generated,
    pub(super) mode: Mode,
    /// False for a client's statement in a READ ONLY transaction.
    pub(super) may_write: bool,
    /// The answers in it, which hold as long as there is what they were judged by.
    pub(super) answers: Arc<[ValidatedSql]>,
    /// True where the session commits what it wrote outside of transactions ([`super::held`]).
    pub(super) held: bool,
}

/// Values for the parameters of a statement.
pub(super) enum Parameters {
    /// These, from `$1`.
    Given(Vec<Value>),
    /// NULL for each.
    Nulls,
}

/// A cursor that was opened.
#[derive(Default)]
pub(super) struct Opened {
    pub(super) columns: Vec<ResultColumn>,
    pub(super) affected: u64,
    /// All its rows, if it is finished.
    pub(super) rows: VecDeque<Vec<Value>>,
    /// True if it has no more rows and is closed already.
    pub(super) finished: bool,
    /// The steps that SQLite has taken for it.
    pub(super) steps: u64,
}

/// Rows of a cursor.
pub(super) struct Progress {
    pub(super) chunk: Chunk,
    pub(super) affected: u64,
}

impl Command {
    /// True for what may open the file anew.
    pub(super) fn starts_something(&self) -> bool {
        matches!(
            self,
            Self::Prepare { .. } | Self::Snapshot { .. } | Self::Run { .. } | Self::Many { .. }
        )
    }

    /// True for what runs nothing. What runs a statement says whether that only reads once it is known.
    pub(super) fn only_looks(&self) -> bool {
        matches!(self, Self::Prepare { .. } | Self::Snapshot { .. })
    }

    /// Answers with an error.
    pub(super) fn fail(self, error: BackendError) {
        // A reply that nobody waits for is dropped on purpose, here and below.
        match self {
            Self::Prepare { reply, .. } => drop(reply.send(Err(error))),
            Self::Snapshot { reply } => drop(reply.send(Err(error))),
            Self::Run { reply, .. } => drop(reply.send(Err(error))),
            Self::Many { reply, .. } => drop(reply.send(Err((0, error)))),
            Self::Next { reply, .. } => drop(reply.send(Err(error))),
            Self::CloseDropped => {}
        }
    }
}
