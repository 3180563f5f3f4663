//! What a reload may not take away: a file that is empty, cut off or half written looks like one that asks for less.

use super::{AuthMode, ConfigError, ConsoleAuth, SettingSource, Settings, TlsMode};

impl Settings {
    /// Refuses settings that follow these without a restart where all that the file said is gone, or a protection altogether.
    pub fn check_reload(&self, next: &Self) -> Result<(), ConfigError> {
        if self.have_a_file() && !next.have_a_file() {
            return Err(ConfigError {
                message: "the configuration is empty or gone, and was not before".into(),
                hint: Some("put a whole file in its place; restart the server to do without".into()),
            });
        }
        let gone = [
            (
                !self.policy.rules.is_empty() && next.policy.rules.is_empty(),
                "[[policy.rule]]",
            ),
            (
                !self.privacy.private.is_empty() && next.privacy.private.is_empty(),
                "privacy.private",
            ),
            (
                !self.privacy.send_values && next.privacy.send_values,
                "privacy.send_values = false",
            ),
            (
                !self.auth.users.is_empty() && next.auth.users.is_empty(),
                "[auth.users]",
            ),
            (
                self.auth.mode != AuthMode::Trust
                    && self.auth.mode != next.auth.mode
                    && matches!(next.auth.mode, AuthMode::Trust | AuthMode::Auto),
                "auth.mode",
            ),
            (
                self.console.token.is_some() && next.console.token.is_none(),
                "console_token",
            ),
            (
                self.console.auth != ConsoleAuth::Token && next.console.auth == ConsoleAuth::Token,
                "console_auth",
            ),
            (
                self.limits.spend_per_day.is_some() && next.limits.spend_per_day.is_none(),
                "limits.spend_per_day",
            ),
            (self.audit.enabled && !next.audit.enabled, "audit.enabled"),
            (self.audit.required && !next.audit.required, "audit.required"),
            (
                self.tls.mode == TlsMode::Require && next.tls.mode != TlsMode::Require,
                "tls.mode = \"require\"",
            ),
        ];
        let gone: Vec<&str> = gone
            .iter()
            .filter(|(gone, _)| *gone)
            .map(|(_, name)| *name)
            .collect();
        if gone.is_empty() {
            return Ok(());
        }
        Err(ConfigError {
            message: format!(
                "the new settings are without {}, which the old ones have",
                gone.join(", ")
            ),
            hint: Some("a reload does not take a protection away; restart the server to do without".into()),
        })
    }

    /// True if a file says something of them.
    fn have_a_file(&self) -> bool {
        let says = |entry: &super::Entry| matches!(entry.source, SettingSource::File(..));
        self.entries().any(|entry| says(&entry))
            || self
                .model_entries()
                .chain(self.rule_entries())
                .flatten()
                .any(|entry| says(&entry))
    }
}
