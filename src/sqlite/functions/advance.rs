//! How far sequences have come in this process. PostgreSQL does not draw a number again whose transaction was rolled back;
//! in the file a sequence goes back with it, so that the farthest it has come is kept here.

use std::{
    cell::Cell,
    collections::HashMap,
    sync::{LazyLock, Mutex, PoisonError},
    thread::{self, ThreadId},
};

use rusqlite::Connection;

use super::timestamps;

/// What one transaction did to a sequence.
#[derive(Debug, Clone, Copy)]
struct Advance {
    /// The thread of its session, and when it began.
    transaction: (ThreadId, i64),
    /// The last number in the file before it, the one from which it went on, and the last one now.
    before: i64,
    from: i64,
    now: i64,
}

/// A file, and a sequence in it.
type Key = (String, String);

static ADVANCES: LazyLock<Mutex<HashMap<Key, Advance>>> = LazyLock::new(Mutex::default);

thread_local! {
    static AGAIN: Cell<bool> = const { Cell::new(false) };
}

/// Does again what a statement has done: it gets the same numbers, and nothing comes of it.
pub(in crate::sqlite) fn again<T>(run: impl FnOnce() -> T) -> T {
    AGAIN.set(true);
    let done = run();
    AGAIN.set(false);
    done
}

/// True while a statement is done again.
pub(super) fn is_again() -> bool {
    AGAIN.get()
}

fn key(connection: &Connection, name: &str) -> Option<Key> {
    let path = connection.path().filter(|path| !path.is_empty())?;
    Some((path.to_owned(), name.to_owned()))
}

/// The last number of a sequence that has `stored` in the file: farther on where what was drawn has been rolled back.
pub(super) fn last(connection: &Connection, name: &str, stored: i64, step: i64) -> i64 {
    let advances = ADVANCES.lock().unwrap_or_else(PoisonError::into_inner);
    let found = key(connection, name).and_then(|key| advances.get(&key).copied());
    let Some(Advance {
        before, from, now, ..
    }) = found
    else {
        return stored;
    };
    if AGAIN.get() {
        return if stored == before { from } else { stored };
    }
    // Within a transaction it may have gone back to a savepoint only. Other numbers are somebody else's.
    let on_the_way = if step > 0 {
        before <= stored && stored < now
    } else {
        now < stored && stored <= before
    };
    if on_the_way || stored == before {
        now
    } else {
        stored
    }
}

/// A sequence that has `stored` in the file comes to a number from where it was.
pub(super) fn comes_to(connection: &Connection, name: &str, (stored, from): (i64, i64), now: i64) {
    let Some(key) = key(connection, name).filter(|_| !AGAIN.get()) else {
        return;
    };
    let transaction = (thread::current().id(), timestamps::of_transaction());
    let mut advances = ADVANCES.lock().unwrap_or_else(PoisonError::into_inner);
    let (before, from) = match advances.get(&key) {
        Some(known) if known.transaction == transaction => (known.before, known.from),
        _ => (stored, from),
    };
    advances.insert(
        key,
        Advance {
            transaction,
            before,
            from,
            now,
        },
    );
}

/// What the file says of these sequences holds again.
pub(super) fn forget_where(connection: &Connection, is_meant: impl Fn(&str) -> bool) {
    let Some(path) = connection.path() else { return };
    ADVANCES
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .retain(|(file, name), _| file != path || !is_meant(name));
}
