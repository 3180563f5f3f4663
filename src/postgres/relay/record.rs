//! What is told and counted of a session.

use std::io;

use super::{end::End, exchange::Exchange};
use crate::telemetry::{
    SessionLog,
    metrics::{self, Direction},
};

/// Bytes and statements are added up here, and counted after so many wake-ups, because counters of all sessions
/// share their memory between processors.
const WAKE_UPS: u32 = 16;

/// The record of one session.
pub(super) struct Record {
    pub(super) log: SessionLog,
    /// Why it ends, as far as nothing breaks.
    pub(super) reason: metrics::End,
    wake_ups: u32,
}

impl Record {
    pub(super) fn new(log: SessionLog) -> Self {
        Self {
            log,
            reason: metrics::End::Client,
            wake_ups: 0,
        }
    }

    /// The session has done what there was to do.
    pub(super) fn woke(&mut self, client: &mut End, server: &mut End, exchange: &mut Exchange) {
        self.wake_ups += 1;
        if self.wake_ups >= WAKE_UPS || !exchange.errors.is_empty() {
            self.count(client, server, exchange);
        }
    }

    /// Counts what has gone through since the last time.
    pub(super) fn count(&mut self, client: &mut End, server: &mut End, exchange: &mut Exchange) {
        self.wake_ups = 0;
        for (direction, count) in [
            (Direction::FromClient, &mut client.read),
            (Direction::ToClient, &mut client.written),
            (Direction::FromServer, &mut server.read),
            (Direction::ToServer, &mut server.written),
        ] {
            let count = std::mem::take(count);
            if count > 0 {
                self.log.bytes(direction, count);
            }
        }
        self.log.statements(std::mem::take(&mut exchange.statements));
        for state in exchange.errors.drain(..) {
            self.log.told_error(&state, "");
        }
    }
    /// It is the server's end that broke.
    pub(super) fn server_lost(&mut self, error: io::Error) -> io::Error {
        self.reason = metrics::End::Backend;
        error
    }

    /// The session is over.
    pub(super) fn ended(self, outcome: io::Result<()>) {
        match outcome {
            Ok(()) => self.log.ended(self.reason, ""),
            Err(error) => {
                let reason = match self.reason {
                    metrics::End::Client => metrics::End::ClientLost,
                    known => known,
                };
                self.log.ended(reason, &error.to_string());
            }
        }
    }
}
