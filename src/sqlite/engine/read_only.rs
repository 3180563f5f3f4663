//! Reading alone on a connection that may write, for as long as a question runs.
//!
//! `PRAGMA query_only` does not serve here: setting it makes every statement of the connection that is at work out of date, and
//! one of these that opens a table later ends by `abort due to ROLLBACK`, a client's own cursors among them.

use rusqlite::{Connection, Error, Result, Statement, ffi};
use sqlparser::dialect::PostgreSqlDialect;

use super::{Options, bounds, command::Request, open::Guarded, sqlites_own, translation::names_sqlites};
use crate::{
    backend::BackendError,
    sqlite::catalog,
    statement::{self, CommandTag, SessionStatement, grammar, recognise, sqlite_lexer::of_client},
};

/// The bounds of questions on the session's own connection, for as long as this lives.
pub(super) struct Bounded<'c> {
    connection: &'c Connection,
    before: Option<bounds::Bounds>,
}

impl<'c> Bounded<'c> {
    pub(super) fn during(guarded: &'c Guarded, options: &Options) -> Self {
        let connection = &guarded.connection;
        let before = exchange(connection, bounds::of_questions(options));
        Self { connection, before }
    }
}

impl Drop for Bounded<'_> {
    fn drop(&mut self) {
        if let Some(before) = self.before {
            exchange(self.connection, before);
        }
    }
}

fn exchange(connection: &Connection, bounds: bounds::Bounds) -> Option<bounds::Bounds> {
    let before = bounds::exchange(connection, bounds);
    if let Err(error) = &before {
        tracing::warn!(%error, "could not bound the values of a statement");
    }
    before.ok()
}

/// Refuses what SQLite itself says may write: where a question asks for it, which the authorizer has refused before, and in a
/// client's READ ONLY transaction, whatever stands around it. A plan is only told.
///
/// A session's temporary tables are no part of the database: their rows may be written there too, as in PostgreSQL.
pub(super) fn check(
    guarded: &Guarded,
    statement: &Statement<'_>,
    (sql, request): (&str, &Request),
) -> Result<()> {
    if statement.readonly() {
        return Ok(());
    }
    if request.mode.is_question() {
        return Err(refused());
    }
    if !request.may_write && statement.is_explain() == 0 {
        // One that was kept was not asked about again.
        let (compiled, is_own) = guarded.guard.only_own_rows(|| guarded.connection.prepare(sql));
        compiled?;
        if is_own && !is_utility(&request.sql) {
            return Ok(());
        }
        return Err(Error::UserFunctionError(Box::new(in_transaction(&request.sql))));
    }
    Ok(())
}

/// True for what is no query and writes no single rows: TRUNCATE, and what defines something.
fn is_utility(sql: &str) -> bool {
    let recognised = recognise(sql, &statement::Options::default());
    matches!(
        recognised,
        Ok(SessionStatement::Ordinary(CommandTag::Words(_))) | Err(_)
    )
}

/// Refuses what would be read by SQLite's rules alone under PostgreSQL's words, where LIKE, `/` and `"x"` mean something
/// else; and rows that would be written so, now or by a trigger: nothing would have looked at their values.
pub(super) fn check_understood(statement: &Statement<'_>, sql: &str) -> Result<()> {
    if let Some(kind) = sqlites_own::StatementKind::of(sql).filter(|_| !is_postgresqls(sql)) {
        let is_query = kind == sqlites_own::StatementKind::Query;
        // Tools read the catalogue in words of many kinds, and mean no values by them.
        let is_tools = is_query && catalog::is_read(sql);
        let is_sqlites = is_tools || names_sqlites(sql) || sqlites_own::is_there(sql);
        let is_judged = statement.readonly() || !is_query;
        if is_judged && !is_sqlites {
            return Err(not_understood(kind.words()));
        }
    }
    let tag = match recognise(sql, &statement::Options::default()) {
        Ok(SessionStatement::Ordinary(tag)) if !statement.readonly() => tag,
        _ => return Ok(()),
    };
    if writes_by_trigger(sql) {
        let message = "a trigger that writes values is not supported on a SQLite file in PostgreSQL's words";
        let error = BackendError::new("0A000", message)
            .with_detail("Nothing would look whether the values fit the types of their columns.")
            .with_hint("SET querent.dialect = sqlite makes triggers that write by SQLite's rules alone.");
        return Err(Error::UserFunctionError(Box::new(error)));
    }
    if matches!(tag, CommandTag::Select | CommandTag::Words(_)) || names_sqlites(sql) {
        return Ok(());
    }
    Err(not_understood(tag.complete(0).trim_end_matches(" 0")))
}

/// True for a text that is a statement in PostgreSQL's words, whatever became of it.
fn is_postgresqls(sql: &str) -> bool {
    grammar::read(&PostgreSqlDialect {}, sql, |statements| !statements.is_empty()).unwrap_or_default()
}

fn not_understood(words: &str) -> Error {
    let message = format!("this form of {words} is not PostgreSQL's, or not supported on a SQLite file");
    let error = BackendError::new("0A000", message).with_hint(
        "Write it in PostgreSQL's words, or SET querent.dialect = sqlite to have SQLite's own run as they stand.",
    );
    Error::UserFunctionError(Box::new(error))
}

/// True for CREATE TRIGGER with a statement in its body that writes values.
fn writes_by_trigger(sql: &str) -> bool {
    let is = |at: usize, word: &str| {
        of_client(sql)
            .nth(at)
            .is_some_and(|token| token.eq_ignore_ascii_case(word))
    };
    // It may be TEMPORARY.
    let is_trigger = is(0, "create") && (is(1, "trigger") || is(2, "trigger"));
    let begins = |token: &str| token == ";" || token.eq_ignore_ascii_case("begin");
    let writes = |token: &str| {
        ["insert", "replace", "update"]
            .iter()
            .any(|word| word.eq_ignore_ascii_case(token))
    };
    is_trigger
        && of_client(sql)
            .zip(of_client(sql).skip(1))
            .any(|(before, token)| begins(before) && writes(token))
}

/// The error of a client's statement that writes in a READ ONLY transaction.
pub(super) fn in_transaction(sql: &str) -> BackendError {
    let words = match recognise(sql, &statement::Options::default()) {
        Ok(SessionStatement::Ordinary(tag)) => tag.complete(0).trim_end_matches(" 0").to_owned(),
        _ => "this statement".to_owned(),
    };
    refused_in_transaction(&words)
}

/// The same of something that is called so.
pub(super) fn refused_in_transaction(words: &str) -> BackendError {
    BackendError::new(
        "25006",
        format!("cannot execute {words} in a read-only transaction"),
    )
}

/// The error of a statement that writes where nothing may be written: what the authorizer says too.
pub(super) fn refused() -> Error {
    Error::SqliteFailure(
        ffi::Error::new(ffi::SQLITE_AUTH),
        Some("permission denied: the SQL of a question may only read".to_owned()),
    )
}
