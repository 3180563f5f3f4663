//! `/healthz`, and whether there is a console at all.

use std::{
    io::{ErrorKind, Read as _, Write as _},
    net::{TcpListener, TcpStream},
    time::Duration,
};

use serde_json::{Value, json};

use super::served::{Reply, Served};
use crate::program::{Place, refuses};

fn json_of(reply: &Reply) -> Value {
    serde_json::from_str(&reply.body).unwrap()
}

#[test]
fn a_server_that_works_is_healthy() {
    let served = Served::start("");
    let reply = served.get("/healthz");
    assert_eq!(reply.code, 200);
    assert!(reply.head.contains("content-type: application/json"));
    assert_eq!(
        json_of(&reply),
        json!({
            "status": "ok", "version": env!("CARGO_PKG_VERSION"), "leg": "sqlite", "draining": false, "database": true,
            "room": true, "stuck": false
        })
    );
    assert_eq!(served.get("/healthz/").code, 404);
    assert_eq!(served.get("/healthz/x").code, 404);
}

#[test]
fn callers_that_say_nothing_keep_nobody_out() {
    let served = Served::start("");
    let slow: Vec<TcpStream> = (0..200)
        .map(|_| {
            let mut stream = TcpStream::connect(("127.0.0.1", served.console)).unwrap();
            // The server may have let go of it already.
            let _ = stream.write_all(b"GET /healthz HTTP/1.1\r\nHost: ");
            stream
        })
        .collect();
    assert_eq!(served.get("/healthz").code, 200);
    // Those that came first are gone, before anybody's time for the head of a request is over.
    let mut first = &slow[0];
    first.set_read_timeout(Some(Duration::from_secs(4))).unwrap();
    let gone = first.read(&mut [0; 16]);
    assert!(
        matches!(gone, Ok(0)) || gone.is_err_and(|error| error.kind() == ErrorKind::ConnectionReset),
        "it is still there"
    );
}

#[test]
fn a_server_without_its_file_is_not() {
    let served = Served::start("");
    let (file, away) = (served.place.path("pets.db"), served.place.path("away.db"));
    std::fs::rename(&file, &away).unwrap();
    let gone = json_of(&served.get("/healthz"));
    assert_eq!(gone["status"], "unavailable");
    served.line(|line| line.contains("the database does not answer") && line.contains("does not exist"));
    std::fs::rename(&away, &file).unwrap();
    // An answer counts for a second.
    std::thread::sleep(Duration::from_millis(1_100));
    assert_eq!(served.get("/healthz").code, 200);
    served.line(|line| line.contains("the database answers again"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_takes_nobody_more_says_so() {
    let served = Served::start("[limits]\nconnections = 1\n");
    let client = served.client().await;
    let reply = served.get("/healthz");
    let told = json_of(&reply);
    assert_eq!(
        (reply.code, &told["status"], &told["room"]),
        (503, &json!("full"), &json!(false))
    );
    drop(client);
    // A session is counted until its work ends, and holds its place until its connection is closed, a little later.
    served.becomes("ok");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_drains_says_so() {
    let served = Served::start("[limits]\ndrain_timeout = \"20s\"\n");
    let client = served.client().await;
    let endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n";
    let token = client.cancel_token();
    let working = tokio::spawn(async move { client.simple_query(endless).await.is_err() });
    served.wait_for("querent_statements_total{leg=\"sqlite\"}", 1.0);
    served.signal("-TERM");
    served.wait_for("querent_draining", 1.0);
    let reply = served.get("/healthz");
    assert_eq!(
        (reply.code, json_of(&reply)["status"].clone()),
        (503, json!("draining"))
    );
    // Nobody is accepted any more.
    assert!(token.cancel_query(tokio_postgres::NoTls).await.is_err());
    working.abort();
}

#[test]
fn statements_that_go_on_are_cut_off_after_the_time_for_draining() {
    let mut served = Served::start("[limits]\ndrain_timeout = \"200ms\"\n");
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let client = runtime.block_on(served.client());
    let endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n";
    let working = runtime.spawn(async move { client.simple_query(endless).await.is_err() });
    served.wait_for("querent_statements_total{leg=\"sqlite\"}", 1.0);
    served.signal("-TERM");
    assert_eq!(served.exit_code(), Some(0));
    assert!(runtime.block_on(working).unwrap());
}

#[test]
fn without_its_default_address_a_server_goes_on() {
    // Whoever has the port, it is taken now.
    let _taken = TcpListener::bind("127.0.0.1:7433");
    let served = Served::start_in(Place::new(), "", &["sqlite:pets.db"]);
    assert_eq!(served.console, 0);
    served.line(|line| line.contains("no console") && line.contains("127.0.0.1:7433"));
}

#[test]
fn an_address_that_was_chosen_must_be_had() {
    let place = Place::new();
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let serve = ["serve", "sqlite:pets.db", "--listen", "127.0.0.1:0"];
    let chosen = [&serve[..], &["--console", &address]].concat();
    refuses(&place, &chosen, 1, &[&address, "--console off"]);
    place.write("querent.toml", &format!("console = \"{address}\"\n"));
    refuses(&place, &serve, 1, &[&address, "--console off"]);
}

#[test]
fn off_is_off() {
    let served = Served::start_in(Place::new(), "", &["sqlite:pets.db", "--console", "off"]);
    assert_eq!(served.console, 0);
    assert!(!served.lines().iter().any(|line| line.contains("console")));
}

/// What a service manager is told.
#[test]
fn a_service_manager_is_told() {
    let place = Place::new();
    let socket = std::os::unix::net::UnixDatagram::bind(place.path("notify")).unwrap();
    socket.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
    let mut child = place
        .command(&[
            "serve",
            "sqlite:pets.db",
            "--listen",
            "127.0.0.1:0",
            "--console",
            "off",
        ])
        .env("NOTIFY_SOCKET", place.path("notify"))
        .stderr(std::process::Stdio::null())
        .spawn()
        .unwrap();
    let signal = |name: &str| {
        let id = child.id().to_string();
        let sent = std::process::Command::new("kill").args([name, &id]).status();
        assert!(sent.unwrap().success());
    };
    let told = || {
        let mut buffer = [0; 100];
        let length = socket.recv(&mut buffer).unwrap();
        String::from_utf8_lossy(&buffer[..length]).into_owned()
    };
    assert_eq!(told(), "READY=1");
    signal("-HUP");
    assert_eq!(told(), "RELOADING=1");
    assert_eq!(told(), "READY=1");
    signal("-TERM");
    assert_eq!(told(), "STOPPING=1");
    assert!(child.wait().unwrap().success());
}
