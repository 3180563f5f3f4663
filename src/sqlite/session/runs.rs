//! The runs of the questions in a statement, told to the audit as they end.

use std::sync::Arc;

use super::error::SessionError;
use crate::{
    service::audit::{Asked, End, Run},
    sqlite::engine::Cursor,
};

/// The runs of one statement's questions; empty where nothing is recorded. Dropped, they were left.
#[derive(Debug, Default)]
pub(super) struct Runs(Vec<Run>);

/// A statement that has begun to run.
pub(super) struct Started {
    pub(super) cursor: Cursor,
    pub(super) runs: Runs,
}

impl Runs {
    /// The questions' SQL begins to run.
    pub(super) fn begin(asked: &[Arc<Asked>]) -> Self {
        Self(asked.iter().map(Asked::begin).collect())
    }

    /// So many rows more have come.
    pub(super) fn rows(&mut self, more: u64) {
        self.0.iter_mut().for_each(|run| run.rows(more));
    }

    /// All has come.
    pub(super) fn done(&mut self) {
        self.0.drain(..).for_each(|run| run.end(End::Done));
    }

    /// It did not come to its end.
    pub(super) fn failed(&mut self, error: &SessionError) {
        let state = error.sqlstate();
        let end = state.as_deref().map_or(End::Left, End::Failed);
        self.0.drain(..).for_each(|run| run.end(end));
    }
}
