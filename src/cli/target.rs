//! BACKEND arguments.

use std::{path::PathBuf, str::FromStr, sync::Arc};

use crate::{
    backend::BackendError,
    config::Settings,
    postgres::upstream::Server,
    sqlite::engine::{Database, Options},
};

/// The database that a command is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Target {
    /// `sqlite:PATH`, or the path alone.
    Sqlite(PathBuf),
    /// `postgres://…`, or the words of libpq: `host=… dbname=…`.
    Postgres(Box<Server>),
}

impl FromStr for Target {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if let Some(path) = text.strip_prefix("sqlite:") {
            if path.is_empty() {
                return Err("names no file; write sqlite:PATH, such as sqlite:shop.db".into());
            }
            return Ok(Self::Sqlite(path.into()));
        }
        if ["postgres:", "postgresql:"]
            .iter()
            .any(|scheme| text.starts_with(scheme))
        {
            return match text.parse() {
                Ok(server) => Ok(Self::Postgres(Box::new(server))),
                Err(error) => Err(error.to_string()),
            };
        }
        if text.contains("://") {
            return Err("no such kind of database; write a file's name or postgres://HOST/DATABASE".into());
        }
        if text.is_empty() {
            return Err("names no database; write a file's name or postgres://HOST/DATABASE".into());
        }
        if Server::is_keywords(text) {
            return match Server::of_keywords(text) {
                Ok(server) => Ok(Self::Postgres(Box::new(server))),
                Err(error) => Err(error.to_string()),
            };
        }
        Ok(Self::Sqlite(text.into()))
    }
}

/// Files beside the one that is served.
#[derive(Debug, clap::Args)]
pub(super) struct AttachArguments {
    /// Another SQLite file as a further schema of this name; may be repeated, and replaces sqlite.attach
    #[arg(long, value_name = "NAME=PATH", value_parser = named_path)]
    attach: Vec<(String, String)>,
}

fn named_path(text: &str) -> Result<(String, String), String> {
    let (name, path) = text
        .split_once('=')
        .filter(|(name, path)| !name.is_empty() && !path.is_empty())
        .ok_or("write NAME=PATH, such as archive=shop-2023.db")?;
    Ok((name.to_owned(), path.to_owned()))
}

impl AttachArguments {
    /// Settings that arguments override.
    pub(super) fn overrides(&self) -> Vec<(&'static str, String, &'static str)> {
        if self.attach.is_empty() {
            return vec![];
        }
        let pairs = self
            .attach
            .iter()
            .map(|(name, path)| format!("{name:?} = {}", toml::Value::from(path.as_str())));
        // A name that comes twice is told of where the table is read.
        let table = format!("{{ {} }}", pairs.collect::<Vec<_>>().join(", "));
        vec![("sqlite.attach", table, "--attach")]
    }
}

impl Target {
    /// Opens a SQLite file with these settings. Blocks shortly.
    pub(super) fn open(&self, settings: &Settings, read_only: bool) -> Result<Arc<Database>, BackendError> {
        let Self::Sqlite(path) = self else {
            return Err(BackendError::new("0A000", "this is for SQLite files"));
        };
        let options = Options {
            attach: settings.sqlite.attach,
            sqlite_dialect: settings.sqlite.dialect == crate::statement::Dialect::Sqlite,
            attached: settings.sqlite.attached.clone(),
            journal_mode: settings.sqlite.journal_mode.clone().filter(|_| !read_only),
            busy_timeout: settings.sqlite.busy_timeout,
            question_timeout: settings.limits.statement_timeout,
            question_rows: settings.limits.rows.unwrap_or(0),
            question_bytes: settings.limits.bytes.unwrap_or(0),
            question_value: settings.limits.value_bytes,
            question_memory: settings.limits.memory,
            value: settings.sqlite.value_bytes,
            memory: settings.sqlite.memory,
            question_temporary: settings.limits.temporary_bytes,
            temporary: settings.sqlite.temporary_bytes,
            read_only,
            ..Options::default()
        };
        Database::open(path, options)
    }
}

impl std::fmt::Display for Target {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Sqlite(path) => write!(f, "sqlite:{}", path.display()),
            Self::Postgres(server) => write!(f, "{server}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn backends_are_read_or_refused_with_advice() {
        for text in ["sqlite:a b.db", "a b.db"] {
            assert_eq!(text.parse(), Ok(Target::Sqlite("a b.db".into())));
        }
        // A file may have an odd name.
        assert_eq!("x=1.db".parse(), Ok(Target::Sqlite("x=1.db".into())));
        let server: Target = "host=/run/pg port=7 dbname='a b'".parse().unwrap();
        assert_eq!(server.to_string(), "postgres://%2Frun%2Fpg:7/a%20b");
        for (text, expected) in [
            ("sqlite:", "names no file"),
            ("", "names no database"),
            ("host=h sslmod=x", "did you mean sslmode?"),
            ("mysql://localhost/x", "no such kind"),
        ] {
            let told = text.parse::<Target>().unwrap_err();
            assert!(told.contains(expected), "{text}: {told}");
        }
    }
}
