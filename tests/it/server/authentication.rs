//! Who gets in: SCRAM by the driver and by hand, trust, and what the refused are told.

use querent::{
    service::server::Server,
    sqlite::engine::{Database, Options},
};

use super::{
    harness::{TestServer, settings},
    raw::{frame, startup, string},
};

const USERS: &str = "[auth]\nmode = \"scram\"\n[auth.users]\nalice = \"pass word\"\n\
    bob = \"SCRAM-SHA-256$4096:W22ZaJ0SNY7soEsUEjb6gQ==$WG5d8oPm3OtcPnkdi4Uo7BkeZkBFzpcXkuLmtbsT4qY=:wfPLwcE6nTWhTAmQ7tl2KeoiWGPlZqQxSrmfPwDl2dU=\"\n";

async fn log_in(port: u16, user: &str, password: &str) -> Result<i32, String> {
    let config = format!("host=127.0.0.1 port={port} user={user} password='{password}' dbname=x");
    let (client, connection) = tokio_postgres::connect(&config, tokio_postgres::NoTls)
        .await
        .map_err(|error| match error.as_db_error() {
            Some(error) => format!("{} {}", error.code().code(), error.message()),
            None => error.to_string(),
        })?;
    tokio::spawn(connection);
    let row = client.query_one("SELECT 42", &[]).await.unwrap();
    Ok(row.get(0))
}

#[tokio::test]
async fn scram_lets_in_who_knows_the_password() {
    let server = TestServer::configured(USERS);
    let refused = |user: &str| {
        Err(format!(
            "28P01 password authentication failed for user \"{user}\""
        ))
    };
    assert_eq!(log_in(server.port, "alice", "pass word").await, Ok(42));
    assert_eq!(log_in(server.port, "alice", "password").await, refused("alice"));
    // A verifier as PostgreSQL stores it, of the password "pencil".
    assert_eq!(log_in(server.port, "bob", "pencil").await, Ok(42));
    assert_eq!(log_in(server.port, "bob", "crayon").await, refused("bob"));
    // Somebody unknown is refused at the same place in the same words.
    assert_eq!(log_in(server.port, "eve", "pencil").await, refused("eve"));
}

#[test]
fn an_unknown_user_sees_the_same_salt_each_time() {
    let server = TestServer::configured(USERS);
    let challenge = |user: &str| {
        let mut client = server.stranger();
        client.send(&startup(3 << 16, &[("user", user)]));
        assert_eq!(client.next(), "R 10");
        let first = b"n,,n=,r=abcdefgh";
        let mut body = string("SCRAM-SHA-256");
        body.extend(u32::try_from(first.len()).unwrap().to_be_bytes());
        body.extend(first);
        client.send(&frame(b'p', &body));
        let (_, body) = client.message().unwrap();
        let text = String::from_utf8(body[4..].to_vec()).unwrap();
        text.split(',').skip(1).collect::<Vec<_>>().join(",")
    };
    assert_eq!(challenge("eve"), challenge("eve"));
    assert_ne!(challenge("eve"), challenge("mallory"));
    assert!(challenge("eve").ends_with(",i=4096"));
}

#[test]
fn broken_logins_are_refused() {
    let server = TestServer::configured(USERS);
    let check = |message: &[u8], expected: &str| {
        let mut client = server.stranger();
        client.send(&startup(3 << 16, &[("user", "alice")]));
        assert_eq!(client.next(), "R 10");
        client.send(message);
        assert_eq!(client.next(), expected);
        assert_eq!(client.next(), "closed");
    };
    check(&frame(b'p', b"x"), "E FATAL 08P01 malformed SCRAM message");
    check(&frame(b'p', b""), "E FATAL 08P01 malformed SCRAM message");
    check(
        &frame(b'p', &[string("SCRAM-SHA-1").as_slice(), &[0, 0, 0, 0]].concat()),
        "E FATAL 08P01 client selected an invalid SASL authentication mechanism",
    );
    check(
        &frame(b'Q', &string("SELECT 1")),
        "E FATAL 08P01 expected SASL response, got message type 81",
    );
    check(
        &[b'p', 0x7f, 0xff, 0xff, 0xff],
        "E FATAL 08P01 message of 2147483647 bytes is longer than the 10000 allowed",
    );
}

#[test]
fn a_user_is_needed() {
    let server = TestServer::start();
    let mut client = server.stranger();
    client.send(&startup(3 << 16, &[("database", "x")]));
    assert_eq!(
        client.next(),
        "E FATAL 28000 no PostgreSQL user name specified in startup packet"
    );
    let mut client = server.stranger();
    client.send(&startup(3 << 16, &[("user", "x"), ("replication", "true")]));
    assert_eq!(
        client.next(),
        "E FATAL 0A000 replication connections are not supported"
    );
}

#[tokio::test]
async fn trust_does_not_leave_the_machine_unless_told_so() {
    let server = TestServer::start();
    let folder = tempfile::tempdir().unwrap();
    let open = Database::open(&server.folder.path().join("test.db"), Options::default()).unwrap();
    let strangers = settings(folder.path(), "listen = [\"0.0.0.0:0\"]\n");
    let Err(error) = Server::bind(open.clone(), strangers).await else {
        panic!("trust on all addresses")
    };
    assert!(error.to_string().contains("other machines"), "{error}");
    let said = "listen = [\"0.0.0.0:0\"]\n[auth]\nallow_trust_from_anywhere = true\n";
    assert!(Server::bind(open, settings(folder.path(), said)).await.is_ok());
}

#[test]
fn too_many_clients_are_told_so() {
    let server = TestServer::configured("[limits]\nconnections = 2\n");
    let first = server.client();
    let _second = server.client();
    let mut third = server.stranger();
    third.send(&startup(3 << 16, &[("user", "x")]));
    assert_eq!(third.next(), "E FATAL 53300 sorry, too many clients already");
    drop(first);
    // The place is free as soon as the server has noticed.
    for _ in 0..100 {
        let mut next = server.stranger();
        next.send(&startup(3 << 16, &[("user", "x")]));
        if next.next() == "R 0" {
            return;
        }
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    panic!("no place became free");
}

#[test]
fn startup_parameters_become_settings() {
    let server = TestServer::start();
    let mut client = server.stranger();
    client.send(&startup(
        3 << 16,
        &[
            ("user", "x"),
            ("application_name", "me"),
            ("options", "-c statement_timeout=7s -c querent.notices=off"),
        ],
    ));
    let greeting = client.until_ready();
    assert!(greeting.contains(&"S application_name=me".to_owned()));
    assert!(greeting.contains(&"S client_encoding=UTF8".to_owned()));
    assert_eq!(client.query("SHOW statement_timeout")[1], "D 7s");
    assert_eq!(client.query("SHOW querent.notices")[1], "D off");
    let mut client = server.stranger();
    client.send(&startup(3 << 16, &[("user", "x"), ("client_encoding", "LATIN1")]));
    assert_eq!(
        client.next(),
        "E FATAL 22023 invalid value for parameter \"client_encoding\": \"LATIN1\""
    );
}
