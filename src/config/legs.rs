//! What the settings must be for what stands behind: a file has no users of its own, a server has.

use super::{AuthMode, ConfigError, Settings, TlsMode};

impl Settings {
    /// Refuses what cannot be in front of a SQLite file, and listeners that would let other machines in without a
    /// password.
    pub fn check_sqlite(&self) -> Result<(), ConfigError> {
        match self.auth.mode {
            AuthMode::Passthrough | AuthMode::Cleartext => Err(refusal(
                &format!(
                    "auth.mode = \"{}\" asks the server behind, and a file has none",
                    self.auth.mode.name()
                ),
                "set auth.mode = \"scram\" with [auth.users], or \"trust\"",
            )),
            AuthMode::Scram if self.auth.users.is_empty() => Err(refusal(
                "auth.auth_query asks the server behind, and a file has none",
                "name the users in [auth.users]",
            )),
            AuthMode::Scram => Ok(()),
            AuthMode::Auto | AuthMode::Trust => self.check_trust(),
        }
    }

    fn check_trust(&self) -> Result<(), ConfigError> {
        if self.auth.allow_trust_from_anywhere {
            return Ok(());
        }
        let Some(address) = self.listen.iter().find(|address| !address.is_local()) else {
            return Ok(());
        };
        Err(refusal(
            &format!(
                "{address} can be reached from other machines, and auth.mode = \"trust\" asks for no password"
            ),
            "set auth.mode = \"scram\" with [auth.users], or listen on 127.0.0.1, \
             or say auth.allow_trust_from_anywhere = true",
        ))
    }

    /// Refuses what cannot be in front of a PostgreSQL server. `encrypted` is true if the connections to it are
    /// encrypted whatever it says.
    pub fn check_postgres(&self, encrypted: bool) -> Result<(), ConfigError> {
        match self.auth.mode {
            AuthMode::Trust => Err(refusal(
                "auth.mode = \"trust\" is for SQLite files: a PostgreSQL server has users of its own",
                "leave auth.mode out, and let the server ask; its pg_hba.conf may say trust",
            )),
            AuthMode::Auto | AuthMode::Passthrough if encrypted && self.tls.mode == TlsMode::Require => {
                Err(refusal(
                    "auth.mode = \"passthrough\" cannot work with TLS on both sides: clients bind their \
                     password to a certificate that is not the server's",
                    BOTH_ENCRYPTED,
                ))
            }
            _ => Ok(()),
        }
    }
}

/// What to do where both sides are encrypted.
pub const BOTH_ENCRYPTED: &str =
    "set auth.mode = \"scram\" with [auth.users] or auth.auth_query, or auth.mode = \"cleartext\"";

fn refusal(message: &str, hint: &str) -> ConfigError {
    ConfigError {
        message: message.to_owned(),
        hint: Some(hint.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_leg_has_its_modes() {
        let check = |mode: AuthMode, tls: TlsMode, sqlite: Option<&str>, postgres: Option<&str>| {
            let mut settings = Settings::default();
            settings.auth.mode = mode;
            settings.tls.mode = tls;
            for (leg, refused, expected) in [
                ("sqlite", settings.check_sqlite(), sqlite),
                ("postgres", settings.check_postgres(true), postgres),
            ] {
                match (refused, expected) {
                    (Ok(()), None) => {}
                    (Err(error), Some(words)) => assert!(error.message.contains(words), "{leg}: {error}"),
                    (outcome, _) => panic!("{leg} {mode:?} {tls:?}: {outcome:?}"),
                }
            }
        };
        let both = Some("TLS on both sides");
        let no_server = Some("a file has none");
        check(AuthMode::Auto, TlsMode::Off, None, None);
        check(AuthMode::Auto, TlsMode::Allow, None, None);
        check(AuthMode::Auto, TlsMode::Require, None, both);
        check(AuthMode::Passthrough, TlsMode::Require, no_server, both);
        check(AuthMode::Passthrough, TlsMode::Off, no_server, None);
        check(AuthMode::Trust, TlsMode::Off, None, Some("is for SQLite files"));
        check(AuthMode::Scram, TlsMode::Require, no_server, None);
        check(AuthMode::Cleartext, TlsMode::Require, no_server, None);
        check(AuthMode::Cleartext, TlsMode::Off, no_server, None);
    }
}
