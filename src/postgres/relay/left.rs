//! What a question leaves on the server: it is stopped, and where it does not stop, the client is told, and the
//! session stays with it until it has ended, so that it is counted and takes its place.

use std::{
    future::poll_fn,
    io,
    time::{Duration, Instant},
};

use tokio::time::timeout;
use tracing::{info, warn};

use super::{cancel, question_error::QuestionError, session::Session, side_query::Line};
use crate::{
    telemetry::metrics::{self, Leg},
    wire::{Fields, Severity},
};

/// The time that the server gets to end what was interrupted.
pub(super) const RECOVERY: Duration = Duration::from_secs(10);
/// A server that goes on is told to stop again after this time.
const AGAIN: Duration = Duration::from_secs(30);
/// The longest that a session stays with a server that goes on.
const LONGEST: Duration = Duration::from_secs(3_600);

impl Session {
    /// Ends what an interrupted question has left behind.
    pub(super) async fn recover(&mut self) -> Result<(), QuestionError> {
        if !self.unfinished.is_any() {
            return Ok(());
        }
        self.cancel_own().await;
        let mut line = Line {
            server: &mut self.server,
            exchange: &mut self.exchange,
            unfinished: &mut self.unfinished,
            most: RECOVERY,
        };
        let error = match timeout(RECOVERY, line.finish()).await {
            Ok(Ok(())) => return Ok(()),
            Ok(Err(error)) => self.server_gone(error),
            Err(_) => self.give_up(),
        };
        Err(QuestionError::Lost(error))
    }

    /// Stops a statement of Querent's, or what stands for a question.
    async fn cancel_own(&self) {
        if let Some((process, secret)) = &self.key
            && let Err(error) = cancel::forward(&self.shared.server, *process, secret).await
        {
            warn!(parent: self.record.log.span(), %error, "the server could not be told to stop");
        }
    }

    /// The server has ended the session while a question was worked on; the client hears of it.
    pub(super) fn server_gone(&mut self, error: io::Error) -> io::Error {
        self.server_ended = true;
        let told = Fields::new(Severity::Fatal, "08006", "the connection to the server broke");
        self.exchange.part(&told.with_detail(error.to_string()));
        self.record.server_lost(error)
    }

    /// The server does not stop; the client hears of it.
    pub(super) fn give_up(&mut self) -> io::Error {
        self.given_up = true;
        let told = Fields::new(
            Severity::Fatal,
            "57014",
            "the server does not stop working on a question, and the session is given up",
        );
        let told = told
            .with_detail("It was told to cancel the statement, and has not done so in time.")
            .with_hint("Connect again, and ask for less.");
        self.exchange.part(&told);
        self.record.server_lost(io::ErrorKind::TimedOut.into())
    }

    /// The session is over for its client. What the server still does for a question is stopped and waited for; then
    /// it is told how all ended.
    pub(super) async fn finish(mut self, outcome: io::Result<()>) {
        let leaves = self.given_up || (self.exchange.owes_answer() && !self.server_ended);
        self.exchange.leave();
        self.record
            .count(&mut self.client, &mut self.server, &mut self.exchange);
        if leaves {
            self.stay().await;
        }
        self.record.ended(outcome);
    }

    /// Reads until the server works on a question, or on nothing any more: what the client has said before is its own,
    /// and is not stopped. The server hears that no more comes: it would wait for the end of a pipeline otherwise.
    async fn reach_question(&mut self) {
        while self.exchange.owes_answer() && !self.exchange.is_answering() {
            let heard = poll_fn(|task| {
                let written = self.server.poll_write(task, &mut self.exchange.to_server)?;
                if written.is_ready() && !self.shut {
                    self.shut = self.server.poll_shutdown(task)?.is_ready();
                }
                self.server.poll_read(task, |bytes| {
                    self.exchange.server_bytes(bytes);
                    bytes.len()
                })
            });
            if !matches!(heard.await, Ok(1..)) {
                return;
            }
            self.exchange.to_client.clear();
        }
    }

    /// Stays until the server has ended its side.
    async fn stay(&mut self) {
        // The client sees the end at once.
        self.client.drop_stream();
        let process = self.key.as_ref().map(|(process, _)| *process);
        let span = self.record.log.span().clone();
        let begun = Instant::now();
        let mut stuck = None;
        let mut time = RECOVERY;
        if !self.given_up {
            let reached = timeout(LONGEST, self.reach_question()).await.is_ok();
            if !reached || !self.exchange.is_answering() {
                // What it works on is the client's own, and goes on as without us.
                return;
            }
            self.exchange.leave();
        }
        loop {
            self.cancel_own().await;
            if timeout(time, self.server.drain()).await.is_ok() {
                break;
            }
            time = AGAIN;
            if stuck.is_none() {
                stuck = Some(metrics::stuck(Leg::Postgres));
                warn!(parent: &span, process, "the server goes on with a question that nobody waits for");
            }
            if begun.elapsed() > LONGEST {
                warn!(parent: &span, process, "a question is left to the server, which does not end it");
                return;
            }
        }
        if stuck.is_some() {
            let milliseconds = begun.elapsed().as_millis();
            info!(parent: &span, process, milliseconds, "the server has ended a question that was given up");
        }
    }
}
