//! What a statement will do, settled at Parse and PREPARE: a question's SQL is found here, once.

use std::{ops::Range, sync::Arc};

use crate::{
    audit::Asked,
    backend::{BackendError, ResultColumn, SqlType, Value, sqlite},
    statement::{
        Action, ClientStatement, CommandTag, Control, Origin, Question, Rewritten, SessionStatement, Span,
        Statement, recognise,
    },
    validator::ValidatedSql,
    wire::Fields,
};

use super::{
    parameters::{self, ParameterType},
    run::Session,
    stop::Stop,
};

/// A statement that can be run, once or many times.
pub(super) struct Prepared {
    pub(super) plan: Plan,
    /// The parameters' types.
    pub(super) types: Vec<ParameterType>,
    /// The result's columns; empty for a statement that returns no rows, and where nobody needs to know.
    pub(super) columns: Vec<ResultColumn>,
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
    AskAtBind {
        text: String,
        before: usize,
        question: Question,
    },
}

/// SQL on its way to the database, and the way back for positions in errors.
#[derive(Clone)]
pub(super) struct Sql {
    /// A whole statement.
    text: Arc<str>,
    /// The part of it that is meant.
    span: Span,
    origin: Arc<Source>,
    /// The questions in it, as the audit knows them.
    asked: Arc<[Arc<Asked>]>,
    /// Which policy they were answered under (`conversation::Now::policy`).
    policy: u64,
    /// The types that the client declares of its parameters.
    declared: Arc<[Option<SqlType>]>,
}

/// Where SQL comes from.
enum Source {
    /// The client wrote it, behind so many characters.
    Client { before: usize },
    /// It is the answer to a question, and nothing else.
    Generated(ValidatedSql),
    /// The client wrote it around answers.
    Around {
        before: usize,
        statement: String,
        rewritten: Rewritten,
        /// One text per question.
        generated: Vec<String>,
        /// The guard to run it under; `None` where only reports or a writing statement stand around.
        guard: Option<ValidatedSql>,
    },
}

impl Sql {
    /// The client's own, after so many characters of its text.
    pub(super) fn of_client(text: &str, before: usize) -> Self {
        Self::whole(text, Source::Client { before })
    }

    /// An answer as it stands.
    pub(super) fn of_answer(sql: ValidatedSql) -> Self {
        Self::whole(sql.as_str().to_owned().as_str(), Source::Generated(sql))
    }

    /// A statement into which answers were written.
    pub(super) fn around(
        statement: &str,
        before: usize,
        rewritten: Rewritten,
        generated: Vec<String>,
        guard: Option<ValidatedSql>,
    ) -> Self {
        let text = rewritten.text().to_owned();
        let source = Source::Around {
            before,
            statement: statement.to_owned(),
            rewritten,
            generated,
            guard,
        };
        Self::whole(&text, source)
    }

    fn whole(text: &str, source: Source) -> Self {
        Self {
            text: text.into(),
            span: Span {
                start: 0,
                end: text.len(),
            },
            origin: Arc::new(source),
            asked: Arc::default(),
            policy: 0,
            declared: Arc::default(),
        }
    }

    /// The same, with the questions in it as the audit knows them, answered under this policy.
    pub(super) fn with_asked(self, asked: Vec<Arc<Asked>>, policy: u64) -> Self {
        Self {
            asked: asked.into(),
            policy,
            ..self
        }
    }

    /// Which policy its questions were answered under; `None` where it has none.
    pub(super) fn policy(&self) -> Option<u64> {
        let asks = !matches!(&*self.origin, Source::Client { .. });
        asks.then_some(self.policy)
    }

    /// The questions in it, as the audit knows them.
    pub(super) fn asked(&self) -> &[Arc<Asked>] {
        &self.asked
    }

    /// The same, with the types that the client declares of its parameters (0 where it does not).
    fn with_declared(self, declared: &[u32]) -> Self {
        if declared.is_empty() {
            return self;
        }
        Self {
            declared: declared.iter().map(|oid| SqlType::from_oid(*oid)).collect(),
            ..self
        }
    }

    /// The types that the client declares of its parameters.
    pub(super) fn declared(&self) -> &[Option<SqlType>] {
        &self.declared
    }

    /// The SQL.
    pub(super) fn as_str(&self) -> &str {
        self.span.of(&self.text)
    }

    /// A part of it; the span counts in [`Sql::as_str`].
    pub(super) fn part(&self, span: Span) -> Self {
        Self {
            span: Span {
                start: self.span.start + span.start,
                end: self.span.start + span.end,
            },
            ..self.clone()
        }
    }

    /// Which of it was generated, with so many bytes before it.
    pub(super) fn generated(&self, before: usize) -> sqlite::Generated {
        use sqlite::Generated;
        match &*self.origin {
            Source::Client { .. } => Generated::Nothing,
            Source::Generated(_) => Generated::All,
            Source::Around { rewritten, .. } => {
                let within =
                    |place: &Range<usize>| self.span.start <= place.start && place.end <= self.span.end;
                let moved = |at: usize| at - self.span.start + before;
                let places: Vec<_> = rewritten
                    .generated()
                    .filter(within)
                    .map(|place| moved(place.start)..moved(place.end))
                    .collect();
                if places.is_empty() {
                    Generated::Nothing
                } else {
                    Generated::Parts(places)
                }
            }
        }
    }

    /// The answer in it, under whose guard it runs.
    pub(super) fn guard(&self) -> Option<&ValidatedSql> {
        match &*self.origin {
            Source::Client { .. } => None,
            Source::Generated(sql) => Some(sql),
            Source::Around { guard, .. } => guard.as_ref(),
        }
    }

    /// True if it is an answer and nothing else.
    pub(super) fn is_answer(&self) -> bool {
        matches!(&*self.origin, Source::Generated(_))
    }

    /// The database's error with its position moved to where the client can look. `added` characters stood
    /// in front of the SQL when it was run.
    pub(super) fn locate(&self, error: &BackendError, added: usize) -> Stop {
        let mut fields = Fields::of(error);
        self.place(&mut fields, added);
        fields.into()
    }

    fn place(&self, fields: &mut Fields, added: usize) {
        let character = fields
            .position
            .take()
            .and_then(|position| position.checked_sub(added + 1));
        // In characters of the whole text.
        let character = character.map(|at| at + self.text[..self.span.start].chars().count());
        match &*self.origin {
            Source::Client { before } => {
                fields.position = character.map(|at| before + at + 1);
            }
            Source::Generated(sql) => {
                fields.internal = Some((sql.as_str().to_owned(), character.map(|at| at + 1)));
            }
            Source::Around {
                before,
                statement,
                rewritten,
                generated,
                ..
            } => {
                let Some(character) = character else { return };
                let byte = self
                    .text
                    .char_indices()
                    .nth(character)
                    .map_or(self.text.len(), |(byte, _)| byte);
                match rewritten.origin(byte) {
                    Origin::Client(byte) => {
                        let at = statement[..byte.min(statement.len())].chars().count();
                        fields.position = Some(before + at + 1);
                    }
                    Origin::Generated { asked, offset } => {
                        let sql = &generated[asked];
                        let at = sql[..offset.min(sql.len())].chars().count();
                        fields.internal = Some((sql.clone(), Some(at + 1)));
                    }
                }
            }
        }
    }
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
    ) -> Result<Prepared, Stop> {
        let before = text[..statement.span.start].chars().count();
        let own = statement.span.of(text);
        let statement = match statement.statement.clone() {
            Ok(statement) => statement,
            Err(error) => {
                if error.is_of_question() {
                    self.shared.live.refused_unread(&self.who(), own, &error);
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
    pub(super) async fn plan_sql(&mut self, sql: Sql, detail: Detail<'_>) -> Result<Prepared, Stop> {
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
            Stop::from(placed)
        })?;
        let statement = match recognised {
            SessionStatement::Empty => return Ok(Prepared::plain(Plan::Empty, vec![])),
            SessionStatement::Ordinary(tag) => {
                self.check_not_failed()?;
                return self.describe_database(sql, tag, detail).await;
            }
            other => other,
        };
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
    ) -> Result<Prepared, Stop> {
        let has_parameters = sql.as_str().contains(['$', '?']);
        if matches!(detail, Detail::Nothing) && !has_parameters && !self.reads_only() {
            return Ok(Prepared::plain(Plan::Database { sql, tag }, vec![]));
        }
        let found = self.compile(&sql).await?;
        if self.reads_only() && !found.read_only {
            let tag = tag.complete(0);
            let words = tag.trim_end_matches(" 0");
            return Err(Stop::failed(
                "25006",
                format!("cannot execute {words} in a read-only transaction"),
            ));
        }
        Ok(Prepared {
            types: parameters::types(detail.declared(), &found.parameter_types, found.strict),
            columns: found.columns,
            plan: Plan::Database { sql, tag },
        })
    }

    /// Lets the database look at a statement without running it.
    async fn compile(&mut self, sql: &Sql) -> Result<sqlite::Prepared, Stop> {
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
    pub(super) fn check_writable(&self, words: &str) -> Result<(), Stop> {
        if self.reads_only() {
            return Err(Stop::failed(
                "25006",
                format!("cannot execute {words} in a read-only transaction"),
            ));
        }
        Ok(())
    }

    /// True if nothing may be written.
    fn reads_only(&self) -> bool {
        self.transaction.read_only
            || (self.transaction.block() != super::transaction::Block::Explicit
                && self.settings.value("default_transaction_read_only") == "on")
    }

    /// Columns and parameters of a statement that the session carries out.
    async fn describe_session(
        &mut self,
        mut prepared: Prepared,
        detail: Detail<'_>,
    ) -> Result<Prepared, Stop> {
        if matches!(detail, Detail::Nothing) {
            return Ok(prepared);
        }
        let Plan::Session { sql, statement } = &prepared.plan else {
            return Ok(prepared);
        };
        let inner = match statement {
            SessionStatement::Explain(explain) => Some(sql.part(explain.query)),
            SessionStatement::Declare(cursor) => Some(sql.part(cursor.query)),
            _ => None,
        };
        prepared.columns = self.session_columns(statement)?;
        if let Some(inner) = inner {
            let found = self.compile(&inner).await?;
            prepared.types = parameters::types(detail.declared(), &found.parameter_types, found.strict);
        }
        Ok(prepared)
    }
}
