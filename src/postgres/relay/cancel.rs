//! Cancel requests on their way to the session that they mean, and to the server.

use std::{
    collections::HashMap,
    io,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use bytes::{BufMut, BytesMut};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    sync::Semaphore,
    time::timeout,
};
use tracing::{debug, warn};

use crate::{connection::cancellation::Cancellation, postgres::upstream::Server, telemetry::metrics};

/// How long a server may take to end a connection that has nothing but a cancel request.
pub(super) const PATIENCE: Duration = Duration::from_secs(10);
/// `CancelRequest`.
const CANCEL: u32 = 80_877_102;

/// Requests that are passed on at once. Whoever reaches Querent can send some without being known to anybody.
const AT_ONCE: usize = 32;
/// Requests that wait for their turn, those on their way included; more are dropped.
const WAITING: usize = 256;

/// All sessions that may be cancelled, by the keys that the server gave them.
pub(super) struct Cancellations {
    sessions: Arc<Mutex<Sessions>>,
    waiting: Semaphore,
    passing: Semaphore,
}

type Key = (u32, Vec<u8>);
type Sessions = HashMap<Key, Arc<Cancellation>>;

/// A session's entry; dropping it takes the entry out.
pub(super) struct Registration {
    key: Key,
    cancellation: Arc<Cancellation>,
    sessions: Arc<Mutex<Sessions>>,
}

impl Default for Cancellations {
    fn default() -> Self {
        Self {
            sessions: Arc::default(),
            waiting: Semaphore::new(WAITING),
            passing: Semaphore::new(AT_ONCE),
        }
    }
}

impl Cancellations {
    /// A session that the server knows by this key (`BackendKeyData`), and where its requests arrive.
    pub(super) fn register(
        &self,
        process: u32,
        secret: &[u8],
        cancellation: &Arc<Cancellation>,
    ) -> Registration {
        let key = (process, secret.to_vec());
        lock(&self.sessions).insert(key.clone(), Arc::clone(cancellation));
        Registration {
            key,
            cancellation: Arc::clone(cancellation),
            sessions: Arc::clone(&self.sessions),
        }
    }

    /// Tells the session, which may be at a question, and the server. A key that nobody has here may be that of a
    /// session of another Querent in front of the same server. Once this returns, the server has done what it will.
    pub(super) async fn cancel(&self, server: &Server, process: u32, secret: &[u8]) {
        metrics::cancel(metrics::Cancel::Received);
        let session = lock(&self.sessions).get(&(process, secret.to_vec())).cloned();
        if let Some(session) = session {
            metrics::cancel(metrics::Cancel::Matched);
            session.cancel();
        }
        let Ok(_place) = self.waiting.try_acquire() else {
            warn!("a cancel request is dropped: too many wait");
            return;
        };
        let pass_on = async {
            let _turn = self.passing.acquire().await;
            forward(server, process, secret).await
        };
        match timeout(2 * PATIENCE, pass_on).await {
            Ok(Ok(())) => {}
            Ok(Err(error)) => debug!(%error, "a cancel request did not reach the server"),
            Err(_) => debug!("a cancel request waited too long for its turn"),
        }
    }
}

impl Drop for Registration {
    fn drop(&mut self) {
        let mut sessions = lock(&self.sessions);
        // The server may have given the same key to a later session already.
        if sessions
            .get(&self.key)
            .is_some_and(|registered| Arc::ptr_eq(registered, &self.cancellation))
        {
            sessions.remove(&self.key);
        }
    }
}

fn lock(sessions: &Mutex<Sessions>) -> MutexGuard<'_, Sessions> {
    sessions.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Tells the server to stop what it does for a session; it has been told once this returns.
pub(super) async fn forward(server: &Server, process: u32, secret: &[u8]) -> io::Result<()> {
    let mut packet = BytesMut::new();
    packet.put_u32(12 + secret.len() as u32);
    packet.put_u32(CANCEL);
    packet.put_u32(process);
    packet.put_slice(secret);
    let told = async {
        let mut upstream = server.connect().await.map_err(io::Error::other)?;
        upstream.stream.write_all(&packet).await?;
        upstream.stream.flush().await?;
        // The server ends the connection when it has sent the signal.
        let mut rest = [0; 64];
        while upstream.stream.read(&mut rest).await? > 0 {}
        metrics::cancel(metrics::Cancel::Forwarded);
        Ok(())
    };
    timeout(PATIENCE, told)
        .await
        .unwrap_or_else(|_| Err(io::ErrorKind::TimedOut.into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_session_is_found_by_its_whole_key_until_it_ends() {
        let all = Cancellations::default();
        let found =
            |process: u32, secret: &[u8]| lock(&all.sessions).get(&(process, secret.to_vec())).cloned();
        let (first, second) = (Arc::default(), Arc::default());
        let long = [7; 256];
        let registration = all.register(1, &long, &first);
        assert!(found(1, &long).is_some_and(|found| Arc::ptr_eq(&found, &first)));
        assert!(found(1, &long[..255]).is_none());
        assert!(found(2, &long).is_none());
        // A later session with the same key outlives the entry of the first.
        let later = all.register(1, &long, &second);
        drop(registration);
        assert!(found(1, &long).is_some_and(|found| Arc::ptr_eq(&found, &second)));
        drop(later);
        assert!(lock(&all.sessions).is_empty());
    }
}
