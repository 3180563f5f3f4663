//! Accepts connections, limits them, encrypts them, knows how to cancel and how to drain.
//! What is said on a connection once it has begun is [`session`]'s.

use std::{
    io,
    sync::{
        Arc, PoisonError, RwLock,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use tokio::{
    sync::{Semaphore, watch},
    task::JoinSet,
    time::timeout,
};
use tracing::{info, warn};

use crate::{
    config::{ConfigError, Settings},
    connection::accepted::AcceptedConnection,
    postgres::{relay, upstream},
    service::{
        audit::{Audit, AuditError},
        conversation::{Lessons, ServiceState, registry},
    },
    sqlite::{
        engine::{ConnectionSlot, Database},
        session,
    },
    telemetry::{
        SessionLog, TraceError, Traces,
        metrics::{self, Handshake},
    },
    wire::WireError,
};

mod cancel;
mod evaluating;
mod handshake;
mod health;
mod inside;
mod listener;
mod modelling;
mod semantic;
mod signals;
mod skills;
mod suggesting;
mod tls;
mod worker_runtimes;

pub use inside::Inside;
pub use modelling::{Checked, ModelError};
pub use suggesting::ModelState;

use cancel::Cancellations;
use listener::{Detached, Listener, Socket};
use signals::Signals;
use skills::Keeper;
use tls::Tls;
use worker_runtimes::WorkerRuntimes;

/// A server that has its addresses but does not accept yet.
pub struct Server {
    listeners: Vec<Listener>,
    state: Arc<State>,
    draining: watch::Receiver<bool>,
    handle: Handle,
}

/// Reaches into a running server from outside.
#[derive(Clone)]
pub struct Handle {
    state: Arc<State>,
    draining: watch::Sender<bool>,
}

/// Why a server cannot start.
#[derive(Debug, thiserror::Error)]
pub enum ServerError {
    /// An address cannot be listened on.
    #[error("cannot listen on {address}: {reason}")]
    Listen {
        /// The address.
        address: String,
        /// Why.
        reason: io::Error,
    },
    /// The certificate or its key is of no use.
    #[error("cannot use TLS: {0}")]
    Tls(String),
    /// There are no threads to be had.
    #[error("cannot start threads: {0}")]
    Threads(io::Error),
    /// The agents' runs cannot be told of where the settings want it.
    #[error(transparent)]
    Traces(#[from] TraceError),
    /// Questions cannot be recorded, and have to be.
    #[error("cannot record questions, which audit.required asks for: {cause}", cause = .0.cause())]
    Audit(#[from] AuditError),
    /// The settings let strangers in.
    #[error(transparent)]
    Settings(#[from] ConfigError),
}

/// What stands behind a server.
#[derive(Clone)]
pub enum Leg {
    /// A SQLite file.
    Sqlite(Arc<Database>),
    /// A PostgreSQL server.
    Postgres(upstream::Server),
}

impl Leg {
    /// Refuses settings that cannot be in front of it.
    pub fn check(&self, settings: &Settings) -> Result<(), ConfigError> {
        match self {
            Self::Sqlite(database) => {
                settings.check_store(database.path())?;
                settings.check_sqlite()
            }
            Self::Postgres(server) => settings.check_postgres(server.is_encrypted()),
        }
    }
}

impl From<Arc<Database>> for Leg {
    fn from(database: Arc<Database>) -> Self {
        Self::Sqlite(database)
    }
}

impl From<upstream::Server> for Leg {
    fn from(server: upstream::Server) -> Self {
        Self::Postgres(server)
    }
}

/// What all connections share.
struct State {
    leg: Leg,
    last_sign: health::LastSign,
    service: Arc<ServiceState>,
    /// Keeps what is learned of authors.
    skills: Arc<Keeper>,
    sessions: Sessions,
    worker_runtimes: WorkerRuntimes,
    tls: RwLock<Option<Arc<Tls>>>,
    cancellations: Cancellations,
    slots: Arc<Semaphore>,
    /// How many slots there are.
    capacity: usize,
    addresses: Vec<String>,
    connections: AtomicU64,
}

/// Who talks to a client that has said what it wants.
enum Sessions {
    /// A SQLite file, with a server of our own in front.
    Sqlite(Arc<session::Shared>),
    /// A PostgreSQL server, to which the bytes are relayed.
    Postgres(Arc<relay::Shared>),
}

impl Server {
    /// Takes the addresses of the settings. Nothing is accepted before [`Server::run`].
    pub async fn bind(leg: impl Into<Leg>, settings: Settings) -> Result<Self, ServerError> {
        let leg = leg.into();
        leg.check(&settings)?;
        let tls = Tls::from_settings(&settings.tls).map_err(ServerError::Tls)?;
        let mut listeners = vec![];
        for address in &settings.listen {
            let listener = Listener::bind(address)
                .await
                .map_err(|reason| ServerError::Listen {
                    address: address.to_string(),
                    reason,
                })?;
            listeners.push(listener);
        }
        let capacity = settings.limits.connections.min(Semaphore::MAX_PERMITS);
        let slots = Arc::new(Semaphore::new(capacity));
        let addresses = listeners.iter().map(|listener| listener.address().to_string());
        let worker_runtimes = WorkerRuntimes::start(settings.threads).map_err(ServerError::Threads)?;
        let registry = Arc::new(registry(&settings)?);
        let meanings = semantic::checked(&leg, &settings).await?;
        let traces = Traces::start(&settings.trace)?;
        let audit = Audit::start(&settings).await?;
        let lessons = Lessons::start(&settings).await;
        let service = Arc::new(ServiceState::new(
            settings, registry, meanings, traces, audit, lessons,
        ));
        let config = service.config();
        let skills = Arc::new(Keeper::start(&config.settings, config.skills).await);
        let sessions = match leg.clone() {
            Leg::Sqlite(database) => {
                Sessions::Sqlite(Arc::new(session::Shared::new(database, Arc::clone(&service))))
            }
            Leg::Postgres(server) => {
                Sessions::Postgres(Arc::new(relay::Shared::new(server, Arc::clone(&service))))
            }
        };
        let state = Arc::new(State {
            last_sign: health::LastSign::default(),
            leg,
            service,
            sessions,
            worker_runtimes,
            tls: RwLock::new(tls.map(Arc::new)),
            cancellations: Cancellations::default(),
            slots,
            capacity,
            addresses: addresses.collect(),
            skills,
            connections: AtomicU64::new(0),
        });
        let (sender, draining) = watch::channel(false);
        let handle = Handle {
            state: Arc::clone(&state),
            draining: sender,
        };
        Ok(Self {
            listeners,
            state,
            draining,
            handle,
        })
    }

    /// The addresses, with the ports that the system chose.
    pub fn addresses(&self) -> Vec<String> {
        self.state.addresses.clone()
    }

    /// To reload or stop the server while it runs.
    pub fn handle(&self) -> Handle {
        self.handle.clone()
    }

    /// Accepts connections until SIGTERM or SIGINT, then drains. SIGHUP takes the settings that `reload` reads;
    /// if it fails, the old ones stay. Signals count from the call on, not only once the future is polled, so
    /// that whoever is told of the server in between can stop it.
    pub fn run_until_signal(
        self,
        reload: impl Fn() -> Result<Settings, ConfigError> + Send + Sync + 'static,
    ) -> impl Future<Output = io::Result<()>> {
        let signals = Signals::listen();
        async move {
            let signals = signals?;
            let handle = self.handle();
            let mut obeying = JoinSet::new();
            signals.obey(&handle, reload, &mut obeying);
            self.run().await;
            Ok(())
        }
    }

    /// Accepts connections until [`Handle::drain`]; returns when all of them have ended.
    pub async fn run(self) {
        let Self {
            listeners,
            state,
            draining,
            handle: _handle,
        } = self;
        let keeping = state.skills.run();
        let mut accepting = JoinSet::new();
        for listener in listeners {
            accepting.spawn(accept(listener, Arc::clone(&state), draining.clone()));
        }
        let mut sessions = JoinSet::new();
        while let Some(ended) = accepting.join_next().await {
            match ended {
                Ok(mut of_listener) => {
                    // The sessions of every listener are waited for together.
                    sessions.spawn(async move { while of_listener.join_next().await.is_some() {} });
                }
                Err(error) => warn!(%error, "a listener failed"),
            }
        }
        let all_ended = async { while sessions.join_next().await.is_some() {} };
        let drain_time = state.service.settings().limits.drain_timeout;
        if timeout(drain_time, all_ended).await.is_err() {
            warn!("sessions that were still working have been cut off");
            sessions.shutdown().await;
        }
        tokio::join!(
            state.service.traces.finish(),
            state.service.audit.finish(),
            state.skills.finish(keeping)
        );
    }
}

impl Handle {
    /// Takes new settings. Addresses and the number of connections stay as they are; sessions that have begun
    /// keep their own settings, except whether questions are answered at all.
    pub fn reload(&self, settings: Settings) -> Result<(), ServerError> {
        let tls = Tls::from_settings(&settings.tls).map_err(ServerError::Tls)?;
        // New settings may not open to strangers the addresses that are open already.
        let mut as_listening = settings;
        as_listening
            .listen
            .clone_from(&self.state.service.settings().listen);
        self.state.leg.check(&as_listening)?;
        let registry = Arc::new(registry(&as_listening)?);
        self.state.service.audit.reload(&as_listening)?;
        *self.state.tls.write().unwrap_or_else(PoisonError::into_inner) = tls.map(Arc::new);
        self.state.service.replace(as_listening, registry);
        Ok(())
    }

    /// Reads the semantic models again that the settings name. The last good ones stay where one is wrong.
    pub async fn reload_meanings(&self) -> Result<(), ServerError> {
        self.take_meanings().await?;
        self.prepare_meanings().await;
        Ok(())
    }

    /// The same, without working out what the database means by them.
    pub(super) async fn take_meanings(&self) -> Result<(), ServerError> {
        let settings = self.settings();
        let meanings = semantic::checked(&self.state.leg, &settings).await?;
        // Before what was answered so far counts no more.
        self.state.service.config().lessons.reload().await;
        self.state.service.understand(meanings);
        Ok(())
    }

    /// Works out what the database means, so that no question has to wait for it, once its stored values are read.
    pub async fn prepare_meanings(&self) {
        semantic::prepare(&self.state.leg, &self.state.service.config().meanings).await;
    }

    /// Stops accepting, ends idle sessions, gives working ones some time.
    pub fn drain(&self) {
        // Whoever sees it in the metrics finds that it is so.
        self.draining.send_replace(true);
        metrics::draining(true);
        info!("draining");
    }
}

/// Accepts on one address until draining begins; returns the sessions that still run.
async fn accept(listener: Listener, state: Arc<State>, mut draining: watch::Receiver<bool>) -> JoinSet<()> {
    let mut sessions = JoinSet::new();
    loop {
        let socket = tokio::select! {
            socket = listener.accept() => socket,
            _ = draining.wait_for(|draining| *draining) => break,
            Some(_) = sessions.join_next() => continue,
        };
        match socket {
            Ok(socket) => {
                let (state, draining) = (Arc::clone(&state), draining.clone());
                let socket = socket.detach();
                let worker_runtime = state.worker_runtimes.next().clone();
                sessions.spawn_on(
                    async move {
                        match socket.and_then(Detached::attach) {
                            Ok(socket) => connection(socket, state, draining).await,
                            Err(error) => warn!(%error, "a connection is lost between threads"),
                        }
                    },
                    &worker_runtime,
                );
            }
            Err(error) => {
                // Out of file descriptors, most likely: the others go on and free some.
                warn!(%error, address = %listener.address(), "cannot accept");
                tokio::time::sleep(Duration::from_millis(100)).await;
            }
        }
    }
    sessions
}

/// One connection from its first to its last byte.
async fn connection(socket: Socket, state: Arc<State>, draining: watch::Receiver<bool>) {
    let login_time = state.service.settings().limits.handshake_timeout;
    let number = state.connections.fetch_add(1, Ordering::Relaxed) + 1;
    let tls = state.tls.read().unwrap_or_else(PoisonError::into_inner).clone();
    let begun = timeout(login_time, Box::pin(handshake::begin(socket, tls, &state))).await;
    let accepted = match begun {
        Ok(Ok(Some(accepted))) => accepted,
        // A cancel request, or a client that left at once, as health checks do.
        Ok(Ok(None)) => return,
        Ok(Err(error)) => {
            metrics::handshake_failure(failed_handshake(&error));
            info!(connection = number, %error, "handshake failed");
            return;
        }
        Err(_) => {
            metrics::handshake_failure(Handshake::Timeout);
            info!(connection = number, "handshake took too long");
            return;
        }
    };
    Box::pin(converse(accepted, number, state, draining)).await;
}

/// The same from the startup message on.
async fn converse(
    accepted: AcceptedConnection,
    number: u64,
    state: Arc<State>,
    draining: watch::Receiver<bool>,
) {
    let login_time = state.service.settings().limits.handshake_timeout;
    let parameter = |name| {
        let value = accepted.start.parameter(name).filter(|value| !value.is_empty());
        value.map(String::from_utf8_lossy)
    };
    let log = SessionLog::new(
        state.leg.kind(),
        number,
        parameter("user").as_deref(),
        parameter("database").as_deref(),
        accepted.peer,
    );
    let slot = Arc::clone(&state.slots).try_acquire_owned().ok();
    match &state.sessions {
        Sessions::Sqlite(shared) => {
            let (registration, cancellation) = state.cancellations.register();
            let context = session::Context {
                shared: Arc::clone(shared),
                draining,
                process: registration.process(),
                secret: registration.secret(),
                cancellation,
                // The thread on the file keeps it, which may work on after its client has left.
                place: slot.map(|slot| Box::new(slot) as ConnectionSlot),
                login_time,
            };
            session::serve(accepted, context, log).await;
        }
        Sessions::Postgres(shared) => {
            let context = relay::Context {
                shared: Arc::clone(shared),
                draining,
                log,
                number,
                admitted: slot.is_some(),
                login_time,
            };
            relay::serve(accepted, context).await;
        }
    }
}

/// What a failed handshake is counted as.
fn failed_handshake(error: &io::Error) -> Handshake {
    let inner = error.get_ref();
    if inner.is_some_and(<dyn std::error::Error + Send + Sync>::is::<WireError>) {
        Handshake::Protocol
    } else if inner.is_some() {
        // Only rustls, and what is said of it, has words of its own here.
        Handshake::Tls
    } else {
        Handshake::Io
    }
}
