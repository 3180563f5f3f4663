//! What is known of a session before it asks: who and where it is, its settings, what it may read.

use super::{question_error::QuestionError, readiness::Readiness, session::Session};
use crate::{
    postgres::introspection::{self, SessionSnapshot, Trust},
    service::{access::Asker, conversation::ConfigSnapshot},
    statement::{Setting, Settings},
};

impl Session {
    /// Reads who and where the session is, and what it may ask about.
    pub(super) async fn look_around(&mut self, readiness: Readiness) -> Result<(), QuestionError> {
        if readiness != Readiness::Safe {
            return Ok(());
        }
        let shared = self.shared.clone();
        let config = shared.settings();
        let limit = config.limits.question_timeout;
        let trust = Trust {
            login: self.record.log.user().to_owned(),
            owners: config.policy.trusted_owners.clone(),
            extensions: config.policy.trusted_extensions.clone(),
        };
        let schemas = &shared.schemas;
        let seen = self
            .side_query(async |querier| introspection::snapshot(querier, schemas, trust, limit).await)
            .await?;
        self.settings = settings(&seen, &shared.service.config());
        self.seen = Some(seen);
        Ok(())
    }
}

/// Whose rights the access policy looks at.
pub(super) fn asker(seen: &SessionSnapshot) -> Asker {
    let state = &seen.state;
    Asker {
        user: state.session_user.clone(),
        database: state.database.clone(),
        roles: state.roles.clone(),
    }
}

/// The settings of a session, as the server has them.
fn settings(seen: &SessionSnapshot, config: &ConfigSnapshot) -> Settings {
    let mut settings = config.session_settings();
    for name in Settings::NAMES {
        // What was set around the check, for a role or a database, is left alone if it makes no sense.
        if let Some(value) = seen.state.setting(&format!("querent.{name}"))
            && let Ok(setting) = Setting::parse(name, &[value.to_owned()])
        {
            settings.set(setting);
        }
    }
    settings
}
