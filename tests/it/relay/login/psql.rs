//! psql, for what libpq makes of certificates and channel binding.

use std::{
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    process::Command,
};

use rcgen::{CertificateParams, KeyPair, SignatureAlgorithm};

use super::users::{AUTH_QUERY, KEEPER, PASSWORD, server};
use crate::relay::front::Front;

const QUERY: &str =
    "[auth]\nmode = \"scram\"\nauth_query = \"SELECT name, verifier FROM keeper.verifier($1)\"\n";
const SELF_SIGNED: &str = "[tls]\nself_signed = true\n";

/// Logs in as `scram`; what psql says if it cannot.
fn psql(host: &str, port: u16, options: &str) -> Result<(), String> {
    let target = format!("host={host} port={port} user=scram dbname=postgres {options}");
    let output = Command::new("psql")
        .args([&target, "-XAt", "-c", "SELECT current_user"])
        .env("PGPASSWORD", PASSWORD)
        .output()
        .unwrap();
    if output.status.success() {
        assert_eq!(output.stdout, b"scram\n");
        return Ok(());
    }
    Err(String::from_utf8_lossy(&output.stderr).into_owned())
}

fn check(front: &Front, options: &str, expected: Result<(), &str>) {
    let outcome = psql("127.0.0.1", front.port, options);
    match (&outcome, expected) {
        (Ok(()), Ok(())) => {}
        (Err(told), Err(words)) if told.contains(words) => {}
        _ => panic!("{options}: {outcome:?}, not {expected:?}"),
    }
}

fn there_is_psql() -> bool {
    let there = Command::new("psql").arg("--version").output().is_ok();
    if !there {
        eprintln!("SKIPPED: psql is not installed");
    }
    there
}

#[tokio::test]
async fn channel_binding_is_as_libpq_wants_it() {
    let Some(server) = server().await.filter(|_| there_is_psql()) else {
        return;
    };
    let plain = format!("{}?sslmode=disable", server.address(KEEPER, "postgres"));
    let encrypted = format!("{}?sslmode=require", server.address(KEEPER, "postgres"));
    assert!(QUERY.contains(AUTH_QUERY));

    // The server asks. It cannot bind to a certificate that it does not have.
    let front = Front::start(&plain, SELF_SIGNED);
    check(&front, "sslmode=disable", Ok(()));
    check(&front, "sslmode=require", Ok(()));
    check(&front, "sslmode=require channel_binding=disable", Ok(()));
    let unbound = Err("channel binding is required");
    check(&front, "sslmode=require channel_binding=require", unbound);
    let front = Front::start(&encrypted, SELF_SIGNED);
    check(&front, "sslmode=disable", Ok(()));
    check(
        &front,
        "sslmode=disable channel_binding=require",
        Err("channel binding required"),
    );
    let both = Err("passwords cannot be passed through with TLS on both sides");
    check(&front, "sslmode=require", both);
    // With sslmode=prefer, its default, libpq tries again without TLS.
    check(&front, "", Ok(()));
    check(&front, "sslmode=require channel_binding=require", both);

    // Querent asks, and binds to its own certificate.
    for address in [&plain, &encrypted, &server.socket_address(KEEPER, "postgres")] {
        let front = Front::start(address, &format!("{SELF_SIGNED}{QUERY}"));
        for binding in ["disable", "prefer", "require"] {
            check(
                &front,
                &format!("sslmode=require channel_binding={binding}"),
                Ok(()),
            );
        }
        check(&front, "sslmode=disable", Ok(()));
        check(
            &front,
            "sslmode=disable channel_binding=require",
            Err("channel binding"),
        );
    }

    let front = Front::start(
        &encrypted,
        &format!("{SELF_SIGNED}[auth]\nmode = \"cleartext\"\n"),
    );
    check(&front, "sslmode=require", Ok(()));
    check(&front, "sslmode=disable", Ok(()));
    check(
        &front,
        "sslmode=require channel_binding=require",
        Err("channel binding required"),
    );
}

#[tokio::test]
async fn a_unix_socket_is_as_good_as_an_address() {
    let Some(server) = server().await.filter(|_| there_is_psql()) else {
        return;
    };
    for auth in ["", QUERY, "[auth]\nmode = \"cleartext\"\n"] {
        let listen = "listen = [\"FOLDER/.s.PGSQL.6543\"]\n";
        let front = Front::start(
            &server.socket_address(KEEPER, "postgres"),
            &format!("{listen}{SELF_SIGNED}{auth}"),
        );
        let folder = front.folder.path().to_str().unwrap();
        assert_eq!(psql(folder, 6543, ""), Ok(()), "{auth}");
    }
}

#[tokio::test]
async fn replication_is_let_through_by_the_same_ways() {
    let Some(server) = server().await.filter(|_| there_is_psql()) else {
        return;
    };
    for auth in ["", QUERY, "[auth]\nmode = \"cleartext\"\n"] {
        let front = Front::start(&server.address(KEEPER, "postgres"), auth);
        for replication in ["true", "database"] {
            let target = format!(
                "host=127.0.0.1 port={} user=scram dbname=postgres replication={replication}",
                front.port
            );
            let run = |password: &str| {
                Command::new("psql")
                    .args([&target, "-XAt", "-c", "IDENTIFY_SYSTEM"])
                    .env("PGPASSWORD", password)
                    .output()
                    .unwrap()
            };
            let told = run(PASSWORD);
            let text = String::from_utf8_lossy(&told.stdout);
            // The system's number, the timeline, the place in the log, the database.
            assert_eq!(text.split('|').count(), 4, "{auth} {replication}: {told:?}");
            assert!(!run("wrong").status.success());
        }
    }
}

#[tokio::test]
async fn clients_may_need_a_certificate() {
    let Some(server) = server().await.filter(|_| there_is_psql()) else {
        return;
    };
    let certificates = server.certificates();
    let toml = format!(
        "[tls]\nmode = \"require\"\nself_signed = true\nclient_ca = \"{}\"\n{QUERY}",
        certificates.authority().display()
    );
    let front = Front::start(&server.address(KEEPER, "postgres"), &toml);
    let with = |(cert, key): (PathBuf, PathBuf)| {
        format!(
            "sslmode=require channel_binding=require sslcert={} sslkey={}",
            cert.display(),
            key.display()
        )
    };
    check(&front, &with(certificates.user("anybody")), Ok(()));
    check(&front, "sslmode=require", Err("certificate required"));
    check(
        &front,
        "sslmode=disable",
        Err("this server accepts encrypted connections only"),
    );
    // From somebody else.
    let folder = tempfile::tempdir().unwrap();
    certificate(folder.path(), &rcgen::PKCS_ECDSA_P256_SHA256);
    let (cert, key) = (folder.path().join("cert.pem"), folder.path().join("key.pem"));
    std::fs::set_permissions(&key, PermissionsExt::from_mode(0o600)).unwrap();
    check(&front, &with((cert, key)), Err("SSL error"));
}

fn certificate(folder: &Path, algorithm: &'static SignatureAlgorithm) {
    let key = KeyPair::generate_for(algorithm).unwrap();
    let params = CertificateParams::new(vec!["localhost".into()]).unwrap();
    let made = params.self_signed(&key).unwrap();
    std::fs::write(folder.join("cert.pem"), made.pem()).unwrap();
    std::fs::write(folder.join("key.pem"), key.serialize_pem()).unwrap();
}

#[tokio::test]
async fn certificates_change_without_a_restart() {
    let Some(server) = server().await.filter(|_| there_is_psql()) else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    certificate(folder.path(), &rcgen::PKCS_ECDSA_P256_SHA256);
    let path = |name: &str| folder.path().join(name).display().to_string();
    let toml = format!(
        "[tls]\nmode = \"require\"\ncert = \"{}\"\nkey = \"{}\"\n{QUERY}",
        path("cert.pem"),
        path("key.pem")
    );
    // What is trusted of the server may change as well.
    let authority = path("authority.pem");
    std::fs::copy(server.certificates().authority(), &authority).unwrap();
    let upstream = format!(
        "{}?sslmode=verify-full&sslrootcert={authority}",
        server.address(KEEPER, "postgres")
    );
    let front = Front::start(&upstream, &toml);
    let trusted = path("trusted.pem");
    let verified = format!("sslmode=verify-ca channel_binding=require sslrootcert={trusted}");
    std::fs::copy(path("cert.pem"), &trusted).unwrap();
    check(&front, &verified, Ok(()));
    check(
        &front,
        "sslmode=disable",
        Err("this server accepts encrypted connections only"),
    );
    std::fs::copy(path("cert.pem"), &authority).unwrap();
    check(&front, &verified, Err("invalid peer certificate"));
    std::fs::copy(server.certificates().authority(), &authority).unwrap();
    check(&front, &verified, Ok(()));
    // Another one, signed with SHA-384, which is then what is bound to.
    certificate(folder.path(), &rcgen::PKCS_ECDSA_P384_SHA384);
    check(&front, &verified, Ok(()));
    front.reload(&toml).unwrap();
    check(&front, &verified, Err("certificate verify failed"));
    std::fs::copy(path("cert.pem"), &trusted).unwrap();
    check(&front, &verified, Ok(()));
    // For Ed25519 there is no hash to bind to.
    certificate(folder.path(), &rcgen::PKCS_ED25519);
    front.reload(&toml).unwrap();
    check(&front, "sslmode=require", Ok(()));
    check(
        &front,
        "sslmode=require channel_binding=require",
        Err("channel binding"),
    );
    // Files that are of no use change nothing.
    std::fs::write(path("cert.pem"), "no certificate").unwrap();
    assert!(front.reload(&toml).is_err());
    check(&front, "sslmode=require", Ok(()));
}
