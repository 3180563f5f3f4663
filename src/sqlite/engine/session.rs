//! What a connection's thread does while one file is open: takes commands one by one and keeps the cursors.

use std::{
    cell::{Cell, OnceCell, RefCell},
    collections::HashMap,
    sync::{Arc, PoisonError, atomic::Ordering::Relaxed},
    time::{Duration, Instant},
};

use rusqlite::ErrorCode;
use tokio::sync::mpsc;

use super::{
    Generated, alter, bounds, catalog_model,
    command::{Command, Opened, Operation, Progress, Request},
    errors::{self, at_original, endless},
    guard::{self, Mode},
    held,
    infer::Inferred,
    introspect, kept,
    open::{Guarded, Identity},
    read_only::{self, Bounded},
    running::{Compiled, Running},
    spin_wait, temporary,
    translation::{Translation, Translations},
    unqualified, view_reads, views,
    watch::CancelFlag,
    worker::Worker,
};
use crate::{
    backend::BackendError,
    question::schema::Snapshot,
    sqlite::{
        catalog,
        functions::{
            allowance::{self, Allowance, TOO_LONG},
            datetime, interval, sequence, writable, zone,
        },
        memory,
    },
    statement::sqlite_lexer,
};

/// Why the thread stopped serving one opened file.
pub(super) enum Exit {
    /// The handle is gone.
    Closed,
    /// Another file lies under the path now; this is still to be done.
    Replaced(Operation),
}

/// The time between two opened files.
pub(super) struct Session<'w> {
    pub(super) worker: &'w Worker,
    pub(super) own: &'w Guarded,
    identity: Identity,
    /// What was inferred, for one fingerprint of the schema.
    pub(super) inferred: RefCell<(u64, HashMap<String, Arc<Inferred>>)>,
    pub(super) translations: Translations,
    /// True while there are statements with rows left, beside the one that is worked on.
    has_others: Cell<bool>,
}

impl<'w> Session<'w> {
    /// A session on a file that was just opened.
    pub(super) fn new(worker: &'w Worker, own: &'w Guarded, identity: Identity) -> Self {
        Self {
            worker,
            own,
            identity,
            inferred: RefCell::default(),
            translations: Translations::default(),
            has_others: Cell::default(),
        }
    }

    /// Serves commands until there are no more, or the file is another.
    pub(super) fn serve(&self, commands: &mut mpsc::Receiver<Operation>, first: Option<Operation>) -> Exit {
        let read_connection = OnceCell::new();
        let mut cursors: HashMap<u64, Running<'_>> = HashMap::new();
        let mut next = first;
        let control = &self.worker.control;
        loop {
            let next = next
                .take()
                .or_else(|| spin_wait::command(|| commands.try_recv().ok()));
            let Some(operation) = next.or_else(|| commands.blocking_recv()) else {
                return Exit::Closed;
            };
            for id in control
                .dropped
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .drain(..)
            {
                cursors.remove(&id);
            }
            if control.closing.load(Relaxed) {
                return Exit::Closed;
            }
            if operation.command.starts_something() && self.file_was_replaced() {
                let idle = cursors.is_empty()
                    && self.own.connection.is_autocommit()
                    && !self.has_temporary_objects();
                if idle {
                    return Exit::Replaced(operation);
                }
                drop(cursors);
                // Dropping the connection rolls back what is open.
                control.in_transaction.store(false, Relaxed);
                operation.command.fail(
                    BackendError::new(
                        "55000",
                        "the database file was replaced while this session had it open",
                    )
                    .with_detail(
                        "An open transaction was rolled back; cursors and temporary tables are gone.",
                    )
                    .with_hint("Repeat the work; the next statement opens the new file."),
                );
                return match commands.blocking_recv() {
                    Some(operation) => Exit::Replaced(operation),
                    None => Exit::Closed,
                };
            }
            if let Some(zone) = control.session_context.new_zone() {
                zone::hold(zone);
            }
            if let Some(style) = control.session_context.new_intervals() {
                interval::hold(style);
            }
            if let Some(order) = control.session_context.new_dates() {
                datetime::hold(order);
            }
            if control.session_context.takes_forgetting() {
                sequence::forget_all();
            }
            writable::refuse(control.session_context.reads_only());
            let cancelled = &operation.cancelled;
            if operation.command.only_looks() {
                control.only_reads.store(true, Relaxed);
            }
            let goes_on = matches!(operation.command, Command::Next { .. });
            self.has_others.set(cursors.len() > usize::from(goes_on));
            match operation.command {
                Command::Prepare {
                    sql,
                    declared,
                    generated,
                    reply,
                } => {
                    let _ = reply.send(self.prepare(&sql, (&declared, &generated), cancelled));
                }
                Command::Snapshot { reply } => {
                    let _ = reply.send(self.snapshot(cancelled));
                }
                Command::Run { id, request, reply } => {
                    if sqlite_lexer::is_empty(&request.sql) {
                        let _ = reply.send(Ok(Opened {
                            finished: true,
                            ..Opened::default()
                        }));
                        continue;
                    }
                    let alone = self.own.connection.is_autocommit();
                    let running = self.end_writes(&mut cursors, cancelled).and_then(|()| {
                        self.run_judged(&request, cancelled, || {
                            self.run(&request, cursors.is_empty(), cancelled, &read_connection)
                        })
                    });
                    let running = running.and_then(|running| self.with_its_keys(running));
                    if alone && running.is_err() {
                        self.take_back();
                    }
                    let running = running.map_err(|error| self.explained(error, &request, cancelled));
                    let opened = running.map(|mut running| {
                        let opened = Opened {
                            rows: running.take_last(),
                            columns: std::mem::take(&mut running.columns),
                            affected: running.affected(),
                            finished: running.finished(),
                            steps: running.steps(),
                        };
                        if !opened.finished {
                            cursors.insert(id, running);
                        }
                        opened
                    });
                    self.tell_transaction();
                    if reply.send(opened).is_err() {
                        cursors.remove(&id);
                    }
                }
                Command::Many {
                    sql,
                    declared,
                    rows,
                    reply,
                } => {
                    let _ = reply.send(self.run_many(&sql, (&declared, rows), cursors.is_empty(), cancelled));
                    self.tell_transaction();
                }
                Command::Next { id, max_rows, reply } => {
                    let progress = match cursors.get_mut(&id) {
                        Some(running) => self.proceed(running, max_rows, cancelled, &read_connection),
                        None => Err(BackendError::new("34000", "the cursor is closed")),
                    };
                    if progress.as_ref().map_or(true, |progress| progress.chunk.done) {
                        cursors.remove(&id);
                    }
                    self.tell_transaction();
                    let _ = reply.send(progress);
                }
                Command::CloseDropped => {}
            }
        }
    }

    fn file_was_replaced(&self) -> bool {
        self.worker.database.identify().ok() != Some(self.identity)
    }

    /// Adds the tables of the catalogue that a statement asks for, and shows in them the schema as this session sees it.
    pub(super) fn with_catalog(&self, sql: &str, cancelled: &CancelFlag) -> Result<(), BackendError> {
        if !catalog_model::is_asked(self.own, sql) {
            return Ok(());
        }
        let limit = self.limit(Mode::Client);
        self.watched(self.own, Mode::Internal, cancelled, (limit, limit), sql, || {
            self.own.add_catalog(sql)?;
            let alone = !self.own.connection.is_autocommit() || self.has_temporary_objects();
            catalog_model::show(&self.worker.database, self.own, &self.identity, alone)
        })
    }

    /// The schema as this session sees it: what it created and has not committed is its alone, and so are its
    /// temporary tables.
    fn snapshot(&self, cancelled: &CancelFlag) -> Result<Snapshot, BackendError> {
        let database = &self.worker.database;
        database.values_are_wanted();
        let committed = database.read_snapshot();
        let temporary = self.has_temporary_objects();
        if self.own.connection.is_autocommit() && !temporary {
            return committed;
        }
        let limit = self.limit(Mode::Question);
        self.watched(self.own, Mode::Internal, cancelled, (limit, limit), "", || {
            let fingerprint = introspect::fingerprint(&self.own.connection, &self.identity)?;
            match committed {
                Ok(committed) if !temporary && committed.fingerprint == fingerprint => Ok(committed),
                committed => {
                    let mut seen = introspect::snapshot(self.own, fingerprint)?;
                    // Values are told apart by the position of their table.
                    if let Ok(committed) = committed
                        && seen.schema.begins_with(&committed.schema)
                    {
                        seen.values = committed.values;
                    }
                    Ok(seen)
                }
            }
        })
    }

    fn run<'c>(
        &'c self,
        request: &Request,
        idle: bool,
        cancelled: &CancelFlag,
        read_connection: &'c OnceCell<Guarded>,
    ) -> Result<Running<'c>, BackendError> {
        let mode = request.mode;
        let on_side = mode.is_question()
            && self.own.connection.is_autocommit()
            && !self.has_temporary_objects()
            && self.open_read_connection(read_connection);
        let guarded = if on_side {
            read_connection.get().unwrap_or(self.own)
        } else {
            self.own
        };
        let limit = self.limit(mode);
        let started = Instant::now();
        // It stays what it is until the statement has begun to read.
        let _judged = if mode.is_question() {
            self.hold_judged(guarded, request, cancelled)?
        } else {
            None
        };
        if mode == Mode::Client {
            kept::check(&request.sql)?;
            self.take_turn(&request.sql, idle, cancelled, limit)?;
        }
        let is_translated = matches!(mode, Mode::Client | Mode::Embedded);
        if is_translated && !self.is_untranslated(&request.sql) {
            if mode == Mode::Client
                && let Some(change) = alter::read(&request.sql)
            {
                if !request.may_write {
                    return Err(read_only::in_transaction(&request.sql));
                }
                return self.change(request, &change, cancelled, (limit, started));
            }
            if !on_side {
                self.with_catalog(&request.sql, cancelled)?;
            }
            let found = self.translation_to_run(request, cancelled, limit)?;
            match &*found.known {
                Translation::AsItStands => {}
                Translation::Refused(error) => return Err(error.clone()),
                Translation::Translated(translated) => {
                    let held = (limit, started, found.lock);
                    return self.run_translated((request, guarded), translated, cancelled, held);
                }
            }
        }
        let whole = self.in_one(&request.sql);
        let adapted = catalog::adapt(&whole);
        let sql = adapted.sql.as_ref();
        if !on_side {
            self.with_catalog(sql, cancelled)?;
        }
        if matches!(mode, Mode::Question | Mode::Recursion) {
            guard::check_names(sql)?;
            guarded.guard.tell_question(&guarded.connection, sql);
            guarded.guard.tell_answers(&request.answers);
        }
        let none_else = unqualified::check(&guarded.connection, sql);
        let few_views = none_else.and_then(|()| view_reads::check_read(guarded, sql));
        few_views.map_err(|error| errors::from_sqlite(&error, ""))?;
        guarded.guard.take_recursive();
        let running = self.watched(guarded, mode, cancelled, (limit, limit), sql, || {
            views::check(&guarded.connection, sql)?;
            let statement = guarded.connection.prepare(sql)?;
            read_only::check(guarded, &statement, (sql, request))?;
            let is_answer = request.generated == Generated::All;
            if mode == Mode::Client && !is_answer && !self.is_untranslated(&request.sql) {
                read_only::check_understood(&statement, sql)?;
            }
            self.note_reading(statement.readonly());
            // As it was before the transaction that may begin now, which could be in the way of a fresh look.
            let inferred = (statement.column_count() > 0).then(|| self.infer(sql, &[]));
            held::begin(&guarded.connection, &statement, request, false)?;
            Running::start(
                &guarded.connection,
                (Compiled::Once(statement), sql),
                (&request.parameters, vec![]),
                || inferred.unwrap_or_default(),
                &[],
            )
        });
        let recursive = guarded.guard.take_recursive();
        let running = running.map_err(|error| endless(error, recursive));
        let mut running = running.map_err(|error| at_original(error, &adapted))?;
        running.recursive = recursive;
        running.only_reads = self.worker.control.only_reads.load(Relaxed);
        running.mode = mode;
        running.answers = Arc::clone(&request.answers);
        running.on_side = on_side;
        running.spent = started.elapsed();
        running.sql = adapted.sql.into_owned();
        Ok(running)
    }

    fn proceed(
        &self,
        running: &mut Running<'_>,
        max_rows: usize,
        cancelled: &CancelFlag,
        read_connection: &OnceCell<Guarded>,
    ) -> Result<Progress, BackendError> {
        let guarded = if running.on_side {
            read_connection.get().unwrap_or(self.own)
        } else {
            self.own
        };
        self.note_reading(running.only_reads);
        guarded.guard.tell_answers(&running.answers);
        let limit = self.limit(running.mode);
        let left = limit.map(|limit| limit.saturating_sub(running.spent));
        let started = Instant::now();
        let sql = std::mem::take(&mut running.sql);
        let chunk = self.watched(guarded, running.mode, cancelled, (left, limit), &sql, || {
            running.next_rows(&guarded.connection, max_rows)
        });
        let chunk = chunk.map_err(|error| endless(error, running.recursive))?;
        running.sql = sql;
        running.spent += started.elapsed();
        if running.mode.is_question() {
            running.check_size(self.worker.database.options())?;
        }
        Ok(Progress {
            affected: running.affected(),
            chunk,
        })
    }

    /// Notes whether what runs cannot change the database by itself.
    pub(super) fn note_reading(&self, only_reads: bool) {
        self.worker.control.only_reads.store(only_reads, Relaxed);
    }

    pub(super) fn limit(&self, mode: Mode) -> Option<Duration> {
        let options = self.worker.database.options();
        let limit = if mode.is_question() {
            options.question_timeout
        } else {
            options.statement_timeout
        };
        (!limit.is_zero()).then_some(limit)
    }

    /// Runs `work` under the limits and the guard of a mode, and words its error.
    pub(super) fn watched<T>(
        &self,
        guarded: &Guarded,
        mode: Mode,
        cancelled: &CancelFlag,
        (left, total): (Option<Duration>, Option<Duration>),
        sql: &str,
        work: impl FnOnce() -> rusqlite::Result<T>,
    ) -> Result<T, BackendError> {
        self.watched_text(guarded, mode, cancelled, (left, total), Text::Own(sql), work)
    }

    /// As [`Session::watched`] for a text that SQLite may have got in other words.
    pub(super) fn watched_text<T>(
        &self,
        guarded: &Guarded,
        mode: Mode,
        cancelled: &CancelFlag,
        (left, total): (Option<Duration>, Option<Duration>),
        text: Text<'_>,
        work: impl FnOnce() -> rusqlite::Result<T>,
    ) -> Result<T, BackendError> {
        let watch = &self.worker.watch;
        watch.start(cancelled, left.zip(total));
        if !self.has_others.get() {
            watch.is_alone_on(&guarded.interruptible);
        }
        if watch.must_stop() {
            let stopped = watch.stopped().expect("it must stop for a reason");
            watch.rest();
            return Err(stopped);
        }
        let options = self.worker.database.options();
        let on_own = std::ptr::eq(guarded, self.own);
        let bounded = (mode.is_question() && on_own).then(|| Bounded::during(guarded, options));
        let memory = memory::budget(bounds::memory(options, mode));
        let temporary = temporary::budget(bounds::temporary(options, mode));
        let allowance = Allowance::new(watch.clone(), bounds::value(options, mode));
        let result = guarded.guard.during(mode, work);
        // What ended well all the same may have read or written in a wrong order.
        let given_up = allowance::has_given_up();
        let result = result.and_then(|done| allowance::is_in_order().map(|()| done));
        let (too_much, too_large) = (memory.exceeded(), temporary.exceeded());
        drop((memory, temporary, allowance, bounded));
        let stopped = watch.stopped();
        // Nothing is late that does not run.
        watch.rest();
        result.map_err(|error| {
            let mut shown = match text {
                Text::Own(sql) => errors::from_sqlite(&error, sql),
                Text::Translated(sql) => errors::from_translated(&error, sql),
            };
            let by_us = match error.sqlite_error_code() {
                // Whatever was found wrong in that order.
                _ if given_up => stopped,
                Some(ErrorCode::OperationInterrupted | ErrorCode::DatabaseBusy) => stopped,
                Some(ErrorCode::OutOfMemory) if too_much => Some(bounds::took_too_much(options, mode)),
                Some(ErrorCode::DiskFull) if too_large => Some(bounds::wrote_too_much(options, mode)),
                // What else SQLite calls so is a program of too many instructions.
                Some(ErrorCode::OutOfMemory) if mode.is_question() => Some(bounds::too_complex()),
                Some(ErrorCode::TooBig) => Some(bounds::too_long(options, mode)),
                _ if shown.message == TOO_LONG => Some(bounds::too_long(options, mode)),
                _ if shown.sqlstate == "42501" => guarded.guard.denied(),
                _ => None,
            };
            if let Some(by_us) = by_us {
                shown = BackendError {
                    position: shown.position,
                    ..by_us
                };
            }
            shown
        })
    }
}

/// The text of a statement, for the positions of its errors.
#[derive(Clone, Copy)]
pub(super) enum Text<'s> {
    /// As SQLite got it.
    Own(&'s str),
    /// As the client wrote it; SQLite got another.
    Translated(&'s str),
}
