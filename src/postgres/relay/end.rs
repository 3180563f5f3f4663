//! One end of a session: a byte stream that is read into a buffer of its thread, so that an idle session holds none.

use std::{
    cell::RefCell,
    io,
    pin::Pin,
    task::{Context, Poll, ready},
};

use bytes::{Buf, BytesMut};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

use crate::connection::Stream;

/// Bytes that are read at once.
const CHUNK: usize = 16 << 10;

thread_local! {
    static READ: RefCell<Box<[u8]>> = RefCell::new(vec![0; CHUNK].into_boxed_slice());
}

/// A stream to a client or a server.
pub(super) struct End {
    stream: Box<dyn Stream>,
    /// Bytes that the stream has taken but may hold back (TLS).
    unflushed: bool,
    /// Bytes read since they were counted last.
    pub(super) read: usize,
    /// Bytes written since they were counted last.
    pub(super) written: usize,
}

impl End {
    pub(super) fn new(stream: Box<dyn Stream>) -> Self {
        Self {
            stream,
            unflushed: false,
            read: 0,
            written: 0,
        }
    }

    /// Reads once and hands the bytes over; none mean the end of the stream. Cancel safe.
    pub(super) fn poll_read<T>(
        &mut self,
        context: &mut Context<'_>,
        take: impl FnOnce(&[u8]) -> T,
    ) -> Poll<io::Result<T>> {
        READ.with_borrow_mut(|chunk| {
            let mut buffer = ReadBuf::new(chunk);
            ready!(Pin::new(&mut self.stream).poll_read(context, &mut buffer))?;
            self.read += buffer.filled().len();
            Poll::Ready(Ok(take(buffer.filled())))
        })
    }

    /// Writes all of the buffer. Ready with true if anything was written.
    pub(super) fn poll_write(
        &mut self,
        context: &mut Context<'_>,
        bytes: &mut BytesMut,
    ) -> Poll<io::Result<bool>> {
        let mut wrote = false;
        while !bytes.is_empty() {
            let count = ready!(Pin::new(&mut self.stream).poll_write(context, bytes))?;
            if count == 0 {
                return Poll::Ready(Err(io::ErrorKind::WriteZero.into()));
            }
            bytes.advance(count);
            self.written += count;
            self.unflushed = true;
            wrote = true;
        }
        if self.unflushed {
            ready!(Pin::new(&mut self.stream).poll_flush(context))?;
            self.unflushed = false;
        }
        Poll::Ready(Ok(wrote))
    }

    /// Tells the other side that no more will come.
    pub(super) fn poll_shutdown(&mut self, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }

    /// Writes all of the buffer. Cancel safe.
    pub(super) async fn write(&mut self, bytes: &mut BytesMut) -> io::Result<()> {
        std::future::poll_fn(|context| self.poll_write(context, bytes))
            .await
            .map(|_| ())
    }

    /// Ends the stream.
    pub(super) fn drop_stream(&mut self) {
        self.stream = Box::new(tokio::io::join(tokio::io::empty(), tokio::io::sink()));
    }

    /// Says no more, and reads to the end of the stream. Cancel safe.
    pub(super) async fn drain(&mut self) {
        // An end that cannot be shut down has ended already.
        let _ = std::future::poll_fn(|context| self.poll_shutdown(context)).await;
        let read = |context: &mut Context<'_>| self.poll_read(context, <[u8]>::len);
        let mut read = read;
        while let Ok(1..) = std::future::poll_fn(&mut read).await {}
    }

    /// Reads once, appending. Cancel safe.
    pub(super) async fn read(&mut self, into: &mut BytesMut) -> io::Result<usize> {
        std::future::poll_fn(|context| {
            self.poll_read(context, |bytes| {
                into.extend_from_slice(bytes);
                bytes.len()
            })
        })
        .await
    }
}
