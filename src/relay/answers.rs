//! Answers that were found before, so that the same question costs no more than its SQL.

use std::time::Duration;

use moka::sync::Cache;

use crate::{ask::Answer, backend::postgres::SessionSnapshot};

/// Answers that are kept at most.
const MOST: u64 = 1_000;
/// How long one is kept. The data may have come to mean something else.
const KEPT: Duration = Duration::from_secs(600);

/// A question, and all that its answer depends on.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Asked {
    database: String,
    user: String,
    search_path: Vec<String>,
    schema: u64,
    tables_left: usize,
    attempts: usize,
    words: String,
}

impl Asked {
    pub(super) fn new(seen: &SessionSnapshot, words: &str, attempts: usize) -> Self {
        Self {
            database: seen.state.database.clone(),
            user: seen.state.user.clone(),
            search_path: seen.state.search_path.clone(),
            schema: seen.snapshot.fingerprint,
            tables_left: seen.tables_left,
            attempts,
            words: words.to_owned(),
        }
    }
}

/// Answers by question, shared by all sessions.
pub(super) type Answers = Cache<Asked, Answer>;

pub(super) fn answers() -> Answers {
    Cache::builder().max_capacity(MOST).time_to_live(KEPT).build()
}

/// The same answer, for which nobody has worked this time.
pub(super) fn again(answer: &Answer) -> Answer {
    Answer {
        elapsed: Duration::ZERO,
        model_calls: 0,
        ..answer.clone()
    }
}
