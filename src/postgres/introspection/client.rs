//! A connection of our own to a server, for programs that ask without a client's session.

use std::{borrow::Cow, sync::Arc, time::Duration};

use async_trait::async_trait;
use bytes::Bytes;
use futures_util::future::join_all;
use sqlparser::{
    dialect::PostgreSqlDialect,
    tokenizer::{Location, Token, Tokenizer},
};
use tokio::{
    runtime::Handle,
    sync::{Mutex, OwnedMutexGuard},
};
use tokio_postgres::{CancelToken, SimpleQueryMessage, Statement};

use super::{
    Limits, Querier, Query, Rows, Schemas, SessionSnapshot, Trust, plan, snapshot, trial,
    unchanged::{Unchanged, told},
};
use crate::{
    backend::{Backend, BackendError, FullScan, IndexIdea, Trial},
    postgres::upstream::{Server, driven, driver_error, log_in},
    question::{schema::Snapshot, validator::ValidatedSql},
};

/// The cursor that rows are fetched from.
const CURSOR: &str = "querent_rows";
/// Rows of one chunk.
const CHUNK: usize = 1_000;

/// A connection that asks in read-only transactions alone.
pub struct Client {
    connection: Arc<Connection>,
    schemas: Arc<Schemas>,
    limits: Limits,
    trust: Trust,
    encrypted: bool,
}

struct Connection {
    server: Server,
    client: tokio_postgres::Client,
    /// Held during each transaction.
    turn: Arc<Mutex<()>>,
}

impl Client {
    /// Logs in.
    pub async fn connect(
        server: &Server,
        schemas: Arc<Schemas>,
        limits: Limits,
    ) -> Result<Self, BackendError> {
        let (client, encrypted) = log_in(server).await?;
        Ok(Self {
            connection: Arc::new(Connection {
                server: server.clone(),
                client,
                turn: Arc::default(),
            }),
            schemas,
            limits,
            trust: Trust {
                login: server.user.clone().unwrap_or_default(),
                ..Trust::default()
            },
            encrypted,
        })
    }

    /// With these roles as owners whose code may run for questions.
    #[must_use]
    pub fn trusting(mut self, owners: &[String]) -> Self {
        self.trust.owners = owners.to_vec();
        self
    }

    /// With these extensions as ones whose functions in C may run for questions.
    #[must_use]
    pub fn trusting_extensions(mut self, extensions: &[String]) -> Self {
        self.trust.extensions = extensions.to_vec();
        self
    }

    /// Whether the connection is encrypted.
    pub fn is_encrypted(&self) -> bool {
        self.encrypted
    }

    /// State and schema at this moment.
    pub async fn session_snapshot(&self) -> Result<SessionSnapshot, BackendError> {
        let trust = self.trust.clone();
        snapshot(self, &self.schemas, trust, self.limits.statement_timeout).await
    }

    /// Runs one statement in a read-only transaction and gives its rows in chunks. The statement may be anybody's:
    /// it is taken as one statement or not at all. Dropping the future or the cursor interrupts it.
    pub async fn run(&self, sql: &str, time_limit: Duration) -> Result<Cursor, BackendError> {
        self.run_behind(&[], sql, time_limit).await
    }

    /// The same, behind statements of ours.
    async fn run_behind(
        &self,
        before: &[String],
        sql: &str,
        time_limit: Duration,
    ) -> Result<Cursor, BackendError> {
        let mut transaction = self.begin(time_limit).await?;
        let opened = async {
            if !before.is_empty() {
                transaction.connection.batch(&before.join("; ")).await?;
            }
            let statement = transaction.connection.prepare(&[Query::all(sql)]).await?.pop();
            transaction
                .connection
                .batch(&format!("DECLARE {CURSOR} NO SCROLL CURSOR FOR {sql}\n"))
                .await?;
            Ok(statement)
        };
        match opened.await {
            Ok(statement) => Ok(Cursor {
                transaction,
                columns: statement.as_ref().map(columns).unwrap_or_default(),
                done: false,
            }),
            Err(error) => {
                transaction.end().await?;
                Err(error)
            }
        }
    }

    /// Runs the validated SQL of a question; its parameters are NULL.
    pub async fn run_generated(&self, sql: &ValidatedSql) -> Result<Cursor, BackendError> {
        let text = without_parameters(sql.as_str(), sql.parameters());
        let before = Unchanged::judged(self, sql).before();
        let opened = self.run_behind(&before, &text, self.limits.statement_timeout);
        opened.await.map_err(told)
    }

    /// Begins a read-only transaction.
    async fn begin(&self, time_limit: Duration) -> Result<Transaction, BackendError> {
        let turn = Arc::clone(&self.connection.turn).lock_owned().await;
        let transaction = Transaction {
            connection: Arc::clone(&self.connection),
            open: Some((turn, self.connection.client.cancel_token())),
        };
        let limit = match time_limit {
            Duration::ZERO => 0,
            limit => limit.as_millis().max(1),
        };
        // What the role's or the database's settings say does not count.
        self.connection
            .batch(&format!(
                "BEGIN ISOLATION LEVEL READ COMMITTED READ ONLY; SET LOCAL statement_timeout = {limit}; \
                 SET LOCAL standard_conforming_strings = on"
            ))
            .await?;
        Ok(transaction)
    }
}

impl Connection {
    /// The statements as the server understands them: each is one statement then.
    async fn prepare(&self, statements: &[Query<'_>]) -> Result<Vec<Statement>, BackendError> {
        let prepared = join_all(statements.iter().map(|query| self.client.prepare(query.sql))).await;
        let prepared: Result<_, _> = prepared.into_iter().collect();
        prepared.map_err(|error| driver_error(&error))
    }

    async fn batch(&self, sql: &str) -> Result<Vec<SimpleQueryMessage>, BackendError> {
        self.client.simple_query(sql).await.map_err(|error| BackendError {
            // It is counted in more than the statement.
            position: None,
            ..driver_error(&error)
        })
    }

    /// The rows of statements that are prepared.
    async fn rows(&self, statements: &[Query<'_>]) -> Result<Vec<Rows>, BackendError> {
        let prepared = self.prepare(statements).await?;
        let batch = statements.iter().enumerate().map(|(number, query)| {
            let text = without_parameters(query.sql, query.parameters);
            // A comment at the end of a statement must not hide what follows.
            if query.max_rows == 0 {
                return format!("{text}\n;");
            }
            // One row more tells whether there are more.
            let most = u64::from(query.max_rows) + 1;
            let cursor = format!("{CURSOR}_{number}");
            format!("DECLARE {cursor} NO SCROLL CURSOR FOR {text}\n; FETCH {most} FROM {cursor};")
        });
        let batch: String = batch.collect();
        let mut results = results(self.batch(&batch).await?)?.into_iter();
        let answers = statements.iter().zip(&prepared).map(|(query, statement)| {
            // What returns no columns returns no rows either.
            let returned = (!statement.columns().is_empty()).then(|| results.next());
            let mut rows = returned.flatten().unwrap_or_default();
            let most = match query.max_rows {
                0 => usize::MAX,
                most => most as usize,
            };
            let complete = rows.len() <= most;
            rows.truncate(most);
            Rows {
                columns: columns(statement),
                rows,
                complete,
            }
        });
        Ok(answers.collect())
    }
}

#[async_trait]
impl Querier for Client {
    /// As the trait says, but in more than one round trip, so that nothing runs before it is known to be one
    /// statement.
    async fn read(&self, statements: &[Query<'_>], time_limit: Duration) -> Result<Vec<Rows>, BackendError> {
        let mut transaction = self.begin(time_limit).await?;
        let outcome = transaction.connection.rows(statements).await;
        let ended = transaction.end().await;
        outcome.and_then(|answers| ended.map(|()| answers))
    }
}

#[async_trait]
impl Backend for Client {
    async fn snapshot(&self) -> Result<Snapshot, BackendError> {
        Ok(self.session_snapshot().await?.snapshot)
    }

    async fn trial(&self, sql: &ValidatedSql, max_rows: usize) -> Result<Trial, BackendError> {
        let max_rows = u32::try_from(max_rows).unwrap_or(u32::MAX);
        trial(self, sql, max_rows, &self.limits).await
    }

    async fn full_scans(&self, sql: &ValidatedSql) -> Result<Vec<FullScan>, BackendError> {
        plan::full_scans(self, sql, self.limits.statement_timeout).await
    }

    async fn cost_with(&self, sql: &ValidatedSql, index: &IndexIdea) -> Result<Option<f64>, BackendError> {
        plan::cost_with(self, sql, index, self.limits.statement_timeout).await
    }
}

/// Rows of a statement as they come. Its transaction ends when it is dropped.
pub struct Cursor {
    transaction: Transaction,
    columns: Vec<(String, u32)>,
    done: bool,
}

impl Cursor {
    /// Names and type numbers of the columns.
    pub fn columns(&self) -> &[(String, u32)] {
        &self.columns
    }

    /// More rows; complete with the last.
    pub async fn next(&mut self) -> Result<Rows, BackendError> {
        let mut chunk = Rows {
            columns: self.columns.clone(),
            rows: Vec::new(),
            complete: true,
        };
        if self.done {
            return Ok(chunk);
        }
        let fetched = self
            .transaction
            .connection
            .batch(&format!("FETCH {CHUNK} FROM {CURSOR}"))
            .await;
        match fetched.and_then(results) {
            Ok(mut fetched) => chunk.rows = fetched.pop().unwrap_or_default(),
            Err(error) => {
                self.done = true;
                self.transaction.end().await?;
                return Err(error);
            }
        }
        chunk.complete = chunk.rows.len() < CHUNK;
        if chunk.complete {
            self.done = true;
            self.transaction.end().await?;
        }
        Ok(chunk)
    }
}

/// A transaction. One that is dropped before its end is cancelled and rolled back.
struct Transaction {
    connection: Arc<Connection>,
    /// The turn, and what cancels the statement that runs.
    open: Option<(OwnedMutexGuard<()>, CancelToken)>,
}

impl Transaction {
    /// Ends it when nothing is running any more.
    async fn end(&mut self) -> Result<(), BackendError> {
        let ended = self.connection.batch("ROLLBACK").await;
        self.open = None;
        ended.map(drop)
    }
}

impl Drop for Transaction {
    fn drop(&mut self) {
        let (Some((turn, running)), Ok(runtime)) = (self.open.take(), Handle::try_current()) else {
            return;
        };
        let connection = Arc::clone(&self.connection);
        runtime.spawn(async move {
            // Nobody is left to hear of a failure.
            if let Ok(upstream) = connection.server.connect().await {
                let (stream, bound) = driven(upstream);
                drop(running.cancel_query_raw(stream, bound).await);
            }
            drop(connection.batch("ROLLBACK").await);
            drop(turn);
        });
    }
}

/// Names and type numbers of what a statement returns.
fn columns(statement: &Statement) -> Vec<(String, u32)> {
    let column = |column: &tokio_postgres::Column| (column.name().to_owned(), column.type_().oid());
    statement.columns().iter().map(column).collect()
}

/// The rows of each statement that returns rows.
fn results(messages: Vec<SimpleQueryMessage>) -> Result<Vec<Vec<Vec<Option<Bytes>>>>, BackendError> {
    let mut results = Vec::new();
    for message in messages {
        match message {
            SimpleQueryMessage::RowDescription(_) => results.push(Vec::new()),
            SimpleQueryMessage::Row(row) => {
                let cell = |at| {
                    let text = row.try_get(at).map_err(|error| driver_error(&error))?;
                    Ok(text.map(|text: &str| Bytes::copy_from_slice(text.as_bytes())))
                };
                let cells: Result<Vec<_>, BackendError> = (0..row.len()).map(cell).collect();
                if let Some(rows) = results.last_mut() {
                    rows.push(cells?);
                }
            }
            _ => {}
        }
    }
    Ok(results)
}

/// The statement with NULL in place of each parameter.
fn without_parameters(sql: &str, parameters: usize) -> Cow<'_, str> {
    if parameters == 0 {
        return sql.into();
    }
    // A text that cannot be read here is refused by the server, which tells why.
    let Ok(tokens) = Tokenizer::new(&PostgreSqlDialect {}, sql).tokenize_with_location() else {
        return sql.into();
    };
    let mut replaced = String::new();
    let mut copied = 0;
    let mut places = Places::new(sql);
    for token in &tokens {
        if let Token::Placeholder(name) = &token.token
            && let Some(at) = places.offset(token.span.start)
        {
            replaced.push_str(&sql[copied..at]);
            replaced.push_str("NULL");
            copied = at + name.len();
        }
    }
    replaced.push_str(&sql[copied..]);
    replaced.into()
}

/// Lines and characters of a text, both counted from 1, which are asked for in their order: each is gone to from the one before.
struct Places<'s> {
    characters: std::str::CharIndices<'s>,
    line: u64,
    column: u64,
}

impl<'s> Places<'s> {
    fn new(text: &'s str) -> Self {
        Self {
            characters: text.char_indices(),
            line: 1,
            column: 1,
        }
    }

    /// Where it begins, in bytes.
    fn offset(&mut self, at: Location) -> Option<usize> {
        while (self.line, self.column) < (at.line, at.column) {
            match self.characters.next()?.1 {
                '\n' => (self.line, self.column) = (self.line + 1, 1),
                _ => self.column += 1,
            }
        }
        ((self.line, self.column) == (at.line, at.column)).then(|| self.characters.offset())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_become_null() {
        for (sql, expected) in [
            ("SELECT $1, '$1'", "SELECT NULL, '$1'"),
            ("SELECT a -- $1\n, $2::text", "SELECT a -- $1\n, NULL::text"),
            ("SELECT \"$1\", $$ $1 $$", "SELECT \"$1\", $$ $1 $$"),
            (
                "SELECT 'it''s ä',\n 'ä', $1 + $12",
                "SELECT 'it''s ä',\n 'ä', NULL + NULL",
            ),
        ] {
            assert_eq!(without_parameters(sql, 1), expected);
        }
    }
}
