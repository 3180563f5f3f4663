//! What is not the protocol, or tries to be too much of it.

use std::time::{Duration, Instant};

use super::{
    harness::TestServer,
    raw::{frame, packet, startup, string},
};

/// Opens with these bytes; the server says this and closes.
fn opening(bytes: &[u8], expected: &str) {
    let server = TestServer::start();
    let mut client = server.stranger();
    client.send(bytes);
    assert_eq!(client.next(), expected);
    assert_eq!(client.next(), "closed");
}

#[test]
fn openings_that_are_none_are_refused() {
    let length = "E FATAL 08P01 invalid length of startup packet";
    opening(&[0, 0, 0, 4], length);
    opening(&[0, 0, 0, 0, 0, 0, 0, 0], length);
    opening(&[0xff; 8], length);
    opening(&10_001_u32.to_be_bytes(), length);
    opening(
        b"GET / HTTP/1.1\r\nHost: x\r\n\r\n",
        "E FATAL 08P01 this port speaks the PostgreSQL protocol, not HTTP",
    );
    opening(
        &startup(2 << 16, &[("user", "x")]),
        "E FATAL 08P01 unsupported frontend protocol 2.0: server supports 3.0 to 3.2",
    );
    let layout = "E FATAL 08P01 invalid startup packet layout: expected terminator as last byte";
    opening(&packet(&[0, 3, 0, 0, b'u', b's']), layout);
    opening(&packet(&[0, 3, 0, 0, 0, 0]), layout);
    opening(
        &packet(&[0, 3, 0, 0, 0xff, 0, 0xff, 0, 0]),
        "E FATAL 08P01 startup packet is not UTF-8",
    );
}

#[test]
fn newer_protocols_are_negotiated() {
    let server = TestServer::start();
    let mut client = server.stranger();
    client.send(&startup(
        (3 << 16) + 9999,
        &[("user", "x"), ("_pq_.test_option", "1")],
    ));
    assert_eq!(client.next(), "v 2");
    assert_eq!(client.next(), "R 0");
    let messages = client.until_ready();
    assert_eq!(messages.last().unwrap(), "Z I");
}

#[test]
fn encryption_that_is_not_there_is_declined() {
    let server = TestServer::start();
    let mut client = server.stranger();
    client.send(&packet(&80_877_104_u32.to_be_bytes()));
    assert_eq!(client.byte(), b'N');
    client.send(&packet(&80_877_103_u32.to_be_bytes()));
    assert_eq!(client.byte(), b'N');
    client.log_in();
    assert_eq!(client.query("SELECT 1 AS a")[1], "D 1");
}

#[test]
fn a_client_that_leaves_or_dawdles_does_no_harm() {
    let server = TestServer::start();
    drop(server.stranger());
    let mut half = server.stranger();
    half.send(&[0, 0]);
    drop(half);
    let waiting = server.stranger();
    assert_eq!(server.client().query("SELECT 1 AS a")[1], "D 1");
    drop(waiting);
}

/// After the login these bytes end the session.
fn fatal(bytes: &[u8], expected: &str) {
    let server = TestServer::start();
    let mut client = server.client();
    client.send(bytes);
    assert_eq!(client.next(), expected);
    assert_eq!(client.next(), "closed");
}

#[test]
fn frames_that_are_none_end_the_session() {
    fatal(&[b'Q', 0, 0, 0, 3], "E FATAL 08P01 invalid message length");
    fatal(
        &[b'Q', 0xff, 0xff, 0xff, 0xff],
        "E FATAL 08P01 message of 4294967295 bytes is longer than the 1073741823 allowed",
    );
    fatal(b"?", "E FATAL 08P01 invalid frontend message type 63");
    fatal(
        &[b'S', 0, 0x10, 0, 0],
        "E FATAL 08P01 message of 1048576 bytes is longer than the 10000 allowed",
    );
    fatal(
        &frame(b'p', b"secret"),
        "E FATAL 08P01 invalid frontend message type 112",
    );
}

/// After the login this message is an error, and the session goes on.
fn mistake(bytes: &[u8], expected: &str) {
    let server = TestServer::start();
    let mut client = server.client();
    client.send(bytes);
    assert_eq!(client.next(), expected);
    client.send(&frame(b'S', b""));
    assert!(client.next().starts_with("Z I"));
}

#[test]
fn messages_that_make_no_sense_are_errors() {
    let short = "E ERROR 08P01 insufficient data left in message";
    mistake(&frame(b'P', b"a"), "E ERROR 08P01 invalid string in message");
    mistake(&frame(b'P', b"a\0SELECT 1\0\0\x05"), short);
    mistake(&frame(b'B', b"\0\0\0\0\xff\xff"), short);
    mistake(&frame(b'B', b"\0\0\0\0\0\x01\x7f\xff\xff\xff\0\0"), short);
    mistake(&frame(b'B', b"\0\0\0\0\0\x01\xff\xff\xff\xfe\0\0"), short);
    mistake(
        &frame(b'B', b"\0\0\0\x01\0\x07\0\0\0\0"),
        "E ERROR 22023 unsupported format code: 7",
    );
    mistake(&frame(b'E', b"\0\0"), short);
    mistake(
        &frame(b'D', b"Xname\0"),
        "E ERROR 08P01 invalid DESCRIBE or CLOSE message subtype 88",
    );
    mistake(&frame(b'D', b""), short);
    mistake(&frame(b'H', b"more"), "E ERROR 08P01 invalid message format");
}

#[test]
fn text_that_is_not_utf_8_is_an_error() {
    let server = TestServer::start();
    let mut client = server.client();
    client.send(&frame(b'Q', b"SELECT '\xff\xfe'\0"));
    assert_eq!(
        client.until_ready(),
        [
            "E ERROR 22021 invalid byte sequence for encoding \"UTF8\": 0xff 0xfe 0x27",
            "Z I"
        ]
    );
    // NUL ends a string, so this has too much.
    client.send(&frame(b'Q', b"SELECT 1\0 OR 2\0"));
    assert_eq!(client.until_ready()[0], "E ERROR 08P01 invalid message format");
    assert_eq!(client.query("SELECT 1 AS a")[1], "D 1");
}

#[test]
fn every_single_byte_of_garbage_ends_somehow() {
    let server = TestServer::start();
    for seed in 0_u32..60 {
        let mut client = server.client();
        let mut state = seed.wrapping_mul(2_654_435_761).max(1);
        let mut bytes = vec![];
        for _ in 0..40 {
            state ^= state << 13;
            state ^= state >> 17;
            state ^= state << 5;
            bytes.push(state as u8);
        }
        client.send(&frame(b"PBDECQ"[seed as usize % 6], &bytes));
        if client.try_send(&frame(b'S', b"")).is_ok() {
            let messages = client.until_ready();
            assert!(messages.last().is_some(), "{seed}");
        }
    }
    assert_eq!(server.client().query("SELECT 1 AS a")[1], "D 1");
}

#[test]
fn large_statements_and_questions_are_taken_or_refused_quickly() {
    let server = TestServer::start();
    let mut client = server.client();
    let comment = "x".repeat(2_000_000);
    let begun = Instant::now();
    assert_eq!(client.query(&format!("SELECT 1 AS a -- {comment}"))[1], "D 1");
    let question = client.query(&format!("/* nl: {comment} */;"));
    assert!(question[0].starts_with("E ERROR 54000"), "{question:?}");
    let quotes = "'".repeat(1_000_001);
    assert!(client.query(&format!("SELECT {quotes}"))[0].starts_with("E ERROR"));
    assert!(begun.elapsed() < Duration::from_secs(20));
    assert_eq!(client.query("SELECT 1 AS a")[1], "D 1");
    let deep = format!("SELECT {}1{}", "(".repeat(50_000), ")".repeat(50_000));
    assert!(client.query(&deep)[0].starts_with("E ERROR"));
    let mut parse = string("");
    parse.extend(string(&format!("SELECT {}$1", "1+".repeat(20_000))));
    parse.extend([0, 0]);
    client.send(&frame(b'P', &parse));
    client.send(&frame(b'S', b""));
    assert_eq!(client.until_ready().last().unwrap(), "Z I");
}
