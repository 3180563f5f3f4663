//! Connections from within the program: the console asks as any client does, over a stream that is no socket.

use std::{
    collections::BTreeMap,
    net::IpAddr,
    sync::{Arc, PoisonError, atomic::Ordering},
};

use tokio::{
    io::{DuplexStream, duplex},
    sync::watch,
    time::timeout,
};
use tokio_rustls::TlsAcceptor;

use super::{Handle, Leg, State, converse, handshake};
use crate::{
    config::AuthMode,
    question::model::Spent,
    service::{
        audit::Audit,
        conversation::{Feed, ServiceState},
    },
};

/// Bytes that wait in each direction.
const BUFFER: usize = 64 << 10;

/// A client's end of a connection.
pub struct Inside {
    /// What is said on it is PostgreSQL's protocol.
    pub stream: DuplexStream,
    /// The number of its session.
    pub session: u64,
}

impl Handle {
    /// A new connection on behalf of somebody at this address, who has to log in as every client has. In front of a file
    /// `proven` need not: who that is has been found out already. A server finds out for itself.
    pub fn connect(&self, peer: IpAddr, proven: Option<String>) -> Inside {
        let (ours, theirs) = duplex(BUFFER);
        let number = self.state.connections.fetch_add(1, Ordering::Relaxed) + 1;
        let (state, draining) = (Arc::clone(&self.state), self.draining.subscribe());
        self.state
            .worker_runtimes
            .next()
            .spawn(serve(theirs, (number, peer, proven), state, draining));
        Inside {
            stream: ours,
            session: number,
        }
    }

    /// What records questions.
    pub fn audit(&self) -> &Arc<Audit> {
        &self.service().audit
    }

    /// What is told of questions while they are worked on.
    pub fn feed(&self) -> &Feed {
        &self.service().feed
    }

    /// Whether clients on this machine are let in without a password that the console could ask for: those of a file are.
    pub fn trusts(&self) -> bool {
        let mode = self.settings().auth.mode;
        matches!(self.state.leg, Leg::Sqlite(_)) && mode != AuthMode::Scram
    }

    /// Whether a file stands behind, which has no users of its own.
    pub fn is_file(&self) -> bool {
        matches!(self.state.leg, Leg::Sqlite(_))
    }

    /// What the console is encrypted with, if there is a certificate.
    pub fn web_tls(&self) -> Option<TlsAcceptor> {
        let tls = self.state.tls.read().unwrap_or_else(PoisonError::into_inner);
        tls.as_ref().map(|tls| tls.web.clone())
    }

    /// The database that clients find here; none where a server has several and the address names none.
    pub fn database(&self) -> Option<String> {
        match &self.state.leg {
            Leg::Sqlite(database) => Some(database.name()),
            Leg::Postgres(server) => server.database.clone(),
        }
    }

    /// How many clients there may be at once.
    pub fn capacity(&self) -> usize {
        self.state.capacity
    }

    /// How many connections there have been.
    pub fn connections(&self) -> u64 {
        self.state.connections.load(Ordering::Relaxed)
    }

    /// What was spent today on each model that was called, by its name.
    pub fn spent_by_model(&self) -> BTreeMap<String, Spent> {
        self.service().spent_by_model()
    }

    /// How many answers are kept for the same question, and their bytes.
    pub fn answers_kept(&self) -> (u64, u64) {
        self.service().answers.kept()
    }

    fn service(&self) -> &ServiceState {
        &self.state.service
    }
}

async fn serve(
    stream: DuplexStream,
    (number, peer, proven): (u64, IpAddr, Option<String>),
    state: Arc<State>,
    draining: watch::Receiver<bool>,
) {
    let login_time = state.service.settings().limits.handshake_timeout;
    let beginning = handshake::begin_inside(stream, (peer, proven), &state);
    // Nobody is left to tell of a connection that the console has dropped.
    if let Ok(Ok(Some(accepted))) = timeout(login_time, beginning).await {
        Box::pin(converse(accepted, number, state, draining)).await;
    }
}
