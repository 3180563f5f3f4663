//! The store in a SQLite file, for its owner alone.

use std::{
    fs::{DirBuilder, OpenOptions},
    io,
    os::unix::fs::{DirBuilderExt, OpenOptionsExt},
    path::{Path, PathBuf},
    time::{Duration, Instant, SystemTime, UNIX_EPOCH},
};

use async_trait::async_trait;
use rusqlite::{
    Connection, ErrorCode, OpenFlags, OptionalExtension, Row, Transaction, TransactionBehavior, params,
};

use super::{
    Each, Event, Journal, PRUNED, Record, SkillRow, SkillStore, StandIn, StoreError, Tail, Wanted, skills,
};

const SCHEMA: &str = include_str!("sqlite.sql");
const LESSONS: &str = include_str!("lessons/sqlite.sql");
const HISTORY: &str = include_str!("history/sqlite.sql");
/// Counts changes of the schema, in the file's `user_version`.
const VERSION: i64 = 3;
/// How long another process may hold the file.
const PATIENCE: Duration = Duration::from_secs(5);
/// How long to wait before it is tried again.
const AGAIN: Duration = Duration::from_millis(5);
const COLUMNS: &str = "e.seq, e.time, e.kind, e.question, e.user_name, e.through, e.body, e.hash";

/// The file.
pub(super) struct File {
    pub(super) connection: Connection,
    path: PathBuf,
}

impl File {
    /// Opens it; makes it, and the folder that it is in, where they are not there.
    pub(super) fn open(path: &Path) -> Result<Self, StoreError> {
        create(path).map_err(|error| unusable(path, &error.to_string()))?;
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let mut file = Self::with(path, flags)?;
        let prepared = file.prepare();
        if prepared.map_err(|error| file.failed(&error))? {
            Ok(file)
        } else {
            Err(unusable(path, "it was made by a later version")
                .with_hint("use that version, or another file"))
        }
    }

    /// Opens what is there.
    pub(super) fn read_only(path: &Path) -> Result<Self, StoreError> {
        if !path.exists() {
            return Err(unusable(path, "there is no such file")
                .with_hint("nothing has been recorded there yet; see store.path in querent config"));
        }
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let file = Self::with(path, flags)?;
        let version = file
            .connection
            .query_row("PRAGMA user_version", [], |row| row.get::<_, i64>(0));
        match version.map_err(|error| file.failed(&error))? {
            0 => Err(unusable(path, "it holds no audit")
                .with_hint("see store.path in querent config for the file that the server writes")),
            _ => Ok(file),
        }
    }

    /// Whether it is a file of SQLite's, if it is there.
    pub(super) fn probe(path: &Path) -> Result<(), StoreError> {
        if !path.exists() {
            return Ok(());
        }
        let file = Self::with(
            path,
            OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX,
        )?;
        let read = file
            .connection
            .query_row("SELECT count(*) FROM sqlite_schema", [], |row| {
                row.get::<_, i64>(0)
            });
        read.map(drop).map_err(|error| file.failed(&error))
    }

    /// Opens what is there, whatever is in it.
    pub(super) fn probed(path: &Path) -> Result<Self, StoreError> {
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        Self::with(path, flags)
    }

    fn with(path: &Path, flags: OpenFlags) -> Result<Self, StoreError> {
        let connection =
            Connection::open_with_flags(path, flags).map_err(|error| unusable(path, &error.to_string()))?;
        let file = Self {
            connection,
            path: path.to_path_buf(),
        };
        file.connection
            .busy_timeout(PATIENCE)
            .map_err(|error| file.failed(&error))?;
        Ok(file)
    }

    /// Switches the file to a write-ahead log. SQLite waits for nobody there, so that two that open a new file at once would
    /// stop each other.
    fn use_wal(&self) -> Result<(), rusqlite::Error> {
        let since = Instant::now();
        loop {
            match self.connection.pragma_update(None, "journal_mode", "wal") {
                Err(error)
                    if error.sqlite_error_code() == Some(ErrorCode::DatabaseBusy)
                        && since.elapsed() < PATIENCE =>
                {
                    std::thread::sleep(AGAIN);
                }
                done => return done,
            }
        }
    }

    /// False for a file that is of a later version.
    fn prepare(&mut self) -> Result<bool, rusqlite::Error> {
        self.use_wal()?;
        // What has been committed stays, whatever happens to the machine.
        self.connection.pragma_update(None, "synchronous", "full")?;
        let transaction = self
            .connection
            .transaction_with_behavior(TransactionBehavior::Immediate)?;
        let version: i64 = transaction.query_row("PRAGMA user_version", [], |row| row.get(0))?;
        if version == 0 {
            transaction.execute_batch(SCHEMA)?;
        }
        if version < 2 {
            transaction.execute_batch(LESSONS)?;
        }
        if version < 3 {
            transaction.execute_batch(HISTORY)?;
        }
        if version < VERSION {
            transaction.pragma_update(None, "user_version", VERSION)?;
        }
        transaction.commit()?;
        Ok(version <= VERSION)
    }

    pub(super) fn failed(&self, error: &rusqlite::Error) -> StoreError {
        let failed = unusable(&self.path, &error.to_string());
        match error.sqlite_error_code() {
            Some(ErrorCode::TooBig | ErrorCode::ConstraintViolation | ErrorCode::TypeMismatch) => {
                StoreError {
                    hopeless: true,
                    ..failed
                }
            }
            Some(ErrorCode::DiskFull) => failed.with_hint("make room on the disk"),
            _ => failed,
        }
    }

    fn begin(&mut self) -> Result<Transaction<'_>, rusqlite::Error> {
        self.connection
            .transaction_with_behavior(TransactionBehavior::Immediate)
    }

    fn add(&mut self, records: &[Record]) -> Result<(), rusqlite::Error> {
        let transaction = self.begin()?;
        let mut tail = tail(&transaction)?;
        for record in records {
            tail = tail.with(record);
            insert(&transaction, tail, record)?;
        }
        transaction.commit()
    }

    fn remove(&mut self, before: SystemTime, most: u64, stand_in: StandIn) -> Result<u64, rusqlite::Error> {
        let transaction = self.begin()?;
        let end = tail(&transaction)?;
        let first: u64 =
            transaction.query_row("SELECT coalesce(min(seq), 1) FROM audit", [], |row| row.get(0))?;
        let keep: Option<u64> = transaction.query_row(
            "SELECT min(seq) FROM audit WHERE time >= ?1",
            [microseconds(before)],
            |row| row.get(0),
        )?;
        let last = keep
            .map_or(end.seq, |keep| keep - 1)
            .min((first + most).saturating_sub(1));
        let any = transaction
            .query_row(
                "SELECT 1 FROM audit WHERE seq <= ?1 AND kind <> ?2 LIMIT 1",
                params![last, PRUNED],
                |_| Ok(()),
            )
            .optional()?;
        if any.is_none() {
            return Ok(0);
        }
        let hash =
            transaction.query_row("SELECT hash FROM audit WHERE seq = ?1", [last], |row| row.get(0))?;
        let count = last + 1 - first;
        let record = stand_in(Tail { seq: last, hash }, count);
        insert(&transaction, end.with(&record), &record)?;
        transaction.execute("DELETE FROM audit WHERE seq <= ?1", [last])?;
        transaction.commit()?;
        Ok(count)
    }

    fn each(&mut self, wanted: Wanted<'_>, each: &mut Each<'_>) -> Result<(), rusqlite::Error> {
        let (sql, since, user) = match wanted {
            Wanted::All => (
                format!("SELECT {COLUMNS} FROM audit AS e ORDER BY e.seq"),
                None,
                None,
            ),
            Wanted::Question(id) => (
                format!(
                    "SELECT {COLUMNS} FROM audit AS e WHERE e.question = ?2 AND ?1 IS NULL ORDER BY e.seq"
                ),
                None,
                Some(id),
            ),
            Wanted::Questions { since, user } => (
                format!(
                    "SELECT {COLUMNS} FROM audit AS d JOIN audit AS e ON e.question = d.question \
                     WHERE d.kind IN ('decided', 'feedback') AND d.time >= coalesce(?1, 0) \
                     AND (?2 IS NULL OR d.user_name = ?2) ORDER BY d.seq, e.seq"
                ),
                since.map(microseconds),
                user,
            ),
        };
        let mut statement = self.connection.prepare(&sql)?;
        let mut rows = match wanted {
            Wanted::All => statement.query([])?,
            Wanted::Question(_) | Wanted::Questions { .. } => statement.query(params![since, user])?,
        };
        while let Some(row) = rows.next()? {
            if each(&event(row)?).is_break() {
                break;
            }
        }
        Ok(())
    }
}

#[async_trait]
impl Journal for File {
    async fn append(&mut self, records: &[Record]) -> Result<(), StoreError> {
        let added = self.add(records);
        added.map_err(|error| self.failed(&error))
    }

    async fn prune(&mut self, before: SystemTime, most: u64, stand_in: StandIn) -> Result<u64, StoreError> {
        let removed = self.remove(before, most, stand_in);
        removed.map_err(|error| self.failed(&error))
    }

    async fn read(&mut self, wanted: Wanted<'_>, each: &mut Each<'_>) -> Result<(), StoreError> {
        let read = self.each(wanted, each);
        read.map_err(|error| self.failed(&error))
    }
}

impl File {
    fn skills(&self) -> Result<Vec<SkillRow>, rusqlite::Error> {
        self.connection.execute_batch(&skills::table(""))?;
        let mut statement = self.connection.prepare(&skills::select(""))?;
        let rows = statement.query_map([], |row| {
            Ok(SkillRow {
                database: row.get(0)?,
                author: row.get(1)?,
                kind: row.get(2)?,
                source: row.get(3)?,
                noted: row.get(4)?,
                right: row.get(5)?,
                claimed: row.get(6)?,
                most: f64::INFINITY,
            })
        })?;
        rows.collect()
    }

    fn add_skills(&mut self, rows: &[SkillRow]) -> Result<(), rusqlite::Error> {
        let transaction = self.begin()?;
        transaction.execute_batch(&skills::table(""))?;
        for row in rows {
            // SQLite counts `?8`; `$8` is only a name to it.
            let upsert = skills::upsert("").replace('$', "?");
            transaction.prepare_cached(&upsert)?.execute(params![
                row.database,
                row.author,
                row.kind,
                row.source,
                row.noted,
                row.right,
                row.claimed,
                row.most,
                skills::now(),
            ])?;
        }
        transaction.execute(&skills::bound(""), [])?;
        transaction.commit()
    }
}

#[async_trait]
impl SkillStore for File {
    async fn load(&mut self) -> Result<Vec<SkillRow>, StoreError> {
        let rows = self.skills();
        rows.map_err(|error| self.failed(&error))
    }

    async fn add(&mut self, rows: &[SkillRow]) -> Result<(), StoreError> {
        let added = self.add_skills(rows);
        added.map_err(|error| self.failed(&error))
    }
}

/// Makes the file and its folder, which nobody else may read. SQLite gives its companions the same rights.
fn create(path: &Path) -> io::Result<()> {
    if path.exists() {
        return Ok(());
    }
    if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
    }
    OpenOptions::new()
        .write(true)
        .create(true)
        .truncate(false)
        .mode(0o600)
        .open(path)?;
    Ok(())
}

fn tail(transaction: &Transaction<'_>) -> Result<Tail, rusqlite::Error> {
    let last = transaction.query_row(
        "SELECT seq, hash FROM audit ORDER BY seq DESC LIMIT 1",
        [],
        |row| {
            Ok(Tail {
                seq: row.get(0)?,
                hash: row.get(1)?,
            })
        },
    );
    Ok(last.optional()?.unwrap_or_default())
}

fn insert(transaction: &Transaction<'_>, at: Tail, record: &Record) -> Result<(), rusqlite::Error> {
    transaction
        .prepare_cached(
            "INSERT INTO audit (seq, time, kind, question, user_name, through, body, hash) \
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
        )?
        .execute(params![
            at.seq,
            microseconds(record.time),
            record.kind,
            record.question,
            record.user,
            record.through,
            record.body,
            at.hash,
        ])?;
    Ok(())
}

fn event(row: &Row<'_>) -> Result<Event, rusqlite::Error> {
    Ok(Event {
        seq: row.get(0)?,
        time: UNIX_EPOCH + Duration::from_micros(row.get(1)?),
        kind: row.get(2)?,
        question: row.get(3)?,
        user: row.get(4)?,
        through: row.get(5)?,
        body: row.get(6)?,
        hash: row.get(7)?,
    })
}

pub(super) fn microseconds(time: SystemTime) -> i64 {
    let since = time.duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_micros()).unwrap_or(i64::MAX)
}

fn unusable(path: &Path, reason: &str) -> StoreError {
    StoreError::new(format!("the store {} cannot be used: {reason}", path.display()))
        .with_hint("see store.path in querent config: the file and its folder must be writable")
}
