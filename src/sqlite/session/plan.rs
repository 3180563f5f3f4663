//! What a statement will do, settled at Parse and PREPARE: a question's SQL is found here, once.

use std::sync::Arc;

use crate::{
    backend::{ResultColumn, Value},
    service::conversation::Host,
    sqlite::engine,
    statement::{
        Action, ClientStatement, CommandTag, Control, SessionStatement, Statement, check_parameters,
        first_parameter, recognise,
    },
    wire::Fields,
};

use super::{
    error::SessionError,
    late::Late,
    parameters::{self, ParameterType},
    run::Session,
    sql::Sql,
};

/// A statement that can be run, once or many times.
pub(super) struct Prepared {
    pub(super) plan: Plan,
    /// The parameters' types.
    pub(super) types: Vec<ParameterType>,
    /// The result's columns; empty for a statement that returns no rows, and where nobody needs to know.
    pub(super) columns: Vec<ResultColumn>,
}

/// A prepared statement by its name.
pub(super) struct Named {
    pub(super) prepared: Arc<Prepared>,
    /// Its place in `pg_prepared_statements`.
    _held: Option<engine::Held>,
}

impl Named {
    pub(super) fn new(prepared: Prepared, held: Option<engine::Held>) -> Self {
        Self {
            prepared: Arc::new(prepared),
            _held: held,
        }
    }
}

/// How much has to be known of a statement before it runs.
#[derive(Clone, Copy)]
pub(super) enum Detail<'a> {
    /// Nothing: its columns are told as it runs.
    Nothing,
    /// Its columns and parameters, of which the client declares these types (0 where it does not).
    Described(&'a [u32]),
}

impl<'a> Detail<'a> {
    /// The types that the client declares.
    pub(super) fn declared(self) -> &'a [u32] {
        match self {
            Self::Nothing => &[],
            Self::Described(types) => types,
        }
    }
}

/// What is to be done.
pub(super) enum Plan {
    /// Nothing.
    Empty,
    /// The database runs it.
    Database { sql: Sql, tag: CommandTag },
    /// The session carries it out; spans count in `sql`.
    Session { sql: Sql, statement: SessionStatement },
    /// Querent's own settings.
    Control(Control),
    /// Rows that are known already.
    Report {
        columns: Vec<ResultColumn>,
        rows: Vec<Vec<Value>>,
    },
    /// Feedback on the last question.
    Feedback { action: Action, text: String },
    /// `nl($1)`: the question comes with Bind.
    AskAtBind(Late),
}

impl Prepared {
    /// Something without parameters.
    fn plain(plan: Plan, columns: Vec<ResultColumn>) -> Self {
        Self {
            plan,
            types: vec![],
            columns,
        }
    }

    /// True for a statement of the client's that has no question in it.
    pub(super) fn is_ordinary(&self) -> bool {
        match &self.plan {
            Plan::Database { sql, .. } | Plan::Session { sql, .. } => {
                !sql.is_answer() && sql.guard().is_none()
            }
            _ => false,
        }
    }

    /// True for what a failed transaction still does.
    pub(super) fn ends_transaction(&self) -> bool {
        matches!(
            &self.plan,
            Plan::Session {
                statement: SessionStatement::Commit { .. }
                    | SessionStatement::Rollback { .. }
                    | SessionStatement::RollbackTo(_),
                ..
            }
        )
    }

    /// True for what looks at the database, after which nobody can say what the transaction is.
    pub(super) fn reads(&self) -> bool {
        match &self.plan {
            Plan::Database { .. } | Plan::AskAtBind(_) => true,
            Plan::Session { statement, .. } => matches!(
                statement,
                SessionStatement::Prepare { .. }
                    | SessionStatement::Execute { .. }
                    | SessionStatement::Declare(_)
                    | SessionStatement::Copy(_)
                    | SessionStatement::Explain(_)
            ),
            _ => false,
        }
    }

    /// True for what does not start an implicit transaction.
    pub(super) fn stays_outside(&self) -> bool {
        match &self.plan {
            Plan::Database { sql, tag } => is_outside_transactions(sql.as_str(), tag),
            Plan::Session { statement, .. } => !matches!(
                statement,
                SessionStatement::Declare(_)
                    | SessionStatement::Copy(_)
                    | SessionStatement::Execute { .. }
                    | SessionStatement::Explain(_)
                    | SessionStatement::Fetch { .. }
                    | SessionStatement::Set { .. }
                    | SessionStatement::Reset(_)
            ),
            _ => true,
        }
    }
}

/// The error of a statement with parameters where it cannot have any.
pub(super) fn no_parameter(sql: &str) -> SessionError {
    let number = first_parameter(sql).unwrap_or("1");
    SessionError::failed("42P02", format!("there is no parameter ${number}"))
        .with_hint("Values for parameters can be sent by the extended protocol, or by PREPARE and EXECUTE.")
}

/// A file cannot keep a transaction for later: PostgreSQL says so too where no room is made for them.
fn check_two_phase(words: &str) -> Result<(), SessionError> {
    match words {
        "PREPARE TRANSACTION" | "COMMIT PREPARED" | "ROLLBACK PREPARED" => Err(SessionError::failed(
            "55000",
            "prepared transactions are disabled",
        )
        .with_hint("A SQLite file has none: use COMMIT and ROLLBACK.")),
        _ => Ok(()),
    }
}

/// Commands that SQLite refuses or passes over inside a transaction, as PostgreSQL refuses some of them.
fn is_outside_transactions(sql: &str, tag: &CommandTag) -> bool {
    let pragma = sql.trim_start().get(..6);
    pragma.is_some_and(|word| word.eq_ignore_ascii_case("pragma"))
        || matches!(tag, CommandTag::Words(words) if matches!(words.as_str(), "VACUUM" | "ATTACH" | "DETACH"))
}

impl Session {
    /// Settles what a statement of `text` will do. Asks its questions.
    pub(super) async fn plan(
        &mut self,
        text: &str,
        statement: &ClientStatement,
        detail: Detail<'_>,
    ) -> Result<Prepared, SessionError> {
        let before = text[..statement.span.start].chars().count();
        let own = statement.span.of(text);
        let statement = match statement.statement.clone() {
            Ok(statement) => statement,
            Err(error) => {
                if error.is_of_question() {
                    self.shared.service.refused_unread(&self.who(), own, &error);
                }
                return Err(error.into());
            }
        };
        match statement {
            Statement::Empty => Ok(Prepared::plain(Plan::Empty, vec![])),
            Statement::Control(control) => {
                self.check_not_failed()?;
                let columns = super::control::control_columns(&control);
                Ok(Prepared::plain(Plan::Control(control), columns))
            }
            Statement::Sql => self.plan_sql(Sql::of_client(own, before), detail).await,
            Statement::Question(question) => {
                self.check_not_failed()?;
                self.plan_question(own, before, question, detail).await
            }
        }
    }

    /// Settles what SQL will do, whoever wrote it.
    pub(super) async fn plan_sql(&mut self, sql: Sql, detail: Detail<'_>) -> Result<Prepared, SessionError> {
        let sql = sql.with_declared(detail.declared());
        if sql.is_answer() {
            let tag = CommandTag::Select;
            return self.describe_database(sql, tag, detail).await;
        }
        let recognised = recognise(sql.as_str(), &self.options());
        let recognised = recognised.map_err(|error| {
            let fields = Fields::of(&error);
            let mut placed = fields.clone();
            sql.place(&mut placed, 0);
            SessionError::from(placed)
        })?;
        let statement = match recognised {
            SessionStatement::Empty => return Ok(Prepared::plain(Plan::Empty, vec![])),
            SessionStatement::Ordinary(tag) => {
                self.check_not_failed()?;
                if let CommandTag::Words(words) = &tag {
                    check_two_phase(words)?;
                }
                return self.describe_database(sql, tag, detail).await;
            }
            other => other,
        };
        self.check_within(&sql, &statement)?;
        let prepared = Prepared::plain(Plan::Session { sql, statement }, vec![]);
        if !prepared.ends_transaction() {
            self.check_not_failed()?;
        }
        self.describe_session(prepared, detail).await
    }

    /// Asks the database for columns and parameters.
    async fn describe_database(
        &mut self,
        sql: Sql,
        tag: CommandTag,
        detail: Detail<'_>,
    ) -> Result<Prepared, SessionError> {
        let has_parameters = sql.as_str().contains(['$', '?']);
        if matches!(detail, Detail::Nothing) && !has_parameters {
            return Ok(Prepared::plain(Plan::Database { sql, tag }, vec![]));
        }
        // Here nobody can give them a value, whatever their number.
        if matches!(detail, Detail::Nothing) && check_parameters(sql.as_str()).is_err() {
            return Err(no_parameter(sql.as_str()));
        }
        let found = self.compile(&sql).await?;
        let types = parameters::types(detail.declared(), &found.parameter_types, found.strict);
        let sql = sql.with_resolved(&types);
        Ok(Prepared {
            types,
            columns: found.columns,
            plan: Plan::Database { sql, tag },
        })
    }

    /// Lets the database look at a statement without running it.
    pub(super) async fn compile(&mut self, sql: &Sql) -> Result<engine::Prepared, SessionError> {
        self.publish_settings();
        let connection = Arc::clone(&self.connection);
        self.work(async move {
            let found = connection
                .prepare_generated(sql.as_str(), sql.declared(), sql.generated(0))
                .await;
            found.map_err(|error| sql.locate(&error, 0))
        })
        .await
    }

    /// Refuses what writes where nothing may be written.
    pub(super) fn check_writable(&self, words: &str) -> Result<(), SessionError> {
        if self.reads_only() {
            return Err(SessionError::failed(
                "25006",
                format!("cannot execute {words} in a read-only transaction"),
            ));
        }
        Ok(())
    }

    /// True if nothing may be written.
    pub(super) fn reads_only(&self) -> bool {
        self.transaction.read_only
            || (self.transaction.block() != super::transaction::Block::Explicit
                && self.settings.value("default_transaction_read_only") == "on")
    }

    /// A statement that runs another by its name, with the columns of what that name stands for now. `None` where it has them.
    pub(super) fn named_anew(&self, prepared: &Prepared) -> Option<Prepared> {
        let Plan::Session { sql, statement } = &prepared.plan else {
            return None;
        };
        if !matches!(
            statement,
            SessionStatement::Fetch { .. } | SessionStatement::Execute { .. }
        ) {
            return None;
        }
        let columns = self.session_columns(statement).ok()?;
        (columns != prepared.columns).then(|| Prepared {
            plan: Plan::Session {
                sql: sql.clone(),
                statement: statement.clone(),
            },
            types: prepared.types.clone(),
            columns,
        })
    }

    /// Columns and parameters of a statement that the session carries out.
    async fn describe_session(
        &mut self,
        mut prepared: Prepared,
        detail: Detail<'_>,
    ) -> Result<Prepared, SessionError> {
        if matches!(detail, Detail::Nothing) {
            return Ok(prepared);
        }
        let Plan::Session { sql, statement } = &prepared.plan else {
            return Ok(prepared);
        };
        let inner = match statement {
            SessionStatement::Explain(explain) => Some(sql.part(explain.query)).filter(|query| {
                let inner = recognise(query.as_str(), &self.options());
                !matches!(inner, Ok(SessionStatement::Execute { .. }))
            }),
            SessionStatement::Declare(cursor) => Some(sql.part(cursor.query)),
            _ => None,
        };
        prepared.columns = self.session_columns(statement)?;
        if let Some(inner) = inner {
            let found = self.compile(&inner).await?;
            prepared.types = parameters::types(detail.declared(), &found.parameter_types, found.strict);
            if let Plan::Session { sql, .. } = &mut prepared.plan {
                *sql = sql.clone().with_resolved(&prepared.types);
            }
        }
        Ok(prepared)
    }
}
