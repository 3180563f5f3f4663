//! One end of a login: whole frames in, bytes out. What was not asked for yet stays in the buffer.

use std::io;

use bytes::{Bytes, BytesMut};
use tokio::io::{AsyncReadExt, AsyncWriteExt};

use super::LoginError;
use crate::connection::Stream;

/// Longest message of a login from either side, in bytes; PostgreSQL takes tokens of up to 65,535.
const LONGEST: usize = 66_000;
/// Lengths that libpq believes of an error here; others begin a message of servers before 7.4, and of a server that
/// cannot start a process.
const ERROR_LENGTHS: std::ops::RangeInclusive<usize> = 8..=30_000;

/// A client or a server that has not let anybody in yet.
pub(super) struct Channel {
    stream: Box<dyn Stream>,
    received: BytesMut,
}

/// One message.
#[derive(Debug)]
pub(super) struct Frame {
    pub(super) tag: u8,
    /// All of it, type and length included.
    pub(super) bytes: Bytes,
}

impl Frame {
    pub(super) fn body(&self) -> &[u8] {
        self.bytes.get(5..).unwrap_or_default()
    }

    /// The kind of an authentication request, and what follows it.
    pub(super) fn request(&self) -> Option<(u32, &[u8])> {
        let (code, rest) = self.body().split_first_chunk::<4>()?;
        Some((u32::from_be_bytes(*code), rest))
    }
}

impl Channel {
    pub(super) fn new(stream: Box<dyn Stream>, received: BytesMut) -> Self {
        Self { stream, received }
    }

    /// The stream, and what has been received on it and not been read.
    pub(super) fn into_parts(self) -> (Box<dyn Stream>, BytesMut) {
        (self.stream, self.received)
    }

    /// Puts a frame back in front of what was received.
    pub(super) fn put_back(&mut self, frame: &Frame) {
        let behind = self.received.split();
        self.received.extend_from_slice(&frame.bytes);
        self.received.extend_from_slice(&behind);
    }

    /// Sends all of it.
    pub(super) async fn send(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.stream.write_all(bytes).await?;
        self.stream.flush().await
    }

    /// Says good bye on the transport's level.
    pub(super) async fn close(&mut self) -> io::Result<()> {
        self.stream.shutdown().await
    }

    /// The type of the next message and its length with the type; `None` at the end. Cancel safe.
    pub(super) async fn header(&mut self) -> io::Result<Option<(u8, usize)>> {
        if !self.fill(5).await? {
            return Ok(None);
        }
        let head = &self.received;
        let declared = u32::from_be_bytes([head[1], head[2], head[3], head[4]]) as usize;
        Ok(Some((head[0], declared.saturating_add(1))))
    }

    /// The next message of this length; `None` at the end. Cancel safe.
    pub(super) async fn take(&mut self, length: usize) -> io::Result<Option<Frame>> {
        if !self.fill(length).await? {
            return Ok(None);
        }
        let bytes = self.received.split_to(length).freeze();
        Ok(Some(Frame { tag: bytes[0], bytes }))
    }

    /// Reads until so many bytes are there; false if there will not be so many. Nothing is reserved for them.
    async fn fill(&mut self, length: usize) -> io::Result<bool> {
        while self.received.len() < length {
            if self.stream.read_buf(&mut self.received).await? == 0 {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// What a client answers to a request; anything but a `PasswordMessage` ends the login. Cancel safe.
    pub(super) async fn password(&mut self, expected: &str) -> Result<Frame, LoginError> {
        let (tag, length) = self
            .header()
            .await
            .map_err(LoginError::Lost)?
            .ok_or_else(LoginError::gone)?;
        if tag != b'p' {
            return Err(LoginError::protocol(format!(
                "expected {expected} response, got message type {tag}"
            )));
        }
        self.answer(length).await
    }

    /// A client's answer of this length. Cancel safe.
    pub(super) async fn answer(&mut self, length: usize) -> Result<Frame, LoginError> {
        if !(5..=LONGEST).contains(&length) {
            return Err(LoginError::protocol("invalid message length"));
        }
        let frame = self.take(length).await.map_err(LoginError::Lost)?;
        frame.ok_or_else(LoginError::gone)
    }

    /// What a server says before it lets a client in. Cancel safe.
    pub(super) async fn server_frame(&mut self) -> Result<Frame, LoginError> {
        let closed = || {
            LoginError::new("08006", "the server closed the connection while logging in")
                .with_hint("Its log may say why.")
        };
        let broken = |error: io::Error| {
            LoginError::new(
                "08006",
                format!("the connection to the server broke while logging in: {error}"),
            )
        };
        let Some((tag, length)) = self.header().await.map_err(broken)? else {
            // Less than a header may be the beginning of an error without one.
            return match self.received.first() {
                Some(b'E') => Ok(self.rest()),
                _ => Err(closed()),
            };
        };
        match tag {
            b'E' if !ERROR_LENGTHS.contains(&(length - 1)) => {
                while self.received.len() < *ERROR_LENGTHS.end() && !self.received.ends_with(&[0]) {
                    if self.stream.read_buf(&mut self.received).await.map_err(broken)? == 0 {
                        break;
                    }
                }
                Ok(self.rest())
            }
            b'R' | b'E' | b'N' | b'v' if (5..=LONGEST).contains(&length) => {
                self.take(length).await.map_err(broken)?.ok_or_else(closed)
            }
            _ => Err(
                LoginError::protocol("the server's answer is not of the PostgreSQL protocol")
                    .with_hint("Is there a PostgreSQL server at the address that Querent was started with?"),
            ),
        }
    }

    fn rest(&mut self) -> Frame {
        let bytes = self.received.split().freeze();
        Frame { tag: b'E', bytes }
    }
}
