//! TLS towards a server: what is verified of its certificate, by the mode that libpq would be given.

use std::{path::Path, sync::Arc};

use rustls::{
    CertificateError, ClientConfig, DigitallySignedStruct, Error, RootCertStore, SignatureScheme,
    client::{
        WebPkiServerVerifier,
        danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier},
    },
    crypto::{CryptoProvider, ring::default_provider, verify_tls12_signature, verify_tls13_signature},
    pki_types::{
        CertificateDer, PrivateKeyDer, ServerName, UnixTime,
        pem::{self, PemObject},
    },
};

use super::{
    SslMode, UpstreamTls,
    certificate::{common_name_is, is_current},
};

/// What is verified of a server's certificate.
#[derive(Debug)]
struct Verifier {
    provider: Arc<CryptoProvider>,
    /// Verifies against authorities; `None` believes any certificate.
    authorities: Option<Arc<WebPkiServerVerifier>>,
    /// Certificates that are trusted as they are: a server's own certificate can be its `sslrootcert`.
    trusted: Vec<CertificateDer<'static>>,
    /// Whether the certificate has to be for the host.
    by_name: bool,
}

/// What TLS to this server is made with; the reason if a file is of no use.
pub(super) fn client_config(tls: &UpstreamTls) -> Result<ClientConfig, String> {
    let provider = Arc::new(default_provider());
    let verifies = match tls.mode {
        SslMode::Disable | SslMode::Allow | SslMode::Prefer => false,
        SslMode::Require => tls.root_certificate.is_some(),
        SslMode::VerifyCa | SslMode::VerifyFull => true,
    };
    let mut trusted = Vec::new();
    let mut authorities = None;
    if verifies {
        let mut roots = RootCertStore::empty();
        if let Some(file) = &tls.root_certificate {
            trusted = certificates(file)?;
        } else {
            // What cannot be read of the system's authorities is no authority.
            trusted.extend(rustls_native_certs::load_native_certs().certs);
        }
        roots.add_parsable_certificates(trusted.iter().cloned());
        if tls.root_certificate.is_none() {
            trusted.clear();
        }
        if roots.is_empty() {
            return Err(
                "there is no certificate authority on this machine; name one with sslrootcert".into(),
            );
        }
        let verifier = WebPkiServerVerifier::builder_with_provider(Arc::new(roots), Arc::clone(&provider));
        authorities = Some(verifier.build().map_err(|error| error.to_string())?);
    }
    let verifier = Verifier {
        provider: Arc::clone(&provider),
        authorities,
        trusted,
        by_name: tls.mode == SslMode::VerifyFull,
    };
    let builder = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|error| error.to_string())?
        .dangerous()
        .with_custom_certificate_verifier(Arc::new(verifier));
    match &tls.certificate {
        None => Ok(builder.with_no_client_auth()),
        Some((certificate, key)) => {
            let chain = certificates(certificate)?;
            let key_der = PrivateKeyDer::from_pem_file(key)
                .map_err(|error| format!("cannot read the key {}: {error}", key.display()))?;
            builder.with_client_auth_cert(chain, key_der).map_err(|error| {
                format!(
                    "{} and {} do not fit: {error}",
                    certificate.display(),
                    key.display()
                )
            })
        }
    }
}

fn certificates(file: &Path) -> Result<Vec<CertificateDer<'static>>, String> {
    let read = CertificateDer::pem_file_iter(file)
        .and_then(Iterator::collect::<Result<Vec<_>, pem::Error>>)
        .map_err(|error| format!("cannot read the certificates of {}: {error}", file.display()))?;
    if read.is_empty() {
        return Err(format!("{} holds no certificate", file.display()));
    }
    Ok(read)
}

impl Verifier {
    /// Whether the chain is trusted, its name aside.
    fn chain(
        &self,
        verifier: &WebPkiServerVerifier,
        (certificate, intermediates): (&CertificateDer<'_>, &[CertificateDer<'_>]),
        name: &ServerName<'_>,
        (ocsp, now): (&[u8], UnixTime),
    ) -> Result<Named, Error> {
        if self.trusted.iter().any(|trusted| trusted == certificate) {
            return if is_current(certificate, now.as_secs()) {
                Ok(Named::Unknown)
            } else {
                Err(Error::InvalidCertificate(CertificateError::Expired))
            };
        }
        match verifier.verify_server_cert(certificate, intermediates, name, ocsp, now) {
            Ok(_) => Ok(Named::Yes),
            // The name is looked at last, so that everything else is as it should be.
            Err(Error::InvalidCertificate(
                CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. },
            )) => Ok(Named::No),
            Err(error) => Err(error),
        }
    }
}

/// Whether a trusted certificate is for the host.
enum Named {
    Yes,
    No,
    Unknown,
}

impl ServerCertVerifier for Verifier {
    fn verify_server_cert(
        &self,
        certificate: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        name: &ServerName<'_>,
        ocsp: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        let Some(authorities) = &self.authorities else {
            return Ok(ServerCertVerified::assertion());
        };
        let named = self.chain(authorities, (certificate, intermediates), name, (ocsp, now))?;
        let fits = match named {
            _ if !self.by_name => true,
            Named::Yes => true,
            Named::No => common_name_is(certificate, &name.to_str()),
            Named::Unknown => {
                let parsed = rustls::server::ParsedCertificate::try_from(certificate)?;
                rustls::client::verify_server_name(&parsed, name).is_ok()
                    || common_name_is(certificate, &name.to_str())
            }
        };
        if fits {
            Ok(ServerCertVerified::assertion())
        } else {
            Err(Error::InvalidCertificate(CertificateError::NotValidForName))
        }
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        let algorithms = &self.provider.signature_verification_algorithms;
        verify_tls12_signature(message, certificate, signed, algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        let algorithms = &self.provider.signature_verification_algorithms;
        verify_tls13_signature(message, certificate, signed, algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.provider
            .signature_verification_algorithms
            .supported_schemes()
    }
}
