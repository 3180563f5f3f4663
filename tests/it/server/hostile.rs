//! What is not the protocol, or tries to be too much of it.

use std::time::{Duration, Instant};

use super::{
    harness::{TestServer, create},
    raw::{client_message, frame, packet, startup, string},
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

/// What stands before and after a question in each form.
const FORMS: [(&str, &str); 6] = [
    ("-- nl: ", ""),
    ("/* nl: ", " */;"),
    ("SELECT /*+ nl: ", " */;"),
    ("SELECT * FROM nl('", "')"),
    ("SELECT nl('", "')"),
    ("ASK ", ";"),
];

#[test]
fn questions_without_sense_are_errors_in_every_form() {
    let server = TestServer::configured("ask_keyword = true\n");
    let mut client = server.client();
    for (before, after) in FORMS {
        for text in [
            "",
            "   ",
            "Wie viele Kunden gibt es in jedem Land?",
            "有多少客户?",
            "؟كم عدد العملاء",
            "\u{1}\u{7f}\u{200b}",
        ] {
            let messages = client.query(&format!("{before}{text}{after}"));
            assert!(
                messages[0].starts_with("E ERROR NL001"),
                "{before}{text}: {messages:?}"
            );
            assert_eq!(messages.len(), 2);
        }
    }
    assert_eq!(client.query("SELECT 1 AS a")[1], "D 1");
}

#[test]
fn nul_bytes_are_errors_wherever_they_are() {
    let server = TestServer::start();
    let mut client = server.client();
    client.send(&frame(b'Q', b"-- nl: how many\0 customers are there?\0"));
    assert_eq!(client.until_ready()[0], "E ERROR 08P01 invalid message format");
    let refused = "E ERROR 22021 invalid byte sequence for encoding \"UTF8\": 0x00";
    for (parse, ty) in [
        ("SELECT $1 AS a", 25),
        ("SELECT * FROM nl($1)", 25),
        ("SELECT $1 AS a", 23),
    ] {
        client.send(&client_message(&format!("Parse | {parse} | {ty}")));
        client.send(&frame(b'B', b"\0\0\0\0\0\x01\0\0\0\x03a\0b\0\0"));
        client.send(&frame(b'S', b""));
        let messages = client.until_ready();
        assert_eq!(messages[1], refused, "{parse}");
    }
    // As bytes they are welcome, and text of the database that has one is told of.
    client.send(&client_message("Parse | SELECT CAST($1 AS BLOB) AS a | 17"));
    client.send(&frame(b'B', b"\0\0\0\x01\0\x01\0\x01\0\0\0\x03a\0b\0\x01\0\x01"));
    client.send(&[client_message("Execute "), frame(b'S', b"")].concat());
    assert_eq!(client.until_ready()[2], "D 610062");
    assert_eq!(client.query("SELECT 'a' || char(0) AS a")[1], refused);
}

/// Names, types and texts that nobody should use, but somebody does.
const ODD: &str = "
    CREATE TABLE \"my table\"(\"first name\" TEXT, \"select\" INTEGER, \"quo\"\"te\" TEXT, \"a;b\" TEXT, \"$1\" TEXT);
    INSERT INTO \"my table\" VALUES ('Ann', 1, 'q', 's', 't'), ('Bob', 2, 'r', 'u', 'v');
    CREATE TABLE \"group\"(\"where\" TEXT, \"from\" INTEGER);
    INSERT INTO \"group\" VALUES ('x', 5);
    CREATE TABLE mixed(a, b INTEGER, c DATE, d BOOLEAN, e NUMERIC(10, 2), f TIMESTAMP, g BLOB);
    INSERT INTO mixed VALUES (1, 1, '2020-01-01', 1, 1.5, '2020-01-01 10:00:00', x'00ff'),
        ('text', 'none', 'yesterday', 'maybe', 'abc', 'whenever', 'text'), (2.5, 2.5, 5, 2, x'00', 12345, 7),
        (NULL, NULL, NULL, NULL, NULL, NULL, NULL);
    CREATE TABLE latin(id INTEGER, word TEXT);
    INSERT INTO latin VALUES (1, 'ok'), (2, CAST(x'66fc72' AS TEXT));";

#[test]
fn odd_names_and_values_are_asked_about() {
    let server = TestServer::start();
    create(server.database.path(), ODD);
    let mut client = server.client();
    client.query("SET querent.notices = off");
    for (sql, expected) in [
        ("-- nl: how many rows are in my table?", &["D 2"][..]),
        ("-- nl: list the select of my table", &["D 1", "D 2"]),
        (
            "-- nl: show the first name and the quo\"te of my table",
            &["D Ann | q", "D Bob | r"],
        ),
        ("-- nl: show the where of the group", &["D x"]),
        (
            "SELECT \"quo\"\"te\", \"a;b\", \"$1\" FROM \"my table\" WHERE \"select\" = 2",
            &["D r | u | v"],
        ),
        ("SELECT b FROM mixed", &["D 1", "D none", "D 2.5", "D NULL"]),
        ("-- nl: how many latin are there?", &["D 2"]),
    ] {
        let mut messages = client.query(sql);
        messages.retain(|message| !message.starts_with(['T', 'C', 'Z']));
        assert_eq!(messages, expected, "{sql}");
    }
    // Rows before the text that is not UTF-8 are sent, and the session goes on.
    let messages = client.query("SELECT word FROM latin ORDER BY id");
    assert_eq!(
        messages[1..],
        [
            "D ok",
            "E ERROR 22021 invalid byte sequence for encoding \"UTF8\": 0xfc 0x72",
            "Z I"
        ]
    );
    assert_eq!(
        client.query("SELECT CAST(word AS BLOB) AS b FROM latin WHERE id = 2")[1],
        "D \\x66fc72"
    );
    // In binary, each value is as its column was told, or it is an error.
    for column in ["a", "b", "c", "d", "e", "f", "g"] {
        for line in [
            &format!("Parse | SELECT {column} FROM mixed"),
            "Bind | | | 1",
            "Execute ",
            "Sync",
        ] {
            client.send(&client_message(line));
        }
        let messages = client.until_ready();
        let last = &messages[messages.len() - 2];
        assert!(
            last == "C SELECT 4" || last.starts_with("E ERROR 22P02"),
            "{column}: {messages:?}"
        );
    }
}

#[test]
fn a_table_with_two_thousand_columns_works() {
    let server = TestServer::start();
    let columns: Vec<String> = (0..2_000).map(|n| format!("c{n} INTEGER")).collect();
    let values: Vec<String> = (0..2_000).map(|n| n.to_string()).collect();
    let (columns, values) = (columns.join(", "), values.join(", "));
    create(
        server.database.path(),
        &format!("CREATE TABLE wide({columns}); INSERT INTO wide VALUES ({values})"),
    );
    let mut client = server.client();
    let row = format!("D {}", values.replace(", ", " | "));
    assert_eq!(client.query("SELECT * FROM wide")[1], row);
    for line in [
        "Parse | SELECT * FROM wide WHERE c7 = $1",
        "DescribeStatement ",
        "Bind | | 7",
        "Execute ",
        "Sync",
    ] {
        client.send(&client_message(line));
    }
    assert_eq!(client.until_ready()[4], row);
    assert!(
        client
            .query("-- nl: show c1999 of wide")
            .contains(&"D 1999".to_owned())
    );
    assert!(
        client
            .query("-- nl: how many wide are there?")
            .contains(&"D 1".to_owned())
    );
}

#[test]
fn who_does_not_log_in_in_time_is_thrown_out() {
    let server = TestServer::configured(
        "[auth]\nmode = \"scram\"\n[auth.users]\nalice = \"x\"\n[limits]\nhandshake_timeout = \"300ms\"\n",
    );
    let begun = Instant::now();
    let mut silent = server.stranger();
    let mut half = server.stranger();
    half.send(&[0, 0, 0]);
    let mut unproven = server.stranger();
    unproven.send(&startup(3 << 16, &[("user", "alice")]));
    assert_eq!(unproven.next(), "R 10");
    assert_eq!(silent.next(), "closed");
    assert_eq!(half.next(), "closed");
    assert_eq!(unproven.next(), "E FATAL 57014 logging in took too long");
    assert_eq!(unproven.next(), "closed");
    assert!(begun.elapsed() < Duration::from_secs(10));
}

#[test]
fn large_statements_and_questions_are_taken_or_refused_quickly() {
    let server = TestServer::configured("ask_keyword = true\n");
    let mut client = server.client();
    let comment = "x".repeat(2_000_000);
    let begun = Instant::now();
    assert_eq!(client.query(&format!("SELECT 1 AS a -- {comment}"))[1], "D 1");
    for (before, after) in FORMS {
        for text in [&comment, &"how many customers are there ".repeat(40_000)] {
            let question = client.query(&format!("{before}{text}{after}"));
            assert!(question[0].starts_with("E ERROR 54000"), "{before}: {question:?}");
        }
    }
    let quotes = "'".repeat(1_000_001);
    assert!(client.query(&format!("SELECT {quotes}"))[0].starts_with("E ERROR"));
    assert!(begun.elapsed() < Duration::from_secs(30));
    assert_eq!(client.query("SELECT 1 AS a")[1], "D 1");
    let deep = format!("SELECT {}1{}", "(".repeat(50_000), ")".repeat(50_000));
    assert!(client.query(&deep)[0].starts_with("E ERROR"));
    let tables = format!(
        "{}SELECT $1 AS a{}",
        "SELECT * FROM (".repeat(47),
        ") z".repeat(47)
    );
    for text in [format!("SELECT {}$1", "1+".repeat(20_000)), tables] {
        let mut parse = string("");
        parse.extend(string(&text));
        parse.extend([0, 0]);
        client.send(&frame(b'P', &parse));
        client.send(&frame(b'S', b""));
        assert_eq!(client.until_ready().last().unwrap(), "Z I");
    }
}

/// Patterns that SQLite or we would work out by calling ourselves for each of their parts.
#[test]
fn deep_patterns_leave_the_server_alone() {
    let server = TestServer::start();
    let mut client = server.client();
    let mut last = |sql: &str| client.query(sql).into_iter().rfind(|told| !told.starts_with('Z'));
    for sql in [
        "SELECT 'a' ~ (repeat('(', 249) || 'a' || repeat(')', 249))",
        "SELECT 'a' ~* (repeat('(', 100000) || 'a' || repeat(')', 100000))",
        "SELECT 'a' SIMILAR TO (repeat('(', 5000) || 'a' || repeat(')', 5000))",
        "SELECT regexp_replace('a', repeat('(?=', 60) || 'a' || repeat(')', 60), 'x')",
        "SELECT length(regexp_replace('a', repeat('(a)*', 5000), 'x'))",
        "SELECT 'a' ~ repeat('(', 249)",
        "CREATE TABLE deep (a text CHECK (a ~ (repeat('(', 249) || 'a' || repeat(')', 249))))",
        "INSERT INTO deep VALUES ('a')",
        "SELECT repeat('a', 30000) LIKE repeat('%a', 30000) || 'b'",
        "SELECT (repeat('[', 100000) || repeat(']', 100000))::jsonb",
        "SELECT (repeat('{', 100000) || repeat('}', 100000))::int[]",
        "SELECT repeat('(', 100000)::jsonpath",
        "SET querent.dialect = sqlite",
        "SELECT replace(hex(zeroblob(24000)), '00', 'a') LIKE replace(hex(zeroblob(24000)), '00', '%a') || 'b'",
        "SELECT replace(hex(zeroblob(24000)), '00', 'a') GLOB replace(hex(zeroblob(24000)), '00', '*a') || 'b'",
    ] {
        assert!(last(sql).is_some(), "{sql}");
    }
    assert_eq!(last("SELECT 'a' LIKE '%a'").as_deref(), Some("C SELECT 1"));
    assert_eq!(
        server.client().query("SELECT 1").last().map(String::as_str),
        Some("Z I")
    );
}
