//! One client, from its startup message to its last: the only place that knows the whole order of things.

use std::{sync::Arc, time::Duration};

use tokio::sync::watch;

use crate::{
    config::Settings,
    connection::cancellation::Cancellation,
    service::conversation::ServiceState,
    sqlite::engine::{ConnectionSlot, Database},
};

mod authentication;
mod call;

mod channels;
mod client;
mod control;
mod copy;
mod copy_columns;
mod copy_in;
mod copy_options;
mod copy_reader;
mod cursor;
mod effects;
mod error;
mod execute;
mod explain;
mod extended;
mod grammar;
mod late;
mod lock;
mod long_names;
mod modes;
mod parameters;
mod plan;
mod portal;
mod question;
mod run;
mod runs;
mod settings;
mod simple;
mod sql;
mod startup;
mod transaction;
mod variables;
mod waiting;
mod work;

pub use run::serve;

/// What all sessions share.
pub struct Shared {
    database: Arc<Database>,
    service: Arc<ServiceState>,
    /// Whether `semantic` is the schema of the model's views, and no file's.
    has_model_views: bool,
    /// Who listens to what.
    hub: Arc<channels::Hub>,
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
    /// Its place among the sessions; `None` if there are too many already.
    pub place: Option<ConnectionSlot>,
    /// How long logging in may take.
    pub login_time: Duration,
}

impl Shared {
    /// A database, and the settings and models that all sessions follow.
    pub fn new(database: Arc<Database>, service: Arc<ServiceState>) -> Self {
        let has_model_views = !database.options().attached.contains_key("semantic");
        Self {
            database,
            service,
            has_model_views,
            hub: Arc::default(),
        }
    }

    /// The settings as they are now.
    pub fn settings(&self) -> Arc<Settings> {
        self.service.settings()
    }
}
