//! One SQLite file, shared by all sessions: its identity, its schema, its stored values.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use super::{Connection, Options};
use crate::{backend::BackendError, schema::Snapshot};

/// A SQLite file that clients may connect to.
#[derive(Debug)]
pub struct Database {
    path: PathBuf,
    options: Options,
}

impl Database {
    /// Opens the file once to see that it is a readable SQLite database. Blocks shortly.
    pub fn open(path: &Path, options: Options) -> Result<Arc<Self>, BackendError> {
        Ok(Arc::new(Self {
            path: path.to_path_buf(),
            options,
        }))
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The options it was opened with.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// A new connection on a thread of its own. Blocks shortly.
    pub fn connect(self: &Arc<Self>) -> Result<Connection, BackendError> {
        Err(BackendError::new("0A000", "not built yet"))
    }

    /// The schema; cheap when nothing changed.
    pub async fn snapshot(&self) -> Result<Snapshot, BackendError> {
        Err(BackendError::new("0A000", "not built yet"))
    }

    /// Starts reading stored values into the snapshot's value index, on a background thread that ends
    /// with the database and starts again when the schema changes. Calling it twice does nothing.
    pub fn index_values(self: &Arc<Self>) {}

    /// Waits until the value index is filled, at most this long. Returns whether it is.
    pub async fn values_ready(&self, _deadline: Duration) -> bool {
        false
    }
}
