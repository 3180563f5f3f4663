//! What a session and its thread tell each other beside rows: the settings of the moment, and what functions ask the session
//! to do (`set_config`, `pg_notify`).

use std::{
    collections::BTreeMap,
    sync::{
        Arc, Mutex, MutexGuard, OnceLock, PoisonError,
        atomic::{AtomicBool, AtomicU8, Ordering::Relaxed},
    },
};

use super::advisory::{Holder, Locks};
use crate::backend::zone::Zone;

/// What a function asks of the session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Wish {
    /// `set_config`.
    Set {
        /// The setting.
        name: String,
        /// Its value.
        value: String,
        /// True if it ends with the transaction.
        local: bool,
    },
    /// `pg_notify`.
    Notify {
        /// The channel.
        channel: String,
        /// What is sent.
        payload: String,
    },
}

/// Both sides of it.
#[derive(Debug, Default)]
pub struct Bridge {
    /// By name in lower case.
    settings: Mutex<BTreeMap<String, String>>,
    wishes: Mutex<Vec<Wish>>,
    wished: AtomicBool,
    /// 0 where the configuration's word counts, 1 for PostgreSQL's words, 2 for SQLite's.
    dialect: AtomicU8,
    holder: OnceLock<Holder>,
    /// The session's time zone, where its thread has not seen it yet.
    zone: Mutex<Option<Zone>>,
}

impl Bridge {
    /// Says which settings hold from now on, by their names in lower case, and whether statements are SQLite's own.
    pub fn publish(&self, settings: BTreeMap<String, String>, untranslated: bool) {
        self.set_zone(settings.get("timezone"));
        *lock(&self.settings) = settings;
        self.dialect.store(1 + u8::from(untranslated), Relaxed);
    }

    /// What functions have asked for since the last time.
    pub fn wishes(&self) -> Vec<Wish> {
        if !self.wished.swap(false, Relaxed) {
            return vec![];
        }
        std::mem::take(&mut lock(&self.wishes))
    }

    /// The advisory locks that end with the transaction are free.
    pub fn end_transaction(&self) {
        if let Some(holder) = self.holder.get() {
            holder.give_back_all(true);
        }
    }

    /// All advisory locks of the session are free.
    pub fn free_locks(&self) {
        if let Some(holder) = self.holder.get() {
            holder.give_back_all(false);
        }
    }

    pub(super) fn join(&self, locks: &Arc<Locks>) {
        self.holder.get_or_init(|| Holder::new(locks));
    }

    pub(super) fn holder(&self) -> Option<&Holder> {
        self.holder.get()
    }

    /// Whether statements are SQLite's own; `None` where the session has not said.
    pub(super) fn is_untranslated(&self) -> Option<bool> {
        match self.dialect.load(Relaxed) {
            0 => None,
            dialect => Some(dialect == 2),
        }
    }

    fn set_zone(&self, name: Option<&String>) {
        if let Some(zone) = name.and_then(|name| Zone::setting(name)) {
            *lock(&self.zone) = Some(zone);
        }
    }

    /// The session's time zone, if it was set since the last time.
    pub(super) fn new_zone(&self) -> Option<Zone> {
        lock(&self.zone).take()
    }

    pub(super) fn setting(&self, name: &str) -> Option<String> {
        lock(&self.settings).get(&name.to_lowercase()).cloned()
    }

    pub(super) fn wish(&self, wish: Wish) {
        if let Wish::Set { name, value, .. } = &wish {
            if name.eq_ignore_ascii_case("timezone") {
                self.set_zone(Some(value));
            }
            lock(&self.settings).insert(name.to_lowercase(), value.clone());
        }
        lock(&self.wishes).push(wish);
        self.wished.store(true, Relaxed);
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
