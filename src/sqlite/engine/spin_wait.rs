//! When one statement alone is under way, its two threads wait for each other awake: to be woken takes longer than most
//! statements do. With more under way the processors are for them.

use std::{
    hint,
    sync::{
        OnceLock,
        atomic::{AtomicUsize, Ordering::Relaxed},
    },
    time::{Duration, Instant},
};

/// How long an answer is awaited awake.
const ANSWER: Duration = Duration::from_micros(40);
/// How long the next command is: a client has to read its rows and to write before it comes.
const COMMAND: Duration = Duration::from_micros(60);

/// Commands whose answers are awaited, of all connections.
static UNDER_WAY: AtomicUsize = AtomicUsize::new(0);

/// A command whose answer is awaited.
pub(super) struct UnderWay;

impl UnderWay {
    /// Until it is dropped.
    pub(super) fn begin() -> Self {
        UNDER_WAY.fetch_add(1, Relaxed);
        Self
    }
}

impl Drop for UnderWay {
    fn drop(&mut self) {
        UNDER_WAY.fetch_sub(1, Relaxed);
    }
}

/// Tries for the answer of a command.
pub(super) fn answer<T>(attempt: impl FnMut() -> Option<T>) -> Option<T> {
    awake(ANSWER, attempt)
}

/// Tries for the next command.
pub(super) fn command<T>(attempt: impl FnMut() -> Option<T>) -> Option<T> {
    awake(COMMAND, attempt)
}

fn awake<T>(time: Duration, mut attempt: impl FnMut() -> Option<T>) -> Option<T> {
    let until = Instant::now() + time;
    while UNDER_WAY.load(Relaxed) <= 1 && has_processors() {
        for _ in 0..50 {
            if let Some(found) = attempt() {
                return Some(found);
            }
            hint::spin_loop();
        }
        if Instant::now() >= until {
            return None;
        }
    }
    attempt()
}

/// With one processor the other thread needs it.
fn has_processors() -> bool {
    static COUNT: OnceLock<usize> = OnceLock::new();
    *COUNT.get_or_init(|| std::thread::available_parallelism().map_or(1, usize::from)) > 1
}
