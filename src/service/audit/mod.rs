//! The audit: every question with who asked it, what was decided, and what its SQL came to, in a journal that grows at
//! its end. A question that is let run has two events or more: its decision, before its SQL runs, and the end of each
//! run. No session waits for the journal, unless the settings require the decision to be stored first.

use std::{
    sync::{
        Arc, PoisonError, RwLock,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use tracing::warn;

mod entry;
mod error;
mod event;
mod question;
mod timestamp;
mod verify;
mod writer;

pub use entry::{Entry, entries, entry};
pub use error::AuditError;
pub use event::{Decision, Feedback, Lookup, Refusal, Who};
pub use question::{Asked, End, Run};
pub use timestamp::{Timestamp, shown};
pub use verify::{Verdict, verify};

use crate::{
    config::{AuditSettings, Settings, StoreLocation},
    service::store::StoreAddress,
};
use event::Body;
use writer::Writer;

/// How long the last events may take at the end.
const LAST_WORDS: Duration = Duration::from_secs(5);

/// The audit of a server.
#[derive(Debug)]
pub struct Audit {
    settings: RwLock<AuditSettings>,
    /// Where it writes; what the settings say later counts from the next start on.
    store: StoreLocation,
    /// Once it has begun, it goes on whatever later settings say, so that what was asked before is ended.
    writer: RwLock<Option<Writer>>,
    /// Which process of several writes.
    server: String,
    /// Questions of this process.
    count: AtomicU64,
}

impl Audit {
    /// As the settings have it. Fails where the store is required and not there.
    pub async fn start(settings: &Settings) -> Result<Self, AuditError> {
        let audit = Self {
            settings: RwLock::new(settings.audit),
            store: settings.store.location.clone(),
            writer: RwLock::default(),
            server: format!("{}:{}", host_name(), std::process::id()),
            count: AtomicU64::new(0),
        };
        if let Some(stored) = audit.begin(settings.audit)? {
            stored.within(settings.audit.timeout).await?;
        }
        Ok(audit)
    }

    /// Takes other settings. The store stays where it is; where it is required from now on and away, questions fail
    /// until it is back.
    pub fn reload(&self, settings: &Settings) -> Result<(), AuditError> {
        if settings.store.location != self.store {
            warn!("store.path and store.url count from the next start on");
        }
        drop(self.begin(settings.audit)?);
        *self.settings.write().unwrap_or_else(PoisonError::into_inner) = settings.audit;
        Ok(())
    }

    /// Sees to it that there is a writer, if there shall be one. Where the store is required, what comes back tells
    /// whether it is there.
    fn begin(&self, settings: AuditSettings) -> Result<Option<writer::Stored>, AuditError> {
        if !settings.enabled {
            return Ok(None);
        }
        let place = match StoreAddress::of(&self.store) {
            Ok(place) => place,
            Err(error) if settings.required => return Err(AuditError::Store(error)),
            Err(error) => {
                warn!(%error, hint = error.hint.as_deref(), "questions are not recorded");
                return Ok(None);
            }
        };
        let mut writer = self.writer.write().unwrap_or_else(PoisonError::into_inner);
        let writer = match &mut *writer {
            Some(writer) => writer,
            none => none.insert(Writer::start(place, &self.server)?),
        };
        writer.keep(settings.retention);
        Ok(settings.required.then(|| writer.probe()))
    }

    fn settings(&self) -> AuditSettings {
        *self.settings.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// Records that a question's SQL may run, or be shown. Where that is required, it is stored when this returns;
    /// an error means that the SQL must not run. `None` where nothing is recorded.
    /// Takes no longer than `audit.timeout`.
    pub async fn decided(self: &Arc<Self>, decision: Decision<'_>) -> Result<Option<Arc<Asked>>, AuditError> {
        let settings = self.settings();
        if !settings.enabled {
            return Ok(None);
        }
        let asked = Asked::new(self, decision.id.to_owned());
        let body = Body::Decided(decision.body(&self.server));
        let stored = {
            let writer = self.writer.read().unwrap_or_else(PoisonError::into_inner);
            match &*writer {
                Some(writer) if settings.required => writer.write_through(body.record(Some(asked.id()))),
                Some(writer) => {
                    writer.write(body.record(Some(asked.id())));
                    return Ok(Some(asked));
                }
                None => return Ok(None),
            }
        };
        match stored.within(settings.timeout).await {
            Ok(()) => Ok(Some(asked)),
            Err(error) => {
                // It may be stored yet, and then has to be known not to have run.
                asked.failed(error::NOT_STORED);
                Err(error)
            }
        }
    }

    /// Records that a question was refused, or failed before it had any SQL to run.
    pub fn refused(&self, decision: Decision<'_>) {
        if self.settings().enabled {
            let id = decision.id;
            self.write(&Body::Decided(decision.body(&self.server)), Some(id));
        }
    }

    /// Records what somebody said of an answer; false where nothing is recorded.
    pub fn feedback(&self, feedback: Feedback<'_>) -> bool {
        if !self.settings().enabled {
            return false;
        }
        let id = self.number();
        self.write(&Body::Feedback(feedback.body(&self.server)), Some(&id))
    }

    /// False where nothing is recorded.
    fn write(&self, body: &Body, question: Option<&str>) -> bool {
        let writer = self.writer.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(writer) = &*writer {
            writer.write(body.record(question));
        }
        writer.is_some()
    }

    /// Stores all that waits to be, for some seconds at most.
    pub async fn finish(&self) {
        let writer = self.writer.write().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(writer) = writer {
            writer.finish(Instant::now() + LAST_WORDS).await;
        }
    }

    /// A number that no other question has, in any process.
    pub fn number(&self) -> String {
        let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
        let count = self.count.fetch_add(1, Ordering::Relaxed);
        let mut random = [0; 6];
        let generator = ring::rand::SystemRandom::new();
        // Without randomness the time, the process and the count still tell questions apart.
        let _ = ring::rand::SecureRandom::fill(&generator, &mut random);
        let random = random.iter().fold(0_u64, |all, byte| all << 8 | u64::from(*byte));
        format!(
            "{:014x}-{count:x}-{random:012x}",
            now.unwrap_or_default().as_micros()
        )
    }
}

/// The name of this machine; empty where it is not known.
fn host_name() -> String {
    let name = std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    name.trim().to_owned()
}
