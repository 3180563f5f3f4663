//! What becomes of events while the store is away.

use std::ops::ControlFlow;

use super::*;
use crate::service::{
    audit::event::{Body, Ended, Line},
    store::Wanted,
};

/// Long enough for a busy machine.
const PATIENCE: Duration = Duration::from_secs(30);

fn ended() -> Record {
    Body::Ended(Ended {
        outcome: "ok".to_owned(),
        ..Ended::default()
    })
    .record(Some("q"))
}

/// A store that another process holds, and what lets go of it.
fn held() -> (StoreAddress, rusqlite::Connection, tempfile::TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("querent.db");
    let place = StoreAddress::File(file.clone());
    drop(runtime().block_on(place.journal()).unwrap());
    let other = rusqlite::Connection::open(file).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    (place, other, folder)
}

fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap()
}

/// How many events were stored, and how many are told of as lost.
fn counted(place: &StoreAddress) -> (u64, u64) {
    let (mut stored, mut lost) = (0, 0);
    let mut each = |event: &crate::service::store::Event| {
        match serde_json::from_str(&event.body) {
            Ok(Line {
                body: Body::Lost(told),
                ..
            }) => lost += told.events,
            Ok(_) => stored += 1,
            Err(error) => panic!("{error}: {}", event.body),
        }
        ControlFlow::Continue(())
    };
    runtime().block_on(async {
        let mut journal = place.reader().await.unwrap();
        journal.read(Wanted::All, &mut each).await.unwrap();
    });
    (stored, lost)
}

#[test]
fn what_does_not_fit_is_told_of() {
    let (place, other, _folder) = held();
    let writer = Writer::start(place.clone(), "here:1").unwrap();
    let sent = 3 * WAITING as u64;
    for _ in 0..sent {
        writer.write(ended());
    }
    other.execute_batch("ROLLBACK").unwrap();
    // The next one is stored behind the word on those that are lost.
    let stored = writer.write_through(ended());
    runtime().block_on(async {
        stored.within(PATIENCE).await.unwrap();
        writer.finish(Instant::now() + PATIENCE).await;
    });
    let (stored, lost) = counted(&place);
    assert_eq!(stored + lost, sent + 1);
    assert!(
        lost >= WAITING as u64 && stored > WAITING as u64,
        "{stored} stored, {lost} lost"
    );
}

#[test]
fn who_finds_no_room_leaves_none_taken() {
    let (place, other, _folder) = held();
    let writer = Writer::start(place.clone(), "here:1").unwrap();
    // The thread waits for the store, and what it has not taken yet fills the channel.
    while writer.sender.capacity() > 0 {
        writer.write(ended());
    }
    let late = runtime().block_on(writer.write_through(ended()).within(Duration::from_millis(50)));
    assert!(matches!(late, Err(AuditError::Late)), "{late:?}");
    other.execute_batch("ROLLBACK").unwrap();
    let shared = Arc::clone(&writer.shared);
    runtime().block_on(async {
        writer.probe().within(PATIENCE).await.unwrap();
        writer.finish(Instant::now() + PATIENCE).await;
    });
    assert_eq!(shared.waiting.load(Ordering::Relaxed), 0);
    let (_, lost) = counted(&place);
    assert!(lost >= 1, "what found no room is told of");
}

#[test]
fn whoever_waits_is_told_in_time() {
    let (place, other, _folder) = held();
    let writer = Writer::start(place.clone(), "here:1").unwrap();
    let late = runtime().block_on(writer.write_through(ended()).within(Duration::from_millis(50)));
    assert!(matches!(late, Err(AuditError::Late)), "{late:?}");
    other.execute_batch("ROLLBACK").unwrap();
    runtime().block_on(async {
        writer.probe().within(PATIENCE).await.unwrap();
        writer.finish(Instant::now() + PATIENCE).await;
    });
    assert_eq!(counted(&place), (1, 0), "it is stored all the same");
}

#[test]
fn the_end_does_not_wait_for_a_store_that_stays_away() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("file"), "").unwrap();
    let writer = Writer::start(StoreAddress::File(folder.path().join("file/below.db")), "here:1").unwrap();
    for _ in 0..10 {
        writer.write(ended());
    }
    let refused = runtime().block_on(writer.write_through(ended()).within(PATIENCE));
    assert!(matches!(refused, Err(AuditError::Store(_))), "{refused:?}");
    let begun = Instant::now();
    runtime().block_on(writer.finish(begun + PATIENCE));
    assert!(begun.elapsed() < PATIENCE);
}
