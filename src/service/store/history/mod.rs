//! What lists of questions are made from: a row a question beside the journal, made of the journal's own rows in the same
//! transaction, so that any list is found at once; and what the agents did for the last questions.

use std::time::SystemTime;

use async_trait::async_trait;

use super::{StoreAddress, StoreError};

mod postgres;
mod search;
mod sqlite;

/// A question as lists have it. Long texts are cut.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Past {
    /// Its number.
    pub id: String,
    /// When it came.
    pub time: Option<SystemTime>,
    /// The session that asked.
    pub session: u64,
    /// Who had logged in.
    pub user: String,
    /// The database.
    pub database: String,
    /// Where the client was.
    pub address: String,
    /// What it called itself.
    pub application: String,
    /// `run`, `sql` and so on.
    pub action: String,
    /// `answered`, `unanswered`, `failed`.
    pub state: String,
    /// How the last run ended.
    pub outcome: Option<String>,
    /// The code of what went wrong.
    pub sqlstate: Option<String>,
    /// Who answered.
    pub tier: String,
    /// From 0 to 1.
    pub confidence: Option<f64>,
    /// Whether it had been answered before.
    pub cached: bool,
    /// Calls of models.
    pub model_calls: u64,
    /// Tokens that they read.
    pub prompt_tokens: u64,
    /// Tokens that they wrote.
    pub completion_tokens: u64,
    /// US dollars.
    pub cost_usd: f64,
    /// Milliseconds up to the SQL.
    pub answer_ms: f64,
    /// Rows of all runs.
    pub rows: Option<u64>,
    /// Milliseconds of all runs.
    pub run_ms: Option<f64>,
    /// What somebody said of it.
    pub verdict: Option<String>,
    /// The words.
    pub words: String,
    /// The SQL.
    pub sql: Option<String>,
    /// Why it has no answer.
    pub reason: Option<String>,
}

/// Which questions are wanted. Empty texts do not count.
#[derive(Debug, Clone, Default)]
pub struct Sought {
    /// From this moment on.
    pub since: Option<SystemTime>,
    /// Whose.
    pub user: String,
    /// Of which database.
    pub database: String,
    /// `answered`, `unanswered`, `failed`.
    pub state: String,
    /// Answered by whom.
    pub tier: String,
    /// In the words, the SQL or the reason, in small letters.
    pub text: String,
    /// At least so sure.
    pub least: Option<f64>,
    /// At most so sure.
    pub most: Option<f64>,
    /// Of which somebody said so: `good`, `bad`, `fix`.
    pub verdict: String,
    /// This one alone.
    pub id: String,
}

/// Questions with one state and one author, added up.
#[derive(Debug, Clone, Default)]
pub struct Sum {
    /// `answered`, `unanswered`, `failed`.
    pub state: String,
    /// Who answered.
    pub tier: String,
    /// How many.
    pub questions: u64,
    /// Those that had been answered before.
    pub cached: u64,
    /// Those that somebody found right.
    pub good: u64,
    /// Those that somebody found wrong.
    pub bad: u64,
    /// Calls of models.
    pub model_calls: u64,
    /// Tokens that they read.
    pub prompt_tokens: u64,
    /// Tokens that they wrote.
    pub completion_tokens: u64,
    /// US dollars.
    pub cost_usd: f64,
}

/// What the agents did for a question.
#[derive(Debug, Clone)]
pub struct Worked {
    /// The question's number.
    pub id: String,
    /// When it was done.
    pub time: SystemTime,
    /// JSON.
    pub body: String,
}

/// Takes what the agents did for a question, as it is kept.
type Look<'a> = dyn for<'text> FnMut(&'text str) + Send + 'a;

/// Reads it.
#[async_trait]
pub trait History: Send {
    /// The questions that are sought, the newest first, so many at most.
    async fn find(&mut self, sought: &Sought, most: u64) -> Result<Vec<Past>, StoreError>;

    /// What the questions since then came to, of one user if one is named.
    async fn sums(&mut self, since: Option<SystemTime>, user: &str) -> Result<Vec<Sum>, StoreError>;

    /// What the agents did for a question, if that is kept.
    async fn worked(&mut self, id: &str) -> Result<Option<String>, StoreError>;

    /// Looks at what the agents did for each question since then, as far as that is kept.
    async fn each_worked(&mut self, since: Option<SystemTime>, look: &mut Look<'_>)
    -> Result<(), StoreError>;

    /// Keeps what the agents did, for so many questions and bytes at most: the oldest go.
    async fn keep(&mut self, worked: &[Worked], most: (u64, u64)) -> Result<(), StoreError>;
}

/// The columns of [`Past`], in its order.
const COLUMNS: &str = "question, time, session, user_name, database_name, address, application, action, state, outcome, \
                       sqlstate, tier, confidence, cached, model_calls, prompt_tokens, completion_tokens, cost_usd, \
                       answer_ms, \"rows\", run_ms, verdict, words, sql, reason";

impl StoreAddress {
    /// Opens the history to be read.
    pub async fn history(&self) -> Result<Box<dyn History>, StoreError> {
        Ok(match self {
            Self::File(path) => Box::new(super::sqlite::File::read_only(path)?),
            Self::Server(server) => Box::new(super::postgres::Schema::read_only(server).await?),
        })
    }

    /// Opens the history to keep runs in it; makes what is missing.
    pub async fn history_keeper(&self) -> Result<Box<dyn History>, StoreError> {
        Ok(match self {
            Self::File(path) => Box::new(super::sqlite::File::open(path)?),
            Self::Server(server) => Box::new(super::postgres::Schema::open(server).await?),
        })
    }
}
