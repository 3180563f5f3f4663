//! A stream of the protocol on which no message is longer than it may be: the driver takes each into memory whole.

use std::{
    io,
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    task::{Context, Poll, ready},
};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

/// The type and the length of a message.
const HEADER: usize = 5;

/// The same stream until a message is too long; then it is broken, and says so.
pub(super) struct LongestRow<S> {
    stream: S,
    longest: usize,
    /// As much of a header as has come.
    header: Vec<u8>,
    /// What is still to come of the message.
    body: usize,
    /// Set once a message was too long.
    was_too_long: Arc<AtomicBool>,
}

impl<S> LongestRow<S> {
    /// Of messages up to so many bytes; the flag is set when one is longer.
    pub(super) fn new(stream: S, longest: usize, was_too_long: Arc<AtomicBool>) -> Self {
        Self {
            stream,
            longest,
            header: Vec::with_capacity(HEADER),
            body: 0,
            was_too_long,
        }
    }

    /// Goes over bytes that have come.
    fn look(&mut self, mut bytes: &[u8]) -> io::Result<()> {
        while !bytes.is_empty() {
            if self.body > 0 {
                let part = self.body.min(bytes.len());
                self.body -= part;
                bytes = &bytes[part..];
                continue;
            }
            self.header.push(bytes[0]);
            bytes = &bytes[1..];
            if let [_, length @ ..] = &self.header[..]
                && let Ok(length) = <[u8; 4]>::try_from(length)
            {
                // The length counts itself.
                self.body = (u32::from_be_bytes(length) as usize).saturating_sub(4);
                self.header.clear();
                if self.body > self.longest {
                    self.was_too_long.store(true, Ordering::Relaxed);
                    return Err(io::Error::new(io::ErrorKind::InvalidData, "a row is too long"));
                }
            }
        }
        Ok(())
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for LongestRow<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        ready!(Pin::new(&mut self.stream).poll_read(context, buffer))?;
        Poll::Ready(self.look(&buffer.filled()[before..]))
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for LongestRow<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_message_that_is_too_long_breaks_it_wherever_it_is_cut() {
        let message = |length: usize| -> Vec<u8> {
            let told = u32::try_from(length + 4).unwrap().to_be_bytes();
            [&b"D"[..], &told, &vec![b'x'; length]].concat()
        };
        let short = [message(0), message(10), message(3)].concat();
        let long = [message(4), message(11)].concat();
        for piece in 1..=short.len() {
            for (bytes, expected) in [(&short, false), (&long, true)] {
                let flag = Arc::new(AtomicBool::new(false));
                let mut stream = LongestRow::new((), 10, Arc::clone(&flag));
                let outcome = bytes.chunks(piece).try_for_each(|piece| stream.look(piece));
                assert_eq!(
                    (outcome.is_err(), flag.load(Ordering::Relaxed)),
                    (expected, expected)
                );
            }
        }
    }
}
