//! The database that a question is put to, whichever kind it is.

use std::{io, sync::Arc, time::Duration};

use async_trait::async_trait;

use super::{
    Failure,
    output::{Format, Rows},
    progress,
    target::Target,
};
use crate::{
    backend::{Backend, BackendError, FullScan, IndexIdea, ResultColumn, SqlType, Trial, Value, column},
    config::{Environment, Settings},
    error::ClientError,
    postgres::{
        introspection::{self, Client, Limits, Sampling, Schemas},
        upstream::Server,
    },
    question::{ossie::Meaning, schema::Snapshot, validator::ValidatedSql},
    service::{
        access::{self, Access, AccessError, Asker},
        conversation::{check_meaning, meanings},
    },
    sqlite::engine,
};

/// A database as the access policy lets whoever has opened it ask about it.
pub(super) struct Governed<'a> {
    database: &'a Database,
    access: Access,
    asker: Asker,
}

impl Governed<'_> {
    /// Whose rights count; empty on a file.
    pub(super) fn user(&self) -> &str {
        &self.asker.user
    }

    /// What the database is called.
    pub(super) fn database_name(&self) -> &str {
        &self.asker.database
    }

    /// What the database means, by the models of the settings; an error where one of those is wrong.
    pub(super) async fn meaning(&self, settings: &Settings) -> Result<Arc<Meaning>, Failure> {
        let meaning = self.meaning_unchecked(settings).await?;
        if !settings.semantic.is_empty() {
            check_meaning(Arc::clone(&meaning), self.snapshot().await?).await?;
        }
        Ok(meaning)
    }

    /// The same, whether what the models say fits the database or not.
    pub(super) async fn meaning_unchecked(&self, settings: &Settings) -> Result<Arc<Meaning>, Failure> {
        let server = match self.database {
            Database::Sqlite(..) => None,
            Database::Postgres(postgres) => Some(&postgres.server),
        };
        Ok(meanings(settings, server)
            .await?
            .of_database(&self.asker.database))
    }
}

#[async_trait]
impl Backend for Governed<'_> {
    async fn snapshot(&self) -> Result<Snapshot, BackendError> {
        let snapshot = self.database.backend().snapshot().await?;
        let view = self.access.view(&self.asker, &snapshot);
        view.map_err(|error| refused(&error))
    }

    async fn trial(&self, sql: &ValidatedSql, max_rows: usize) -> Result<Trial, BackendError> {
        self.database.backend().trial(sql, max_rows).await
    }

    async fn full_scans(&self, sql: &ValidatedSql) -> Result<Vec<FullScan>, BackendError> {
        self.database.backend().full_scans(sql).await
    }

    async fn cost_with(&self, sql: &ValidatedSql, index: &IndexIdea) -> Result<Option<f64>, BackendError> {
        self.database.backend().cost_with(sql, index).await
    }
}

fn refused(error: &AccessError) -> BackendError {
    BackendError {
        sqlstate: error.sqlstate(),
        message: error.to_string(),
        detail: error.detail(),
        hint: error.hint(),
        position: None,
        place: None,
    }
}

/// How long a question waits for the value index at most.
const INDEX_PATIENCE: Duration = Duration::from_secs(60);

/// A database, open for questions.
pub(super) enum Database {
    /// A SQLite file, and what it is called as a database.
    Sqlite(engine::Connection, String),
    /// A PostgreSQL server.
    Postgres(Box<Postgres>),
}

/// A PostgreSQL server, open for questions.
pub(super) struct Postgres {
    pub(super) client: Client,
    server: Server,
    rows: Option<u64>,
    bytes: Option<u64>,
}

/// Rows as they come.
pub(super) struct Answer {
    columns: Vec<ResultColumn>,
    source: RowSource,
}

enum RowSource {
    Sqlite(engine::Cursor),
    Postgres {
        cursor: introspection::Cursor,
        /// What is left of the limits.
        rows: Option<u64>,
        bytes: Option<u64>,
    },
}

impl Database {
    /// Opens it for reading, and reads its stored values.
    pub(super) async fn open(target: &Target, settings: &Settings) -> Result<Self, Failure> {
        if let Target::Postgres(server) = target {
            let postgres = Postgres::open(server, settings).await?;
            return Ok(Self::Postgres(Box::new(postgres)));
        }
        let database = target.open(settings, true)?;
        let index = progress::index_values(&database, INDEX_PATIENCE).await?;
        if index.columns_done < index.columns_total {
            tracing::warn!("the value index is not complete; words may go unrecognised");
        }
        Ok(Self::Sqlite(database.connect()?, database.name()))
    }

    /// The same under the access policy: for the server's user, and for nobody in particular on a file.
    pub(super) async fn governed(&self, settings: &Settings) -> Result<Governed<'_>, BackendError> {
        let asker = match self {
            Self::Sqlite(_, name) => Asker {
                database: name.clone(),
                ..Asker::default()
            },
            Self::Postgres(postgres) => {
                let state = postgres.client.session_snapshot().await?.state;
                Asker {
                    user: state.session_user,
                    database: state.database,
                    roles: state.roles,
                }
            }
        };
        let access = Access::new(settings);
        access.may_ask(&asker).map_err(|error| refused(&error))?;
        if !(settings.policy.rules.is_empty() && settings.privacy.private.is_empty()) {
            let snapshot = self.backend().snapshot().await?;
            for problem in access::problems(settings, &snapshot) {
                tracing::warn!(%problem, "the access policy does not fit the database");
            }
        }
        Ok(Governed {
            database: self,
            access,
            asker,
        })
    }

    /// What the pipeline asks.
    pub(super) fn backend(&self) -> &dyn Backend {
        match self {
            Self::Sqlite(connection, _) => connection,
            Self::Postgres(postgres) => &postgres.client,
        }
    }

    /// Runs validated SQL and prints its rows.
    pub(super) async fn print(&self, sql: &ValidatedSql, format: Format) -> Result<(), Failure> {
        let mut found = self.run(sql).await?;
        let out = io::BufWriter::new(io::stdout().lock());
        let mut rows = Rows::begin(format, found.columns(), out)?;
        loop {
            let (chunk, done) = found.next().await?;
            for row in &chunk {
                rows.row(row)?;
            }
            if done {
                return Ok(rows.end()?);
            }
        }
    }

    /// Runs the SQL of a question.
    pub(super) async fn run(&self, sql: &ValidatedSql) -> Result<Answer, BackendError> {
        match self {
            Self::Sqlite(connection, _) => {
                let cursor = connection.run_generated(sql, None, Vec::new()).await?;
                Ok(Answer {
                    columns: cursor.columns().to_vec(),
                    source: RowSource::Sqlite(cursor),
                })
            }
            Self::Postgres(postgres) => {
                let cursor = postgres.client.run_generated(sql).await?;
                let column = |(name, oid): &(String, u32)| {
                    column(name, SqlType::from_oid(*oid).unwrap_or(SqlType::Text))
                };
                Ok(Answer {
                    columns: cursor.columns().iter().map(column).collect(),
                    source: RowSource::Postgres {
                        cursor,
                        rows: postgres.rows,
                        bytes: postgres.bytes,
                    },
                })
            }
        }
    }
}

impl Postgres {
    /// Logs in.
    pub(super) async fn open(server: &Server, settings: &Settings) -> Result<Self, BackendError> {
        let server = with_password(server);
        let schemas = Arc::new(Schemas::new(Sampling::thorough()));
        let client = Client::connect(&server, schemas, limits(settings)).await?;
        let client = client
            .trusting(&settings.policy.trusted_owners)
            .trusting_extensions(&settings.policy.trusted_extensions);
        Ok(Self {
            client,
            server,
            rows: settings.limits.rows,
            bytes: settings.limits.bytes,
        })
    }
}

/// The server with the password of `PGPASSWORD` where its address has none.
pub(super) fn with_password(server: &Server) -> Server {
    let mut server = server.clone();
    if server.password.is_none() {
        server.password = Environment::of_process().variables.remove("PGPASSWORD");
    }
    server
}

/// What a question may cost on a server.
pub(super) fn limits(settings: &Settings) -> Limits {
    Limits {
        cost: settings.limits.cost,
        kept: settings.limits.bytes,
        statement_timeout: settings.limits.statement_timeout,
    }
}

impl Answer {
    pub(super) fn columns(&self) -> &[ResultColumn] {
        &self.columns
    }

    /// Some more rows, and whether they are the last.
    pub(super) async fn next(&mut self) -> Result<(Vec<Vec<Value>>, bool), BackendError> {
        match &mut self.source {
            RowSource::Sqlite(cursor) => {
                let chunk = cursor.next(0).await?;
                Ok((chunk.rows, chunk.done))
            }
            RowSource::Postgres { cursor, rows, bytes } => {
                let chunk = cursor.next().await?;
                spend(rows, chunk.rows.len() as u64, "rows")?;
                let lengths = chunk
                    .rows
                    .iter()
                    .flatten()
                    .flatten()
                    .map(|text| text.len() as u64);
                spend(bytes, lengths.sum(), "bytes")?;
                // The text as the server writes it: a number has more digits than a float holds.
                let value =
                    |text: Option<bytes::Bytes>| text.map_or(Value::Null, |text| Value::Text(text.into()));
                let rows = chunk
                    .rows
                    .into_iter()
                    .map(|row| row.into_iter().map(value).collect());
                Ok((rows.collect(), chunk.complete))
            }
        }
    }
}

/// Takes a part of a limit.
fn spend(left: &mut Option<u64>, part: u64, what: &str) -> Result<(), BackendError> {
    let Some(left) = left else {
        return Ok(());
    };
    *left = left.checked_sub(part).ok_or_else(|| {
        BackendError::new("54000", format!("the answer has more {what} than are allowed"))
            .with_hint(format!("Ask a narrower question, or raise limits.{what}."))
    })?;
    Ok(())
}
