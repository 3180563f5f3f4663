//! A statement that runs: rows on demand, in chunks that are bounded in rows and in bytes.

use std::{
    collections::VecDeque,
    mem,
    ops::{Deref, DerefMut},
    sync::Arc,
    time::{Duration, Instant},
};

use rusqlite::{
    CachedStatement, Connection, Error, Result, Row, Statement, StatementStatus, types::ValueRef,
};

use super::{
    Chunk, Options, answers, binding, command::Parameters, described, guard::Mode, infer::Inferred, types,
};
use crate::{
    backend::{BackendError, ResultColumn, SqlType, Value},
    question::validator::ValidatedSql,
    sqlite::{
        functions::{Failure, allowance, kept::Kept},
        memory::Held,
        translate,
    },
};

/// Bytes of values after which a chunk is handed out.
const CHUNK_BYTES: usize = 256 << 10;
/// Rows looked at to see what columns without any type hold.
pub(super) const ROWS_LOOKED_AT: usize = 16;

/// Results with at most this many rows are read at once, if that takes but a moment: most are such.
const FEW: usize = 16;
/// What a moment is.
const MOMENT: Duration = Duration::from_millis(2);

/// A compiled statement.
pub(super) enum Compiled<'c> {
    /// It is compiled anew each time.
    Once(Statement<'c>),
    /// It goes back to the connection's cache.
    Kept(CachedStatement<'c>),
}

impl<'c> Deref for Compiled<'c> {
    type Target = Statement<'c>;

    fn deref(&self) -> &Statement<'c> {
        match self {
            Self::Once(statement) => statement,
            Self::Kept(statement) => statement,
        }
    }
}

impl<'c> DerefMut for Compiled<'c> {
    fn deref_mut(&mut self) -> &mut Statement<'c> {
        match self {
            Self::Once(statement) => statement,
            Self::Kept(statement) => statement,
        }
    }
}

impl Drop for Compiled<'_> {
    fn drop(&mut self) {
        // Rows reset their statement when they go. In the cache it would else keep its lock.
        drop(self.raw_query());
    }
}

/// A statement between its first step and its last.
pub(super) struct Running<'c> {
    statement: Compiled<'c>,
    ahead: VecDeque<Vec<Value>>,
    finished: bool,
    /// What ended the reading behind the rows in `ahead`.
    failed: Option<Error>,
    affected: u64,
    rows: u64,
    bytes: u64,
    /// The result's columns.
    pub(super) columns: Vec<ResultColumn>,
    /// Whose it is.
    pub(super) mode: Mode,
    /// The answers in it.
    pub(super) answers: Arc<[ValidatedSql]>,
    /// True if it reads itself.
    pub(super) recursive: bool,
    /// True if it cannot change the database but by what its functions do.
    pub(super) only_reads: bool,
    /// True if it runs on the second connection.
    pub(super) on_side: bool,
    /// Time worked so far.
    pub(super) spent: Duration,
    /// Its text.
    pub(super) sql: String,
    /// What earlier steps returned and this one reads.
    _kept: Vec<Kept>,
    /// What the rows in `ahead` take that were read to the end.
    held: Held,
}

impl<'c> Running<'c> {
    /// Compiles and binds a statement and takes the first step. One without result columns runs to its end.
    pub(super) fn start(
        connection: &'c Connection,
        (mut statement, sql): (Compiled<'c>, &str),
        (parameters, kept): (&Parameters, Vec<Kept>),
        infer: impl FnOnce() -> Arc<Inferred>,
        translated: &[translate::ResultColumn],
    ) -> Result<Self> {
        binding::bind_with(&mut statement, parameters, &kept)?;
        // A kept statement counts on where it stopped.
        statement.reset_status(StatementStatus::VmStep);
        let fits = types::translated(&statement, translated);
        let described = if fits.is_some() {
            vec![]
        } else {
            described::columns(connection, &statement, sql)
        };
        let mut told = match &fits {
            Some(told) => told.clone(),
            None if described.is_empty() => vec![],
            None => types::of_statement(&described, &infer()),
        };
        let mut running = Self {
            statement,
            ahead: VecDeque::new(),
            finished: false,
            failed: None,
            affected: 0,
            rows: 0,
            bytes: 0,
            columns: vec![],
            mode: Mode::Client,
            answers: Arc::default(),
            recursive: false,
            only_reads: false,
            on_side: false,
            spent: Duration::ZERO,
            sql: String::new(),
            _kept: kept,
            held: Held::default(),
        };
        // A statement that writes and returns rows has written all of them after its first step.
        running.look_ahead(connection, 1)?;
        let before = told.clone();
        types::from_rows(&mut told, running.ahead.iter());
        while !running.finished
            && running.ahead.len() < ROWS_LOOKED_AT
            && told.contains(&None)
            && running.ahead.iter().map(|row| size(row)).sum::<usize>() < CHUNK_BYTES
        {
            running.look_ahead(connection, running.ahead.len() + 1)?;
            types::from_rows(&mut told, running.ahead.iter());
        }
        running.columns = if fits.is_some() {
            types::tell(&told, translated)
        } else {
            types::columns(&described, &told)
        };
        types::note_guesses(&mut running.columns, &before);
        running.read_few(connection);
        Ok(running)
    }

    /// True if there are no more rows to hand out.
    pub(super) fn finished(&self) -> bool {
        self.finished && self.ahead.is_empty()
    }

    /// True for what may change the database by itself and has not come to its end.
    pub(super) fn writes_on(&self) -> bool {
        !self.only_reads && !self.finished && self.failed.is_none()
    }

    /// All rows, of a client's statement that has come to its end.
    pub(super) fn take_last(&mut self) -> VecDeque<Vec<Value>> {
        if self.finished && self.mode == Mode::Client {
            mem::take(&mut self.ahead)
        } else {
            VecDeque::new()
        }
    }

    /// Reads on as long as the result may be a small one.
    fn read_few(&mut self, connection: &Connection) {
        let begun = Instant::now();
        let mut bytes: usize = self.ahead.iter().map(|row| size(row)).sum();
        while !self.finished && self.ahead.len() < FEW && bytes < CHUNK_BYTES && begun.elapsed() < MOMENT {
            if let Err(error) = self.look_ahead(connection, self.ahead.len() + 1) {
                self.failed = Some(error);
                return;
            }
            bytes += self.ahead.back().map_or(0, |row| size(row));
        }
    }

    /// The steps that SQLite has taken for it.
    pub(super) fn steps(&self) -> u64 {
        u64::from(self.statement.get_status(StatementStatus::VmStep).cast_unsigned())
    }

    /// Rows changed, once finished.
    /// Tells other rows for those that it has affected.
    pub(super) fn count(&mut self, affected: Option<u64>) {
        self.affected = affected.unwrap_or(self.affected);
    }

    pub(super) fn affected(&self) -> u64 {
        self.affected
    }

    /// The next rows; `max_rows` of 0 means any number.
    pub(super) fn next_rows(&mut self, connection: &Connection, max_rows: usize) -> Result<Chunk> {
        let max_rows = if max_rows == 0 { usize::MAX } else { max_rows };
        let mut chunk = Chunk::default();
        let mut bytes = 0;
        while chunk.rows.len() < max_rows && bytes < CHUNK_BYTES {
            let Some(row) = self.ahead.pop_front() else { break };
            bytes += size(&row);
            self.held.give_back(size(&row));
            chunk.rows.push(row);
        }
        let full = chunk.rows.len() >= max_rows || bytes >= CHUNK_BYTES;
        if !full && let Some(error) = self.failed.take() {
            self.finished = true;
            return Err(error);
        }
        if !full && !self.finished {
            self.read(connection, |row, done| {
                bytes += row.as_ref().map_or(0, |row| size(row));
                chunk.rows.extend(row);
                !done && chunk.rows.len() < max_rows && bytes < CHUNK_BYTES
            })?;
        }
        if self.mode.is_question() {
            chunk.rows.iter_mut().for_each(|row| answers::round(row));
        }
        self.rows += chunk.rows.len() as u64;
        self.bytes += bytes as u64;
        chunk.done = self.finished();
        chunk.steps = self.steps();
        Ok(chunk)
    }

    /// Fails once a question's result is larger than allowed.
    pub(super) fn check_size(&self, options: &Options) -> std::result::Result<(), BackendError> {
        let over = |read: u64, limit: u64| limit > 0 && read > limit;
        let (what, limit) = if over(self.rows, options.question_rows) {
            ("rows", options.question_rows)
        } else if over(self.bytes, options.question_bytes) {
            ("bytes", options.question_bytes)
        } else {
            return Ok(());
        };
        Err(
            BackendError::new("54000", format!("the answer has more than {limit} {what}"))
                .with_hint("Ask a narrower question, or raise the limit."),
        )
    }

    /// Reads all that is left, within the memory of a statement.
    pub(super) fn read_all(&mut self, connection: &Connection) -> Result<()> {
        if let Some(error) = self.failed.take() {
            return Err(error);
        }
        let mut held = mem::take(&mut self.held);
        let mut has_room = true;
        let mut ahead = mem::take(&mut self.ahead);
        if !self.finished {
            self.read(connection, |row, done| {
                has_room = row.as_ref().is_none_or(|row| held.take(size(row)));
                ahead.extend(row);
                !done && has_room
            })?;
        }
        (self.ahead, self.held) = (ahead, held);
        if has_room {
            Ok(())
        } else {
            Err(Failure::out_of_memory().into())
        }
    }

    fn look_ahead(&mut self, connection: &Connection, rows: usize) -> Result<()> {
        let mut ahead = mem::take(&mut self.ahead);
        if ahead.len() < rows && !self.finished {
            self.read(connection, |row, done| {
                ahead.extend(row);
                !done && ahead.len() < rows
            })?;
        }
        self.ahead = ahead;
        Ok(())
    }

    /// Steps while `take` wants more; it gets each row, and at the end `None` and true.
    fn read(
        &mut self,
        connection: &Connection,
        mut take: impl FnMut(Option<Vec<Value>>, bool) -> bool,
    ) -> Result<()> {
        let changes_before = connection.total_changes();
        let mut rows = self.statement.raw_query();
        loop {
            let row = rows.next()?;
            allowance::is_in_order()?;
            let done = row.is_none();
            let more = take(row.map(values).transpose()?, done);
            if done {
                self.finished = true;
                if connection.total_changes() != changes_before {
                    self.affected = connection.changes();
                }
                return Ok(());
            }
            if !more {
                // Dropping the rows would reset the statement; it is to go on later.
                mem::forget(rows);
                return Ok(());
            }
        }
    }
}

/// The values of a row.
pub(super) fn values(row: &Row<'_>) -> Result<Vec<Value>> {
    let columns = row.as_ref().column_count();
    (0..columns)
        .map(|column| {
            Ok(match row.get_ref(column)? {
                ValueRef::Null => Value::Null,
                ValueRef::Integer(value) => Value::Integer(value),
                ValueRef::Real(value) => Value::Real(value),
                ValueRef::Text(bytes) => Value::Text(bytes.to_vec()),
                ValueRef::Blob(bytes) => Value::Blob(bytes.to_vec()),
            })
        })
        .collect()
}

/// The bytes that a row takes.
pub(super) fn size(row: &[Value]) -> usize {
    let contents: usize = row
        .iter()
        .map(|value| match value {
            Value::Text(bytes) | Value::Blob(bytes) => bytes.len(),
            _ => 0,
        })
        .sum();
    mem::size_of::<Vec<Value>>() + mem::size_of_val(row) + contents
}

/// What a value by itself is told as.
pub(super) fn type_of(value: &Value) -> Option<SqlType> {
    match value {
        Value::Null => None,
        Value::Integer(_) => Some(SqlType::Int8),
        Value::Real(_) => Some(SqlType::Float8),
        Value::Text(_) => Some(SqlType::Text),
        Value::Blob(_) => Some(SqlType::Bytea),
    }
}
