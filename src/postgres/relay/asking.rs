//! The session as one that asks: what the way of a question takes of it.

use async_trait::async_trait;

use super::{question_error::QuestionError, readiness::Readiness, session::Session};
use crate::{
    question::ask::Answer,
    service::{
        audit::Who,
        conversation::{Conversation, Host, Recorder},
    },
    statement::Notices,
    telemetry::SessionLog,
};

/// The session with what may be said to its server meanwhile.
pub(super) struct Asking<'a> {
    pub(super) session: &'a mut Session,
    pub(super) readiness: Readiness,
}

#[async_trait]
impl Host for Asking<'_> {
    type Error = QuestionError;

    fn who(&self) -> Who {
        self.session.who()
    }

    fn log(&self) -> &SessionLog {
        &self.session.record.log
    }

    fn conversation(&mut self) -> &mut Conversation {
        &mut self.session.conversation
    }

    fn notices(&self) -> Notices {
        self.session.settings.notices
    }

    fn notice(&mut self, message: String) {
        self.session.notice(message, self.readiness);
    }

    async fn answer(&mut self, words: &str, recorder: &mut Recorder<'_>) -> Result<Answer, QuestionError> {
        self.session.answer(words, self.readiness, recorder).await
    }
}
