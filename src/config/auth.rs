//! Who may connect, as it is configured.

use std::collections::BTreeMap;

use super::{ConfigError, Secret, declare::settings, reader::Reader};
use crate::statement::words::words;

settings! {
    /// Who may connect.
    #[derive(Debug, Clone)]
    pub struct AuthSettings in "auth." {
        pub mode: AuthMode =
            "auto", "auto: trust for SQLite, passthrough (the server asks) for PostgreSQL; scram: auth.users; cleartext";
        pub users: BTreeMap<String, Secret> =
            "{}", "users of scram: name = \"password\" or a stored verifier \"SCRAM-SHA-256$…\"";
        pub allow_trust_from_anywhere: bool =
            "off", "lets anybody who reaches this machine in without a password, when auth.mode = trust";
        pub auth_query: Option<String> =
            "", "SQL that asks PostgreSQL for the stored verifier of user $1, if auth.users has none";
        pub allow_upstream_trust: bool =
            "off", "lets clients of other machines in where the PostgreSQL server asks Querent for no password";
    }
}

words! {
    /// How clients prove who they are.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum AuthMode {
        /// `Trust` for a SQLite file, `Passthrough` for a PostgreSQL server.
        Auto = "auto",
        /// Not at all.
        Trust = "trust",
        /// SCRAM-SHA-256 against [`AuthSettings::users`] or what [`AuthSettings::auth_query`] finds.
        Scram = "scram",
        /// As the PostgreSQL server asks them to.
        Passthrough = "passthrough",
        /// With a password that they send as it is, and that the PostgreSQL server is told.
        Cleartext = "cleartext",
    }
}

impl AuthSettings {
    pub(super) fn check(&self, read: &Reader<'_>) -> Result<(), ConfigError> {
        if self.mode == AuthMode::Scram && self.users.is_empty() && self.auth_query.is_none() {
            return Err(read.refuse(
                "auth.mode",
                "is scram, but auth.users names nobody",
                "add a section [auth.users] with lines such as: alice = \"a password\", or auth.auth_query",
            ));
        }
        if let Some((user, _)) = self.users.iter().find(|(_, stored)| stored.expose().is_empty()) {
            return Err(read.refuse(
                "auth.users",
                &format!("has an empty password for {user}"),
                "give the user a password, or take the line out",
            ));
        }
        Ok(())
    }
}
