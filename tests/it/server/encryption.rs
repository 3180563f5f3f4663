//! TLS: asked for, direct, demanded; and libpq's channel binding on top of it.

use std::{
    io::{Read, Write},
    net::TcpStream,
    process::Command,
    sync::Arc,
};

use rustls::{
    ClientConfig, ClientConnection, DigitallySignedStruct, SignatureScheme, StreamOwned,
    client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier},
    pki_types::{CertificateDer, ServerName, UnixTime},
};

use super::{
    harness::TestServer,
    raw::{packet, show, startup},
};

/// Takes any certificate: these tests are about the protocol.
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
            SignatureScheme::ED25519,
        ]
    }
}

fn encrypted(stream: TcpStream, protocols: &[&[u8]]) -> StreamOwned<ClientConnection, TcpStream> {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let mut config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .unwrap()
        .dangerous()
        .with_custom_certificate_verifier(Arc::new(Anybody))
        .with_no_client_auth();
    config.alpn_protocols = protocols.iter().map(|name| name.to_vec()).collect();
    let name = ServerName::try_from("localhost").unwrap();
    let connection = ClientConnection::new(Arc::new(config), name).unwrap();
    StreamOwned::new(connection, stream)
}

/// Logs in and reads one message.
fn greet(mut stream: impl Read + Write) -> std::io::Result<String> {
    stream.write_all(&startup(3 << 16, &[("user", "x")]))?;
    let mut head = [0; 5];
    stream.read_exact(&mut head)?;
    let mut body = vec![0; u32::from_be_bytes(head[1..].try_into().unwrap()) as usize - 4];
    stream.read_exact(&mut body)?;
    Ok(show(head[0], &body))
}

const SELF_SIGNED: &str = "[tls]\nself_signed = true\n";

#[test]
fn tls_is_there_when_asked_for() {
    let server = TestServer::configured(SELF_SIGNED);
    let mut stream = TcpStream::connect(("127.0.0.1", server.port)).unwrap();
    stream.write_all(&packet(&80_877_103_u32.to_be_bytes())).unwrap();
    let mut answer = [0];
    stream.read_exact(&mut answer).unwrap();
    assert_eq!(&answer, b"S");
    assert_eq!(greet(encrypted(stream, &[])).unwrap(), "R 0");
    // And nobody has to.
    assert_eq!(server.client().query("SELECT 1 AS a")[1], "D 1");
}

#[test]
fn direct_tls_needs_its_protocol_named() {
    let server = TestServer::configured(SELF_SIGNED);
    let connect = || TcpStream::connect(("127.0.0.1", server.port)).unwrap();
    assert_eq!(greet(encrypted(connect(), &[b"postgresql"])).unwrap(), "R 0");
    assert!(greet(encrypted(connect(), &[])).is_err());
    assert!(greet(encrypted(connect(), &[b"http/1.1"])).is_err());
}

#[test]
fn plain_sessions_are_refused_where_tls_is_demanded() {
    let server = TestServer::configured("[tls]\nself_signed = true\nmode = \"require\"\n");
    let stream = TcpStream::connect(("127.0.0.1", server.port)).unwrap();
    assert_eq!(
        greet(stream).unwrap(),
        "E FATAL 28000 this server accepts encrypted connections only"
    );
    let stream = TcpStream::connect(("127.0.0.1", server.port)).unwrap();
    assert_eq!(greet(encrypted(stream, &[b"postgresql"])).unwrap(), "R 0");
}

#[test]
fn what_was_sent_before_the_handshake_is_not_trusted() {
    let server = TestServer::configured(SELF_SIGNED);
    let mut client = server.stranger();
    let mut early = packet(&80_877_103_u32.to_be_bytes());
    early.extend(startup(3 << 16, &[("user", "x")]));
    client.send(&early);
    assert_eq!(
        client.next(),
        "E FATAL 08P01 received unencrypted data after SSL request"
    );
    assert_eq!(client.next(), "closed");
}

#[test]
fn certificates_come_from_files_too() {
    let made = rcgen::generate_simple_self_signed(["localhost".to_owned()]).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let (cert, key) = (folder.path().join("c.pem"), folder.path().join("k.pem"));
    std::fs::write(&cert, made.cert.pem()).unwrap();
    std::fs::write(&key, made.signing_key.serialize_pem()).unwrap();
    let toml = format!("[tls]\ncert = {cert:?}\nkey = {key:?}\n");
    let server = TestServer::configured(&toml);
    let stream = TcpStream::connect(("127.0.0.1", server.port)).unwrap();
    assert_eq!(greet(encrypted(stream, &[b"postgresql"])).unwrap(), "R 0");
}

#[test]
fn libpq_binds_scram_to_the_channel() {
    if Command::new("psql").arg("--version").output().is_err() {
        eprintln!("SKIPPED: psql is not installed");
        return;
    }
    let toml = "[tls]\nself_signed = true\n[auth]\nmode = \"scram\"\n[auth.users]\nalice = \"secret\"\n";
    let server = TestServer::configured(toml);
    let psql = |options: &str, password: &str| {
        let target = format!(
            "host=127.0.0.1 port={} user=alice dbname=x {options}",
            server.port
        );
        let output = Command::new("psql")
            .args([&target, "-X", "-At", "-c", "SELECT 42"])
            .env("PGPASSWORD", password)
            .output()
            .unwrap();
        (
            output.status.success(),
            String::from_utf8_lossy(&output.stdout).trim().to_owned(),
        )
    };
    let in_ = (true, "42".to_owned());
    assert_eq!(psql("sslmode=require channel_binding=require", "secret"), in_);
    assert_eq!(psql("sslmode=require channel_binding=disable", "secret"), in_);
    assert_eq!(psql("sslmode=disable", "secret"), in_);
    assert!(!psql("sslmode=require channel_binding=require", "wrong").0);
    assert!(!psql("sslmode=disable channel_binding=require", "secret").0);
}
