//! The settings of a session, `querent.name`: their values, how they are written and shown. Data only.

use std::time::Duration;

use super::{
    StatementError,
    duration::{parse_duration, show_duration},
    words::words,
};

/// Declares the settings: a row gives a setting its name, type, default, meaning, and how it is read and shown.
macro_rules! settings {
    ($(
        $field:ident, $variant:ident: $type:ty = $default:expr, $meaning:literal,
        read $read:expr, else $expected:expr, show $show:expr $(, at most $most:ident)?;
    )*) => {
        /// The settings that a session can change.
        #[derive(Debug, Clone, PartialEq)]
        pub struct Settings {
            $(#[doc = concat!("```text\n", $meaning, "\n```")] pub $field: $type,)*
            /// What the configuration allows at most.
            pub most: Most,
        }

        /// One setting with its value, as `SET` gives it.
        #[derive(Debug, Clone, PartialEq)]
        pub enum Setting {
            $(#[doc = concat!("```text\n", $meaning, "\n```")] $variant($type),)*
        }

        impl Default for Settings {
            fn default() -> Self {
                Self { $($field: $default,)* most: Most::default() }
            }
        }

        impl Settings {
            /// The names that `SET` takes, without `querent.`.
            pub const NAMES: [&'static str; [$(stringify!($field)),*].len()] = [$(stringify!($field)),*];

            /// Takes over one value.
            pub fn set(&mut self, setting: Setting) {
                match setting {
                    $(Setting::$variant(value) => {
                        $(let value = within(value, self.most.$most);)?
                        self.$field = value;
                    })*
                }
            }

            /// Takes one value back from `defaults`, for `RESET`. Unknown names change nothing.
            pub fn reset(&mut self, name: &str, defaults: &Self) {
                match name {
                    $(stringify!($field) => self.$field.clone_from(&defaults.$field),)*
                    _ => {}
                }
            }

            /// The value as `SHOW` prints it; `None` for names that are not among [`Self::NAMES`].
            pub fn show(&self, name: &str) -> Option<String> {
                match name {
                    $(stringify!($field) => {
                        let show: fn(&$type) -> String = $show;
                        Some(show(&self.$field))
                    })*
                    _ => None,
                }
            }

            fn meaning(name: &str) -> Option<&'static str> {
                match name {
                    $(stringify!($field) => Some($meaning),)*
                    _ => None,
                }
            }
        }

        impl Setting {
            /// Reads a value for `name` (without `querent.`) from the list that `SET` gives, as text.
            pub fn parse(name: &str, values: &[String]) -> Result<Self, StatementError> {
                let text = values.join(", ");
                let invalid = |expected: String| StatementError::InvalidValue {
                    name: name.to_owned(),
                    value: text.clone(),
                    expected,
                };
                match name {
                    $(stringify!($field) => {
                        let read: fn(&str) -> Option<$type> = $read;
                        read(text.trim()).map(Self::$variant).ok_or_else(|| invalid($expected.to_string()))
                    })*
                    _ => Err(StatementError::unknown_setting(name)),
                }
            }

            /// The name without `querent.`.
            pub fn name(&self) -> &'static str {
                match self {
                    $(Self::$variant(_) => stringify!($field),)*
                }
            }
        }
    };
}

settings! {
    mode, Mode: Mode = Mode::default(), "How questions are worked on.",
        read Mode::of_word, else one_of(Mode::WORDS), show |mode| mode.name().to_owned();
    tiers, Tiers: Vec<String> = Vec::new(), "The tiers that may answer, cheapest first.",
        read |text| Some(tiers(text)), else "names of tiers", show |tiers| tiers.join(", ");
    min_confidence, MinConfidence: f64 = 0.5, "Below this confidence a question fails.",
        read confidence, else "a number from 0 to 1", show f64::to_string;
    row_limit, RowLimit: u64 = 0, "Rows that a question returns at most; 0 for as many as limits.rows allows.",
        read |text| text.parse().ok(), else "a whole number of rows, 0 for no limit", show u64::to_string,
        at most rows;
    statement_timeout, StatementTimeout: Duration = Duration::ZERO,
        "Time that a question's SQL may run; 0 for as long as limits.statement_timeout allows.",
        read parse_duration, else "milliseconds, or a time such as 30s or 2min; 0 for no limit",
        show |time| show_duration(*time), at most time;
    notices, Notices: Notices = Notices::default(), "What is told beside a question's rows.",
        read Notices::of_word, else one_of(Notices::WORDS), show |notices| notices.name().to_owned();
    dialect, Dialect: Dialect = Dialect::default(), "Whose words statements on a SQLite file are.",
        read Dialect::of_word, else one_of(Dialect::WORDS), show |dialect| dialect.name().to_owned();
}

impl Settings {
    /// The names that only `SHOW` takes: what the session itself has to say.
    pub const READ_ONLY: [&'static str; 3] = ["last_sql", "last_confidence", "version"];

    /// One line on what a setting of [`Self::NAMES`] or [`Self::READ_ONLY`] means, for `SHOW ALL`.
    pub fn describe(name: &str) -> &'static str {
        Self::meaning(name).unwrap_or(match name {
            "last_sql" => "The SQL of the last question.",
            "last_confidence" => "The confidence of the last question's SQL.",
            "version" => "The version of Querent.",
            _ => "",
        })
    }
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

/// What is set, as far as it may go; what stands for no limit is the bound itself.
fn within<T: Copy + PartialOrd + Default>(set: T, most: T) -> T {
    let none = T::default();
    if most != none && (set == none || set > most) {
        most
    } else {
        set
    }
}

fn tiers(text: &str) -> Vec<String> {
    let names = text.split(',').map(str::trim);
    names.filter(|tier| !tier.is_empty()).map(str::to_owned).collect()
}

fn confidence(text: &str) -> Option<f64> {
    let confidence = text.parse().ok();
    confidence.filter(|confidence| (0.0..=1.0).contains(confidence))
}

/// What is expected where one of these words must stand.
fn one_of(words: &[&str]) -> String {
    format!("one of {}", words.join(", "))
}
