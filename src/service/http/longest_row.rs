//! A stream of the protocol on which no message is longer than it may be: the driver takes each into memory whole. A row that is
//! longer comes without its values, so that the connection lives on.

use std::{
    io,
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    task::{Context, Poll, ready},
};

use bytes::{Buf, BufMut, BytesMut};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

/// The type and the length of a message.
const HEADER: usize = 5;
/// What is read at once, in bytes.
const CHUNK: usize = 16 << 10;
/// `DataRow`, and one without values.
const ROW: u8 = b'D';
const EMPTY_ROW: &[u8] = b"D\0\0\0\x06\0\0";
/// `NoticeResponse`.
const NOTICE: u8 = b'N';

/// The same stream but for rows that are too long: each comes as an empty one, and notices that are do not come. Any other such
/// message breaks it.
pub(super) struct LongestRow<S> {
    stream: S,
    longest: usize,
    /// As much of a header as has come.
    header: Vec<u8>,
    /// What is still to come of the message.
    body: usize,
    /// It is left out.
    is_left_out: bool,
    /// What may be read.
    ready: BytesMut,
    chunk: Box<[u8]>,
    /// Set when a row or what breaks the stream was too long.
    was_too_long: Arc<AtomicBool>,
}

impl<S> LongestRow<S> {
    /// Of messages up to so many bytes; the flag is set when a row is longer.
    pub(super) fn new(stream: S, longest: usize, was_too_long: Arc<AtomicBool>) -> Self {
        Self {
            stream,
            longest,
            header: Vec::with_capacity(HEADER),
            body: 0,
            is_left_out: false,
            ready: BytesMut::new(),
            chunk: vec![0; CHUNK].into(),
            was_too_long,
        }
    }

    /// Goes over bytes that have come.
    fn look(&mut self, mut bytes: &[u8]) -> io::Result<()> {
        while !bytes.is_empty() {
            if self.body > 0 {
                let part = self.body.min(bytes.len());
                self.body -= part;
                if !self.is_left_out {
                    self.ready.put_slice(&bytes[..part]);
                }
                bytes = &bytes[part..];
                continue;
            }
            self.header.push(bytes[0]);
            bytes = &bytes[1..];
            let Ok(header) = <[u8; HEADER]>::try_from(self.header.as_slice()) else {
                continue;
            };
            self.header.clear();
            let [kind, length @ ..] = header;
            // The length counts itself.
            self.body = (u32::from_be_bytes(length) as usize).saturating_sub(4);
            self.is_left_out = self.body > self.longest;
            if !self.is_left_out {
                self.ready.put_slice(&header);
                continue;
            }
            if kind == NOTICE {
                continue;
            }
            self.was_too_long.store(true, Ordering::Relaxed);
            if kind != ROW {
                return Err(io::Error::new(
                    io::ErrorKind::InvalidData,
                    "a message is too long",
                ));
            }
            self.ready.put_slice(EMPTY_ROW);
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
        let this = &mut *self;
        while this.ready.is_empty() {
            let mut chunk = std::mem::take(&mut this.chunk);
            let mut read = ReadBuf::new(&mut chunk);
            let polled = Pin::new(&mut this.stream).poll_read(context, &mut read);
            let length = read.filled().len();
            let looked = this.look(read.filled());
            this.chunk = chunk;
            ready!(polled)?;
            looked?;
            if length == 0 {
                return Poll::Ready(Ok(()));
            }
        }
        let length = this.ready.len().min(buffer.remaining());
        buffer.put_slice(&this.ready[..length]);
        this.ready.advance(length);
        Poll::Ready(Ok(()))
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
    use tokio::io::{AsyncReadExt, AsyncWriteExt};

    use super::*;

    #[test]
    fn rows_that_are_too_long_come_empty_and_notices_not_at_all_wherever_they_are_cut() {
        let message = |kind: u8, length: usize| -> Vec<u8> {
            let told = u32::try_from(length + 4).unwrap().to_be_bytes();
            [&[kind][..], &told, &vec![b'x'; length]].concat()
        };
        let short = [message(b'D', 0), message(b'N', 10), message(b'E', 3)].concat();
        let row = [message(b'D', 11), short.clone()].concat();
        let notice = [message(b'N', 11), short.clone()].concat();
        let other = [short.clone(), message(b'E', 11)].concat();
        let without = [EMPTY_ROW, &short].concat();
        for piece in 1..=other.len() {
            for (bytes, passed, is_whole, is_told) in [
                (&short, &short, true, false),
                (&row, &without, true, true),
                (&notice, &short, true, false),
                (&other, &short, false, true),
            ] {
                let flag = Arc::new(AtomicBool::new(false));
                let mut stream = LongestRow::new((), 10, Arc::clone(&flag));
                let outcome = bytes.chunks(piece).try_for_each(|piece| stream.look(piece));
                assert_eq!((&stream.ready[..], outcome.is_ok()), (&passed[..], is_whole));
                assert_eq!(flag.load(Ordering::Relaxed), is_told);
            }
        }
    }

    #[tokio::test]
    async fn what_passes_is_read_in_pieces_of_any_size() {
        let (inside, mut outside) = tokio::io::duplex(7);
        let mut stream = LongestRow::new(inside, 10, Arc::default());
        let writing = async {
            outside
                .write_all(b"D\0\0\0\x18abcdefghijklmnopqrstZ\0\0\0\x05I")
                .await
                .unwrap();
            drop(outside);
        };
        let reading = async {
            let (mut read, mut byte) = (vec![], [0]);
            while stream.read(&mut byte).await.unwrap() > 0 {
                read.extend_from_slice(&byte);
            }
            read
        };
        let (read, ()) = tokio::join!(reading, writing);
        assert_eq!(read, [EMPTY_ROW, b"Z\0\0\0\x05I"].concat());
    }
}
