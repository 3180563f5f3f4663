//! Language models: what is asked of one, what it answers, and what that may cost. Nothing else speaks HTTP to one.

use std::{sync::Arc, time::Duration};

use async_trait::async_trait;

mod budget;
mod daily_spend;
mod embedder;
mod error;
mod grammar;
pub mod json;
mod models;
mod providers;
mod redact;
mod replay;
mod setup_error;
mod vectors;

pub use budget::{Budget, BudgetLimits, SessionBudget, Spent};
pub use daily_spend::DailySpend;
pub use embedder::{Embedder, SharedEmbedder};
pub use error::ModelError;
pub use models::Models;
pub use providers::{connect, connect_embedder};
pub use replay::Cassette;
pub use setup_error::ModelSetupError;

/// One call of a model, whoever provides it.
#[derive(Debug, Clone, PartialEq)]
pub struct Request {
    /// Which agent asks, as the trace names it.
    pub agent: &'static str,
    /// What holds for the whole conversation; the part that providers may keep in a cache.
    pub system: String,
    /// What is asked.
    pub user: String,
    /// The JSON that the answer must be; `None` for free text.
    pub output: Option<OutputSchema>,
    /// Tables and columns that the SQL may name, for a model that is held to a grammar.
    pub names: Vec<String>,
    /// 0 for the likeliest answer, more for others.
    pub temperature: f32,
    /// Tokens of the answer at most; the model's own setting holds too.
    pub max_tokens: Option<u64>,
}

/// The form of an answer as a JSON schema.
#[derive(Debug, Clone, PartialEq)]
pub struct OutputSchema {
    /// A name of letters, digits and underscores, as providers demand one.
    pub name: &'static str,
    /// JSON schema, an object whose properties are all required and that allows no others.
    pub schema: serde_json::Value,
}

/// What a model answered.
#[derive(Debug, Clone, PartialEq)]
pub struct Reply {
    /// The text, without what the model thought aloud before it.
    pub text: String,
    /// What it took.
    pub usage: Usage,
    /// True if the limit of tokens cut it short.
    pub cut: bool,
    /// Wall time, retries included.
    pub elapsed: Duration,
}

/// Tokens of a call, as the provider counts them; estimated where it does not.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Usage {
    /// Tokens read.
    pub prompt_tokens: u64,
    /// Tokens written, those thought included.
    pub completion_tokens: u64,
}

impl Usage {
    /// Adds what more was used. Providers tell what they like.
    pub(crate) fn add(&mut self, more: Self) {
        self.prompt_tokens = self.prompt_tokens.saturating_add(more.prompt_tokens);
        self.completion_tokens = self.completion_tokens.saturating_add(more.completion_tokens);
    }

    /// Tokens read and written.
    pub(crate) fn total(&self) -> u64 {
        self.prompt_tokens.saturating_add(self.completion_tokens)
    }
}

/// A language model that can be called.
#[async_trait]
pub trait Model: Send + Sync + std::fmt::Debug {
    /// The name that the configuration and the trace have for it.
    fn name(&self) -> &str;

    /// What a call costs in US dollars.
    fn price(&self, usage: Usage) -> f64;

    /// Calls it, with its own retries, rate limits and time limits. Dropping the future ends the request, so that a
    /// provider that streams stops writing.
    async fn complete(&self, request: &Request) -> Result<Reply, ModelError>;

    /// The same, with what the call took whether it failed or not; `None` where that is not known.
    async fn complete_counted(&self, request: &Request) -> (Result<Reply, ModelError>, Option<Usage>) {
        let outcome = self.complete(request).await;
        let usage = outcome.as_ref().ok().map(|reply| reply.usage);
        (outcome, usage)
    }
}

/// A model that several share.
pub type SharedModel = Arc<dyn Model>;
