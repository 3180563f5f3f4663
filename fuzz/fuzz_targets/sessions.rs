//! Whole sessions in front of a real server: a client says anything in any order, with questions between, and leaves in
//! any way. Each comes to its end, and none leaves a session behind.
//!
//! `QUERENT_FUZZ_SERVER` is the address of a PostgreSQL server for this alone, `postgres://postgres@127.0.0.1:PORT/postgres`,
//! where `postgres` is trusted and has `orders` and `notes(body text)`.
#![no_main]

use std::{
    sync::{
        LazyLock,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use libfuzzer_sys::fuzz_target;
use querent::{
    config::{Environment, Settings},
    postgres::upstream,
    service::server::Server,
    telemetry::metrics,
};

#[path = "../shared/conversation.rs"]
#[allow(dead_code, reason = "the tests choose by a seed, and ask for more")]
mod conversation;

use conversation::Conversation;

/// Sessions are counted after so many conversations.
const ROUND: u64 = 1_000;

static PORT: LazyLock<u16> = LazyLock::new(start);
static HELD: AtomicU64 = AtomicU64::new(0);

/// A Querent in this process; its port.
fn start() -> u16 {
    let address =
        std::env::var("QUERENT_FUZZ_SERVER").expect("QUERENT_FUZZ_SERVER names a PostgreSQL server");
    let server: upstream::Server = address.parse().expect("it is an address");
    let file = std::env::temp_dir().join(format!("querent-fuzz-{}.toml", std::process::id()));
    std::fs::write(&file, "listen = [\"127.0.0.1:0\"]\n").expect("files can be written");
    let settings = Settings::load(Some(&file), &Environment::default(), &[]).expect("these are settings");
    let (sender, receiver) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        let runtime = tokio::runtime::Runtime::new().expect("there are threads");
        runtime.block_on(async move {
            let server = Server::bind(server, settings).await.expect("a port is free");
            sender.send(server.addresses()).expect("somebody waits");
            server.run().await;
        });
    });
    let addresses = receiver.recv().expect("the server starts");
    let port = addresses[0].rsplit(':').next().expect("it has a port");
    port.parse().expect("a port is a number")
}

fuzz_target!(|bytes: &[u8]| {
    let conversation = Conversation::chosen(bytes);
    if let Err(error) = conversation.hold(*PORT, true) {
        panic!("{error}\n{}", conversation.told());
    }
    if HELD.fetch_add(1, Ordering::Relaxed) % ROUND == ROUND - 1 {
        let begun = Instant::now();
        let open = |line: &str| line.starts_with("querent_sessions{") && !line.ends_with(" 0");
        while metrics::render().lines().any(open) {
            assert!(begun.elapsed() < Duration::from_secs(60), "sessions are left");
            std::thread::sleep(Duration::from_millis(20));
        }
    }
});
