//! The cursors and prepared statements of one session, for `pg_cursors` and `pg_prepared_statements`.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use crate::sqlite::catalog::Holding;

/// All of them, in the order in which they were made.
#[derive(Debug, Default)]
pub(super) struct Holdings {
    all: Mutex<BTreeMap<u64, Holding>>,
}

/// A place among them, free when what has it is gone.
#[derive(Debug)]
pub(crate) struct Held {
    holdings: Arc<Holdings>,
    number: u64,
}

impl Holdings {
    pub(super) fn add(self: &Arc<Self>, holding: Holding) -> Held {
        let mut all = self.lock();
        let number = all.last_key_value().map_or(0, |(last, _)| last + 1);
        all.insert(number, holding);
        Held {
            holdings: Arc::clone(self),
            number,
        }
    }

    pub(super) fn all(&self) -> Vec<Holding> {
        self.lock().values().cloned().collect()
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<u64, Holding>> {
        self.all.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        self.holdings.lock().remove(&self.number);
    }
}
