//! Advisory locks of the sessions on one file, in this process (manual, "Advisory Locks").

use std::{
    collections::HashMap,
    sync::{
        Arc, Condvar, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU64, Ordering::Relaxed},
    },
    time::Duration,
};

/// How long a session waits before it looks whether its statement was stopped.
const LOOK: Duration = Duration::from_millis(20);

/// One number, or two small ones: they are apart.
pub(super) type Key = (bool, i64);

/// How a lock is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Wanted {
    pub(super) key: Key,
    pub(super) shared: bool,
    /// Until the transaction ends, and not until it is given back.
    pub(super) transaction: bool,
}

/// One of the locks that somebody holds, as often as it was taken.
#[derive(Debug)]
struct Hold {
    holder: u64,
    shared: bool,
    transaction: bool,
    count: u32,
}

/// The locks on one file.
#[derive(Debug, Default)]
pub(super) struct Locks {
    held: Mutex<HashMap<Key, Vec<Hold>>>,
    freed: Condvar,
    next: AtomicU64,
}

/// A session among those that take locks; what it holds is free when it is gone.
#[derive(Debug)]
pub(super) struct Holder {
    locks: Arc<Locks>,
    id: u64,
}

impl Holder {
    pub(super) fn new(locks: &Arc<Locks>) -> Self {
        Self {
            locks: Arc::clone(locks),
            id: locks.next.fetch_add(1, Relaxed),
        }
    }

    fn held(&self) -> MutexGuard<'_, HashMap<Key, Vec<Hold>>> {
        self.locks.held.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes a lock if nobody is in the way.
    pub(super) fn try_take(&self, wanted: Wanted) -> bool {
        self.take_from(&mut self.held(), wanted)
    }

    /// Takes a lock, and waits for those who are in the way; false if it had to stop.
    pub(super) fn take(&self, wanted: Wanted, must_stop: impl Fn() -> bool) -> bool {
        let mut held = self.held();
        while !self.take_from(&mut held, wanted) {
            if must_stop() {
                return false;
            }
            let waited = self.locks.freed.wait_timeout(held, LOOK);
            held = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        true
    }

    fn take_from(&self, held: &mut HashMap<Key, Vec<Hold>>, wanted: Wanted) -> bool {
        let holds = held.entry(wanted.key).or_default();
        let in_the_way = |hold: &Hold| hold.holder != self.id && !(hold.shared && wanted.shared);
        if holds.iter().any(in_the_way) {
            return false;
        }
        let is_same = |hold: &&mut Hold| {
            hold.holder == self.id && hold.shared == wanted.shared && hold.transaction == wanted.transaction
        };
        match holds.iter_mut().find(is_same) {
            Some(hold) => hold.count += 1,
            None => holds.push(Hold {
                holder: self.id,
                shared: wanted.shared,
                transaction: wanted.transaction,
                count: 1,
            }),
        }
        true
    }

    /// Gives one back; false if it was not held.
    pub(super) fn give_back(&self, key: Key, shared: bool) -> bool {
        let mut held = self.held();
        let Some(holds) = held.get_mut(&key) else {
            return false;
        };
        let is_meant = |hold: &Hold| hold.holder == self.id && hold.shared == shared && !hold.transaction;
        let Some(at) = holds.iter().position(is_meant) else {
            return false;
        };
        holds[at].count -= 1;
        if holds[at].count == 0 {
            holds.remove(at);
        }
        self.locks.freed.notify_all();
        true
    }

    /// Gives back those of the transaction, or all.
    pub(super) fn give_back_all(&self, of_transaction: bool) {
        let mut held = self.held();
        held.retain(|_, holds| {
            holds.retain(|hold| hold.holder != self.id || hold.transaction != of_transaction);
            !holds.is_empty()
        });
        self.locks.freed.notify_all();
    }
}

impl Drop for Holder {
    fn drop(&mut self) {
        self.give_back_all(true);
        self.give_back_all(false);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn locks_are_in_each_others_way_as_in_postgresql() {
        let locks = Arc::default();
        let (one, other) = (Holder::new(&locks), Holder::new(&locks));
        let wanted = |shared, transaction| Wanted {
            key: (false, 1),
            shared,
            transaction,
        };
        assert!(one.try_take(wanted(true, false)) && other.try_take(wanted(true, true)));
        assert!(!one.try_take(wanted(false, false)));
        assert!(!one.take(wanted(false, false), || true));
        other.give_back_all(true);
        assert!(one.try_take(wanted(false, false)) && one.try_take(wanted(false, false)));
        assert!(one.give_back((false, 1), false) && one.give_back((false, 1), false));
        assert!(!one.give_back((false, 1), false));
        assert!(!other.try_take(wanted(false, false)));
        drop(one);
        assert!(other.try_take(wanted(false, false)));
    }
}
