//! LISTEN and NOTIFY between the sessions of one server: what a transaction notifies is delivered when it has committed.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use tokio::sync::mpsc;

use super::{error::SessionError, run::Session};

/// Notifications that may wait for a session whose client does not read.
const WAITING: usize = 10_000;
/// The longest payload (`NOTIFY_PAYLOAD_MAX_LENGTH`).
const LONGEST_PAYLOAD: usize = 8_000;

/// What a listener is told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Notification {
    /// Who notifies.
    pub(super) process: u32,
    pub(super) channel: String,
    pub(super) payload: String,
}

/// By channel and by the number of the session.
type Listeners = HashMap<String, HashMap<u32, mpsc::Sender<Arc<Notification>>>>;

/// Who listens to what, in one server.
#[derive(Debug, Default)]
pub(super) struct Hub {
    listeners: Mutex<Listeners>,
}

impl Hub {
    fn listeners(&self) -> MutexGuard<'_, Listeners> {
        self.listeners.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn tell(&self, notification: Notification) {
        let notification = Arc::new(notification);
        if let Some(listeners) = self.listeners().get(&notification.channel) {
            for (process, listener) in listeners {
                if listener.try_send(Arc::clone(&notification)).is_err() {
                    tracing::warn!(
                        process,
                        channel = notification.channel,
                        "a notification found its listener's queue full"
                    );
                }
            }
        }
    }
}

/// What waits for the transaction's end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Pending {
    Listen(String),
    /// From one channel, or from all.
    Unlisten(Option<String>),
    Notify {
        channel: String,
        payload: String,
    },
}

impl Pending {
    /// A notification, if it is not too long.
    pub(super) fn notify(channel: &str, payload: &str) -> Result<Self, SessionError> {
        if payload.len() >= LONGEST_PAYLOAD {
            return Err(SessionError::failed("22023", "payload string too long"));
        }
        Ok(Self::Notify {
            channel: channel.to_owned(),
            payload: payload.to_owned(),
        })
    }
}

/// A session's part in it.
pub(super) struct Channels {
    hub: Arc<Hub>,
    process: u32,
    sender: mpsc::Sender<Arc<Notification>>,
    receiver: mpsc::Receiver<Arc<Notification>>,
    /// With how many savepoints there were.
    pending: Vec<(usize, Pending)>,
}

impl Channels {
    pub(super) fn new(hub: Arc<Hub>, process: u32) -> Self {
        let (sender, receiver) = mpsc::channel(WAITING);
        Self {
            hub,
            process,
            sender,
            receiver,
            pending: vec![],
        }
    }

    /// Waits for the next notification. Cancel safe.
    pub(super) async fn next(&mut self) -> Arc<Notification> {
        match self.receiver.recv().await {
            Some(notification) => notification,
            // The session has a sender itself.
            None => std::future::pending().await,
        }
    }

    fn waiting(&mut self) -> Option<Arc<Notification>> {
        self.receiver.try_recv().ok()
    }

    fn carry_out(&mut self, pending: Pending) {
        match pending {
            Pending::Listen(channel) => {
                let mut listeners = self.hub.listeners();
                listeners
                    .entry(channel)
                    .or_default()
                    .insert(self.process, self.sender.clone());
            }
            Pending::Unlisten(channel) => {
                self.hub.listeners().retain(|name, listeners| {
                    if channel.as_ref().is_none_or(|channel| channel == name) {
                        listeners.remove(&self.process);
                    }
                    !listeners.is_empty()
                });
            }
            Pending::Notify { channel, payload } => self.hub.tell(Notification {
                process: self.process,
                channel,
                payload,
            }),
        }
    }
}

impl Drop for Channels {
    fn drop(&mut self) {
        self.carry_out(Pending::Unlisten(None));
    }
}

impl Session {
    /// Something that is done when the transaction has committed. The same notification twice is one.
    pub(super) fn at_commit(&mut self, pending: Pending) {
        let is_known = matches!(pending, Pending::Notify { .. })
            && self.channels.pending.iter().any(|(_, known)| *known == pending);
        if !is_known {
            let depth = self.depth();
            self.channels.pending.push((depth, pending));
        }
    }

    /// The transaction has committed.
    pub(super) fn notify_others(&mut self) {
        // Whom to tell is settled first.
        let pending = std::mem::take(&mut self.channels.pending);
        let (told, settled): (Vec<_>, Vec<_>) = pending
            .into_iter()
            .map(|(_, pending)| pending)
            .partition(|pending| matches!(pending, Pending::Notify { .. }));
        for pending in settled.into_iter().chain(told) {
            self.channels.carry_out(pending);
        }
    }

    /// What was asked for behind this many savepoints is taken back.
    pub(super) fn forget_notifications(&mut self, depth: usize) {
        self.channels.pending.retain(|(then, _)| *then <= depth);
    }

    /// All of it is taken back.
    pub(super) fn forget_all_notifications(&mut self) {
        self.channels.pending.clear();
    }

    /// Tells the client what has arrived, outside of transactions.
    pub(super) fn tell_notifications(&mut self) {
        while let Some(notification) = self.channels.waiting() {
            self.tell_notification(&notification);
        }
    }

    pub(super) fn tell_notification(&mut self, notification: &Notification) {
        let Notification {
            process,
            channel,
            payload,
        } = notification;
        self.client.out.notification(*process, channel, payload);
    }
}
