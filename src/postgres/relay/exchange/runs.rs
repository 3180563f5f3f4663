//! The runs of questions in a text that went to the server, told to the audit as the server answers.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::service::audit::{Asked, End, Run};

/// What the audit knows of the questions in a statement; empty where nothing is recorded.
pub(in crate::postgres::relay) type Recorded = Arc<[Arc<Asked>]>;

/// The runs of a text's questions, each with the position of its statement among those that the server answers.
/// Dropped, they have never begun: the server passed over them.
#[derive(Debug, Default)]
pub(super) struct Runs(Mutex<Vec<(usize, Run)>>);

impl Runs {
    /// The statement at this position runs these questions.
    pub(super) fn add(&mut self, position: usize, asked: &Recorded) {
        let runs = self.0.get_mut().unwrap_or_else(PoisonError::into_inner);
        runs.extend(asked.iter().map(|asked| (position, asked.begin())));
    }

    /// The statement at this position has ended with so many rows. The time of what follows has begun with the text:
    /// small results of a whole text come at once.
    pub(super) fn end(&self, position: usize, end: End<'_>, rows: u64) {
        let mut runs = self.lock();
        for (_, mut run) in runs.extract_if(.., |(at, _)| *at == position) {
            run.rows(rows);
            run.end(end);
        }
    }

    fn lock(&self) -> MutexGuard<'_, Vec<(usize, Run)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Runs {
    fn drop(&mut self) {
        for (_, run) in self.lock().drain(..) {
            run.forget();
        }
    }
}
