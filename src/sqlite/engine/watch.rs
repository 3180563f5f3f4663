//! Stops statements: cancelled by the client, out of time, or the session is gone.

use std::{
    fmt,
    sync::{
        Arc, Mutex, MutexGuard, OnceLock, PoisonError,
        atomic::{AtomicBool, Ordering::Relaxed},
    },
    time::{Duration, Instant},
};

use rusqlite::InterruptHandle;

use super::session_context::SessionContext;
use crate::{
    backend::BackendError,
    error::length_of,
    sqlite::{
        catalog::{Activity, Holding, Surroundings},
        functions::allowance::{self, Interrupts},
    },
};

/// Virtual machine instructions between two looks at the clock: some ten microseconds.
const INSTRUCTIONS: i32 = 1_000;

/// How long the impatient wait for a lock.
const MOMENT: Duration = Duration::from_millis(50);

/// The flag by which one operation is cancelled.
pub(super) type CancelFlag = Arc<AtomicBool>;

/// What the handle and the thread of a connection share.
#[derive(Debug, Default)]
pub(super) struct Control {
    /// Set once, when the connection's handle is dropped.
    pub(super) closing: AtomicBool,
    /// True inside BEGIN … COMMIT.
    pub(super) in_transaction: AtomicBool,
    /// True if what runs, or ran last, cannot change the database by itself.
    pub(super) only_reads: AtomicBool,
    /// Cursors that were dropped and wait to be closed.
    pub(super) dropped: Mutex<Vec<u64>>,
    latest: Mutex<CancelFlag>,
    /// What runs at this moment.
    running: Mutex<Running>,
    /// Since when nobody waits for the thread, which is to end.
    left: OnceLock<Instant>,
    /// Why the thread serves no more, if it does not.
    lost: OnceLock<BackendError>,
    /// True once the thread has ended.
    ended: AtomicBool,
    /// What session and thread tell each other.
    pub(super) session_context: SessionContext,
}

/// How long a statement that was told to stop may take to do so, before nobody waits for it any more.
pub(super) const GRACE: Duration = Duration::from_secs(5);

impl Control {
    /// A flag for a new operation, which is what the next interrupt stops.
    pub(super) fn begin(&self) -> CancelFlag {
        let flag = CancelFlag::default();
        // Until the thread knows better.
        self.only_reads.store(false, Relaxed);
        *self.latest.lock().unwrap_or_else(PoisonError::into_inner) = Arc::clone(&flag);
        flag
    }

    /// Cancels the operation that began last; without effect if that has ended.
    pub(super) fn cancel(&self) {
        self.latest
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .store(true, Relaxed);
    }

    /// Tells the thread to end.
    pub(super) fn leave(&self) {
        self.closing.store(true, Relaxed);
        self.left.get_or_init(Instant::now);
    }

    /// Leaves a thread that does not stop, or has failed, for this reason; returns the first reason of all.
    pub(super) fn lose(&self, reason: BackendError) -> BackendError {
        let first = self.lost.get_or_init(|| reason).clone();
        self.leave();
        first
    }

    /// Why the thread serves no more, if it does not.
    pub(super) fn lost(&self) -> Option<BackendError> {
        self.lost.get().cloned()
    }

    /// True if the thread should have ended by now.
    pub(super) fn is_stuck(&self) -> bool {
        let late = || self.left.get().is_some_and(|since| since.elapsed() > GRACE);
        !self.ended.load(Relaxed) && (self.lost.get().is_some() || late())
    }

    /// The thread ends.
    pub(super) fn end(&self) {
        self.ended.store(true, Relaxed);
    }

    /// Why what runs has to end, if it has to.
    pub(super) fn must_stop(&self) -> Option<BackendError> {
        self.running().must_stop(&self.closing).map(StopReason::error)
    }

    /// Has SQLite itself stop what was told to and has not: it looks for that at each row, and at the watch only after many
    /// instructions, each of which may read a text of a hundred megabytes.
    pub(super) fn interrupt(&self) {
        if let Some(connection) = &self.running().alone_on {
            connection.interrupt();
        }
    }

    fn running(&self) -> MutexGuard<'_, Running> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Why a statement was stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum StopReason {
    Cancelled,
    Timeout(Duration),
    Closing,
}

/// The limits of the operation that runs at this moment on one thread.
#[derive(Debug)]
pub(super) struct Watch {
    control: Arc<Control>,
    busy_timeout: Duration,
}

#[derive(Debug, Default)]
struct Running {
    cancelled: CancelFlag,
    deadline: Option<(Instant, Duration)>,
    waiting_since: Option<Instant>,
    stopped: Option<StopReason>,
    impatient: bool,
    /// The connection that it runs on, where no other statement would be interrupted there with it.
    alone_on: Option<Interruptible>,
}

/// A connection as it can be interrupted from elsewhere.
#[derive(Clone)]
pub(super) struct Interruptible(Arc<InterruptHandle>);

impl Interruptible {
    pub(super) fn of(connection: &rusqlite::Connection) -> Self {
        Self(Arc::new(connection.get_interrupt_handle()))
    }

    fn interrupt(&self) {
        self.0.interrupt();
    }
}

impl fmt::Debug for Interruptible {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Interruptible")
    }
}

impl Running {
    /// Why it has to end, if it has to; the first reason stays.
    fn must_stop(&mut self, closing: &AtomicBool) -> Option<StopReason> {
        if self.stopped.is_none() {
            self.stopped = if closing.load(Relaxed) {
                Some(StopReason::Closing)
            } else if self.cancelled.load(Relaxed) {
                Some(StopReason::Cancelled)
            } else {
                self.deadline
                    .filter(|(deadline, _)| Instant::now() >= *deadline)
                    .map(|(_, total)| StopReason::Timeout(total))
            };
        }
        self.stopped
    }
}

impl StopReason {
    fn error(self) -> BackendError {
        match self {
            Self::Cancelled => BackendError::new("57014", "canceling statement due to user request"),
            Self::Timeout(total) => {
                BackendError::new("57014", "canceling statement due to statement timeout")
                    .with_detail(format!(
                        "The statement worked for more than {}.",
                        length_of(total)
                    ))
                    .with_hint("Narrow the statement, or raise the time limit.")
            }
            Self::Closing => BackendError::new("57P01", "the connection is closing"),
        }
    }
}

impl Watch {
    /// The watch of a connection; `busy_timeout` bounds the waits for another's lock.
    pub(super) fn new(control: Arc<Control>, busy_timeout: Duration) -> Arc<Self> {
        Arc::new(Self {
            control,
            busy_timeout,
        })
    }

    /// Puts a connection under this watch.
    pub(super) fn attach(self: &Arc<Self>, connection: &mut rusqlite::Connection) -> rusqlite::Result<()> {
        let watch = Arc::clone(self);
        connection.progress_handler(INSTRUCTIONS, Some(move || watch.must_stop()))?;
        // SQLite rolls back instead: what comparisons that were given up have put in order is in none.
        connection.commit_hook(Some(allowance::has_given_up))?;
        let watch = Arc::clone(self);
        connection.busy_handler(Some(move |tries| watch.wait_for_lock(tries)))
    }

    /// Starts watching an operation that may work for `allowed` of `total`; `None` means for ever.
    pub(super) fn start(&self, cancelled: &CancelFlag, allowed: Option<(Duration, Duration)>) {
        *self.running() = Running {
            cancelled: Arc::clone(cancelled),
            deadline: allowed.map(|(left, total)| (Instant::now() + left, total)),
            ..Running::default()
        };
    }

    /// Starts watching an operation of our own that may work for this long.
    pub(super) fn restart(&self, allowed: Duration) {
        self.start(&CancelFlag::default(), Some((allowed, allowed)));
    }

    /// Nothing but the operation runs on this connection.
    pub(super) fn is_alone_on(&self, connection: &Interruptible) {
        self.running().alone_on = Some(connection.clone());
    }

    /// Watches nothing until the next start.
    pub(super) fn rest(&self) {
        *self.running() = Running::default();
    }

    /// Bounds the waits for a lock to a moment, or no longer.
    pub(super) fn impatient(&self, impatient: bool) {
        self.running().impatient = impatient;
    }

    /// Lets the operation work for this long at most from now on.
    pub(super) fn shorten(&self, left: Duration) {
        let mut running = self.running();
        let soon = Instant::now() + left;
        if running.deadline.is_none_or(|(deadline, _)| soon < deadline) {
            running.deadline = Some((soon, left));
        }
    }

    /// Takes back a stop for lack of time.
    pub(super) fn forget_stop(&self) {
        let mut running = self.running();
        if let Some(StopReason::Timeout(_)) = running.stopped {
            running.stopped = None;
            running.deadline = None;
        }
    }

    /// The error of the operation if it was stopped from here.
    pub(super) fn stopped(&self) -> Option<BackendError> {
        self.running().stopped.map(StopReason::error)
    }

    /// True if the operation must end now; remembers why.
    pub(super) fn must_stop(&self) -> bool {
        self.running().must_stop(&self.control.closing).is_some()
    }

    /// What session and thread tell each other.
    pub(super) fn session_context(&self) -> &SessionContext {
        &self.control.session_context
    }

    fn running(&self) -> MutexGuard<'_, Running> {
        self.control.running()
    }

    /// True if the operation may wait on for a lock.
    fn may_wait(&self, first_try: bool) -> bool {
        let now = Instant::now();
        let (since, patience) = {
            let mut running = self.running();
            if first_try {
                running.waiting_since = Some(now);
            }
            let since = *running.waiting_since.get_or_insert(now);
            (
                since,
                if running.impatient {
                    self.busy_timeout.min(MOMENT)
                } else {
                    self.busy_timeout
                },
            )
        };
        now.duration_since(since) < patience && !self.must_stop()
    }

    /// SQLite's busy handler: sleeps a little, so that a cancel is noticed within 20 ms.
    fn wait_for_lock(&self, tries: i32) -> bool {
        let may_wait = self.may_wait(tries == 0);
        if may_wait {
            std::thread::sleep(Duration::from_millis(1 << tries.clamp(0, 4)));
        }
        may_wait
    }
}
impl Interrupts for Watch {
    fn must_stop(&self) -> bool {
        self.must_stop()
    }
}

impl Surroundings for Watch {
    fn setting(&self, name: &str) -> Option<String> {
        self.session_context().setting(name)
    }

    fn sessions(&self) -> Vec<Activity> {
        self.session_context().sessions()
    }

    fn holdings(&self) -> Vec<Holding> {
        self.session_context().holdings()
    }
}
