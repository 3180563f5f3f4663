//! `auth.auth_query`: the server's own verifier of a user, asked for as the user of the server's address.

use std::{
    sync::{Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use moka::sync::Cache;
use tokio::{sync::Semaphore, time::timeout};
use tokio_postgres::{Client, NoTls, config::SslMode};
use tracing::{debug, warn};

use super::LoginError;
use crate::postgres::upstream::{Server, login};

/// How long an answer counts. A changed password works after that.
const FRESH: Duration = Duration::from_secs(5);
/// Users that are remembered, those that do not exist included.
const MOST_REMEMBERED: u64 = 10_000;
/// How long the server may take.
const PATIENCE: Duration = Duration::from_secs(10);
/// Connections at most: one user's answer that takes long keeps nobody else from logging in.
const MOST_CONNECTIONS: usize = 4;

/// Asks with few connections, which stay open, and remembers for some seconds.
pub(in crate::postgres::relay) struct Lookup {
    remembered: Cache<(String, String), Option<String>>,
    idle: Mutex<Vec<Client>>,
    free: Semaphore,
}

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
enum LookupError {
    #[error("{0}")]
    Connect(#[from] crate::backend::BackendError),
    #[error("{}", words(.0))]
    Postgres(#[from] tokio_postgres::Error),
    #[error("no answer within {} s", PATIENCE.as_secs())]
    Time,
    #[error("it returns {0} rows; one is enough")]
    Rows(usize),
    #[error("it must return the verifier, or the user's name and the verifier, as text")]
    Columns,
}

impl Default for Lookup {
    fn default() -> Self {
        Self {
            remembered: Cache::builder()
                .max_capacity(MOST_REMEMBERED)
                .time_to_live(FRESH)
                .build(),
            idle: Mutex::default(),
            free: Semaphore::new(MOST_CONNECTIONS),
        }
    }
}

impl Lookup {
    /// The verifier of a user; `None` if there is none with which a password can be checked.
    pub(super) async fn verifier(
        &self,
        server: &Server,
        query: &str,
        user: &str,
    ) -> Result<Option<String>, LoginError> {
        let key = (query.to_owned(), user.to_owned());
        if let Some(remembered) = self.remembered.get(&key) {
            return Ok(remembered);
        }
        match timeout(PATIENCE, self.ask(server, query, user)).await {
            Ok(Ok(verifier)) => {
                self.remembered.insert(key, verifier.clone());
                Ok(verifier)
            }
            failed => {
                let error = match failed {
                    Ok(Err(error)) => error,
                    _ => LookupError::Time,
                };
                warn!(%error, "auth.auth_query failed");
                Err(LoginError::new(
                    "58000",
                    format!("the password of user \"{user}\" cannot be checked"),
                )
                .with_hint("Querent's log says why auth.auth_query failed."))
            }
        }
    }

    fn idle(&self) -> MutexGuard<'_, Vec<Client>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn ask(&self, server: &Server, query: &str, user: &str) -> Result<Option<String>, LookupError> {
        let _free = self.free.acquire().await;
        // Taken out, so that one that does not answer in time is not used again.
        let taken = self.idle().pop().filter(|client| !client.is_closed());
        let mut client = match taken {
            Some(client) => client,
            None => connect(server).await?,
        };
        let mut answer = client.query(query, &[&user]).await;
        // The server may have been restarted since.
        if let Err(error) = &answer
            && error.is_closed()
        {
            debug!(%error, "a connection of auth.auth_query is opened anew");
            client = connect(server).await?;
            answer = client.query(query, &[&user]).await;
        }
        self.idle().push(client);
        let rows = answer?;
        let row = match rows.as_slice() {
            [] => return Ok(None),
            [row] => row,
            more => return Err(LookupError::Rows(more.len())),
        };
        let text = |at: usize| {
            row.try_get::<_, Option<String>>(at)
                .map_err(|_| LookupError::Columns)
        };
        let verifier = match row.len() {
            1 => text(0)?,
            2 if text(0)?.as_deref() == Some(user) => text(1)?,
            2 => None,
            _ => return Err(LookupError::Columns),
        };
        if verifier
            .as_ref()
            .is_some_and(|verifier| !verifier.starts_with("SCRAM-SHA-256$"))
        {
            warn!(
                user,
                "auth.auth_query found a password that is not stored as scram-sha-256: it cannot be checked"
            );
            return Ok(None);
        }
        Ok(verifier)
    }
}

/// A connection as the user of the address.
async fn connect(server: &Server) -> Result<Client, LookupError> {
    let upstream = server.connect().await?;
    let mut config = login(server, "querent auth_query");
    // The stream is encrypted already, or is not to be.
    config.ssl_mode(SslMode::Disable);
    let (client, connection) = config.connect_raw(upstream.stream, NoTls).await?;
    tokio::spawn(async move {
        if let Err(error) = connection.await {
            debug!(%error, "the connection of auth.auth_query ended");
        }
    });
    Ok(client)
}

fn words(error: &tokio_postgres::Error) -> String {
    match error.as_db_error() {
        Some(error) => format!("{} ({})", error.message(), error.code().code()),
        None => error.to_string(),
    }
}
