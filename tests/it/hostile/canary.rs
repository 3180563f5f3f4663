//! A port that nobody may connect to.

use std::{
    net::TcpListener,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst},
    },
    thread::JoinHandle,
    time::Duration,
};

/// It hangs up on everybody, and counts them.
pub(super) struct Canary {
    pub(super) port: u16,
    reached: Arc<AtomicUsize>,
    ended: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Canary {
    pub(super) fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        listener.set_nonblocking(true).unwrap();
        let port = listener.local_addr().unwrap().port();
        let (reached, ended) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicBool::new(false)));
        let (counter, end) = (Arc::clone(&reached), Arc::clone(&ended));
        let thread = std::thread::spawn(move || {
            while !end.load(SeqCst) {
                match listener.accept() {
                    Ok(_) => drop(counter.fetch_add(1, SeqCst)),
                    Err(_) => std::thread::sleep(Duration::from_millis(2)),
                }
            }
        });
        Self {
            port,
            reached,
            ended,
            thread: Some(thread),
        }
    }

    /// Whether somebody came since the last call.
    pub(super) fn was_reached(&self) -> bool {
        // Who came just now is counted soon.
        std::thread::sleep(Duration::from_millis(20));
        self.reached.swap(0, SeqCst) > 0
    }
}

impl Drop for Canary {
    fn drop(&mut self) {
        self.ended.store(true, SeqCst);
        if let Some(thread) = self.thread.take() {
            thread.join().unwrap();
        }
    }
}
