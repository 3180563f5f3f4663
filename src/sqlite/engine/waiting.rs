//! Waiting for the thread of a connection: for its answers, and not for ever.

use std::sync::{Arc, atomic::Ordering::Relaxed};

use tokio::{
    sync::{mpsc, oneshot},
    time::{Instant, MissedTickBehavior, interval_at},
};

use super::{
    command::{Command, Operation},
    spin_wait::{self, UnderWay},
    watch::{CancelFlag, Control, GRACE},
};
use crate::backend::BackendError;

/// Cancels an operation unless its reply arrived.
pub(super) struct CancelOnDrop(pub(super) Option<CancelFlag>);

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        if let Some(flag) = &self.0 {
            flag.store(true, Relaxed);
        }
    }
}

/// Sends a command and waits for its reply, which the thread's own limits bound.
pub(super) async fn call<T>(
    control: &Control,
    commands: &mpsc::Sender<Operation>,
    command: impl FnOnce(oneshot::Sender<Result<T, BackendError>>) -> Command,
) -> Result<T, BackendError> {
    let (reply, mut answer) = oneshot::channel();
    let cancelled = control.begin();
    let under_way = UnderWay::begin();
    let mut cancel = CancelOnDrop(Some(Arc::clone(&cancelled)));
    if let Some(reason) = control.lost() {
        return Err(reason);
    }
    let operation = Operation {
        command: command(reply),
        cancelled,
    };
    in_time(control, commands.send(operation))
        .await?
        .map_err(|_| gone(control))?;
    let answer = match spin_wait::answer(|| answer.try_recv().ok()) {
        Some(answer) => answer,
        None => in_time(control, answer).await?.map_err(|_| gone(control))?,
    };
    drop(under_way);
    cancel.0 = None;
    answer
}

/// Waits for the thread, unless what runs there had to stop long ago.
pub(super) async fn in_time<T>(control: &Control, wait: impl Future<Output = T>) -> Result<T, BackendError> {
    let mut wait = std::pin::pin!(wait);
    let mut look = interval_at(Instant::now() + GRACE / 10, GRACE / 10);
    look.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut late: Option<Instant> = None;
    loop {
        tokio::select! {
            biased;
            done = &mut wait => return Ok(done),
            _ = look.tick() => {}
        }
        let Some(reason) = control.must_stop() else {
            late = None;
            continue;
        };
        if late.is_some() {
            control.interrupt();
        }
        if late.get_or_insert_with(Instant::now).elapsed() >= GRACE {
            tracing::error!(
                reason = %reason,
                "a statement on the SQLite file does not stop; its session ends, and its place stays taken until it does"
            );
            let reason = reason.with_detail(
                "The statement could not be stopped within one call of a function or of the system; the session ends.",
            );
            return Err(control.lose(reason));
        }
    }
}

/// The thread has ended, and told nobody why.
pub(super) fn gone(control: &Control) -> BackendError {
    if control.closing.load(Relaxed) && control.lost().is_none() {
        return BackendError::new("08003", "the connection to the database is closed");
    }
    control.lose(
        BackendError::new("XX000", "the session on the database file failed")
            .with_detail("An error of the proxy's own ended it; the log has more.")
            .with_hint("Connect again."),
    )
}
