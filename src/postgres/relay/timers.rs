//! When a question's SQL has taken too long, when the server should have stopped it, and when a session has been idle
//! too long.

use std::{
    pin::Pin,
    task::{Context as Task, Poll, ready},
    time::Duration,
};

use tokio::time::{Instant, Sleep, sleep_until};

use super::exchange::Exchange;

/// The deadlines of a session.
#[derive(Default)]
pub(super) struct Timers {
    /// When the present question's SQL has taken too long.
    answer: Option<Instant>,
    /// When the server, told to stop, should have done so.
    stop: Option<Instant>,
    /// How long a session may be idle; zero for ever.
    idle: Duration,
    /// Since when nothing has moved, as far as the timer knows.
    still: Option<Instant>,
    /// Something has moved since.
    moved: bool,
    sleep: Option<Pin<Box<Sleep>>>,
}

impl Timers {
    /// With a limit for idle sessions; zero for none.
    pub(super) fn new(idle: Duration) -> Self {
        Self {
            idle,
            ..Self::default()
        }
    }

    /// Bytes have moved.
    pub(super) fn moved(&mut self) {
        self.moved = true;
    }

    /// The server has been told to stop the present question, and has this time for that.
    pub(super) fn stopping(&mut self, time: Duration) {
        self.stop = Some(Instant::now() + time);
    }

    /// Whether the server goes on with a question that it was told to stop.
    pub(super) fn is_stuck(&self) -> bool {
        self.stop.is_some_and(|deadline| deadline <= Instant::now())
    }

    /// Whether the session has done nothing for too long, outside a transaction.
    pub(super) fn is_idle_too_long(&self, exchange: &Exchange) -> bool {
        !self.idle.is_zero()
            && exchange.is_idle()
            && self.still.is_some_and(|since| since.elapsed() >= self.idle)
    }

    /// Ready once a deadline has passed. A question that has taken too long is told so.
    pub(super) fn poll(&mut self, task: &mut Task<'_>, exchange: &mut Exchange) -> Poll<()> {
        match (exchange.answering(), self.answer) {
            (Some(limit), None) => self.answer = Some(Instant::now() + limit),
            (None, Some(_)) => self.answer = None,
            _ => {}
        }
        if exchange.is_over().is_none() {
            self.stop = None;
        }
        if !self.idle.is_zero() && (self.moved || self.still.is_none()) {
            self.still = Some(Instant::now());
        }
        self.moved = false;
        let idle = self
            .still
            .filter(|_| !self.idle.is_zero())
            .map(|since| since + self.idle);
        let Some(next) = [self.answer, self.stop, idle].into_iter().flatten().min() else {
            return Poll::Pending;
        };
        let sleep = match &mut self.sleep {
            Some(sleep) => {
                if sleep.deadline() != next {
                    sleep.as_mut().reset(next);
                }
                sleep
            }
            none => none.insert(Box::pin(sleep_until(next))),
        };
        ready!(sleep.as_mut().poll(task));
        if self.answer.is_some_and(|deadline| deadline <= Instant::now()) {
            self.answer = None;
            exchange.took_too_long();
        } else if !exchange.is_idle() {
            // In a transaction it may take its time.
            self.still = Some(Instant::now());
        }
        Poll::Ready(())
    }
}
