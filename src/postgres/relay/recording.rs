//! What the audit is told of a session's questions.

use super::{question_error::QuestionError, session::Session};
use crate::{service::audit::Who, statement::StatementError};

impl Session {
    /// A statement that cannot be read. If it asks, the audit hears of it.
    pub(super) fn unread(&self, own: &str, error: &StatementError) -> QuestionError {
        if error.is_of_question() {
            self.shared.service.refused_unread(&self.who(), own, error);
        }
        QuestionError::from(error.clone())
    }

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
