//! What is recorded of questions, and where what Querent keeps is kept.

use std::{
    path::{Path, PathBuf},
    time::Duration,
};

use super::{ConfigError, Environment, Secret, Settings, Source, build::Reader};

/// What is recorded of questions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AuditSettings {
    /// Whether anything is.
    pub enabled: bool,
    /// Whether somebody has said so, or nobody has said anything.
    pub chosen: bool,
    /// Whether a question's SQL runs only once its record is stored.
    pub required: bool,
    /// How long a question waits for that; never zero.
    pub timeout: Duration,
    /// How long records are kept; `None` for ever.
    pub retention: Option<Duration>,
}

/// Where what Querent keeps is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StoreSettings {
    /// In a SQLite file.
    File(PathBuf),
    /// In a PostgreSQL database, of this address. It may have a password in it.
    Server(Secret),
    /// Nobody has said where, and there is no home.
    Nowhere,
}

impl AuditSettings {
    pub(super) fn build(read: &Reader<'_>) -> Result<Self, ConfigError> {
        let timeout = read.duration("audit.timeout");
        if timeout.is_zero() {
            return Err(read.refuse(
                "audit.timeout",
                "is 0",
                "give a record some time to be stored, such as 5s",
            ));
        }
        Ok(Self {
            enabled: read.flag("audit.enabled"),
            chosen: read.0["audit.enabled"].1 != Source::Default,
            required: read.flag("audit.required"),
            timeout,
            retention: Some(read.duration("audit.retention")).filter(|time| !time.is_zero()),
        })
    }
}

impl Settings {
    /// Where evaluations of the console are kept; `None` where there is no such place.
    pub fn evaluations(&self) -> Option<PathBuf> {
        let beside = match &self.store {
            StoreSettings::File(path) => path.parent().map(|folder| folder.join("evaluations")),
            StoreSettings::Server(_) | StoreSettings::Nowhere => None,
        };
        self.console.evaluations.clone().or(beside)
    }

    /// Refuses to keep anything in the file that clients write to.
    pub fn check_store(&self, served: &Path) -> Result<(), ConfigError> {
        let StoreSettings::File(path) = &self.store else {
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
    pub(super) fn build(read: &Reader<'_>, environment: &Environment) -> Result<Self, ConfigError> {
        match (read.some_text("store.path"), read.some_text("store.url")) {
            (Some(_), Some(_)) => {
                Err(read.refuse("store.url", "is given beside store.path", "choose one of them"))
            }
            (Some(path), None) => Ok(Self::File(path.into())),
            (None, Some(url)) if is_address(&url) => Ok(Self::Server(Secret::new(url))),
            (None, Some(_)) => Err(read.refuse(
                "store.url",
                "is no address of a PostgreSQL server",
                "write postgres://user@host/database, or a file into store.path",
            )),
            (None, None) => Ok(default_file(environment).map_or(Self::Nowhere, Self::File)),
        }
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

    fn settings(variables: &[(&str, &str)]) -> Result<Settings, ConfigError> {
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
        let file = |path: &str| StoreSettings::File(path.into());
        let url = "postgres://ann:pw@db.example/shop";
        for (variables, expected) in [
            (&[][..], StoreSettings::Nowhere),
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
                StoreSettings::Server(Secret::new(url)),
            ),
        ] {
            assert_eq!(settings(variables).unwrap().store, expected, "{variables:?}");
        }
        for variables in [
            &[("QUERENT_STORE__URL", url), ("QUERENT_STORE__PATH", "q.db")][..],
            &[("QUERENT_STORE__URL", "mysql://ann:pw@db.example/shop")],
        ] {
            let error = settings(variables).unwrap_err();
            assert!(
                error.message.starts_with("store.url") && !error.message.contains("pw"),
                "{error}"
            );
        }
        let shown = format!("{:?}", settings(&[("QUERENT_STORE__URL", url)]).unwrap());
        assert!(!shown.contains("pw"), "{shown}");
    }

    #[test]
    fn a_required_record_needs_time() {
        let error = settings(&[("QUERENT_AUDIT__TIMEOUT", "0")]).unwrap_err();
        assert!(error.message.contains("audit.timeout is 0"), "{error}");
        let kept = settings(&[("QUERENT_AUDIT__RETENTION", "90d")])
            .unwrap()
            .audit
            .retention;
        assert_eq!(kept, Some(Duration::from_secs(90 * 86_400)));
    }
}
