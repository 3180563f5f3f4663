//! What a server's certificate says: its hash for channel binding, the names that it is for.

use ring::digest;
use x509_parser::{certificate::X509Certificate, prelude::FromDer, signature_algorithm::RsaSsaPssParams};

/// The signature algorithm whose hash is a parameter (RFC 4055, section 3.1).
const RSASSA_PSS: &str = "1.2.840.113549.1.1.10";

/// `tls-server-end-point` of a certificate (RFC 5929, section 4.1): its hash by the algorithm of its signature,
/// or SHA-256 where that is MD5 or SHA-1. `None` where the RFC leaves it open, as for Ed25519.
pub(super) fn end_point(certificate: &[u8]) -> Option<Vec<u8>> {
    let (_, parsed) = X509Certificate::from_der(certificate).ok()?;
    let signature = &parsed.signature_algorithm;
    let mut algorithm = signature.algorithm.to_id_string();
    if algorithm == RSASSA_PSS {
        let parameters = RsaSsaPssParams::try_from(signature.parameters.as_ref()?).ok()?;
        algorithm = parameters.hash_algorithm_oid().to_id_string();
    }
    let hash = match algorithm.as_str() {
        // RSA with MD5, SHA-1 and SHA-256; ECDSA with SHA-1 and SHA-256; SHA-1 and SHA-256 themselves.
        "1.2.840.113549.1.1.4"
        | "1.2.840.113549.1.1.5"
        | "1.2.840.113549.1.1.11"
        | "1.2.840.10045.4.1"
        | "1.2.840.10045.4.3.2"
        | "1.3.14.3.2.26"
        | "2.16.840.1.101.3.4.2.1" => &digest::SHA256,
        // The same with SHA-384, then with SHA-512.
        "1.2.840.113549.1.1.12" | "1.2.840.10045.4.3.3" | "2.16.840.1.101.3.4.2.2" => &digest::SHA384,
        "1.2.840.113549.1.1.13" | "1.2.840.10045.4.3.4" | "2.16.840.1.101.3.4.2.3" => &digest::SHA512,
        _ => return None,
    };
    Some(digest::digest(hash, certificate).as_ref().to_vec())
}

/// True if a certificate without alternative names has this common name, which is what many servers' own
/// certificates look like, and what libpq accepts.
pub(super) fn common_name_is(certificate: &[u8], host: &str) -> bool {
    let Ok((_, parsed)) = X509Certificate::from_der(certificate) else {
        return false;
    };
    if !matches!(parsed.subject_alternative_name(), Ok(None)) {
        return false;
    }
    parsed
        .subject()
        .iter_common_name()
        .filter_map(|name| name.as_str().ok())
        .any(|name| name.eq_ignore_ascii_case(host))
}

/// True if the certificate is valid at this moment.
pub(super) fn is_current(certificate: &[u8], seconds: u64) -> bool {
    X509Certificate::from_der(certificate).is_ok_and(|(_, parsed)| {
        let validity = parsed.validity();
        let now = i64::try_from(seconds).unwrap_or(i64::MAX);
        validity.not_before.timestamp() <= now && now <= validity.not_after.timestamp()
    })
}

#[cfg(test)]
mod tests {
    use rcgen::{CertificateParams, DnType, KeyPair};

    use super::*;

    fn certificate(key: &KeyPair, common_name: &str, names: &[&str]) -> Vec<u8> {
        let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
        let mut params = CertificateParams::new(names).unwrap();
        params.distinguished_name.push(DnType::CommonName, common_name);
        params.self_signed(key).unwrap().der().to_vec()
    }

    #[test]
    fn the_hash_follows_the_signature() {
        for (algorithm, length) in [
            (&rcgen::PKCS_ECDSA_P256_SHA256, Some(32)),
            (&rcgen::PKCS_ECDSA_P384_SHA384, Some(48)),
            (&rcgen::PKCS_ED25519, None),
        ] {
            let made = certificate(&KeyPair::generate_for(algorithm).unwrap(), "a", &[]);
            assert_eq!(end_point(&made).map(|hash| hash.len()), length, "{algorithm:?}");
        }
        assert_eq!(end_point(b"no certificate"), None);
    }

    #[test]
    fn the_common_name_counts_where_there_is_no_other() {
        let key = KeyPair::generate().unwrap();
        let plain = certificate(&key, "db.example", &[]);
        assert!(common_name_is(&plain, "DB.example") && !common_name_is(&plain, "example"));
        assert!(!common_name_is(
            &certificate(&key, "db.example", &["other.example"]),
            "db.example"
        ));
        let now = std::time::SystemTime::now()
            .duration_since(std::time::UNIX_EPOCH)
            .unwrap()
            .as_secs();
        assert!(is_current(&plain, now) && !is_current(&plain, 0));
    }
}
