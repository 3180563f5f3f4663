//! A question that was let through, and the runs of its SQL.

use std::{sync::Arc, time::Instant};

use super::{
    Audit,
    event::{Body, Ended, milliseconds},
};

/// A question that was let through.
#[derive(Debug)]
pub struct Asked {
    audit: Arc<Audit>,
    id: String,
}

/// How a run ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End<'a> {
    /// All its rows came.
    Done,
    /// Its rows were not taken to the end.
    Left,
    /// With this SQLSTATE.
    Failed(&'a str),
    /// The SQL was shown and not run.
    Shown,
}

/// A run of a question's SQL, until its end is told. Dropped before, it was left.
#[derive(Debug)]
pub struct Run {
    asked: Option<Arc<Asked>>,
    begun: Instant,
    rows: u64,
}

impl Asked {
    pub(super) fn new(audit: &Arc<Audit>, id: String) -> Arc<Self> {
        Arc::new(Self {
            audit: Arc::clone(audit),
            id,
        })
    }

    pub(super) fn id(&self) -> &str {
        &self.id
    }

    /// Its SQL begins to run.
    pub fn begin(self: &Arc<Self>) -> Run {
        Run {
            asked: Some(Arc::clone(self)),
            begun: Instant::now(),
            rows: 0,
        }
    }

    /// Its SQL did not come to run: the client was told this SQLSTATE.
    pub fn failed(self: &Arc<Self>, sqlstate: &str) {
        self.begin().end(End::Failed(sqlstate));
    }

    /// Its SQL was told of in so many rows, and did not run.
    pub fn shown(self: &Arc<Self>, rows: u64) {
        let mut run = self.begin();
        run.rows(rows);
        run.end(End::Shown);
    }
}

impl Run {
    /// So many rows more.
    pub fn rows(&mut self, more: u64) {
        self.rows += more;
    }

    /// It has never begun.
    pub fn forget(mut self) {
        self.asked = None;
    }

    /// It has ended.
    pub fn end(mut self, end: End<'_>) {
        self.tell(end);
    }

    fn tell(&mut self, end: End<'_>) {
        let Some(asked) = self.asked.take() else { return };
        let (outcome, sqlstate) = match end {
            End::Done => ("ok", None),
            End::Left => ("left", None),
            End::Shown => ("shown", None),
            End::Failed("57014") => ("cancelled", Some("57014")),
            End::Failed(sqlstate) => ("failed", Some(sqlstate)),
        };
        let ended = Body::Ended(Ended {
            outcome: outcome.to_owned(),
            sqlstate: sqlstate.map(str::to_owned),
            rows: self.rows,
            run_ms: milliseconds(self.begun.elapsed()),
        });
        asked.audit.write(&ended, Some(&asked.id));
    }
}

impl Drop for Run {
    fn drop(&mut self) {
        self.tell(End::Left);
    }
}
