//! Clients and servers that say something else than they should while somebody logs in.

use std::{
    io::{Read, Write},
    net::TcpStream,
    time::Duration,
};

use super::{
    raw::{Client, frame, hello, initial, packet, server as fake, startup},
    users::{KEEPER, PASSWORD, server},
};
use crate::relay::front::Front;

const SCRAM: &str = "[auth]\nmode = \"scram\"\n[auth.users]\nscram = \"pass wörd\"\nalice = \"x\"\n";
const CLEARTEXT: &str = "[auth]\nmode = \"cleartext\"\n";
const V3: u32 = 3 << 16;

#[tokio::test]
async fn what_a_client_begins_with() {
    let Some(server) = server().await else {
        return;
    };
    let address = server.address(KEEPER, "postgres");
    let passthrough = Front::start(&address, "");
    let scram = Front::start(&address, SCRAM);
    let check = |front: &Front, bytes: &[u8], expected: &[&str]| {
        let mut client = Client::at(front.port);
        client.send(bytes);
        for message in expected {
            assert_eq!(client.next(), *message, "{}", String::from_utf8_lossy(bytes));
        }
    };
    let both = [&passthrough, &scram];
    let length = "FATAL 08P01 invalid length of startup packet";
    for front in both {
        let http = "FATAL 08P01 this port speaks the PostgreSQL protocol, not HTTP";
        check(front, b"GET / HTTP/1.1\r\n\r\n", &[http, "closed"]);
        for wrong in [0_u32, 3, 7, 10_001, 0x7fff_ffff] {
            let bytes = [&wrong.to_be_bytes()[..], &[0; 20]].concat();
            check(front, &bytes, &[length, "closed"]);
        }
        // GSSAPI and TLS are not there, and then it goes on.
        let mut client = Client::at(front.port);
        client.send(&packet(&80_877_104_u32.to_be_bytes()));
        client.send(&packet(&80_877_103_u32.to_be_bytes()));
        client.send(b"no").end();
        assert_eq!(client.rest(), b"NN");
        // Cut short.
        let whole = hello("scram");
        for cut in [0, 1, 4, 8, whole.len() - 1] {
            let mut client = Client::at(front.port);
            client.send(&whole[..cut]).end();
            assert_eq!(client.next(), "closed");
        }
    }
    // What the server has to say about it, it says.
    let old = packet(&[&(2_u32 << 16).to_be_bytes()[..], &[0; 288]].concat());
    let (direct, relayed) = (
        Client::at(server.port).send(&old).rest(),
        Client::at(passthrough.port).send(&old).rest(),
    );
    assert_eq!(relayed, direct);
    let told = String::from_utf8(direct).unwrap();
    assert!(told.contains("unsupported frontend protocol 2.0"), "{told}");
    check(
        &scram,
        &old,
        &[
            "FATAL 08P01 unsupported frontend protocol 2.0: server supports 3.0 to 3.2",
            "closed",
        ],
    );
    let nobody = "FATAL 28000 no PostgreSQL user name specified in startup packet";
    check(
        &passthrough,
        &startup(V3, &[(b"database", b"x")]),
        &[nobody, "closed"],
    );
    check(&scram, &startup(V3, &[(b"database", b"x")]), &[nobody, "closed"]);
    let unterminated = packet(&[&V3.to_be_bytes()[..], b"user\0trust"].concat());
    let layout = "FATAL 08P01 invalid startup packet layout: expected terminator as last byte";
    check(&passthrough, &unterminated, &[layout, "closed"]);
    check(&scram, &unterminated, &[layout, "closed"]);
    let newer = startup(
        V3 + 9999,
        &[
            (b"user", b"trust"),
            (b"_pq_.grease", b"1"),
            (b"database", b"postgres"),
        ],
    );
    check(&passthrough, &newer, &["v 0", "R 0"]);
    // Where Querent has to know who it is, it takes them for the same as the server will.
    let two = |one: &'static [u8], other: &'static [u8]| startup(V3, &[(b"user", one), (b"user", other)]);
    let refused = "FATAL 28P01 password authentication failed for user \"alice\"";
    let mut client = Client::at(scram.port);
    client.send(&two(b"trust", b"alice"));
    assert_eq!(client.next(), "R 10");
    client.send(&initial("SCRAM-SHA-256", "n,,n=,r=abc"));
    assert_eq!(client.next(), "R 11");
    client.send(&frame(b'p', b"c=biws,r=abc,p=AAAA"));
    assert_eq!(client.next(), refused);
    let long = [b'x'; 64];
    check(
        &scram,
        &startup(V3, &[(b"user", &long)]),
        &["FATAL 28000 the user name is too long", "closed"],
    );
    check(
        &scram,
        &startup(V3, &[(b"user", b"Jos\xe9")]),
        &["FATAL 08P01 startup packet is not UTF-8", "closed"],
    );
}

#[tokio::test]
async fn what_a_client_answers() {
    let Some(server) = server().await else {
        return;
    };
    let address = server.address(KEEPER, "postgres");
    let check = |toml: &str, user: &str, (answer, expected): (&[u8], &str)| {
        let front = Front::start(&address, toml);
        let mut client = Client::at(front.port);
        // All at once, as clients may.
        client.send(&[&hello(user), answer].concat());
        assert!(client.next().starts_with("R "));
        assert_eq!(client.next(), expected, "{toml} {user}");
        assert_eq!(client.next(), "closed");
    };
    let query = frame(b'Q', b"DROP TABLE x\0");
    let short = frame(b'p', b"")[..4]
        .iter()
        .copied()
        .chain([2])
        .collect::<Vec<_>>();
    let huge = [b'p', 0x7f, 0xff, 0xff, 0xff];
    for toml in ["", SCRAM] {
        let expected = "FATAL 08P01 expected SASL response, got message type 81";
        check(toml, "scram", (&query, expected));
        check(toml, "scram", (&short, "FATAL 08P01 invalid message length"));
        check(toml, "scram", (&huge, "FATAL 08P01 invalid message length"));
    }
    for toml in ["", CLEARTEXT] {
        let expected = "FATAL 08P01 expected password response, got message type 81";
        check(toml, "password", (&query, expected));
    }
    check(
        SCRAM,
        "scram",
        (&frame(b'p', b"x"), "FATAL 08P01 malformed SCRAM message"),
    );
    let wrong = "FATAL 08P01 client selected an invalid SASL authentication mechanism";
    check(SCRAM, "scram", (&initial("SCRAM-SHA-256-PLUS", "p=x"), wrong));
    check(
        CLEARTEXT,
        "md5",
        (
            &frame(b'p', b"a\0b\0"),
            "FATAL 08P01 invalid password packet size",
        ),
    );
    let empty = "FATAL 28P01 empty password returned by client for user \"md5\"";
    check(CLEARTEXT, "md5", (&frame(b'p', b"\0"), empty));
    // Those who are let in may say more at once, and it is for the session.
    let front = Front::start(&address, "");
    let mut client = Client::at(front.port);
    client.send(&[hello("trust"), frame(b'Q', b"SELECT 1\0")].concat());
    let mut said = String::new();
    while said.matches('Z').count() < 2 {
        said.push_str(&client.next());
    }
    assert!(said.ends_with("ZTDCZ"), "{said}");
}

/// Logs in at a Querent in front of a server that does as it is told; the bytes that come back.
fn in_front_of(toml: &str, conversation: impl Fn(&mut TcpStream) + Send + 'static) -> Vec<u8> {
    let port = fake(conversation);
    let front = Front::start(
        &format!("postgres://someone:hunter2@127.0.0.1:{port}/x?sslmode=disable"),
        toml,
    );
    let mut client = Client::at(front.port);
    client.send(&hello("scram"));
    if toml.contains("cleartext") {
        assert_eq!(client.next(), "R 3");
        client.send(&frame(b'p', &[PASSWORD.as_bytes(), b"\0"].concat()));
    }
    let all = client.rest();
    assert!(!String::from_utf8_lossy(&all).contains("hunter2"));
    all
}

#[test]
fn what_a_server_says() {
    let check = |toml: &str, words: &str, conversation: fn(&mut TcpStream)| {
        let said = in_front_of(toml, conversation);
        let said = String::from_utf8_lossy(&said);
        assert!(said.contains(words), "{toml}: {said:?}, not {words}");
    };
    for toml in ["", CLEARTEXT] {
        check(
            toml,
            "C08006\0Mthe server closed the connection while logging in",
            |_| {},
        );
        check(
            toml,
            "C08006\0Mthe server closed the connection while logging in",
            |stream| {
                drop(stream.write_all(b"R\0\0\0"));
            },
        );
        let garbage = "C08P01\0Mthe server's answer is not of the PostgreSQL protocol";
        check(toml, garbage, |stream| {
            drop(stream.write_all(b"HTTP/1.1 400 Bad Request\r\n\r\n"));
        });
        check(toml, garbage, |stream| {
            drop(stream.write_all(b"R\x7f\xff\xff\xff\0\0\0\0"));
        });
        check(toml, garbage, |stream| {
            drop(stream.write_all(b"R\0\0\0\x01\0\0\0\0"));
        });
        check(
            toml,
            "C08P01\0Mthe server sent a malformed authentication request",
            |stream| {
                drop(stream.write_all(b"R\0\0\0\x05\0"));
            },
        );
    }
    // A server that cannot start a process says so in the words of an older protocol.
    let old = "Ecould not fork new process for connection: Cannot allocate memory\n\0";
    for toml in ["", CLEARTEXT] {
        let said = in_front_of(toml, move |stream| drop(stream.write_all(old.as_bytes())));
        assert_eq!(String::from_utf8_lossy(&said), old);
    }
    // An error goes on byte for byte, whatever is in it.
    let own = frame(
        b'E',
        b"SFATAL\0VFATAL\0C57P03\0Mthe database system is starting up\0Fx.c\0Zunknown\0\0",
    );
    for toml in ["", CLEARTEXT] {
        let own = own.clone();
        let expected = own.clone();
        assert_eq!(
            in_front_of(toml, move |stream| drop(stream.write_all(&own))),
            expected
        );
    }
}

#[test]
fn what_a_server_pretends() {
    let sasl = frame(b'R', b"\0\0\0\x0aSCRAM-SHA-256\0\0");
    let check = |words: &str, later: Vec<u8>| {
        let first = sasl.clone();
        let said = in_front_of(CLEARTEXT, move |stream| {
            drop(stream.write_all(&first));
            let mut answer = [0; 5];
            drop(stream.read_exact(&mut answer));
            drop(stream.write_all(&later));
            // It stays until the other side goes.
            drop(stream.read_to_end(&mut vec![]));
        });
        let said = String::from_utf8_lossy(&said);
        assert!(said.contains(words), "{said:?}, not {words}");
    };
    // It lets everybody in, and does not know the password.
    check(
        "the server did not prove that it knows the password",
        frame(b'R', &[0; 4]),
    );
    check(
        "malformed SCRAM message",
        frame(b'R', b"\0\0\0\x0br=x,s=c2FsdA==,i=4096"),
    );
    check(
        "malformed authentication request",
        frame(b'R', b"\0\0\0\x0cv=AAAA"),
    );
    check("does not know: GSSAPI", frame(b'R', b"\0\0\0\x07"));
}

#[test]
fn nobody_waits_for_ever() {
    let silent = "[limits]\nhandshake_timeout = \"1s\"\n";
    let slow = in_front_of(silent, |stream| drop(stream.read_to_end(&mut vec![])));
    assert!(String::from_utf8_lossy(&slow).contains("C57014\0Mlogging in took too long"));
    // A client that says nothing, or half of it.
    let port = fake(|_| {});
    let front = Front::start(&format!("postgres://127.0.0.1:{port}/x?sslmode=disable"), silent);
    for begun in [&b""[..], &hello("scram")[..20]] {
        assert_eq!(Client::at(front.port).send(begun).rest(), b"");
    }
    // One that asks for its password and never sends it.
    let front = Front::start(
        &format!("postgres://127.0.0.1:{port}/x"),
        &format!("{silent}{SCRAM}"),
    );
    let mut client = Client::at(front.port);
    client.send(&hello("scram"));
    assert_eq!(client.next(), "R 10");
    assert_eq!(client.next(), "FATAL 57014 logging in took too long");
}

#[tokio::test]
async fn slow_bytes_are_the_same_bytes() {
    let Some(server) = server().await else {
        return;
    };
    for toml in ["", SCRAM] {
        let front = Front::start(&server.address(KEEPER, "postgres"), toml);
        let mut client = Client::at(front.port);
        for byte in hello("scram") {
            client.send(&[byte]);
            std::thread::sleep(Duration::from_millis(1));
        }
        assert_eq!(client.next(), "R 10");
        for byte in initial("SCRAM-SHA-256", "n,,n=,r=abc") {
            client.send(&[byte]);
            std::thread::sleep(Duration::from_millis(1));
        }
        assert_eq!(client.next(), "R 11");
    }
}
