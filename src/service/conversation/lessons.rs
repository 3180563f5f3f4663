//! What is learned from corrections: lessons on their way to the store, and the subtypes that people have accepted.

use std::{
    sync::{Arc, PoisonError, RwLock},
    time::SystemTime,
};

use ring::digest;
use tokio::sync::mpsc;
use tracing::{debug, warn};

use crate::{
    config::Settings,
    question::{
        schema::{Dialect, Schema},
        validator::{self, Change, Code, Subtype},
    },
    service::store::{Collected, Lesson, StoreAddress, StoreError},
};

/// Lessons that wait to be kept at most; what does not fit is not learned.
const WAITING: usize = 256;

/// The accepted subtypes of all databases, and the way of lessons to the store.
#[derive(Debug, Default)]
pub struct Lessons {
    accepted: RwLock<Vec<(String, Subtype)>>,
    sender: Option<mpsc::Sender<Lesson>>,
    place: Option<StoreAddress>,
}

/// A correction that has just been made.
#[derive(Debug, Clone, Copy)]
pub struct Corrected<'a> {
    /// The database that was asked.
    pub database: &'a str,
    /// Who corrected: `fix` or `correction`.
    pub source: &'static str,
    /// What was found, where anything was.
    pub code: Option<Code>,
    /// The statement that was wrong.
    pub before: &'a str,
    /// The one that was right.
    pub after: &'a str,
    /// The schema of both.
    pub schema: &'a Schema,
    /// Whose SQL they are.
    pub dialect: Dialect,
}

impl Lessons {
    /// As the settings have it: nothing where they name no store, or want nothing to be learned. Within a runtime.
    pub async fn start(settings: &Settings) -> Self {
        let place = Some(settings.store.learn)
            .filter(|learn| *learn)
            .and_then(|_| StoreAddress::of(&settings.store.location).ok());
        // Where questions are not recorded, nothing of them is.
        let sender = place.clone().filter(|_| settings.audit.enabled).map(|place| {
            let (sender, receiver) = mpsc::channel(WAITING);
            tokio::spawn(keep(place, receiver));
            sender
        });
        let lessons = Self {
            accepted: RwLock::default(),
            sender,
            place,
        };
        lessons.reload().await;
        lessons
    }

    /// Reads again what people have accepted. What cannot be read leaves what was known.
    pub async fn reload(&self) {
        let Some(place) = &self.place else { return };
        match place.learned().await {
            Ok(collected) => {
                let accepted = accepted(&collected);
                *self.accepted.write().unwrap_or_else(PoisonError::into_inner) = accepted;
            }
            Err(error) => warn!(%error, "what was learned from corrections cannot be read"),
        }
    }

    /// What people have accepted for a database.
    pub fn of_database(&self, database: &str) -> Arc<[Subtype]> {
        let accepted = self.accepted.read().unwrap_or_else(PoisonError::into_inner);
        of_database(&accepted, database)
    }

    /// Somebody has corrected a statement. It is kept if one thing was changed; nobody waits for that.
    pub fn note(&self, corrected: Corrected<'_>) {
        let Some(sender) = &self.sender else { return };
        let Some(lesson) = lesson(corrected) else { return };
        if sender.try_send(lesson).is_err() {
            debug!("a lesson did not fit");
        }
    }
}

/// What is kept of a correction; `None` where what it teaches is unclear.
fn lesson(corrected: Corrected<'_>) -> Option<Lesson> {
    let Corrected {
        database,
        source,
        code,
        before,
        after,
        schema,
        dialect,
    } = corrected;
    // What is right must be valid, whoever says so.
    let valid = validator::validate(after, schema, dialect).ok()?;
    let change = validator::change(before, after, schema, dialect)?;
    Some(Lesson {
        time: SystemTime::now(),
        database: database.to_owned(),
        source,
        code: code.unwrap_or_else(|| change.code()).name().to_owned(),
        change: serde_json::to_string(&change).ok()?,
        before: before.trim().to_owned(),
        after: valid.as_str().to_owned(),
    })
}

/// Keeps lessons as they come.
async fn keep(place: StoreAddress, mut lessons: mpsc::Receiver<Lesson>) {
    let mut store = None;
    while let Some(lesson) = lessons.recv().await {
        if store.is_none() {
            store = match place.lessons().await {
                Ok(store) => Some(store),
                Err(error) => {
                    warn!(%error, "a lesson is not kept");
                    continue;
                }
            };
        }
        let kept: Result<(), StoreError> = match &mut store {
            Some(store) => store.learn(&lesson).await,
            None => Ok(()),
        };
        if let Err(error) = kept {
            warn!(%error, "a lesson is not kept");
            // It is opened anew for the next one.
            store = None;
        }
    }
}

/// A subtype's number: the same as long as there are lessons of it.
pub fn number(collected: &Collected) -> String {
    let text = format!("{}\0{}", collected.database, collected.change);
    let hash = digest::digest(&digest::SHA256, text.as_bytes());
    let first = hash.as_ref().first_chunk().copied().unwrap_or_default();
    format!("{:08x}", u32::from_be_bytes(first))
}

/// What a change means, as far as this version knows such changes.
pub fn read_change(collected: &Collected) -> Option<Change> {
    serde_json::from_str(&collected.change).ok()
}

/// The accepted ones, each with its database.
fn accepted(collected: &[Collected]) -> Vec<(String, Subtype)> {
    let accepted = collected.iter().filter(|one| one.accepted == Some(true));
    accepted
        .filter_map(|one| {
            let code = Code::named(&one.code)?;
            let subtype = Subtype {
                name: format!("{}_{}", code.name(), number(one)),
                code,
                change: read_change(one)?,
            };
            Some((one.database.clone(), subtype))
        })
        .collect()
}

fn of_database(accepted: &[(String, Subtype)], database: &str) -> Arc<[Subtype]> {
    let own = accepted.iter().filter(|(of, _)| of == database);
    own.map(|(_, subtype)| subtype.clone()).collect()
}

/// What people have accepted for a database, read from the store; nothing where that cannot be read.
pub async fn learned(settings: &Settings, database: &str) -> Arc<[Subtype]> {
    let Some(place) = StoreAddress::of(&settings.store.location)
        .ok()
        .filter(|_| settings.store.learn)
    else {
        return Arc::from([]);
    };
    match place.learned().await {
        Ok(collected) => of_database(&accepted(&collected), database),
        Err(error) => {
            warn!(%error, "what was learned from corrections cannot be read");
            Arc::from([])
        }
    }
}
