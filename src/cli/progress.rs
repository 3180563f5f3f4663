//! Progress bars, on a terminal only, and the wait for the value index with one.

use std::{
    io::{IsTerminal, stderr},
    sync::{Arc, atomic::AtomicBool},
    time::Duration,
};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::{Failure, runtime};
use crate::{backend::BackendError, question::schema::IndexProgress, sqlite::engine::Database};

/// A bar on stderr; hidden where that is no terminal.
pub(super) fn bar(length: u64, template: &str) -> ProgressBar {
    let target = if stderr().is_terminal() {
        ProgressDrawTarget::stderr()
    } else {
        ProgressDrawTarget::hidden()
    };
    let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
    ProgressBar::with_draw_target(Some(length), target).with_style(style)
}

/// Works on questions with a bar that steps on with each, until Ctrl-C asks to stop.
pub(super) fn watched<T>(
    questions: usize,
    work: impl FnOnce(&(dyn Fn() + Sync), &AtomicBool) -> T,
) -> Result<T, Failure> {
    let stop = Arc::new(AtomicBool::new(false));
    let runtime = runtime()?;
    runtime.spawn(super::eval::stop_on_interrupt(Arc::clone(&stop)));
    let bar = bar(questions as u64, "{bar:30} {pos}/{len} {eta_precise}");
    let done = work(&|| bar.inc(1), &stop);
    bar.finish_and_clear();
    Ok(done)
}

/// Starts the value index and waits for it, at most so long. Returns how far it is then.
pub(super) async fn index_values(
    database: &Arc<Database>,
    patience: Duration,
) -> Result<IndexProgress, BackendError> {
    database.index_values();
    let snapshot = database.snapshot().await?;
    let bar = bar(0, "reading values {bar:30} {pos}/{len} columns, {msg} values");
    // The bar is drawn as soon as it has a length.
    bar.set_message("0");
    let watch = async {
        loop {
            let progress = snapshot.values.progress();
            bar.set_message(progress.values.to_string());
            bar.set_length(progress.columns_total as u64);
            bar.set_position(progress.columns_done as u64);
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    };
    // Cancel safe: the loop holds nothing, and the index goes on by itself.
    tokio::select! {
        _ = database.values_ready(patience) => {}
        () = watch => {}
    }
    bar.finish_and_clear();
    Ok(snapshot.values.progress())
}
