//! Language models as they are configured: where each is, its key, its limits; and whether they can be called.

use std::{
    collections::BTreeMap,
    fmt,
    path::{Path, PathBuf},
    time::Duration,
};

use url::{Host, Url};

use super::{
    ConfigError, Environment, Secret, Settings, Source, build::Reader, model_api::ModelApi, network,
    tables::Table,
};
use crate::statement::Mode;

/// What the built-in agents take questions for that leave it open.
pub(super) const CONVENTIONS: &str = "Where it is left open: a share is a fraction and a percentage out of 100, unrounded; \
                                      \"each\" leaves out those with none; ties are cut by LIMIT; \"which has the most\" \
                                      goes without the figure, \"top N by\" with it.";

/// A language model, by a `[[model]]` of the file or by an `API:MODEL` among the tiers.
#[derive(Clone, PartialEq)]
pub struct ModelSettings {
    /// What tiers and agents call it.
    pub name: String,
    /// How it is spoken to.
    pub api: ModelApi,
    /// Where it is; several endpoints stand in for each other. Empty for the provider's own address.
    pub base_urls: Vec<String>,
    /// What the provider calls it.
    pub model: String,
    /// What the provider wants to see.
    pub key: ModelKey,
    /// How long it thinks, in the provider's words.
    pub reasoning_effort: Option<String>,
    /// Tokens of an answer at most.
    pub max_tokens: Option<u64>,
    /// US dollars per million tokens read.
    pub price_in: f64,
    /// US dollars per million tokens written.
    pub price_out: f64,
    /// How often its SQL is right, 0 to 1, where that is known.
    pub accuracy: Option<f64>,
    /// Whether it is asked for SQL alone.
    pub terse: bool,
    /// Time for a call, its retries included; never zero.
    pub timeout: Duration,
    /// Time that it may be silent; never zero.
    pub first_byte_timeout: Duration,
    /// How often a call that failed is made again.
    pub retries: u32,
    /// Requests in a minute; `None` for no limit.
    pub requests_per_minute: Option<u32>,
    /// Tokens in a minute; `None` for no limit.
    pub tokens_per_minute: Option<u32>,
    /// Requests at once; never zero.
    pub concurrency: usize,
    /// How it is held to JSON.
    pub structured_output: StructuredOutput,
    /// Authorities that are trusted beside the system's, a PEM file.
    pub ca: Option<PathBuf>,
    /// The proxy on the way to it.
    pub proxy: Option<Secret>,
    /// Hosts that are reached without the proxy.
    pub no_proxy: Option<String>,
    /// Headers of each request.
    pub headers: BTreeMap<String, Secret>,
    /// Where it is configured.
    pub source: Source,
}

/// How a model is held to JSON.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StructuredOutput {
    /// As much as the provider takes.
    Auto,
    /// By a schema.
    Schema,
    /// As JSON of any form.
    Json,
    /// By the prompt alone.
    Off,
}

/// What a provider wants to see.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ModelKey {
    /// Nothing.
    None,
    /// A key.
    Known(Secret),
    /// A key that is not where it should be.
    Missing {
        /// What is not there.
        reason: String,
        /// What to do.
        hint: String,
    },
}

impl ModelKey {
    /// The key, if there is one.
    pub fn secret(&self) -> Option<&Secret> {
        match self {
            Self::Known(key) => Some(key),
            Self::None | Self::Missing { .. } => None,
        }
    }
}

impl ModelSettings {
    /// A model of this provider with the defaults, whatever the environment says.
    pub fn new(name: impl Into<String>, api: ModelApi, model: impl Into<String>) -> Self {
        let table = Table::of_model(&name.into(), api, &model.into(), &Source::Default);
        Self::of_table(&table, &Environment::default()).expect("the defaults contradict nothing")
    }

    /// Reads a table.
    pub(super) fn of_table(table: &Table, environment: &Environment) -> Result<Self, ConfigError> {
        let read = Reader(&table.entries);
        let name = read.text("name");
        let refuse = |key: &str, reason: &str, hint: &str| {
            let source = match &table.entries[key].1 {
                Source::Default => &table.source,
                source => source,
            };
            ConfigError {
                message: format!("{key} of model {name:?} {reason} ({source})"),
                hint: Some(hint.to_owned()),
            }
        };
        let api = ModelApi::of_name(&read.text("api")).unwrap_or(ModelApi::OpenAi);
        let chosen = read.list("base_url");
        let base_urls = if chosen.is_empty() {
            network::usual_address(api, environment).into_iter().collect()
        } else {
            chosen.clone()
        };
        for address in &base_urls {
            check_address(address).map_err(|reason| {
                refuse(
                    "base_url",
                    &reason,
                    "write http://HOST[:PORT][/PATH] or https://…, such as http://127.0.0.1:8080/v1",
                )
            })?;
        }
        let (variable, file) = (read.text("api_key_env"), read.text("api_key_file"));
        let key = match (variable.is_empty(), file.is_empty()) {
            (false, false) => {
                return Err(refuse(
                    "api_key_file",
                    "is given beside api_key_env",
                    "choose one",
                ));
            }
            (false, true) => key_of_variable(&variable, environment),
            (true, false) => key_of_file(Path::new(&file)),
            // A key never goes to an address that it was not meant for.
            (true, true) if !chosen.is_empty() => ModelKey::None,
            (true, true) => match api.key_variable() {
                // The provider itself always wants one.
                Some(usual) if base_urls.is_empty() || environment.has(usual) => {
                    key_of_variable(usual, environment)
                }
                _ => ModelKey::None,
            },
        };
        let headers = read.map("headers");
        if let Some((header, _)) = headers.iter().find(|(name, value)| !is_header(name, value)) {
            let reason = format!("has {header:?}, which cannot be sent");
            return Err(refuse("headers", &reason, "write { name = \"value\" }"));
        }
        let open = base_urls
            .iter()
            .find(|address| address.starts_with("http:") && !is_loopback(address));
        let secret = key != ModelKey::None || !headers.is_empty();
        if let (Some(address), true, false) = (open, secret, read.flag("allow_insecure")) {
            return Err(refuse(
                "base_url",
                &format!("is {address}: anybody on the way could read the key"),
                "use https://, or say allow_insecure = true in its [[model]] if you trust the network",
            ));
        }
        for key in ["timeout", "first_byte_timeout"] {
            if read.duration(key).is_zero() {
                return Err(refuse(key, "is 0", "give it some time, such as 2min"));
            }
        }
        if read.count("concurrency") == 0 {
            return Err(refuse("concurrency", "is 0", "allow at least one request"));
        }
        let count = |key: &str| u32::try_from(read.count(key)).unwrap_or(u32::MAX);
        let proxy = network::proxy(&read.text("proxy"), &base_urls, environment);
        Ok(Self {
            model: Some(read.text("model"))
                .filter(|model| !model.is_empty())
                .unwrap_or(name.clone()),
            api,
            base_urls,
            key,
            reasoning_effort: read.some_text("reasoning_effort"),
            max_tokens: Some(read.count("max_tokens")).filter(|tokens| *tokens > 0),
            price_in: read.money("price_in"),
            price_out: read.money("price_out"),
            terse: read.flag("terse"),
            accuracy: Some(read.fraction("accuracy")).filter(|accuracy| *accuracy > 0.0),
            timeout: read.duration("timeout"),
            first_byte_timeout: read.duration("first_byte_timeout"),
            retries: count("retries"),
            requests_per_minute: Some(count("requests_per_minute")).filter(|requests| *requests > 0),
            tokens_per_minute: Some(count("tokens_per_minute")).filter(|tokens| *tokens > 0),
            concurrency: usize::try_from(read.count("concurrency")).unwrap_or(usize::MAX),
            structured_output: match read.text("structured_output").as_str() {
                "schema" => StructuredOutput::Schema,
                "json" => StructuredOutput::Json,
                "off" => StructuredOutput::Off,
                _ => StructuredOutput::Auto,
            },
            ca: read
                .some_text("ca")
                .map(Into::into)
                .or_else(|| network::authorities(environment)),
            no_proxy: proxy.as_ref().and_then(|_| network::no_proxy(environment)),
            proxy: proxy.map(Secret::new),
            headers: headers
                .into_iter()
                .map(|(name, value)| (name, Secret::new(value)))
                .collect(),
            source: table.source.clone(),
            name,
        })
    }

    /// True if it runs on this machine.
    pub fn is_local(&self) -> bool {
        match self.base_urls.as_slice() {
            [] => self.api == ModelApi::Ollama,
            addresses => addresses.iter().all(|address| is_loopback(address)),
        }
    }
}

/// Addresses may hold secrets.
impl fmt::Debug for ModelSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ModelSettings")
            .field("name", &self.name)
            .field("api", &self.api)
            .field("model", &self.model)
            .field("key", &self.key)
            .field("source", &self.source)
            .finish_non_exhaustive()
    }
}

impl Settings {
    /// The model of this name.
    pub fn model(&self, name: &str) -> Option<&ModelSettings> {
        self.models.iter().find(|model| model.name == name)
    }

    /// Refuses a model without its key, if questions go to it unless told otherwise. What comes back are warnings: of
    /// models on this machine, which seldom look at a key, of those that only a session could choose, and of a budget
    /// that counts nothing.
    pub fn check_models(&self) -> Result<Vec<String>, ConfigError> {
        let mut warnings = Vec::new();
        if self.replay.is_some() && self.record.is_none() {
            return Ok(warnings);
        }
        for model in &self.models {
            let free = model.price_in + model.price_out == 0.0;
            if self.limits.spend_per_day.is_some() && free && !model.is_local() && self.answers(&model.name) {
                warnings.push(format!(
                    "model {} has no price, so that limits.spend_per_day does not count it ({}); \
                     set price_in and price_out in its [[model]]",
                    model.name, model.source
                ));
            }
            let ModelKey::Missing { reason, hint } = &model.key else {
                continue;
            };
            let message = format!("model {}: {reason} ({})", model.name, model.source);
            if self.mode == Mode::Embedded || !self.uses(&model.name) || model.is_local() {
                warnings.push(format!("{message}; {hint}"));
                continue;
            }
            return Err(ConfigError {
                message,
                hint: Some(hint.clone()),
            });
        }
        Ok(warnings)
    }

    fn uses(&self, name: &str) -> bool {
        self.embeddings.as_deref() == Some(name) || self.answers(name)
    }

    /// True if the model of this name is a tier, or an agent's.
    pub fn answers(&self, name: &str) -> bool {
        let mut named = self.tiers.iter().chain(self.agents.values());
        named.any(|named| named == name)
    }
}

fn key_of_variable(variable: &str, environment: &Environment) -> ModelKey {
    match environment.variables.get(variable).map(|key| key.trim()) {
        Some(key) if !key.is_empty() => known(key, variable),
        _ => ModelKey::Missing {
            reason: format!("the variable {variable} has no key"),
            hint: format!("set {variable} in the environment, or name a file in api_key_file"),
        },
    }
}

fn key_of_file(file: &Path) -> ModelKey {
    let missing = |reason: String| ModelKey::Missing {
        reason,
        hint: "let api_key_file name a file that holds the key and nothing else".into(),
    };
    match std::fs::read_to_string(file) {
        Ok(text) if text.trim().is_empty() => missing(format!("{} is empty", file.display())),
        Ok(text) => known(text.trim(), &file.display().to_string()),
        Err(error) => missing(format!("cannot read the key in {}: {error}", file.display())),
    }
}

fn known(key: &str, place: &str) -> ModelKey {
    if is_header("authorization", key) {
        return ModelKey::Known(Secret::new(key));
    }
    ModelKey::Missing {
        reason: format!("what {place} holds is no key: it has characters that cannot be sent"),
        hint: "a key is one line of letters, digits and signs".into(),
    }
}

fn is_header(name: &str, value: &str) -> bool {
    let in_name = |c: u8| c.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&c);
    let in_value = |c: u8| c == b'\t' || (b' '..=b'~').contains(&c);
    !name.is_empty() && name.bytes().all(in_name) && value.bytes().all(in_value)
}

/// Says what is wrong with the address of an API, without telling a password in it.
fn check_address(address: &str) -> Result<(), String> {
    let url = Url::parse(address).map_err(|error| format!("is no address: {error}"))?;
    if !matches!(url.scheme(), "http" | "https") || url.host().is_none() {
        return Err(format!("is no address of HTTP: {}:", url.scheme()));
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err("has a user or a password in it; a key belongs in api_key_env or api_key_file".into());
    }
    if url.fragment().is_some() {
        return Err("has a # in it".into());
    }
    if let Some((name, _)) = url.query_pairs().find(|(name, _)| is_secret(name)) {
        return Err(format!(
            "has a secret in it: {name}; a key belongs in api_key_env or api_key_file"
        ));
    }
    Ok(())
}

/// True for names of what is not for everybody's eyes.
fn is_secret(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    ["key", "token", "secret", "password", "signature"]
        .iter()
        .any(|word| name.contains(word))
}

/// True for addresses that lead to this machine.
pub(super) fn is_loopback(address: &str) -> bool {
    let url = Url::parse(address).ok();
    match url.as_ref().and_then(Url::host) {
        Some(Host::Domain(name)) => name == "localhost" || name.ends_with(".localhost"),
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        None => false,
    }
}
