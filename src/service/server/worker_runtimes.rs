//! The threads on which sessions run: each has a runtime of its own, so that a session never changes its thread and
//! a relayed message wakes nobody else.

use std::{
    io,
    sync::atomic::{AtomicUsize, Ordering},
    thread::{self, available_parallelism},
};

use tokio::{
    runtime::{Builder, Handle},
    sync::oneshot,
};

/// Threads of one of them for work that computes or waits for a file; more of it waits. Each takes memory that it keeps.
const BLOCKING: usize = 64;

/// The threads; dropping them ends what still runs on them.
pub(super) struct WorkerRuntimes {
    worker_runtimes: Vec<WorkerRuntime>,
    next: AtomicUsize,
}

struct WorkerRuntime {
    handle: Handle,
    /// Dropped, it ends the thread.
    _stop: oneshot::Sender<()>,
}

impl WorkerRuntimes {
    /// As many threads as said; 0 for one per two cores, since the database has to run somewhere too.
    pub(super) fn start(count: usize) -> io::Result<Self> {
        let count = match count {
            0 => available_parallelism().map_or(1, |cores| (cores.get() / 2).max(1)),
            count => count,
        };
        let worker_runtimes = (0..count).map(WorkerRuntime::start).collect::<io::Result<_>>()?;
        Ok(Self {
            worker_runtimes,
            next: AtomicUsize::new(0),
        })
    }

    /// Where the next session runs.
    pub(super) fn next(&self) -> &Handle {
        let turn = self.next.fetch_add(1, Ordering::Relaxed);
        &self.worker_runtimes[turn % self.worker_runtimes.len()].handle
    }
}

impl WorkerRuntime {
    fn start(number: usize) -> io::Result<Self> {
        let runtime = Builder::new_current_thread()
            .enable_all()
            .max_blocking_threads(BLOCKING)
            .build()?;
        let handle = runtime.handle().clone();
        let (stop, stopped) = oneshot::channel::<()>();
        thread::Builder::new()
            .name(format!("sessions-{number}"))
            .spawn(move || {
                // The sender is never used: its end is the message.
                let _ = runtime.block_on(stopped);
                runtime.shutdown_background();
            })?;
        Ok(Self { handle, _stop: stop })
    }
}
