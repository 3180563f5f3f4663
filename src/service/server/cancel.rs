//! Which session a cancel request means.

use std::{
    collections::HashMap,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU32, Ordering},
    },
};

use ring::rand::{SecureRandom, SystemRandom};

use crate::{connection::cancellation::Cancellation, telemetry::metrics};

/// All sessions that may be cancelled.
#[derive(Default)]
pub(super) struct Cancellations {
    next: AtomicU32,
    sessions: Arc<Mutex<Sessions>>,
}

type Sessions = HashMap<u32, ([u8; 32], Arc<Cancellation>)>;

/// A session's entry; dropping it takes the entry out.
pub(super) struct Registration {
    process: u32,
    secret: [u8; 32],
    sessions: Arc<Mutex<Sessions>>,
}

impl Cancellations {
    /// A new session.
    pub(super) fn register(&self) -> (Registration, Arc<Cancellation>) {
        let mut secret = [0; 32];
        SystemRandom::new()
            .fill(&mut secret)
            .expect("the operating system has random numbers");
        let cancellation = Arc::new(Cancellation::default());
        let mut sessions = lock(&self.sessions);
        let process = loop {
            // Positive as a process id is, since clients print it.
            let candidate = (self.next.fetch_add(1, Ordering::Relaxed) & 0x7fff_ffff) + 1;
            if !sessions.contains_key(&candidate) {
                break candidate;
            }
        };
        sessions.insert(process, (secret, Arc::clone(&cancellation)));
        let registration = Registration {
            process,
            secret,
            sessions: Arc::clone(&self.sessions),
        };
        (registration, cancellation)
    }

    /// Cancels what the session works on, if the secret is right. Nobody is told either way.
    pub(super) fn cancel(&self, process: u32, secret: &[u8]) {
        metrics::cancel(metrics::Cancel::Received);
        let sessions = lock(&self.sessions);
        if let Some((expected, cancellation)) = sessions.get(&process) {
            // Every byte is compared, so that the time taken does not tell how many were right.
            let different = expected.iter().zip(secret).fold(0, |bits, (a, b)| bits | (a ^ b));
            if matches!(secret.len(), 4 | 32) && different == 0 {
                metrics::cancel(metrics::Cancel::Matched);
                cancellation.cancel();
            }
        }
    }
}

impl Registration {
    pub(super) fn process(&self) -> u32 {
        self.process
    }

    /// All of it; clients of protocol 3.0 get the first four bytes.
    pub(super) fn secret(&self) -> Vec<u8> {
        self.secret.to_vec()
    }
}

impl Drop for Registration {
    fn drop(&mut self) {
        lock(&self.sessions).remove(&self.process);
    }
}

fn lock(sessions: &Mutex<Sessions>) -> MutexGuard<'_, Sessions> {
    sessions.lock().unwrap_or_else(PoisonError::into_inner)
}
