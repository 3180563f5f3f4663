//! Cancel requests on their way to the server.

use std::{io, time::Duration};

use bytes::{BufMut, BytesMut};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    time::timeout,
};

use crate::backend::postgres::Server;

/// How long a server may take to end a connection that has nothing but a cancel request.
const PATIENCE: Duration = Duration::from_secs(10);
/// `CancelRequest`.
const CANCEL: u32 = 80_877_102;

/// Tells the server to stop what it does for a session; it has been told once this returns.
pub(super) async fn forward(server: &Server, process: u32, secret: &[u8]) -> io::Result<()> {
    let mut packet = BytesMut::new();
    packet.put_u32(12 + secret.len() as u32);
    packet.put_u32(CANCEL);
    packet.put_u32(process);
    packet.put_slice(secret);
    let told = async {
        let mut upstream = server.connect().await.map_err(io::Error::other)?;
        upstream.stream.write_all(&packet).await?;
        upstream.stream.flush().await?;
        // The server ends the connection when it has sent the signal.
        let mut rest = [0; 64];
        while upstream.stream.read(&mut rest).await? > 0 {}
        Ok(())
    };
    timeout(PATIENCE, told)
        .await
        .unwrap_or_else(|_| Err(io::ErrorKind::TimedOut.into()))
}
