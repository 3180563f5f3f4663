//! Streams to a server: every way that an address can ask for.

use querent::postgres::upstream::{Server, Upstream};

use super::server::{Options, PostgresServer};

/// Connects as an address says; what differs from the expectation is told.
async fn check(address: &str, expected: Result<bool, &str>) {
    let server: Server = address.parse().unwrap();
    match (server.connect().await, expected) {
        (
            Ok(Upstream {
                encrypted,
                server_end_point,
                ..
            }),
            Ok(wanted),
        ) => {
            assert_eq!(encrypted, wanted, "{address}");
            assert_eq!(server_end_point.is_some(), encrypted, "{address}");
        }
        (Err(error), Err(words)) => {
            assert!(error.message.contains(words), "{address}: {error}");
            assert_eq!(error.sqlstate, "08001");
        }
        (outcome, expected) => panic!("{address}: {outcome:?}, not {expected:?}"),
    }
}

#[tokio::test]
async fn encryption_is_as_the_address_says() {
    let tls = Options {
        tls: true,
        ..Options::default()
    };
    let (Some(server), Some(plain)) = (PostgresServer::with(&tls), PostgresServer::start()) else {
        return;
    };
    let authority = server.certificates().authority();
    let authority = authority.display();
    let port = server.port;
    for (query, expected) in [
        ("", Ok(true)),
        ("?sslmode=disable", Ok(false)),
        ("?sslmode=allow", Ok(false)),
        ("?sslmode=require", Ok(true)),
        ("?sslmode=verify-ca", Err("no TLS: invalid peer certificate")),
        ("?sslmode=verify-full", Err("no TLS: invalid peer certificate")),
        (&format!("?sslmode=require&sslrootcert={authority}"), Ok(true)),
        (&format!("?sslmode=verify-full&sslrootcert={authority}"), Ok(true)),
        (
            "?sslmode=verify-full&sslrootcert=/no/such",
            Err("cannot read the certificates"),
        ),
    ] {
        check(&format!("postgres://127.0.0.1:{port}/postgres{query}"), expected).await;
        let socket = server.socket_address("a", "b");
        check(&format!("{socket}?sslmode=require"), Ok(false)).await;
    }
    // A certificate of another authority, and one that is trusted as it is.
    let own = server.socket_folder().join("server.crt");
    let own = own.display();
    let address = |query: String| format!("postgres://localhost:{port}/postgres?{query}");
    check(
        &address(format!("sslmode=verify-full&sslrootcert={own}")),
        Ok(true),
    )
    .await;
    for (query, expected) in [
        ("", Ok(false)),
        ("?sslmode=require", Err("does not support TLS")),
        ("?sslmode=verify-full", Err("does not support TLS")),
    ] {
        let address = format!("postgres://127.0.0.1:{}/postgres{query}", plain.port);
        check(&address, expected).await;
    }
}

#[tokio::test]
async fn what_is_wrong_with_a_certificate_is_told_with_a_hint() {
    let tls = Options {
        tls: true,
        ..Options::default()
    };
    let Some(server) = PostgresServer::with(&tls) else {
        return;
    };
    let authority = server.certificates().authority();
    let by = |host: &str, query: &str| format!("postgres://{host}:{}/postgres?{query}", server.port);
    let trusted = format!("sslmode=verify-full&sslrootcert={}", authority.display());
    let unknown = by("localhost", "sslmode=verify-full");
    let expired = by("localhost", &trusted);
    let check = async |address: &str, words: &str, hint: &str| {
        let error = address.parse::<Server>().unwrap().connect().await.unwrap_err();
        assert!(error.message.contains(words), "{address}: {error}");
        let told = error.hint.unwrap_or_default();
        assert!(told.contains(hint), "{address}: {told}");
    };
    check(&unknown, "UnknownIssuer", "sslrootcert").await;
    server.certificates().expire();
    server.run("postgres", "SELECT pg_reload_conf()").await;
    let deadline = std::time::Instant::now() + std::time::Duration::from_secs(30);
    while expired.parse::<Server>().unwrap().connect().await.is_ok() {
        assert!(
            std::time::Instant::now() < deadline,
            "the server goes on with its old certificate"
        );
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    check(&expired, "certificate expired", "renew it").await;
    // Who does not verify is not told.
    assert!(
        by("localhost", "sslmode=require")
            .parse::<Server>()
            .unwrap()
            .connect()
            .await
            .is_ok()
    );
}

#[tokio::test]
async fn a_server_that_is_not_there_is_told() {
    check("postgres://127.0.0.1:1/x", Err("127.0.0.1:1: ")).await;
    check("postgres://no-such-host.invalid/x", Err("the host is not known")).await;
    check("postgres:///x?host=/no/such&port=7", Err("/no/such/.s.PGSQL.7: ")).await;
    // Somebody who listens and says nothing.
    let silent = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = silent.local_addr().unwrap().port();
    check(
        &format!("postgres://127.0.0.1:{port}/x?connect_timeout=2"),
        Err("no answer within 2 s"),
    )
    .await;
}
