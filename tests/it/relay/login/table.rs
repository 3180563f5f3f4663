//! The table of docs/authentication.md, each field of it tried: how a client is encrypted, how the connection to the
//! server is, what the server asks for, and who asks the client.

use std::fmt::Write;

use super::{
    driver::{Encryption, log_in},
    users::{AUTH_QUERY, KEEPER, METHODS, PASSWORD, server, verifier},
};
use crate::{postgres::server::PostgresServer, relay::front::Front};

/// Who asks the client, and how.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mode {
    Passthrough,
    ScramPassword,
    ScramVerifier,
    ScramQuery,
    Cleartext,
}

/// The connection to the server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Upstream {
    Plain,
    Require,
    VerifyFull,
    Unix,
}

const CLIENTS: [Encryption; 3] = [Encryption::Plain, Encryption::Tls, Encryption::Direct];
const UPSTREAMS: [Upstream; 4] = [
    Upstream::Plain,
    Upstream::Require,
    Upstream::VerifyFull,
    Upstream::Unix,
];

fn address(server: &PostgresServer, upstream: Upstream) -> String {
    let by_tcp = |query: &str| format!("{}?{query}", server.address(KEEPER, "postgres"));
    match upstream {
        Upstream::Plain => by_tcp("sslmode=disable"),
        Upstream::Require => by_tcp("sslmode=require"),
        Upstream::VerifyFull => by_tcp(&format!(
            "sslmode=verify-full&sslrootcert={}",
            server.certificates().authority().display()
        )),
        Upstream::Unix => server.socket_address(KEEPER, "postgres"),
    }
}

async fn configuration(server: &PostgresServer, mode: Mode) -> String {
    let mut users = String::new();
    for user in METHODS {
        let stored = match mode {
            Mode::ScramPassword => PASSWORD.to_owned(),
            // Whose password the server keeps as MD5 has a verifier here alone.
            Mode::ScramVerifier if user == "md5" => verifier(server, "scram").await,
            Mode::ScramVerifier => verifier(server, user).await,
            _ => continue,
        };
        writeln!(users, "{user} = \"{stored}\"").unwrap();
    }
    let auth = match mode {
        Mode::Passthrough => "mode = \"passthrough\"\n".to_owned(),
        Mode::Cleartext => "mode = \"cleartext\"\n".to_owned(),
        Mode::ScramQuery => format!("mode = \"scram\"\nauth_query = \"{AUTH_QUERY}\"\n"),
        Mode::ScramPassword | Mode::ScramVerifier => format!("mode = \"scram\"\n[auth.users]\n{users}"),
    };
    format!("[tls]\nself_signed = true\n[auth]\n{auth}")
}

/// What has to come of it with the right password.
fn expected(mode: Mode, client: Encryption, upstream: Upstream, method: &str) -> Result<(), &'static str> {
    let both_encrypted =
        client != Encryption::Plain && matches!(upstream, Upstream::Require | Upstream::VerifyFull);
    match (mode, method) {
        (Mode::Passthrough, "scram") if both_encrypted => {
            Err("28000 passwords cannot be passed through with TLS on both sides")
        }
        (Mode::ScramVerifier, "password" | "md5") | (Mode::ScramQuery, "password") => {
            Err("28000 the server wants the password itself")
        }
        // The server has no verifier of this user.
        (Mode::ScramQuery, "md5") => Err("28P01 password authentication failed for user \"md5\""),
        _ => Ok(()),
    }
}

async fn try_all(mode: Mode) {
    let Some(server) = server().await else {
        return;
    };
    let toml = configuration(&server, mode).await;
    let mut wrong = vec![];
    let mut tried = 0;
    for upstream in UPSTREAMS {
        let front = Front::start(&address(&server, upstream), &toml);
        for (client, method) in CLIENTS
            .iter()
            .flat_map(|client| METHODS.map(|method| (*client, method)))
        {
            let expected = expected(mode, client, upstream, method);
            let outcome = log_in(front.port, client, (method, PASSWORD)).await;
            let right = match (&outcome, expected) {
                (Ok(user), Ok(())) => user == method,
                (Err(told), Err(words)) => told.starts_with(words),
                _ => false,
            };
            tried += 1;
            if !right {
                wrong.push(format!(
                    "{mode:?} {client:?} {upstream:?} {method}: {outcome:?}, not {expected:?}"
                ));
            }
            // With a wrong password nobody gets in, but where nobody looks at it.
            let unchecked = method == "trust" && matches!(mode, Mode::Passthrough | Mode::Cleartext);
            if client != Encryption::Direct && !unchecked {
                tried += 1;
                match log_in(front.port, client, (method, "wrong")).await {
                    Err(told) if told.starts_with("28P01") || expected.is_err() => {}
                    outcome => wrong.push(format!(
                        "{mode:?} {client:?} {upstream:?} {method}, wrong: {outcome:?}"
                    )),
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{} of {tried}: {wrong:#?}", wrong.len());
}

#[tokio::test]
async fn the_server_asks() {
    try_all(Mode::Passthrough).await;
}

#[tokio::test]
async fn querent_knows_passwords() {
    try_all(Mode::ScramPassword).await;
}

#[tokio::test]
async fn querent_knows_verifiers() {
    try_all(Mode::ScramVerifier).await;
}

#[tokio::test]
async fn querent_asks_for_verifiers() {
    try_all(Mode::ScramQuery).await;
}

#[tokio::test]
async fn querent_takes_passwords() {
    try_all(Mode::Cleartext).await;
}
