//! What is told of a running server to those who operate it.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use tokio::{sync::Mutex, time::timeout};
use tracing::{info, warn};

use super::{Handle, Leg};
use crate::{config::Settings, telemetry::metrics};

/// How long the database has for a sign of life.
const PATIENCE: Duration = Duration::from_secs(2);
/// How long a sign of life counts.
const FRESH: Duration = Duration::from_secs(1);

/// When the database was asked last, and whether it answered. Who asks meanwhile waits for that answer.
pub(super) type LastSign = Mutex<Option<(Instant, bool)>>;

impl Handle {
    /// Whether the server has been told to stop.
    pub fn is_draining(&self) -> bool {
        *self.draining.borrow()
    }

    /// Whether another session would be let in.
    pub fn has_room(&self) -> bool {
        self.state.slots.available_permits() > 0
    }

    /// Whether some session cannot end, since its database goes on with what nobody waits for.
    pub fn has_stuck_sessions(&self) -> bool {
        match &self.state.leg {
            // Nothing tells when a thread of a file gets stuck; it is looked for.
            Leg::Sqlite(database) => {
                let stuck = database.stuck_threads();
                metrics::stuck_threads(stuck);
                stuck > 0
            }
            Leg::Postgres(_) => metrics::stuck_sessions() > 0,
        }
    }

    /// Waits until the server is told to stop. Cancel safe.
    pub async fn drained(&self) {
        // The sender lives as long as self, so this never fails.
        let _ = self.draining.subscribe().wait_for(|draining| *draining).await;
    }

    /// What stands behind.
    pub fn leg(&self) -> metrics::Leg {
        self.state.leg.kind()
    }

    /// How many clients there are.
    pub fn sessions(&self) -> usize {
        self.state
            .capacity
            .saturating_sub(self.state.slots.available_permits())
    }

    /// The addresses that are listened on.
    pub fn addresses(&self) -> &[String] {
        &self.state.addresses
    }

    /// The settings as they are now.
    pub fn settings(&self) -> Arc<Settings> {
        self.state.service.settings()
    }

    /// Whether the file can be read, or the server accepts connections. Asks at most once a second, and takes no
    /// longer than two. Cancel safe.
    pub async fn database_answers(&self) -> bool {
        let mut last = self.state.last_sign.lock().await;
        if let Some((when, answered)) = *last
            && when.elapsed() < FRESH
        {
            return answered;
        }
        let outcome = timeout(PATIENCE, self.state.leg.sign_of_life()).await;
        let outcome = outcome.unwrap_or_else(|_| Err(format!("no answer within {} s", PATIENCE.as_secs())));
        let before = last.is_none_or(|(_, answered)| answered);
        match &outcome {
            Err(error) if before => warn!(error, "the database does not answer"),
            Ok(()) if !before => info!("the database answers again"),
            _ => {}
        }
        *last = Some((Instant::now(), outcome.is_ok()));
        outcome.is_ok()
    }
}

impl Leg {
    pub(super) fn kind(&self) -> metrics::Leg {
        match self {
            Self::Sqlite(_) => metrics::Leg::Sqlite,
            Self::Postgres(_) => metrics::Leg::Postgres,
        }
    }

    async fn sign_of_life(&self) -> Result<(), String> {
        let outcome = match self {
            Self::Sqlite(database) => database.look().await,
            Self::Postgres(server) => server.connect().await.map(drop),
        };
        outcome.map_err(|error| error.to_string())
    }
}
