//! Who is not let in, and what they are told.

use std::{
    io::{Read, Write},
    net::{IpAddr, SocketAddr, UdpSocket},
};

use super::{
    driver::{Encryption, connect, log_in},
    raw::{Client, frame, hello, server_at},
    users::{AUTH_QUERY, KEEPER, PASSWORD, server},
};
use crate::relay::front::Front;

/// An address of this machine by which it looks like another one; `None` where there is no network.
fn other_address() -> Option<IpAddr> {
    let socket = UdpSocket::bind("0.0.0.0:0").ok()?;
    // Nothing is sent: only the way there is looked up.
    socket.connect("192.0.2.1:9").ok()?;
    let address = socket.local_addr().ok()?.ip();
    (!address.is_loopback() && !address.is_unspecified()).then_some(address)
}

#[tokio::test]
async fn trust_of_the_server_is_for_this_machine() {
    let Some(server) = server().await else {
        return;
    };
    let Some(elsewhere) = other_address() else {
        eprintln!("SKIPPED: this machine has no address but its own");
        return;
    };
    let refused =
        "FATAL 28000 the server asks Querent for no password, so it would let in anybody from anywhere";
    let check = |auth: &str, user: &str, (from_here, from_elsewhere): (&str, &str)| {
        let toml = format!("listen = [\"0.0.0.0:0\"]\n[auth]\n{auth}");
        for upstream in [
            server.address(KEEPER, "postgres"),
            server.socket_address(KEEPER, "postgres"),
        ] {
            let front = Front::start(&upstream, &toml);
            for (address, expected) in [([127, 0, 0, 1].into(), from_here), (elsewhere, from_elsewhere)] {
                let mut client = Client::connect(SocketAddr::new(address, front.port));
                client.send(&hello(user));
                assert_eq!(client.next(), expected, "{auth} {user} {address}");
            }
        }
    };
    check("", "trust", ("R 0", refused));
    check("allow_upstream_trust = true", "trust", ("R 0", "R 0"));
    check("", "md5", ("R 5", "R 5"));
    check("", "scram", ("R 10", "R 10"));
    // Here the client is asked first, whatever the server does.
    check(
        "mode = \"scram\"\nusers = { trust = \"x\" }",
        "trust",
        ("R 10", "R 10"),
    );
    let unencrypted = "FATAL 28000 a password would be sent in clear text over an unencrypted connection";
    check("mode = \"cleartext\"", "trust", ("R 3", unencrypted));
}

#[test]
fn passwords_do_not_leave_this_machine_unencrypted() {
    let Some(elsewhere) = other_address() else {
        eprintln!("SKIPPED: this machine has no address but its own");
        return;
    };
    for (address, expected) in [
        (
            elsewhere,
            "FATAL 28000 the server wants the password in clear text over an unencrypted connection",
        ),
        // It gets the password, and then leaves.
        (
            [127, 0, 0, 1].into(),
            "FATAL 08006 the server closed the connection while logging in",
        ),
    ] {
        let port = server_at(address, |stream| {
            drop(stream.write_all(&frame(b'R', &[0, 0, 0, 3])));
            let mut answer = [0; 16];
            if stream.read_exact(&mut answer).is_ok() {
                assert_eq!(answer[5..], [PASSWORD.as_bytes(), b"\0"].concat());
            }
        });
        let front = Front::start(
            &format!("postgres://{address}:{port}/x?sslmode=disable"),
            "[auth]\nmode = \"cleartext\"\n",
        );
        let mut client = Client::at(front.port);
        client.send(&hello("scram"));
        assert_eq!(client.next(), "R 3");
        client.send(&frame(b'p', &[PASSWORD.as_bytes(), b"\0"].concat()));
        assert_eq!(client.next(), expected);
    }
}

#[tokio::test]
async fn combinations_that_cannot_work_do_not_start() {
    let refused = async |query: &str, toml: &str, words: &str| {
        let error = Front::refusal(&format!("postgres://127.0.0.1:1/x?{query}"), toml).await;
        assert!(error.to_string().contains(words), "{error}");
    };
    let tls = "[tls]\nself_signed = true\nmode = \"require\"\n";
    for mode in ["", "[auth]\nmode = \"passthrough\"\n"] {
        refused("sslmode=require", &format!("{tls}{mode}"), "TLS on both sides").await;
        refused(
            "sslmode=verify-full",
            &format!("{tls}{mode}"),
            "TLS on both sides",
        )
        .await;
    }
    refused("", "[auth]\nmode = \"trust\"\n", "is for SQLite files").await;
}

#[tokio::test]
async fn too_many_are_told_before_the_server_is_asked() {
    let Some(server) = server().await else {
        return;
    };
    let front = Front::start(&server.address(KEEPER, "postgres"), "[limits]\nconnections = 1\n");
    let session = connect(front.port, Encryption::Plain, ("trust", ""))
        .await
        .unwrap();
    let more = log_in(front.port, Encryption::Plain, ("trust", "")).await;
    assert_eq!(more, Err("53300 sorry, too many clients already".into()));
    let sql = "SELECT count(*) FROM pg_stat_activity WHERE usename = 'trust'";
    assert_eq!(session.query_one(sql, &[]).await.unwrap().get::<_, i64>(0), 1);
}

#[tokio::test]
async fn a_server_that_is_not_there_is_told_without_its_password() {
    for mode in ["passthrough", "cleartext"] {
        let front = Front::start(
            "postgres://keeper:hunter2@127.0.0.1:1/x",
            &format!("[auth]\nmode = \"{mode}\"\n"),
        );
        let told = log_in(front.port, Encryption::Plain, ("scram", PASSWORD))
            .await
            .unwrap_err();
        assert!(
            told.starts_with("08001 cannot connect to the PostgreSQL server at 127.0.0.1:1"),
            "{told}"
        );
        assert!(!told.contains("hunter2"), "{told}");
    }
}

#[tokio::test]
async fn verifiers_that_cannot_be_had_let_nobody_in() {
    let Some(mut server) = server().await else {
        return;
    };
    let address = server.address(KEEPER, "postgres");
    let front = |query: &str| {
        Front::start(
            &address,
            &format!("[auth]\nmode = \"scram\"\nauth_query = \"{query}\"\n"),
        )
    };
    let log_in =
        async |front: &Front, user: &str| log_in(front.port, Encryption::Plain, (user, PASSWORD)).await;
    let unknown = |user: &str| {
        Err(format!(
            "28P01 password authentication failed for user \"{user}\""
        ))
    };
    let broken = Err("58000 the password of user \"scram\" cannot be checked".to_owned());
    let sound = front(AUTH_QUERY);
    assert_eq!(log_in(&sound, "scram").await, Ok("scram".into()));
    assert_eq!(log_in(&sound, "nobody").await, unknown("nobody"));
    assert_eq!(log_in(&sound, "postgres").await, unknown("postgres"));
    for query in [
        "SELECT nonsense",
        "SELECT rolname, rolpassword FROM pg_authid WHERE rolname = $1",
        "SELECT $1, 'a', 'b'",
        "SELECT 1",
        "SELECT verifier FROM keeper.verifier($1), generate_series(1, 2)",
    ] {
        assert_eq!(log_in(&front(query), "scram").await, broken, "{query}");
    }
    // Only the verifier is enough; that of somebody else is none.
    let bare = front("SELECT verifier FROM keeper.verifier($1)");
    assert_eq!(log_in(&bare, "scram").await, Ok("scram".into()));
    let other = front("SELECT 'other', verifier FROM keeper.verifier($1)");
    assert_eq!(log_in(&other, "scram").await, unknown("scram"));
    // A user who may not log in any more, once the answer is not fresh; one who was not there before.
    server
        .run(
            "postgres",
            "ALTER ROLE scram VALID UNTIL '2001-01-01'; CREATE ROLE nobody LOGIN PASSWORD 'pass wörd'",
        )
        .await;
    tokio::time::sleep(std::time::Duration::from_secs(6)).await;
    assert_eq!(log_in(&sound, "scram").await, unknown("scram"));
    assert!(
        log_in(&sound, "nobody")
            .await
            .unwrap_err()
            .starts_with("28000 no pg_hba.conf entry")
    );
    // The server is restarted, and asked again.
    server.stop();
    server.start_again();
    assert_eq!(log_in(&sound, "stranger").await, unknown("stranger"));
}
