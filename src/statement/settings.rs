//! The settings of a session, `querent.name`: their values, how they are written and shown. Data only.

use std::time::Duration;

use super::{StatementError, words::words};

/// The settings that a session can change.
#[derive(Debug, Clone, PartialEq)]
pub struct Settings {
    /// How a question is worked on.
    pub mode: Mode,
    /// The tiers that may answer, cheapest first; empty for all that are configured.
    pub tiers: Vec<String>,
    /// Below this confidence a question fails with `NL003`; 0 to 1.
    pub min_confidence: f64,
    /// Rows that a question returns at most; 0 for no limit.
    pub row_limit: u64,
    /// Time that a question's SQL may run; zero for no limit.
    pub statement_timeout: Duration,
    /// What the client is told beside the rows.
    pub notices: Notices,
    /// Whose words statements on a SQLite file are.
    pub dialect: Dialect,
    /// What the configuration allows at most.
    pub most: Most,
}

/// Bounds that a session cannot go beyond; zero for none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Most {
    /// For `querent.row_limit`.
    pub rows: u64,
    /// For `querent.statement_timeout`.
    pub time: Duration,
}

words! {
    /// How a question is worked on (`querent.mode`).
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
    pub enum Mode {
        /// The built-in agents alone.
        #[default]
        Embedded = "embedded",
        /// One call of a model.
        Single = "single",
        /// All agents by models.
        Sot = "sot",
        /// From the cheapest tier upwards, as far as needed.
        Adaptive = "adaptive",
    }
}

words! {
    /// What the client is told beside the rows (`querent.notices`).
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
    pub enum Notices {
        /// Nothing.
        Off = "off",
        /// The SQL with its confidence.
        #[default]
        Sql = "sql",
        /// That and one notice per agent while it works.
        Progress = "progress",
    }
}

words! {
    /// Whose words statements on a SQLite file are (`querent.dialect`).
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
    pub enum Dialect {
        /// PostgreSQL's, and SQLite's where they are none.
        #[default]
        Postgresql = "postgresql",
        /// SQLite's own.
        Sqlite = "sqlite",
    }
}

/// One setting with its value, as `SET` gives it.
#[derive(Debug, Clone, PartialEq)]
pub enum Setting {
    /// `querent.mode`.
    Mode(Mode),
    /// `querent.tiers`.
    Tiers(Vec<String>),
    /// `querent.min_confidence`.
    MinConfidence(f64),
    /// `querent.row_limit`.
    RowLimit(u64),
    /// `querent.statement_timeout`.
    StatementTimeout(Duration),
    /// `querent.notices`.
    Notices(Notices),
    /// `querent.dialect`.
    Dialect(Dialect),
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            mode: Mode::default(),
            tiers: Vec::new(),
            min_confidence: 0.5,
            row_limit: 0,
            statement_timeout: Duration::ZERO,
            notices: Notices::default(),
            dialect: Dialect::default(),
            most: Most::default(),
        }
    }
}

/// What is set, as far as it may go; what stands for no limit is the bound itself.
fn within<T: Copy + PartialOrd + Default>(set: T, most: T) -> T {
    let none = T::default();
    if most != none && (set == none || set > most) {
        most
    } else {
        set
    }
}

impl Settings {
    /// The names that `SET` takes, without `querent.`.
    pub const NAMES: [&'static str; 7] = [
        "mode",
        "tiers",
        "min_confidence",
        "row_limit",
        "statement_timeout",
        "notices",
        "dialect",
    ];

    /// The names that only `SHOW` takes: what the session itself has to say.
    pub const READ_ONLY: [&'static str; 3] = ["last_sql", "last_confidence", "version"];

    /// Takes over one value.
    pub fn set(&mut self, setting: Setting) {
        match setting {
            Setting::Mode(mode) => self.mode = mode,
            Setting::Tiers(tiers) => self.tiers = tiers,
            Setting::MinConfidence(confidence) => self.min_confidence = confidence,
            Setting::RowLimit(rows) => self.row_limit = within(rows, self.most.rows),
            Setting::StatementTimeout(timeout) => {
                self.statement_timeout = within(timeout, self.most.time);
            }
            Setting::Notices(notices) => self.notices = notices,
            Setting::Dialect(dialect) => self.dialect = dialect,
        }
    }

    /// Takes one value back from `defaults`, for `RESET`. Unknown names change nothing.
    pub fn reset(&mut self, name: &str, defaults: &Self) {
        match name {
            "mode" => self.mode = defaults.mode,
            "tiers" => self.tiers.clone_from(&defaults.tiers),
            "min_confidence" => self.min_confidence = defaults.min_confidence,
            "row_limit" => self.row_limit = defaults.row_limit,
            "statement_timeout" => self.statement_timeout = defaults.statement_timeout,
            "notices" => self.notices = defaults.notices,
            "dialect" => self.dialect = defaults.dialect,
            _ => {}
        }
    }

    /// The value as `SHOW` prints it; `None` for names that are not among [`Self::NAMES`].
    pub fn show(&self, name: &str) -> Option<String> {
        Some(match name {
            "mode" => self.mode.name().to_owned(),
            "tiers" => self.tiers.join(", "),
            "min_confidence" => self.min_confidence.to_string(),
            "row_limit" => self.row_limit.to_string(),
            "statement_timeout" => show_duration(self.statement_timeout),
            "notices" => self.notices.name().to_owned(),
            "dialect" => self.dialect.name().to_owned(),
            _ => return None,
        })
    }

    /// One line on what a setting of [`Self::NAMES`] or [`Self::READ_ONLY`] means, for `SHOW ALL`.
    pub fn describe(name: &str) -> &'static str {
        match name {
            "mode" => "How questions are worked on.",
            "tiers" => "The tiers that may answer, cheapest first.",
            "min_confidence" => "Below this confidence a question fails.",
            "row_limit" => "Rows that a question returns at most; 0 for as many as limits.rows allows.",
            "statement_timeout" => {
                "Time that a question's SQL may run; 0 for as long as limits.statement_timeout allows."
            }
            "dialect" => "Whose words statements on a SQLite file are.",
            "notices" => "What is told beside a question's rows.",
            "last_sql" => "The SQL of the last question.",
            "last_confidence" => "The confidence of the last question's SQL.",
            "version" => "The version of Querent.",
            _ => "",
        }
    }
}

impl Setting {
    /// Reads a value for `name` (without `querent.`) from the list that `SET` gives, as text.
    pub fn parse(name: &str, values: &[String]) -> Result<Self, StatementError> {
        let text = values.join(", ");
        let one = text.trim();
        let invalid = |expected: &str| StatementError::InvalidValue {
            name: name.to_owned(),
            value: text.clone(),
            expected: expected.to_owned(),
        };
        match name {
            "mode" => Mode::of_word(one)
                .map(Self::Mode)
                .ok_or_else(|| invalid(&one_of(Mode::WORDS))),
            "tiers" => Ok(Self::Tiers(
                text.split(',')
                    .map(str::trim)
                    .filter(|tier| !tier.is_empty())
                    .map(str::to_owned)
                    .collect(),
            )),
            "min_confidence" => one
                .parse()
                .ok()
                .filter(|confidence| (0.0..=1.0).contains(confidence))
                .map(Self::MinConfidence)
                .ok_or_else(|| invalid("a number from 0 to 1")),
            "row_limit" => one
                .parse()
                .map(Self::RowLimit)
                .map_err(|_| invalid("a whole number of rows, 0 for no limit")),
            "statement_timeout" => parse_duration(one)
                .map(Self::StatementTimeout)
                .ok_or_else(|| invalid("milliseconds, or a time such as 30s or 2min; 0 for no limit")),
            "notices" => Notices::of_word(one)
                .map(Self::Notices)
                .ok_or_else(|| invalid(&one_of(Notices::WORDS))),
            "dialect" => Dialect::of_word(one)
                .map(Self::Dialect)
                .ok_or_else(|| invalid(&one_of(Dialect::WORDS))),
            _ => Err(StatementError::unknown_setting(name)),
        }
    }

    /// The name without `querent.`.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Mode(_) => "mode",
            Self::Tiers(_) => "tiers",
            Self::MinConfidence(_) => "min_confidence",
            Self::RowLimit(_) => "row_limit",
            Self::StatementTimeout(_) => "statement_timeout",
            Self::Notices(_) => "notices",
            Self::Dialect(_) => "dialect",
        }
    }
}

/// What is expected where one of these words must stand.
fn one_of(words: &[&str]) -> String {
    format!("one of {}", words.join(", "))
}

/// PostgreSQL's units of time (manual, 20.1.1), with their milliseconds.
const UNITS: [(&str, f64); 6] = [
    ("us", 0.001),
    ("ms", 1.0),
    ("min", 60_000.0),
    ("s", 1000.0),
    ("h", 3_600_000.0),
    ("d", 86_400_000.0),
];

fn parse_duration(text: &str) -> Option<Duration> {
    let digits = text
        .find(|c: char| !(c.is_ascii_digit() || c == '.'))
        .unwrap_or(text.len());
    let (number, unit) = (text[..digits].parse::<f64>().ok()?, text[digits..].trim());
    let factor = if unit.is_empty() {
        1.0
    } else {
        UNITS.iter().find(|(name, _)| *name == unit)?.1
    };
    // PostgreSQL's own limit for such settings: INT_MAX milliseconds.
    let milliseconds = (number * factor).round();
    (milliseconds <= f64::from(i32::MAX)).then(|| Duration::from_millis(milliseconds as u64))
}

fn show_duration(duration: Duration) -> String {
    let milliseconds = duration.as_millis();
    if milliseconds == 0 {
        return "0".to_owned();
    }
    [("d", 86_400_000), ("h", 3_600_000), ("min", 60_000), ("s", 1000)]
        .into_iter()
        .find(|(_, factor)| milliseconds.is_multiple_of(*factor))
        .map_or_else(
            || format!("{milliseconds}ms"),
            |(unit, factor)| format!("{}{unit}", milliseconds / factor),
        )
}
