//! The client's end of the line: frames in, messages out, and notice of its leaving.

use std::{io, time::Duration};

use bytes::BytesMut;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt, ReadHalf, WriteHalf},
    time::timeout,
};

use crate::{
    connection::Stream,
    telemetry::{SessionLog, metrics::Direction},
    wire::{Frame, ServerMessages, WireError, take_frame},
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

/// A connection to a client.
pub(super) struct Client {
    reader: ReadHalf<Box<dyn Stream>>,
    writer: WriteHalf<Box<dyn Stream>>,
    received: BytesMut,
    /// What is being sent.
    sending: BytesMut,
    longest: usize,
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
            log,
            out: ServerMessages::default(),
        }
    }

    /// From now on messages may be as long as PostgreSQL's.
    pub(super) fn logged_in(&mut self) {
        self.longest = LONGEST_MESSAGE;
    }

    /// The next frame; `None` when the client has closed. Cancel safe: bytes stay in the buffer.
    pub(super) async fn frame(&mut self) -> Result<Option<Frame>, SessionError> {
        loop {
            if let Some(frame) = self.take()? {
                return Ok(Some(frame));
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

    fn take(&mut self) -> Result<Option<Frame>, SessionError> {
        take_frame(&mut self.received, self.longest).map_err(|error: WireError| {
            let SessionError::Failed(fields) = SessionError::from(error) else {
                unreachable!("an error of the wire is told to the client")
            };
            SessionError::Fatal(Box::new(fields.fatal()))
        })
    }

    /// Sends all there is. Waits for a client that does not read. Cancel safe: what is left is sent next.
    pub(super) async fn flush(&mut self) -> io::Result<()> {
        self.hand_over();
        while !self.sending.is_empty() {
            let count = self.writer.write_buf(&mut self.sending).await?;
            if count == 0 {
                return Err(io::ErrorKind::WriteZero.into());
            }
            self.log.bytes(Direction::ToClient, count);
        }
        // An idle session holds no memory for it.
        self.sending = BytesMut::new();
        self.writer.flush().await
    }

    /// Lets what there is be sent while the session works.
    pub(super) fn hand_over(&mut self) {
        if !self.out.is_empty() {
            let bytes = self.out.take();
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
    pub(super) async fn gone(&mut self) -> io::Error {
        loop {
            // Beyond that, whether it has gone is seen when the answer is sent.
            let reads = self.received.len() < READ_AHEAD;
            let sends = !self.sending.is_empty();
            tokio::select! {
                biased;
                sent = self.writer.write_buf(&mut self.sending), if sends => match sent {
                    Ok(0) => return io::ErrorKind::WriteZero.into(),
                    Ok(count) => self.log.bytes(Direction::ToClient, count),
                    Err(error) => return error,
                },
                read = self.reader.read_buf(&mut self.received), if reads => match read {
                    Ok(0) => return io::ErrorKind::UnexpectedEof.into(),
                    Ok(count) => self.log.bytes(Direction::FromClient, count),
                    Err(error) => return error,
                },
                else => return std::future::pending().await,
            }
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
