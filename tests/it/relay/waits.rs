//! Waits of a session that nobody may keep from ending, and what it leaves on the server.

use std::{
    net::TcpListener,
    process::Command,
    time::{Duration, Instant},
};

use super::harness::{Relay, log_in};
use crate::{
    postgres::server::Options,
    server::raw::{Client, client_message},
};

const COUNT: &str = "-- nl: how many orders are there?";

fn send(client: &mut Client, messages: &[&str]) {
    let bytes: Vec<u8> = messages
        .iter()
        .flat_map(|message| client_message(message))
        .collect();
    client.send(&bytes);
}

/// All up to the end of the connection.
fn until_closed(client: &mut Client) -> Vec<String> {
    let mut told = vec![];
    loop {
        told.push(client.next());
        if told.last().is_some_and(|last| last == "closed") {
            return told;
        }
    }
}

#[test]
fn a_question_that_the_server_does_not_hear_waits_for_nothing() {
    let Some(relay) = Relay::start() else { return };
    let question = format!("Query {COUNT}");
    // Behind an error, up to Sync.
    let mut client = relay.client();
    send(&mut client, &["Execute nope", "Flush"]);
    assert!(client.next().starts_with("E ERROR 34000"));
    send(&mut client, &[&question, &question, "Sync"]);
    assert_eq!(client.next(), "Z I");
    assert_eq!(client.query(COUNT)[2], "D 3", "the session goes on");
    // In COPY the server ends the session, as it does for any statement there.
    for messages in [
        &["Query COPY notes(body) FROM STDIN", &question][..],
        &[
            "Parse | COPY notes(body) FROM STDIN",
            "Bind | |",
            "Execute",
            "Sync",
            &question,
        ],
    ] {
        let (mut through, mut direct) = (relay.client(), relay.direct());
        for client in [&mut through, &mut direct] {
            send(client, messages);
        }
        assert_eq!(until_closed(&mut through), until_closed(&mut direct));
        let mut gone = relay.client();
        send(&mut gone, messages);
        drop(gone);
    }
    let mut admin = relay.direct();
    wait_for(
        &mut admin,
        "SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid() AND state <> 'idle'",
        "D 0",
    );
    assert_eq!(
        admin.query("ALTER TABLE notes ADD more int")[0],
        "C ALTER TABLE",
        "no lock is left"
    );
}

#[test]
fn what_follows_copied_data_without_its_sync_waits_for_nothing() {
    let toml = "[limits]\nquestion_timeout = \"600s\"\n";
    let Some(relay) = Relay::with(&Options::default(), toml) else {
        return;
    };
    let mut client = relay.client();
    let question = format!("Parse s | {COUNT}");
    send(&mut client, &[&question, "Sync"]);
    client.until_ready();
    // The server passes over a Sync that comes while it reads COPY's data.
    send(
        &mut client,
        &[
            "Parse | COPY notes(body) FROM STDIN",
            "Bind | |",
            "Execute",
            "Sync",
            "CopyDone",
        ],
    );
    send(&mut client, &["Bind | s |", "Execute", "Sync"]);
    let told = client.until_ready();
    assert!(told.contains(&"C COPY 0".to_owned()), "{told:?}");
    assert!(told.contains(&"D 3".to_owned()), "{told:?}");
}

fn wait_for(client: &mut Client, sql: &str, expected: &str) {
    let begun = Instant::now();
    while client.query(sql)[1] != expected {
        assert!(
            begun.elapsed() < Duration::from_secs(30),
            "{sql}: {:?}",
            client.query(sql)
        );
        std::thread::sleep(Duration::from_millis(50));
    }
}

#[test]
fn a_client_that_resets_its_connection_leaves_nothing_on_the_server() {
    let Some(relay) = Relay::start() else { return };
    relay.client().query(COUNT);
    let question = format!("Parse | {COUNT}");
    for delay in 0..12 {
        let mut client = relay.client();
        // The question stands in a pipeline of which the server has not seen the end.
        send(
            &mut client,
            &[
                "Parse s1 | SELECT body FROM notes FOR UPDATE",
                "Bind | s1 |",
                "Execute",
                &question,
                "Bind | |",
                "Execute",
                "Sync",
            ],
        );
        std::thread::sleep(Duration::from_millis(delay));
        let socket = socket2::SockRef::from(client.stream());
        socket.set_linger(Some(Duration::ZERO)).unwrap();
    }
    let mut admin = relay.direct();
    wait_for(
        &mut admin,
        "SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()",
        "D 0",
    );
}

#[test]
fn a_server_that_ends_is_told_of_while_a_model_thinks() {
    // It takes the question and says nothing.
    let model = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = model.local_addr().unwrap().port();
    let toml = format!(
        "mode = \"single\"\n[[model]]\nname = \"silent\"\napi = \"openai\"\nmodel = \"m\"\n\
         base_url = \"http://127.0.0.1:{port}/v1\"\n"
    );
    let Some(relay) = Relay::with(&Options::default(), &toml) else {
        return;
    };
    let mut client = relay.client();
    send(
        &mut client,
        &["Query -- nl: how many orders does each customer have?"],
    );
    // The model has been asked.
    let _asked = model.accept().unwrap();
    let begun = Instant::now();
    let mut admin = relay.direct();
    admin.query(&format!("SELECT pg_terminate_backend({})", client.process));
    let told = until_closed(&mut client);
    assert!(told[0].starts_with("E FATAL 57P01"), "{told:?}");
    assert!(begun.elapsed() < Duration::from_secs(15), "{:?}", begun.elapsed());
}

#[test]
fn a_server_that_does_not_stop_is_told_of_and_stayed_with() {
    let toml = "[limits]\nstatement_timeout = \"1s\"\nquestion_timeout = \"5s\"\nconnections = 2\n";
    let Some(relay) = Relay::with(&Options::default(), toml) else {
        return;
    };
    let mut client = relay.client();
    client.query(COUNT);
    let signal = |name: &str, process: u32| {
        let done = Command::new("kill")
            .args([name, &process.to_string()])
            .status()
            .unwrap();
        assert!(done.success());
    };
    signal("-STOP", client.process);
    client
        .stream()
        .set_read_timeout(Some(Duration::from_secs(60)))
        .unwrap();
    send(&mut client, &["Query -- nl: how many customers are there?"]);
    let told = until_closed(&mut client);
    assert!(told[0].starts_with("E FATAL 57014"), "{told:?}");
    let begun = Instant::now();
    while !relay.front.handle.has_stuck_sessions() {
        assert!(begun.elapsed() < Duration::from_secs(60), "nobody is told of it");
        std::thread::sleep(Duration::from_millis(50));
    }
    let _second = relay.client();
    assert!(!relay.front.handle.has_room(), "its place is taken");
    signal("-CONT", client.process);
    let begun = Instant::now();
    while relay.front.handle.has_stuck_sessions() || !relay.front.handle.has_room() {
        assert!(begun.elapsed() < Duration::from_secs(60), "it does not end");
        std::thread::sleep(Duration::from_millis(50));
    }
}

#[test]
fn a_client_that_pauses_does_not_keep_the_server_from_stopping() {
    let toml = "[limits]\nstatement_timeout = \"2s\"\nrows = 0\nbytes = \"0\"\n";
    let Some(relay) = Relay::with(&Options::default(), toml) else {
        return;
    };
    let mut admin = relay.direct();
    admin.query(
        "CREATE TABLE rocks AS SELECT g AS id, repeat('x', 1000) AS dust FROM generate_series(1, 100000) g; ANALYZE rocks",
    );
    let mut client = relay.client();
    client.query(COUNT);
    send(&mut client, &["Query -- nl: list the dust of all rocks"]);
    // It reads nothing. The server sends until nobody takes more, is told to stop, and gets to its end.
    let state = format!(
        "SELECT state FROM pg_stat_activity WHERE pid = {}",
        client.process
    );
    let mut is = |wanted: &str, most: u64| {
        let begun = Instant::now();
        while admin.query(&state)[1] != format!("D {wanted}") {
            assert!(begun.elapsed() < Duration::from_secs(most), "never {wanted}");
            std::thread::sleep(Duration::from_millis(20));
        }
    };
    is("active", 10);
    is("idle", 15);
    let told = client.until_ready();
    let last = &told[told.len() - 2];
    assert!(last.starts_with("E ERROR 57014"), "{last}");
    assert_eq!(client.query("SELECT 1")[1], "D 1");
}

#[test]
fn what_was_prepared_and_has_changed_does_not_write() {
    let Some(relay) = Relay::start() else { return };
    let mut admin = relay.direct();
    admin.query(
        "CREATE TABLE log(line text); CREATE TABLE traps(caught int); \
         CREATE FUNCTION spy() RETURNS int LANGUAGE sql VOLATILE AS $$ INSERT INTO log VALUES ('x') RETURNING 1 $$",
    );
    let mut client = relay.client();
    send(
        &mut client,
        &["Parse s | -- nl: how many traps are there?", "Sync"],
    );
    client.until_ready();
    admin.query("DROP TABLE traps; CREATE VIEW traps AS SELECT spy() AS caught");
    for messages in [
        &[
            "Parse | SELECT 1",
            "Bind | |",
            "Execute",
            "Bind | s |",
            "Execute",
            "Sync",
        ][..],
        &[
            "Bind | s |",
            "Execute",
            "Parse | SELECT 1",
            "Bind | |",
            "Execute",
            "Sync",
        ],
        &["Bind | s |", "Execute", "Flush", "Sync"],
        &["Bind | s |", "Execute", "Sync"],
    ] {
        send(&mut client, messages);
        let told = client.until_ready();
        assert!(told.iter().any(|line| line.starts_with("E ERROR")), "{told:?}");
        assert_eq!(admin.query("SELECT count(*) FROM log")[1], "D 0", "{messages:?}");
    }
}

#[test]
fn what_was_prepared_is_judged_again_where_the_database_has_changed() {
    let Some(relay) = Relay::start() else { return };
    let mut admin = relay.direct();
    admin.query(
        "CREATE FUNCTION worth() RETURNS int LANGUAGE sql IMMUTABLE AS $$ SELECT 7 $$; \
         CREATE VIEW traps AS SELECT worth() AS caught",
    );
    let ask = "-- nl: how many traps are there?";
    let mut client = relay.client();
    send(&mut client, &[&format!("Parse s | {ask}"), "Sync"]);
    client.until_ready();
    client.query(&format!("PREPARE p AS {ask}"));
    let bound = &["Bind | s |", "Execute", "Sync"][..];
    let by_name = &["Query EXECUTE p"][..];
    let run = |client: &mut Client, messages: &[&str]| {
        send(client, messages);
        client.until_ready()
    };
    for messages in [bound, by_name] {
        assert!(run(&mut client, messages).contains(&"D 1".to_owned()));
    }
    admin.query("CREATE OR REPLACE FUNCTION worth() RETURNS int LANGUAGE sql VOLATILE AS $$ SELECT 8 $$");
    for begin in ["SELECT 1", "BEGIN"] {
        client.query(begin);
        // What is bound is judged anew: what it reads may write now.
        for (messages, error) in [(bound, "E ERROR 42501"), (by_name, "E ERROR 26000")] {
            let told = run(&mut client, messages);
            assert!(told.iter().any(|line| line.starts_with(error)), "{told:?}");
            if begin == "BEGIN" {
                client.query("ROLLBACK; BEGIN");
            }
        }
    }
}

#[test]
fn what_was_prepared_outlives_what_others_create() {
    let Some(relay) = Relay::start() else { return };
    let mut admin = relay.direct();
    let mut client = relay.client();
    send(
        &mut client,
        &["Parse s | -- nl: how many customers are there?", "Sync"],
    );
    client.until_ready();
    let mut first = None;
    for change in [
        "SELECT 1",
        "CREATE TABLE apart (n int)",
        "COMMENT ON TABLE apart IS 'x'",
        "SELECT 2",
    ] {
        admin.query(change);
        send(&mut client, &["Bind | s |", "Execute", "Sync"]);
        let mut told = client.until_ready();
        assert!(
            !told.iter().any(|line| line.starts_with("E ")),
            "{change}: {told:?}"
        );
        told.retain(|line| !line.starts_with("N "));
        assert_eq!(first.get_or_insert_with(|| told.clone()), &told, "{change}");
    }
}

#[test]
fn a_clients_own_names_stay() {
    let Some(relay) = Relay::start() else { return };
    let mut client = log_in(relay.front.port);
    client.query(
        "PREPARE querent_own AS SELECT 7; BEGIN; DECLARE querent_own CURSOR WITH HOLD FOR SELECT 8; COMMIT",
    );
    client.query("BEGIN; SAVEPOINT querent_own");
    assert_eq!(client.query(COUNT)[2], "D 3");
    assert_eq!(client.query("RELEASE querent_own; COMMIT")[0], "C RELEASE");
    assert_eq!(client.query(COUNT)[2], "D 3");
    assert_eq!(client.query("EXECUTE querent_own")[1], "D 7");
    assert_eq!(client.query("FETCH querent_own")[1], "D 8");
}

#[test]
fn no_session_goes_beyond_the_configured_limits() {
    let toml = "[limits]\nrows = 2\nstatement_timeout = \"3s\"\n";
    let Some(relay) = Relay::with(&Options::default(), toml) else {
        return;
    };
    for set in [
        "SET querent.row_limit = 0; SET querent.statement_timeout = 0",
        "SET querent.row_limit = 1000; SET querent.statement_timeout = '1h'",
        "SELECT set_config('querent.row_limit', '0', false), set_config('querent.statement_timeout', '0', false)",
    ] {
        let mut client = relay.client();
        client.query(set);
        let told = client.query("-- nl: show all orders");
        assert!(
            told.iter().any(|line| line.starts_with("E ERROR 54000")),
            "{set}: {told:?}"
        );
        assert_eq!(client.query("SHOW querent.row_limit")[1], "D 2", "{set}");
        assert_eq!(client.query("SHOW querent.statement_timeout")[1], "D 3s", "{set}");
    }
}
