//! The way to a provider: proxies, private authorities, and what is never said of keys.

use std::{
    fs,
    future::poll_fn,
    net::SocketAddr,
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use querent::{
    config::{ModelApi, ModelSettings, Secret},
    question::model::{ModelError, connect},
};
use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, IsCa, KeyPair};
use rustls::pki_types::{CertificateDer, PrivateKeyDer, pem::PemObject};
use serde_json::json;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt, copy_bidirectional},
    net::{TcpListener, TcpStream},
    sync::oneshot,
};
use tokio_rustls::TlsAcceptor;

use super::{ALL, KEY, free, model, server::ScriptedModel, settings, turn::Turn};

/// An authority, and a certificate of its for a server.
struct Authority {
    folder: tempfile::TempDir,
}

impl Authority {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let mut params = CertificateParams::new(vec![]).unwrap();
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let issuer = CertifiedIssuer::self_signed(params, KeyPair::generate().unwrap()).unwrap();
        let key = KeyPair::generate().unwrap();
        let names = ["127.0.0.1", "model.test"].map(str::to_owned);
        let signed = CertificateParams::new(names)
            .unwrap()
            .signed_by(&key, &issuer)
            .unwrap();
        let authority = Self { folder };
        fs::write(authority.file("ca.pem"), issuer.pem()).unwrap();
        fs::write(authority.file("server.pem"), signed.pem()).unwrap();
        fs::write(authority.file("server.key"), key.serialize_pem()).unwrap();
        authority
    }

    fn file(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn server(&self, turns: Vec<Turn>) -> ScriptedModel {
        ScriptedModel::start_tls(turns, &self.file("server.pem"), &self.file("server.key"))
    }
}

#[tokio::test]
async fn a_private_authority_is_trusted_where_it_is_named() {
    let authority = Authority::new();
    for &api in ALL {
        let server = authority.server(vec![Turn::says("SELECT 1")]);
        let unknown = ModelSettings {
            retries: 0,
            ..settings(api, &[&server])
        };
        let error = model(unknown.clone()).complete(&free()).await.unwrap_err();
        assert!(
            matches!(&error, ModelError::Unreachable(why) if why.contains("certificate")),
            "{error:?}"
        );
        let known = ModelSettings {
            ca: Some(authority.file("ca.pem")),
            ..unknown
        };
        assert_eq!(model(known).complete(&free()).await.unwrap().text, "SELECT 1");
        server.finish();
    }
    let refused = |ca: &Path| {
        let mut settings = ModelSettings::new("tested", ModelApi::OpenAi, "m");
        settings.ca = Some(ca.to_owned());
        connect(settings).unwrap_err().to_string()
    };
    let missing = refused(&authority.file("missing.pem"));
    assert!(
        missing.contains("cannot read") && missing.contains("missing.pem"),
        "{missing}"
    );
    let none = refused(&authority.file("server.key"));
    assert!(none.contains("holds no certificate"), "{none}");
}

#[tokio::test]
async fn a_proxy_leads_to_http() {
    let proxy = ScriptedModel::start(vec![Turn::says("SELECT 1")]);
    let settings = ModelSettings {
        base_urls: vec!["http://model.test/v1".into()],
        proxy: Some(Secret::new(proxy.url().replace("http://", "http://user:hidden@"))),
        ..settings(ModelApi::OpenAi, &[])
    };
    assert_eq!(
        model(settings.clone()).complete(&free()).await.unwrap().text,
        "SELECT 1"
    );
    let seen = proxy.finish().remove(0);
    assert_eq!(seen.path, "http://model.test/v1/chat/completions");
    assert_eq!(seen.header("proxy-authorization"), Some("Basic dXNlcjpoaWRkZW4="));
    // It is gone now.
    let error = model(ModelSettings {
        retries: 0,
        ..settings
    })
    .complete(&free())
    .await
    .unwrap_err();
    assert!(
        matches!(&error, ModelError::Unreachable(why) if !why.contains("hidden")),
        "{error:?}"
    );
}

#[tokio::test]
async fn some_hosts_are_reached_without_the_proxy() {
    let server = ScriptedModel::start(vec![Turn::says("SELECT 1")]);
    let here = ModelSettings {
        proxy: Some(Secret::new("http://127.0.0.1:1")),
        retries: 0,
        ..settings(ModelApi::OpenAi, &[&server])
    };
    assert_eq!(
        model(here.clone()).complete(&free()).await.unwrap().text,
        "SELECT 1"
    );
    server.finish();
    // The name leads nowhere either way, but not to the proxy.
    let proxy = ScriptedModel::start(vec![]);
    let besides = ModelSettings {
        base_urls: vec!["http://model.invalid".into()],
        proxy: Some(Secret::new(proxy.url())),
        no_proxy: Some("other.test,.invalid".into()),
        ..here
    };
    let error = model(besides).complete(&free()).await.unwrap_err();
    assert!(matches!(error, ModelError::Unreachable(_)), "{error:?}");
    proxy.finish();
}

/// A proxy that opens one kind of tunnel: to this address, whatever is asked for.
async fn tunnel(target: SocketAddr) -> (u16, Arc<AtomicUsize>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let opened = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&opened);
    tokio::spawn(async move {
        while let Ok((mut client, _)) = listener.accept().await {
            let mut head = vec![];
            while !head.ends_with(b"\r\n\r\n") {
                head.push(client.read_u8().await.unwrap());
            }
            assert!(head.starts_with(b"CONNECT model.test:443 HTTP/1.1\r\n"));
            assert!(!String::from_utf8(head).unwrap().contains(KEY));
            count.fetch_add(1, Ordering::SeqCst);
            client.write_all(b"HTTP/1.1 200 open\r\n\r\n").await.unwrap();
            let mut server = TcpStream::connect(target).await.unwrap();
            tokio::spawn(async move {
                // Either side may go first.
                let _ = copy_bidirectional(&mut client, &mut server).await;
            });
        }
    });
    (port, opened)
}

#[tokio::test]
async fn a_proxy_tunnels_to_https() {
    let authority = Authority::new();
    let server = authority.server(vec![Turn::says("SELECT 1")]);
    let (port, opened) = tunnel(([127, 0, 0, 1], server.port()).into()).await;
    let settings = ModelSettings {
        base_urls: vec!["https://model.test".into()],
        proxy: Some(Secret::new(format!("http://127.0.0.1:{port}"))),
        ca: Some(authority.file("ca.pem")),
        ..settings(ModelApi::OpenAi, &[])
    };
    assert_eq!(model(settings).complete(&free()).await.unwrap().text, "SELECT 1");
    assert_eq!(opened.load(Ordering::SeqCst), 1);
    server.finish();
}

/// A server that speaks HTTP/2, as the providers do: it answers the first request, and lets the second wait for ever.
/// Tells when that one has come, and when it was given up.
async fn http2(authority: &Authority) -> (u16, oneshot::Receiver<()>, oneshot::Receiver<h2::Reason>) {
    let chain = CertificateDer::pem_file_iter(authority.file("server.pem")).unwrap();
    let chain: Vec<_> = chain.map(Result::unwrap).collect();
    let key = PrivateKeyDer::from_pem_file(authority.file("server.key")).unwrap();
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let mut config = rustls::ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(chain, key)
        .unwrap();
    config.alpn_protocols = vec![b"h2".to_vec()];
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let (come, has_come) = oneshot::channel();
    let (given_up, was_given_up) = oneshot::channel();
    tokio::spawn(async move {
        let (stream, _) = listener.accept().await.unwrap();
        let stream = TlsAcceptor::from(Arc::new(config)).accept(stream).await.unwrap();
        let mut connection = h2::server::handshake(stream).await.unwrap();
        let said = json!({"choices": [{"delta": {"content": "SELECT 1"}}]});
        let mut second = Some((come, given_up));
        for count in 0.. {
            let Some(Ok((request, mut respond))) = connection.accept().await else {
                return;
            };
            assert_eq!(request.uri().path(), "/v1/chat/completions");
            let mut stream = respond.send_response(hyper::Response::new(()), false).unwrap();
            stream
                .send_data(format!("data: {said}\n\n").into(), false)
                .unwrap();
            if count == 0 {
                stream.send_data("data: [DONE]\n\n".into(), true).unwrap();
            } else if let Some((come, given_up)) = second.take() {
                come.send(()).unwrap();
                tokio::spawn(async move {
                    let reason = poll_fn(|context| stream.poll_reset(context)).await;
                    given_up.send(reason.unwrap()).unwrap();
                });
            }
        }
    });
    (port, has_come, was_given_up)
}

#[tokio::test]
async fn http2_is_spoken_and_a_dropped_call_resets_its_stream() {
    let authority = Authority::new();
    let (port, has_come, was_given_up) = http2(&authority).await;
    let model = model(ModelSettings {
        base_urls: vec![format!("https://127.0.0.1:{port}")],
        ca: Some(authority.file("ca.pem")),
        ..settings(ModelApi::OpenAi, &[])
    });
    assert_eq!(model.complete(&free()).await.unwrap().text, "SELECT 1");
    let second = tokio::spawn(async move { model.complete(&free()).await });
    has_come.await.unwrap();
    second.abort();
    assert_eq!(was_given_up.await.unwrap(), h2::Reason::CANCEL);
}

/// Answers that come one after the other share a connection.
#[tokio::test]
async fn connections_serve_again() {
    for &api in ALL {
        let server = ScriptedModel::start(vec![Turn::says("SELECT 1"); 5]);
        let model = model(settings(api, &[&server]));
        for _ in 0..5 {
            model.complete(&free()).await.unwrap();
            // The end of a body may come a moment after its last event.
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        let seen = server.finish();
        let last = seen.iter().map(|seen| seen.connection).max();
        assert_eq!(last, Some(0), "{api:?}");
    }
}

#[tokio::test]
async fn keys_are_never_shown() {
    for &api in ALL {
        let echo =
            json!({"error": {"message": format!("wrong key {KEY}, and x-team: blue-secret, sk-sec***6789")}});
        let turns = vec![
            Turn::body(echo.to_string()).with_status(401),
            Turn::events([&echo]),
            Turn::says("").with_body(format!("{KEY} <html>")),
        ];
        let server = ScriptedModel::start(turns);
        let settings = ModelSettings {
            base_urls: vec![server.url().replace("http://", "http://user:hidden@") + "?sig=hidden"],
            headers: [("x-team".to_owned(), Secret::new("blue-secret"))].into(),
            proxy: Some(Secret::new("http://user:hidden@127.0.0.1:1")),
            retries: 0,
            ..settings(api, &[])
        };
        let model = model(settings.clone());
        let mut said = vec![
            format!("{settings:?}"),
            format!("{model:?}"),
            format!("{:?}", settings.key),
        ];
        for _ in 0..3 {
            let error = model.complete(&free()).await.unwrap_err();
            said.extend([error.to_string(), format!("{error:?}")]);
        }
        server.finish();
        let error = model.complete(&free()).await.unwrap_err();
        assert!(matches!(error, ModelError::Unreachable(_)), "{error:?}");
        said.extend([error.to_string(), format!("{error:?}")]);
        let mut wrong = settings.clone();
        wrong.headers.insert("x-bad".into(), Secret::new("hidden\nline"));
        said.push(connect(wrong).unwrap_err().to_string());
        let mut wrong = settings;
        wrong.base_urls.push("http://user:hidden@:x/?key=hidden".into());
        said.push(connect(wrong).unwrap_err().to_string());
        for words in said {
            for secret in [KEY, "0123456789", "hidden", "blue-secret", "sk-sec"] {
                assert!(!words.contains(secret), "{api:?}: {secret} in {words}");
            }
        }
    }
}
