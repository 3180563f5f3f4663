//! Settings: one TOML file, the environment, the arguments; the later wins.
//!
//! Every key is listed in `config/keys.rs`. A key that is not listed is an error that names its neighbour.

use std::{
    collections::BTreeMap,
    fmt,
    path::{Path, PathBuf},
    time::Duration,
};

mod keys;
mod listen;
mod value;

pub use listen::ListenAddress;

use keys::{KEYS, Key};
use value::Setting;

/// The effective settings.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Where to listen; at least one.
    pub listen: Vec<ListenAddress>,
    /// Whether questions are answered.
    pub questions: bool,
    /// Whether `ASK question;` is a question.
    pub ask_keyword: bool,
    /// Name of the function that asks.
    pub function_name: String,
    /// Answers below this confidence fail; 0 to 1.
    pub min_confidence: f64,
    /// Whether a question may stand in a writing statement.
    pub allow_in_writes: bool,
    /// What clients are told as NOTICE.
    pub notices: Notices,
    /// How to log.
    pub log: LogSettings,
    /// Who may connect.
    pub auth: AuthSettings,
    /// Encryption.
    pub tls: TlsSettings,
    /// Bounds for questions and clients.
    pub limits: Limits,
    /// The SQLite leg.
    pub sqlite: SqliteSettings,
    /// Every key with its value and where it came from.
    entries: BTreeMap<&'static str, (Setting, Source)>,
}

/// What a client is told beside rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Notices {
    /// Nothing.
    Off,
    /// The SQL with its confidence.
    Sql,
    /// The SQL, and each step while it works.
    Progress,
}

/// How to log.
#[derive(Debug, Clone, Default)]
pub struct LogSettings {
    /// A `tracing` filter; `None` for the default of the command.
    pub filter: Option<String>,
    /// One JSON object per line instead of text.
    pub json: bool,
}

/// Who may connect.
#[derive(Debug, Clone)]
pub struct AuthSettings {
    /// How clients prove who they are.
    pub mode: AuthMode,
    /// Passwords, or verifiers that begin with `SCRAM-SHA-256$`, by user name.
    pub users: BTreeMap<String, String>,
    /// Lets `trust` listen on addresses that other machines reach.
    pub allow_trust_from_anywhere: bool,
}

/// How clients prove who they are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AuthMode {
    /// Not at all.
    Trust,
    /// SCRAM-SHA-256 against [`AuthSettings::users`].
    Scram,
}

/// Encryption of client connections.
#[derive(Debug, Clone)]
pub struct TlsSettings {
    /// Whether TLS is offered or demanded.
    pub mode: TlsMode,
    /// Where the certificate comes from; present unless `mode` is off.
    pub certificate: Option<Certificate>,
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
    /// Time for the SQL of a question to run; zero for no limit.
    pub statement_timeout: Duration,
    /// Time to find the SQL of a question; never zero.
    pub question_timeout: Duration,
    /// Corrections per question at most.
    pub attempts: usize,
    /// Clients at once.
    pub connections: usize,
}

/// The SQLite leg.
#[derive(Debug, Clone)]
pub struct SqliteSettings {
    /// Whether clients may ATTACH and DETACH.
    pub attach: bool,
    /// Journal mode to put the file into.
    pub journal_mode: Option<String>,
    /// How long a statement waits for a lock.
    pub busy_timeout: Duration,
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
        Self::build(default_entries()).expect("the built-in settings fit together, as a test shows")
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
        if let Some(file) = &file {
            read_file(file, &mut entries)?;
        }
        read_environment(environment, &mut entries)?;
        for (name, text, argument) in arguments {
            let key = known(name, &|| format!("argument {argument}"))?;
            let setting = key.kind.read_text(text);
            let setting = setting.ok_or_else(|| misfit(key, text, argument))?;
            entries.insert(key.name, (setting, Source::Argument(argument)));
        }
        let certificate = ["tls.cert", "tls.self_signed"].into_iter().find(|name| {
            !matches!(entries[name].0, Setting::Bool(false)) && entries[name].1 != Source::Default
        });
        if let (Some(name), Source::Default) = (certificate, &entries["tls.mode"].1) {
            entries.insert("tls.mode", (Setting::Text("allow".into()), Source::Implied(name)));
        }
        Self::build(entries)
    }

    /// Every setting in the order of the documentation, secrets masked.
    pub fn entries(&self) -> impl Iterator<Item = Entry> {
        KEYS.iter().map(|key| {
            let (setting, source) = &self.entries[key.name];
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
        })
    }

    fn build(entries: BTreeMap<&'static str, (Setting, Source)>) -> Result<Self, ConfigError> {
        let read = Reader(&entries);
        let mut listen = Vec::new();
        for address in read.list("listen") {
            listen.push(ListenAddress::parse(&address).map_err(|reason| {
                read.refuse(
                    "listen",
                    &reason,
                    "write HOST:PORT, [IPv6]:PORT, or the path of a unix socket",
                )
            })?);
        }
        if listen.is_empty() {
            return Err(read.refuse(
                "listen",
                "is empty",
                "give at least one address, such as 127.0.0.1:7432",
            ));
        }
        let function_name = read.text("function_name");
        let identifier = |c: char| c.is_alphanumeric() || c == '_';
        if !function_name.chars().all(identifier) || !function_name.starts_with(|c: char| !c.is_numeric()) {
            return Err(read.refuse(
                "function_name",
                "is not a name",
                "use letters, digits and underscores, and no digit first",
            ));
        }
        let settings = Self {
            listen,
            questions: read.flag("questions"),
            ask_keyword: read.flag("ask_keyword"),
            function_name: function_name.to_lowercase(),
            min_confidence: read.fraction("min_confidence"),
            allow_in_writes: read.flag("allow_in_writes"),
            notices: match read.text("notices").as_str() {
                "off" => Notices::Off,
                "progress" => Notices::Progress,
                _ => Notices::Sql,
            },
            log: LogSettings {
                filter: Some(read.text("log")).filter(|filter| !filter.is_empty()),
                json: read.text("log_format") == "json",
            },
            auth: AuthSettings {
                mode: match read.text("auth.mode").as_str() {
                    "scram" => AuthMode::Scram,
                    _ => AuthMode::Trust,
                },
                users: read.map("auth.users"),
                allow_trust_from_anywhere: read.flag("auth.allow_trust_from_anywhere"),
            },
            tls: read.tls()?,
            limits: Limits {
                rows: Some(read.count("limits.rows")).filter(|rows| *rows > 0),
                bytes: Some(read.count("limits.bytes")).filter(|bytes| *bytes > 0),
                statement_timeout: read.duration("limits.statement_timeout"),
                question_timeout: read.duration("limits.question_timeout"),
                attempts: usize::try_from(read.count("limits.attempts")).unwrap_or(usize::MAX),
                connections: usize::try_from(read.count("limits.connections")).unwrap_or(usize::MAX),
            },
            sqlite: SqliteSettings {
                attach: read.flag("sqlite.attach"),
                journal_mode: Some(read.text("sqlite.journal_mode")).filter(|mode| !mode.is_empty()),
                busy_timeout: read.duration("sqlite.busy_timeout"),
            },
            entries: BTreeMap::new(),
        };
        if settings.auth.mode == AuthMode::Scram && settings.auth.users.is_empty() {
            return Err(read.refuse(
                "auth.mode",
                "is scram, but auth.users names nobody",
                "add a section [auth.users] with lines such as: alice = \"a password\"",
            ));
        }
        if settings.limits.connections == 0 {
            return Err(read.refuse("limits.connections", "is 0", "allow at least one client"));
        }
        if settings.limits.question_timeout.is_zero() {
            return Err(read.refuse(
                "limits.question_timeout",
                "is 0",
                "give a question some time, such as 30s",
            ));
        }
        Ok(Self { entries, ..settings })
    }

    /// Refuses listeners that would let other machines in without a password.
    pub fn check_trust(&self) -> Result<(), ConfigError> {
        if self.auth.mode == AuthMode::Scram || self.auth.allow_trust_from_anywhere {
            return Ok(());
        }
        let Some(address) = self.listen.iter().find(|address| !address.is_local()) else {
            return Ok(());
        };
        Err(ConfigError {
            message: format!(
                "{address} can be reached from other machines, and auth.mode = \"trust\" asks for no password"
            ),
            hint: Some(
                "set auth.mode = \"scram\" with [auth.users], or listen on 127.0.0.1, \
                 or say auth.allow_trust_from_anywhere = true"
                    .into(),
            ),
        })
    }
}

/// Reads checked entries by name; each name's kind is fixed in `KEYS`.
struct Reader<'a>(&'a BTreeMap<&'static str, (Setting, Source)>);

impl Reader<'_> {
    fn flag(&self, name: &str) -> bool {
        matches!(self.0[name].0, Setting::Bool(true))
    }

    fn text(&self, name: &str) -> String {
        match &self.0[name].0 {
            Setting::Text(text) => text.clone(),
            _ => String::new(),
        }
    }

    fn count(&self, name: &str) -> u64 {
        match self.0[name].0 {
            Setting::Count(number) | Setting::Bytes(number) => number,
            _ => 0,
        }
    }

    fn fraction(&self, name: &str) -> f64 {
        match self.0[name].0 {
            Setting::Fraction(number) => number,
            _ => 0.0,
        }
    }

    fn duration(&self, name: &str) -> Duration {
        match self.0[name].0 {
            Setting::Duration(time) => time,
            _ => Duration::ZERO,
        }
    }

    fn list(&self, name: &str) -> Vec<String> {
        match &self.0[name].0 {
            Setting::List(items) => items.clone(),
            _ => Vec::new(),
        }
    }

    fn map(&self, name: &str) -> BTreeMap<String, String> {
        match &self.0[name].0 {
            Setting::Map(entries) => entries.clone(),
            _ => BTreeMap::new(),
        }
    }

    fn tls(&self) -> Result<TlsSettings, ConfigError> {
        let (cert, key) = (self.text("tls.cert"), self.text("tls.key"));
        let self_signed = self.flag("tls.self_signed");
        let certificate = match (cert.is_empty(), key.is_empty(), self_signed) {
            (true, true, true) => Some(Certificate::SelfSigned),
            (true, true, false) => None,
            (false, false, false) => Some(Certificate::Files {
                cert: cert.into(),
                key: key.into(),
            }),
            (false, _, true) | (_, false, true) => {
                return Err(self.refuse(
                    "tls.self_signed",
                    "is on, but tls.cert or tls.key is given too",
                    "choose one of them",
                ));
            }
            (false, true, _) => {
                return Err(self.refuse(
                    "tls.cert",
                    "is given without tls.key",
                    "name the file of its private key",
                ));
            }
            (true, false, _) => {
                return Err(self.refuse(
                    "tls.key",
                    "is given without tls.cert",
                    "name the file of the certificate",
                ));
            }
        };
        let mode = match self.text("tls.mode").as_str() {
            "allow" => TlsMode::Allow,
            "require" => TlsMode::Require,
            _ => TlsMode::Off,
        };
        if mode != TlsMode::Off && certificate.is_none() {
            return Err(self.refuse(
                "tls.mode",
                "asks for TLS, but there is no certificate",
                "set tls.cert and tls.key, or tls.self_signed = true",
            ));
        }
        Ok(TlsSettings { mode, certificate })
    }

    fn refuse(&self, name: &str, reason: &str, hint: &str) -> ConfigError {
        ConfigError {
            message: format!("{name} {reason} ({})", self.0[name].1),
            hint: Some(hint.to_owned()),
        }
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

fn default_entries() -> BTreeMap<&'static str, (Setting, Source)> {
    KEYS.iter()
        .map(|key| {
            let setting = key.kind.read_text(key.default);
            let setting = setting.expect("every default fits its kind, as a test shows");
            (key.name, (setting, Source::Default))
        })
        .collect()
}

fn read_file(
    path: &Path,
    entries: &mut BTreeMap<&'static str, (Setting, Source)>,
) -> Result<(), ConfigError> {
    let text = std::fs::read_to_string(path).map_err(|error| ConfigError {
        message: format!("cannot read the configuration {}: {error}", path.display()),
        hint: Some("name a readable TOML file with --config".into()),
    })?;
    let table: toml::Table = text.parse().map_err(|error: toml::de::Error| {
        let line = error.span().map_or(1, |span| line_of(&text, span.start));
        ConfigError {
            message: format!("{}:{line}: {}", path.display(), error.message()),
            hint: Some("the file is TOML: lines of key = value, in sections such as [limits]".into()),
        }
    })?;
    let spans = key_lines(&text);
    let mut flat = Vec::new();
    flatten("", &table, &mut flat);
    for (name, value) in flat {
        let line = spans.get(&name).copied().unwrap_or(1);
        let at = format!("{}:{line}", path.display());
        let key = known(&name, &|| at.clone())?;
        let setting = key.kind.read(value);
        let setting = setting.ok_or_else(|| misfit(key, &value.to_string(), &at))?;
        entries.insert(key.name, (setting, Source::File(path.to_path_buf(), line)));
    }
    Ok(())
}

/// `section.key` of every value; a table that is itself a key's value stays whole.
fn flatten<'a>(prefix: &str, table: &'a toml::Table, flat: &mut Vec<(String, &'a toml::Value)>) {
    for (key, value) in table {
        let name = if prefix.is_empty() {
            key.clone()
        } else {
            format!("{prefix}.{key}")
        };
        match value {
            toml::Value::Table(inner) if keys::find(&name).is_none() && !keys::is_planned(&name) => {
                if inner.is_empty() && !KEYS.iter().any(|key| key.name.starts_with(&format!("{name}."))) {
                    flat.push((name, value));
                } else {
                    flatten(&name, inner, flat);
                }
            }
            _ => flat.push((name, value)),
        }
    }
}

/// The line of every dotted key, as the parser saw it.
fn key_lines(text: &str) -> BTreeMap<String, usize> {
    fn walk(prefix: &str, table: &toml::de::DeTable<'_>, text: &str, lines: &mut BTreeMap<String, usize>) {
        for (key, value) in table {
            let name = if prefix.is_empty() {
                key.get_ref().to_string()
            } else {
                format!("{prefix}.{}", key.get_ref())
            };
            lines.insert(name.clone(), line_of(text, key.span().start));
            if let toml::de::DeValue::Table(inner) = value.get_ref() {
                walk(&name, inner, text, lines);
            }
        }
    }
    let mut lines = BTreeMap::new();
    if let Ok(table) = toml::de::DeTable::parse(text) {
        walk("", table.get_ref(), text, &mut lines);
    }
    lines
}

fn line_of(text: &str, offset: usize) -> usize {
    text.bytes().take(offset).filter(|byte| *byte == b'\n').count() + 1
}

fn read_environment(
    environment: &Environment,
    entries: &mut BTreeMap<&'static str, (Setting, Source)>,
) -> Result<(), ConfigError> {
    for (variable, text) in &environment.variables {
        let Some(rest) = variable.strip_prefix("QUERENT_") else {
            continue;
        };
        // Names the file itself.
        if rest == "CONFIG" {
            continue;
        }
        let name = rest.replace("__", ".").to_ascii_lowercase();
        let at = format!("environment {variable}");
        let key = known(&name, &|| at.clone())?;
        let setting = key.kind.read_text(text);
        let setting = setting.ok_or_else(|| misfit(key, text, &at))?;
        entries.insert(key.name, (setting, Source::Environment(variable.clone())));
    }
    // What Rust programs listen to counts where nothing of ours does.
    if let (Some(filter), Source::Default) = (environment.variables.get("RUST_LOG"), &entries["log"].1) {
        let source = Source::Environment("RUST_LOG".into());
        entries.insert("log", (Setting::Text(filter.clone()), source));
    }
    Ok(())
}

fn known(name: &str, at: &dyn Fn() -> String) -> Result<&'static Key, ConfigError> {
    if let Some(key) = keys::find(name) {
        return Ok(key);
    }
    if keys::is_planned(name) {
        return Err(ConfigError {
            message: format!("{}: {name} is not supported yet", at()),
            hint: Some("take it out; `querent config` lists what this version knows".into()),
        });
    }
    let hint = match keys::nearest(name) {
        Some(near) => format!("did you mean {near}?"),
        None => "`querent config` lists the known ones".into(),
    };
    Err(ConfigError {
        message: format!("{}: unknown key {name}", at()),
        hint: Some(hint),
    })
}

fn misfit(key: &Key, text: &str, at: &str) -> ConfigError {
    let shown = if key.secret { "a value" } else { text };
    ConfigError {
        message: format!(
            "{at}: {} must be {}, not {shown}",
            key.name,
            key.kind.expectation()
        ),
        hint: Some(format!("{}: {}", key.name, key.meaning)),
    }
}

#[cfg(test)]
mod tests;
