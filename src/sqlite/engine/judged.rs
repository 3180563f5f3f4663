//! That the file is still what a question was judged by: somebody may put a view of other columns in the place of one that was
//! looked at, while a model thinks or after a question was prepared. So what runs for a question looks first, in the
//! transaction that it then reads in.

use std::{cell::RefCell, fmt::Write as _, sync::Arc};

use ring::digest::{Context, SHA256};
use rusqlite::{Connection, Error, Result, types::ValueRef};

use super::{
    command::Request,
    guard::Mode,
    open::Guarded,
    running::Running,
    session::Session,
    version::{ReadLock, locked_version},
    watch::CancelFlag,
    write_lock,
};
use crate::{
    backend::BackendError,
    question::validator::ValidatedSql,
    sqlite::functions::{lossless, timestamps},
};

/// Tables and views, whatever their order in the file. What SQLite itself adds to the schema no question reads; indexes and
/// triggers change nothing of what is read.
const OBJECTS: &str = "sqlite_schema WHERE type IN ('table', 'view') \
                       AND name NOT IN ('sqlite_sequence', 'sqlite_stat1', 'sqlite_stat3', 'sqlite_stat4') \
                       ORDER BY type, name, sql";

/// In the place of what is not known: nothing is judged by it.
pub(super) const NOT_KNOWN: &str = "?";

/// What stands in the tables and views of a connection, at the version of the schema that it was read at.
#[derive(Debug, Default)]
pub(super) struct LastJudged(RefCell<Option<(i64, Arc<str>)>>);

/// By what it can be told whether the tables and views that a connection sees are still the same.
pub(super) fn state(connection: &Connection) -> Result<Arc<str>> {
    let mut context = Context::new(&SHA256);
    add(connection, "main", &mut context)?;
    add(connection, "temp", &mut context)?;
    let digest = context.finish();
    let mut hexadecimal = String::with_capacity(2 * digest.as_ref().len());
    for byte in digest.as_ref() {
        write!(hexadecimal, "{byte:02x}").expect("a text takes all that is written to it");
    }
    Ok(hexadecimal.into())
}

fn add(connection: &Connection, schema: &str, context: &mut Context) -> Result<()> {
    let sql = format!("SELECT type, name, tbl_name, sql FROM {schema}.{OBJECTS}");
    let mut statement = connection.prepare_cached(&sql)?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        context.update(schema.as_bytes());
        for column in 0..4 {
            let bytes = match row.get_ref(column)? {
                ValueRef::Text(bytes) | ValueRef::Blob(bytes) => bytes,
                _ => &[],
            };
            context.update(&bytes.len().to_le_bytes());
            context.update(bytes);
        }
    }
    Ok(())
}

/// True for the error of what was not run since something has changed.
pub fn is_changed(error: &BackendError) -> bool {
    error.sqlstate == "40001" && error.message == CHANGED
}

const CHANGED: &str = "the database was changed while the question was answered, and what it was answered by is not there any more";

/// The error of what was not run.
pub(super) fn changed() -> BackendError {
    BackendError::new("40001", CHANGED).with_hint("Ask again; what was prepared has to be prepared again.")
}

/// Fails where a connection sees other tables and views than these answers were judged by; what comes back keeps them as they
/// are. `alone` is true for a connection that sees what all see.
fn held<'c>(guarded: &'c Guarded, answers: &[ValidatedSql], alone: bool) -> Result<Option<ReadLock<'c>>> {
    let connection = &guarded.connection;
    let mut judged = answers
        .iter()
        .map(ValidatedSql::catalog)
        .filter(|by| !by.is_empty())
        .peekable();
    if judged.peek().is_none() {
        return Ok(None);
    }
    let (version, lock) = locked_version(connection)?;
    let mut known = guarded.known.0.borrow_mut();
    let now = match &*known {
        // A transaction that is rolled back takes its versions with it, and others come in their place.
        Some((at, state)) if alone && *at == version => Arc::clone(state),
        _ => {
            let state = state(connection)?;
            *known = alone.then(|| (version, Arc::clone(&state)));
            state
        }
    };
    if judged.all(|by| *by == now) {
        Ok(Some(lock))
    } else {
        Err(Error::UserFunctionError(Box::new(changed())))
    }
}

impl Session<'_> {
    /// As [`held`], for the answers in a request.
    pub(super) fn hold_judged<'c>(
        &self,
        guarded: &'c Guarded,
        request: &Request,
        cancelled: &CancelFlag,
    ) -> std::result::Result<Option<ReadLock<'c>>, BackendError> {
        if request.answers.is_empty() {
            return Ok(None);
        }
        let limit = self.limit(request.mode);
        let alone = guarded.connection.is_autocommit()
            && (!std::ptr::eq(guarded, self.own) || !self.has_temporary_objects());
        self.watched(
            guarded,
            Mode::Internal,
            cancelled,
            (limit, limit),
            &request.sql,
            || held(guarded, &request.answers, alone),
        )
    }

    /// Runs a statement. One of the client's that writes what answers give begins to write before anybody looks, so that nothing
    /// changes between.
    pub(super) fn run_judged<'c>(
        &'c self,
        request: &Request,
        cancelled: &CancelFlag,
        run: impl FnOnce() -> std::result::Result<Running<'c>, BackendError>,
    ) -> std::result::Result<Running<'c>, BackendError> {
        let connection = &self.own.connection;
        timestamps::statement_begins(connection.is_autocommit());
        lossless::statement_begins();
        if request.mode != Mode::Client || request.answers.is_empty() {
            return run();
        }
        let limit = self.limit(Mode::Client);
        let ours = |work: &dyn Fn() -> Result<()>| {
            self.watched(self.own, Mode::Internal, cancelled, (limit, limit), "", work)
        };
        if request.held && connection.is_autocommit() {
            ours(&|| write_lock::begin(connection))?;
        }
        ours(&|| write_lock::open_savepoint(connection, "querent:judged"))?;
        let written = self
            .hold_judged(self.own, request, cancelled)
            .map(drop)
            .and_then(|()| run())
            .and_then(|mut running| {
                self.watched(
                    self.own,
                    Mode::Client,
                    cancelled,
                    (limit, limit),
                    &request.sql,
                    || running.read_all(connection),
                )?;
                Ok(running)
            })
            .and_then(|running| {
                ours(&|| connection.execute_batch("RELEASE \"querent:judged\""))?;
                Ok(running)
            });
        if written.is_err() && !connection.is_autocommit() {
            // The first error is the one to tell.
            let _ = self.own.guard.during(Mode::Internal, || {
                connection.execute_batch("ROLLBACK TO \"querent:judged\"; RELEASE \"querent:judged\"")
            });
        }
        written
    }
}
