//! Runs what is prepared, and sends its rows.

use std::sync::Arc;

use crate::{
    backend::{ResultColumn, Value},
    pgtypes::{Format, ValueError, encode_value},
    sqlite::engine::{self, Cursor, EnclosingStatement},
    statement::{CommandTag, SessionStatement},
};

use super::{
    error::SessionError,
    plan::{Plan, Prepared},
    portal::{Outcome, PortalState, Rows, Tag},
    run::Session,
    runs::{Runs, Started},
    sql::Sql,
    transaction::Block,
};

/// Rows asked of the database at once where the client sets no limit; it gives fewer if they are wide.
const CHUNK: usize = 1_000;

impl Session {
    /// Starts a statement. One that returns no rows has been carried out when this returns.
    pub(super) async fn open(
        &mut self,
        prepared: &Prepared,
        parameters: Vec<Value>,
    ) -> Result<Outcome, SessionError> {
        if prepared.is_ordinary() {
            self.client.log.statements(1);
        }
        if self.transaction.block() != Block::None && prepared.reads() {
            self.transaction.queried = true;
        }
        match &prepared.plan {
            Plan::Empty => Ok(Outcome {
                tag: Tag::Empty,
                ..Outcome::words("")
            }),
            Plan::Database { sql, tag } => {
                let sets = matches!(tag, CommandTag::Words(words) if words == "SET CONSTRAINTS");
                if sets && self.transaction.block() != Block::Explicit {
                    self.warning("25P01", "SET CONSTRAINTS can only be used in transaction blocks");
                }
                let started = self.run_sql(sql, "", parameters).await?;
                Ok(self.database_outcome(sql, started, Tag::Counted(tag.clone())))
            }
            Plan::Session { sql, statement } => self.carry_out(sql, statement, prepared, parameters).await,
            Plan::Control(control) => self.carry_out_control(control),
            Plan::Report { columns, rows } => Ok(Outcome::known(
                columns.clone(),
                rows.clone(),
                Tag::Counted(CommandTag::Select),
            )),
            Plan::Feedback { action, text } => self.feedback(*action, text),
            Plan::AskAtBind(_) => Err(
                SessionError::failed("42P02", "the question's parameter has no value")
                    .with_hint("Bind a text value to it."),
            ),
        }
    }

    /// Rows from the database, limited where they answer a question.
    pub(super) fn database_outcome(&self, sql: &Sql, started: Started, tag: Tag) -> Outcome {
        let limit = self.settings.querent().row_limit;
        let Started { cursor, runs } = started;
        Outcome {
            columns: cursor.columns().to_vec(),
            rows: Rows::Database {
                cursor: Box::new(cursor),
                allowed: (sql.guard().is_some() && limit > 0).then_some(limit),
                runs,
            },
            tag,
        }
    }

    /// Runs SQL under the guard that it needs, with something like EXPLAIN put before it.
    pub(super) async fn run_sql(
        &mut self,
        sql: &Sql,
        before: &str,
        parameters: Vec<Value>,
    ) -> Result<Started, SessionError> {
        if let Some(policy) = sql.policy() {
            self.shared.service.check_prepared(policy)?;
        }
        let mut runs = Runs::begin(sql.asked());
        match self.start_sql(sql, before, parameters).await {
            Ok(cursor) => {
                self.adopt_transaction();
                Ok(Started { cursor, runs })
            }
            Err(error) => {
                runs.failed(&error);
                Err(error)
            }
        }
    }

    /// The same. Where the tables and views are not those that its answers were judged by, they are judged anew, once.
    async fn start_sql(
        &mut self,
        sql: &Sql,
        before: &str,
        parameters: Vec<Value>,
    ) -> Result<Cursor, SessionError> {
        if sql.guard().is_some() {
            self.limit_time(self.settings.querent().statement_timeout);
        }
        self.publish_settings();
        let mut changed = false;
        let begun = self
            .begin_sql(sql, before, parameters.clone(), &mut changed)
            .await;
        if !changed {
            return begun;
        }
        if !self.judge_anew(sql).await? {
            return self.gone(sql, before).await.map_or(begun, Err);
        }
        self.begin_sql(sql, before, parameters, &mut changed).await
    }

    /// What a statement names and is not there any more.
    async fn gone(&mut self, sql: &Sql, before: &str) -> Option<SessionError> {
        let connection = Arc::clone(&self.connection);
        let text = format!("{before}{}", sql.as_str());
        let generated = sql.generated(before.len());
        let prepared = self.work(async move {
            let prepared = connection
                .prepare_generated(&text, sql.declared(), generated)
                .await;
            prepared.map_err(|error| sql.locate(&error, before.chars().count()))
        });
        let error = prepared.await.err()?;
        let is_gone = matches!(&error, SessionError::Failed(fields) if matches!(fields.sqlstate.as_str(), "42P01" | "42703"));
        is_gone.then_some(error)
    }

    /// The same, once. `changed` becomes true where it does not run since there is something else than it was judged by.
    async fn begin_sql(
        &mut self,
        sql: &Sql,
        before: &str,
        parameters: Vec<Value>,
        changed: &mut bool,
    ) -> Result<Cursor, SessionError> {
        let connection = Arc::clone(&self.connection);
        let sql = sql.clone();
        let text = format!("{before}{}", sql.as_str());
        let (added, before) = (before.chars().count(), before.len());
        self.work(async move {
            let answers = sql.answers();
            let statement = EnclosingStatement {
                text: &text,
                generated: sql.generated(before),
                answers: &answers,
            };
            let guard = answers.first().filter(|_| sql.guard().is_some());
            let begun = match guard {
                None => {
                    connection
                        .run_prepared(statement, parameters, (sql.declared(), sql.resolved()))
                        .await
                }
                Some(guard) => {
                    let around = (!sql.is_answer() || before > 0).then_some(statement);
                    connection.run_generated(guard, around, parameters).await
                }
            };
            begun.map_err(|error| {
                *changed = engine::is_changed(&error);
                sql.locate(&error, added)
            })
        })
        .await
    }

    /// Sends at most `max_rows` rows (0: all). How many there were where it is done, and else `None`.
    /// Whatever ends it early, in making a row or in sending one, is what ended the questions' runs.
    pub(super) async fn send(
        &mut self,
        outcome: &mut Outcome,
        columns: &[ResultColumn],
        formats: &[Format],
        max_rows: usize,
    ) -> Result<Option<u64>, SessionError> {
        let sent = self.send_rows(outcome, columns, formats, max_rows).await;
        outcome.rows.ended_by(&sent);
        sent
    }

    async fn send_rows(
        &mut self,
        outcome: &mut Outcome,
        columns: &[ResultColumn],
        formats: &[Format],
        max_rows: usize,
    ) -> Result<Option<u64>, SessionError> {
        let mut sent = 0;
        loop {
            let wanted = match max_rows {
                0 => CHUNK,
                max => (max - sent).min(CHUNK),
            };
            let (rows, done) = self.next_rows(&mut outcome.rows, wanted).await?;
            for row in &rows {
                self.send_row(row, columns, formats)?;
                self.flush_if_full().await?;
            }
            sent += rows.len();
            // Even if these were the last ones, as PostgreSQL has it: it does not look ahead either.
            if max_rows > 0 && sent >= max_rows {
                return Ok(None);
            }
            if done {
                break;
            }
        }
        self.apply_effects()?;
        Ok(Some(match &outcome.rows {
            Rows::Database { cursor, .. } if columns.is_empty() => cursor.affected(),
            _ => sent as u64,
        }))
    }

    /// Tells the client that a statement is done that had so many rows.
    pub(super) fn complete(&mut self, outcome: &Outcome, count: u64) {
        match &outcome.tag {
            Tag::Counted(tag) => self.client.out.command_complete(&tag.complete(count)),
            Tag::Fixed(words) => self.client.out.command_complete(words),
            Tag::Rows(word) => self.client.out.command_complete(&format!("{word} {count}")),
            Tag::Empty => self.client.out.empty_query(),
        }
    }

    /// Up to `wanted` rows, and whether there are no more.
    pub(super) async fn next_rows(
        &mut self,
        rows: &mut Rows,
        wanted: usize,
    ) -> Result<(Vec<Vec<Value>>, bool), SessionError> {
        match rows {
            Rows::Known(known) => {
                let taken = known.drain(..wanted.min(known.len())).collect();
                Ok((taken, known.is_empty()))
            }
            Rows::Fetched { cursor, left } => Box::pin(self.fetch_on(cursor, left, wanted)).await,
            Rows::Database {
                cursor,
                allowed,
                runs,
            } => {
                let chunk = self.work(cursor.next(wanted)).await;
                let chunk = chunk.and_then(|chunk| match allowed {
                    Some(left) if *left < chunk.rows.len() as u64 => Err(too_many_rows()),
                    Some(left) => {
                        *left -= chunk.rows.len() as u64;
                        Ok(chunk)
                    }
                    None => Ok(chunk),
                });
                match chunk {
                    Ok(chunk) => {
                        runs.rows(chunk.rows.len() as u64);
                        if chunk.done {
                            // Where a statement writes, its rows are those that it wrote.
                            if cursor.columns().is_empty() {
                                runs.rows(cursor.affected());
                            }
                            runs.done();
                        }
                        Ok((chunk.rows, chunk.done))
                    }
                    Err(error) => {
                        runs.failed(&error);
                        Err(error)
                    }
                }
            }
        }
    }

    fn send_row(
        &mut self,
        row: &[Value],
        columns: &[ResultColumn],
        formats: &[Format],
    ) -> Result<(), SessionError> {
        let mut at = 0;
        let styles = self.settings.styles();
        let sent = self.client.out.data_row(columns.len(), |out| {
            for (index, (column, format)) in columns.iter().zip(formats).enumerate() {
                at = index;
                encode_value(
                    row.get(index).unwrap_or(&Value::Null),
                    column.ty,
                    *format,
                    styles,
                    out,
                )?;
            }
            Ok::<_, ValueError>(())
        });
        sent.map_err(|error| {
            SessionError::from(error).with_detail(format!("It stands in column \"{}\".", columns[at].name))
        })
    }

    /// The formats of rows in the simple protocol: binary only for a cursor that asks for it.
    pub(super) fn row_formats(&self, plan: &Plan, columns: usize) -> Vec<Format> {
        let binary = match plan {
            Plan::Session {
                statement: SessionStatement::Fetch { cursor, .. },
                ..
            } => self
                .portals
                .get(cursor)
                .is_some_and(|portal| matches!(&portal.state, PortalState::Cursor(scroll) if scroll.binary)),
            _ => false,
        };
        vec![if binary { Format::Binary } else { Format::Text }; columns]
    }
}

fn too_many_rows() -> SessionError {
    SessionError::failed("54000", "the answer has more rows than querent.row_limit allows")
        .with_hint("Ask for less, for example \"the first 100\", or raise querent.row_limit.")
}
