//! The keys of what the console keeps and runs.

use super::{
    key::{Key, key},
    value::KeyType,
};

/// Data sets that may be evaluated.
pub(super) const DATASETS: Key = key(
    "console_datasets",
    KeyType::List,
    "",
    "folders of data sets that may be evaluated from the console's page Benchmarks",
);

/// Where evaluations are kept.
pub(super) const EVALUATIONS: Key = key(
    "console_evaluations",
    KeyType::Text,
    "",
    "the folder that keeps those evaluations; by default evaluations beside the file of store.path",
);

/// What is kept of the agents.
pub(super) const RUNS: Key = key(
    "console_runs",
    KeyType::Count,
    "10000",
    "questions of which the store keeps what the agents did, 256 MB at most; 0 for none",
);
