//! Settings: one TOML file, the environment, the arguments; the later wins.
//!
//! Every key is listed in `config/keys.rs`. A key that is not listed is an error that names its neighbour.

use std::{
    collections::BTreeMap,
    fmt,
    path::{Path, PathBuf},
    time::Duration,
};

mod build;
mod console;
mod console_keys;
mod key;
mod keys;
mod legs;
mod listen;
mod model_api;
mod model_keys;
mod models;
mod names;
mod network;
mod planned;
mod policy;
mod reload;
mod rule_keys;
mod secret;
mod semantic;
mod sources;
mod specs;
mod store;
mod tables;
mod telemetry;
mod value;

pub use console::{ConsoleAuth, ConsoleRole, ConsoleSettings};
pub use legs::BOTH_ENCRYPTED;
pub use listen::ListenAddress;
pub use model_api::ModelApi;
pub use models::{ModelKey, ModelSettings, StructuredOutput};
pub use names::NamePattern;
pub use policy::{PolicyRule, PolicySettings};
pub use secret::Secret;
pub use semantic::SemanticSettings;
pub use store::{AuditSettings, StoreSettings};
pub use telemetry::{LogSettings, TraceSettings};

use crate::statement::{Dialect, Mode, Notices};
use key::Key;
use keys::KEYS;
use model_keys::MODEL_KEYS;
use rule_keys::RULE_KEYS;
use sources::{Entries, default_entries};
use tables::{Table, Tables};
use value::Setting;

/// The effective settings.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Where to listen; at least one.
    pub listen: Vec<ListenAddress>,
    /// Health and metrics over HTTP.
    pub console: ConsoleSettings,
    /// Whether questions are answered.
    pub questions: bool,
    /// Threads that sessions run on; 0 for one per two cores.
    pub threads: usize,
    /// Whether `ASK question;` is a question.
    pub ask_keyword: bool,
    /// Name of the function that asks.
    pub function_name: String,
    /// Who answers questions.
    pub mode: Mode,
    /// Who may answer, cheapest first: `embedded` and names of [`Settings::models`]; at least one.
    pub tiers: Vec<String>,
    /// The language models: those of the tiers in their order, then the others.
    pub models: Vec<ModelSettings>,
    /// The model of an agent, by the agent's name, where one was chosen: a name of [`Settings::models`] or `embedded`.
    pub agents: BTreeMap<String, String>,
    /// The model whose embeddings find the part of a large schema that a question is about.
    pub embeddings: Option<String>,
    /// What may be told to models.
    pub privacy: PrivacySettings,
    /// What questions may read.
    pub policy: PolicySettings,
    /// What is recorded of questions.
    pub audit: AuditSettings,
    /// Where what Querent keeps is kept.
    pub store: StoreSettings,
    /// Whether corrections are kept there.
    pub learn: bool,
    /// What is known of what databases mean.
    pub semantic: SemanticSettings,
    /// A folder with templates that override the built-in prompts.
    pub prompts: Option<PathBuf>,
    /// What models are told of what questions leave open.
    pub conventions: String,
    /// The file that calls of models are appended to.
    pub record: Option<PathBuf>,
    /// The file with calls that are answered from there.
    pub replay: Option<PathBuf>,
    /// Answers below this confidence fail; 0 to 1.
    pub min_confidence: f64,
    /// Whether a question may stand in a writing statement.
    pub allow_in_writes: bool,
    /// What clients are told as NOTICE.
    pub notices: Notices,
    /// How to log.
    pub log: LogSettings,
    /// Where the agents' runs are told of.
    pub trace: TraceSettings,
    /// Who may connect.
    pub auth: AuthSettings,
    /// Encryption.
    pub tls: TlsSettings,
    /// Bounds for questions and clients.
    pub limits: Limits,
    /// The SQLite leg.
    pub sqlite: SqliteSettings,
    /// Every key with its value and where it came from.
    entries: Entries,
    /// The same of each `[[model]]` and each `[[policy.rule]]`.
    tables: Tables,
}

/// What may be told to models.
#[derive(Debug, Clone)]
pub struct PrivacySettings {
    /// Whether prompts may hold stored values.
    pub send_values: bool,
    /// Columns that no prompt may hold anything of.
    pub private: Vec<NamePattern>,
}

/// Who may connect.
#[derive(Clone)]
pub struct AuthSettings {
    /// How clients prove who they are.
    pub mode: AuthMode,
    /// Passwords, or verifiers that begin with `SCRAM-SHA-256$`, by user name.
    pub users: BTreeMap<String, String>,
    /// Lets `trust` listen on addresses that other machines reach.
    pub allow_trust_from_anywhere: bool,
    /// Asks a PostgreSQL server for the verifier of user `$1` where [`AuthSettings::users`] has none.
    pub auth_query: Option<String>,
    /// Lets clients of other machines in where the PostgreSQL server asks for no password.
    pub allow_upstream_trust: bool,
}

/// How clients prove who they are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AuthMode {
    /// `Trust` for a SQLite file, `Passthrough` for a PostgreSQL server.
    Auto,
    /// Not at all.
    Trust,
    /// SCRAM-SHA-256 against [`AuthSettings::users`] or what [`AuthSettings::auth_query`] finds.
    Scram,
    /// As the PostgreSQL server asks them to.
    Passthrough,
    /// With a password that they send as it is, and that the PostgreSQL server is told.
    Cleartext,
}

/// Encryption of client connections.
#[derive(Debug, Clone)]
pub struct TlsSettings {
    /// Whether TLS is offered or demanded.
    pub mode: TlsMode,
    /// Where the certificate comes from; present unless `mode` is off.
    pub certificate: Option<Certificate>,
    /// Authorities, a PEM file: clients must have a certificate from one of them. Only if `mode` is require.
    pub client_ca: Option<PathBuf>,
}

/// Whether TLS is offered or demanded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TlsMode {
    /// Not offered.
    Off,
    /// Offered.
    Allow,
    /// Demanded.
    Require,
}

/// Where a certificate comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Certificate {
    /// Two PEM files.
    Files {
        /// The chain.
        cert: PathBuf,
        /// The private key.
        key: PathBuf,
    },
    /// Made at every start.
    SelfSigned,
}

/// Bounds for questions and clients.
#[derive(Debug, Clone)]
pub struct Limits {
    /// Rows that a question may return; `None` for no limit.
    pub rows: Option<u64>,
    /// Bytes that a question may return; `None` for no limit.
    pub bytes: Option<u64>,
    /// Estimated cost of a question's SQL on PostgreSQL, in the planner's units; `None` for no limit.
    pub cost: Option<u64>,
    /// Time for the SQL of a question to run; zero for no limit.
    pub statement_timeout: Duration,
    /// Time to find the SQL of a question; never zero.
    pub question_timeout: Duration,
    /// Questions whose trial run takes this long are looked at for cheaper SQL; zero for none.
    pub optimise_from: Duration,
    /// The longest value that a question may read or make in a SQLite file, in bytes.
    pub value_bytes: u64,
    /// Bytes of memory that SQLite may take for a question; zero for any number.
    pub memory: u64,
    /// Bytes that a question may put into temporary files; zero for any number.
    pub temporary_bytes: u64,
    /// Corrections per question at most.
    pub attempts: usize,
    /// Calls of models per question; `None` for no limit.
    pub model_calls: Option<u64>,
    /// Tokens per question, read and written; `None` for no limit.
    pub tokens: Option<u64>,
    /// Tokens per session, read and written; `None` for no limit.
    pub tokens_per_session: Option<u64>,
    /// US dollars per day (UTC); `None` for no limit.
    pub spend_per_day: Option<f64>,
    /// Tokens of one prompt; never zero.
    pub prompt_tokens: u64,
    /// Clients at once.
    pub connections: usize,
    /// Time up to the startup message, and again for logging in; never zero.
    pub handshake_timeout: Duration,
    /// How long a client may be silent outside a transaction; `None` for ever.
    pub idle_timeout: Option<Duration>,
    /// How long sessions that work may go on after the server was told to stop.
    pub drain_timeout: Duration,
}

/// The SQLite leg.
#[derive(Debug, Clone)]
pub struct SqliteSettings {
    /// Whether clients may ATTACH and DETACH.
    pub attach: bool,
    /// Whose SQL clients speak.
    pub dialect: Dialect,
    /// Files that are further schemas, by name.
    pub attached: BTreeMap<String, PathBuf>,
    /// Journal mode to put the file into.
    pub journal_mode: Option<String>,
    /// How long a statement waits for a lock.
    pub busy_timeout: Duration,
    /// The longest value that a client's own statement may read or make, in bytes.
    pub value_bytes: u64,
    /// Bytes of memory that SQLite may take for a client's own statement; zero for any number.
    pub memory: u64,
    /// Bytes that a client's own statements may have in temporary files; zero for any number.
    pub temporary_bytes: u64,
}

/// Where a value came from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    /// Built in.
    Default,
    /// Follows from another key.
    Implied(&'static str),
    /// The configuration file, with the line.
    File(PathBuf, usize),
    /// A variable of the environment.
    Environment(String),
    /// An argument of the command line.
    Argument(&'static str),
}

/// One setting, for people.
#[derive(Debug, Clone)]
pub struct Entry {
    /// `section.key`, or the key alone at the top level.
    pub name: &'static str,
    /// The value as TOML; secrets are masked.
    pub value: String,
    /// Where it came from.
    pub source: Source,
    /// What it does.
    pub meaning: &'static str,
}

/// Why there are no settings.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct ConfigError {
    /// What is wrong and where.
    pub message: String,
    /// What to do.
    pub hint: Option<String>,
}

/// What is read of the surroundings of the process.
#[derive(Debug, Clone, Default)]
pub struct Environment {
    /// Variables.
    pub variables: BTreeMap<String, String>,
    /// The folder in which `querent.toml` is looked for.
    pub folder: PathBuf,
}

impl Environment {
    /// The environment of this process.
    #[allow(
        clippy::disallowed_methods,
        reason = "this is the one place that reads the environment"
    )]
    pub fn of_process() -> Self {
        let readable = |(name, value): (std::ffi::OsString, std::ffi::OsString)| {
            Some((name.into_string().ok()?, value.into_string().ok()?))
        };
        Self {
            variables: std::env::vars_os().filter_map(readable).collect(),
            folder: PathBuf::from("."),
        }
    }

    /// The configuration file that is used when none is named.
    fn default_file(&self) -> Option<PathBuf> {
        let home = self
            .variables
            .get("HOME")
            .map(|home| Path::new(home).join(".config"));
        let configured = self
            .variables
            .get("XDG_CONFIG_HOME")
            .filter(|path| !path.is_empty());
        let configuration = configured.map(PathBuf::from).or(home);
        let mut candidates = vec![self.folder.join("querent.toml")];
        candidates.extend(configuration.map(|folder| folder.join("querent/querent.toml")));
        candidates.into_iter().find(|path| path.exists())
    }
}

impl Default for Settings {
    fn default() -> Self {
        Self::build(default_entries(), Tables::default(), &Environment::default())
            .expect("the built-in settings fit together, as a test shows")
    }
}

impl Settings {
    /// Reads the file (`path`, else the first of the usual places that exists), then the environment, then
    /// `arguments`: the key, its text, and the argument it came from.
    pub fn load(
        path: Option<&Path>,
        environment: &Environment,
        arguments: &[(&str, String, &'static str)],
    ) -> Result<Self, ConfigError> {
        let mut entries = default_entries();
        let file = path.map(Path::to_path_buf).or_else(|| environment.default_file());
        let tables = match &file {
            Some(file) => sources::read_file(file, &mut entries)?,
            None => Tables::default(),
        };
        sources::read_environment(environment, &mut entries)?;
        for (name, text, argument) in arguments {
            let key = sources::known(name, &|| format!("argument {argument}"))?;
            let setting = key.kind.read_text(text);
            let setting = setting.ok_or_else(|| sources::misfit(key, text, argument))?;
            entries.insert(key.name, (setting, Source::Argument(argument)));
        }
        let certificate = ["tls.cert", "tls.self_signed"].into_iter().find(|name| {
            !matches!(entries[name].0, Setting::Bool(false)) && entries[name].1 != Source::Default
        });
        if let (Some(name), Source::Default) = (certificate, &entries["tls.mode"].1) {
            entries.insert("tls.mode", (Setting::Text("allow".into()), Source::Implied(name)));
        }
        Self::build(entries, tables, environment)
    }

    /// Every setting in the order of the documentation, secrets masked.
    pub fn entries(&self) -> impl Iterator<Item = Entry> {
        KEYS.iter().map(|key| entry(key, &self.entries))
    }

    /// What each `[[model]]` says or has by default, secrets masked; a key without a value is left out.
    pub fn model_entries(&self) -> impl Iterator<Item = Vec<Entry>> {
        said(MODEL_KEYS, &self.tables.models)
    }

    /// What each `[[policy.rule]]` says.
    pub fn rule_entries(&self) -> impl Iterator<Item = Vec<Entry>> {
        said(RULE_KEYS, &self.tables.rules)
    }
}

/// The keys of each table that have a value.
fn said(keys: &'static [Key], tables: &[Table]) -> impl Iterator<Item = Vec<Entry>> {
    tables.iter().map(|table| {
        let said = |key: &&Key| table.entries[key.name].1 != Source::Default || !key.is_empty_by_default();
        keys.iter()
            .filter(said)
            .map(|key| entry(key, &table.entries))
            .collect()
    })
}

fn entry(key: &Key, entries: &Entries) -> Entry {
    let (setting, source) = &entries[key.name];
    let shown = if key.secret {
        setting.masked()
    } else {
        setting.clone()
    };
    Entry {
        name: key.name,
        value: shown.to_toml(),
        source: source.clone(),
        meaning: key.meaning,
    }
}

impl fmt::Debug for AuthSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AuthSettings")
            .field("mode", &self.mode)
            .field("users", &secret::Names(&self.users))
            .field("allow_trust_from_anywhere", &self.allow_trust_from_anywhere)
            .field("auth_query", &self.auth_query)
            .field("allow_upstream_trust", &self.allow_upstream_trust)
            .finish()
    }
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Default => f.write_str("default"),
            Self::Implied(key) => write!(f, "follows from {key}"),
            Self::File(path, line) => write!(f, "{}:{line}", path.display()),
            Self::Environment(name) => write!(f, "environment {name}"),
            Self::Argument(name) => write!(f, "argument {name}"),
        }
    }
}

#[cfg(test)]
mod tests;
