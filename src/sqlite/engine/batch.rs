//! One statement with many rows of values, as COPY writes them: compiled once, and run on the thread in one go.

use std::sync::Arc;

use rusqlite::Error;

use super::{
    Generated, binding,
    command::{Parameters, Request},
    guard::Mode,
    numbered, read_only,
    session::{Session, Text},
    translation::Translation,
    watch::CancelFlag,
};
use crate::{
    backend::{BackendError, SqlType, Value},
    sqlite::translate::Translated,
};

/// Which row failed, and why.
pub type FailedRow = (usize, BackendError);

impl Session<'_> {
    /// Runs a statement once for each row, up to the first that fails.
    pub(super) fn run_many(
        &self,
        sql: &str,
        (declared, rows): (&[Option<SqlType>], Vec<Vec<Value>>),
        idle: bool,
        cancelled: &CancelFlag,
    ) -> Result<(), FailedRow> {
        let limit = self.limit(Mode::Client);
        self.take_turn(sql, idle, cancelled, limit)
            .map_err(|error| (0, error))?;
        let found = self.translation(sql, (declared, &Generated::Nothing), cancelled, limit);
        // Who writes takes locks of their own.
        let known = found.map_err(|error| (0, error))?.known;
        let (words, text) = match &*known {
            Translation::Translated(translated) => (translated.sql.as_str(), Text::Translated(sql)),
            Translation::Refused(error) => return Err((0, error.clone())),
            Translation::AsItStands => (sql, Text::Own(sql)),
        };
        let mut rows: Vec<Parameters> = rows.into_iter().map(Parameters::Given).collect();
        let mut at = 0;
        let done = self.watched_text(self.own, Mode::Client, cancelled, (limit, limit), text, || {
            let compile = || self.own.connection.prepare(words);
            let (statement, is_own) = self.own.guard.only_own_rows(compile);
            let mut statement = statement?;
            if !is_own && self.worker.control.session_context.reads_only() {
                return Err(Error::UserFunctionError(Box::new(read_only::in_transaction(sql))));
            }
            for row in &rows {
                binding::bind(&mut statement, row)?;
                statement.raw_execute()?;
                at += 1;
            }
            match &*known {
                Translation::Translated(Translated {
                    key_sequence: Some(key_sequence),
                    ..
                }) => numbered::within(&self.own.connection, key_sequence),
                _ => Ok(()),
            }
        });
        done.map_err(|error| {
            let parameters = if at < rows.len() {
                rows.swap_remove(at)
            } else {
                Parameters::Nulls
            };
            let request = Request {
                sql: sql.to_owned(),
                parameters,
                generated: Generated::Nothing,
                mode: Mode::Client,
                may_write: true,
                held: false,
                declared: declared.to_vec(),
                resolved: Arc::default(),
                answers: Arc::default(),
            };
            (at, self.explained(error, &request, cancelled))
        })
    }
}
