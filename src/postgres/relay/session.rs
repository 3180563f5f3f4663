//! A session's main loop: relay in both directions until a frame needs thought.

use std::{
    future::poll_fn,
    io,
    sync::Arc,
    task::{Context as Task, Poll, ready},
    time::Duration,
};

use tokio::{sync::watch, time::timeout};

use super::{
    Context, Shared,
    cancel::{PATIENCE, Registration, forward},
    end::End,
    exchange::{Exchange, FrameEvent, LookedFor, Passing, ServerState, put_fields, shrink},
    left::RECOVERY,
    record::Record,
    side_query::Unfinished,
    timers::Timers,
};
use crate::{
    connection::cancellation::Cancellation,
    postgres::introspection::SessionSnapshot,
    question::model::SessionBudget,
    service::conversation::Conversation,
    statement::Settings,
    telemetry::metrics,
    wire::{Fields, Severity},
};

/// Bytes that wait for one side at most before the other is not read any more.
const FULL: usize = 64 << 10;

/// How far the client's bytes are read while a question waits or is worked on, in bytes.
pub(super) const READ_AHEAD: usize = 256 << 10;

/// What a client that was told to leave has to read it.
const FAREWELL: Duration = Duration::from_secs(5);
/// `Terminate`.
const TERMINATE: [u8; 5] = [b'X', 0, 0, 0, 4];

/// One client and its server.
pub(super) struct Session {
    pub(super) client: End,
    pub(super) server: End,
    pub(super) exchange: Exchange,
    pub(super) shared: Arc<Shared>,
    /// By which the server knows this session.
    pub(super) key: Option<(u32, Vec<u8>)>,
    /// Held for its drop: cancel requests find the session by it.
    registration: Option<Registration>,
    /// What an interrupted question has left on the server's connection.
    pub(super) unfinished: Unfinished,
    /// The session's schema and state, as it was seen last.
    pub(super) seen: Option<SessionSnapshot>,
    /// The session's own settings, as they were seen last.
    pub(super) settings: Settings,
    pub(super) conversation: Conversation,
    /// What its questions have spent on models.
    pub(super) budget: Arc<SessionBudget>,
    /// Where cancel requests arrive.
    pub(super) cancellation: Arc<Cancellation>,
    draining: watch::Receiver<bool>,
    client_ended: bool,
    /// The server knows that the client has ended.
    pub(super) shut: bool,
    timers: Timers,
    /// The server goes on with a question, and is waited for no longer.
    pub(super) given_up: bool,
    /// The server has ended the session.
    pub(super) server_ended: bool,
    /// The server was told to stop the present question.
    stopped: bool,
    pub(super) record: Record,
}

/// Why the relay pauses.
#[derive(Debug)]
pub(super) enum Event {
    /// A frame of the client's needs thought.
    ClientFrame(FrameEvent),
    /// The server has ended the conversation, and the client has all of it.
    Ended,
    /// What was waited for: how the server stands to the next command will not change without the client.
    Settled,
    /// A question's result has passed a bound: the server has to be stopped.
    Over,
    /// The time of a timer has come.
    Timer,
}

/// Which bytes are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reading {
    Both,
    /// Not the client's.
    Server,
    /// The client's ahead, for what comes behind a question, until it is known how the server takes that.
    AheadUntilSettled,
    /// The same while the server reads COPY's data, at which it may fail.
    AheadInCopy,
    /// The same until all questions are answered, and what ends with them.
    AheadUntilAnswered,
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
                model_views: !settings.semantic.is_empty(),
            }),
            unfinished: Unfinished::default(),
            seen: None,
            settings: Settings::default(),
            conversation: Conversation::default(),
            budget: Arc::default(),
            cancellation: Arc::default(),
            record: Record::new(context.log),
            timers: Timers::new(settings.limits.idle_timeout.unwrap_or_default()),
            shared: context.shared,
            key: None,
            registration: None,
            draining: context.draining,
            client_ended: false,
            shut: false,
            stopped: false,
            given_up: false,
            server_ended: false,
        }
    }

    /// Relays until one side leaves. `received` came behind the startup packet.
    pub(super) async fn run(&mut self, received: &[u8]) -> io::Result<()> {
        let outcome = self.converse(received).await;
        if outcome.is_err() {
            // Whoever is still there hears why, as far as that is known.
            let _ = self.end().await;
        }
        outcome
    }

    async fn converse(&mut self, received: &[u8]) -> io::Result<()> {
        let event = self.exchange.client_bytes(received);
        self.take(event).await?;
        let mut draining = self.draining.clone();
        loop {
            let event = tokio::select! {
                biased;
                event = self.relay(Reading::Both) => event?,
                _ = draining.wait_for(|draining| *draining) => break,
            };
            if !self.handle(event).await? {
                return self.end().await;
            }
        }
        self.drain().await
    }

    /// False once the conversation has ended.
    async fn handle(&mut self, event: Event) -> io::Result<bool> {
        match event {
            Event::ClientFrame(event) => self.take(event).await?,
            Event::Over => Box::pin(self.stop_server()).await?,
            Event::Timer if self.timers.is_idle_too_long(&self.exchange) => {
                let told = Fields::new(
                    Severity::Fatal,
                    "57P05",
                    "terminating connection due to idle-session timeout",
                );
                self.record.reason = metrics::End::Idle;
                self.dismiss(&told).await?;
                return Ok(false);
            }
            Event::Timer if self.timers.is_stuck() => return Err(self.give_up()),
            Event::Timer | Event::Settled => {}
            Event::Ended => {
                self.server_ended = true;
                if !self.client_ended && !self.exchange.terminated {
                    self.record.reason = metrics::End::Backend;
                }
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Goes on until the client is between transactions, then says good bye to both.
    async fn drain(&mut self) -> io::Result<()> {
        loop {
            if self.exchange.is_idle() {
                let told = Fields::new(
                    Severity::Fatal,
                    "57P01",
                    "terminating connection due to administrator command",
                );
                self.record.reason = metrics::End::Drained;
                self.dismiss(&told).await?;
                return self.end().await;
            }
            let Some(event) = self.relay_once().await? else {
                continue;
            };
            if !self.handle(event).await? {
                return self.end().await;
            }
        }
    }

    /// Ends the conversation in Querent's own words.
    async fn dismiss(&mut self, told: &Fields) -> io::Result<()> {
        put_fields(told, self.exchange.encoding, &mut self.exchange.to_client);
        self.exchange.to_server.extend_from_slice(&TERMINATE);
        timeout(FAREWELL, self.server.write(&mut self.exchange.to_server))
            .await
            .unwrap_or_else(|_| Err(io::ErrorKind::TimedOut.into()))
    }

    /// The client gets what is left.
    pub(super) async fn end(&mut self) -> io::Result<()> {
        let rest = async {
            self.client.write(&mut self.exchange.to_client).await?;
            poll_fn(|task| self.client.poll_shutdown(task)).await
        };
        timeout(FAREWELL, rest)
            .await
            .unwrap_or_else(|_| Err(io::ErrorKind::TimedOut.into()))
    }

    /// Stops what the server does for this session. What it says meanwhile goes on to the client.
    pub(super) async fn stop_server(&mut self) -> io::Result<()> {
        self.stopped = true;
        self.timers.stopping(PATIENCE + RECOVERY);
        let Some((process, secret)) = self.key.clone() else {
            return Ok(());
        };
        let shared = Arc::clone(&self.shared);
        let cancel = forward(&shared.server, process, &secret);
        tokio::pin!(cancel);
        loop {
            tokio::select! {
                biased;
                outcome = &mut cancel => {
                    if let Err(error) = outcome {
                        tracing::warn!(%error, "the server could not be told to stop");
                    }
                    return Ok(());
                }
                event = self.relay(Reading::Server) => {
                    if let Event::Ended = event? {
                        return Err(io::ErrorKind::UnexpectedEof.into());
                    }
                }
            }
        }
    }

    /// Whether the server goes on with a question that it was told to stop.
    pub(super) fn is_stuck(&self) -> bool {
        self.timers.is_stuck()
    }

    /// Thinks about a frame, and reads on in what has come behind it.
    async fn take(&mut self, mut event: FrameEvent) -> io::Result<()> {
        loop {
            if event == FrameEvent::End {
                return Ok(());
            }
            self.cancellation.begin();
            // In boxes, so that a session that only relays does not keep the room for them.
            match event {
                FrameEvent::Frame { tag, body } => match tag {
                    b'Q' => Box::pin(self.query(&body)).await?,
                    b'P' => Box::pin(self.parse(&body)).await?,
                    b'B' => Box::pin(self.bind(&body)).await?,
                    b'D' => Box::pin(self.describe(&body)).await?,
                    b'E' => Box::pin(self.execute(&body)).await?,
                    b'S' => Box::pin(self.sync(&body)).await?,
                    b'F' => {
                        Box::pin(self.see_answers()).await?;
                        self.exchange.pass(tag, &body);
                    }
                    _ => self.close(&body),
                },
                FrameEvent::LongBind { statement } => Box::pin(self.bind_unread(&statement)).await?,
                FrameEvent::End => {}
            }
            event = if self.client_ended {
                self.exchange.client_ended()
            } else {
                self.exchange.go_on()
            };
        }
    }

    /// Moves bytes until something needs thought. Cancel safe.
    pub(super) async fn relay(&mut self, reading: Reading) -> io::Result<Event> {
        poll_fn(|task| self.poll_relay(task, reading)).await
    }

    /// As [`Self::relay`], but returns `None` after anything has moved.
    async fn relay_once(&mut self) -> io::Result<Option<Event>> {
        let mut moved = false;
        poll_fn(|task| match self.poll_relay(task, Reading::Both) {
            Poll::Ready(event) => Poll::Ready(event.map(Some)),
            Poll::Pending if moved => Poll::Ready(Ok(None)),
            Poll::Pending => {
                moved = true;
                Poll::Pending
            }
        })
        .await
    }

    fn poll_relay(&mut self, task: &mut Task<'_>, reading: Reading) -> Poll<io::Result<Event>> {
        // A side that had nothing once wakes the task when it has.
        let (mut server_dry, mut client_dry) = (false, false);
        loop {
            let mut moved = false;
            // Out first, so that there is room for what comes in.
            let client_full = match self.client.poll_write(task, &mut self.exchange.to_client)? {
                Poll::Ready(_) => false,
                // Rows beyond a limit are dropped, whether or not the client reads: the server could not stop otherwise.
                Poll::Pending if self.exchange.is_over().is_some() => {
                    self.exchange.to_client.len() >= 2 * FULL
                }
                Poll::Pending => self.exchange.to_client.len() >= FULL,
            };
            let server_full = match self
                .server
                .poll_write(task, &mut self.exchange.to_server)
                .map_err(|error| self.record.server_lost(error))?
            {
                Poll::Ready(_) => {
                    if self.client_ended && !self.shut && self.server.poll_shutdown(task)?.is_ready() {
                        self.shut = true;
                    }
                    false
                }
                Poll::Pending => self.exchange.to_server.len() >= FULL,
            };
            if !matches!(reading, Reading::Both | Reading::Server) {
                let until_answered = reading == Reading::AheadUntilAnswered;
                let waits = match self.exchange.server_state() {
                    ServerState::Answering => true,
                    // What it reads as data has to come.
                    ServerState::Passing(Passing::Copy) => reading == Reading::AheadInCopy,
                    ServerState::Doubtful if reading == Reading::AheadInCopy => true,
                    ServerState::Passing(Passing::ToSync) | ServerState::Lost => false,
                    _ => until_answered && self.exchange.owes_answer(),
                };
                if !waits {
                    return Poll::Ready(Ok(Event::Settled));
                }
                if !self.client_ended {
                    // Who says no more may still read.
                    let _ended = self.poll_ahead(task)?;
                }
            }
            if !client_full && !server_dry {
                match self.poll_server(task)? {
                    Poll::Ready(0) => return Poll::Ready(Ok(Event::Ended)),
                    Poll::Ready(_) => moved = true,
                    Poll::Pending => server_dry = true,
                }
            }
            if reading == Reading::Both && !server_full && !self.client_ended && !client_dry {
                match self.poll_client(task)? {
                    Poll::Ready(FrameEvent::End) => moved = true,
                    Poll::Ready(event) => return Poll::Ready(Ok(Event::ClientFrame(event))),
                    Poll::Pending => client_dry = true,
                }
            }
            if let Some(key) = self.exchange.key.take() {
                let all = &self.shared.cancellations;
                self.registration = Some(all.register(key.0, &key.1, &self.cancellation));
                self.key = Some(key);
            }
            self.stopped &= self.exchange.is_over().is_some();
            if self.exchange.is_over().is_some() && !self.stopped && reading != Reading::Server {
                return Poll::Ready(Ok(Event::Over));
            }
            if !moved {
                // Only who waits gives memory back: while much passes, the next bytes need it again.
                shrink(&mut self.exchange.to_client);
                shrink(&mut self.exchange.to_server);
                self.record
                    .woke(&mut self.client, &mut self.server, &mut self.exchange);
                ready!(self.timers.poll(task, &mut self.exchange));
                return Poll::Ready(Ok(Event::Timer));
            }
            self.timers.moved();
        }
    }

    /// Reads from the server; 0 at its end.
    fn poll_server(&mut self, task: &mut Task<'_>) -> Poll<io::Result<usize>> {
        let read = self.server.poll_read(task, |bytes| {
            self.exchange.server_bytes(bytes);
            bytes.len()
        });
        read.map_err(|error| self.record.server_lost(error))
    }

    /// Reads from the client what waits behind a question, as far as that may go. Ready once it has left.
    fn poll_ahead(&mut self, task: &mut Task<'_>) -> Poll<io::Result<()>> {
        while self.exchange.ahead() < READ_AHEAD {
            let keep = |bytes: &[u8]| {
                self.exchange.keep(bytes);
                bytes.len()
            };
            if ready!(self.client.poll_read(task, keep))? == 0 {
                return Poll::Ready(Ok(()));
            }
        }
        Poll::Pending
    }

    /// Reads from the client, up to what needs thought.
    fn poll_client(&mut self, task: &mut Task<'_>) -> Poll<io::Result<FrameEvent>> {
        self.client.poll_read(task, |bytes| {
            if bytes.is_empty() {
                self.client_ended = true;
                self.exchange.client_ended()
            } else {
                self.exchange.client_bytes(bytes)
            }
        })
    }
}
