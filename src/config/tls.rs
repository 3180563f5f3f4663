//! Encryption of client connections as it is configured.

use std::path::PathBuf;

use super::{ConfigError, declare::settings, reader::Reader};
use crate::statement::words::words;

settings! {
    /// Encryption of client connections.
    #[derive(Debug, Clone)]
    pub struct TlsSettings in "tls." {
        pub mode: TlsMode = "off", "whether clients may or must use TLS; allow where a certificate is configured";
        cert: Option<PathBuf> = "", "certificate chain, a PEM file";
        key: Option<PathBuf> = "", "private key of the certificate, a PEM file";
        self_signed: bool = "off", "make a certificate at every start instead of reading one";
        pub client_ca: Option<PathBuf> =
            "", "authorities, a PEM file: clients need a certificate from one of them, with tls.mode = require";
    }
    beside {
        /// Where the certificate comes from; present unless `mode` is off.
        pub certificate: Option<Certificate>;
    }
}

words! {
    /// Whether TLS is offered or demanded.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum TlsMode {
        /// Not offered.
        Off = "off",
        /// Offered.
        Allow = "allow",
        /// Demanded.
        Require = "require",
    }
}

/// Where a certificate comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Certificate {
    /// Two PEM files.
    Files {
        /// The chain.
        cert: PathBuf,
        /// The private key.
        key: PathBuf,
    },
    /// Made at every start.
    SelfSigned,
}

impl TlsSettings {
    pub(super) fn complete(&mut self, read: &Reader<'_>) -> Result<(), ConfigError> {
        self.certificate = match (self.cert.take(), self.key.take(), self.self_signed) {
            (None, None, true) => Some(Certificate::SelfSigned),
            (None, None, false) => None,
            (Some(cert), Some(key), false) => Some(Certificate::Files { cert, key }),
            (Some(_), _, true) | (_, Some(_), true) => {
                return Err(read.refuse(
                    "tls.self_signed",
                    "is on, but tls.cert or tls.key is given too",
                    "choose one of them",
                ));
            }
            (Some(_), None, _) => {
                return Err(read.refuse(
                    "tls.cert",
                    "is given without tls.key",
                    "name the file of its private key",
                ));
            }
            (None, Some(_), _) => {
                return Err(read.refuse(
                    "tls.key",
                    "is given without tls.cert",
                    "name the file of the certificate",
                ));
            }
        };
        if self.mode != TlsMode::Off && self.certificate.is_none() {
            return Err(read.refuse(
                "tls.mode",
                "asks for TLS, but there is no certificate",
                "set tls.cert and tls.key, or tls.self_signed = true",
            ));
        }
        if self.client_ca.is_some() && self.mode != TlsMode::Require {
            return Err(read.refuse(
                "tls.client_ca",
                "asks for certificates, but clients may connect without TLS",
                "set tls.mode = \"require\"",
            ));
        }
        Ok(())
    }
}
