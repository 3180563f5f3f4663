//! What a session and its thread tell each other beside rows: the settings of the moment, and what functions ask the session
//! to do (`set_config`, `pg_notify`).

use std::{
    collections::BTreeMap,
    net::IpAddr,
    sync::{
        Arc, Mutex, MutexGuard, OnceLock, PoisonError,
        atomic::{AtomicBool, AtomicU8, AtomicUsize, Ordering::Relaxed},
    },
};

use super::{
    activity::{Doing, Seat},
    advisory::{Holder, Locks},
    holdings::{Held, Holdings},
    key_modes::KeyModes,
    large_object::Descriptors,
};
use crate::{
    pgtypes::{datetime::DateOrder, interval_style::IntervalStyle, zone::Zone},
    sqlite::catalog::{Activity, Holding},
};

/// What a function asks of the session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SessionEffect {
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
    /// `pg_notice`: what a statement passes over.
    Notice {
        /// Its code.
        sqlstate: String,
        /// Its words.
        message: String,
    },
}

/// Both sides of it.
#[derive(Debug, Default)]
pub struct SessionContext {
    /// By name in lower case.
    settings: Mutex<BTreeMap<String, String>>,
    effects: Mutex<Vec<SessionEffect>>,
    has_effects: AtomicBool,
    /// 0 where the configuration's word counts, 1 for PostgreSQL's words, 2 for SQLite's.
    dialect: AtomicU8,
    holder: OnceLock<Holder>,
    seat: OnceLock<Seat>,
    large_objects: Mutex<Descriptors>,
    holdings: Arc<Holdings>,
    /// The session's time zone, where its thread has not seen it yet.
    zone: Mutex<Option<Zone>>,
    /// The style of its intervals, likewise.
    intervals: Mutex<Option<IntervalStyle>>,
    /// The order in which it reads a date's numbers, likewise.
    dates: Mutex<Option<DateOrder>>,
    /// How many savepoints of the client's there are.
    savepoints: AtomicUsize,
    /// Whether the client's statements may only read.
    reads_only: AtomicBool,
    /// Whether nobody may write to the file.
    file_reads_only: AtomicBool,
    /// What SET CONSTRAINTS has said in this transaction.
    keys: Mutex<KeyModes>,
    /// Whether SQLite lets all keys wait for its end.
    keys_wait: AtomicBool,
    /// Whether its thread is to forget what was drawn of sequences.
    forgets_sequences: AtomicBool,
}

impl SessionContext {
    /// Says which settings hold from now on, by their names in lower case, and whether statements are SQLite's own.
    pub fn publish(&self, settings: BTreeMap<String, String>, untranslated: bool) {
        self.set_zone(settings.get("timezone"));
        self.set_intervals(settings.get("intervalstyle"));
        *lock(&self.dates) = settings.get("datestyle").map(|style| DateOrder::of(style));
        if let (Some(seat), Some(name)) = (self.seat.get(), settings.get("application_name")) {
            seat.is_called(name);
        }
        *lock(&self.settings) = settings;
        self.dialect.store(1 + u8::from(untranslated), Relaxed);
    }

    /// What functions have asked for since the last time.
    pub fn effects(&self) -> Vec<SessionEffect> {
        if !self.has_effects.swap(false, Relaxed) {
            return vec![];
        }
        std::mem::take(&mut lock(&self.effects))
    }

    /// There are this many savepoints now, `querent_0` and so on.
    pub fn set_savepoints(&self, count: usize) {
        self.savepoints.store(count, Relaxed);
    }

    /// Whether the client's statements may only read from now on, as in a READ ONLY transaction.
    pub fn set_reads_only(&self, reads_only: bool) {
        self.reads_only.store(reads_only, Relaxed);
    }

    pub(super) fn reads_only(&self) -> bool {
        self.reads_only.load(Relaxed)
    }

    pub(super) fn set_file_reads_only(&self, reads_only: bool) {
        self.file_reads_only.store(reads_only, Relaxed);
    }

    /// What a setting is because of the file, whatever was said of it.
    pub fn setting_of_file(&self, name: &str) -> Option<&'static str> {
        let is_meant = name.eq_ignore_ascii_case("transaction_read_only");
        (is_meant && self.file_reads_only.load(Relaxed)).then_some("on")
    }

    pub(super) fn savepoints(&self) -> usize {
        self.savepoints.load(Relaxed)
    }

    /// What SET CONSTRAINTS has said in this transaction.
    pub fn key_modes(&self) -> KeyModes {
        lock(&self.keys).clone()
    }

    /// What it says from now on, or what it said before a savepoint.
    pub fn set_key_modes(&self, modes: KeyModes) {
        *lock(&self.keys) = modes;
    }

    /// SQLite lets all keys wait until the transaction ends.
    pub(super) fn let_keys_wait(&self) {
        self.keys_wait.store(true, Relaxed);
    }

    pub(super) fn keys_wait(&self) -> bool {
        self.keys_wait.load(Relaxed)
    }

    /// Keys wait as they are declared, the advisory locks that end with the transaction are free, and no large object is open any more.
    pub fn end_transaction(&self) {
        self.set_key_modes(KeyModes::default());
        self.keys_wait.store(false, Relaxed);
        *self.large_objects() = Descriptors::default();
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

    /// Where the client comes from, and whether what it says is encrypted.
    pub(crate) fn comes_from(&self, address: Option<IpAddr>, encrypted: bool) {
        if let Some(seat) = self.seat.get() {
            seat.comes_from(address, encrypted);
        }
    }

    /// The session has a cursor or a prepared statement, for as long as what comes back lives.
    pub(crate) fn holds(&self, holding: Holding) -> Held {
        self.holdings.add(holding)
    }

    /// The cursors and prepared statements of the session.
    pub(super) fn holdings(&self) -> Vec<Holding> {
        self.holdings.all()
    }

    /// A statement begins.
    pub(crate) fn runs(&self, query: &str) {
        if let Some(seat) = self.seat.get() {
            seat.runs(query);
        }
    }

    /// The session waits for its client.
    pub(crate) fn rests(&self, state: Doing) {
        if let Some(seat) = self.seat.get() {
            seat.rests(state);
        }
    }

    /// The large objects that are open.
    pub(super) fn large_objects(&self) -> MutexGuard<'_, Descriptors> {
        lock(&self.large_objects)
    }

    /// The sessions on the same file.
    pub(super) fn sessions(&self) -> Vec<Activity> {
        self.seat.get().map_or_else(Vec::new, |seat| seat.sessions.all())
    }

    pub(super) fn sit_down(&self, seat: Seat) {
        self.seat.get_or_init(|| seat);
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

    /// From the next statement on, nothing was drawn of any sequence.
    pub fn forget_sequences(&self) {
        self.forgets_sequences.store(true, Relaxed);
    }

    /// Whether that was said since the last time.
    pub(super) fn takes_forgetting(&self) -> bool {
        self.forgets_sequences.swap(false, Relaxed)
    }

    fn set_zone(&self, name: Option<&String>) {
        if let Some(zone) = name.and_then(|name| Zone::setting(name)) {
            *lock(&self.zone) = Some(zone);
        }
    }

    fn set_intervals(&self, name: Option<&String>) {
        if let Some(style) = name.and_then(|name| IntervalStyle::named(name)) {
            *lock(&self.intervals) = Some(style);
        }
    }

    /// The order of a date's numbers, if it was set since the last time.
    pub(super) fn new_dates(&self) -> Option<DateOrder> {
        lock(&self.dates).take()
    }

    /// The style of the session's intervals, if it was set since the last time.
    pub(super) fn new_intervals(&self) -> Option<IntervalStyle> {
        lock(&self.intervals).take()
    }

    /// The session's time zone, if it was set since the last time.
    pub(super) fn new_zone(&self) -> Option<Zone> {
        lock(&self.zone).take()
    }

    pub(super) fn setting(&self, name: &str) -> Option<String> {
        if let Some(value) = self.setting_of_file(name) {
            return Some(value.to_owned());
        }
        lock(&self.settings).get(&name.to_lowercase()).cloned()
    }

    pub(super) fn add_effect(&self, effect: SessionEffect) {
        if let SessionEffect::Set { name, value, .. } = &effect {
            if name.eq_ignore_ascii_case("timezone") {
                self.set_zone(Some(value));
            }
            if name.eq_ignore_ascii_case("intervalstyle") {
                self.set_intervals(Some(value));
            }
            lock(&self.settings).insert(name.to_lowercase(), value.clone());
        }
        lock(&self.effects).push(effect);
        self.has_effects.store(true, Relaxed);
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
