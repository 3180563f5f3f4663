//! The thread that writes the journal, behind a bounded channel. What happens while it writes is written together in
//! one commit. What does not fit is counted, and told of in the journal itself.

use std::{
    collections::VecDeque,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicU64, AtomicUsize, Ordering},
    },
    thread::{self, JoinHandle},
    time::{Duration, Instant, SystemTime},
};

use tokio::{
    sync::{mpsc, oneshot},
    time::{timeout, timeout_at},
};
use tracing::{info, warn};

use super::{
    AuditError,
    event::{self, Body, Lost},
};
use crate::{
    service::store::{Journal, Record, StoreAddress, StoreError},
    telemetry::{Outage, metrics},
};

/// Events that wait to be written at most.
const WAITING: usize = 8_192;
/// What they may hold, in bytes.
const WAITING_BYTES: usize = 32 << 20;
/// Events of one commit.
const TOGETHER: usize = 512;
/// How long events wait for others to be written with where nobody waits for them.
const GATHERING: Duration = Duration::from_millis(20);
/// How long the store is left alone after a failure, at first and at most.
const FIRST_REST: Duration = Duration::from_millis(100);
const LONGEST_REST: Duration = Duration::from_secs(1);
/// How often old events are looked for.
const PRUNING: Duration = Duration::from_secs(600);
/// Events that are removed in one transaction.
const PRUNED_AT_ONCE: u64 = 20_000;

/// Hands events to the thread.
#[derive(Debug)]
pub(super) struct Writer {
    sender: mpsc::Sender<Message>,
    shared: Arc<Shared>,
    thread: Mutex<Option<JoinHandle<()>>>,
}

#[derive(Debug)]
struct Shared {
    /// Bytes that wait.
    waiting: AtomicUsize,
    /// Events that did not fit and have not been told of.
    lost: AtomicU64,
    /// From the first of them on, until the journal tells of all.
    losing: Outage,
    /// Seconds that events are kept; 0 for ever.
    retention: AtomicU64,
    place: StoreAddress,
    /// Which process of several writes.
    server: String,
}

/// What somebody waits for.
type Waiter = oneshot::Sender<Result<(), StoreError>>;

#[derive(Debug)]
struct Message {
    /// `None` where only the store is looked for.
    record: Option<Record>,
    waiter: Option<Waiter>,
}

/// What comes of an event that has to be stored.
pub(super) struct Stored {
    shared: Arc<Shared>,
    sender: mpsc::Sender<Message>,
    message: Message,
    /// Bytes of the event; 0 where there is none.
    length: usize,
    receiver: oneshot::Receiver<Result<(), StoreError>>,
}

impl Stored {
    /// Waits until it is, no longer than this.
    pub(super) async fn within(self, limit: Duration) -> Result<(), AuditError> {
        let deadline = tokio::time::Instant::now() + limit;
        // Where too much waits already, it waits for room.
        let Ok(Ok(())) = timeout_at(deadline, self.sender.send(self.message)).await else {
            if self.length > 0 {
                self.shared.waiting.fetch_sub(self.length, Ordering::Relaxed);
                self.shared.lose(1);
            }
            return Err(AuditError::Late);
        };
        match timeout_at(deadline, self.receiver).await {
            Ok(Ok(stored)) => stored.map_err(AuditError::Store),
            Ok(Err(_)) | Err(_) => Err(AuditError::Late),
        }
    }
}

impl Writer {
    /// Begins to write there, as this process of several.
    pub(super) fn start(place: StoreAddress, server: &str) -> Result<Self, AuditError> {
        let (sender, receiver) = mpsc::channel(WAITING);
        let shared = Arc::new(Shared {
            waiting: AtomicUsize::new(0),
            lost: AtomicU64::new(0),
            losing: Outage::default(),
            retention: AtomicU64::new(0),
            place,
            server: server.to_owned(),
        });
        let worker = Worker {
            shared: Arc::clone(&shared),
            receiver,
            journal: None,
            away: Outage::default(),
            pruned: None,
        };
        let thread = thread::Builder::new()
            .name("audit".into())
            .spawn(move || worker.run())
            .map_err(|error| AuditError::Thread(error.to_string()))?;
        Ok(Self {
            sender,
            shared,
            thread: Mutex::new(Some(thread)),
        })
    }

    /// How long events are kept.
    pub(super) fn keep(&self, retention: Option<Duration>) {
        let seconds = retention.map_or(0, |time| time.as_secs().max(1));
        self.shared.retention.store(seconds, Ordering::Relaxed);
    }

    /// Takes an event, or counts it as lost where too many wait.
    pub(super) fn write(&self, record: Record) {
        let length = record.body.len();
        let fits = self.shared.waiting.fetch_add(length, Ordering::Relaxed) + length <= WAITING_BYTES;
        let message = Message {
            record: Some(record),
            waiter: None,
        };
        if !fits || self.sender.try_send(message).is_err() {
            self.shared.waiting.fetch_sub(length, Ordering::Relaxed);
            self.shared.lose(1);
        }
    }

    /// Takes an event that somebody waits for.
    pub(super) fn write_through(&self, record: Record) -> Stored {
        self.shared
            .waiting
            .fetch_add(record.body.len(), Ordering::Relaxed);
        self.stored(Some(record))
    }

    /// Looks whether the store is there.
    pub(super) fn probe(&self) -> Stored {
        self.stored(None)
    }

    fn stored(&self, record: Option<Record>) -> Stored {
        let (waiter, receiver) = oneshot::channel();
        Stored {
            shared: Arc::clone(&self.shared),
            sender: self.sender.clone(),
            length: record.as_ref().map_or(0, |record| record.body.len()),
            message: Message {
                record,
                waiter: Some(waiter),
            },
            receiver,
        }
    }

    /// Writes what waits, and ends.
    pub(super) async fn finish(self, deadline: Instant) {
        drop(self.sender);
        let thread = self.thread.lock().unwrap_or_else(PoisonError::into_inner).take();
        let Some(thread) = thread else { return };
        let ended = tokio::task::spawn_blocking(move || thread.join());
        if timeout_at(deadline.into(), ended).await.is_err() {
            warn!(store = %self.shared.place, "the last questions could not be recorded in time");
        }
    }
}

impl Shared {
    fn lose(&self, count: u64) {
        metrics::audit_lost(count);
        self.lost.fetch_add(count, Ordering::Relaxed);
        if self.losing.begins(count) {
            warn!(store = %self.place, "questions are lost for the audit: its store is away, or does not keep up");
        }
    }
}

/// What is being written, and who waits for it.
#[derive(Default)]
struct Pending {
    records: VecDeque<Record>,
    waiters: Vec<Waiter>,
}

/// What the thread works with.
struct Worker {
    shared: Arc<Shared>,
    receiver: mpsc::Receiver<Message>,
    journal: Option<Box<dyn Journal>>,
    /// While the store fails.
    away: Outage,
    /// When old events were looked for.
    pruned: Option<Instant>,
}

impl Worker {
    fn run(mut self) {
        // A store in a database is spoken to on this thread as well.
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        match runtime {
            Ok(runtime) => runtime.block_on(self.work()),
            Err(error) => {
                warn!(%error, "questions are not recorded");
                self.receiver.close();
            }
        }
    }

    async fn work(&mut self) {
        let mut messages = Vec::new();
        // What is wrong with the store is told at once, not with the first question.
        if self.store(&[]).await.is_ok() {
            info!(store = %self.shared.place, "questions are recorded");
        }
        loop {
            self.prune().await;
            match timeout(PRUNING, self.receiver.recv_many(&mut messages, TOGETHER)).await {
                Ok(0) => return,
                Ok(_) => self.take(&mut messages).await,
                Err(_) => {}
            }
        }
    }

    /// Writes the messages, however often it takes, and those that come meanwhile.
    async fn take(&mut self, messages: &mut Vec<Message>) {
        if messages.iter().all(|message| message.waiter.is_none()) && messages.len() < TOGETHER {
            self.gather(messages).await;
        }
        let mut pending = Pending::default();
        for message in messages.drain(..) {
            self.add(&mut pending, message);
        }
        let mut rest = FIRST_REST;
        loop {
            let last = self.receiver.is_closed() && self.receiver.is_empty();
            let stored = self.store_all(&mut pending).await;
            for waiter in pending.waiters.drain(..) {
                // Who does not wait any more has been told of a failure.
                drop(waiter.send(stored.clone()));
            }
            // Nobody can send more at the end, and the thread has to end too.
            if last || pending.records.is_empty() {
                self.give_up(&mut pending);
                return;
            }
            self.rest(&mut pending, rest).await;
            rest = (rest * 2).min(LONGEST_REST);
        }
    }

    /// Writes what is pending as far as it can be.
    async fn store_all(&mut self, pending: &mut Pending) -> Result<(), StoreError> {
        if pending.records.is_empty() {
            return self.store(&[]).await;
        }
        while !pending.records.is_empty() {
            let records: Vec<Record> = pending.records.iter().take(TOGETHER).cloned().collect();
            match self.store(&records).await {
                Ok(()) => {}
                // Others may be of use, and wait behind.
                Err(error) if error.hopeless && records.len() > 1 => self.store_each(&records).await?,
                Err(error) if error.hopeless => self.shared.lose(1),
                Err(error) => return Err(error),
            }
            for record in pending.records.drain(..records.len()) {
                self.shared
                    .waiting
                    .fetch_sub(record.body.len(), Ordering::Relaxed);
            }
        }
        Ok(())
    }

    /// Writes records one by one, and leaves out those that cannot be written at all.
    async fn store_each(&mut self, records: &[Record]) -> Result<(), StoreError> {
        for record in records {
            match self.store(std::slice::from_ref(record)).await {
                Err(error) if error.hopeless => self.shared.lose(1),
                stored => stored?,
            }
        }
        Ok(())
    }

    /// Leaves the store alone for a while, shorter where somebody waits, and takes what comes.
    async fn rest(&mut self, pending: &mut Pending, rest: Duration) {
        let begun = tokio::time::Instant::now();
        let mut until = begun + rest;
        loop {
            match timeout_at(until, self.receiver.recv()).await {
                Ok(Some(message)) => {
                    if message.waiter.is_some() {
                        until = until.min(begun + FIRST_REST);
                    }
                    self.add(pending, message);
                }
                Ok(None) | Err(_) => return,
            }
        }
    }

    fn add(&self, pending: &mut Pending, message: Message) {
        pending.waiters.extend(message.waiter);
        let Some(record) = message.record else { return };
        if pending.records.len() < WAITING {
            pending.records.push_back(record);
        } else {
            self.shared
                .waiting
                .fetch_sub(record.body.len(), Ordering::Relaxed);
            self.shared.lose(1);
        }
    }

    fn give_up(&self, pending: &mut Pending) {
        for record in pending.records.drain(..) {
            self.shared
                .waiting
                .fetch_sub(record.body.len(), Ordering::Relaxed);
            self.shared.lose(1);
        }
    }

    /// Waits a moment for more.
    async fn gather(&mut self, messages: &mut Vec<Message>) {
        let until = tokio::time::Instant::now() + GATHERING;
        while messages.len() < TOGETHER {
            match timeout_at(until, self.receiver.recv()).await {
                Ok(Some(message)) => {
                    let waits = message.waiter.is_some();
                    messages.push(message);
                    if waits {
                        return;
                    }
                }
                Ok(None) | Err(_) => return,
            }
        }
    }

    /// Appends the records, behind a word on those that were lost before them.
    async fn store(&mut self, records: &[Record]) -> Result<(), StoreError> {
        let stored = self.append(records).await;
        match &stored {
            Err(error) if self.away.begins(0) => {
                warn!(%error, hint = error.hint.as_deref(), "questions cannot be recorded");
            }
            Ok(()) if self.away.ends().is_some() => {
                info!(store = %self.shared.place, "questions are recorded again");
            }
            _ => {}
        }
        if stored.is_err() {
            // A connection that broke is made anew.
            self.journal = None;
        }
        stored
    }

    async fn append(&mut self, records: &[Record]) -> Result<(), StoreError> {
        let journal = match &mut self.journal {
            Some(journal) => journal,
            none => none.insert(self.shared.place.journal().await?),
        };
        let lost = self.shared.lost.load(Ordering::Relaxed);
        if lost > 0 {
            let told = Body::Lost(Lost {
                server: self.shared.server.clone(),
                events: lost,
            });
            journal.append(&[told.record(None)]).await?;
            self.shared.lost.fetch_sub(lost, Ordering::Relaxed);
            if let Some(lost) = self.shared.losing.ends() {
                info!(store = %self.shared.place, lost, "the audit tells of the events that were lost");
            }
        }
        if records.is_empty() {
            return Ok(());
        }
        journal.append(records).await
    }

    /// Removes what is older than is to be kept, now and then.
    async fn prune(&mut self) {
        let retention = self.shared.retention.load(Ordering::Relaxed);
        if retention == 0 || self.pruned.is_some_and(|pruned| pruned.elapsed() < PRUNING) {
            return;
        }
        let Some(before) = SystemTime::now().checked_sub(Duration::from_secs(retention)) else {
            return;
        };
        let Some(journal) = &mut self.journal else { return };
        match journal.prune(before, PRUNED_AT_ONCE, event::pruned).await {
            // There may be more, but what waits comes first.
            Ok(PRUNED_AT_ONCE) => {}
            Ok(_) => self.pruned = Some(Instant::now()),
            Err(error) => {
                warn!(%error, "old records cannot be removed");
                self.pruned = Some(Instant::now());
            }
        }
    }
}

#[cfg(test)]
mod tests;
