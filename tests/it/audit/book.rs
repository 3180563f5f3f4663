//! Reading an audit in this process.

use std::{
    ops::ControlFlow,
    path::Path,
    time::{Duration, Instant},
};

use querent::service::{
    audit::{Entry, Verdict, entries, verify},
    store::StoreAddress,
};

/// How long something may take that a busy machine does at once when it is idle.
pub(crate) const PATIENCE: Duration = Duration::from_secs(20);

/// All questions in a store.
pub(crate) async fn all(place: &StoreAddress) -> Vec<Entry> {
    let mut found = vec![];
    let mut journal = place.reader().await.unwrap();
    let mut each = |entry| {
        found.push(entry);
        ControlFlow::Continue(())
    };
    entries(journal.as_mut(), None, None, &mut each).await.unwrap();
    found
}

/// Whether the chain of a store holds.
pub(crate) async fn chain(place: &StoreAddress) -> Verdict {
    let mut journal = place.reader().await.unwrap();
    verify(journal.as_mut()).await.unwrap()
}

/// Waits until the questions in a file are as wanted: they are written a moment after they were asked.
pub(crate) fn wait_for(file: &Path, wanted: impl Fn(&[Entry]) -> bool) -> Vec<Entry> {
    let place = StoreAddress::File(file.to_path_buf());
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let begun = Instant::now();
    loop {
        // It may not be there yet, or not be made to its end.
        let there = runtime.block_on(place.reader()).is_ok();
        let found = if there {
            runtime.block_on(all(&place))
        } else {
            vec![]
        };
        if wanted(&found) {
            let verdict = runtime.block_on(chain(&place));
            assert_eq!(verdict.broken, None);
            return found;
        }
        assert!(begun.elapsed() < PATIENCE, "{found:#?}");
        std::thread::sleep(Duration::from_millis(20));
    }
}
