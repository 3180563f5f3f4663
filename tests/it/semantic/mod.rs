//! Semantic models: what files say, and that metrics count nothing twice.

use std::{path::Path, sync::Arc, time::Duration};

use querent::{
    postgres::introspection::{Client, Limits, Sampling, Schemas},
    question::schema::Snapshot,
    sqlite::engine::{Database, Options},
};

use crate::postgres::server::{PostgresServer, SUPERUSER};

mod asked;
mod computed;
mod files;
mod metricflow;
mod ossie;
mod served;
mod shown;
mod views;

/// What is known of a file.
async fn sqlite_snapshot(file: &Path) -> Snapshot {
    Database::open(file, Options::default())
        .unwrap()
        .snapshot()
        .await
        .unwrap()
}

/// What is known of a database on a server.
async fn postgres_snapshot(server: &PostgresServer, database: &str) -> Snapshot {
    postgres_snapshot_for(server, SUPERUSER, database).await
}

/// What a user may know of a database on a server.
async fn postgres_snapshot_for(server: &PostgresServer, user: &str, database: &str) -> Snapshot {
    let limits = Limits {
        cost: None,
        kept: None,
        statement_timeout: Duration::from_secs(60),
    };
    let schemas = Arc::new(Schemas::new(Sampling::default()));
    let address = server.socket_address(user, database).parse().unwrap();
    let client = Client::connect(&address, schemas, limits).await.unwrap();
    querent::backend::Backend::snapshot(&client).await.unwrap()
}

/// A session on a server.
async fn client(server: &PostgresServer, database: &str) -> tokio_postgres::Client {
    let address = server.socket_address(SUPERUSER, database);
    let (client, connection) = tokio_postgres::connect(&address, tokio_postgres::NoTls)
        .await
        .unwrap();
    tokio::spawn(connection);
    client
}
