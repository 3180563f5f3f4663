//! That the database is still what questions were judged by: somebody may replace a table by a view that runs code of theirs
//! while a question is thought about. So what reads tables for a question locks them first, without planning or running
//! anything, then looks whether anything has changed since, and only then runs. What is locked stays what it is.

use std::{sync::LazyLock, time::Duration};

use async_trait::async_trait;
use ring::rand::{SecureRandom, SystemRandom};

use super::{
    Querier, Query, Rows,
    introspect::SETTINGS,
    schemas::{LASTING, NO_TEMPORARY, TEMPORARY, hexadecimal},
};
use crate::{
    backend::BackendError,
    question::{
        schema::{Dialect, Schema},
        validator::ValidatedSql,
    },
};

/// In the error of the server's where something has changed.
const CHANGED: &str = "querent_changed";

/// A condition that holds where the catalogue, the users and the search path are what they were for the snapshot that
/// has this [`SessionSnapshot::catalogue`], as far as the transaction sees. Temporary tables may have come that hide no other
/// one: reading one runs nothing. It is of ASCII characters alone, and without backslashes, so that it means the same whatever
/// the session's settings are.
pub fn is_unchanged(catalog: &str) -> String {
    let (lasting, temporary) = catalog.split_once(' ').unwrap_or((catalog, ""));
    let harmless = "NOT EXISTS (SELECT FROM pg_catalog.pg_class AS c \
        WHERE c.relnamespace OPERATOR(pg_catalog.=) pg_catalog.pg_my_temp_schema() \
        AND (c.relkind OPERATOR(pg_catalog.<>) ALL (ARRAY['r', 'i', 'S']::pg_catalog.\"char\"[]) OR c.relrowsecurity \
        OR EXISTS (SELECT FROM pg_catalog.pg_class AS h WHERE h.relname OPERATOR(pg_catalog.=) c.relname \
        AND h.relpersistence OPERATOR(pg_catalog.<>) 't'::pg_catalog.\"char\")))";
    // Where there were no temporary tables, none are harmless too: what is not asked need not be planned.
    let temporary = if temporary == hexadecimal(NO_TEMPORARY) {
        harmless.to_owned()
    } else {
        format!(
            "(pg_catalog.encode(pg_catalog.convert_to(\n{TEMPORARY}, 'UTF8'), 'hex') OPERATOR(pg_catalog.=) '{temporary}' \
             OR {harmless})"
        )
    };
    format!(
        "(pg_catalog.encode(pg_catalog.convert_to(pg_catalog.concat_ws(' ',\n{LASTING}, CURRENT_USER, SESSION_USER, \
         pg_catalog.array_to_string(ARRAY( \
         SELECT s.name::pg_catalog.text FROM pg_catalog.unnest(pg_catalog.current_schemas(true)) WITH ORDINALITY AS s (name, at) \
         WHERE s.name::pg_catalog.text OPERATOR(pg_catalog.!~) '^pg_temp_' ORDER BY s.at), \
         pg_catalog.chr(1))), 'UTF8'), 'hex') OPERATOR(pg_catalog.=) '{lasting}' AND {temporary})"
    )
}

/// The same, but it never holds in a transaction that sees only what was there when it began.
pub fn is_seen_unchanged(catalog: &str) -> String {
    format!(
        "(pg_catalog.current_setting('transaction_isolation') \
         OPERATOR(pg_catalog.=) ANY (ARRAY['read committed', 'read uncommitted']::pg_catalog.text[]) AND {})",
        is_unchanged(catalog)
    )
}

/// As [`is_unchanged`], for what was judged just now: where no transaction has changed anything at all since then, that is known
/// at once. `sees` are the transactions that it saw.
pub fn is_still_unchanged(catalog: &str, sees: Option<&str>) -> String {
    let unchanged = is_unchanged(catalog);
    let plain = |sees: &&str| {
        sees.bytes()
            .all(|byte| byte.is_ascii_digit() || b":,".contains(&byte))
    };
    match sees.filter(plain) {
        Some(sees) => format!(
            "(pg_catalog.pg_current_snapshot()::pg_catalog.text OPERATOR(pg_catalog.=) '{sees}' OR {unchanged})"
        ),
        None => unchanged,
    }
}

/// A condition that holds where the transaction sees what these names stand for. One that sees only what was there when it
/// began looks names up as they are now: what has come since is not what was judged.
pub fn are_seen(relations: &[String]) -> String {
    let seen = relations.iter().map(|relation| {
        format!(
            "EXISTS (SELECT FROM pg_catalog.pg_class AS c WHERE c.oid OPERATOR(pg_catalog.=) pg_catalog.to_regclass( \
             pg_catalog.convert_from(pg_catalog.decode('{}', 'hex'), 'UTF8'))::pg_catalog.oid)",
            hexadecimal(relation)
        )
    });
    let all: Vec<String> = std::iter::once("true".to_owned()).chain(seen).collect();
    format!("({})", all.join(" AND "))
}

/// Statements that lock relations until the transaction ends, so that they stay what they are, and leave nothing behind: what
/// is prepared is looked up and locked, but neither planned nor run. None for no relations.
pub fn lock(relations: &[String]) -> Vec<String> {
    static NAME: LazyLock<String> = LazyLock::new(unguessable_name);
    if relations.is_empty() {
        return Vec::new();
    }
    let name = NAME.as_str();
    vec![
        format!("PREPARE {name} AS SELECT FROM {}", relations.join(", ")),
        format!("DEALLOCATE {name}"),
    ]
}

/// A name for a statement, portal or savepoint on a client's connection: nobody who does not know it can be in its way.
pub fn unguessable_name() -> String {
    let mut bytes = [0; 8];
    SystemRandom::new()
        .fill(&mut bytes)
        .expect("the operating system has random numbers");
    format!("querent_{:016x}", u64::from_be_bytes(bytes))
}

/// The error of what was not run.
pub fn changed_meanwhile() -> BackendError {
    BackendError::new(
        "40001",
        "the database was changed while the question was answered, and what it was answered by is not there any more",
    )
    .with_hint("Ask again.")
}

/// What a question was judged by.
#[derive(Debug, Clone, Copy)]
pub(super) struct JudgedBy<'a> {
    pub(super) catalog: &'a str,
    /// The transactions that were seen then.
    pub(super) sees: Option<&'a str>,
}

/// A way to the server for statements that read these relations: they run where all is as it was judged.
pub(super) struct Unchanged<'a> {
    querier: &'a dyn Querier,
    judged: JudgedBy<'a>,
    relations: Vec<String>,
    /// Whether what is read is kept, whatever the client has set.
    kept: bool,
}

impl<'a> Unchanged<'a> {
    pub(super) fn new(querier: &'a dyn Querier, judged: JudgedBy<'a>, relations: Vec<String>) -> Self {
        Self {
            querier,
            judged,
            relations,
            kept: false,
        }
    }

    /// For validated SQL, which says itself what it was judged by.
    pub(super) fn judged(querier: &'a dyn Querier, sql: &'a ValidatedSql) -> Self {
        let judged = JudgedBy {
            catalog: sql.catalog(),
            sees: querier.sees(),
        };
        Self::new(querier, judged, sql.relations().to_vec())
    }

    /// For what these tables hold, which is kept for other sessions.
    pub(super) fn of(
        (querier, judged): (&'a dyn Querier, JudgedBy<'a>),
        schema: &Schema,
        tables: impl IntoIterator<Item = usize>,
    ) -> Self {
        let name = |table: usize| schema.tables[table].written(Dialect::Postgres);
        let relations = tables.into_iter().map(name).collect();
        Self {
            kept: true,
            ..Self::new(querier, judged, relations)
        }
    }

    /// The statements that come first.
    pub(super) fn before(&self) -> Vec<String> {
        let mut before = lock(&self.relations);
        let unchanged = is_still_unchanged(self.judged.catalog, self.judged.sees);
        let seen = are_seen(&self.relations);
        // What is called is stable, so that it is not computed before the condition.
        before.push(format!(
            "SELECT CASE WHEN {unchanged} AND {seen} THEN 0 ELSE pg_catalog.concat('{CHANGED}', ' ')::pg_catalog.int4 END"
        ));
        before
    }
}

#[async_trait]
impl Querier for Unchanged<'_> {
    async fn read(&self, statements: &[Query<'_>], time_limit: Duration) -> Result<Vec<Rows>, BackendError> {
        if self.judged.catalog.is_empty() {
            return self.querier.read(statements, time_limit).await;
        }
        let mut before = self.before();
        if self.kept {
            before.insert(0, SETTINGS.to_owned());
        }
        let all: Vec<Query<'_>> = before
            .iter()
            .map(|sql| Query::all(sql))
            .chain(statements.iter().copied())
            .collect();
        let mut answers = self.querier.read(&all, time_limit).await.map_err(told)?;
        answers.drain(..before.len().min(answers.len()));
        Ok(answers)
    }
}

/// A way to the server on which the catalogue was looked at just now.
pub struct LookedAt<'a> {
    /// The way.
    pub querier: &'a dyn Querier,
    /// The transactions that were seen then.
    pub sees: &'a str,
}

#[async_trait]
impl Querier for LookedAt<'_> {
    async fn read(&self, statements: &[Query<'_>], time_limit: Duration) -> Result<Vec<Rows>, BackendError> {
        self.querier.read(statements, time_limit).await
    }

    fn sees(&self) -> Option<&str> {
        Some(self.sees)
    }
}

/// An error as it is told: where something has changed, that.
pub(super) fn told(error: BackendError) -> BackendError {
    if error.sqlstate == "22P02" && error.message.contains(CHANGED) {
        changed_meanwhile()
    } else {
        error
    }
}
