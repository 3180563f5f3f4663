//! What a reload may not take away: a file that is empty, cut off or half written looks like one that asks for less.

use super::{AuthMode, ConfigError, Settings, TlsMode};

impl Settings {
    /// Refuses settings that follow these without a restart where a protection is gone altogether.
    pub fn check_reload(&self, next: &Self) -> Result<(), ConfigError> {
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
}
