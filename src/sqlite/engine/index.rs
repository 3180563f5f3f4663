//! Fills the value index in the background: the distinct values of text columns, within bounds.

use std::{
    sync::{
        Arc, Weak,
        atomic::Ordering::Relaxed,
        mpsc::{self, RecvTimeoutError, SyncSender},
    },
    time::{Duration, Instant},
};

use rusqlite::{Connection, types::ValueRef};
use tokio::sync::watch as channel;

use super::{
    Database, errors, introspect,
    open::Guarded,
    profile,
    watch::{Control, Watch},
};
use crate::{
    backend::BackendError,
    question::schema::{ColumnKind, ColumnRef, Schema, Snapshot},
    statement::sqlite_lexer::quote,
    telemetry::Outage,
};

/// Distinct values of one column at most.
const VALUES: usize = 20_000;
/// Rows of one column at most.
const ROWS: usize = 5_000_000;
/// Longer values are prose, which no question names.
const LONGEST: usize = 100;
/// Working time for one column.
const TIME: Duration = Duration::from_secs(5);
/// How often the thread looks for its database without being woken.
const REST: Duration = Duration::from_secs(60);
/// The least time between two fillings for changed data.
const MOMENT: Duration = Duration::from_secs(1);
/// How many times longer than it works the thread rests before it fills again for changed data.
const WORKING_SHARE: u32 = 20;

/// The handle of the background thread; dropping it ends the thread.
pub(super) struct Indexing {
    control: Arc<Control>,
    wake: SyncSender<()>,
    filled: channel::Receiver<Option<u64>>,
}

impl Indexing {
    /// Starts the thread.
    pub(super) fn start(database: &Arc<Database>) -> Self {
        let control = Arc::new(Control::default());
        let (wake, woken) = mpsc::sync_channel(1);
        let (tell, filled) = channel::channel(None);
        let filler = Filler {
            database: Arc::downgrade(database),
            watch: Watch::new(Arc::clone(&control), database.options().busy_timeout),
            control: Arc::clone(&control),
            woken,
            tell,
        };
        let thread = std::thread::Builder::new()
            .name("sqlite-values".into())
            .spawn(move || filler.serve());
        if let Err(error) = thread {
            tracing::warn!(%error, "no thread for the value index; values in questions will not be recognised");
        }
        Self {
            control,
            wake,
            filled,
        }
    }

    /// Makes the thread look whether schema or data changed.
    pub(super) fn wake(&self) {
        // A full channel means that it will look anyway.
        let _ = self.wake.try_send(());
    }

    /// The fingerprint of the schema whose values are all read.
    pub(super) fn filled(&self) -> channel::Receiver<Option<u64>> {
        self.filled.clone()
    }
}

impl Drop for Indexing {
    fn drop(&mut self) {
        self.control.closing.store(true, Relaxed);
    }
}

struct Filler {
    database: Weak<Database>,
    control: Arc<Control>,
    watch: Arc<Watch>,
    woken: mpsc::Receiver<()>,
    tell: channel::Sender<Option<u64>>,
}

/// What the index was filled from last.
struct Filled {
    fingerprint: u64,
    /// Kept open, because SQLite counts other connections' changes per connection.
    reader: Guarded,
    /// That count (`PRAGMA data_version`) when the filling began.
    version: i64,
    /// Not earlier is it filled again for changed data.
    rest_until: Instant,
}

impl Filler {
    fn serve(self) {
        let mut filled: Option<Filled> = None;
        let outage = Outage::default();
        loop {
            // The database is held only while something is asked of it, so that it can be dropped.
            let Some(database) = self.database.upgrade() else {
                return;
            };
            let next = self.next(&database, &mut filled);
            drop(database);
            if next.is_ok() && outage.ends().is_some() {
                tracing::info!("the value index can be filled again");
            }
            match next {
                Ok(Some((snapshot, reader, version))) => {
                    let started = Instant::now();
                    let snapshot = profile::look_closer(&reader, &snapshot);
                    if let Some(database) = self.database.upgrade() {
                        database.renew(snapshot.clone());
                    }
                    if self.fill(&snapshot, &reader) {
                        let rest = MOMENT.max(started.elapsed() * WORKING_SHARE);
                        filled = Some(Filled {
                            fingerprint: snapshot.fingerprint,
                            reader,
                            version,
                            rest_until: Instant::now() + rest,
                        });
                        self.tell.send_replace(Some(snapshot.fingerprint));
                        if let Some(database) = self.database.upgrade() {
                            database.renew(snapshot);
                        }
                    }
                }
                Err(error) if outage.begins(0) => {
                    tracing::warn!(%error, "the value index cannot be filled now");
                }
                Ok(None) | Err(_) => {}
            }
            if self.control.closing.load(Relaxed) {
                return;
            }
            match self.woken.recv_timeout(REST) {
                Ok(()) | Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return,
            }
        }
    }

    /// What is to be filled now: the index of a schema that is new, or a new index where the data have changed.
    fn next(
        &self,
        database: &Database,
        filled: &mut Option<Filled>,
    ) -> Result<Option<(Snapshot, Guarded, i64)>, BackendError> {
        let snapshot = database.read_snapshot()?;
        let same = filled
            .as_ref()
            .filter(|filled| filled.fingerprint == snapshot.fingerprint);
        let Some(known) = same else {
            let reader = database.open_watched_reader(&self.watch)?;
            let version = data_version(&reader.connection)?;
            return Ok(Some((snapshot, reader, version)));
        };
        if Instant::now() < known.rest_until {
            return Ok(None);
        }
        let version = data_version(&known.reader.connection)?;
        if version == known.version {
            return Ok(None);
        }
        // Kinds and row counts follow the data too.
        let anew = introspect::snapshot(&known.reader, known.fingerprint)
            .map_err(|error| errors::from_sqlite(&error, ""))?;
        let reader = filled.take().map(|filled| filled.reader);
        Ok(reader.map(|reader| (anew, reader, version)))
    }

    /// Reads every text column. False if it was stopped before the end.
    fn fill(&self, snapshot: &Snapshot, reader: &Guarded) -> bool {
        let started = Instant::now();
        let columns = indexed_columns(&snapshot.schema);
        snapshot.values.begin(columns.len());
        for (done, &column) in columns.iter().enumerate() {
            self.watch.restart(TIME);
            match read_column(&reader.connection, snapshot, column) {
                Ok(true) => snapshot.values.column_whole(column),
                Ok(false) => {}
                Err(error) => tracing::debug!(
                    table = snapshot.schema.tables[column.table].name,
                    column = snapshot.schema.column(column).name,
                    %error,
                    "column not read to its end"
                ),
            }
            self.watch.rest();
            snapshot.values.column_done(column);
            if self.control.closing.load(Relaxed) {
                return false;
            }
            tracing::trace!(done = done + 1, of = columns.len(), "reading stored values");
        }
        let progress = snapshot.values.progress();
        tracing::info!(
            columns = progress.columns_done,
            values = progress.values,
            truncated = progress.truncated,
            milliseconds = started.elapsed().as_millis() as u64,
            "the value index is filled"
        );
        true
    }
}

/// Tells what will be read of a schema, so that questions that come before the thread has begun wait for it too.
pub(super) fn announce(snapshot: &Snapshot) {
    if snapshot.values.progress().columns_total == 0 {
        snapshot.values.begin(indexed_columns(&snapshot.schema).len());
    }
}

/// Text columns of tables; a view's values are in its tables already. Small tables come first, since their
/// values are the names of things.
fn indexed_columns(schema: &Schema) -> Vec<ColumnRef> {
    let mut columns: Vec<ColumnRef> = schema
        .columns()
        .filter(|(at, column)| column.kind == ColumnKind::Text && !schema.tables[at.table].is_view)
        .map(|(at, _)| at)
        .collect();
    columns.sort_by_key(|at| schema.tables[at.table].rows.unwrap_or(u64::MAX));
    columns
}

/// Changes when another connection has committed something.
fn data_version(connection: &Connection) -> Result<i64, BackendError> {
    connection
        .pragma_query_value(None, "data_version", |row| row.get(0))
        .map_err(|error| errors::from_sqlite(&error, ""))
}

/// Reads the distinct values of one column; false if a bound was reached.
fn read_column(connection: &Connection, snapshot: &Snapshot, at: ColumnRef) -> rusqlite::Result<bool> {
    let table = quote(&snapshot.schema.tables[at.table].name);
    let column = quote(&snapshot.schema.column(at).name);
    let sql = format!(
        "SELECT DISTINCT iif(length(value) <= {LONGEST}, value, NULL) \
         FROM (SELECT {column} AS value FROM main.{table} LIMIT {ROWS}) \
         WHERE typeof(value) = 'text' AND length(value) >= 1 LIMIT {VALUES}"
    );
    let mut statement = connection.prepare(&sql)?;
    let mut rows = statement.raw_query();
    let mut read = 0;
    while let Some(row) = rows.next()? {
        read += 1;
        if row.get_ref(0)? == ValueRef::Null {
            snapshot.values.column_long(at);
        }
        // Text that is not UTF-8 cannot be written in a question.
        if let ValueRef::Text(bytes) = row.get_ref(0)?
            && let Ok(text) = std::str::from_utf8(bytes)
            && !snapshot.values.insert(at, text)
        {
            return Ok(false);
        }
    }
    let all_rows = snapshot.schema.tables[at.table]
        .rows
        .is_none_or(|rows| rows <= ROWS as u64);
    Ok(read < VALUES && all_rows)
}
