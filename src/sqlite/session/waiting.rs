//! Waiting for the client: for its next message, for as long as it may be silent, and for its reading what it is sent.

use std::time::Duration;

use tokio::time::{Instant, sleep_until, timeout};

use super::{
    error::SessionError,
    run::{Session, State},
    work::interruption,
};
use crate::{
    statement::duration::parse_duration,
    wire::{Frame, TransactionStatus},
};

impl Session {
    /// Waits for the client, unless the server stops.
    pub(super) async fn next_frame(&mut self, state: State) -> Result<Option<Frame>, SessionError> {
        let idle = state == State::Ready;
        let limit = self.silence().filter(|_| idle);
        let until = limit.map_or_else(Instant::now, |(time, ..)| Instant::now() + time);
        // Notifications come between transactions.
        let listens = idle && self.transaction.status() == TransactionStatus::Idle;
        let drained = || SessionError::fatal("57P01", "terminating connection due to administrator command");
        let silent = || {
            let (_, sqlstate, message) = limit.expect("only a limit that there is can pass");
            SessionError::fatal(sqlstate, message)
        };
        loop {
            let notification = tokio::select! {
                biased;
                frame = self.client.frame() => return frame,
                _ = self.draining.wait_for(|draining| *draining), if idle => return Err(drained()),
                () = sleep_until(until), if limit.is_some() => return Err(silent()),
                notification = self.channels.next(), if listens => notification,
            };
            self.tell_notification(&notification);
            // A listener that does not read is waited for no longer than one that says nothing.
            tokio::select! {
                biased;
                sent = self.client.flush() => sent?,
                _ = self.draining.wait_for(|draining| *draining) => return Err(drained()),
                () = sleep_until(until), if limit.is_some() => return Err(silent()),
            }
        }
    }

    /// Sends what there is if it has become much.
    pub(super) async fn flush_if_full(&mut self) -> Result<(), SessionError> {
        if self.client.is_full() {
            self.flush_in_time().await?;
        }
        Ok(())
    }

    /// Sends what a statement has to tell so far. Who does not read spends the statement's time: its cursor may hold a lock
    /// that others wait for.
    pub(super) async fn flush_in_time(&mut self) -> Result<(), SessionError> {
        tokio::select! {
            biased;
            sent = self.client.flush() => sent?,
            reason = interruption(&self.cancellation, self.deadline) => return Err(reason),
        }
        // Rows that nobody hears of are made no longer than the client's leaving allows.
        self.given_up().map_or(Ok(()), Err)
    }

    /// Sends all there is between two messages. Who does not read it says nothing either.
    pub(super) async fn flush_while_silent(&mut self) -> Result<(), SessionError> {
        let Some((time, sqlstate, message)) = self.silence() else {
            return Ok(self.client.flush().await?);
        };
        match timeout(time, self.client.flush()).await {
            Ok(sent) => Ok(sent?),
            Err(_) => Err(SessionError::fatal(sqlstate, message)),
        }
    }

    /// How long the client may say nothing now, and what it is told when it does for longer.
    fn silence(&self) -> Option<(Duration, &'static str, &'static str)> {
        if self.transaction.status() == TransactionStatus::Idle {
            let own = parse_duration(self.settings.value("idle_session_timeout"));
            let servers = self.shared.settings().limits.idle_timeout;
            let time = own
                .filter(|time| !time.is_zero())
                .into_iter()
                .chain(servers)
                .min()?;
            return Some((
                time,
                "57P05",
                "terminating connection due to idle-session timeout",
            ));
        }
        let time = parse_duration(self.settings.value("idle_in_transaction_session_timeout"))?;
        let told = "terminating connection due to idle-in-transaction timeout";
        (!time.is_zero()).then_some((time, "25P03", told))
    }
}
