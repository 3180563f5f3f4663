//! SQL on its way to the database: what of it was generated, under which guard it runs, and where it came from.

use std::{
    ops::Range,
    sync::{Arc, Mutex, PoisonError},
};

use crate::{
    backend::{BackendError, SqlType},
    question::{schema::Snapshot, validator::ValidatedSql},
    service::audit::Asked,
    sqlite::engine,
    statement::{Origin, Rewritten, Span},
    wire::Fields,
};

use super::{error::SessionError, parameters::ParameterType};

/// SQL on its way to the database, and the way back for positions in errors.
#[derive(Clone)]
pub(super) struct Sql {
    /// A whole statement.
    text: Arc<str>,
    /// The part of it that is meant.
    span: Span,
    origin: Arc<SqlOrigin>,
    /// The questions in it, as the audit knows them.
    asked: Arc<[Arc<Asked>]>,
    /// Which policy they were answered under (`conversation::ConfigSnapshot::policy`).
    policy: u64,
    /// The answers in it, as they were judged last.
    answers: Arc<Mutex<Arc<[ValidatedSql]>>>,
    /// The types that the client declares of its parameters.
    declared: Arc<[Option<SqlType>]>,
    /// The types of its parameters as they were settled when it was prepared; empty where SQLite's own rules count.
    resolved: Arc<[Option<SqlType>]>,
}

/// Where SQL comes from.
enum SqlOrigin {
    /// The client wrote it, behind so many characters.
    Client { before: usize },
    /// It is the answer to a question, and nothing else.
    Generated(ValidatedSql),
    /// The client wrote it around answers.
    Enclosing {
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
        Self::whole(text, SqlOrigin::Client { before })
    }

    /// An answer as it stands.
    pub(super) fn of_answer(sql: ValidatedSql) -> Self {
        let text = sql.as_str().to_owned();
        Self::whole(&text, SqlOrigin::Generated(sql.clone())).with_answers(vec![sql])
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
        let source = SqlOrigin::Enclosing {
            before,
            statement: statement.to_owned(),
            rewritten,
            generated,
            guard,
        };
        Self::whole(&text, source)
    }

    fn whole(text: &str, source: SqlOrigin) -> Self {
        Self {
            text: text.into(),
            span: Span {
                start: 0,
                end: text.len(),
            },
            origin: Arc::new(source),
            asked: Arc::default(),
            policy: 0,
            answers: Arc::default(),
            declared: Arc::default(),
            resolved: Arc::default(),
        }
    }

    /// The same with these answers in it; the one whose guard it runs under comes first.
    pub(super) fn with_answers(self, answers: Vec<ValidatedSql>) -> Self {
        Self {
            answers: Arc::new(Mutex::new(answers.into())),
            ..self
        }
    }

    /// The answers in it, as they were judged last.
    pub(super) fn answers(&self) -> Arc<[ValidatedSql]> {
        Arc::clone(&self.answers.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Judges them by what there is now; false where one may not run any more, or would have to run otherwise.
    pub(super) fn judge_anew(&self, snapshot: &Snapshot) -> bool {
        let anew = |answer: &ValidatedSql| answer.judged_anew(&snapshot.schema, snapshot.dialect);
        let judged: Option<Vec<ValidatedSql>> = self.answers().iter().map(anew).collect();
        let Some(judged) = judged else { return false };
        *self.answers.lock().unwrap_or_else(PoisonError::into_inner) = judged.into();
        true
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
        let asks = !matches!(&*self.origin, SqlOrigin::Client { .. });
        asks.then_some(self.policy)
    }

    /// The questions in it, as the audit knows them.
    pub(super) fn asked(&self) -> &[Arc<Asked>] {
        &self.asked
    }

    /// The same, with the types that the client declares of its parameters (0 where it does not).
    pub(super) fn with_declared(self, declared: &[u32]) -> Self {
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

    /// The same, with the types of its parameters as they are settled now.
    pub(super) fn with_resolved(self, types: &[ParameterType]) -> Self {
        if types.iter().all(|ty| !ty.is_strict()) {
            return self;
        }
        Self {
            resolved: types.iter().map(|ty| SqlType::from_oid(ty.oid)).collect(),
            ..self
        }
    }

    /// The types by which the values of its parameters are read.
    pub(super) fn resolved(&self) -> &Arc<[Option<SqlType>]> {
        &self.resolved
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

    /// Other words for all of it, as long as its own.
    pub(super) fn in_place(&self, text: &str) -> Self {
        let mut whole = self.text.to_string();
        whole.replace_range(self.span.start..self.span.end, text);
        Self {
            text: whole.into(),
            ..self.clone()
        }
    }

    /// Which of it was generated, with so many bytes before it.
    pub(super) fn generated(&self, before: usize) -> engine::Generated {
        use engine::Generated;
        match &*self.origin {
            SqlOrigin::Client { .. } => Generated::Nothing,
            SqlOrigin::Generated(_) => Generated::All,
            SqlOrigin::Enclosing { rewritten, .. } => {
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
            SqlOrigin::Client { .. } => None,
            SqlOrigin::Generated(sql) => Some(sql),
            SqlOrigin::Enclosing { guard, .. } => guard.as_ref(),
        }
    }

    /// The same with each row as one value of JSON in a column `nl`. Nothing in it is called `alias`.
    pub(super) fn by_row(&self, alias: &str) -> Self {
        let before = format!("SELECT pg_catalog.row_to_json(\"{alias}\") AS nl FROM (");
        let after = format!("\n) AS \"{alias}\"");
        let (before_client, statement, rewritten, generated, guard) = match &*self.origin {
            SqlOrigin::Client { .. } => {
                unreachable!("only what holds an answer is described without its columns")
            }
            SqlOrigin::Generated(sql) => {
                let (text, rewritten) = (sql.as_str(), Rewritten::answer(sql.as_str()));
                (
                    0,
                    String::new(),
                    rewritten,
                    vec![text.to_owned()],
                    Some(sql.clone()),
                )
            }
            SqlOrigin::Enclosing {
                before,
                statement,
                rewritten,
                generated,
                guard,
            } => (
                *before,
                statement.clone(),
                rewritten.clone(),
                generated.clone(),
                guard.clone(),
            ),
        };
        let rewritten = rewritten.within(&before, &after);
        Self {
            asked: Arc::clone(&self.asked),
            policy: self.policy,
            answers: Arc::clone(&self.answers),
            declared: Arc::clone(&self.declared),
            resolved: Arc::clone(&self.resolved),
            ..Self::around(&statement, before_client, rewritten, generated, guard)
        }
    }

    /// True if it is an answer and nothing else.
    pub(super) fn is_answer(&self) -> bool {
        matches!(&*self.origin, SqlOrigin::Generated(_))
    }

    /// The database's error with its position moved to where the client can look. `added` characters stood
    /// in front of the SQL when it was run.
    pub(super) fn locate(&self, error: &BackendError, added: usize) -> SessionError {
        let mut fields = Fields::of(error);
        self.place(&mut fields, added);
        fields.into()
    }

    pub(super) fn place(&self, fields: &mut Fields, added: usize) {
        let character = fields
            .position
            .take()
            .and_then(|position| position.checked_sub(added + 1));
        // In characters of the whole text.
        let character = character.map(|at| at + self.text[..self.span.start].chars().count());
        match &*self.origin {
            SqlOrigin::Client { before } => {
                fields.position = character.map(|at| before + at + 1);
            }
            SqlOrigin::Generated(sql) => {
                fields.internal = Some((sql.as_str().to_owned(), character.map(|at| at + 1)));
            }
            SqlOrigin::Enclosing {
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
