//! One client, from its startup message to its last: the only place that knows the whole order of things.

use std::{
    net::IpAddr,
    sync::{Arc, PoisonError, RwLock},
    time::Duration,
};

use bytes::BytesMut;
use pgwire::api::auth::sasl::scram::ScramServerAuth;
use tokio::{
    io::{AsyncRead, AsyncWrite},
    sync::watch,
};

use crate::{backend::sqlite::Database, config::Settings};

mod authentication;
mod cancellation;
mod client;
mod control;
mod copy;
mod cursor;
mod execute;
mod explain;
mod extended;
mod parameters;
mod plan;
mod portal;
mod question;
mod report;
mod run;
mod settings;
mod simple;
mod stop;
mod transaction;
mod variables;

pub use cancellation::Cancellation;
pub use run::serve;

/// What all sessions share.
pub struct Shared {
    database: Arc<Database>,
    settings: RwLock<Arc<Settings>>,
}

/// A byte stream to a client.
pub trait Stream: AsyncRead + AsyncWrite + Unpin + Send {}

impl<S: AsyncRead + AsyncWrite + Unpin + Send> Stream for S {}

/// A connection whose startup message has been read.
pub struct Opening {
    /// The rest of the conversation.
    pub stream: Box<dyn Stream>,
    /// What was read behind the startup message.
    pub received: BytesMut,
    /// The client's address; `None` on a unix socket.
    pub peer: Option<IpAddr>,
    /// Whether it is encrypted.
    pub encrypted: bool,
    /// The minor version of protocol 3 that is spoken.
    pub minor: u16,
    /// The startup message's parameters.
    pub parameters: Vec<(String, String)>,
    /// SCRAM that knows the certificate of this connection.
    pub channel_binding: Option<ScramServerAuth>,
}

/// What the server gives a session.
pub struct Context {
    /// What all sessions share.
    pub shared: Arc<Shared>,
    /// Becomes true when the server wants to stop.
    pub draining: watch::Receiver<bool>,
    /// The number by which a cancel request names this session.
    pub process: u32,
    /// What a cancel request has to know.
    pub secret: Vec<u8>,
    /// Where a cancel request arrives.
    pub cancellation: Arc<Cancellation>,
    /// The connection's number in the log.
    pub number: u64,
    /// False if there are too many sessions already.
    pub admitted: bool,
    /// How long logging in may take.
    pub login_time: Duration,
}

impl Shared {
    /// A database, and the settings to begin with.
    pub fn new(database: Arc<Database>, settings: Settings) -> Self {
        Self {
            database,
            settings: RwLock::new(Arc::new(settings)),
        }
    }

    /// The settings as they are now.
    pub fn settings(&self) -> Arc<Settings> {
        let settings = self.settings.read().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(&settings)
    }

    /// Sessions follow at their next login or question.
    pub fn set_settings(&self, settings: Settings) {
        *self.settings.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(settings);
    }
}
