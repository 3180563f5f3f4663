//! What dates and times of this thread's session are read by.

use std::cell::Cell;

use super::{Failure, timestamps, zone};
use crate::pgtypes::{
    calendar::{DAY, EPOCH_DAYS},
    datetime::{DateOrder, DateTimeFields, Surroundings, read_moment},
};

thread_local! {
    static ORDER: Cell<DateOrder> = Cell::default();
}

/// From now on this thread's session reads dates so.
pub(in crate::sqlite) fn hold(order: DateOrder) {
    ORDER.set(order);
}

/// Now, in UTC.
pub(super) fn now() -> i64 {
    let since = std::time::SystemTime::now()
        .duration_since(std::time::UNIX_EPOCH)
        .unwrap_or_default();
    since.as_micros() as i64 - EPOCH_DAYS * DAY
}

/// Runs something with what the session's texts are read by.
pub(super) fn around<T>(run: impl FnOnce(&Surroundings<'_>) -> T) -> T {
    zone::held(|zone| {
        run(&Surroundings {
            zone,
            order: ORDER.get(),
            now: timestamps::of_transaction(),
        })
    })
}

/// Reads a date, a time or both. `name` is the type that the error names.
pub(super) fn read(text: &str, name: &str) -> Result<DateTimeFields, Failure> {
    around(|around| Ok(read_moment(text, name, around)?))
}
