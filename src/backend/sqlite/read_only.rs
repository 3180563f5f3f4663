//! Reading alone on a connection that may write, for as long as a question runs.

use rusqlite::limits::Limit;

use super::open::{self, Guarded};

/// `query_only` and the limit of questions on the session's own connection, for as long as this lives.
pub(super) struct ReadOnly<'c> {
    connection: Option<&'c rusqlite::Connection>,
    longest: Option<i32>,
    writes: bool,
}

impl<'c> ReadOnly<'c> {
    pub(super) fn during(guarded: &'c Guarded, wanted: bool) -> Self {
        let connection = wanted.then_some(&guarded.connection);
        let mut guard = Self {
            connection,
            longest: None,
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
            guard.longest = connection.limit(Limit::SQLITE_LIMIT_LENGTH).ok();
            set_longest(connection, open::LONGEST_ANSWERED);
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
        if let Some(longest) = self.longest {
            set_longest(connection, longest);
        }
    }
}

fn set_longest(connection: &rusqlite::Connection, bytes: i32) {
    if let Err(error) = connection.set_limit(Limit::SQLITE_LIMIT_LENGTH, bytes) {
        tracing::warn!(%error, bytes, "could not limit the length of values");
    }
}

fn set_query_only(connection: &rusqlite::Connection, on: bool) {
    if let Err(error) = connection.pragma_update(None, "query_only", on) {
        // The authorizer alone stops writes too.
        tracing::warn!(%error, on, "could not set query_only");
    }
}
