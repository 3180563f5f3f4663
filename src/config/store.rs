//! What is recorded of questions, and where what Querent keeps is kept.

use std::{
    path::{Path, PathBuf},
    time::Duration,
};

use super::{ConfigError, Environment, Secret, Settings, declare::settings, reader::Reader};

settings! {
    /// What is recorded of questions.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct AuditSettings in "audit." {
        pub enabled: bool = "on", "whether serve keeps a record of each question; querent audit reads it";
        pub required: bool = "off", "whether a question's SQL runs only once its record is stored for good";
        pub timeout: Duration = "5s", "how long a question waits for its record where that is required";
        pub retention: Option<Duration> = "0", "how long records are kept, such as 90d; 0 for ever";
    }
    beside {
        /// Whether somebody has said that anything is recorded, or that nothing is.
        pub chosen: bool;
    }
}

settings! {
    /// What Querent keeps, and where.
    #[derive(Debug, Clone)]
    pub struct StoreSettings in "store." {
        path: Option<PathBuf> =
            "", "SQLite file of what Querent keeps; else $XDG_STATE_HOME/querent/querent.db or ~/.local/state/querent/querent.db";
        url: Option<Secret> =
            "", "postgres://… of a database that keeps it instead, in a schema querent, for several processes";
        pub learn: bool =
            "on", "whether corrections are kept there, from which querent taxonomy proposes kinds of errors";
    }
    beside {
        /// Where it is kept.
        pub location: StoreLocation;
    }
}

/// Where what Querent keeps is kept.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum StoreLocation {
    /// In a SQLite file.
    File(PathBuf),
    /// In a PostgreSQL database, of this address. It may have a password in it.
    Server(Secret),
    /// Nobody has said where, and there is no home.
    #[default]
    Nowhere,
}

impl AuditSettings {
    pub(super) fn complete(&mut self, read: &Reader<'_>) -> Result<(), ConfigError> {
        self.chosen = !read.is_default("audit.enabled");
        if self.timeout.is_zero() {
            return Err(read.refuse(
                "audit.timeout",
                "is 0",
                "give a record some time to be stored, such as 5s",
            ));
        }
        Ok(())
    }
}

impl Settings {
    /// Where evaluations of the console are kept; `None` where there is no such place.
    pub fn evaluations(&self) -> Option<PathBuf> {
        let beside = match &self.store.location {
            StoreLocation::File(path) => path.parent().map(|folder| folder.join("evaluations")),
            StoreLocation::Server(_) | StoreLocation::Nowhere => None,
        };
        self.console.evaluations.clone().or(beside)
    }

    /// Refuses to keep anything in the file that clients write to.
    pub fn check_store(&self, served: &Path) -> Result<(), ConfigError> {
        let StoreLocation::File(path) = &self.store.location else {
            return Ok(());
        };
        let real = |file: &Path| file.canonicalize().unwrap_or_else(|_| file.to_path_buf());
        if real(path) != real(served) {
            return Ok(());
        }
        Err(ConfigError {
            message: format!("store.path is {}, the database that is served", path.display()),
            hint: Some("keep the audit in a file of its own, which no client can write to".into()),
        })
    }
}

impl StoreSettings {
    pub(super) fn complete(
        &mut self,
        read: &Reader<'_>,
        environment: &Environment,
    ) -> Result<(), ConfigError> {
        self.location = match (self.path.take(), self.url.take()) {
            (Some(_), Some(_)) => {
                return Err(read.refuse("store.url", "is given beside store.path", "choose one of them"));
            }
            (Some(path), None) => StoreLocation::File(path),
            (None, Some(url)) if is_address(url.expose()) => StoreLocation::Server(Secret::new(url.expose())),
            (None, Some(_)) => {
                return Err(read.refuse(
                    "store.url",
                    "is no address of a PostgreSQL server",
                    "write postgres://user@host/database, or a file into store.path",
                ));
            }
            (None, None) => default_file(environment).map_or(StoreLocation::Nowhere, StoreLocation::File),
        };
        Ok(())
    }
}

fn is_address(text: &str) -> bool {
    ["postgres://", "postgresql://"]
        .iter()
        .any(|scheme| text.starts_with(scheme))
}

/// In the user's folder for state (XDG Base Directory Specification).
fn default_file(environment: &Environment) -> Option<PathBuf> {
    let folder = |name: &str| {
        let value = environment
            .variables
            .get(name)
            .filter(|path| path.starts_with('/'));
        value.map(PathBuf::from)
    };
    let state = folder("XDG_STATE_HOME").or_else(|| folder("HOME").map(|home| home.join(".local/state")));
    state.map(|state| state.join("querent/querent.db"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn load(variables: &[(&str, &str)]) -> Result<Settings, ConfigError> {
        let variables = variables
            .iter()
            .map(|(name, value)| ((*name).into(), (*value).into()));
        let environment = Environment {
            variables: variables.collect(),
            folder: PathBuf::from("/nowhere"),
        };
        Settings::load(None, &environment, &[])
    }

    #[test]
    fn the_store_has_a_place_or_an_address() {
        let file = |path: &str| StoreLocation::File(path.into());
        let url = "postgres://ann:pw@db.example/shop";
        for (variables, expected) in [
            (&[][..], StoreLocation::Nowhere),
            (
                &[("HOME", "/home/ann")],
                file("/home/ann/.local/state/querent/querent.db"),
            ),
            (
                &[("HOME", "/home/ann"), ("XDG_STATE_HOME", "/state")],
                file("/state/querent/querent.db"),
            ),
            // As the specification says, a relative path there is passed over.
            (
                &[("HOME", "/home/ann"), ("XDG_STATE_HOME", "state")],
                file("/home/ann/.local/state/querent/querent.db"),
            ),
            (
                &[("HOME", "/home/ann"), ("QUERENT_STORE__PATH", "q.db")],
                file("q.db"),
            ),
            (
                &[("QUERENT_STORE__URL", url)],
                StoreLocation::Server(Secret::new(url)),
            ),
        ] {
            assert_eq!(load(variables).unwrap().store.location, expected, "{variables:?}");
        }
        for variables in [
            &[("QUERENT_STORE__URL", url), ("QUERENT_STORE__PATH", "q.db")][..],
            &[("QUERENT_STORE__URL", "mysql://ann:pw@db.example/shop")],
        ] {
            let error = load(variables).unwrap_err();
            assert!(
                error.message.starts_with("store.url") && !error.message.contains("pw"),
                "{error}"
            );
        }
        let shown = format!("{:?}", load(&[("QUERENT_STORE__URL", url)]).unwrap());
        assert!(!shown.contains("pw"), "{shown}");
    }

    #[test]
    fn a_required_record_needs_time() {
        let error = load(&[("QUERENT_AUDIT__TIMEOUT", "0")]).unwrap_err();
        assert!(error.message.contains("audit.timeout is 0"), "{error}");
        let kept = load(&[("QUERENT_AUDIT__RETENTION", "90d")])
            .unwrap()
            .audit
            .retention;
        assert_eq!(kept, Some(Duration::from_secs(90 * 86_400)));
    }
}
