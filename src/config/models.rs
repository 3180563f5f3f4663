//! Language models as they are configured: where each is, its key, its limits; and whether they can be called.

use std::{
    collections::BTreeMap,
    fmt,
    path::{Path, PathBuf},
    time::Duration,
};

use url::{Host, Url};

use super::{
    ConfigError, Environment, Secret, SettingSource, Settings, declare::settings, model_api::ModelApi,
    network, reader::Reader, tables::Table,
};
use crate::statement::{Mode, words::words};

/// What the built-in agents take questions for that leave it open.
pub(super) const CONVENTIONS: &str = "Where it is left open: a share is a fraction and a percentage out of 100, unrounded; \
                                      \"each\" leaves out those with none; ties are cut by LIMIT; \"which has the most\" \
                                      goes without the figure, \"top N by\" with it.";

settings! {
    /// A language model, by a `[[model]]` of the file or by an `API:MODEL` among the tiers.
    #[derive(Clone, PartialEq)]
    pub struct ModelSettings in "" {
        pub name: String = "", "what tiers and agents call it";
        pub api: ModelApi = "openai", "how it is spoken to; openai is what most servers understand";
        pub base_urls("base_url"): Vec<String> =
            "", "where its API is, http:// or https://; several endpoints of one model stand in for each other";
        pub model: String = "", "what the provider calls it; else its name";
        pub api_key_env: Option<String> = "", "the variable of the environment with the key";
        pub api_key_file: Option<PathBuf> = "", "the file with the key";
        pub allow_insecure: bool = "off", "lets the key travel over plain http to another machine";
        pub headers: BTreeMap<String, Secret> = "{}", "headers of each request";
        pub reasoning_effort: Option<String> = "", "how long it thinks, in the provider's words, such as low";
        pub max_tokens: Option<u64> = "0", "tokens of an answer, those thought included; 0 for what the agents need";
        pub structured_output: StructuredOutput =
            "auto", "how it is held to JSON: by a schema, by a grammar (llama.cpp), as JSON of any form, by the prompt alone; auto as the API has it";
        pub price_in: f64 as Money = "0", "US dollars per million tokens read";
        pub price_out: f64 as Money = "0", "US dollars per million tokens written";
        pub accuracy: Option<f64> =
            "0.0", "how often its SQL is right, as querent eval measures it; 0 where that is not known";
        pub terse: Terse =
            "auto", "asks for SQL alone, without reasoning and other readings: true or false; auto does so with small models, which are more often right then";
        pub samples: Option<usize> =
            "0", "proposals that it makes of SQL that is in doubt, the first one included; what most of them give wins; 0 for 5 of small models and 1 of others";
        pub timeout: Duration = "2min", "time for a call, its retries and its wait for a turn included";
        pub first_byte_timeout: Duration = "90s", "how long it may be silent, before its answer and within";
        pub retries: u32 = "2", "how often a call that failed at every endpoint is made again";
        pub requests_per_minute: Option<u32> = "0", "requests in a minute; 0 for no limit";
        pub tokens_per_minute: Option<u32> = "0", "tokens in a minute; 0 for no limit";
        pub concurrency: usize = "16", "requests at once; more wait";
        pub ca: Option<PathBuf> =
            "", "authorities that are trusted beside the system's, a PEM file; else SSL_CERT_FILE";
        pub proxy: Option<Secret> = "", "the HTTP proxy on the way to it, or off; else HTTPS_PROXY and the like";
    }
    beside {
        /// What the provider wants to see.
        pub key: ModelKey;
        /// Hosts that are reached without the proxy.
        pub no_proxy: Option<String>;
        /// Where it is configured.
        pub source: SettingSource;
    }
}

words! {
    /// How a model is held to JSON.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum StructuredOutput {
        /// As much as the provider takes.
        Auto = "auto",
        /// By a grammar with the names of the schema, as servers built on llama.cpp take it.
        Grammar = "grammar",
        /// By a schema.
        Schema = "schema",
        /// As JSON of any form.
        Json = "json",
        /// By the prompt alone.
        Off = "off",
    }
}

words! {
    /// Whether a model is asked for SQL alone.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum Terse {
        /// If it is small.
        Auto = "auto",
        /// Always.
        On = "true",
        /// Never.
        Off = "false",
    }
}

/// What a provider wants to see.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum ModelKey {
    /// Nothing.
    #[default]
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
        let table = Table::of_model(&name.into(), api, &model.into(), &SettingSource::Default);
        Self::of_table(&table, &Environment::default()).expect("the defaults contradict nothing")
    }

    /// Reads a table.
    pub(super) fn of_table(table: &Table, environment: &Environment) -> Result<Self, ConfigError> {
        let named = Reader::new(&table.entries).value::<String>("name")?;
        let read = Reader::of_table(table, format!("model {named:?}"));
        let mut model = Self::read(&read)?;
        let is_addressed = !model.base_urls.is_empty();
        if !is_addressed {
            model
                .base_urls
                .extend(network::usual_address(model.api, environment));
        }
        for address in &model.base_urls {
            check_address(address).map_err(|reason| {
                read.refuse(
                    "base_url",
                    &reason,
                    "write http://HOST[:PORT][/PATH] or https://…, such as http://127.0.0.1:8080/v1",
                )
            })?;
        }
        model.key = match (&model.api_key_env, &model.api_key_file) {
            (Some(_), Some(_)) => {
                return Err(read.refuse("api_key_file", "is given beside api_key_env", "choose one"));
            }
            (Some(variable), None) => key_of_variable(variable, environment),
            (None, Some(file)) => key_of_file(file),
            // A key never goes to an address that it was not meant for.
            (None, None) if is_addressed => ModelKey::None,
            (None, None) => match model.api.key_variable() {
                // The provider itself always wants one.
                Some(usual) if model.base_urls.is_empty() || environment.has(usual) => {
                    key_of_variable(usual, environment)
                }
                _ => ModelKey::None,
            },
        };
        model.check(&read)?;
        if model.model.is_empty() {
            model.model.clone_from(&model.name);
        }
        for value in model.headers.values_mut() {
            *value = Secret::new(value.expose());
        }
        model.ca = model.ca.or_else(|| network::authorities(environment));
        let chosen = model.proxy.as_ref().map_or("", Secret::expose);
        model.proxy = network::proxy(chosen, &model.base_urls, environment).map(Secret::new);
        model.no_proxy = model.proxy.as_ref().and_then(|_| network::no_proxy(environment));
        model.source = table.source.clone();
        Ok(model)
    }

    fn check(&self, read: &Reader<'_>) -> Result<(), ConfigError> {
        let wrong = self
            .headers
            .iter()
            .find(|(name, value)| !is_header(name, value.expose()));
        if let Some((header, _)) = wrong {
            let reason = format!("has {header:?}, which cannot be sent");
            return Err(read.refuse("headers", &reason, "write { name = \"value\" }"));
        }
        let open = self
            .base_urls
            .iter()
            .find(|address| address.starts_with("http:") && !is_loopback(address));
        let has_secret = self.key != ModelKey::None || !self.headers.is_empty();
        if let (Some(address), true, false) = (open, has_secret, self.allow_insecure) {
            return Err(read.refuse(
                "base_url",
                &format!("is {address}: anybody on the way could read the key"),
                "use https://, or say allow_insecure = true in its [[model]] if you trust the network",
            ));
        }
        for (key, time) in [
            ("timeout", self.timeout),
            ("first_byte_timeout", self.first_byte_timeout),
        ] {
            if time.is_zero() {
                return Err(read.refuse(key, "is 0", "give it some time, such as 2min"));
            }
        }
        if self.structured_output == StructuredOutput::Grammar && self.api != ModelApi::OpenAi {
            return Err(read.refuse(
                "structured_output",
                "is grammar, which only servers built on llama.cpp take, and they speak openai",
                "write auto, or api = \"openai\" with the server's base_url",
            ));
        }
        if self.concurrency == 0 {
            return Err(read.refuse("concurrency", "is 0", "allow at least one request"));
        }
        Ok(())
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
        let agents = self.agents.iter().map(|(_, model)| model);
        self.tiers
            .iter()
            .map(String::as_str)
            .chain(agents)
            .any(|named| named == name)
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
