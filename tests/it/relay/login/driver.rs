//! tokio-postgres with TLS by rustls, direct or asked for, and with channel binding.

use std::{
    future::Future,
    io,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
};

use ring::digest;
use rustls::{
    ClientConfig, DigitallySignedStruct, SignatureScheme,
    client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier},
    pki_types::{CertificateDer, ServerName, UnixTime},
};
use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    net::TcpStream,
};
use tokio_postgres::{
    Client, Config, NoTls, Socket,
    config::{SslMode, SslNegotiation},
    tls::{ChannelBinding, MakeTlsConnect, TlsConnect},
};

/// How a client connects.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Encryption {
    Plain,
    /// `SSLRequest`.
    Tls,
    /// TLS from the first byte.
    Direct,
}

/// Logs in and asks for something; the error as a client is told it.
pub(super) async fn log_in(port: u16, encryption: Encryption, login: (&str, &str)) -> Result<String, String> {
    let client = connect(port, encryption, login).await?;
    let row = client.query_one("SELECT current_user::text", &[]).await;
    row.map(|row| row.get(0)).map_err(|error| told(&error))
}

/// A session.
pub(super) struct Session(Client);

impl std::ops::Deref for Session {
    type Target = Client;

    fn deref(&self) -> &Client {
        &self.0
    }
}

impl Session {
    /// Asks for the present statement to be stopped, at this port.
    pub(super) async fn cancel(&self, port: u16, encryption: Encryption) -> Result<(), String> {
        let token = self.0.cancel_token();
        let socket = TcpStream::connect(("127.0.0.1", port)).await.unwrap();
        let cancelled = match encryption {
            Encryption::Plain => token.cancel_query_raw(socket, NoTls).await,
            Encryption::Tls | Encryption::Direct => token.cancel_query_raw(socket, Rustls).await,
        };
        cancelled.map_err(|error| told(&error))
    }
}

/// Logs in.
pub(super) async fn connect(
    port: u16,
    encryption: Encryption,
    (user, password): (&str, &str),
) -> Result<Session, String> {
    let mut config = Config::new();
    config.host("127.0.0.1").port(port);
    config.user(user).password(password).dbname("postgres");
    if encryption == Encryption::Plain {
        config.ssl_mode(SslMode::Disable);
        let (client, connection) = config.connect(NoTls).await.map_err(|error| told(&error))?;
        tokio::spawn(connection);
        return Ok(Session(client));
    }
    config.ssl_mode(SslMode::Require);
    if encryption == Encryption::Direct {
        config.ssl_negotiation(SslNegotiation::Direct);
    }
    let (client, connection) = config.connect(Rustls).await.map_err(|error| told(&error))?;
    tokio::spawn(connection);
    Ok(Session(client))
}

fn told(error: &tokio_postgres::Error) -> String {
    match error.as_db_error() {
        Some(error) => format!("{} {}", error.code().code(), error.message()),
        None => format!("{error}: {:?}", std::error::Error::source(error)),
    }
}

#[derive(Clone, Copy)]
pub(super) struct Rustls;

impl MakeTlsConnect<Socket> for Rustls {
    type Stream = Stream<Socket>;
    type TlsConnect = Self;
    type Error = io::Error;

    fn make_tls_connect(&mut self, _: &str) -> io::Result<Self> {
        Ok(*self)
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin + Send + 'static> TlsConnect<S> for Rustls {
    type Stream = Stream<S>;
    type Error = io::Error;
    type Future = Pin<Box<dyn Future<Output = io::Result<Stream<S>>> + Send>>;

    fn connect(self, socket: S) -> Self::Future {
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let mut config = ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .unwrap()
            .dangerous()
            .with_custom_certificate_verifier(Arc::new(Anybody))
            .with_no_client_auth();
        config.alpn_protocols = vec![b"postgresql".to_vec()];
        let name = ServerName::try_from("localhost").unwrap();
        let connecting = tokio_rustls::TlsConnector::from(Arc::new(config)).connect(name, socket);
        Box::pin(async move { Ok(Stream(connecting.await?)) })
    }
}

/// An encrypted stream that tells the hash of the certificate at its other end.
pub(super) struct Stream<S>(tokio_rustls::client::TlsStream<S>);

impl<S: AsyncRead + AsyncWrite + Unpin> tokio_postgres::tls::TlsStream for Stream<S> {
    fn channel_binding(&self) -> ChannelBinding {
        let certificates = self.0.get_ref().1.peer_certificates().unwrap();
        // The certificates of these tests are signed with SHA-256.
        let hash = digest::digest(&digest::SHA256, &certificates[0]);
        ChannelBinding::tls_server_end_point(hash.as_ref().to_vec())
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> AsyncRead for Stream<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_read(context, buffer)
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> AsyncWrite for Stream<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.0).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_shutdown(context)
    }
}

/// Takes any certificate: these tests are about passwords.
#[derive(Debug)]
struct Anybody;

impl ServerCertVerifier for Anybody {
    fn verify_server_cert(
        &self,
        _: &CertificateDer<'_>,
        _: &[CertificateDer<'_>],
        _: &ServerName<'_>,
        _: &[u8],
        _: UnixTime,
    ) -> Result<ServerCertVerified, rustls::Error> {
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        _: &[u8],
        _: &CertificateDer<'_>,
        _: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        Ok(HandshakeSignatureValid::assertion())
    }

    fn verify_tls13_signature(
        &self,
        _: &[u8],
        _: &CertificateDer<'_>,
        _: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        Ok(HandshakeSignatureValid::assertion())
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        vec![
            SignatureScheme::ECDSA_NISTP256_SHA256,
            SignatureScheme::RSA_PSS_SHA256,
        ]
    }
}
