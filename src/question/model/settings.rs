//! What is known of a model before it is called: where it is, what it takes, what it costs, how long to wait.

use std::{collections::BTreeMap, fmt, path::PathBuf, time::Duration};

use super::redact;
use crate::config::Secret;

/// The HTTP interface that a provider offers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Api {
    /// OpenAI's chat completions, and every server that is compatible with them.
    OpenAi,
    /// Anthropic's messages.
    Anthropic,
    /// Gemini's `generateContent`.
    Gemini,
    /// Ollama, through its own chat completions.
    Ollama,
}

/// How an answer that must be JSON is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Structured {
    /// With the JSON schema; with less where the provider refuses it.
    Auto,
    /// With the JSON schema; a provider that refuses it is an error.
    Schema,
    /// As some JSON object; the schema stands in the prompt.
    Object,
    /// In the prompt alone.
    Off,
}

/// One model behind one or more endpoints.
#[derive(Clone, PartialEq)]
pub struct ModelSettings {
    /// The name that the configuration and the trace have for it.
    pub name: String,
    /// What its endpoints speak.
    pub api: Api,
    /// Where it is, such as `https://api.openai.com/v1`; several are balanced and fail over. Empty for the
    /// provider's own address.
    pub base_urls: Vec<String>,
    /// The provider's name for it.
    pub model: String,
    /// The key; `None` where none is needed.
    pub api_key: Option<Secret>,
    /// How much it may think, in the provider's word: `minimal`, `low`, `medium`, `high`; a number of tokens for
    /// Anthropic and Gemini too.
    pub reasoning_effort: Option<String>,
    /// Tokens of an answer at most, those thought included.
    pub max_tokens: Option<u64>,
    /// US dollars per million tokens read.
    pub price_in: f64,
    /// US dollars per million tokens written.
    pub price_out: f64,
    /// How long a call may take, its retries and its wait for a turn included.
    pub timeout: Duration,
    /// How long a provider may be silent: before its first byte, and between two pieces.
    pub first_byte_timeout: Duration,
    /// How often a call is tried again after every endpoint has failed once.
    pub retries: u32,
    /// Requests that the provider allows in a minute.
    pub requests_per_minute: Option<u32>,
    /// Tokens that the provider allows in a minute.
    pub tokens_per_minute: Option<u32>,
    /// Requests in flight at once; more wait for their turn.
    pub concurrency: usize,
    /// How JSON is asked for.
    pub structured: Structured,
    /// Certificates (PEM) that are trusted beside the system's.
    pub ca: Option<PathBuf>,
    /// The proxy that leads there, such as `http://user:password@proxy:3128`; addresses of this machine are never
    /// reached through it.
    pub proxy: Option<String>,
    /// Hosts that are reached without the proxy, as `NO_PROXY` lists them.
    pub no_proxy: Option<String>,
    /// More headers of each request.
    pub headers: BTreeMap<String, Secret>,
}

impl ModelSettings {
    /// A model of this provider at its own address, without a key.
    pub fn new(name: impl Into<String>, api: Api, model: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            api,
            base_urls: vec![],
            model: model.into(),
            api_key: None,
            reasoning_effort: None,
            max_tokens: None,
            price_in: 0.0,
            price_out: 0.0,
            timeout: Duration::from_secs(120),
            first_byte_timeout: Duration::from_secs(90),
            retries: 2,
            requests_per_minute: None,
            tokens_per_minute: None,
            concurrency: 16,
            structured: Structured::Auto,
            ca: None,
            proxy: None,
            no_proxy: None,
            headers: BTreeMap::new(),
        }
    }
}

impl fmt::Debug for ModelSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let base_urls: Vec<_> = self.base_urls.iter().map(|url| redact::address(url)).collect();
        f.debug_struct("ModelSettings")
            .field("name", &self.name)
            .field("api", &self.api)
            .field("base_urls", &base_urls)
            .field("model", &self.model)
            .field("api_key", &self.api_key)
            .field("reasoning_effort", &self.reasoning_effort)
            .field("max_tokens", &self.max_tokens)
            .field("structured", &self.structured)
            .field("proxy", &self.proxy.as_deref().map(redact::address))
            .finish_non_exhaustive()
    }
}

/// Why a model cannot be called as it is configured. No secret stands in the words.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ModelSetupError {
    /// An address is none.
    #[error("model {model}: {address} is no HTTP address: {reason}")]
    Address {
        /// The model's name.
        model: String,
        /// The address, without what is secret in it.
        address: String,
        /// What is wrong with it.
        reason: String,
    },
    /// A header cannot be sent.
    #[error("model {model}: {header} cannot be sent as a header")]
    Header {
        /// The model's name.
        model: String,
        /// The header's name.
        header: String,
    },
    /// Certificates cannot be read.
    #[error("model {model}: {reason}")]
    Certificates {
        /// The model's name.
        model: String,
        /// What is wrong.
        reason: String,
    },
    /// A file of recorded calls is of no use.
    #[error("cannot use the recorded calls in {}: {reason}", path.display())]
    Recording {
        /// The file.
        path: PathBuf,
        /// Why.
        reason: String,
    },
    /// A setting has no meaning.
    #[error("model {model}: {setting} {reason}")]
    Setting {
        /// The model's name.
        model: String,
        /// The setting.
        setting: &'static str,
        /// What is wrong with it.
        reason: String,
    },
}
