//! A byte stream to a server: TCP or a unix socket, encrypted as the address says. What is spoken on it is
//! others' business.

use std::{
    io,
    sync::Arc,
    time::{Duration, Instant},
};

use rustls::{CertificateError, pki_types::ServerName};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpStream, UnixStream, lookup_host},
    time::timeout,
};
use tokio_rustls::TlsConnector;

use super::{Host, Server, SslMode, certificate, tls};
use crate::{
    backend::BackendError,
    connection::{self, Stream},
    error::length_of,
};

/// `SSLRequest`: length and code (protocol chapter "Message Formats").
const SSL_REQUEST: [u8; 8] = [0, 0, 0, 8, 4, 210, 22, 47];
/// The name of PostgreSQL's protocol for ALPN.
const ALPN: &[u8] = b"postgresql";

/// A byte stream to a server, before the startup message.
pub struct Upstream {
    /// The stream.
    pub stream: Box<dyn Stream>,
    /// Whether it is encrypted.
    pub encrypted: bool,
    /// The hash of the server's certificate for the channel binding `tls-server-end-point` (RFC 5929).
    pub server_end_point: Option<Vec<u8>>,
}

/// Why an encrypted stream was not had.
enum Refusal {
    /// The server has no TLS.
    NoTls(TcpStream),
    /// It has, but there is no agreement.
    Handshake(io::Error),
    /// The connection broke.
    Broken(BackendError),
}

impl Server {
    /// Opens a stream to the server. Takes no longer than `connect_timeout`. Cancel safe.
    pub async fn connect(&self) -> Result<Upstream, BackendError> {
        let limit = self.connect_timeout;
        match timeout(limit, self.open()).await {
            Ok(outcome) => outcome,
            Err(_) => Err(self.unreachable(&format!("no answer within {}", length_of(limit)))),
        }
    }

    async fn open(&self) -> Result<Upstream, BackendError> {
        if let Some(file) = self.socket_file() {
            let stream = UnixStream::connect(file).await;
            return Ok(plain(stream.map_err(|error| self.failed(&error))?));
        }
        // A server that wants encryption says so only when a user has logged in, so `allow` cannot go on to it here.
        if matches!(self.tls.mode, SslMode::Disable | SslMode::Allow) {
            return Ok(plain(self.tcp().await?));
        }
        match self.encrypted(self.tcp().await?).await {
            Ok(upstream) => Ok(upstream),
            Err(Refusal::NoTls(stream)) if self.tls.mode == SslMode::Prefer => Ok(plain(stream)),
            Err(Refusal::NoTls(_)) => Err(self
                .unreachable("the server does not support TLS")
                .with_hint("switch ssl on in the server's postgresql.conf, or connect with sslmode=prefer")),
            // As libpq does.
            Err(Refusal::Handshake(error)) if self.tls.mode == SslMode::Prefer => {
                tracing::debug!(server = %self, %error, "no TLS; going on without");
                Ok(plain(self.tcp().await?))
            }
            Err(Refusal::Handshake(error)) => Err(self.no_agreement(&error)),
            Err(Refusal::Broken(error)) => Err(error),
        }
    }

    /// Tries every address of the host, each with its part of the time.
    async fn tcp(&self) -> Result<TcpStream, BackendError> {
        let Host::Tcp(host) = &self.host else {
            unreachable!("unix sockets have been served")
        };
        let addresses = lookup_host((host.as_str(), self.port)).await;
        let addresses: Vec<_> = addresses
            .map_err(|error| self.unreachable(&format!("the host is not known: {error}")))?
            .collect();
        let deadline = Instant::now() + self.connect_timeout;
        let mut problem = self.unreachable("the host has no address");
        for (tried, address) in addresses.iter().enumerate() {
            let left = deadline.saturating_duration_since(Instant::now());
            let share = left / u32::try_from(addresses.len() - tried).unwrap_or(1);
            match timeout(share.max(Duration::from_millis(100)), TcpStream::connect(address)).await {
                Ok(Ok(stream)) => {
                    connection::configure(&stream).map_err(|error| self.failed(&error))?;
                    return Ok(stream);
                }
                Ok(Err(error)) => problem = self.failed(&error),
                Err(_) => problem = self.unreachable("no answer"),
            }
        }
        Err(problem)
    }

    async fn encrypted(&self, mut stream: TcpStream) -> Result<Upstream, Refusal> {
        let broken = |error: &io::Error| Refusal::Broken(self.failed(error));
        stream
            .write_all(&SSL_REQUEST)
            .await
            .map_err(|error| broken(&error))?;
        // One byte and no more: what follows must come from inside the encryption (CVE-2021-23222).
        match stream.read_u8().await.map_err(|error| broken(&error))? {
            b'S' => {}
            b'N' => return Err(Refusal::NoTls(stream)),
            b'E' => {
                return Err(Refusal::Broken(
                    self.unreachable("the server takes no connections now"),
                ));
            }
            _ => return Err(Refusal::Broken(self.unreachable("this is no PostgreSQL server"))),
        }
        let mut config =
            tls::client_config(&self.tls).map_err(|reason| Refusal::Broken(self.unreachable(&reason)))?;
        config.alpn_protocols = vec![ALPN.to_vec()];
        let Host::Tcp(host) = &self.host else {
            unreachable!("unix sockets are not encrypted")
        };
        let name = ServerName::try_from(host.clone()).map_err(|_| {
            Refusal::Broken(self.unreachable("the host is no name that a certificate can have"))
        })?;
        let stream = TlsConnector::from(Arc::new(config))
            .connect(name, stream)
            .await
            .map_err(Refusal::Handshake)?;
        let certificates = stream.get_ref().1.peer_certificates().unwrap_or_default();
        let server_end_point = certificates
            .first()
            .and_then(|first| certificate::end_point(first));
        Ok(Upstream {
            stream: Box::new(stream),
            encrypted: true,
            server_end_point,
        })
    }

    /// There is no TLS with the server, and what to do about it.
    fn no_agreement(&self, error: &io::Error) -> BackendError {
        let failure = self.unreachable(&format!("no TLS: {error}"));
        let cause = error.get_ref().and_then(|cause| cause.downcast_ref());
        let Some(rustls::Error::InvalidCertificate(wrong)) = cause else {
            return failure;
        };
        match wrong {
            CertificateError::Expired | CertificateError::ExpiredContext { .. } => failure.with_hint(
                "The server's certificate has run out: renew it there, and let the server read it anew. \
                 Connecting without verification would hide it from you.",
            ),
            CertificateError::NotValidYet | CertificateError::NotValidYetContext { .. } => failure
                .with_hint("The server's certificate is not valid yet: compare the clocks of both machines."),
            CertificateError::UnknownIssuer => failure.with_hint(
                "Name the authority that has signed the server's certificate with sslrootcert=FILE.",
            ),
            CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. } => failure
                .with_hint(
                    "Connect by a name that the certificate has, or verify without it: sslmode=verify-ca.",
                ),
            _ => failure,
        }
    }

    fn failed(&self, error: &io::Error) -> BackendError {
        let failure = self.unreachable(&error.to_string());
        match error.kind() {
            io::ErrorKind::ConnectionRefused | io::ErrorKind::NotFound => {
                failure.with_hint("is the server running there, and does it listen at this address?")
            }
            _ => failure,
        }
    }

    fn unreachable(&self, reason: &str) -> BackendError {
        let place = match &self.host {
            Host::Tcp(host) => format!("{host}:{}", self.port),
            Host::Unix(_) => self.socket_file().unwrap_or_default().display().to_string(),
        };
        BackendError::new(
            "08001",
            format!("cannot connect to the PostgreSQL server at {place}: {reason}"),
        )
    }
}

fn plain(stream: impl Stream + 'static) -> Upstream {
    Upstream {
        stream: Box::new(stream),
        encrypted: false,
        server_end_point: None,
    }
}

impl std::fmt::Debug for Upstream {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Upstream")
            .field("encrypted", &self.encrypted)
            .finish_non_exhaustive()
    }
}
