//! From an accepted socket to the startup message: TLS, GSSAPI refused, cancel requests, garbage.

use std::{io, net::IpAddr, sync::Arc};

use bytes::BytesMut;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt, DuplexStream},
    net::TcpStream,
};

use crate::{
    connection::{Stream, accepted::AcceptedConnection},
    wire::{Fields, ServerMessages, SessionStart, Severity, StartupPacket, take_startup},
};

use super::{Sessions, State, listener::Socket, tls::Tls};

/// The first byte of a TLS client hello.
const TLS_HANDSHAKE: u8 = 0x16;

/// Reads up to the startup message. `None` if the connection has served its purpose already.
/// The caller limits the time.
pub(super) async fn begin(
    socket: Socket,
    tls: Option<Arc<Tls>>,
    state: &State,
) -> io::Result<Option<AcceptedConnection>> {
    match socket {
        Socket::Unix(stream) => {
            // TLS over a unix socket is refused, as PostgreSQL does.
            let mut plain = Negotiation::new(stream, None);
            match plain.startup(state).await? {
                StartupOutcome::Session(start) => Ok(Some(plain.accepted(start, None))),
                StartupOutcome::Encrypt | StartupOutcome::Done => Ok(None),
            }
        }
        Socket::Tcp(stream, peer) => begin_tcp(stream, tls, state).await.map(|accepted| {
            accepted.map(|accepted| AcceptedConnection {
                peer: Some(peer),
                ..accepted
            })
        }),
    }
}

/// The same on a stream within the program.
pub(super) async fn begin_inside(
    stream: DuplexStream,
    (peer, proven): (IpAddr, Option<String>),
    state: &State,
) -> io::Result<Option<AcceptedConnection>> {
    let mut negotiation = Negotiation::new(stream, None);
    match negotiation.startup(state).await? {
        StartupOutcome::Session(start) => Ok(Some(AcceptedConnection {
            peer: Some(peer),
            inside: true,
            proven,
            ..negotiation.accepted(start, None)
        })),
        StartupOutcome::Encrypt | StartupOutcome::Done => Ok(None),
    }
}

async fn begin_tcp(
    stream: TcpStream,
    tls: Option<Arc<Tls>>,
    state: &State,
) -> io::Result<Option<AcceptedConnection>> {
    let mut first = [0];
    if stream.peek(&mut first).await? == 0 {
        return Ok(None);
    }
    let Some(tls) = tls else {
        let mut plain = Negotiation::new(stream, None);
        return match plain.startup(state).await? {
            StartupOutcome::Session(start) => Ok(Some(plain.accepted(start, None))),
            StartupOutcome::Encrypt | StartupOutcome::Done => Ok(None),
        };
    };
    let (stream, direct) = if first[0] == TLS_HANDSHAKE {
        (stream, true)
    } else {
        let mut plain = Negotiation::new(stream, Some(tls.required));
        match plain.startup(state).await? {
            StartupOutcome::Session(start) => return Ok(Some(plain.accepted(start, None))),
            StartupOutcome::Done => return Ok(None),
            StartupOutcome::Encrypt => (plain.stream, false),
        }
    };
    let stream = tls.acceptor.accept(stream).await?;
    if direct && stream.get_ref().1.alpn_protocol().is_none() {
        return Err(io::Error::other(
            "direct TLS without the ALPN protocol \"postgresql\"",
        ));
    }
    let mut encrypted = Negotiation::new(stream, None);
    encrypted.encrypted = true;
    match encrypted.startup(state).await? {
        StartupOutcome::Session(start) => Ok(Some(encrypted.accepted(start, tls.scram.clone()))),
        StartupOutcome::Encrypt | StartupOutcome::Done => Ok(None),
    }
}

/// What a startup packet leads to.
enum StartupOutcome {
    /// A session.
    Session(SessionStart),
    /// TLS was asked for and granted.
    Encrypt,
    /// The connection is over.
    Done,
}

/// A stream on which startup packets are read.
struct Negotiation<S> {
    stream: S,
    buffer: BytesMut,
    /// Whether TLS can be had, and then whether it must.
    tls_required: Option<bool>,
    encrypted: bool,
}

impl<S: Stream + 'static> Negotiation<S> {
    fn new(stream: S, tls_required: Option<bool>) -> Self {
        Self {
            stream,
            buffer: BytesMut::new(),
            tls_required,
            encrypted: false,
        }
    }

    async fn startup(&mut self, state: &State) -> io::Result<StartupOutcome> {
        loop {
            let packet = match take_startup(&mut self.buffer) {
                Ok(Some(packet)) => packet,
                Ok(None) => {
                    if self.stream.read_buf(&mut self.buffer).await? == 0 {
                        return Ok(StartupOutcome::Done);
                    }
                    continue;
                }
                Err(error) => {
                    self.refuse(Fields::of(&error).fatal()).await?;
                    return Err(io::Error::other(error));
                }
            };
            match packet {
                StartupPacket::GssEncryption => self.stream.write_all(b"N").await?,
                StartupPacket::Ssl if self.tls_required.is_none() => self.stream.write_all(b"N").await?,
                StartupPacket::Ssl => {
                    // Bytes sent before the handshake could come from a man in the middle (CVE-2021-23214).
                    if !self.buffer.is_empty() {
                        let fields = Fields::new(
                            Severity::Fatal,
                            "08P01",
                            "received unencrypted data after SSL request",
                        );
                        self.refuse(fields).await?;
                        return Ok(StartupOutcome::Done);
                    }
                    self.stream.write_all(b"S").await?;
                    return Ok(StartupOutcome::Encrypt);
                }
                StartupPacket::Cancel { process, secret } => {
                    match &state.sessions {
                        Sessions::Sqlite(_) => state.cancellations.cancel(process, &secret),
                        // The client takes the end of the connection for a sign that its request has been served.
                        Sessions::Postgres(shared) => shared.cancel(process, &secret).await,
                    }
                    self.stream.shutdown().await?;
                    return Ok(StartupOutcome::Done);
                }
                StartupPacket::Session(_) if self.tls_required == Some(true) => {
                    let fields = Fields::new(
                        Severity::Fatal,
                        "28000",
                        "this server accepts encrypted connections only",
                    )
                    .with_hint("Connect with sslmode=require.");
                    self.refuse(fields).await?;
                    return Ok(StartupOutcome::Done);
                }
                StartupPacket::Session(start) => return Ok(StartupOutcome::Session(start)),
            }
        }
    }

    async fn refuse(&mut self, fields: Fields) -> io::Result<()> {
        let mut messages = ServerMessages::default();
        messages.error_or_notice(&fields);
        self.stream.write_all(&messages.take()).await?;
        self.stream.shutdown().await
    }

    fn accepted(
        self,
        start: SessionStart,
        scram: Option<pgwire::api::auth::sasl::scram::ScramServerAuth>,
    ) -> AcceptedConnection {
        AcceptedConnection {
            stream: Box::new(self.stream) as Box<dyn Stream>,
            received: self.buffer,
            peer: None,
            encrypted: self.encrypted,
            inside: false,
            proven: None,
            start,
            channel_binding: scram,
        }
    }
}
