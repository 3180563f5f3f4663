//! What is remembered is bounded, and nobody is waited for.

use super::*;

fn begin(feed: &Feed, id: &str, words: &str) -> Option<Watched> {
    feed.begin((id, words), &Who::default(), "run", true)
}

#[test]
fn nothing_is_kept_before_somebody_can_watch() {
    let feed = Feed::default();
    assert!(begin(&feed, "1", "who?").is_none());
    assert!(feed.recent().is_empty());
}

#[test]
fn what_is_remembered_is_bounded() {
    let feed = Feed::default();
    feed.open();
    for number in 0..QUESTIONS + 5 {
        begin(&feed, &number.to_string(), "who?");
    }
    assert_eq!(feed.recent().len(), QUESTIONS);
    assert_eq!(feed.recent()[0].id, (QUESTIONS + 4).to_string());
    let long = "x".repeat(2 * LONGEST);
    for number in 0..QUESTIONS {
        begin(&feed, &format!("long {number}"), &long);
    }
    let bytes: usize = feed.recent().iter().map(Question::weight).sum();
    assert!(bytes <= BYTES && feed.lock().bytes == bytes, "{bytes}");
}

#[test]
fn a_slow_watcher_is_not_waited_for() {
    let feed = Feed::default();
    feed.open();
    let mut watcher = feed.watch();
    for number in 0..2 * BEHIND {
        begin(&feed, &number.to_string(), "who?");
    }
    assert!(matches!(
        watcher.try_recv(),
        Err(broadcast::error::TryRecvError::Lagged(_))
    ));
}
