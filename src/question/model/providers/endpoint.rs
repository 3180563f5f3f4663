//! The endpoints of one model: whose turn it is, which of them rest after a failure, and what each takes.

use std::{
    sync::{
        Mutex, MutexGuard, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use tokio::time::Instant;

use super::{
    address::{self, Address},
    capabilities::Capabilities,
    provider::Provider,
};
use crate::{
    config::ModelSettings,
    question::model::{ModelError, ModelSetupError},
};

/// How long an endpoint rests after its first failure; twice as long after each further one.
const FIRST_REST: Duration = Duration::from_secs(1);
/// The longest rest.
const LONGEST_REST: Duration = Duration::from_secs(60);

/// All endpoints of a model; there is at least one.
#[derive(Debug)]
pub(super) struct Endpoints {
    all: Vec<Endpoint>,
    turn: AtomicUsize,
}

/// One of them.
#[derive(Debug)]
pub(super) struct Endpoint {
    pub(super) address: Address,
    health: Mutex<Health>,
    capabilities: Mutex<Capabilities>,
}

#[derive(Debug, Default, Clone)]
struct Health {
    /// Failures since it last worked.
    failures: u32,
    rests_until: Option<Instant>,
    /// What it said when it asked for a rest, if it did, and how long that was to be. It is asked again after
    /// [`LONGEST_REST`] all the same: who asks for a day may be well in an hour.
    asked: Option<(ModelError, Instant)>,
}

impl Endpoints {
    pub(super) fn new(settings: &ModelSettings, provider: &dyn Provider) -> Result<Self, ModelSetupError> {
        let all = address::of(settings, provider)?
            .into_iter()
            .map(|address| Endpoint {
                capabilities: Mutex::new(Capabilities::first(
                    settings,
                    provider.limit_name(address.whole.host_str()),
                )),
                health: Mutex::default(),
                address,
            })
            .collect();
        Ok(Self {
            all,
            turn: AtomicUsize::new(0),
        })
    }

    pub(super) fn get(&self, at: usize) -> &Endpoint {
        &self.all[at]
    }

    /// The next in turn that does not rest; where all rest, the one that has rested longest enough. Those already
    /// tried are the last choice.
    pub(super) fn choose(&self, tried: &[usize]) -> usize {
        let turn = self.turn.fetch_add(1, Ordering::Relaxed);
        let count = self.all.len();
        let now = Instant::now();
        (0..count)
            .map(|step| turn.wrapping_add(step) % count)
            .min_by_key(|at| (tried.contains(at), self.all[*at].rest(now)))
            .unwrap_or_default()
    }

    /// Whether there is one that was not tried yet and may be asked at once.
    pub(super) fn has_other(&self, tried: &[usize]) -> bool {
        let mut others = (0..self.all.len()).filter(|at| !tried.contains(at));
        others.any(|at| self.asked_rest(at).is_zero())
    }

    /// How long it still wants to be left alone, where it is not to be asked at once.
    pub(super) fn asked_rest(&self, at: usize) -> Duration {
        let (endpoint, now) = (&self.all[at], Instant::now());
        let asked = endpoint.health().asked.as_ref().map(|(_, until)| *until);
        match asked {
            Some(until) if !endpoint.rest(now).is_zero() => until.saturating_duration_since(now),
            _ => Duration::ZERO,
        }
    }

    /// Why it wants to be left alone for so long.
    pub(super) fn why_it_rests(&self, at: usize, rest: Duration) -> ModelError {
        match self.all[at].health().asked.clone() {
            Some((ModelError::Overloaded { status, .. }, _)) => ModelError::Overloaded {
                status,
                retry_after: Some(rest),
            },
            Some((error, _)) => error,
            None => ModelError::Overloaded {
                status: 429,
                retry_after: Some(rest),
            },
        }
    }

    /// Notes that it answered.
    pub(super) fn works(&self, at: usize) {
        *self.all[at].health() = Health::default();
    }

    /// Lets it rest: as long as it asked for where it has too much to do. An error of its own may be gone with the next
    /// request, whatever it says.
    pub(super) fn failed(&self, at: usize, asked: Option<Duration>, error: &ModelError) {
        let asked = asked.filter(|_| matches!(error, ModelError::Overloaded { .. }));
        let mut health = self.all[at].health();
        let doubled = FIRST_REST.saturating_mul(1 << health.failures.min(10));
        health.failures = health.failures.saturating_add(1);
        let rest = asked.unwrap_or(doubled).min(LONGEST_REST);
        let now = Instant::now();
        health.rests_until = Some(now + rest);
        health.asked = asked.map(|asked| (error.clone(), now + asked));
    }
}

impl Endpoint {
    /// What it takes, as far as is known.
    pub(super) fn capabilities(&self) -> Capabilities {
        self.capabilities
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    /// Remembers what it takes.
    pub(super) fn learn(&self, capabilities: Capabilities) {
        *self.capabilities.lock().unwrap_or_else(PoisonError::into_inner) = capabilities;
    }

    fn health(&self) -> MutexGuard<'_, Health> {
        self.health.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How long it still rests.
    fn rest(&self, now: Instant) -> Duration {
        let until = self.health().rests_until;
        until.map_or(Duration::ZERO, |until| until.saturating_duration_since(now))
    }
}
