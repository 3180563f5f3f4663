//! The server's certificate: two files, or a self-signed one that lives in memory alone.

use std::{fs, path::Path, sync::Arc};

use pgwire::api::auth::sasl::scram::ScramServerAuth;
use rustls::{
    RootCertStore, ServerConfig,
    crypto::CryptoProvider,
    pki_types::{
        CertificateDer, PrivateKeyDer,
        pem::{self, PemObject},
    },
    server::{WebPkiClientVerifier, danger::ClientCertVerifier},
};
use tokio_rustls::TlsAcceptor;
use x509_parser::{certificate::X509Certificate, prelude::FromDer, time::ASN1Time};

use crate::config::{Certificate, TlsMode, TlsSettings};

/// The ALPN name of direct TLS (PostgreSQL 17).
const ALPN: &[u8] = b"postgresql";
/// That of what the console speaks.
const HTTP: &[u8] = b"http/1.1";

/// All that a TLS handshake needs.
pub(super) struct Tls {
    /// Whether sessions without TLS are refused.
    pub(super) required: bool,
    /// Makes the handshake.
    pub(super) acceptor: TlsAcceptor,
    /// The same for browsers.
    pub(super) web: TlsAcceptor,
    /// SCRAM with this certificate as channel binding, where its signature algorithm allows it.
    pub(super) scram: Option<ScramServerAuth>,
}

impl Tls {
    /// `None` if the settings ask for no TLS; the reason if they ask in vain.
    pub(super) fn from_settings(settings: &TlsSettings) -> Result<Option<Self>, String> {
        let (certificate_pem, key_pem) = match (&settings.mode, &settings.certificate) {
            (TlsMode::Off, _) | (_, None) => return Ok(None),
            (_, Some(Certificate::Files { cert, key })) => (read(cert)?, read(key)?),
            (_, Some(Certificate::SelfSigned)) => self_signed()?,
        };
        let chain = CertificateDer::pem_slice_iter(&certificate_pem)
            .collect::<Result<Vec<_>, pem::Error>>()
            .map_err(|error| format!("the certificate is not PEM: {error}"))?;
        if chain.is_empty() {
            return Err("the certificate file holds no certificate".into());
        }
        if let Some(problem) = chain.first().and_then(out_of_time) {
            tracing::warn!("the certificate of tls.cert {problem}: clients that verify it are kept out");
        }
        let key = PrivateKeyDer::from_pem_slice(&key_pem)
            .map_err(|error| format!("the private key is not PEM: {error}"))?;
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let verifier = match &settings.client_ca {
            Some(file) => client_verifier(file, Arc::clone(&provider))?,
            None => WebPkiClientVerifier::no_client_auth(),
        };
        let mut config = ServerConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .and_then(|builder| {
                builder
                    .with_client_cert_verifier(verifier)
                    .with_single_cert(chain, key)
            })
            .map_err(|error| format!("certificate and key do not work: {error}"))?;
        let mut web = config.clone();
        config.alpn_protocols = vec![ALPN.to_vec()];
        web.alpn_protocols = vec![HTTP.to_vec()];
        let mut scram = ScramServerAuth::new();
        let bound = scram.configure_certificate(&certificate_pem).is_ok();
        Ok(Some(Self {
            required: settings.mode == TlsMode::Require,
            acceptor: TlsAcceptor::from(Arc::new(config)),
            web: TlsAcceptor::from(Arc::new(web)),
            scram: bound.then_some(scram),
        }))
    }
}

/// Lets in whoever has a certificate from one of the authorities in the file. What the certificate says of its owner is
/// not looked at: who the client is, it proves otherwise.
fn client_verifier(
    file: &Path,
    provider: Arc<CryptoProvider>,
) -> Result<Arc<dyn ClientCertVerifier>, String> {
    let mut authorities = RootCertStore::empty();
    for certificate in CertificateDer::pem_slice_iter(&read(file)?) {
        certificate
            .map_err(|error| error.to_string())
            .and_then(|certificate| authorities.add(certificate).map_err(|error| error.to_string()))
            .map_err(|error| format!("{} holds no authority: {error}", file.display()))?;
    }
    WebPkiClientVerifier::builder_with_provider(Arc::new(authorities), provider)
        .build()
        .map_err(|error| format!("{} is of no use: {error}", file.display()))
}

/// What is wrong with a certificate at this moment, in words, if its time is over or has not come.
fn out_of_time(certificate: &CertificateDer<'_>) -> Option<String> {
    let (_, parsed) = X509Certificate::from_der(certificate).ok()?;
    let (validity, now) = (parsed.validity(), ASN1Time::now());
    if now > validity.not_after {
        Some(format!("ran out on {}", validity.not_after))
    } else if now < validity.not_before {
        Some(format!("is not valid before {}", validity.not_before))
    } else {
        None
    }
}

fn read(path: &Path) -> Result<Vec<u8>, String> {
    fs::read(path).map_err(|error| format!("cannot read {}: {error}", path.display()))
}

/// Certificate and key as PEM.
fn self_signed() -> Result<(Vec<u8>, Vec<u8>), String> {
    let names = ["localhost", "127.0.0.1", "::1"].map(str::to_owned).to_vec();
    let made = rcgen::generate_simple_self_signed(names)
        .map_err(|error| format!("cannot make a certificate: {error}"))?;
    Ok((
        made.cert.pem().into_bytes(),
        made.signing_key.serialize_pem().into_bytes(),
    ))
}
