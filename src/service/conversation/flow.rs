//! The way of one question, whatever database is behind it: checked, asked, decided, told of.

use std::sync::Arc;

use async_trait::async_trait;

use super::{Conversation, ConversationError, Part, Recorder, ServiceState, notice};
use crate::{
    question::ask::Answer,
    service::audit::{Asked, AuditError, Refusal, Who},
    statement::{Action, Notices},
    telemetry::SessionLog,
    wire::Fields,
};

/// Agents' runs that may wait to be told; beyond them the client hears less of the progress.
pub const RUNS_UNTOLD: usize = 64;

/// A session that asks, as its leg has it.
#[async_trait]
pub trait Host: Send {
    /// Why a question has no answer.
    type Error: ReportedError + From<ConversationError> + From<AuditError> + Send;

    /// Who asks, for the audit.
    fn who(&self) -> Who;

    /// Where the session's lines go.
    fn log(&self) -> &SessionLog;

    /// What the session remembers.
    fn conversation(&mut self) -> &mut Conversation;

    /// Which notices the session wants.
    fn notices(&self) -> Notices;

    /// Sends a notice of a question.
    fn notice(&mut self, message: String);

    /// Asks the agents with the session's rights, and tells of each as it ends.
    async fn answer(&mut self, words: &str, recorder: &mut Recorder<'_>) -> Result<Answer, Self::Error>;
}

/// An error of a leg's, as far as others than the client are told of it.
pub trait ReportedError {
    /// What the client is told; `None` where there is no client any more.
    fn fields(&self) -> Option<&Fields>;

    /// What the audit is told, and the SQL that was found and may not run.
    fn refusal(&self) -> (Refusal<'_>, Option<&str>) {
        let Some(fields) = self.fields() else {
            return (Refusal::GONE, None);
        };
        let refusal = Refusal {
            sqlstate: &fields.sqlstate,
            message: &fields.message,
            detail: fields.detail.as_deref(),
        };
        (refusal, fields.internal.as_ref().map(|(sql, _)| sql.as_str()))
    }
}

/// What a question has become, and what its runs are told to.
pub async fn ask<H: Host>(
    host: &mut H,
    service: &ServiceState,
    action: Action,
    words: &str,
) -> Result<(Part, Option<Arc<Asked>>), H::Error> {
    let mut recorder = Recorder::new(service, host.who(), action, words);
    // A model may think for long, and who may ask what may be another matter then.
    let policy = service.config().policy;
    let answer = match host.conversation().check(action, words) {
        Ok(()) => host.answer(words, &mut recorder).await,
        Err(error) => Err(error.into()),
    };
    let answer = answer.and_then(|answer| Ok(service.check_answered(policy).map(|()| answer)?));
    let answer = match answer {
        Ok(answer) => answer,
        Err(error) => {
            let (refusal, sql) = error.refusal();
            recorder.unanswered(host.log(), refusal, sql);
            return Err(error);
        }
    };
    // Not raced against anything: it has a deadline of its own, and what was let through has to be known.
    let recorded = recorder.answered(host.log(), &answer).await?;
    let part = host.conversation().answered(action, words, &answer);
    if let Part::Answer(_) = part
        && host.notices() != Notices::Off
    {
        host.notice(notice(&answer));
    }
    if let (Part::Report(report), Some(recorded)) = (&part, &recorded) {
        recorded.shown(report.rows.len() as u64);
        return Ok((part, None));
    }
    Ok((part, recorded))
}
