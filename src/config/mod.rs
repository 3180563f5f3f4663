//! Settings: one TOML file, the environment, the arguments; the later wins.
//!
//! A key is one row of the struct that has its field (`declare`). A key that is in none is an error that names its
//! neighbour.

use std::{
    collections::BTreeMap,
    fmt,
    path::{Path, PathBuf},
};

mod agents;
mod auth;
mod build;
mod console;
mod declare;
mod legs;
mod limits;
mod listen;
mod model_api;
mod models;
mod names;
mod network;
mod planned;
mod policy;
mod reader;
mod reload;
mod secret;
mod semantic;
mod sources;
mod specs;
mod sqlite;
mod store;
mod tables;
mod telemetry;
mod tls;
mod typed;
mod value;

pub use agents::AgentModels;
pub use auth::{AuthMode, AuthSettings};
pub use console::{ConsoleAuth, ConsoleRole, ConsoleSettings};
pub use legs::BOTH_ENCRYPTED;
pub use limits::Limits;
pub use listen::ListenAddress;
pub use model_api::ModelApi;
pub use models::{ModelKey, ModelSettings, StructuredOutput, Terse};
pub use names::NamePattern;
pub use policy::{PolicyRule, PolicySettings};
pub use secret::Secret;
pub use semantic::SemanticSettings;
pub use sqlite::SqliteSettings;
pub use store::{AuditSettings, StoreLocation, StoreSettings};
pub use telemetry::{LogFormat, LogSettings, TraceSettings};
pub use tls::{Certificate, TlsMode, TlsSettings};

use crate::statement::{Mode, Notices};
use build::function_name;
use declare::{Key, settings};
use models::CONVENTIONS;
use sources::{Entries, default_entries};
use tables::{MODELS, RULES, Sort, Table, Tables};
use value::Setting;

settings! {
    /// The effective settings.
    #[derive(Debug, Clone)]
    pub struct Settings in "" {
        pub listen: Vec<ListenAddress> =
            "127.0.0.1:7432", "addresses to listen on: HOST:PORT, or the path of a unix socket or its folder";
        /// Health and metrics over HTTP.
        pub console: ConsoleSettings;
        pub questions: bool = "on", "whether questions are answered; off lets plain SQL through only";
        pub threads: usize = "0", "threads that sessions run on; 0 for one per two cores";
        pub ask_keyword: bool = "off", "whether `ASK question;` is a question";
        pub function_name: String as Text =
            "nl", "the name of the function that asks: SELECT * FROM nl('question')", by function_name;
        pub mode: Mode =
            "adaptive", "who answers: embedded needs no model; single asks one once; sot all agents; adaptive what is needed";
        pub tiers: Vec<String> =
            "embedded", "who may answer, cheapest first: embedded, names of [[model]], API:MODEL; else embedded and each [[model]]";
        pub embeddings: Option<String> =
            "", "the [[model]] whose embeddings find the tables of a question in a large schema; empty for none";
        pub prompts: Option<PathBuf> = "", "folder with prompt templates that are used instead of the built-in ones";
        pub conventions: String =
            CONVENTIONS, "what models are told of what questions leave open; the built-in agents do as the default says";
        pub record: Option<PathBuf> = "", "file that each call of a model is appended to, as a line of JSON";
        pub replay: Option<PathBuf> =
            "", "file of recorded calls that are answered from there; no model is called unless it is record too";
        pub min_confidence: f64 = "0.4", "answers below this confidence fail with NL003";
        pub allow_in_writes: bool = "off", "whether a question may stand in CREATE TABLE AS, CREATE VIEW and INSERT";
        pub notices: Notices = "sql", "what is told as NOTICE: nothing, the SQL, or each step too";
        /// How to log.
        pub log: LogSettings;
        /// Where the agents' runs are told of.
        pub trace: TraceSettings;
        /// Who may connect.
        pub auth: AuthSettings;
        /// Encryption.
        pub tls: TlsSettings;
        /// Bounds for questions and clients.
        pub limits: Limits;
        /// What may be told to models.
        pub privacy: PrivacySettings;
        /// What questions may read.
        pub policy: PolicySettings;
        /// What is recorded of questions.
        pub audit: AuditSettings;
        /// What Querent keeps, and where.
        pub store: StoreSettings;
        /// What is known of what databases mean.
        pub semantic: SemanticSettings;
        /// The model of an agent, where one was chosen.
        pub agents: AgentModels;
        /// The SQLite leg.
        pub sqlite: SqliteSettings;
    }
    beside {
        /// The language models: those of the tiers in their order, then the others.
        pub models: Vec<ModelSettings>;
        /// Every key with its value and where it came from.
        entries: Entries;
        /// The same of each `[[model]]` and each `[[policy.rule]]`.
        tables: Tables;
    }
}

settings! {
    /// What may be told to models.
    #[derive(Debug, Clone)]
    pub struct PrivacySettings in "privacy." {
        pub send_values: bool = "on", "whether models are shown stored values; off keeps all of them on this machine";
        pub private: Vec<NamePattern> =
            "", "columns that models are never shown, neither name nor value: table.column, * for any part of a name";
    }
}

/// Where a value came from.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum SettingSource {
    /// Built in.
    #[default]
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
    pub source: SettingSource,
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
    /// True if the same may ask the same by these, and models may hear of the same columns.
    pub fn has_policy_of(&self, other: &Self) -> bool {
        self.policy == other.policy
            && self.questions == other.questions
            && self.privacy.private == other.privacy.private
    }

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
            entries.insert(key.name, (setting, SettingSource::Argument(argument)));
        }
        let certificate = ["tls.cert", "tls.self_signed"].into_iter().find(|name| {
            !matches!(entries[name].0, Setting::Bool(false)) && entries[name].1 != SettingSource::Default
        });
        if let (Some(name), SettingSource::Default) = (certificate, &entries["tls.mode"].1) {
            entries.insert(
                "tls.mode",
                (Setting::Text("allow".into()), SettingSource::Implied(name)),
            );
        }
        Self::build(entries, tables, environment)
    }

    /// Every setting in the order of the documentation, secrets masked.
    pub fn entries(&self) -> impl Iterator<Item = Entry> {
        declare::all().iter().map(|key| entry(key, &self.entries))
    }

    /// What each `[[model]]` says or has by default, secrets masked; a key without a value is left out.
    pub fn model_entries(&self) -> impl Iterator<Item = Vec<Entry>> {
        said(MODELS, &self.tables.models)
    }

    /// What each `[[policy.rule]]` says.
    pub fn rule_entries(&self) -> impl Iterator<Item = Vec<Entry>> {
        said(RULES, &self.tables.rules)
    }
}

/// The keys of each table that have a value.
fn said(sort: Sort, tables: &[Table]) -> impl Iterator<Item = Vec<Entry>> {
    tables.iter().map(move |table| {
        let said =
            |key: &&Key| table.entries[key.name].1 != SettingSource::Default || !key.is_empty_by_default();
        sort.keys()
            .into_iter()
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

impl fmt::Display for SettingSource {
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
