//! Where what Querent keeps is kept: a SQLite file of its own, or a schema of its own in a PostgreSQL database that
//! several processes share: the journal of the audit, how good authors have turned out to be, and what corrections teach.

use std::{fmt, ops::ControlFlow, time::SystemTime};

use async_trait::async_trait;
use ring::digest;

mod history;
mod lessons;
mod postgres;
mod skills;
mod sqlite;

pub use history::{History, Past, Sought, Sum, Worked};
pub use lessons::{Collected, Lesson, Lessons};
pub use skills::{SkillRow, SkillStore};

use crate::{backend::BackendError, config::StoreLocation, postgres::upstream::Server};

/// A SHA-256 hash.
pub type Hash = [u8; 32];

/// The store's name for an event that stands for older ones which were removed.
pub const PRUNED: &str = "pruned";

/// One event for the journal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Record {
    /// When it happened, in whole microseconds.
    pub time: SystemTime,
    /// What sort of event it is.
    pub kind: &'static str,
    /// The number of the question that it belongs to.
    pub question: Option<String>,
    /// Who asked.
    pub user: Option<String>,
    /// The position up to which a [`PRUNED`] event stands for others.
    pub through: Option<u64>,
    /// All of it, as it is hashed.
    pub body: String,
}

/// An event as the journal has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Event {
    /// Its position, from 1 on without a gap.
    pub seq: u64,
    /// When it happened.
    pub time: SystemTime,
    /// What sort of event it is.
    pub kind: String,
    /// The number of the question that it belongs to.
    pub question: Option<String>,
    /// Who asked.
    pub user: Option<String>,
    /// The position up to which it stands for others.
    pub through: Option<u64>,
    /// All of it.
    pub body: String,
    /// The link of the chain.
    pub hash: Vec<u8>,
}

/// The last event of a journal; position 0 and zeros where there is none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Tail {
    /// Its position.
    pub seq: u64,
    /// Its hash.
    pub hash: Hash,
}

/// Which events are read.
#[derive(Debug, Clone, Copy)]
pub enum Wanted<'a> {
    /// Every one, in its order.
    All,
    /// Those that tell of this question, in their order.
    Question(&'a str),
    /// Those that tell of questions asked since then, by this user if one is named: question after question, and of
    /// each in their order.
    Questions {
        /// From this moment on.
        since: Option<SystemTime>,
        /// Whose.
        user: Option<&'a str>,
    },
}

/// A journal that grows at its end. Several processes may write to one; each append takes the chain's end in a
/// transaction of its own.
#[async_trait]
pub trait Journal: Send {
    /// Adds the records, all or none. They are stored for good when this returns.
    async fn append(&mut self, records: &[Record]) -> Result<(), StoreError>;

    /// Removes the oldest events, up to the first that happened at `before` or later and `most` at a time, after it
    /// has added what `stand_in` makes of the last of them. Returns how many it removed.
    async fn prune(&mut self, before: SystemTime, most: u64, stand_in: StandIn) -> Result<u64, StoreError>;

    /// Hands the events over as they come, until one breaks it off.
    async fn read(&mut self, wanted: Wanted<'_>, each: &mut Each<'_>) -> Result<(), StoreError>;
}

/// Takes an event, and says whether the next is wanted.
pub type Each<'e> = dyn FnMut(&Event) -> ControlFlow<()> + Send + 'e;

/// Makes the event that stands for all up to this one, so many of them.
pub type StandIn = fn(Tail, u64) -> Record;

/// The link of the chain behind `previous` for the event of this position.
pub fn link(previous: &Hash, seq: u64, body: &str) -> Hash {
    let mut context = digest::Context::new(&digest::SHA256);
    context.update(previous);
    context.update(&seq.to_be_bytes());
    context.update(body.as_bytes());
    let mut hash = Hash::default();
    hash.copy_from_slice(context.finish().as_ref());
    hash
}

impl Tail {
    /// The chain with one more event.
    fn with(self, record: &Record) -> Self {
        let seq = self.seq + 1;
        Self {
            seq,
            hash: link(&self.hash, seq, &record.body),
        }
    }
}

/// Why something is not kept or not read.
#[derive(Debug, Clone, thiserror::Error)]
#[error("{message}")]
pub struct StoreError {
    /// What is wrong, and where.
    pub message: String,
    /// What to do.
    pub hint: Option<String>,
    /// Trying again would not help: what was to be kept cannot be.
    pub hopeless: bool,
}

impl StoreError {
    fn new(message: impl Into<String>) -> Self {
        Self {
            message: message.into(),
            hint: None,
            hopeless: false,
        }
    }

    fn with_hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }
}

impl From<BackendError> for StoreError {
    fn from(error: BackendError) -> Self {
        Self {
            // The value itself is of no use: class 22 of PostgreSQL's codes.
            hopeless: error.sqlstate.starts_with("22"),
            hint: error.hint,
            message: error.message,
        }
    }
}

/// Where a store is.
#[derive(Clone, PartialEq, Eq)]
pub enum StoreAddress {
    /// A SQLite file.
    File(std::path::PathBuf),
    /// A PostgreSQL database.
    Server(Box<Server>),
}

impl StoreAddress {
    /// Where the settings have it.
    pub fn of(settings: &StoreLocation) -> Result<Self, StoreError> {
        match settings {
            StoreLocation::File(path) => Ok(Self::File(path.clone())),
            StoreLocation::Server(address) => {
                let server: Server = address.expose().parse().map_err(|error| {
                    StoreError::new(format!("store.url cannot be read: {error}"))
                        .with_hint("write postgres://user@host/database")
                })?;
                if server.user.is_none() {
                    return Err(StoreError::new("store.url names no user")
                        .with_hint("write postgres://user@host/database"));
                }
                Ok(Self::Server(Box::new(server)))
            }
            StoreLocation::Nowhere => Err(StoreError::new("there is no place to keep anything")
                .with_hint("set store.path to a file, or store.url to a PostgreSQL database")),
        }
    }

    /// Opens its journal, and makes what is missing. Blocks shortly where it is a file.
    pub async fn journal(&self) -> Result<Box<dyn Journal>, StoreError> {
        Ok(match self {
            Self::File(path) => Box::new(sqlite::File::open(path)?),
            Self::Server(server) => Box::new(postgres::Schema::open(server).await?),
        })
    }

    /// Opens what is kept there of authors' skill, and makes what is missing. Blocks shortly where it is a file.
    pub async fn skills(&self) -> Result<Box<dyn SkillStore>, StoreError> {
        Ok(match self {
            Self::File(path) => Box::new(sqlite::File::open(path)?),
            Self::Server(server) => Box::new(postgres::Schema::open(server).await?),
        })
    }

    /// Looks whether it can be used, as far as that makes nothing.
    pub async fn probe(&self) -> Result<(), StoreError> {
        match self {
            Self::File(path) => sqlite::File::probe(path),
            Self::Server(server) => postgres::Schema::connect(server).await.map(drop),
        }
    }

    /// Opens its journal to be read.
    pub async fn reader(&self) -> Result<Box<dyn Journal>, StoreError> {
        Ok(match self {
            Self::File(path) => Box::new(sqlite::File::read_only(path)?),
            Self::Server(server) => Box::new(postgres::Schema::read_only(server).await?),
        })
    }
}

impl fmt::Display for StoreAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(path) => write!(f, "{}", path.display()),
            Self::Server(server) => write!(f, "{server}"),
        }
    }
}

impl fmt::Debug for StoreAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}
