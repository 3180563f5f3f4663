//! Where statements are run for scoring, whoever wrote them: one at a time, for reading only, within limits.

use std::{path::Path, sync::Arc, time::Duration};

use super::{super::mode::Problem, STATEMENT_TIME};
use crate::backend::{
    BackendError, ResultSet,
    postgres::{Client, Limits, Schemas, Server},
    sqlite::{Connection, Database, Options},
};

/// Values that one result may hold.
const MAX_VALUES: usize = 4_000_000;

/// A connection for scoring.
pub(in crate::eval) enum Runner {
    /// To a SQLite file.
    Sqlite(Connection),
    /// To a PostgreSQL server.
    Postgres(Client),
}

impl Runner {
    /// Opens a SQLite file. Blocks shortly.
    pub(in crate::eval) fn file(path: &Path) -> Result<Self, BackendError> {
        let options = Options {
            read_only: true,
            statement_timeout: STATEMENT_TIME,
            ..Options::default()
        };
        Ok(Self::Sqlite(Database::open(path, options)?.connect()?))
    }

    /// Logs in to a server.
    pub(in crate::eval) async fn server(
        server: &Server,
        schemas: &Arc<Schemas>,
    ) -> Result<Self, BackendError> {
        let limits = Limits {
            cost: None,
            statement_timeout: STATEMENT_TIME,
        };
        let client = Client::connect(server, Arc::clone(schemas), limits).await?;
        Ok(Self::Postgres(client))
    }

    /// All rows of one statement.
    pub(super) async fn collect(&self, sql: &str, time_limit: Duration) -> Result<ResultSet, Problem> {
        let sql = sql.trim().trim_end_matches(';');
        let outcome = match self {
            Self::Sqlite(connection) => collect_sqlite(connection, sql).await,
            Self::Postgres(client) => collect_postgres(client, sql, time_limit).await,
        };
        outcome.map_err(|error| Problem::of(&error))
    }
}

async fn collect_sqlite(connection: &Connection, sql: &str) -> Result<ResultSet, BackendError> {
    let mut cursor = connection.run(sql, Vec::new()).await?;
    let mut result = ResultSet {
        columns: cursor.columns().len(),
        rows: Vec::new(),
    };
    loop {
        let chunk = cursor.next(0).await?;
        result.rows.extend(chunk.rows);
        if chunk.done {
            return Ok(result);
        }
        bounded(&result)?;
    }
}

async fn collect_postgres(
    client: &Client,
    sql: &str,
    time_limit: Duration,
) -> Result<ResultSet, BackendError> {
    let mut cursor = client.run(sql, time_limit).await?;
    let mut result = ResultSet {
        columns: cursor.columns().len(),
        rows: Vec::new(),
    };
    loop {
        let chunk = cursor.next().await?;
        result.rows.extend(chunk.values());
        if chunk.complete {
            return Ok(result);
        }
        bounded(&result)?;
    }
}

fn bounded(result: &ResultSet) -> Result<(), BackendError> {
    if result.rows.len() * result.columns.max(1) > MAX_VALUES {
        let message = format!("the result has more than {MAX_VALUES} values");
        return Err(BackendError::new("54000", message));
    }
    Ok(())
}
