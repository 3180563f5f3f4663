//! A cancel request on its way to the work that it means.

use tokio::sync::watch;

/// Where cancel requests for one session arrive. One that arrives while nothing is worked on is
/// forgotten, as in PostgreSQL.
#[derive(Debug)]
pub struct Cancellation {
    requested: watch::Sender<bool>,
}

impl Default for Cancellation {
    fn default() -> Self {
        Self {
            requested: watch::Sender::new(false),
        }
    }
}

impl Cancellation {
    /// Asks for the present work to stop.
    pub fn cancel(&self) {
        self.requested.send_replace(true);
    }

    /// Forgets what was asked before: new work begins.
    pub fn begin(&self) {
        self.requested.send_replace(false);
    }

    /// Waits for a request. Cancel safe.
    pub async fn requested(&self) {
        let mut receiver = self.requested.subscribe();
        // The sender lives as long as self, so this never fails.
        let _ = receiver.wait_for(|requested| *requested).await;
    }
}
