//! Answers that were found before, so that the same question costs no more than its SQL, and questions that several
//! sessions ask at once, so that one works on them and the others wait.

use std::{
    collections::{HashMap, hash_map::Entry},
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};

use moka::sync::Cache;
use tokio::{sync::watch, time::timeout};

use crate::{
    backend::Backend,
    question::{
        ask::{self, Answer, AskError, AskSettings},
        schema::{Snapshot, ValueIndex},
    },
    statement::Mode,
};

use often::Often;

mod often;

/// What the answers that are kept may hold, in bytes.
const MOST: u64 = 16 << 20;
/// How long one is kept. The data may have come to mean something else.
const KEPT: Duration = Duration::from_secs(600);

/// How long a question waits for stored values that are being read, so that its answer counts for who asks later.
const VALUES_WAIT: Duration = Duration::from_secs(2);

/// Answers by question, shared by all sessions of a server.
#[derive(Debug)]
pub struct Answers {
    kept: Cache<Key, Answer>,
    /// What is being worked on. The receivers hear of a failure; their end means that the work has ended.
    flights: Mutex<HashMap<Key, watch::Receiver<()>>>,
    /// How often slow ones were given.
    often: Often,
}

/// Whose question it is, and of what.
#[derive(Debug, Clone)]
pub struct CacheScope {
    database: String,
    user: String,
    role: String,
    search_path: Vec<String>,
    schema: u64,
    values: Arc<ValueIndex>,
}

/// The same at one moment.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct ScopeKey {
    database: String,
    user: String,
    role: String,
    search_path: Vec<String>,
    schema: u64,
    /// How much of the stored values is known: columns and values.
    values: (usize, usize),
}

/// A question, and all that its answer depends on.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Key {
    scope: ScopeKey,
    generation: u64,
    mode: Mode,
    tiers: Vec<String>,
    attempts: usize,
    words: String,
}

/// How a question goes through the cache of answers.
#[derive(Debug, Clone)]
pub struct CacheRequest {
    /// Who else asks the same.
    pub scope: CacheScope,
    /// Counts the reloads of the configuration.
    pub generation: u64,
    /// How far it goes.
    pub policy: CachePolicy,
}

/// How far answers are shared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CachePolicy {
    /// What others found counts, and what they are about to find is waited for.
    Wholly,
    /// The same without waiting: in a transaction one may hold what the others wait for.
    WithoutWaiting,
    /// What others found counts, but this answer has not been tried well enough to count for them.
    Reading,
}

/// Who works on a question.
enum Turn<'a> {
    /// Nobody: it was answered before.
    Known(Box<Answer>),
    /// This session, and others wait for it.
    Mine(Flight<'a>),
    /// This session for itself.
    Alone,
}

/// The work on a question that others may wait for. Dropped without a word, the next of them takes over.
struct Flight<'a> {
    answers: &'a Answers,
    key: Key,
    failed: watch::Sender<()>,
}

impl CacheScope {
    /// A user's view of a database: of whoever has logged in, with the rights of a role.
    pub fn new(
        database: &str,
        (user, role): (&str, &str),
        search_path: &[String],
        snapshot: &Snapshot,
    ) -> Self {
        Self {
            database: database.to_owned(),
            user: user.to_owned(),
            role: role.to_owned(),
            search_path: search_path.to_vec(),
            schema: snapshot.fingerprint,
            values: Arc::clone(&snapshot.values),
        }
    }

    /// Once its stored values are known; `None` if that takes too long. Cancel safe.
    async fn known(self) -> Option<ScopeKey> {
        let deadline = Instant::now() + VALUES_WAIT;
        loop {
            let values = self.values.progress();
            if values.is_done() {
                return Some(ScopeKey {
                    database: self.database,
                    user: self.user,
                    role: self.role,
                    search_path: self.search_path,
                    schema: self.schema,
                    values: (values.columns_done, values.values),
                });
            }
            if Instant::now() > deadline {
                return None;
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }
}

impl Default for Answers {
    fn default() -> Self {
        Self {
            kept: Cache::builder()
                .weigher(|key: &Key, answer: &Answer| weight(key, answer))
                .max_capacity(MOST)
                .time_to_live(KEPT)
                .build(),
            flights: Mutex::default(),
            often: Often::default(),
        }
    }
}

impl Answers {
    /// How many are kept, and their bytes.
    pub fn kept(&self) -> (u64, u64) {
        // Else those of a moment ago would not be counted.
        self.kept.run_pending_tasks();
        (self.kept.entry_count(), self.kept.weighted_size())
    }

    /// Asks, or tells what was said to the same question. `cache_request` is `None` for a question of nobody else's.
    /// Cancel safe, as [`ask::ask`] is: another session that waits for the answer goes on with the work.
    pub async fn ask(
        &self,
        database: &dyn Backend,
        words: &str,
        settings: &AskSettings,
        cache_request: Option<CacheRequest>,
    ) -> Result<Answer, AskError> {
        let who = cache_request
            .as_ref()
            .map(|request| (request.scope.database.clone(), request.scope.user.clone()));
        let mut answer = self.asked(database, words, settings, cache_request).await?;
        if let Some((database, user)) = who {
            self.often.count(&mut answer, &database, &user, words);
        }
        // What rows there are is of this moment, and of whoever asks.
        Ok(answer.with_ties(database).await)
    }

    async fn asked(
        &self,
        database: &dyn Backend,
        words: &str,
        settings: &AskSettings,
        cache_request: Option<CacheRequest>,
    ) -> Result<Answer, AskError> {
        let Some(cache_request) = cache_request else {
            return ask::ask(database, words, settings).await;
        };
        let begun = Instant::now();
        let limit = settings.question_timeout;
        let Some(scope) = cache_request.scope.known().await else {
            return ask::ask(database, words, settings).await;
        };
        let policy = cache_request.policy;
        let key = Key {
            scope,
            generation: cache_request.generation,
            mode: settings.mode,
            tiers: settings.tiers.clone(),
            attempts: settings.max_attempts,
            words: words.to_owned(),
        };
        let turn = self.turn(key, policy, settings.min_confidence);
        let turn = if limit.is_zero() {
            turn.await
        } else {
            timeout(limit, turn).await.map_err(|_| AskError::Timeout(limit))?
        };
        let left = AskSettings {
            question_timeout: match limit {
                Duration::ZERO => limit,
                limit => limit
                    .saturating_sub(begun.elapsed())
                    .max(Duration::from_millis(1)),
            },
            ..settings.clone()
        };
        match turn {
            Turn::Known(answer) => Ok(Answer {
                elapsed: begun.elapsed(),
                model_calls: 0,
                cached: true,
                ..*answer
            }),
            Turn::Alone => ask::ask(database, words, &left).await,
            Turn::Mine(flight) => {
                let answer = ask::ask(database, words, &left).await;
                flight.land(&answer);
                answer
            }
        }
    }

    /// Whose turn it is to work on a question. Cancel safe.
    async fn turn(&self, key: Key, policy: CachePolicy, enough: f64) -> Turn<'_> {
        loop {
            let mut theirs = {
                let mut flights = self.flights.lock().unwrap_or_else(PoisonError::into_inner);
                if let Some(answer) = self.kept.get(&key)
                    && answer.confidence >= enough
                {
                    return Turn::Known(Box::new(answer));
                }
                if policy == CachePolicy::Reading {
                    return Turn::Alone;
                }
                match flights.entry(key.clone()) {
                    Entry::Vacant(free) => {
                        let (failed, receiver) = watch::channel(());
                        free.insert(receiver);
                        return Turn::Mine(Flight {
                            answers: self,
                            key,
                            failed,
                        });
                    }
                    Entry::Occupied(theirs) => theirs.get().clone(),
                }
            };
            // Where others fail, everybody tries at once, with limits and patience of their own.
            if policy == CachePolicy::WithoutWaiting || theirs.changed().await.is_ok() {
                return Turn::Alone;
            }
        }
    }
}

impl Flight<'_> {
    /// Tells the others how it ended.
    fn land(self, answer: &Result<Answer, AskError>) {
        match answer {
            Ok(answer) if !answer.degraded => self.answers.kept.insert(self.key.clone(), answer.clone()),
            _ => drop(self.failed.send(())),
        }
    }
}

impl Drop for Flight<'_> {
    fn drop(&mut self) {
        let mut flights = self
            .answers
            .flights
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        flights.remove(&self.key);
    }
}

/// About what an answer holds, in bytes.
fn weight(key: &Key, answer: &Answer) -> u32 {
    let steps = answer
        .steps
        .iter()
        .map(|(step, detail)| step.len() + detail.len());
    let runs = answer.trace.iter().map(|run| {
        size_of_val(run) + run.model.len() + run.outcome.len() + run.prompt.len() + run.output.len()
    });
    let bytes = size_of::<(Key, Answer)>()
        + key.words.len()
        + 2 * answer.sql.as_str().len()
        + steps.sum::<usize>()
        + runs.sum::<usize>();
    u32::try_from(bytes).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests;
