//! A session's main loop: relay in both directions until a frame needs thought.

use std::{
    future::poll_fn,
    io,
    sync::Arc,
    task::{Context as Task, Poll},
};

use tokio::sync::watch;

use super::{
    Context, Shared,
    end::End,
    exchange::{Exchange, LookedFor, Met},
    injection::Unfinished,
};
use crate::{
    backend::postgres::SessionSnapshot, cancellation::Cancellation, conversation::Conversation,
    statement::Settings,
};

/// Bytes that wait for one side at most before the other is not read any more.
const FULL: usize = 256 << 10;

/// One client and its server.
pub(super) struct Session {
    pub(super) client: End,
    pub(super) server: End,
    pub(super) exchange: Exchange,
    pub(super) shared: Arc<Shared>,
    /// What an interrupted question has left on the server's connection.
    pub(super) unfinished: Unfinished,
    /// The session's schema and state, as it was seen last.
    pub(super) seen: Option<SessionSnapshot>,
    /// The session's own settings, as they were seen last.
    pub(super) settings: Settings,
    pub(super) conversation: Conversation,
    /// Where cancel requests arrive.
    pub(super) cancellation: Arc<Cancellation>,
    draining: watch::Receiver<bool>,
    client_ended: bool,
    /// The server knows that the client has ended.
    shut: bool,
}

/// Why the relay pauses.
#[derive(Debug)]
pub(super) enum Event {
    /// A frame of the client's needs thought.
    Met(Met),
    /// The server has ended the conversation, and the client has all of it.
    Ended,
    /// What was waited for: the server is ready for the next command.
    Safe,
}

/// Which bytes are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reading {
    Both,
    /// Until the server is ready.
    ServerUntilSafe,
}

impl Session {
    pub(super) fn new(client: End, server: End, context: Context) -> Self {
        let settings = context.shared.settings();
        Self {
            client,
            server,
            exchange: Exchange::new(LookedFor {
                function_name: settings.function_name.clone(),
                ask_keyword: settings.ask_keyword,
            }),
            unfinished: Unfinished::default(),
            seen: None,
            settings: Settings::default(),
            conversation: Conversation::default(),
            cancellation: Arc::default(),
            shared: context.shared,
            draining: context.draining,
            client_ended: false,
            shut: false,
        }
    }

    /// Sends the startup packet.
    pub(super) fn begin(&mut self, packet: &[u8]) {
        self.exchange.to_server.extend_from_slice(packet);
    }

    /// Asks the server to stop what it does.
    pub(super) fn cancel_upstream(&self) {}

    /// Relays until one side leaves. `received` came behind the startup packet.
    pub(super) async fn run(&mut self, received: &[u8]) -> io::Result<()> {
        let met = self.exchange.from_client(received);
        self.take(met).await?;
        loop {
            match self.relay(Reading::Both).await? {
                Event::Met(met) => self.take(met).await?,
                Event::Ended | Event::Safe => return Ok(()),
            }
        }
    }

    /// Thinks about a frame, and reads on in what has come behind it.
    async fn take(&mut self, mut met: Met) -> io::Result<()> {
        while let Met::Frame { tag, body } = met {
            self.cancellation.begin();
            match tag {
                b'Q' => self.query(&body).await?,
                b'P' => self.parse(&body).await?,
                b'B' => self.bind(&body).await?,
                b'D' => self.describe(&body),
                b'E' => self.execute(&body),
                _ => self.close(&body),
            }
            met = if self.client_ended {
                self.exchange.client_ended()
            } else {
                self.exchange.go_on()
            };
        }
        Ok(())
    }

    /// Moves bytes until something needs thought. Cancel safe.
    pub(super) async fn relay(&mut self, reading: Reading) -> io::Result<Event> {
        poll_fn(|task| self.poll_relay(task, reading)).await
    }

    fn poll_relay(&mut self, task: &mut Task<'_>, reading: Reading) -> Poll<io::Result<Event>> {
        loop {
            let mut moved = false;
            // Out first, so that there is room for what comes in.
            let client_full = match self.client.poll_write(task, &mut self.exchange.to_client)? {
                Poll::Ready(_) => false,
                Poll::Pending => self.exchange.to_client.len() >= FULL,
            };
            let server_full = match self.server.poll_write(task, &mut self.exchange.to_server)? {
                Poll::Ready(_) => {
                    if self.client_ended && !self.shut && self.server.poll_shutdown(task)?.is_ready() {
                        self.shut = true;
                    }
                    false
                }
                Poll::Pending => self.exchange.to_server.len() >= FULL,
            };
            if reading == Reading::ServerUntilSafe && self.exchange.is_safe() {
                return Poll::Ready(Ok(Event::Safe));
            }
            if !client_full
                && let Poll::Ready(count) = self.server.poll_read(task, |bytes| {
                    self.exchange.from_server(bytes);
                    bytes.len()
                })?
            {
                if count == 0 {
                    return Poll::Ready(Ok(Event::Ended));
                }
                moved = true;
            }
            if reading == Reading::Both
                && !server_full
                && !self.client_ended
                && let Poll::Ready((count, met)) = self.client.poll_read(task, |bytes| {
                    let met = if bytes.is_empty() {
                        self.exchange.client_ended()
                    } else {
                        self.exchange.from_client(bytes)
                    };
                    (bytes.len(), met)
                })?
            {
                self.client_ended = count == 0;
                if met != Met::End {
                    return Poll::Ready(Ok(Event::Met(met)));
                }
                moved = true;
            }
            if !moved {
                return Poll::Pending;
            }
        }
    }
}
