//! A stream to a server as the driver takes it: what is encrypted already says so, with its channel binding.

use std::{
    future::{Ready, ready},
    io,
    pin::Pin,
    task::{Context, Poll},
};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio_postgres::tls::{ChannelBinding, TlsConnect, TlsStream};

use super::Upstream;
use crate::connection::Stream;

/// The stream, and what makes "TLS" of it.
pub(in crate::postgres) fn driven(upstream: Upstream) -> (Box<dyn Stream>, Bound) {
    (upstream.stream, Bound(upstream.server_end_point))
}

/// The hash of the server's certificate.
pub(in crate::postgres) struct Bound(Option<Vec<u8>>);

/// A stream that is encrypted already.
pub(in crate::postgres) struct BoundStream<S> {
    stream: S,
    server_end_point: Option<Vec<u8>>,
}

impl<S: Stream> TlsConnect<S> for Bound {
    type Stream = BoundStream<S>;
    type Error = io::Error;
    type Future = Ready<io::Result<BoundStream<S>>>;

    fn connect(self, stream: S) -> Self::Future {
        ready(Ok(BoundStream {
            stream,
            server_end_point: self.0,
        }))
    }
}

impl<S: Stream> TlsStream for BoundStream<S> {
    fn channel_binding(&self) -> ChannelBinding {
        match &self.server_end_point {
            Some(hash) => ChannelBinding::tls_server_end_point(hash.clone()),
            None => ChannelBinding::none(),
        }
    }
}

impl<S: Stream> AsyncRead for BoundStream<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl<S: Stream> AsyncWrite for BoundStream<S> {
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
