//! The statements that the session carries out itself: transactions, settings, PREPARE and the rest.

use std::sync::Arc;

use crate::{
    backend::{BackendError, ResultColumn, Value, text, text_column},
    pgtypes::Format,
    service::conversation::Conversation,
    sqlite::engine::{Holding, Kept},
    statement::{self, CommandTag, Control, CopyTarget, Discard, Scope, SessionStatement, SetValue, Span},
};

use super::{
    channels::Pending,
    error::SessionError,
    extended, grammar, modes,
    plan::{Detail, Named, Plan, Prepared},
    portal::{Outcome, Tag},
    run::Session,
    settings::SessionSettings,
    sql::Sql,
    transaction::Block,
};

/// Statements that one may execute in turn, each the next.
const MOST_EXECUTED: usize = 16;

impl Session {
    /// How statements are read at this moment.
    pub(super) fn options(&self) -> statement::Options {
        let configured = self.shared.settings();
        statement::Options {
            standard_conforming_strings: self.settings.value("standard_conforming_strings") == "on",
            ask_keyword: configured.ask_keyword,
            function_name: configured.function_name.clone(),
            allow_in_writes: configured.allow_in_writes,
            model_views: self.shared.has_model_views,
        }
    }

    /// The columns of a statement that the session carries out; empty for none.
    pub(super) fn session_columns(
        &self,
        statement: &SessionStatement,
    ) -> Result<Vec<ResultColumn>, SessionError> {
        Ok(match statement {
            SessionStatement::Show(Some(name)) => {
                self.settings.show(name)?;
                vec![text_column(&SessionSettings::spelling(name))]
            }
            SessionStatement::Show(None) => ["name", "setting", "description"].map(text_column).to_vec(),
            SessionStatement::Explain(explain) => vec![super::explain::column_of(explain)],
            // What is missing may be there when it runs: only that is an error.
            SessionStatement::Fetch { cursor, .. } => self.cursor_columns(cursor).unwrap_or_default(),
            SessionStatement::Execute { name, .. } => self
                .prepared(name)
                .map_or_else(|_| vec![], |named| named.columns.clone()),
            _ => vec![],
        })
    }

    /// Carries out a statement of the session's own.
    pub(super) async fn carry_out(
        &mut self,
        sql: &Sql,
        statement: &SessionStatement,
        prepared: &Prepared,
        parameters: Vec<Value>,
    ) -> Result<Outcome, SessionError> {
        let words = match statement {
            SessionStatement::Empty => {
                return Ok(Outcome {
                    tag: Tag::Empty,
                    ..Outcome::words("")
                });
            }
            SessionStatement::Begin(modes) => {
                self.begin(*modes).await?;
                if grammar::begins_with(sql, "start") {
                    "START TRANSACTION"
                } else {
                    "BEGIN"
                }
            }
            SessionStatement::Commit { chain } => self.commit(*chain).await?,
            SessionStatement::Rollback { chain } => {
                self.rollback(*chain).await?;
                "ROLLBACK"
            }
            SessionStatement::Savepoint(name) => {
                self.savepoint(name.clone()).await?;
                "SAVEPOINT"
            }
            SessionStatement::Release(name) => {
                self.release(name).await?;
                "RELEASE"
            }
            SessionStatement::RollbackTo(name) => {
                self.rollback_to(name).await?;
                "ROLLBACK"
            }
            SessionStatement::SetTransaction { session, modes } => {
                self.set_transaction(*session, *modes)?;
                "SET"
            }
            SessionStatement::Set { scope, name, value } => {
                self.set_variable(*scope, name, value)?;
                "SET"
            }
            SessionStatement::Reset(name) => {
                match name {
                    Some(name) if modes::is_mode(name) => {
                        self.set_variable(Scope::Local, name, &SetValue::Default)?;
                    }
                    Some(name) => self.settings.reset(name)?,
                    None => self.settings.reset_all(),
                }
                "RESET"
            }
            SessionStatement::Show(name) => return self.show(name.as_deref()),
            SessionStatement::Discard(what) => self.discard(*what).await?,
            SessionStatement::Prepare { name, types, query } => {
                self.prepare(name, types, sql, *query).await?;
                "PREPARE"
            }
            SessionStatement::Execute { name, arguments } => {
                return self.execute_prepared(sql, name, arguments, parameters).await;
            }
            SessionStatement::Deallocate(Some(name)) => {
                self.prepared(name)?;
                self.statements.remove(name);
                "DEALLOCATE"
            }
            SessionStatement::Deallocate(None) => {
                self.statements.clear();
                "DEALLOCATE ALL"
            }
            SessionStatement::Declare(cursor) => {
                self.declare(sql, cursor, prepared, parameters).await?;
                "DECLARE CURSOR"
            }
            SessionStatement::Fetch { direction, cursor } => {
                return self.fetch(*direction, cursor, true).await;
            }
            SessionStatement::Move { direction, cursor } => {
                return self.fetch(*direction, cursor, false).await;
            }
            SessionStatement::Close(Some(name)) => {
                let closed = self.portals.remove(name);
                closed.ok_or_else(|| super::cursor::no_cursor(name))?;
                "CLOSE CURSOR"
            }
            SessionStatement::Close(None) => {
                self.portals.clear();
                "CLOSE CURSOR ALL"
            }
            SessionStatement::Listen(channel) => {
                self.at_commit(Pending::Listen(channel.clone()));
                "LISTEN"
            }
            SessionStatement::Unlisten(channel) => {
                self.at_commit(Pending::Unlisten(channel.clone()));
                "UNLISTEN"
            }
            SessionStatement::Notify { channel, payload } => {
                self.at_commit(Pending::notify(channel, payload)?);
                "NOTIFY"
            }
            SessionStatement::Lock { tables, writes } => {
                self.lock_tables(sql, tables, *writes).await?;
                "LOCK TABLE"
            }
            SessionStatement::Copy(copy) => {
                return match copy.target {
                    CopyTarget::ToClient => self.copy_out(sql, copy, parameters).await,
                    CopyTarget::FromClient => self.copy_in(sql, copy).await,
                    CopyTarget::ServerFile => Err(SessionError::failed(
                        "42501",
                        "COPY to or from a file or a program of the server's host is not allowed",
                    )
                    .with_hint("COPY … TO STDOUT and FROM STDIN work; psql's \\copy uses them.")),
                };
            }
            SessionStatement::Explain(explain) => return self.explain(sql, explain, parameters).await,
            SessionStatement::Ordinary(_) => unreachable!("ordinary statements are the database's"),
        };
        Ok(Outcome::words(words))
    }

    /// `SET`, `SHOW` and `RESET` of Querent's own settings.
    pub(super) fn carry_out_control(&mut self, control: &Control) -> Result<Outcome, SessionError> {
        match control {
            Control::Show { name } => Ok(Outcome::known(
                control_columns(control),
                vec![vec![text(&self.querent_setting(name))]],
                Tag::Fixed("SHOW".into()),
            )),
            Control::Set { local, .. } | Control::Reset { local, .. } => {
                self.shared.service.config().check_control(control)?;
                if *local && self.transaction.block() == Block::None {
                    self.warning("25P01", "SET LOCAL can only be used in transaction blocks");
                } else {
                    self.settings.control(control)?;
                }
                let words = if matches!(control, Control::Set { .. }) {
                    "SET"
                } else {
                    "RESET"
                };
                Ok(Outcome::words(words))
            }
        }
    }

    fn querent_setting(&self, name: &str) -> String {
        self.conversation
            .show(name)
            .or_else(|| self.shared.service.config().show(self.settings.querent(), name))
            .unwrap_or_default()
    }

    fn show(&self, name: Option<&str>) -> Result<Outcome, SessionError> {
        let tag = Tag::Fixed("SHOW".into());
        if let Some(name) = name {
            let value = match self.connection.session_context().setting_of_file(name) {
                Some(value) => value.to_owned(),
                None => self.settings.show(name)?,
            };
            let columns = vec![text_column(&SessionSettings::spelling(name))];
            return Ok(Outcome::known(columns, vec![vec![text(&value)]], tag));
        }
        let own = statement::Settings::NAMES
            .into_iter()
            .chain(statement::Settings::READ_ONLY)
            .map(|name| {
                vec![
                    text(&format!("querent.{name}")),
                    text(&self.querent_setting(name)),
                    text(statement::Settings::describe(name)),
                ]
            });
        let mut rows: Vec<_> = self
            .settings
            .all()
            .map(|(name, value)| vec![text(&name), text(&value), text("")])
            .chain(own)
            .collect();
        let key = |row: &Vec<Value>| match &row[0] {
            Value::Text(name) => name.to_ascii_lowercase(),
            _ => vec![],
        };
        rows.sort_by_key(key);
        let columns = ["name", "setting", "description"].map(text_column).to_vec();
        Ok(Outcome::known(columns, rows, tag))
    }

    async fn discard(&mut self, what: Discard) -> Result<&'static str, SessionError> {
        Ok(match what {
            Discard::All => {
                if self.transaction.block() != Block::None {
                    return Err(SessionError::failed(
                        "25001",
                        "DISCARD ALL cannot run inside a transaction block",
                    ));
                }
                self.settings.reset_all();
                self.statements.clear();
                self.portals.clear();
                self.conversation = Conversation::default();
                self.at_commit(Pending::Unlisten(None));
                self.connection.session_context().free_locks();
                self.connection.session_context().forget_sequences();
                self.drop_temporary().await?;
                "DISCARD ALL"
            }
            Discard::Plans => "DISCARD PLANS",
            Discard::Sequences => {
                self.connection.session_context().forget_sequences();
                "DISCARD SEQUENCES"
            }
            Discard::Temporary => {
                self.drop_temporary().await?;
                "DISCARD TEMP"
            }
        })
    }

    /// Drops the temporary tables and views, as a pool wants it before it hands the session on.
    async fn drop_temporary(&mut self) -> Result<(), SessionError> {
        let list = "SELECT 'DROP ' || type || ' temp.\"' || replace(name, '\"', '\"\"') || '\"' \
                    FROM temp.sqlite_schema \
                    WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite!_%' ESCAPE '!' \
                    ORDER BY type DESC";
        let connection = Arc::clone(&self.connection);
        let found = self.work(async move {
            let mut cursor = connection.run(list, vec![]).await?;
            let mut drops = vec![];
            loop {
                let chunk = cursor.next(0).await?;
                drops.extend(chunk.rows.into_iter().flatten());
                if chunk.done {
                    return Ok::<_, BackendError>(drops);
                }
            }
        });
        for drop in found.await? {
            if let Value::Text(sql) = drop {
                self.command(&String::from_utf8_lossy(&sql)).await?;
            }
        }
        Ok(())
    }

    async fn prepare(
        &mut self,
        name: &str,
        types: &[String],
        sql: &Sql,
        query: Span,
    ) -> Result<(), SessionError> {
        if self.statements.contains_key(name) {
            return Err(SessionError::failed(
                "42P05",
                format!("prepared statement \"{name}\" already exists"),
            ));
        }
        let types: Vec<u32> = types
            .iter()
            .map(|written| super::parameters::named_type(written))
            .collect();
        let prepared = Box::pin(self.plan_sql(sql.part(query), Detail::Described(&types))).await?;
        let kept = Kept::prepared(prepared.types.iter().map(|ty| ty.oid), true);
        let held = self
            .connection
            .session_context()
            .holds(Holding::new(name, sql.as_str(), kept));
        self.statements
            .insert(name.to_owned(), Named::new(prepared, Some(held)));
        Ok(())
    }

    async fn execute_prepared(
        &mut self,
        sql: &Sql,
        name: &str,
        arguments: &[Span],
        parameters: Vec<Value>,
    ) -> Result<Outcome, SessionError> {
        let (prepared, values) = self.bound(sql, name, arguments, parameters).await?;
        if !self.comes_to_an_end(&prepared) {
            let message = "stack depth limit exceeded";
            return Err(SessionError::failed("54001", message));
        }
        let outcome = Box::pin(self.open(&prepared, values)).await?;
        if matches!(prepared.plan, Plan::Database { .. })
            && !extended::are_told(&prepared.columns, &outcome.columns)
        {
            return Err(extended::changed_result());
        }
        Ok(outcome)
    }

    /// False for a statement that executes itself, through others or at once, or one that executes too many others in turn.
    fn comes_to_an_end(&self, prepared: &Arc<Prepared>) -> bool {
        let mut at = prepared;
        for _ in 0..MOST_EXECUTED {
            let Plan::Session { statement, .. } = &at.plan else {
                return true;
            };
            let SessionStatement::Execute { name, .. } = statement else {
                return true;
            };
            let Ok(next) = self.prepared(name) else {
                return true;
            };
            at = next;
        }
        false
    }

    /// What EXECUTE names, and the values of its arguments.
    pub(super) async fn bound(
        &mut self,
        sql: &Sql,
        name: &str,
        arguments: &[Span],
        parameters: Vec<Value>,
    ) -> Result<(Arc<Prepared>, Vec<Value>), SessionError> {
        let prepared = Arc::clone(self.prepared(name)?);
        if arguments.len() != prepared.types.len() {
            return Err(SessionError::failed(
                "42601",
                format!("wrong number of parameters for prepared statement \"{name}\""),
            )
            .with_detail(format!(
                "Expected {} parameters but got {}.",
                prepared.types.len(),
                arguments.len()
            )));
        }
        let mut values = vec![];
        for (argument, ty) in arguments.iter().zip(&prepared.types) {
            let expression = sql.part(*argument);
            let mut started = self.run_sql(&expression, "SELECT ", parameters.clone()).await?;
            let chunk = self.work(started.cursor.next(1)).await?;
            let value = chunk.rows.into_iter().flatten().next().unwrap_or(Value::Null);
            values.push(match value {
                Value::Text(text) => ty.read(Format::Text, Some(&text), self.settings.zone())?,
                other => other,
            });
        }
        Ok((prepared, values))
    }
}

/// The columns of `SHOW querent.name`.
pub(super) fn control_columns(control: &Control) -> Vec<ResultColumn> {
    match control {
        Control::Show { name } => vec![text_column(&format!("querent.{name}"))],
        _ => vec![],
    }
}

/// The tag of a query's rows.
pub(super) fn select_tag() -> Tag {
    Tag::Counted(CommandTag::Select)
}
