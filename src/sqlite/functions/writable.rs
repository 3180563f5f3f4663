//! Whether functions may write on this thread: in a READ ONLY transaction those that do are refused.

use std::cell::Cell;

use rusqlite::Result;

use super::Failure;

thread_local! {
    static REFUSED: Cell<bool> = const { Cell::new(false) };
}

/// What this thread runs from now on may only read.
pub(in crate::sqlite) fn refuse(refused: bool) {
    REFUSED.set(refused);
}

/// Fails for a function that writes where nothing may be written.
pub(in crate::sqlite) fn check(what: &str) -> Result<()> {
    if !REFUSED.get() {
        return Ok(());
    }
    Err(Failure {
        sqlstate: "25006",
        message: format!("cannot execute {what} in a read-only transaction"),
    }
    .into())
}
