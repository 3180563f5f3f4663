//! Cancelling, leaving, draining, reloading, many at once, and memory.

use std::{
    io::Read,
    net::Shutdown,
    time::{Duration, Instant},
};

use querent::{service::server::Server, sqlite::engine::Options};

use super::{
    harness::{TestServer, settings},
    raw::{Client, frame, packet, string},
};

/// Rows without end, after each of which there is nothing to wait for.
const ENDLESS: &str = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n";
/// The same without its end.
const ENDLESS_ROWS: &str = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i";
/// Work without end and without rows.
const BUSY: &str = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n";

pub(super) fn cancel(server: &TestServer, client: &Client, wrong: bool) {
    cancel_at(server.port, client, wrong);
}

/// Sends a cancel request for this client's work to this port.
pub(crate) fn cancel_at(port: u16, client: &Client, wrong: bool) {
    let mut body = 80_877_102_u32.to_be_bytes().to_vec();
    body.extend(client.process.to_be_bytes());
    body.extend(client.secret.iter().map(|byte| byte ^ u8::from(wrong)));
    let mut other = Client::connect(port);
    other.send(&packet(&body));
    // The server closes when it has dealt with it.
    assert_eq!(other.next(), "closed");
}

#[test]
fn a_cancel_request_stops_the_statement() {
    let server = TestServer::start();
    let mut client = server.client();
    // One that comes while nothing runs is forgotten.
    cancel(&server, &client, false);
    assert_eq!(client.query("SELECT 1 AS a")[1], "D 1");
    client.send(&frame(b'Q', &string(BUSY)));
    std::thread::sleep(Duration::from_millis(200));
    cancel(&server, &client, true);
    std::thread::sleep(Duration::from_millis(200));
    cancel(&server, &client, false);
    let begun = Instant::now();
    let messages = client.until_ready();
    assert_eq!(
        messages[messages.len() - 2..],
        ["E ERROR 57014 canceling statement due to user request", "Z I"]
    );
    assert!(begun.elapsed() < Duration::from_secs(5));
    assert_eq!(client.query("SELECT 1 AS a")[1], "D 1");
}

#[test]
fn a_cancel_request_stops_a_stream_of_rows() {
    let server = TestServer::start();
    let mut client = server.client();
    client.query("BEGIN");
    client.send(&frame(b'Q', &string(ENDLESS)));
    for _ in 0..1_000 {
        client.next();
    }
    cancel(&server, &client, false);
    let messages = client.until_ready();
    assert_eq!(
        messages[messages.len() - 2..],
        ["E ERROR 57014 canceling statement due to user request", "Z E"]
    );
}

#[test]
fn time_limits_stop_statements() {
    let server = TestServer::start();
    let mut client = server.client();
    client.query("SET statement_timeout = '200ms'");
    let messages = client.query(BUSY);
    assert_eq!(
        messages[messages.len() - 2],
        "E ERROR 57014 canceling statement due to statement timeout"
    );
    client.query("SET statement_timeout = 0");
    assert_eq!(client.query("SELECT 1 AS a")[1], "D 1");
    client.query("SET idle_in_transaction_session_timeout = '100ms'");
    client.query("BEGIN");
    assert_eq!(
        client.next(),
        "E FATAL 25P03 terminating connection due to idle-in-transaction timeout"
    );
}

/// Threads of this process that serve a SQLite connection.
fn connection_threads() -> usize {
    std::fs::read_dir("/proc/self/task")
        .unwrap()
        .filter(|task| {
            let name = task.as_ref().unwrap().path().join("comm");
            std::fs::read_to_string(name).is_ok_and(|name| name.trim() == "sqlite")
        })
        .count()
}

/// Waits until nothing is worked on for any client.
pub(super) fn until_no_connection(what: &str) {
    let begun = Instant::now();
    while connection_threads() > 0 {
        assert!(begun.elapsed() < Duration::from_secs(5), "{what} goes on");
        std::thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn a_client_that_vanishes_leaves_nothing_behind() {
    // In a process of its own, so that other tests' threads do not count.
    let Some(server) = own_process("life::a_client_that_vanishes_leaves_nothing_behind") else {
        return;
    };
    for sql in [ENDLESS, BUSY, "BEGIN; DELETE FROM orders"] {
        let mut client = server.client();
        client.send(&frame(b'Q', &string(sql)));
        let mut some = [0; 5];
        if sql != BUSY {
            client.stream().read_exact(&mut some).unwrap();
        }
        std::thread::sleep(Duration::from_millis(100));
        client.stream().shutdown(Shutdown::Both).unwrap();
        drop(client);
        until_no_connection(sql);
    }
    // The transaction is rolled back, its locks are gone.
    let mut client = server.client();
    assert_eq!(client.query("SELECT count(*) AS n FROM orders")[1], "D 3");
    assert_eq!(client.query("DELETE FROM orders")[0], "C DELETE 3");
}

#[test]
fn a_client_that_does_not_read_costs_little() {
    let Some(server) = own_process("life::a_client_that_does_not_read_costs_little") else {
        return;
    };
    let mut client = server.client();
    client.query("SELECT 1");
    let before = memory();
    client.send(&frame(b'Q', &string(ENDLESS)));
    std::thread::sleep(Duration::from_secs(2));
    let grown = memory().saturating_sub(before);
    assert!(grown < 32 << 20, "{grown} bytes");
}

#[test]
fn a_client_that_does_not_read_lets_others_write_after_its_time() {
    let server = TestServer::start();
    let rows = format!("{ENDLESS_ROWS}, o.id FROM n, orders AS o");
    for sql in [rows.clone(), format!("COPY ({rows}) TO STDOUT")] {
        let mut client = server.client();
        client.query("SET statement_timeout = '500ms'");
        client.send(&frame(b'Q', &string(&sql)));
        std::thread::sleep(Duration::from_millis(100));
        let mut writer = server.client();
        assert_eq!(writer.query("UPDATE orders SET id = id")[0], "C UPDATE 3");
        // It is told once it reads.
        let messages = client.until_ready();
        assert_eq!(
            messages[messages.len() - 2..],
            [
                "E ERROR 57014 canceling statement due to statement timeout",
                "Z I"
            ]
        );
        // So does a cancel request reach it.
        client.query("SET statement_timeout = 0");
        client.send(&frame(b'Q', &string(&sql)));
        std::thread::sleep(Duration::from_millis(100));
        cancel(&server, &client, false);
        assert_eq!(writer.query("UPDATE orders SET id = id")[0], "C UPDATE 3");
        assert_eq!(client.until_ready().pop().as_deref(), Some("Z I"));
    }
}

#[test]
fn five_million_rows_pass_in_little_memory() {
    let Some(server) = own_process("life::five_million_rows_pass_in_little_memory") else {
        return;
    };
    let sql = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000000) \
               SELECT i, 'some text that is not short' AS t FROM n";
    pass_in_little_memory(&server, sql, 5_000_000, b'I');
}

#[test]
fn all_rows_of_a_cursor_pass_in_little_memory() {
    let Some(server) = own_process("life::all_rows_of_a_cursor_pass_in_little_memory") else {
        return;
    };
    let sql = "BEGIN; DECLARE c CURSOR FOR \
               WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000000) \
               SELECT i, 'some text that is not short' AS t FROM n; FETCH ALL FROM c";
    pass_in_little_memory(&server, sql, 1_000_000, b'T');
}

/// Reads so many rows, each of some fifty bytes, while the process may hardly grow.
fn pass_in_little_memory(server: &TestServer, sql: &str, rows: usize, status: u8) {
    let mut client = server.client();
    client.query("SELECT 1");
    let before = memory();
    client.send(&frame(b'Q', &string(sql)));
    let mut stream = client.stream();
    let mut buffer = vec![0; 1 << 20];
    let mut bytes = 0;
    let mut most = 0;
    let mut last = vec![];
    let mut reads = 0;
    let begun = Instant::now();
    while !last.ends_with(&[b'Z', 0, 0, 0, 5, status]) {
        let read = stream.read(&mut buffer).unwrap();
        assert!(read > 0);
        bytes += read;
        last.extend_from_slice(&buffer[read.saturating_sub(6)..read]);
        last.drain(..last.len().saturating_sub(6));
        reads += 1;
        if reads % 64 == 0 {
            most = most.max(memory());
        }
    }
    let grown = most.saturating_sub(before);
    eprintln!("{bytes} bytes in {:?}, grown by {grown} bytes", begun.elapsed());
    assert!(bytes > rows * 40);
    assert!(grown < 64 << 20, "{grown} bytes");
}

/// Resident memory of this process.
fn memory() -> usize {
    let pages = std::fs::read_to_string("/proc/self/statm").unwrap();
    pages.split(' ').nth(1).unwrap().parse::<usize>().unwrap() * 4096
}

/// Runs one test in a process of its own, where it gets a server; `None` in the outer process, where it has
/// passed when this returns.
pub(super) fn own_process(test: &str) -> Option<TestServer> {
    const MARK: &str = "QUERENT_TEST_IN_OWN_PROCESS";
    if std::env::args().any(|argument| argument == MARK) {
        return Some(TestServer::start());
    }
    let output = std::process::Command::new(std::env::current_exe().unwrap())
        .args([
            "--exact",
            &format!("server::{test}"),
            "--nocapture",
            "--skip",
            MARK,
        ])
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{said}");
    eprint!("{said}");
    None
}

#[test]
fn many_sessions_work_at_once() {
    let server = TestServer::configured("[limits]\nconnections = 250\n");
    let mut slow = server.client();
    slow.send(&frame(b'Q', &string(BUSY)));
    let mut clients: Vec<Client> = (0..200).map(|_| server.client()).collect();
    let begun = Instant::now();
    for client in &mut clients {
        client.send(&frame(b'Q', &string("SELECT count(*) AS n FROM customer")));
    }
    for client in &mut clients {
        assert_eq!(client.until_ready()[1], "D 3");
    }
    assert!(begun.elapsed() < Duration::from_secs(20));
    cancel(&server, &slow, false);
    slow.until_ready();
}

#[test]
fn draining_ends_the_idle_and_lets_the_busy_finish() {
    let mut server = TestServer::start();
    let mut idle = server.client();
    let mut in_transaction = server.client();
    in_transaction.query("BEGIN");
    let mut busy = server.client();
    let short = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300000) \
                 SELECT count(*) AS n FROM n";
    busy.send(&frame(b'Q', &string(short)));
    std::thread::sleep(Duration::from_millis(50));
    server.handle.drain();
    let shut = "E FATAL 57P01 terminating connection due to administrator command";
    assert_eq!(idle.next(), shut);
    assert_eq!(idle.next(), "closed");
    assert_eq!(in_transaction.next(), shut);
    assert_eq!(busy.until_ready(), ["T n:20", "D 300000", "C SELECT 1", "Z I"]);
    assert_eq!(busy.next(), shut);
    let port = server.port;
    server.join();
    assert!(std::net::TcpStream::connect(("127.0.0.1", port)).is_err());
}

#[test]
fn a_listener_that_does_not_read_is_idle() {
    let server = TestServer::configured("[limits]\nconnections = 2\n");
    let mut listener = server.client();
    listener.query("SET idle_session_timeout = '3s'; LISTEN much");
    let mut other = server.client();
    // More than sockets hold.
    for round in 0..40 {
        let notify = |number| format!("NOTIFY much, '{round} {number} {}';", "x".repeat(7_900));
        let told = other.query(&(0..50).map(notify).collect::<String>());
        assert!(told.iter().all(|line| !line.starts_with("E ")), "{told:?}");
    }
    let begun = Instant::now();
    while !server.handle.has_room() {
        assert!(begun.elapsed() < Duration::from_secs(60), "it does not end");
        std::thread::sleep(Duration::from_millis(50));
    }
}

#[test]
fn settings_are_reloaded() {
    let server = TestServer::start();
    let mut client = server.client();
    let question = "-- nl: how many customers are there?";
    assert!(client.query(question).contains(&"D 3".to_owned()));
    let folder = server.folder.path();
    server
        .handle
        .reload(settings(folder, "questions = false\n"))
        .unwrap();
    // Sessions that have begun follow.
    assert!(client.query(question)[0].starts_with("E ERROR 42501"));
    let users = "[auth]\nmode = \"scram\"\n[auth.users]\nalice = \"x\"\n";
    server.handle.reload(settings(folder, users)).unwrap();
    let mut stranger = server.stranger();
    stranger.send(&super::raw::startup(3 << 16, &[("user", "alice")]));
    assert_eq!(stranger.next(), "R 10");
    // Settings that cannot work are not taken.
    let broken = "[tls]\ncert = \"/nowhere/c.pem\"\nkey = \"/nowhere/k.pem\"\n";
    assert!(server.handle.reload(settings(folder, broken)).is_err());
}

#[tokio::test(flavor = "multi_thread")]
async fn unix_sockets_are_served_and_cleared_away() {
    let mut server = TestServer::configured("listen = [\"127.0.0.1:0\", \"unix:FOLDER/.s.PGSQL.5499\"]\n");
    let socket = server.folder.path().join(".s.PGSQL.5499");
    let config = format!(
        "host={} port=5499 user=x dbname=x",
        server.folder.path().display()
    );
    let (client, connection) = tokio_postgres::connect(&config, tokio_postgres::NoTls)
        .await
        .unwrap();
    let connection = tokio::spawn(connection);
    let row = client
        .query_one("SELECT count(*) FROM customer", &[])
        .await
        .unwrap();
    assert_eq!(row.get::<_, i64>(0), 3);

    // Another server cannot take it while it is in use, but what a dead one has left it can.
    let database =
        querent::sqlite::engine::Database::open(&server.folder.path().join("test.db"), Options::default())
            .unwrap();
    let folder = tempfile::tempdir().unwrap();
    let same = format!("listen = [\"unix:{}\"]\n", socket.display());
    let refused = Server::bind(database.clone(), settings(folder.path(), &same)).await;
    assert!(refused.is_err());
    drop(client);
    let _ = connection.await;
    server.handle.drain();
    let stopped = tokio::task::spawn_blocking(move || {
        server.join();
        server
    });
    let server = stopped.await.unwrap();
    assert!(!socket.exists() && server.folder.path().exists());

    let folder = tempfile::tempdir().unwrap();
    let left = folder.path().join(".s.PGSQL.1");
    drop(std::os::unix::net::UnixListener::bind(&left).unwrap());
    assert!(left.exists());
    let stale = format!("listen = [\"unix:{}\"]\n", left.display());
    assert!(
        Server::bind(database.clone(), settings(folder.path(), &stale))
            .await
            .is_ok()
    );
    let file = folder.path().join(".s.PGSQL.2");
    std::fs::write(&file, "precious").unwrap();
    let taken = format!("listen = [\"unix:{}\"]\n", file.display());
    assert!(
        Server::bind(database, settings(folder.path(), &taken))
            .await
            .is_err()
    );
    assert_eq!(std::fs::read_to_string(file).unwrap(), "precious");
}
