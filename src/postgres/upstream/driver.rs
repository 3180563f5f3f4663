//! Logging in to a server by the driver, and what clients may read of its errors.

use tokio_postgres::{
    Config, Error,
    config::{SslMode as Encryption, SslNegotiation},
    error::ErrorPosition,
};

use super::{Server, driven::driven};
use crate::backend::BackendError;

/// The driver's own connection, for what is not a question's: the store.
pub async fn driver(server: &Server) -> Result<tokio_postgres::Client, BackendError> {
    Ok(log_in(server).await?.0)
}

/// Logs in; tells whether the connection is encrypted.
pub(in crate::postgres) async fn log_in(
    server: &Server,
) -> Result<(tokio_postgres::Client, bool), BackendError> {
    let upstream = server.connect().await?;
    let encrypted = upstream.encrypted;
    let (stream, bound) = driven(upstream);
    let config = config(server, encrypted);
    // The time to connect is also what the login may take.
    let (client, connection) =
        tokio::time::timeout(server.connect_timeout, config.connect_raw(stream, bound))
            .await
            .map_err(|_| BackendError::new("08001", "logging in to the PostgreSQL server took too long"))?
            .map_err(|error| driver_error(&error))?;
    tokio::spawn(async move {
        // Whoever waits for an answer hears of this as an error of its own.
        if let Err(error) = connection.await {
            tracing::debug!(%error, "the connection to the PostgreSQL server has ended");
        }
    });
    Ok((client, encrypted))
}

/// What a login says.
fn config(server: &Server, encrypted: bool) -> Config {
    let mut config = login(server, "querent");
    // The stream is encrypted already where it shall be: to the driver that is TLS without a question before.
    if encrypted {
        config
            .ssl_mode(Encryption::Require)
            .ssl_negotiation(SslNegotiation::Direct);
    } else {
        config.ssl_mode(Encryption::Disable);
    }
    config
}

/// Who logs in, and to what.
pub(in crate::postgres) fn login(server: &Server, application_name: &str) -> Config {
    let mut config = Config::new();
    config.application_name(application_name);
    if let Some(user) = &server.user {
        config.user(user);
    }
    if let Some(password) = &server.password {
        config.password(password);
    }
    if let Some(database) = &server.database {
        config.dbname(database);
    }
    config
}

/// What a client may read of the driver's error.
pub fn driver_error(error: &Error) -> BackendError {
    if let Some(error) = error.as_db_error() {
        return BackendError {
            sqlstate: error.code().code().into(),
            message: error.message().to_owned(),
            detail: error.detail().map(str::to_owned),
            hint: error.hint().map(str::to_owned),
            position: match error.position() {
                Some(ErrorPosition::Original(at)) => Some(*at as usize),
                _ => None,
            },
            place: None,
        };
    }
    let reason = std::error::Error::source(error).map_or_else(String::new, |source| format!(": {source}"));
    let lost = error.is_closed() || reason.contains("unexpected end of file");
    let sqlstate = if lost { "08006" } else { "08000" };
    BackendError::new(sqlstate, format!("{error}{reason}"))
}
