//! Clients that say anything in any order, with questions between: each gets the answers that a bare server gives,
//! and none leaves a session behind, by the server's count and by Querent's own.

use std::{
    sync::atomic::{AtomicU64, Ordering},
    time::{Duration, Instant},
};

use super::conversation::{APPLICATION, Conversation, End, random};
use crate::{
    console::served::Served,
    postgres::server::{PostgresServer, SUPERUSER},
    program::Place,
    server::raw::Client,
};

/// Clients at the same time.
const AT_ONCE: u64 = 4;
/// How long sessions may take to end on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

const TABLES: &str = "CREATE TABLE customers(id int PRIMARY KEY, name text NOT NULL); \
    CREATE TABLE orders(id int PRIMARY KEY, customer_id int REFERENCES customers(id), total numeric); \
    INSERT INTO customers VALUES (1, 'Ann'); INSERT INTO orders VALUES (1, 1, 10.5), (2, 1, 20), (3, 1, 30)";

#[test]
fn no_conversation_leaves_a_session_behind() {
    with_postgres(0..600);
}

/// Its data is wrong, and the server comes to the Sync behind it.
#[test]
fn a_sync_behind_wrong_data_is_answered() {
    with_postgres(61_339..61_340);
}

/// What is run by hand after changes of the relay; see docs/transparency.md.
#[test]
#[ignore = "takes half an hour"]
fn none_of_a_hundred_thousand_conversations_leaves_a_session_behind() {
    with_postgres(1_000..101_000);
}

#[test]
fn no_conversation_leaves_a_session_of_a_file_behind() {
    with_sqlite(0..600);
}

#[test]
#[ignore = "takes half an hour"]
fn none_of_a_hundred_thousand_conversations_leaves_a_session_of_a_file_behind() {
    with_sqlite(1_000..101_000);
}

fn with_postgres(seeds: std::ops::Range<u64>) {
    let Some(postgres) = PostgresServer::start() else {
        return;
    };
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(postgres.run("postgres", &format!("{TABLES}; CREATE TABLE notes(body text)")));
    let served = Served::start_in(
        Place::new(),
        "",
        &[
            &postgres.address(SUPERUSER, "postgres"),
            "--console",
            "127.0.0.1:0",
        ],
    );
    hold(&served, seeds, Some(postgres.port));
    let mut admin = super::harness::log_in(postgres.port);
    let count = format!("SELECT count(*) FROM pg_stat_activity WHERE application_name = '{APPLICATION}'");
    wait_for(&format!("the server's count of {APPLICATION}s"), || {
        admin.query(&count)[1] == "D 0"
    });
    let locks = "SELECT count(*) FROM pg_locks WHERE pid <> pg_backend_pid()";
    assert_eq!(admin.query(locks)[1], "D 0", "locks are left");
}

fn with_sqlite(seeds: std::ops::Range<u64>) {
    let place = Place::new();
    place.database("shop.db", &format!("{TABLES}; CREATE TABLE notes(body text)"));
    // Writers wait for each other, however slow the machine is.
    let patient = format!("[sqlite]\nbusy_timeout = \"{}s\"\n", PATIENCE.as_secs() - 10);
    let served = Served::start_in(place, &patient, &["sqlite:shop.db", "--console", "127.0.0.1:0"]);
    hold(&served, seeds, None);
    // Nobody keeps the file from being written.
    let mut client = Client::connect(served.port);
    client.log_in();
    let told = client.query("INSERT INTO notes VALUES ('the last')");
    assert_eq!(told[0], "C INSERT 0 1", "{told:?}");
}

/// Holds the conversations through Querent, and directly with the server where there is one.
fn hold(served: &Served, seeds: std::ops::Range<u64>, direct: Option<u16>) {
    let next = AtomicU64::new(seeds.start);
    std::thread::scope(|scope| {
        for _ in 0..AT_ONCE {
            scope.spawn(|| {
                loop {
                    let seed = next.fetch_add(1, Ordering::Relaxed);
                    if seed >= seeds.end {
                        return;
                    }
                    check(seed, served.port, direct);
                }
            });
        }
    });
    let none = |line: &str| line.starts_with("querent_sessions{") && line.ends_with(" 0");
    wait_for("Querent's own count of sessions", || {
        served.get("/metrics").body.lines().any(none)
    });
    assert_eq!(served.get("/healthz").code, 200);
}

fn check(seed: u64, port: u16, direct: Option<u16>) {
    let conversation = Conversation::chosen(&random(seed));
    let told = |error| format!("conversation {seed}: {error}\n{}", conversation.told());
    let heard = conversation.hold(port, true).map_err(told).unwrap();
    if let (Some(direct), End::Stays) = (direct, conversation.end) {
        // A question that cannot be guarded in the middle of a pipeline is refused.
        if heard.iter().any(|word| word == "E0A000") {
            return;
        }
        let expected = conversation.hold(direct, false).unwrap();
        let (ours, theirs) = to_the_same_end(own(&heard), own(&expected));
        assert_eq!(
            ours,
            theirs,
            "conversation {seed}\n{}heard {heard:?}\nof the server {expected:?}",
            conversation.told()
        );
    }
}

/// Errors that Querent tells in its own words are errors of the server's too, at the same place.
fn own(heard: &[String]) -> Vec<&str> {
    heard
        .iter()
        .map(|word| if word.starts_with('E') { "E" } else { word.as_str() })
        .collect()
}

/// A server that ends a session with bytes unread resets the connection: what it said last may be lost.
fn to_the_same_end<'w>(mut ours: Vec<&'w str>, mut theirs: Vec<&'w str>) -> (Vec<&'w str>, Vec<&'w str>) {
    if ours.last() == Some(&"closed") && theirs.last() == Some(&"closed") {
        let heard = ours.len().min(theirs.len()) - 1;
        ours.truncate(heard);
        theirs.truncate(heard);
    }
    (ours, theirs)
}

fn wait_for(what: &str, mut is_so: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !is_so() {
        assert!(begun.elapsed() < PATIENCE, "{what} does not come to 0");
        std::thread::sleep(Duration::from_millis(50));
    }
}
