//! What the whole process has spent on models since the day began, in UTC.

use std::{
    collections::BTreeMap,
    fmt,
    sync::{Mutex, MutexGuard, PoisonError},
    time::{SystemTime, UNIX_EPOCH},
};

use super::{Spent, Usage};

/// Seconds of a day.
const DAY: u64 = 86_400;

/// The spending of a process, day by day. It begins at nothing when the process does.
pub struct DailySpend {
    day: Mutex<Day>,
    clock: fn() -> SystemTime,
}

/// The spending of one day.
#[derive(Debug, Default)]
pub(super) struct Day {
    /// Days since 1970.
    number: u64,
    pub(super) spent: Spent,
    models: BTreeMap<String, Spent>,
    /// US dollars that running calls may add.
    pub(super) reserved: f64,
}

impl DailySpend {
    /// One by another clock than the system's.
    pub(super) fn by(clock: fn() -> SystemTime) -> Self {
        Self {
            day: Mutex::default(),
            clock,
        }
    }

    /// What was spent today.
    pub fn spent_today(&self) -> Spent {
        self.today().spent
    }

    /// What was spent today on each model that was called, by its name.
    pub fn by_model(&self) -> BTreeMap<String, Spent> {
        self.today().models.clone()
    }

    /// Today, which is a new day after midnight. What runs over midnight counts for the day on which it ends.
    pub(super) fn today(&self) -> MutexGuard<'_, Day> {
        let since = (self.clock)().duration_since(UNIX_EPOCH).unwrap_or_default();
        let number = since.as_secs() / DAY;
        let mut day = self.day.lock().unwrap_or_else(PoisonError::into_inner);
        if day.number != number {
            day.number = number;
            day.spent = Spent::default();
            day.models.clear();
        }
        day
    }
}

impl Day {
    /// Counts a call as it begins.
    pub(super) fn begin(&mut self, model: &str, cost: f64) {
        self.spent.calls += 1;
        self.models.entry(model.to_owned()).or_default().calls += 1;
        self.reserved += cost;
    }

    /// Notes what a call took for which so much was reserved.
    pub(super) fn settle(&mut self, model: &str, reserved: f64, (usage, cost): (Usage, f64)) {
        self.reserved = (self.reserved - reserved).max(0.0);
        self.spent.add(usage, cost);
        self.models.entry(model.to_owned()).or_default().add(usage, cost);
    }
}

impl Default for DailySpend {
    fn default() -> Self {
        Self::by(SystemTime::now)
    }
}

impl fmt::Debug for DailySpend {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DailySpend")
            .field("day", &self.day)
            .finish_non_exhaustive()
    }
}
