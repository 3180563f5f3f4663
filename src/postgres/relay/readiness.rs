//! Where a question is asked from: how the server stands once it has answered what was said before.

use std::{io, sync::Arc, time::Duration};

use tokio::time::{Instant, sleep, timeout_at};

use super::{
    exchange::{Passing, ServerState},
    question::cancelled,
    question_error::QuestionError,
    session::{Event, Reading, Session},
};

/// How long a server may take to say that it has failed at COPY's data, after which it takes commands again.
const FAILS_WITHIN: Duration = Duration::from_millis(500);

/// Where a question is asked from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Readiness {
    /// The server waits: it can be asked about its schema.
    Safe,
    /// It is in the middle of a pipeline: what is known from before has to do.
    Unsynced,
    /// The transaction has failed: the server will say so itself.
    Failed,
}

impl Session {
    /// Waits until the server has answered what was said before, if it will; not longer than a question may take. What
    /// the server will not hear, or not as a command, is refused: it takes the refusal as it would take the question.
    pub(super) async fn readiness(&mut self) -> Result<Readiness, QuestionError> {
        let most = self.shared.settings().limits.question_timeout;
        let cancellation = Arc::clone(&self.cancellation);
        let waited = async {
            let mut patience = None;
            loop {
                let event = match self.exchange.server_state() {
                    ServerState::Answering => self.relay(Reading::AheadUntilSettled).await?,
                    ServerState::Safe if self.exchange.status == b'E' => return Ok(Readiness::Failed),
                    ServerState::Safe => return Ok(Readiness::Safe),
                    ServerState::Unsynced => return Ok(Readiness::Unsynced),
                    ServerState::Passing(passing @ Passing::ToSync) => return Err(unheard(passing)),
                    ServerState::Passing(Passing::Copy) | ServerState::Doubtful => {
                        let end = *patience.get_or_insert_with(|| Instant::now() + FAILS_WITHIN);
                        let failed = timeout_at(end, self.relay(Reading::AheadInCopy)).await;
                        failed.map_err(|_| unheard(Passing::Copy))??
                    }
                    ServerState::Lost => {
                        return Err(QuestionError::failed(
                            "08P01",
                            "the server's answers in this session cannot be told apart any more",
                            "Ask in a new session.",
                        ));
                    }
                };
                match event {
                    Event::Over => self.stop_server().await?,
                    Event::Timer if self.is_stuck() => return Err(QuestionError::Lost(self.give_up())),
                    Event::Timer | Event::Settled => {}
                    ended @ (Event::Ended | Event::ClientFrame(_)) => {
                        self.server_ended |= matches!(ended, Event::Ended);
                        return Err(QuestionError::Lost(io::ErrorKind::UnexpectedEof.into()));
                    }
                }
            }
        };
        tokio::select! {
            biased;
            readiness = waited => readiness,
            () = cancellation.requested() => Err(cancelled()),
            () = sleep(most) => Err(QuestionError::failed(
                "57014",
                "the question has waited too long for the statements before it",
                "Raise limits.question_timeout, or ask when they have ended.",
            )),
        }
    }
}

/// What is said of a question that the server does not take for a command.
fn unheard(passing: Passing) -> QuestionError {
    let (message, hint) = match passing {
        Passing::ToSync => (
            "the question stands behind an error in its pipeline",
            "Send Sync before it.",
        ),
        Passing::Copy => (
            "a question cannot be asked while COPY reads data",
            "End the data with CopyDone or CopyFail before it.",
        ),
    };
    QuestionError::failed("08P01", message, hint)
}
