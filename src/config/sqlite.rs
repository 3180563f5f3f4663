//! What is only for SQLite files.

use std::{collections::BTreeMap, path::PathBuf, time::Duration};

use super::{ConfigError, declare::settings, limits::SHORTEST_VALUE, reader::Reader};
use crate::statement::Dialect;

settings! {
    /// The SQLite leg.
    #[derive(Debug, Clone)]
    pub struct SqliteSettings in "sqlite." {
        pub attach: bool as Attach =
            "off", "SQLite files that are further schemas, by name; or true, if clients may ATTACH files of this machine";
        pub dialect: Dialect = "postgres", "whose SQL clients speak; with sqlite, statements run as they stand";
        pub journal_mode: Option<String> as JOURNAL_MODE =
            "", "journal mode to put the file into; empty leaves it as it is";
        pub busy_timeout: Duration = "5s", "how long a statement waits for another connection's lock";
        pub value_bytes: u64 as Bytes = "512MB", "the longest value that a client's own statement may read or make";
        pub memory: u64 as Bytes = "4GB", "memory that SQLite may take for a client's own statement; 0 for no limit";
        pub temporary_bytes: u64 as Bytes =
            "0", "what a client's own statements may have in temporary files; 0 for no limit";
    }
    beside {
        /// Files that are further schemas, by name.
        pub attached: BTreeMap<String, PathBuf>;
    }
}

impl SqliteSettings {
    pub(super) fn complete(&mut self, read: &Reader<'_>) -> Result<(), ConfigError> {
        self.attached = read.value("sqlite.attach")?;
        if self.value_bytes < SHORTEST_VALUE {
            return Err(read.refuse("sqlite.value_bytes", "is too small", "allow at least 1kB"));
        }
        Ok(())
    }
}
