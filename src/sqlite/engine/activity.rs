//! The sessions on one file and what they are at, for `pg_stat_activity`.

use std::{
    collections::BTreeMap,
    net::IpAddr,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::SystemTime,
};

use crate::{error::beginning, sqlite::catalog::Activity};

pub(crate) use crate::sqlite::catalog::Doing;

/// How much of a statement is kept, in bytes (`track_activity_query_size`).
const LONGEST: usize = 1_024;

/// All of them, by their numbers.
#[derive(Debug, Default)]
pub(super) struct Sessions {
    seats: Mutex<BTreeMap<u32, Activity>>,
}

impl Sessions {
    fn lock(&self) -> MutexGuard<'_, BTreeMap<u32, Activity>> {
        self.seats.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn all(&self) -> Vec<Activity> {
        self.lock().values().cloned().collect()
    }
}

/// A session's place among them, free when it is gone.
#[derive(Debug)]
pub(super) struct Seat {
    pub(super) sessions: Arc<Sessions>,
    number: u32,
}

impl Seat {
    pub(super) fn take(sessions: &Arc<Sessions>, number: u32, user: &str) -> Self {
        let now = SystemTime::now();
        let activity = Activity {
            process_id: number,
            user: user.to_owned(),
            application_name: String::new(),
            address: None,
            encrypted: false,
            begun: now,
            transaction_begun: None,
            query_begun: None,
            state_changed: now,
            state: Doing::Idle,
            query: "".into(),
        };
        sessions.lock().insert(number, activity);
        Self {
            sessions: Arc::clone(sessions),
            number,
        }
    }

    fn change(&self, change: impl FnOnce(&mut Activity)) {
        if let Some(own) = self.sessions.lock().get_mut(&self.number) {
            change(own);
        }
    }

    pub(super) fn comes_from(&self, address: Option<IpAddr>, encrypted: bool) {
        self.change(|own| (own.address, own.encrypted) = (address, encrypted));
    }

    pub(super) fn is_called(&self, application_name: &str) {
        self.change(|own| application_name.clone_into(&mut own.application_name));
    }

    pub(super) fn runs(&self, query: &str) {
        let query = beginning(query, LONGEST - 1);
        let now = SystemTime::now();
        self.change(|own| {
            own.query = query.into();
            own.state = Doing::Active;
            own.query_begun = Some(now);
            own.state_changed = now;
            own.transaction_begun.get_or_insert(now);
        });
    }

    pub(super) fn rests(&self, state: Doing) {
        self.change(|own| {
            own.state = state;
            own.state_changed = SystemTime::now();
            if state == Doing::Idle {
                own.transaction_begun = None;
            }
        });
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        self.sessions.lock().remove(&self.number);
    }
}
