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
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio_postgres::{
    Config, NoTls, Socket,
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
pub(super) async fn log_in(
    port: u16,
    encryption: Encryption,
    (user, password): (&str, &str),
) -> Result<String, String> {
    let mut config = Config::new();
    config.host("127.0.0.1").port(port);
    config.user(user).password(password).dbname("postgres");
    ask(config, encryption).await
}

pub(super) async fn ask(mut config: Config, encryption: Encryption) -> Result<String, String> {
    let told = |error: tokio_postgres::Error| match error.as_db_error() {
        Some(error) => format!("{} {}", error.code().code(), error.message()),
        None => format!("{error}: {:?}", std::error::Error::source(&error)),
    };
    let client = if encryption == Encryption::Plain {
        config.ssl_mode(SslMode::Disable);
        let (client, connection) = config.connect(NoTls).await.map_err(told)?;
        tokio::spawn(connection);
        client
    } else {
        config.ssl_mode(SslMode::Require);
        if encryption == Encryption::Direct {
            config.ssl_negotiation(SslNegotiation::Direct);
        }
        let (client, connection) = config.connect(Rustls).await.map_err(told)?;
        tokio::spawn(connection);
        client
    };
    let row = client
        .query_one("SELECT current_user::text", &[])
        .await
        .map_err(told)?;
    Ok(row.get(0))
}

#[derive(Clone, Copy)]
pub(super) struct Rustls;

impl MakeTlsConnect<Socket> for Rustls {
    type Stream = Stream;
    type TlsConnect = Self;
    type Error = io::Error;

    fn make_tls_connect(&mut self, _: &str) -> io::Result<Self> {
        Ok(*self)
    }
}

impl TlsConnect<Socket> for Rustls {
    type Stream = Stream;
    type Error = io::Error;
    type Future = Pin<Box<dyn Future<Output = io::Result<Stream>> + Send>>;

    fn connect(self, socket: Socket) -> Self::Future {
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
pub(super) struct Stream(tokio_rustls::client::TlsStream<Socket>);

impl tokio_postgres::tls::TlsStream for Stream {
    fn channel_binding(&self) -> ChannelBinding {
        let certificates = self.0.get_ref().1.peer_certificates().unwrap();
        // The certificates of these tests are signed with SHA-256.
        let hash = digest::digest(&digest::SHA256, &certificates[0]);
        ChannelBinding::tls_server_end_point(hash.as_ref().to_vec())
    }
}

impl AsyncRead for Stream {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_read(context, buffer)
    }
}

impl AsyncWrite for Stream {
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
