//! Reading alone on a connection that may write, for as long as a question runs.

use super::{Options, bounds, open::Guarded};

/// `query_only` and the bounds of questions on the session's own connection, for as long as this lives.
pub(super) struct ReadOnly<'c> {
    connection: Option<&'c rusqlite::Connection>,
    before: Option<bounds::Bounds>,
    writes: bool,
}

impl<'c> ReadOnly<'c> {
    pub(super) fn during(guarded: &'c Guarded, options: &Options, wanted: bool) -> Self {
        let connection = wanted.then_some(&guarded.connection);
        let mut guard = Self {
            connection,
            before: None,
            writes: false,
        };
        if let Some(connection) = connection {
            let already = connection
                .pragma_query_value(None, "query_only", |row| row.get(0))
                .unwrap_or(false);
            guard.writes = !already;
            if guard.writes {
                set_query_only(connection, true);
            }
            guard.before = exchange(connection, bounds::of_questions(options));
        }
        guard
    }
}

impl Drop for ReadOnly<'_> {
    fn drop(&mut self) {
        let Some(connection) = self.connection else { return };
        if self.writes {
            set_query_only(connection, false);
        }
        if let Some(before) = self.before {
            exchange(connection, before);
        }
    }
}

fn exchange(connection: &rusqlite::Connection, bounds: bounds::Bounds) -> Option<bounds::Bounds> {
    let before = bounds::exchange(connection, bounds);
    if let Err(error) = &before {
        tracing::warn!(%error, "could not bound the values of a statement");
    }
    before.ok()
}

fn set_query_only(connection: &rusqlite::Connection, on: bool) {
    if let Err(error) = connection.pragma_update(None, "query_only", on) {
        // The authorizer alone stops writes too.
        tracing::warn!(%error, on, "could not set query_only");
    }
}
