//! One client in front of a PostgreSQL server: the bytes pass as they come, and where a question stands, the SQL
//! that answers it goes on in its place.

use std::{sync::Arc, time::Duration};

use tokio::sync::watch;

use crate::{
    config::Settings,
    connection::accepted::AcceptedConnection,
    postgres::{
        introspection::{Sampling, Schemas},
        upstream::Server,
    },
    service::conversation::ServiceState,
    telemetry::{SessionLog, metrics},
};

mod asking;
mod attend;
mod behind;
mod bound;
mod bounds;
mod by_name;
mod cancel;
mod end;
mod exchange;
mod extended;
#[cfg(any(fuzzing, test))]
pub mod fuzzing;
mod guard;
mod late;
mod left;
mod login;
mod model_view;
mod question;
mod question_error;
mod readiness;
mod record;
mod recording;
mod seen;
mod session;
mod shown;
mod side_query;
mod simple;
mod timers;

pub use exchange::Exchange;

use cancel::Cancellations;
use end::End;
use login::{LoginError, login};
use session::Session;

/// What all sessions share.
pub struct Shared {
    /// The server behind.
    server: Server,
    service: Arc<ServiceState>,
    /// What is known of its schema, by user.
    schemas: Schemas,
    lookup: login::Lookup,
    cancellations: Cancellations,
}

/// What the listening side gives a session.
pub struct Context {
    /// What all sessions share.
    pub shared: Arc<Shared>,
    /// Becomes true when Querent wants to stop.
    pub draining: watch::Receiver<bool>,
    /// The session's lines and numbers.
    pub log: SessionLog,
    /// The connection's number in the log.
    pub number: u64,
    /// False if there are too many sessions already.
    pub admitted: bool,
    /// How long logging in may take.
    pub login_time: Duration,
}

impl Shared {
    /// A server, and the settings and models that all sessions follow.
    pub fn new(server: Server, service: Arc<ServiceState>) -> Self {
        Self {
            server,
            service,
            schemas: Schemas::new(Sampling::default()),
            lookup: login::Lookup::default(),
            cancellations: Cancellations::default(),
        }
    }

    /// Passes a cancel request on to whom it means. Takes until the server has done what it will.
    pub async fn cancel(&self, process: u32, secret: &[u8]) {
        self.cancellations.cancel(&self.server, process, secret).await;
    }

    /// The settings as they are now.
    pub fn settings(&self) -> Arc<Settings> {
        self.service.settings()
    }
}

/// Relays between one client and the server until one of them leaves.
pub async fn serve(accepted: AcceptedConnection, mut context: Context) {
    let encrypted = accepted.encrypted;
    // In a box, so that a session that has begun does not keep the room for it.
    let begun = match Box::pin(login(accepted, &context)).await {
        Ok(begun) => begun,
        Err(LoginError::Refused(fields)) => {
            context.log.refused(&fields.sqlstate, &fields.message);
            return;
        }
        Err(LoginError::Relayed { sqlstate, message }) => {
            context.log.refused(&sqlstate, &message);
            return;
        }
        Err(LoginError::Lost(error)) => {
            context.log.ended(metrics::End::ClientLost, &error.to_string());
            return;
        }
    };
    context.log.logged_in(encrypted);
    let mut session = Session::new(End::new(begun.client), End::new(begun.server), context);
    if begun.replication {
        session.exchange.pass_unread();
    }
    session.exchange.server_bytes(&begun.server_received);
    drop(begun.server_received);
    // The buffer's room is given back as well.
    let received = begun.client_received.to_vec();
    drop(begun.client_received);
    let outcome = session.run(&received).await;
    // Nor for what comes at its end.
    Box::pin(session.finish(outcome)).await;
}
