//! What the audit is told of a session's questions.

use super::{question::Refused, session::Session};
use crate::{
    audit::{Refusal, Who},
    conversation::Telling,
    telemetry::SessionLog,
};

impl Refused {
    /// Tells why a question has no answer.
    pub(super) fn tell(&self, telling: Telling<'_>, log: &SessionLog) {
        match self {
            Self::Told(fields) => {
                let refusal = Refusal {
                    sqlstate: &fields.sqlstate,
                    message: &fields.message,
                    detail: fields.detail.as_deref(),
                };
                let sql = fields.internal.as_ref().map(|(sql, _)| sql.as_str());
                telling.unanswered(log, refusal, sql);
            }
            Self::Lost(_) => telling.unanswered(log, Refusal::GONE, None),
        }
    }
}

impl Session {
    /// Who asks, for the audit.
    pub(super) fn who(&self) -> Who {
        let log = &self.record.log;
        let mut who = Who {
            session: log.number(),
            user: log.user().to_owned(),
            role: log.user().to_owned(),
            database: log.database().to_owned(),
            address: log.address(),
            application: self.exchange.application_name.clone(),
        };
        if let Some(seen) = &self.seen {
            who.user.clone_from(&seen.state.session_user);
            who.role.clone_from(&seen.state.user);
            who.database.clone_from(&seen.state.database);
        }
        who
    }
}
