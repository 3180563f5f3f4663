//! From checked entries to [`Settings`]: what one key cannot say alone is checked here.

use std::{collections::BTreeMap, time::Duration};

use super::{
    AuditSettings, AuthMode, AuthSettings, Certificate, ConfigError, ConsoleSettings, Environment, Limits,
    ListenAddress, LogSettings, NamePattern, PolicySettings, PrivacySettings, SemanticSettings, Settings,
    Source, SqliteSettings, StoreSettings, TlsMode, TlsSettings, TraceSettings, sources::Entries, specs,
    tables::Tables, value::Setting,
};
use crate::statement::{Dialect, Mode, Notices};

/// The least that the longest value may be, in bytes.
const SHORTEST_VALUE: u64 = 1000;

impl Settings {
    pub(super) fn build(
        mut entries: Entries,
        tables: Tables,
        environment: &Environment,
    ) -> Result<Self, ConfigError> {
        let cast = specs::cast(&mut entries, &tables.models, environment)?;
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
        let console = ConsoleSettings::build(&read)?;
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
            console,
            questions: read.flag("questions"),
            threads: usize::try_from(read.count("threads"))
                .unwrap_or(usize::MAX)
                .min(1_024),
            ask_keyword: read.flag("ask_keyword"),
            function_name: function_name.to_lowercase(),
            mode: match read.text("mode").as_str() {
                "embedded" => Mode::Embedded,
                "single" => Mode::Single,
                "sot" => Mode::Sot,
                _ => Mode::Adaptive,
            },
            tiers: cast.tiers,
            models: cast.models,
            agents: cast.agents,
            embeddings: cast.embeddings,
            privacy: PrivacySettings {
                send_values: read.flag("privacy.send_values"),
                private: read.patterns("privacy.private")?,
            },
            audit: AuditSettings::build(&read)?,
            store: StoreSettings::build(&read, environment)?,
            learn: read.flag("store.learn"),
            policy: PolicySettings::build(&entries, &tables.rules)?,
            semantic: SemanticSettings::build(&read)?,
            prompts: read.some_text("prompts").map(Into::into),
            conventions: read.text("conventions"),
            record: read.some_text("record").map(Into::into),
            replay: read.some_text("replay").map(Into::into),
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
            trace: TraceSettings {
                log: read.some_text("trace_log").map(Into::into),
                prompts: read.flag("trace_prompts"),
                redact: read.flag("trace_redact"),
                otlp_endpoint: read.some_text("otlp_endpoint"),
            },
            auth: AuthSettings {
                mode: AuthMode::named(&read.text("auth.mode")),
                users: read.map("auth.users"),
                allow_trust_from_anywhere: read.flag("auth.allow_trust_from_anywhere"),
                auth_query: Some(read.text("auth.auth_query")).filter(|query| !query.trim().is_empty()),
                allow_upstream_trust: read.flag("auth.allow_upstream_trust"),
            },
            tls: read.tls()?,
            limits: Limits {
                rows: read.bound("limits.rows"),
                bytes: read.bound("limits.bytes"),
                cost: read.bound("limits.cost"),
                statement_timeout: read.duration("limits.statement_timeout"),
                question_timeout: read.duration("limits.question_timeout"),
                optimise_from: read.duration("limits.optimise_from"),
                value_bytes: read.count("limits.value_bytes"),
                memory: read.count("limits.memory"),
                temporary_bytes: read.count("limits.temporary_bytes"),
                attempts: usize::try_from(read.count("limits.attempts")).unwrap_or(usize::MAX),
                model_calls: read.bound("limits.model_calls"),
                tokens: read.bound("limits.tokens"),
                tokens_per_session: read.bound("limits.tokens_per_session"),
                spend_per_day: Some(read.money("limits.spend_per_day")).filter(|dollars| *dollars > 0.0),
                prompt_tokens: read.count("limits.prompt_tokens"),
                connections: usize::try_from(read.count("limits.connections")).unwrap_or(usize::MAX),
                handshake_timeout: read.duration("limits.handshake_timeout"),
                idle_timeout: Some(read.duration("limits.idle_timeout")).filter(|time| !time.is_zero()),
                drain_timeout: read.duration("limits.drain_timeout"),
            },
            sqlite: SqliteSettings {
                attach: read.flag("sqlite.attach"),
                dialect: if read.text("sqlite.dialect") == "sqlite" {
                    Dialect::Sqlite
                } else {
                    Dialect::Postgresql
                },
                attached: read
                    .map("sqlite.attach")
                    .into_iter()
                    .map(|(name, path)| (name, path.into()))
                    .collect(),
                journal_mode: Some(read.text("sqlite.journal_mode")).filter(|mode| !mode.is_empty()),
                busy_timeout: read.duration("sqlite.busy_timeout"),
                value_bytes: read.count("sqlite.value_bytes"),
                memory: read.count("sqlite.memory"),
                temporary_bytes: read.count("sqlite.temporary_bytes"),
            },
            entries: BTreeMap::new(),
            tables,
        };
        let auth = &settings.auth;
        if auth.mode == AuthMode::Scram && auth.users.is_empty() && auth.auth_query.is_none() {
            return Err(read.refuse(
                "auth.mode",
                "is scram, but auth.users names nobody",
                "add a section [auth.users] with lines such as: alice = \"a password\", or auth.auth_query",
            ));
        }
        settings.check_console(&read)?;
        if let Some(user) = settings.auth.users.iter().find(|(_, stored)| stored.is_empty()) {
            return Err(read.refuse(
                "auth.users",
                &format!("has an empty password for {}", user.0),
                "give the user a password, or take the line out",
            ));
        }
        for key in ["limits.value_bytes", "sqlite.value_bytes"] {
            if read.count(key) < SHORTEST_VALUE {
                return Err(read.refuse(key, "is too small", "allow at least 1kB"));
            }
        }
        if settings.limits.connections == 0 {
            return Err(read.refuse("limits.connections", "is 0", "allow at least one client"));
        }
        if settings.limits.handshake_timeout.is_zero() {
            return Err(read.refuse(
                "limits.handshake_timeout",
                "is 0",
                "give clients some time to log in, such as 30s",
            ));
        }
        if settings.limits.question_timeout.is_zero() {
            return Err(read.refuse(
                "limits.question_timeout",
                "is 0",
                "give a question some time, such as 30s",
            ));
        }
        if settings.limits.prompt_tokens == 0 {
            return Err(read.refuse(
                "limits.prompt_tokens",
                "is 0",
                "leave room for a question and its tables, such as 12000",
            ));
        }
        Ok(Self { entries, ..settings })
    }
}

/// Reads checked entries by name; each name's kind is fixed in `KEYS`.
pub(super) struct Reader<'a>(pub(super) &'a Entries);

impl Reader<'_> {
    pub(super) fn flag(&self, name: &str) -> bool {
        matches!(self.0[name].0, Setting::Bool(true))
    }

    pub(super) fn text(&self, name: &str) -> String {
        match &self.0[name].0 {
            Setting::Text(text) => text.clone(),
            _ => String::new(),
        }
    }

    /// A text that is not empty.
    pub(super) fn some_text(&self, name: &str) -> Option<String> {
        Some(self.text(name)).filter(|text| !text.is_empty())
    }

    pub(super) fn count(&self, name: &str) -> u64 {
        match self.0[name].0 {
            Setting::Count(number) | Setting::Bytes(number) => number,
            _ => 0,
        }
    }

    /// A count of which 0 means that there is no limit.
    fn bound(&self, name: &str) -> Option<u64> {
        Some(self.count(name)).filter(|count| *count > 0)
    }

    pub(super) fn money(&self, name: &str) -> f64 {
        match self.0[name].0 {
            Setting::Money(dollars) => dollars,
            _ => 0.0,
        }
    }

    pub(super) fn fraction(&self, name: &str) -> f64 {
        match self.0[name].0 {
            Setting::Fraction(number) => number,
            _ => 0.0,
        }
    }

    pub(super) fn duration(&self, name: &str) -> Duration {
        match self.0[name].0 {
            Setting::Duration(time) => time,
            _ => Duration::ZERO,
        }
    }

    pub(super) fn list(&self, name: &str) -> Vec<String> {
        match &self.0[name].0 {
            Setting::List(items) => items.clone(),
            _ => Vec::new(),
        }
    }

    pub(super) fn map(&self, name: &str) -> BTreeMap<String, String> {
        match &self.0[name].0 {
            Setting::Map(entries) => entries.clone(),
            _ => BTreeMap::new(),
        }
    }

    pub(super) fn is_default(&self, name: &str) -> bool {
        self.0[name].1 == Source::Default
    }

    pub(super) fn groups(&self, name: &str) -> BTreeMap<String, Vec<String>> {
        match &self.0[name].0 {
            Setting::Groups(entries) => entries.clone(),
            _ => BTreeMap::new(),
        }
    }

    fn patterns(&self, name: &str) -> Result<Vec<NamePattern>, ConfigError> {
        let hint = "write table.column, or table; * for any part of a name";
        let names = self.list(name);
        let patterns = names.iter().map(|text| NamePattern::parse(text));
        patterns
            .collect::<Result<_, _>>()
            .map_err(|reason| self.refuse(name, &format!("is wrong: {reason}"), hint))
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
        let client_ca = Some(self.text("tls.client_ca")).filter(|file| !file.is_empty());
        if client_ca.is_some() && mode != TlsMode::Require {
            return Err(self.refuse(
                "tls.client_ca",
                "asks for certificates, but clients may connect without TLS",
                "set tls.mode = \"require\"",
            ));
        }
        Ok(TlsSettings {
            mode,
            certificate,
            client_ca: client_ca.map(Into::into),
        })
    }

    pub(super) fn refuse(&self, name: &str, reason: &str, hint: &str) -> ConfigError {
        ConfigError {
            message: format!("{name} {reason} ({})", self.0[name].1),
            hint: Some(hint.to_owned()),
        }
    }
}
