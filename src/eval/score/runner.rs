//! Where statements are run for scoring, whoever wrote them: one at a time, for reading only, within limits.

use std::{path::Path, sync::Arc, time::Duration};

use super::super::mode::Problem;
use crate::{
    backend::{BackendError, ResultSet},
    postgres::{
        introspection::{Client, Limits, Schemas},
        upstream::Server,
    },
    sqlite::engine::{Connection, Database, Options},
};

/// Values that one result may hold.
const MAX_VALUES: usize = 4_000_000;

/// What one statement may take.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bounds {
    /// Time; what the connection was opened with bounds it as well.
    pub(super) time: Duration,
    /// Rows of the result; one with more is an error.
    pub(super) rows: usize,
}

/// A connection for scoring.
pub(in crate::eval) enum Runner {
    /// To a SQLite file.
    Sqlite(Connection),
    /// To a PostgreSQL server.
    Postgres(Client),
}

impl Runner {
    /// Opens a SQLite file. Blocks shortly.
    pub(in crate::eval) fn file(path: &Path, time_limit: Duration) -> Result<Self, BackendError> {
        let options = Options {
            read_only: true,
            statement_timeout: time_limit,
            // Gold and predictions are SQLite's own SQL.
            sqlite_dialect: true,
            ..Options::default()
        };
        Ok(Self::Sqlite(Database::open(path, options)?.connect()?))
    }

    /// Logs in to a server.
    pub(in crate::eval) async fn server(
        server: &Server,
        schemas: &Arc<Schemas>,
        time_limit: Duration,
    ) -> Result<Self, BackendError> {
        let limits = Limits {
            cost: None,
            kept: None,
            statement_timeout: time_limit,
        };
        let client = Client::connect(server, Arc::clone(schemas), limits).await?;
        Ok(Self::Postgres(client))
    }

    /// All rows of one statement.
    pub(super) async fn collect(&self, sql: &str, bounds: Bounds) -> Result<ResultSet, Problem> {
        let sql = sql.trim().trim_end_matches(';');
        let outcome = match self {
            Self::Sqlite(connection) => collect_sqlite(connection, sql, bounds).await,
            Self::Postgres(client) => collect_postgres(client, sql, bounds).await,
        };
        outcome.map_err(|error| Problem::of(&error))
    }
}

async fn collect_sqlite(
    connection: &Connection,
    sql: &str,
    bounds: Bounds,
) -> Result<ResultSet, BackendError> {
    let mut cursor = connection.run(sql, Vec::new()).await?;
    let mut result = ResultSet {
        columns: cursor.columns().len(),
        rows: Vec::new(),
    };
    loop {
        let chunk = cursor.next(0).await?;
        result.rows.extend(chunk.rows);
        bounded(&result, bounds)?;
        if chunk.done {
            return Ok(result);
        }
    }
}

async fn collect_postgres(client: &Client, sql: &str, bounds: Bounds) -> Result<ResultSet, BackendError> {
    let mut cursor = client.run(sql, bounds.time).await?;
    let mut result = ResultSet {
        columns: cursor.columns().len(),
        rows: Vec::new(),
    };
    loop {
        let chunk = cursor.next().await?;
        result.rows.extend(chunk.values());
        bounded(&result, bounds)?;
        if chunk.complete {
            return Ok(result);
        }
    }
}

fn bounded(result: &ResultSet, bounds: Bounds) -> Result<(), BackendError> {
    if result.rows.len() > bounds.rows {
        let message = format!("the result has more than {} rows", bounds.rows);
        return Err(BackendError::new("54000", message));
    }
    if result.rows.len() * result.columns.max(1) > MAX_VALUES {
        let message = format!("the result has more than {MAX_VALUES} values");
        return Err(BackendError::new("54000", message));
    }
    Ok(())
}
