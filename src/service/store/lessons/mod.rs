//! What was corrected, kept for the taxonomy: a lesson is a statement that was wrong, why, and the one that was right. Lessons
//! with the same change are a subtype, of which a person decides.

use std::time::SystemTime;

use async_trait::async_trait;

use super::{StoreAddress, StoreError};

mod postgres;
mod sqlite;

/// One correction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lesson {
    /// When.
    pub time: SystemTime,
    /// The database that was asked.
    pub database: String,
    /// Who corrected: `fix` or `correction`.
    pub source: &'static str,
    /// The error of the taxonomy.
    pub code: String,
    /// What was changed, as the validator writes it.
    pub change: String,
    /// The statement that was wrong.
    pub before: String,
    /// The one that was right.
    pub after: String,
}

/// Lessons that are alike, and what a person has decided of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Collected {
    /// The database.
    pub database: String,
    /// What was changed.
    pub change: String,
    /// The error of the taxonomy.
    pub code: String,
    /// Different statements that were corrected so.
    pub lessons: u64,
    /// One of them, before and after.
    pub example: (String, String),
    /// Whether it is to be found from now on; `None` before somebody decides.
    pub accepted: Option<bool>,
}

/// Where lessons are kept.
#[async_trait]
pub trait Lessons: Send {
    /// Keeps a lesson; one that is there already is not counted again.
    async fn learn(&mut self, lesson: &Lesson) -> Result<(), StoreError>;

    /// All of them by what was changed, the most frequent first. Nothing where none was ever kept.
    async fn collected(&mut self) -> Result<Vec<Collected>, StoreError>;

    /// Somebody has decided.
    async fn decide(&mut self, database: &str, change: &str, accepted: bool) -> Result<(), StoreError>;
}

impl StoreAddress {
    /// Opens its lessons, and makes what is missing. Blocks shortly where it is a file.
    pub async fn lessons(&self) -> Result<Box<dyn Lessons>, StoreError> {
        Ok(match self {
            Self::File(path) => Box::new(sqlite::open(path)?),
            Self::Server(server) => Box::new(postgres::open(server).await?),
        })
    }

    /// What was learned so far. Makes nothing; nothing is learned where nothing is there.
    pub async fn learned(&self) -> Result<Vec<Collected>, StoreError> {
        match self {
            Self::File(path) if !path.exists() => Ok(Vec::new()),
            Self::File(path) => sqlite::read(path),
            Self::Server(server) => postgres::read(server).await,
        }
    }
}
