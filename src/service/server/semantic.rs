//! The semantic models of a server: read with its settings, and checked against the database before they count.

use std::{sync::Arc, time::Duration};

use tracing::warn;

use super::{Leg, ServerError};
use crate::{
    backend::BackendError,
    config::Settings,
    postgres::{
        introspection::{Client, Limits, Sampling, Schemas},
        upstream::Server,
    },
    question::{ossie::Meanings, schema::Snapshot},
    service::conversation::{check_meaning, meanings},
};

/// How long a statement of the server's catalogue may take.
const PATIENCE: Duration = Duration::from_secs(30);

/// The models that the settings name; an error where one is wrong.
pub(super) async fn checked(leg: &Leg, settings: &Settings) -> Result<Arc<Meanings>, ServerError> {
    let server = match leg {
        Leg::Postgres(server) => Some(server),
        Leg::Sqlite(_) => None,
    };
    let meanings = meanings(settings, server).await?;
    if !settings.semantic.is_empty() {
        match snapshot(leg, settings).await {
            Ok((database, snapshot)) => check_meaning(meanings.of_database(&database), snapshot).await?,
            // Each client logs in as itself, and the address may have no user.
            Err(error) => warn!(
                %error,
                "the semantic model is not compared with the database before the first question"
            ),
        }
    }
    Ok(Arc::new(meanings))
}

/// The database with its name: a file, or what the user of a server's address sees of its database.
pub(super) async fn snapshot(leg: &Leg, settings: &Settings) -> Result<(String, Snapshot), BackendError> {
    match leg {
        Leg::Sqlite(database) => database
            .snapshot()
            .await
            .map(|snapshot| (database.name(), snapshot)),
        Leg::Postgres(server) => seen(server, settings).await,
    }
}

/// Works out what a file means before the first question asks; in front of a server each user has a schema of its own.
pub(super) async fn prepare(leg: &Leg, meanings: &Meanings) {
    let Leg::Sqlite(database) = leg else { return };
    // Clients are told of it with their next question.
    let Ok(snapshot) = database.snapshot().await else {
        return;
    };
    let meaning = meanings.of_database(&database.name());
    let worked_out = tokio::task::spawn_blocking(move || meaning.of(&snapshot)).await;
    if let Err(error) = worked_out {
        warn!(%error, "the semantic model cannot be worked out");
    }
}

/// The database of the server's address, as the address's user sees it.
async fn seen(server: &Server, settings: &Settings) -> Result<(String, Snapshot), BackendError> {
    let limits = Limits {
        cost: None,
        kept: None,
        statement_timeout: PATIENCE,
    };
    let schemas = Arc::new(Schemas::new(Sampling::default()));
    let client = Client::connect(server, schemas, limits).await?;
    let client = client
        .trusting(&settings.policy.trusted_owners)
        .trusting_extensions(&settings.policy.trusted_extensions);
    let seen = client.session_snapshot().await?;
    Ok((seen.state.database, seen.snapshot))
}
