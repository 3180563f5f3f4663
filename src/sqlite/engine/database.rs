//! One SQLite file, shared by all sessions: its identity, its schema, its stored values.

use std::{
    fmt,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, Weak},
    time::Duration,
};

use tokio::sync::watch as channel;

use super::{
    Connection, Options,
    activity::Sessions,
    advisory::Locks,
    attached, errors, index, introspect,
    open::{self, Guarded, Identity, Purpose},
    watch::{Control, Watch},
    worker::ConnectionSlot,
};
use crate::{
    backend::BackendError,
    question::schema::Snapshot,
    sqlite::{
        catalog::{Client, Model},
        memory,
    },
    telemetry::metrics,
};

/// A SQLite file that clients may connect to.
pub struct Database {
    path: PathBuf,
    options: Options,
    /// The connection that reads the schema; whoever reads holds it.
    reader: Mutex<Option<(Guarded, Identity)>>,
    /// What was read last.
    snapshot: Mutex<Option<Snapshot>>,
    indexing: OnceLock<index::Indexing>,
    /// What clients find in `pg_catalog`, and the state of the schema that it belongs to.
    catalog: Mutex<Option<(u64, Arc<Model>)>>,
    /// The advisory locks of its sessions.
    locks: Arc<Locks>,
    /// What its sessions are at.
    sessions: Arc<Sessions>,
    /// What the threads of its sessions are told by; each lives as long as its thread.
    threads: Mutex<Vec<Weak<Control>>>,
}

impl Database {
    /// Opens the file once to see that it is a readable SQLite database. Blocks shortly.
    pub fn open(path: &Path, options: Options) -> Result<Arc<Self>, BackendError> {
        memory::install();
        open::inspect(path)?;
        // Relative paths would lead elsewhere if the working directory changed.
        let path = path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
        let options = Options {
            attached: attached::checked(&path, &options.attached)?,
            ..options
        };
        let database = Self {
            path,
            options,
            reader: Mutex::default(),
            snapshot: Mutex::default(),
            indexing: OnceLock::new(),
            catalog: Mutex::default(),
            locks: Arc::default(),
            sessions: Arc::default(),
            threads: Mutex::default(),
        };
        let (reader, identity) = database.open_reader()?;
        open::probe(&reader.connection, &database.path)?;
        if let Some(mode) = database
            .options
            .journal_mode
            .as_deref()
            .filter(|_| !database.options.read_only)
        {
            database.set_journal_mode(mode)?;
        }
        *lock(&database.reader) = Some((reader, identity));
        Ok(Arc::new(database))
    }

    /// The advisory locks of its sessions.
    pub(super) fn locks(&self) -> &Arc<Locks> {
        &self.locks
    }

    /// What its sessions are at.
    pub(super) fn sessions(&self) -> &Arc<Sessions> {
        &self.sessions
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The name of the database that clients are told: the file's, without its folder and ending.
    pub fn name(&self) -> String {
        let stem = self.path.file_stem().unwrap_or_default();
        stem.to_string_lossy().into_owned()
    }

    /// The options it was opened with.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// A new connection on a thread of its own, for nobody in particular. Blocks shortly.
    pub fn connect(self: &Arc<Self>) -> Result<Connection, BackendError> {
        self.connect_as(&self.options.user, 0, Box::new(()))
    }

    /// A new connection on a thread of its own, for a client whom `current_user` and `pg_backend_pid()` name. What it has
    /// taken of the server is given back when the thread ends. Blocks shortly.
    pub fn connect_as(
        self: &Arc<Self>,
        user: &str,
        process_id: u32,
        place: ConnectionSlot,
    ) -> Result<Connection, BackendError> {
        let identity = self.inspect()?;
        Connection::open(
            self,
            identity,
            Client {
                user: user.to_owned(),
                process_id,
            },
            place,
        )
    }

    /// Remembers a thread for as long as it lives.
    pub(super) fn account_for(&self, control: &Arc<Control>) {
        let mut threads = lock(&self.threads);
        threads.retain(|control| control.strong_count() > 0);
        threads.push(Arc::downgrade(control));
    }

    /// How many threads work on although nobody waits for them any more.
    pub fn stuck_threads(&self) -> usize {
        let threads = lock(&self.threads);
        let living = threads.iter().filter_map(Weak::upgrade);
        living.filter(|control| control.is_stuck()).count()
    }

    /// Looks whether the file is there and can be read; no lock of another process matters.
    pub async fn look(&self) -> Result<(), BackendError> {
        let (path, attached) = (self.path.clone(), self.options.attached.clone());
        tokio::task::spawn_blocking(move || attached::inspect(&path, &attached).map(drop))
            .await
            .map_err(|error| BackendError::new("XX000", format!("looking at the file failed: {error}")))?
    }

    /// The schema as it is committed; cheap when nothing changed.
    pub async fn snapshot(self: &Arc<Self>) -> Result<Snapshot, BackendError> {
        self.values_are_wanted();
        let database = Arc::clone(self);
        tokio::task::spawn_blocking(move || database.read_snapshot())
            .await
            .map_err(|error| BackendError::new("XX000", format!("reading the schema failed: {error}")))?
    }

    /// True for the schema that every session sees: the one read last, with nothing of a transaction's own in it.
    pub fn is_shared(&self, snapshot: &Snapshot) -> bool {
        self.last_snapshot()
            .is_some_and(|last| Arc::ptr_eq(&last.schema, &snapshot.schema))
    }

    /// Starts reading stored values into the snapshot's value index, on a background thread that ends
    /// with the database and starts again when the schema or the data change. Calling it twice does nothing.
    pub fn index_values(self: &Arc<Self>) {
        self.indexing.get_or_init(|| index::Indexing::start(self));
    }

    /// Waits until the value index of the present schema is filled, at most this long. Returns whether it is;
    /// false at once if [`Database::index_values`] was not called.
    pub async fn values_ready(self: &Arc<Self>, deadline: Duration) -> bool {
        let Some(indexing) = self.indexing.get() else {
            return false;
        };
        let wait = async {
            let Ok(snapshot) = self.snapshot().await else {
                return false;
            };
            let mut filled: channel::Receiver<Option<u64>> = indexing.filled();
            filled
                .wait_for(|filled| *filled == Some(snapshot.fingerprint))
                .await
                .is_ok()
        };
        tokio::time::timeout(deadline, wait).await.unwrap_or(false)
    }

    /// A question is coming: the value index is renewed if much has changed since it was filled.
    pub(super) fn values_are_wanted(&self) {
        if let Some(indexing) = self.indexing.get() {
            indexing.wake();
        }
    }

    /// Puts a snapshot that was read anew in the place of the one of the same schema.
    pub(super) fn renew(&self, snapshot: Snapshot) {
        if let Some(known) = &mut *lock(&self.snapshot)
            && known.fingerprint == snapshot.fingerprint
        {
            *known = snapshot;
        }
    }

    /// The snapshot that was read last, without a look at the file.
    pub(super) fn last_snapshot(&self) -> Option<Snapshot> {
        lock(&self.snapshot).clone()
    }

    /// The catalogue at a state of the schema: the one that is known, else what `read` gives.
    pub(super) fn catalog_at(
        &self,
        state: u64,
        read: impl FnOnce() -> rusqlite::Result<Arc<Model>>,
    ) -> rusqlite::Result<Arc<Model>> {
        let mut known = lock(&self.catalog);
        if let Some((_, model)) = known.as_ref().filter(|(of, _)| *of == state) {
            return Ok(Arc::clone(model));
        }
        let model = read()?;
        *known = Some((state, Arc::clone(&model)));
        Ok(model)
    }

    /// As [`Database::snapshot`], on the calling thread. Blocks.
    pub(super) fn read_snapshot(&self) -> Result<Snapshot, BackendError> {
        let mut reader = lock(&self.reader);
        let identity = self.identify()?;
        if reader.as_ref().is_none_or(|(_, of)| *of != identity) {
            *reader = Some(self.open_reader()?);
        }
        let (reader, identity) = reader.as_ref().expect("it was opened just now");
        let connection = &reader.connection;
        let known = self.last_snapshot();
        // Somebody may hold the file for long, and what is known is good enough.
        reader.watch.impatient(known.is_some());
        let fingerprint = match introspect::fingerprint(connection, identity) {
            Ok(fingerprint) => fingerprint,
            // While another process holds the file, what was known is the best there is.
            Err(error) => return known.ok_or_else(|| errors::from_sqlite(&error, "")),
        };
        if let Some(snapshot) = known.filter(|known| known.fingerprint == fingerprint) {
            return Ok(snapshot);
        }
        let snapshot =
            introspect::snapshot(reader, fingerprint).map_err(|error| errors::from_sqlite(&error, ""))?;
        metrics::snapshot_refresh(metrics::Leg::Sqlite);
        tracing::debug!(
            path = %self.path.display(),
            tables = snapshot.schema.tables.len(),
            fingerprint,
            "read the schema"
        );
        if self.indexing.get().is_some() {
            index::announce(&snapshot);
        }
        *lock(&self.snapshot) = Some(snapshot.clone());
        self.values_are_wanted();
        Ok(snapshot)
    }

    /// A read-only connection for our own purposes.
    fn open_reader(&self) -> Result<(Guarded, Identity), BackendError> {
        let identity = self.inspect()?;
        let watch = Watch::new(Arc::new(Control::default()), self.options.busy_timeout);
        Ok((self.open_watched_reader(&watch)?, identity))
    }

    /// Which files the paths lead to now, or why there are none.
    pub(super) fn identify(&self) -> Result<Identity, BackendError> {
        attached::identify(&self.path, &self.options.attached)
    }

    /// The same, with a look at what the files begin with.
    pub(super) fn inspect(&self) -> Result<Identity, BackendError> {
        attached::inspect(&self.path, &self.options.attached)
    }

    /// The same under somebody's watch.
    pub(super) fn open_watched_reader(&self, watch: &Arc<Watch>) -> Result<Guarded, BackendError> {
        open::connect(&self.path, &self.options, watch, Purpose::Reading)
    }

    fn set_journal_mode(&self, mode: &str) -> Result<(), BackendError> {
        let watch = Watch::new(Arc::new(Control::default()), self.options.busy_timeout);
        let client = Client {
            user: self.options.user.clone(),
            process_id: 0,
        };
        let own = open::connect(&self.path, &self.options, &watch, Purpose::Session(&client))?;
        let now: String = own
            .connection
            .pragma_update_and_check(None, "journal_mode", mode, |row| row.get(0))
            .map_err(|error| errors::from_sqlite(&error, ""))?;
        if now.eq_ignore_ascii_case(mode) {
            return Ok(());
        }
        Err(BackendError::new(
            "22023",
            format!("the journal mode could not be set to {mode}; it is {now}"),
        )
        .with_hint("Use delete, truncate, persist or wal; a read-only file keeps its mode."))
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl fmt::Debug for Database {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Database")
            .field("path", &self.path)
            .finish_non_exhaustive()
    }
}
