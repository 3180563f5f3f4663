//! The client's end of the line: frames in, messages out, and notice of its leaving.

use std::{io, time::Duration};

use bytes::BytesMut;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt, ReadHalf, WriteHalf},
    time::{Instant, sleep, timeout},
};

use crate::{
    connection::Stream,
    telemetry::{SessionLog, metrics::Direction},
    wire::{ClientMessage, Frame, ServerMessages, WireError, take_frame},
};

use super::error::SessionError;

/// Longest message taken from a client, as in PostgreSQL (`MaxAllocSize`), in bytes.
const LONGEST_MESSAGE: usize = 0x3fff_ffff;
/// What an unauthenticated client may send in one message.
const LONGEST_LOGIN_MESSAGE: usize = 10_000;
/// Outgoing bytes that are collected before they are sent.
const SEND_AT: usize = 64 * 1024;
/// How far the session reads ahead while it works, to notice that the client has gone.
const READ_AHEAD: usize = 256 * 1024;
/// Bytes of progress that a client may leave unread before it is told less.
const MOST_PENDING: usize = 64 * 1024;
/// What a client that does not read has to hear the session's end.
const FAREWELL: Duration = Duration::from_secs(5);
/// How long it takes until a client that says no more is told something for the second time. Each time it takes twice as long.
const FIRST_PROBE: Duration = Duration::from_millis(200);
/// The longest time between two.
const LAST_PROBE: Duration = Duration::from_secs(10);

/// A connection to a client.
pub(super) struct Client {
    reader: ReadHalf<Box<dyn Stream>>,
    writer: WriteHalf<Box<dyn Stream>>,
    received: BytesMut,
    /// What is being sent.
    sending: BytesMut,
    longest: usize,
    /// Since when the client is known to have left, and how that was seen.
    left: Option<(Instant, io::ErrorKind)>,
    /// Nothing more comes of it.
    ended: bool,
    /// It takes nothing any more: what is to be sent is dropped.
    unheard: bool,
    /// The session's lines and numbers.
    pub(super) log: SessionLog,
    /// What is to be sent.
    pub(super) out: ServerMessages,
}

impl Client {
    pub(super) fn new(stream: Box<dyn Stream>, received: BytesMut, log: SessionLog) -> Self {
        let (reader, writer) = tokio::io::split(stream);
        Self {
            reader,
            writer,
            received,
            sending: BytesMut::new(),
            longest: LONGEST_LOGIN_MESSAGE,
            left: None,
            ended: false,
            unheard: false,
            log,
            out: ServerMessages::default(),
        }
    }

    /// From now on messages may be as long as PostgreSQL's.
    pub(super) fn logged_in(&mut self) {
        self.longest = LONGEST_MESSAGE;
    }

    /// The next frame; `None` when the client has closed. What was received before is there first. Cancel safe: bytes stay
    /// in the buffer.
    pub(super) async fn frame(&mut self) -> Result<Option<Frame>, SessionError> {
        loop {
            if let Some(frame) = self.take()? {
                return Ok(Some(frame));
            }
            if let Some((_, kind)) = self.left.filter(|_| self.ended) {
                return Err(SessionError::Lost(kind.into()));
            }
            let count = self.reader.read_buf(&mut self.received).await?;
            if count == 0 {
                return Ok(None);
            }
            self.log.bytes(Direction::FromClient, count);
        }
    }

    /// The type of the next message, as far as it has been received.
    pub(super) fn next_tag(&self) -> Option<u8> {
        self.received.first().copied()
    }

    /// True if something is left to be done of what has been received in full.
    pub(super) fn has_more(&self) -> bool {
        let mut rest = &self.received[..];
        while let [tag, length @ ..] = rest {
            let Some(length) = length
                .first_chunk()
                .map(|length| u32::from_be_bytes(*length) as usize)
            else {
                return false;
            };
            if length >= rest.len() {
                return false;
            }
            if ClientMessage::does_something(*tag) {
                return true;
            }
            rest = &rest[length + 1..];
        }
        false
    }

    /// Since when the client is known to have left, and how that was seen.
    pub(super) fn left(&self) -> Option<(Instant, io::ErrorKind)> {
        self.left
    }

    fn leaves(&mut self, kind: io::ErrorKind) {
        self.left.get_or_insert_with(|| (Instant::now(), kind));
    }

    fn take(&mut self) -> Result<Option<Frame>, SessionError> {
        take_frame(&mut self.received, self.longest).map_err(|error: WireError| {
            let SessionError::Failed(fields) = SessionError::from(error) else {
                unreachable!("an error of the wire is told to the client")
            };
            SessionError::Fatal(Box::new(fields.fatal()))
        })
    }

    /// Sends all there is. Waits for a client that does not read; nothing is left to send to one that has left. Cancel safe:
    /// what is left is sent next.
    pub(super) async fn flush(&mut self) -> io::Result<()> {
        self.hand_over();
        while !self.sending.is_empty() {
            let sent = self.writer.write_buf(&mut self.sending).await;
            self.sent(sent);
        }
        // An idle session holds no memory for it.
        self.sending = BytesMut::new();
        if !self.unheard
            && let Err(error) = self.writer.flush().await
        {
            self.sent(Err(error));
        }
        Ok(())
    }

    /// Notes what has become of an attempt to send.
    fn sent(&mut self, sent: io::Result<usize>) {
        let kind = match sent {
            Ok(0) => io::ErrorKind::WriteZero,
            Ok(count) => return self.log.bytes(Direction::ToClient, count),
            Err(error) => error.kind(),
        };
        self.leaves(kind);
        self.unheard = true;
        self.sending.clear();
    }

    /// Lets what there is be sent while the session works.
    pub(super) fn hand_over(&mut self) {
        if !self.out.is_empty() {
            let bytes = self.out.take();
            if self.unheard {
                return;
            }
            if self.sending.is_empty() {
                self.sending = BytesMut::from(bytes);
            } else {
                self.sending.extend_from_slice(&bytes);
            }
        }
    }

    /// False while the client leaves too much unread to be told of progress.
    pub(super) fn keeps_up(&self) -> bool {
        self.sending.len() < MOST_PENDING
    }

    /// True once what there is to send has become much.
    pub(super) fn is_full(&self) -> bool {
        self.out.len() >= SEND_AT
    }

    /// Resolves once the client has gone; sends what was handed over, and reads ahead as far as it may. Cancel safe.
    pub(super) async fn gone(&mut self) -> io::ErrorKind {
        loop {
            if let Some((_, kind)) = self.left.filter(|_| self.ended) {
                return kind;
            }
            // Beyond that, whether it has gone is seen when the answer is sent.
            let reads = self.received.len() < READ_AHEAD;
            let sends = !self.sending.is_empty();
            tokio::select! {
                biased;
                sent = self.writer.write_buf(&mut self.sending), if sends => self.sent(sent),
                read = self.reader.read_buf(&mut self.received), if reads => {
                    let kind = match read {
                        Ok(0) => io::ErrorKind::UnexpectedEof,
                        Ok(count) => {
                            self.log.bytes(Direction::FromClient, count);
                            continue;
                        }
                        Err(error) => error.kind(),
                    };
                    self.leaves(kind);
                    self.ended = true;
                }
                else => return std::future::pending().await,
            }
        }
    }

    /// Resolves once the client has gone and reads no more. One that has only said that nothing more comes is told what it
    /// knows, to see whether it is there. Cancel safe.
    pub(super) async fn vanished(&mut self) -> io::ErrorKind {
        let mut kind = self.gone().await;
        let mut pause = FIRST_PROBE;
        while kind == io::ErrorKind::UnexpectedEof && !self.unheard {
            // Who does not read is told no more than once.
            if self.sending.is_empty() && self.out.is_empty() {
                self.out.parameter_status("client_encoding", "UTF8");
                self.hand_over();
            }
            let pausing = sleep(pause);
            tokio::pin!(pausing);
            loop {
                let sends = !self.sending.is_empty();
                tokio::select! {
                    biased;
                    sent = self.writer.write_buf(&mut self.sending), if sends => {
                        if let Err(error) = &sent {
                            kind = error.kind();
                        }
                        self.sent(sent);
                    }
                    () = &mut pausing => break,
                }
                if self.unheard {
                    break;
                }
            }
            pause = (2 * pause).min(LAST_PROBE);
        }
        kind
    }

    /// What was asked is answered: who has said no more has time from now on.
    pub(super) fn is_answered(&mut self) {
        if let Some((since, _)) = &mut self.left {
            *since = Instant::now();
        }
    }

    /// Says good bye on the transport's level.
    pub(super) async fn close(mut self) -> SessionLog {
        let farewell = async {
            self.flush().await?;
            self.writer.shutdown().await
        };
        // The client may be gone, or not read: nobody is left to tell.
        let _ = timeout(FAREWELL, farewell).await;
        self.log
    }
}
