//! Clients' statements in SQLite's words, remembered by their text for one version of the schema.

use std::{
    cell::{Cell, RefCell},
    collections::HashMap,
    rc::Rc,
};

use rusqlite::Connection;

use super::{
    answers::Hidden,
    errors,
    names::{Numbers, Relations, Schema},
    version::{ReadLock, locked_version, others},
    views::Views,
};
use crate::{
    backend::{BackendError, SqlType},
    question::schema::Snapshot,
    sqlite::{
        decltype::type_of,
        translate::{self, Outcome, Translated, Ty},
    },
    statement::sqlite_lexer::of_client,
};

/// Statements that are remembered per connection.
const REMEMBERED: usize = 512;
/// What a translation leaves alone in front of a statement.
const PLAN: &str = "EXPLAIN QUERY PLAN ";
/// Statements that are translated begin with one of these.
const WORDS: [&str; 22] = [
    "select",
    "with",
    "values",
    "insert",
    "update",
    "delete",
    "create",
    "drop",
    "truncate",
    "table",
    "explain",
    "(",
    "alter",
    "set",
    "lock",
    "merge",
    "reindex",
    "vacuum",
    "analyze",
    "analyse",
    "cluster",
    "checkpoint",
];

/// What is known of a statement's translation.
#[derive(Debug)]
#[expect(clippy::large_enum_variant, reason = "there is one of them at a time")]
pub(super) enum Translation {
    /// It runs as it stands.
    AsItStands,
    /// SQLite runs this instead.
    Translated(Translated),
    /// It does not run.
    Refused(BackendError),
}

/// The translations of a connection.
#[derive(Debug, Default)]
pub(super) struct Translations {
    /// By their text.
    known: RefCell<HashMap<String, Vec<Remembered>>>,
    relations: RefCell<Relations>,
    numbers: RefCell<Numbers>,
    views: RefCell<Option<Views>>,
    version: Cell<(i64, i64)>,
}

/// A translation, and the types that the client declared of the statement's parameters.
type Remembered = (Vec<Option<SqlType>>, Rc<Translation>);

/// A statement's translation, and the lock under which it is true.
pub(super) struct LockedTranslation<'c> {
    pub(super) known: Rc<Translation>,
    /// Held while the statement begins, so that the schema stays as it was read and is not locked twice.
    pub(super) lock: Option<ReadLock<'c>>,
}

impl LockedTranslation<'_> {
    /// For what is not translated.
    pub(super) fn as_it_stands() -> Self {
        Self {
            known: Rc::new(Translation::AsItStands),
            lock: None,
        }
    }
}

impl Translations {
    /// The translation of a statement around answers, which is not remembered.
    pub(super) fn around<'c>(
        connection: &'c Connection,
        hidden: &Hidden<'_>,
        declared: &[Option<SqlType>],
        snapshot: impl Fn() -> Option<Snapshot>,
    ) -> rusqlite::Result<LockedTranslation<'c>> {
        let statement = hidden.text.strip_prefix(PLAN).unwrap_or(&hidden.text);
        if !is_for_us(statement) {
            return Ok(LockedTranslation::as_it_stands());
        }
        let (_, lock) = locked_version(connection)?;
        let types: Vec<Option<Ty>> = declared.iter().map(|ty| ty.and_then(type_of)).collect();
        let (mut relations, mut numbers) = (Relations::new(), None);
        let schema = Schema {
            connection,
            snapshot: &snapshot,
            relations: RefCell::new(&mut relations),
            numbers: RefCell::new(&mut numbers),
            answers: Some(hidden),
            failed: Cell::new(false),
        };
        let is_plan = hidden.text.len() > statement.len();
        let known = translated(&schema, statement, is_plan, &types);
        let known = match bounded(known, connection, &Views::of(connection)?) {
            Translation::Translated(translated) => Translation::Translated(translated),
            Translation::Refused(error) => Translation::Refused(BackendError {
                position: error.position.map(|position| hidden.original_position(position)),
                ..error
            }),
            Translation::AsItStands => Translation::AsItStands,
        };
        Ok(LockedTranslation {
            known: Rc::new(known),
            lock: Some(lock),
        })
    }

    /// The statement's translation. `declared` are the types that the client gives its parameters.
    pub(super) fn of<'c>(
        &self,
        connection: &'c Connection,
        sql: &str,
        declared: &[Option<SqlType>],
        snapshot: impl Fn() -> Option<Snapshot>,
    ) -> rusqlite::Result<LockedTranslation<'c>> {
        let statement = sql.strip_prefix(PLAN).unwrap_or(sql);
        if !is_for_us(statement) {
            return Ok(LockedTranslation::as_it_stands());
        }
        let (own, lock) = locked_version(connection)?;
        let version = (own, others(connection));
        let mut known = self.known.borrow_mut();
        let mut relations = self.relations.borrow_mut();
        let mut numbers = self.numbers.borrow_mut();
        if self.version.replace(version) != version || known.len() >= REMEMBERED {
            known.clear();
            relations.clear();
            *numbers = None;
            self.views.take();
        }
        let found = known
            .get(sql)
            .and_then(|found| found.iter().find(|(types, _)| types == declared))
            .map(|(_, known)| Rc::clone(known));
        if let Some(known) = found {
            return Ok(LockedTranslation {
                known,
                lock: Some(lock),
            });
        }
        let types: Vec<Option<Ty>> = declared.iter().map(|ty| ty.and_then(type_of)).collect();
        let schema = Schema {
            connection,
            snapshot: &snapshot,
            relations: RefCell::new(&mut relations),
            numbers: RefCell::new(&mut numbers),
            answers: None,
            failed: Cell::new(false),
        };
        let found = translated(&schema, statement, sql.len() > statement.len(), &types);
        let mut views = self.views.borrow_mut();
        let views = match &mut *views {
            Some(views) => views,
            none => none.insert(Views::of(connection)?),
        };
        let found = Rc::new(bounded(found, connection, views));
        // A sequence comes without a change of the schema.
        let is_missing = |error: &BackendError| error.sqlstate == "42P01";
        if !matches!(&*found, Translation::Refused(error) if is_missing(error)) {
            let all = known.entry(sql.to_owned()).or_default();
            all.push((declared.to_vec(), Rc::clone(&found)));
        }
        Ok(LockedTranslation {
            known: found,
            lock: Some(lock),
        })
    }
}

/// A translation, or why SQLite would have too many views to put in place for it.
fn bounded(translation: Translation, connection: &Connection, views: &Views) -> Translation {
    let refused = match &translation {
        Translation::Translated(translated) => {
            let steps = translated.before.iter().map(|step| step.sql.as_str());
            let mut all = steps.chain([translated.sql.as_str()]);
            all.find_map(|sql| views.check(connection, sql).err())
        }
        _ => None,
    };
    match refused {
        Some(error) => Translation::Refused(errors::from_sqlite(&error, "")),
        None => translation,
    }
}

fn translated(schema: &Schema<'_>, sql: &str, is_plan: bool, types: &[Option<Ty>]) -> Translation {
    let outcome = translate::translate(sql, schema, types);
    if schema.failed.get() {
        // Why the schema cannot be read, the statement itself will tell.
        return Translation::AsItStands;
    }
    match outcome {
        Outcome::AsItStands => Translation::AsItStands,
        Outcome::Translated(translated) if is_plan => Translation::Translated(Translated {
            // A plan is told only: nothing runs before it.
            before: vec![],
            sql: format!("{PLAN}{}", translated.sql),
            columns: vec![],
            locks: None,
            ..translated
        }),
        Outcome::Translated(translated) => Translation::Translated(translated),
        Outcome::Refused(refusal) => {
            let shift = if is_plan { PLAN.len() } else { 0 };
            Translation::Refused(BackendError {
                detail: refusal.detail,
                hint: refusal.hint,
                position: refusal.position.map(|position| position + shift),
                ..BackendError::new(refusal.sqlstate, refusal.message)
            })
        }
    }
}

/// True for what may be PostgreSQL's: what asks SQLite's own catalogue is not.
fn is_for_us(sql: &str) -> bool {
    let start = sql.trim_start();
    let begins = WORDS.iter().any(|word| {
        start
            .get(..word.len())
            .is_some_and(|first| first.eq_ignore_ascii_case(word))
    });
    // A comment may stand in front of anything.
    (begins || start.starts_with("--") || start.starts_with("/*")) && !names_sqlites(sql)
}

/// True for a statement that names something of SQLite's, outside its strings.
pub(super) fn names_sqlites(sql: &str) -> bool {
    const PREFIX: &str = "sqlite_";
    let is_there = sql
        .as_bytes()
        .windows(PREFIX.len())
        .any(|window| window.eq_ignore_ascii_case(PREFIX.as_bytes()));
    is_there
        && of_client(sql).any(|token| {
            let name = token.trim_start_matches('"');
            name.get(..PREFIX.len())
                .is_some_and(|start| start.eq_ignore_ascii_case(PREFIX))
        })
}
