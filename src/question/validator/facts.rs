//! What is known of a dialect beside its grammar: the functions that may be called, and what is forbidden.
//! The facts are data under `dialects/`; a broken file fails every test.

use std::{collections::HashMap, sync::LazyLock};

use serde::Deserialize;

use super::policy::Policy;
use crate::question::schema::{ColumnKind, Dialect};

/// Functions and forbidden names of one dialect.
pub(super) struct Facts {
    pub(super) functions: Functions,
    pub(super) policy: Policy,
}

/// The allow-list, by what a function is called as.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Functions {
    aggregate: HashMap<String, Function>,
    window: HashMap<String, Function>,
    scalar: HashMap<String, Function>,
    /// What the grammar knows and the catalogue does not; called as a scalar function is.
    #[serde(default)]
    syntax: HashMap<String, Function>,
    table: HashMap<String, TableFunction>,
}

/// What is known of a function.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Function {
    /// The fewest and the most arguments.
    args: [usize; 2],
    #[serde(default)]
    pub(super) returns: Option<Returns>,
    /// Set where an argument of another kind makes no sense.
    #[serde(default)]
    pub(super) takes: Option<Takes>,
    /// The position of an argument that says how long a text gets.
    #[serde(default)]
    pub(super) width: Option<usize>,
    /// Called with `WITHIN GROUP (ORDER BY …)`.
    #[serde(default)]
    pub(super) within: bool,
}

/// A function that stands in FROM.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct TableFunction {
    args: [usize; 2],
    /// Empty where the alias lists them.
    pub(super) columns: Vec<String>,
}

/// What a function returns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Returns {
    Integer,
    Number,
    Text,
    Boolean,
    Date,
    Timestamp,
    Time,
    Blob,
    Interval,
    Uuid,
    Other,
    Argument,
}

/// What a function is made for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Takes {
    Number,
}

/// How a function is called.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Call {
    Aggregate,
    Window,
    Scalar,
}

/// What is wrong with a call.
pub(super) enum Misuse {
    Unknown,
    Arguments { least: usize, most: usize },
}

static SQLITE: LazyLock<Facts> = LazyLock::new(|| {
    Facts::read(
        include_str!("../../../dialects/sqlite/functions.toml"),
        include_str!("../../../dialects/sqlite/policy.toml"),
    )
});

static POSTGRES: LazyLock<Facts> = LazyLock::new(|| {
    Facts::read(
        include_str!("../../../dialects/postgres/functions.toml"),
        include_str!("../../../dialects/postgres/policy.toml"),
    )
});

impl Facts {
    fn read(functions: &str, policy: &str) -> Self {
        Self {
            functions: toml::from_str(functions).expect("the tests read the same file"),
            policy: toml::from_str(policy).expect("the tests read the same file"),
        }
    }
}

/// The facts of a dialect, read once.
pub(super) fn facts(dialect: Dialect) -> &'static Facts {
    match dialect {
        Dialect::Sqlite => &SQLITE,
        Dialect::Postgres => &POSTGRES,
    }
}

impl Functions {
    /// Finds a function by its lower-case name; some names are an aggregate or a scalar function,
    /// depending on the number of arguments.
    pub(super) fn find(&self, name: &str, arguments: usize) -> Result<(Call, &Function), Misuse> {
        let kinds = [
            (Call::Aggregate, &self.aggregate),
            (Call::Window, &self.window),
            (Call::Scalar, &self.scalar),
            (Call::Scalar, &self.syntax),
        ];
        let known: Vec<_> = kinds
            .iter()
            .filter_map(|(call, table)| Some((*call, table.get(name)?)))
            .collect();
        let fits = |function: &Function| (function.args[0]..=function.args[1]).contains(&arguments);
        match known.iter().find(|(_, function)| fits(function)) {
            Some(found) => Ok(*found),
            None if known.is_empty() => Err(Misuse::Unknown),
            None => Err(Misuse::Arguments {
                least: known
                    .iter()
                    .map(|(_, function)| function.args[0])
                    .min()
                    .unwrap_or_default(),
                most: known
                    .iter()
                    .map(|(_, function)| function.args[1])
                    .max()
                    .unwrap_or_default(),
            }),
        }
    }

    /// Finds a function that stands in FROM.
    pub(super) fn find_table(&self, name: &str, arguments: usize) -> Result<&TableFunction, Misuse> {
        let found = self.table.get(name).ok_or(Misuse::Unknown)?;
        let [least, most] = found.args;
        if (least..=most).contains(&arguments) {
            Ok(found)
        } else {
            Err(Misuse::Arguments { least, most })
        }
    }

    /// True for a name that can be called in an expression or in FROM.
    pub(super) fn lists(&self, name: &str) -> bool {
        [&self.aggregate, &self.window, &self.scalar, &self.syntax]
            .iter()
            .any(|functions| functions.contains_key(name))
            || self.table.contains_key(name)
    }

    /// Every name that can be called in an expression.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.aggregate
            .keys()
            .chain(self.window.keys())
            .chain(self.scalar.keys())
            .chain(self.syntax.keys())
            .map(String::as_str)
    }
}

impl Function {
    /// The kind of its result, given the kind of its first argument.
    pub(super) fn result(&self, argument: Option<ColumnKind>) -> Option<ColumnKind> {
        match self.returns? {
            Returns::Integer => Some(ColumnKind::Integer),
            Returns::Number => Some(ColumnKind::Number),
            Returns::Text => Some(ColumnKind::Text),
            Returns::Boolean => Some(ColumnKind::Boolean),
            Returns::Date => Some(ColumnKind::Date),
            Returns::Timestamp => Some(ColumnKind::Timestamp),
            Returns::Time => Some(ColumnKind::Time),
            Returns::Blob => Some(ColumnKind::Blob),
            Returns::Interval => Some(ColumnKind::Interval),
            Returns::Uuid => Some(ColumnKind::Uuid),
            Returns::Other => Some(ColumnKind::Other),
            Returns::Argument => argument,
        }
    }
}
