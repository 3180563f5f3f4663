//! Connections: byte streams over TCP sockets that notice a dead peer, over unix sockets and what is layered on them; what
//! a client is that has just arrived, and how its work is cancelled.

use std::{io, time::Duration};

use socket2::{SockRef, TcpKeepalive};
use tokio::{
    io::{AsyncRead, AsyncWrite},
    net::TcpStream,
};

pub mod accepted;
pub mod cancellation;

/// A byte stream to a client or a server.
pub trait Stream: AsyncRead + AsyncWrite + Unpin + Send + Sync {}

impl<S: AsyncRead + AsyncWrite + Unpin + Send + Sync> Stream for S {}

/// Sends small messages at once, and ends the connection some two minutes after the other side is gone.
pub fn configure(stream: &TcpStream) -> io::Result<()> {
    stream.set_nodelay(true)?;
    let keepalive = TcpKeepalive::new()
        .with_time(Duration::from_secs(60))
        .with_interval(Duration::from_secs(15))
        .with_retries(4);
    let socket = SockRef::from(stream);
    socket.set_tcp_keepalive(&keepalive)?;
    // Keepalive says nothing while data wait to be acknowledged.
    #[cfg(target_os = "linux")]
    socket.set_tcp_user_timeout(Some(Duration::from_secs(120)))?;
    Ok(())
}
