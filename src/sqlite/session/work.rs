//! Work on the database, and what ends it before its time: a cancel request, a time limit, or a client that leaves.
//!
//! What was received in full is carried out though its client has left, as PostgreSQL has it: given up is only what changes
//! nothing, and only where nothing waits behind it.

use std::{io, sync::Arc, time::Duration};

use tokio::time::{Instant, interval, sleep, sleep_until};

use super::{error::SessionError, run::Session, transaction::Block};
use crate::{
    connection::cancellation::Cancellation,
    error::length_of,
    sqlite::engine,
    wire::{Fields, Frame},
};

/// How often a statement that was told to stop is told again: it may not have begun when it was told first.
const INTERRUPT_AGAIN: Duration = Duration::from_millis(50);
/// How long a statement that only reads goes on without its client: it may have been sent for what a function in it does.
const FOR_NOBODY: Duration = Duration::from_secs(1);
/// How often it is looked whether it only reads.
const LOOK_AGAIN: Duration = Duration::from_millis(50);

/// When a statement has worked for long enough, and what says so.
#[derive(Debug, Clone, Copy)]
pub(super) struct Deadline {
    at: Instant,
    time: Duration,
    setting: &'static str,
}

impl Deadline {
    pub(super) fn of(time: Duration, setting: &'static str) -> Self {
        Self {
            at: Instant::now() + time,
            time,
            setting,
        }
    }

    pub(super) fn earlier(self, other: Self) -> Self {
        if other.at < self.at { other } else { self }
    }

    /// What the client is told of it, and of what the database said as it was stopped.
    fn passed(self, stopped: Option<&Fields>) -> SessionError {
        let Self { time, setting, .. } = self;
        let endless = stopped
            .and_then(|fields| fields.detail.as_deref())
            .is_some_and(|detail| detail.ends_with(engine::ENDLESS));
        let worked = format!(
            "The statement worked for more than {} ({setting}).",
            length_of(time)
        );
        let late = SessionError::failed("57014", "canceling statement due to statement timeout");
        if endless {
            late.with_detail(format!("{worked} {}", engine::ENDLESS))
                .with_hint(format!("Give the recursion a bound, or raise {setting}."))
        } else {
            late.with_detail(worked)
                .with_hint(format!("Raise {setting}, or ask for less."))
        }
    }
}

/// Why the present work has to stop.
enum Reason {
    Cancelled,
    Late(Deadline),
}

impl Reason {
    fn told(&self, stopped: Option<&Fields>) -> SessionError {
        match self {
            Self::Cancelled => SessionError::failed("57014", "canceling statement due to user request"),
            Self::Late(deadline) => deadline.passed(stopped),
        }
    }
}

impl Session {
    /// Works on the database. A cancel request or the time limit interrupts it; a client that leaves ends it if nothing of
    /// it would stay. `work` is dropped only when the client is lost.
    pub(super) async fn work<T, E: Into<SessionError>>(
        &mut self,
        work: impl Future<Output = Result<T, E>>,
    ) -> Result<T, SessionError> {
        self.connection
            .session_context()
            .set_reads_only(self.reads_only());
        let done = self.work_on(work, false).await;
        self.transaction.may_have_written |= !self.connection.only_reads();
        done
    }

    /// The same for what begins and ends transactions: it comes to its end whoever has left.
    pub(super) async fn work_to_its_end<T, E: Into<SessionError>>(
        &mut self,
        work: impl Future<Output = Result<T, E>>,
    ) -> Result<T, SessionError> {
        self.work_on(work, true).await
    }

    async fn work_on<T, E: Into<SessionError>>(
        &mut self,
        work: impl Future<Output = Result<T, E>>,
        to_its_end: bool,
    ) -> Result<T, SessionError> {
        let mut work = std::pin::pin!(work);
        let (cancellation, deadline) = (Arc::clone(&self.cancellation), self.deadline);
        let reason = tokio::select! {
            biased;
            done = &mut work => return done.map_err(Into::into),
            reason = interrupted(&cancellation, deadline) => reason,
            error = self.nobody_waits(to_its_end) => return Err(error),
        };
        let mut again = interval(INTERRUPT_AGAIN);
        loop {
            tokio::select! {
                biased;
                done = &mut work => {
                    return done.map_err(|error| match error.into() {
                        SessionError::Failed(fields) if fields.sqlstate == "57014" => reason.told(Some(&fields)),
                        other => other,
                    });
                }
                _ = again.tick() => self.interrupter.interrupt(),
                error = self.nobody_waits(to_its_end) => return Err(error),
            }
        }
    }

    /// Resolves once the client has left and what is worked on may be given up; sends and reads ahead meanwhile. Cancel safe.
    async fn nobody_waits(&mut self, to_its_end: bool) -> SessionError {
        self.client.gone().await;
        loop {
            if !to_its_end && let Some(error) = self.given_up() {
                return error;
            }
            sleep(LOOK_AGAIN).await;
        }
    }

    /// The same for a question that is not answered yet. Cancel safe.
    async fn nobody_asks(&mut self) -> SessionError {
        let kind = self.client.vanished().await;
        let follows = self.has_more || self.client.has_more();
        let wrote = self.transaction.block() == Block::Implicit && self.transaction.may_have_written;
        if follows || wrote {
            return std::future::pending().await;
        }
        SessionError::Lost(kind.into())
    }

    /// The end of a session whose client has left, if nothing that it has sent would be lost.
    pub(super) fn given_up(&self) -> Option<SessionError> {
        let (since, kind) = self.client.left()?;
        if self.has_more || self.client.has_more() {
            return None;
        }
        let given_up = match self.transaction.block() {
            // It is rolled back in any case.
            Block::Explicit | Block::Failed => true,
            Block::Implicit if self.transaction.may_have_written => false,
            Block::Implicit | Block::None => self.connection.only_reads() && since.elapsed() >= FOR_NOBODY,
        };
        given_up.then(|| SessionError::Lost(kind.into()))
    }

    /// The client's next message while a statement waits for it.
    pub(super) async fn frame_within_statement(&mut self) -> Result<Frame, SessionError> {
        tokio::select! {
            biased;
            frame = self.client.frame() => frame?.ok_or_else(|| {
                SessionError::Lost(io::ErrorKind::UnexpectedEof.into())
            }),
            reason = interruption(&self.cancellation, self.deadline) => Err(reason),
        }
    }

    /// Works on something that stops when it is dropped: a question, of which nothing is left to do without its client.
    pub(super) async fn work_or_drop<T, E: Into<SessionError>>(
        &mut self,
        work: impl Future<Output = Result<T, E>>,
    ) -> Result<T, SessionError> {
        let (cancellation, deadline) = (Arc::clone(&self.cancellation), self.deadline);
        tokio::select! {
            biased;
            done = work => done.map_err(Into::into),
            reason = interruption(&cancellation, deadline) => Err(reason),
            error = self.nobody_asks() => Err(error),
        }
    }
}

/// Waits until the present work has to stop, and says why. Cancel safe.
pub(super) async fn interruption(cancellation: &Cancellation, deadline: Option<Deadline>) -> SessionError {
    interrupted(cancellation, deadline).await.told(None)
}

async fn interrupted(cancellation: &Cancellation, deadline: Option<Deadline>) -> Reason {
    let late = async {
        match deadline {
            Some(deadline) => {
                sleep_until(deadline.at).await;
                deadline
            }
            None => std::future::pending().await,
        }
    };
    tokio::select! {
        () = cancellation.requested() => Reason::Cancelled,
        deadline = late => Reason::Late(deadline),
    }
}
