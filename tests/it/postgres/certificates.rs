//! An authority with a certificate for a server and one for each of some users.

use std::{
    fs,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
};

use rcgen::{
    BasicConstraints, CertificateParams, CertifiedIssuer, DnType, ExtendedKeyUsagePurpose, IsCa, KeyPair,
};

/// Files in PEM.
pub(crate) struct Certificates {
    folder: PathBuf,
    issuer: CertifiedIssuer<'static, KeyPair>,
}

impl Certificates {
    /// Makes an authority, and a certificate for `localhost` and `127.0.0.1`.
    pub(super) fn create(folder: &Path) -> Self {
        let mut params = CertificateParams::new(Vec::new()).unwrap();
        params
            .distinguished_name
            .push(DnType::CommonName, "test authority");
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let issuer = CertifiedIssuer::self_signed(params, KeyPair::generate().unwrap()).unwrap();
        let certificates = Self {
            folder: folder.to_owned(),
            issuer,
        };
        fs::write(certificates.authority(), certificates.issuer.pem()).unwrap();
        let mut params = CertificateParams::new(vec!["localhost".into(), "127.0.0.1".into()]).unwrap();
        params
            .extended_key_usages
            .push(ExtendedKeyUsagePurpose::ServerAuth);
        certificates.sign(&params, "server");
        certificates
    }

    /// The authority's certificate.
    pub(crate) fn authority(&self) -> PathBuf {
        self.folder.join("authority.crt")
    }

    /// A certificate with its key for a user, as `cert` in `pg_hba.conf` wants it.
    pub(crate) fn user(&self, name: &str) -> (PathBuf, PathBuf) {
        let mut params = CertificateParams::new(Vec::new()).unwrap();
        params.distinguished_name.push(DnType::CommonName, name);
        params
            .extended_key_usages
            .push(ExtendedKeyUsagePurpose::ClientAuth);
        self.sign(&params, &format!("user-{name}"))
    }

    /// The server's next certificate is one that ran out long ago.
    pub(crate) fn expire(&self) {
        let mut params = CertificateParams::new(vec!["localhost".into(), "127.0.0.1".into()]).unwrap();
        params.not_before = rcgen::date_time_ymd(2020, 1, 1);
        params.not_after = rcgen::date_time_ymd(2021, 1, 1);
        let (certificate, key) = self.sign(&params, "expired");
        // The files stay the server's own.
        fs::copy(certificate, self.folder.join("server.crt")).unwrap();
        fs::copy(key, self.folder.join("server.key")).unwrap();
    }

    fn sign(&self, params: &CertificateParams, name: &str) -> (PathBuf, PathBuf) {
        let key = KeyPair::generate().unwrap();
        let signed = params.signed_by(&key, &self.issuer).unwrap();
        let files = (
            self.folder.join(format!("{name}.crt")),
            self.folder.join(format!("{name}.key")),
        );
        fs::write(&files.0, signed.pem()).unwrap();
        fs::write(&files.1, key.serialize_pem()).unwrap();
        fs::set_permissions(&files.1, fs::Permissions::from_mode(0o600)).unwrap();
        files
    }

    /// Lines of `postgresql.conf`.
    pub(super) fn settings(&self) -> String {
        let folder = self.folder.display();
        format!(
            "ssl = on\nssl_ca_file = '{folder}/authority.crt'\nssl_cert_file = '{folder}/server.crt'\n\
             ssl_key_file = '{folder}/server.key'\n"
        )
    }

    /// Each file that the server reads.
    pub(super) fn each_file(&self, visit: impl Fn(&Path)) {
        for name in ["authority.crt", "server.crt", "server.key"] {
            visit(&self.folder.join(name));
        }
    }
}
