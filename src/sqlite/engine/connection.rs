//! The asynchronous side of a connection: handles that send commands to its thread.

use std::{
    collections::VecDeque,
    fmt,
    sync::{
        Arc, PoisonError,
        atomic::{AtomicU64, Ordering::Relaxed},
    },
    time::Instant,
};

use async_trait::async_trait;
use tokio::sync::{mpsc, oneshot};

use super::{
    Database, EnclosingStatement, FailedRow, Generated, SessionContext,
    activity::Seat,
    answers,
    command::{Command, Operation, Parameters, Request},
    guard::Mode,
    open::{self, Identity, Purpose},
    plan,
    waiting::{CancelOnDrop, call, gone, in_time},
    watch::{CancelFlag, Control, Watch},
    worker::{ConnectionSlot, Worker},
};
use crate::{
    backend::{Backend, BackendError, Effort, FullScan, ResultColumn, SqlType, Trial, Value},
    question::{schema::Snapshot, validator::ValidatedSql},
    sqlite::catalog::Client,
};

/// Commands that may wait for the thread.
const COMMANDS: usize = 16;

/// One connection to a SQLite file, on a thread of its own. Dropping it interrupts what is running,
/// rolls back an open transaction and ends the thread.
pub struct Connection {
    database: Arc<Database>,
    control: Arc<Control>,
    commands: mpsc::Sender<Operation>,
    next_id: AtomicU64,
}

/// What is known of a statement before it runs.
#[derive(Debug, Clone)]
pub struct Prepared {
    /// The result's columns; empty for a statement that returns no rows.
    pub columns: Vec<ResultColumn>,
    /// The highest parameter number.
    pub parameters: usize,
    /// The types of `$1`, `$2` …, where what they are compared with or stored in tells them.
    pub parameter_types: Vec<Option<SqlType>>,
    /// True if it cannot change the database.
    pub read_only: bool,
    /// True if it was translated: PostgreSQL's types count, and not SQLite's rules.
    pub strict: bool,
}

impl Prepared {
    /// A text without a statement.
    pub(super) fn nothing() -> Self {
        Self {
            columns: vec![],
            parameters: 0,
            parameter_types: vec![],
            read_only: true,
            strict: false,
        }
    }
}

/// A running statement. Several may be open on one connection; dropping one closes it.
pub struct Cursor {
    id: u64,
    control: Arc<Control>,
    // Weak, so that cursors do not keep the thread of a dropped connection alive.
    commands: mpsc::WeakSender<Operation>,
    columns: Vec<ResultColumn>,
    affected: u64,
    /// Rows that are here already; if there are any, they are the last ones.
    rows: VecDeque<Vec<Value>>,
    finished: bool,
    steps: u64,
}

/// Some rows of a result.
#[derive(Debug, Clone, Default)]
pub struct Chunk {
    /// The rows.
    pub rows: Vec<Vec<Value>>,
    /// True if there are no more.
    pub done: bool,
    /// The steps that SQLite has taken so far.
    pub(super) steps: u64,
}

/// Interrupts what a connection is running, from anywhere.
#[derive(Debug, Clone)]
pub struct Interrupter {
    control: Arc<Control>,
}

impl Connection {
    /// Opens the file and starts the thread.
    pub(super) fn open(
        database: &Arc<Database>,
        identity: Identity,
        client: Client,
        place: ConnectionSlot,
    ) -> Result<Self, BackendError> {
        let control = Arc::new(Control::default());
        database.account_for(&control);
        control.session_context.join(database.locks());
        control
            .session_context
            .sit_down(Seat::take(database.sessions(), client.process_id, &client.user));
        let watch = Watch::new(Arc::clone(&control), database.options().busy_timeout);
        let own = open::connect(
            database.path(),
            database.options(),
            &watch,
            Purpose::Session(&client),
        )?;
        let reads_only = own.reads_only(database.options());
        control.session_context.set_file_reads_only(reads_only);
        let (commands, receiver) = mpsc::channel(COMMANDS);
        let worker = Worker {
            database: Arc::clone(database),
            control: Arc::clone(&control),
            watch,
            client,
            place,
        };
        std::thread::Builder::new()
            .name("sqlite".into())
            .spawn(move || worker.serve(own, identity, receiver))
            .map_err(|error| BackendError::new("53000", format!("could not start a thread: {error}")))?;
        Ok(Self {
            database: Arc::clone(database),
            control,
            commands,
            next_id: AtomicU64::new(1),
        })
    }

    /// Compiles one statement to see its columns and parameters, of which the client declares these types.
    pub async fn prepare(&self, sql: &str, declared: &[Option<SqlType>]) -> Result<Prepared, BackendError> {
        self.prepare_generated(sql, declared, Generated::Nothing).await
    }

    /// As [`Connection::prepare`], for a statement of which this was generated.
    pub async fn prepare_generated(
        &self,
        sql: &str,
        declared: &[Option<SqlType>],
        generated: Generated,
    ) -> Result<Prepared, BackendError> {
        let answer = (generated == Generated::All).then(|| sql.to_owned());
        let (sql, declared) = (sql.to_owned(), declared.to_vec());
        let mut prepared = call(&self.control, &self.commands, |reply| Command::Prepare {
            sql,
            declared,
            generated,
            reply,
        })
        .await?;
        if let Some(sql) = answer {
            answers::name(&sql, &mut prepared.columns);
        }
        Ok(prepared)
    }

    /// Runs one statement, in READ ONLY transactions too; one without result columns to its end. `$n`, `?n` and `?` are bound by
    /// number. Dropping the future cancels it.
    pub async fn run(&self, sql: &str, parameters: Vec<Value>) -> Result<Cursor, BackendError> {
        self.start(Request {
            sql: sql.to_owned(),
            parameters: Parameters::Given(parameters),
            declared: vec![],
            resolved: Arc::default(),
            generated: Generated::Nothing,
            mode: Mode::Client,
            may_write: true,
            answers: Arc::default(),
            held: false,
        })
        .await
    }

    /// The same for a client's own. Outside of transactions one that writes and returns rows leaves its own for the caller to end.
    /// `declared` are the types that the client gave its parameters, `resolved` those by which their values were read.
    pub async fn run_prepared(
        &self,
        statement: EnclosingStatement<'_>,
        parameters: Vec<Value>,
        (declared, resolved): (&[Option<SqlType>], &Arc<[Option<SqlType>]>),
    ) -> Result<Cursor, BackendError> {
        self.start(Request {
            sql: statement.text.to_owned(),
            parameters: Parameters::Given(parameters),
            declared: declared.to_vec(),
            resolved: Arc::clone(resolved),
            generated: statement.generated,
            mode: Mode::Client,
            may_write: !self.control.session_context.reads_only(),
            answers: Arc::clone(statement.answers),
            held: true,
        })
        .await
    }

    /// Runs a question's SQL under the question guard: reads only, listed functions only, limited in time, rows
    /// and bytes, and only while there is what it was judged by ([`super::is_changed`]). `around` is the client's own statement
    /// with the SQL written into it, where there is one; its own functions are the client's affair.
    pub async fn run_generated(
        &self,
        sql: &ValidatedSql,
        around: Option<EnclosingStatement<'_>>,
        parameters: Vec<Value>,
    ) -> Result<Cursor, BackendError> {
        let mode = if around.is_some() {
            Mode::Embedded
        } else {
            mode_of(sql)
        };
        let alone = around.is_none();
        let own = Arc::from(around.is_none().then(|| sql.clone()).as_slice());
        let EnclosingStatement {
            text: sql,
            generated,
            answers,
        } = around.unwrap_or(EnclosingStatement {
            text: sql.as_str(),
            generated: Generated::All,
            answers: &own,
        });
        let mut cursor = self
            .start(Request {
                sql: sql.to_owned(),
                parameters: Parameters::Given(parameters),
                declared: vec![],
                resolved: Arc::default(),
                generated,
                mode,
                may_write: !self.control.session_context.reads_only(),
                answers: Arc::clone(answers),
                held: false,
            })
            .await?;
        if alone {
            answers::name(sql, &mut cursor.columns);
        }
        Ok(cursor)
    }

    /// Runs one statement of the client's own once for each row of values, up to the first that fails.
    /// `declared` are the types of the values.
    pub async fn run_many(
        &self,
        sql: &str,
        declared: &[Option<SqlType>],
        rows: Vec<Vec<Value>>,
    ) -> Result<(), FailedRow> {
        let (sql, declared) = (sql.to_owned(), declared.to_vec());
        let (reply, answer) = oneshot::channel();
        let cancelled = self.control.begin();
        let mut cancel = CancelOnDrop(Some(Arc::clone(&cancelled)));
        let command = Command::Many {
            sql,
            declared,
            rows,
            reply,
        };
        let operation = Operation { command, cancelled };
        let sent = in_time(&self.control, self.commands.send(operation)).await;
        let sent = sent.map_err(|error| (0, error))?;
        sent.map_err(|_| (0, gone(&self.control)))?;
        let answer = in_time(&self.control, answer).await.map_err(|error| (0, error))?;
        let answer = answer.map_err(|_| (0, gone(&self.control)))?;
        cancel.0 = None;
        answer
    }

    /// True if it serves no more: its thread failed, or was given up.
    pub fn is_lost(&self) -> bool {
        self.control.lost().is_some()
    }

    /// True inside BEGIN … COMMIT, as of the last statement that finished.
    pub fn in_transaction(&self) -> bool {
        self.control.in_transaction.load(Relaxed)
    }

    /// True if the statement that runs, or ran last, cannot change the database but by what its functions do.
    pub fn only_reads(&self) -> bool {
        self.control.only_reads.load(Relaxed)
    }

    /// A handle that cancels the running statement.
    pub fn interrupter(&self) -> Interrupter {
        Interrupter {
            control: Arc::clone(&self.control),
        }
    }

    /// What the session and the thread tell each other.
    pub fn session_context(&self) -> &SessionContext {
        &self.control.session_context
    }

    /// The file behind it.
    pub fn database(&self) -> &Arc<Database> {
        &self.database
    }

    async fn start(&self, request: Request) -> Result<Cursor, BackendError> {
        let id = self.next_id.fetch_add(1, Relaxed);
        let opened = call(&self.control, &self.commands, |reply| Command::Run {
            id,
            request,
            reply,
        })
        .await?;
        Ok(Cursor {
            id,
            control: Arc::clone(&self.control),
            commands: self.commands.downgrade(),
            columns: opened.columns,
            affected: opened.affected,
            rows: opened.rows,
            finished: opened.finished,
            steps: opened.steps,
        })
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        // What runs is stopped by the watch; the thread ends when the channel is closed.
        self.control.leave();
    }
}

impl Interrupter {
    /// Cancels the statement that runs at this moment, if any, with 57014.
    pub fn interrupt(&self) {
        self.control.cancel();
    }
}

impl Cursor {
    /// The result's columns; empty for a statement that returns no rows.
    pub fn columns(&self) -> &[ResultColumn] {
        &self.columns
    }

    /// Rows that an INSERT, UPDATE or DELETE changed, once it has run to its end; 0 for others.
    pub fn affected(&self) -> u64 {
        self.affected
    }

    /// The next rows: at most `max_rows` (0 means any number), and no more than fit some 256 KiB.
    /// Not cancel safe: dropping the future may lose rows and cancels the statement.
    pub async fn next(&mut self, max_rows: usize) -> Result<Chunk, BackendError> {
        if self.finished {
            let wanted = match max_rows {
                0 => self.rows.len(),
                max => max.min(self.rows.len()),
            };
            return Ok(Chunk {
                rows: self.rows.drain(..wanted).collect(),
                done: self.rows.is_empty(),
                steps: self.steps,
            });
        }
        let commands = self.commands.upgrade().ok_or_else(|| gone(&self.control))?;
        let id = self.id;
        let progress = call(&self.control, &commands, |reply| Command::Next {
            id,
            max_rows,
            reply,
        })
        .await;
        self.finished = progress.as_ref().map_or(true, |progress| progress.chunk.done);
        let progress = progress?;
        self.affected = progress.affected;
        self.steps = progress.chunk.steps;
        Ok(progress.chunk)
    }
}

impl Drop for Cursor {
    fn drop(&mut self) {
        if self.finished {
            return;
        }
        self.control
            .dropped
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push(self.id);
        // If the channel is full, the commands in it make the thread look.
        if let Some(commands) = self.commands.upgrade() {
            let _ = commands.try_send(Operation {
                command: Command::CloseDropped,
                cancelled: CancelFlag::default(),
            });
        }
    }
}

#[async_trait]
impl Backend for Connection {
    async fn snapshot(&self) -> Result<Snapshot, BackendError> {
        call(&self.control, &self.commands, |reply| Command::Snapshot { reply }).await
    }

    async fn trial(&self, sql: &ValidatedSql, max_rows: usize) -> Result<Trial, BackendError> {
        let request = looking(sql.as_str().to_owned(), sql);
        let begun = Instant::now();
        let mut cursor = self.start(request).await?;
        let name = |column: &ResultColumn| column.name.clone();
        let columns = cursor.columns().iter().map(name).collect();
        let mut rows = Vec::new();
        let mut complete = false;
        // One row more tells whether these are all.
        while !complete && rows.len() <= max_rows {
            let chunk = cursor.next(max_rows + 1 - rows.len()).await?;
            rows.extend(chunk.rows);
            complete = chunk.done;
        }
        complete &= rows.len() <= max_rows;
        rows.truncate(max_rows);
        Ok(Trial {
            columns,
            rows,
            complete,
            effort: Effort {
                elapsed: begun.elapsed(),
                cost: cursor.steps as f64,
                run: true,
            },
        })
    }

    async fn full_scans(&self, sql: &ValidatedSql) -> Result<Vec<FullScan>, BackendError> {
        let request = looking(format!("EXPLAIN QUERY PLAN {}", sql.as_str()), sql);
        let mut cursor = self.start(request).await?;
        let mut lines = Vec::new();
        loop {
            let chunk = cursor.next(0).await?;
            lines.extend(chunk.rows);
            if chunk.done {
                return Ok(plan::full_scans(&lines));
            }
        }
    }
}

impl fmt::Debug for Connection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Connection")
            .field("path", &self.database.path())
            .finish_non_exhaustive()
    }
}

impl fmt::Debug for Cursor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Cursor")
            .field("id", &self.id)
            .field("finished", &self.finished)
            .finish_non_exhaustive()
    }
}

/// What looks at an answer before anybody gets it.
fn looking(text: String, sql: &ValidatedSql) -> Request {
    Request {
        sql: text,
        parameters: Parameters::Nulls,
        declared: vec![],
        resolved: Arc::default(),
        generated: Generated::All,
        mode: mode_of(sql),
        may_write: false,
        answers: Arc::from([sql.clone()]),
        held: false,
    }
}

fn mode_of(sql: &ValidatedSql) -> Mode {
    if sql.is_recursive() || sql.reads_views() {
        Mode::Recursion
    } else {
        Mode::Question
    }
}
