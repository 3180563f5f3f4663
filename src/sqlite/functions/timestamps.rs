//! The timestamps at which the present transaction and statement began: `now()` does not move within a transaction.

use std::{cell::Cell, sync::LazyLock};

use super::datetime;

/// When things began, in microseconds since 2000.
#[derive(Debug, Clone, Copy, Default)]
struct Began {
    transaction: Option<i64>,
    statement: Option<i64>,
    /// True once a statement of an open transaction was seen.
    open: bool,
}

thread_local! {
    static BEGAN: Cell<Began> = const {
        Cell::new(Began {
            transaction: None,
            statement: None,
            open: false,
        })
    };
}

/// A statement of this thread's session begins; `alone` where no transaction is open.
pub(in crate::sqlite) fn statement_begins(alone: bool) {
    let now = datetime::now();
    BEGAN.with(|began| {
        let before = began.get();
        let goes_on = !alone && before.open;
        began.set(Began {
            transaction: before.transaction.filter(|_| goes_on).or(Some(now)),
            statement: Some(now),
            open: !alone,
        });
    });
}

/// When the first connection was made ready.
pub(super) fn of_server() -> i64 {
    static BEGAN: LazyLock<i64> = LazyLock::new(datetime::now);
    *BEGAN
}

pub(super) fn of_transaction() -> i64 {
    BEGAN.with(Cell::get).transaction.unwrap_or_else(datetime::now)
}

pub(super) fn of_statement() -> i64 {
    BEGAN.with(Cell::get).statement.unwrap_or_else(datetime::now)
}
