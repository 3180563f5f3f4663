//! A session's statements that were translated: prepared and run in SQLite's words, told in the client's.

use std::{
    sync::atomic::Ordering::Relaxed,
    time::{Duration, Instant},
};

use super::{
    Generated, Prepared,
    answers::Hidden,
    binding,
    command::Request,
    described, errors,
    errors::endless,
    guard::Mode,
    held, numbered,
    open::Guarded,
    read_only,
    running::{Compiled, Running},
    session::{Session, Text},
    steps,
    translation::{LockedTranslation, Translation, Translations},
    types, unqualified,
    version::ReadLock,
    view_reads, views,
    watch::CancelFlag,
    write_lock,
};
use crate::{
    backend::{BackendError, SqlType},
    sqlite::{
        catalog, decltype,
        functions::{affected::Account, kept::Kept, sequence},
        translate::Translated,
    },
};

impl Session<'_> {
    pub(super) fn has_temporary_objects(&self) -> bool {
        let sql = "SELECT EXISTS (SELECT 1 FROM temp.sqlite_schema)";
        let Ok(mut statement) = self.own.connection.prepare_cached(sql) else {
            return true;
        };
        statement.query_row([], |row| row.get(0)).unwrap_or(true)
    }

    /// True for a statement that is SQLite's own by the session's setting. What reads the catalogue is PostgreSQL's always.
    pub(super) fn is_untranslated(&self, sql: &str) -> bool {
        let own = self.worker.watch.session_context().is_untranslated();
        own.unwrap_or(self.worker.database.options().sqlite_dialect) && !catalog::is_read(sql)
    }

    /// How a client's statement is run.
    pub(super) fn translation(
        &self,
        sql: &str,
        (declared, generated): (&[Option<SqlType>], &Generated),
        cancelled: &CancelFlag,
        limit: Option<Duration>,
    ) -> Result<LockedTranslation<'_>, BackendError> {
        if *generated == Generated::All || self.is_untranslated(sql) {
            return Ok(LockedTranslation::as_it_stands());
        }
        let connection = &self.own.connection;
        let snapshot = || {
            // In a transaction our own locks could be in the way of a fresh look.
            let database = &self.worker.database;
            // What writes needs no look at the file for the types that it tells.
            let reads = sql
                .trim_start()
                .get(..6)
                .is_some_and(|word| word.eq_ignore_ascii_case("select"));
            if reads && connection.is_autocommit() {
                database.read_snapshot().ok()
            } else {
                database.last_snapshot()
            }
        };
        self.watched(self.own, Mode::Internal, cancelled, (limit, limit), sql, || {
            let Generated::Parts(places) = generated else {
                return self.translations.of(connection, sql, declared, snapshot);
            };
            match Hidden::of(sql, places, connection, |answer| self.infer(answer, &[]))? {
                Some(hidden) => Translations::around(connection, &hidden, declared, snapshot),
                None => Ok(LockedTranslation::as_it_stands()),
            }
        })
    }

    /// The same for one that runs now. Its values were read by the types that it was prepared with: where the tables tell other
    /// ones since, it is what it is with those, as in PostgreSQL.
    pub(super) fn translation_to_run(
        &self,
        request: &Request,
        cancelled: &CancelFlag,
        limit: Option<Duration>,
    ) -> Result<LockedTranslation<'_>, BackendError> {
        let told = (request.declared.as_slice(), &request.generated);
        let found = self.translation(&request.sql, told, cancelled, limit)?;
        let resolved = &*request.resolved;
        let is_other = match &*found.known {
            Translation::AsItStands => false,
            Translation::Refused(_) => !resolved.is_empty(),
            Translation::Translated(translated) => decltype::parameter_types(translated, resolved.len())
                .into_iter()
                .zip(resolved)
                .enumerate()
                .filter(|(at, _)| request.declared.get(*at).copied().flatten().is_none())
                .any(|(_, (now, then))| then.is_some_and(|then| now.unwrap_or(SqlType::Text) != then)),
        };
        if !is_other {
            return Ok(found);
        }
        drop(found);
        self.translation(&request.sql, (resolved, &request.generated), cancelled, limit)
    }

    pub(super) fn prepare_translated(
        &self,
        sql: &str,
        translated: &Translated,
        cancelled: &CancelFlag,
        limit: Option<Duration>,
    ) -> Result<Prepared, BackendError> {
        if !translated.before.is_empty() {
            return Ok(steps::told(translated));
        }
        let work = || {
            let mut statement = self.own.connection.prepare(&translated.sql)?;
            let parameters = binding::highest(&statement)
                .max(translated.parameters.keys().next_back().copied().unwrap_or(0));
            let fits = types::translated(&statement, &translated.columns);
            let described = if fits.is_some() {
                vec![]
            } else {
                described::columns(&self.own.connection, &statement, &translated.sql)
            };
            let is_known = fits.is_some();
            let mut told = fits.unwrap_or_default();
            told.resize(statement.column_count(), None);
            let before = told.clone();
            let read_only = statement.readonly();
            if read_only && parameters == 0 && told.contains(&None) {
                types::look_at_rows(&mut statement, &mut told, &self.worker.watch);
            }
            let mut columns = if is_known {
                types::tell(&told, &translated.columns)
            } else {
                types::columns(&described, &told)
            };
            types::note_guesses(&mut columns, &before);
            Ok(Prepared {
                columns,
                parameter_types: decltype::parameter_types(translated, parameters),
                parameters,
                read_only,
                strict: true,
            })
        };
        let text = Text::Translated(sql);
        self.watched_text(self.own, Mode::Client, cancelled, (limit, limit), text, work)
    }

    pub(super) fn run_translated<'c>(
        &'c self,
        (request, guarded): (&Request, &'c Guarded),
        translated: &Translated,
        cancelled: &CancelFlag,
        (limit, started, lock): (Option<Duration>, Instant, Option<ReadLock<'_>>),
    ) -> Result<Running<'c>, BackendError> {
        let mode = request.mode;
        let text = Text::Translated(&request.sql);
        if !translated.before.is_empty() && !request.may_write && mode == Mode::Client {
            return Err(read_only::in_transaction(&request.sql));
        }
        if let Some(locking) = translated
            .locks
            .filter(|_| !request.may_write && mode == Mode::Client)
        {
            return Err(read_only::refused_in_transaction(locking));
        }
        let work = || {
            let connection = &guarded.connection;
            let infer = || self.infer(&translated.sql, &[]);
            if !translated.before.is_empty() && mode.is_question() {
                return Err(read_only::refused());
            }
            self.worker
                .watch
                .impatient(mode == Mode::Client && write_lock::waits_for_nothing(&request.sql));
            if !translated.before.is_empty() {
                drop(lock);
                held::begin_steps(connection, !translated.columns.is_empty(), request)?;
                return steps::run(connection, translated, &request.parameters, |kept| {
                    let sql = translated.sql.as_str();
                    views::check(connection, sql)?;
                    let last = Compiled::Once(connection.prepare(sql)?);
                    let counted = kept.iter().find(|kept| Some(kept.step) == translated.counted);
                    let counted = counted.map(Kept::count);
                    let parameters = (&request.parameters, kept);
                    let only_reads = last.readonly();
                    let mut running =
                        Running::start(connection, (last, sql), parameters, infer, &translated.columns)?;
                    if !only_reads {
                        // No savepoint is released while a statement that writes has rows left.
                        running.read_all(connection)?;
                        running.count(counted);
                    }
                    if let Some(key_sequence) = &translated.key_sequence {
                        numbered::within(connection, key_sequence)?;
                    }
                    Ok(running)
                });
            }
            views::check(connection, &translated.sql)?;
            // What was compiled under one guard runs under no other.
            let statement = match mode {
                Mode::Client => Compiled::Kept(connection.prepare_cached(&translated.sql)?),
                _ => Compiled::Once(connection.prepare(&translated.sql)?),
            };
            read_only::check(guarded, &statement, (&translated.sql, request))?;
            self.note_reading(statement.readonly());
            // Who writes takes locks of their own, which one who reads at the same time would be refused.
            let lock = lock.filter(|_| statement.readonly());
            held::begin(connection, &statement, request, translated.key_sequence.is_some())?;
            let running = numbered::write(connection, translated.key_sequence.as_ref(), |to_its_end| {
                let mut running = Running::start(
                    connection,
                    (statement, translated.sql.as_str()),
                    (&request.parameters, vec![]),
                    infer,
                    &translated.columns,
                )?;
                if to_its_end {
                    running.read_all(connection)?;
                }
                Ok(running)
            });
            drop(lock);
            running
        };
        // What steps make is not there yet.
        if translated.before.is_empty() {
            let none_else = unqualified::check(&guarded.connection, &translated.sql);
            none_else.map_err(|error| errors::from_sqlite(&error, ""))?;
        }
        let told = view_reads::tell(guarded, &translated.sql);
        told.map_err(|error| errors::from_sqlite(&error, ""))?;
        guarded.guard.take_recursive();
        let texts = translated.before.iter().map(|step| step.sql.as_str());
        let _account = Account::of(texts.chain([translated.sql.as_str()]));
        let running = self.watched_text(guarded, mode, cancelled, (limit, limit), text, work);
        let recursive = guarded.guard.take_recursive();
        let mut running = running.map_err(|error| endless(error, recursive))?;
        if let Some(key_sequence) = &translated.key_sequence {
            let connection = &self.own.connection;
            let row = connection.last_insert_rowid();
            let noted = self
                .own
                .guard
                .during(Mode::Internal, || sequence::drawn(connection, key_sequence, row));
            noted.map_err(|error| errors::from_sqlite(&error, ""))?;
        }
        running.recursive = recursive;
        running.only_reads = self.worker.control.only_reads.load(Relaxed);
        running.mode = mode;
        running.on_side = !std::ptr::eq(guarded, self.own);
        running.spent = started.elapsed();
        running.sql.clone_from(&request.sql);
        Ok(running)
    }
}
