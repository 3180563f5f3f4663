//! How many requests and tokens go to a model: at once, and in a minute.

use std::{
    num::NonZeroU32,
    sync::atomic::{AtomicU64, Ordering},
};

use governor::{DefaultDirectRateLimiter, Quota, RateLimiter};
use tokio::sync::{Semaphore, SemaphorePermit};

use crate::{
    config::ModelSettings,
    question::model::{ModelSetupError, Usage},
};

/// What holds a call back until it may go.
#[derive(Debug)]
pub(super) struct Limits {
    places: Semaphore,
    requests: Option<DefaultDirectRateLimiter>,
    tokens: Option<Tokens>,
}

#[derive(Debug)]
struct Tokens {
    limiter: DefaultDirectRateLimiter,
    /// The most that can be taken at once.
    most: NonZeroU32,
    /// What calls took beyond what they had waited for; the next ones wait for it.
    owed: AtomicU64,
}

impl Limits {
    pub(super) fn new(settings: &ModelSettings) -> Result<Self, ModelSetupError> {
        let zero = |setting| ModelSetupError::Setting {
            model: settings.name.clone(),
            setting,
            reason: "must be 1 or more".into(),
        };
        let per_minute = |setting, count: Option<u32>| {
            count
                .map(|count| NonZeroU32::new(count).ok_or_else(|| zero(setting)))
                .transpose()
        };
        if settings.concurrency == 0 {
            return Err(zero("concurrency"));
        }
        let requests = per_minute("requests_per_minute", settings.requests_per_minute)?;
        let tokens = per_minute("tokens_per_minute", settings.tokens_per_minute)?;
        Ok(Self {
            places: Semaphore::new(settings.concurrency.min(Semaphore::MAX_PERMITS)),
            requests: requests.map(|count| RateLimiter::direct(quota(count, 10))),
            tokens: tokens.map(|count| Tokens {
                limiter: RateLimiter::direct(quota(count, 2)),
                most: quota(count, 2).burst_size(),
                owed: AtomicU64::new(0),
            }),
        })
    }

    /// Waits for a place and for what a minute allows. Cancel safe: what was waited for is given up.
    pub(super) async fn turn(&self, expected: u64) -> SemaphorePermit<'_> {
        let place = self
            .places
            .acquire()
            .await
            .expect("it is never closed, as nobody but this owns it");
        if let Some(requests) = &self.requests {
            requests.until_ready().await;
        }
        if let Some(tokens) = &self.tokens {
            let mut rest = expected + tokens.owed.swap(0, Ordering::Relaxed);
            while let Some(count) = NonZeroU32::new(u32::try_from(rest).unwrap_or(u32::MAX)) {
                let count = count.min(tokens.most);
                // It fails only for more than the burst.
                let _ = tokens.limiter.until_n_ready(count).await;
                rest -= u64::from(count.get());
            }
        }
        place
    }

    /// Notes what a call took in the end, of which some was expected.
    pub(super) fn note(&self, expected: u64, usage: Usage) {
        if let Some(tokens) = &self.tokens {
            let beyond = usage.total().saturating_sub(expected);
            tokens.owed.fetch_add(beyond, Ordering::Relaxed);
        }
    }
}

/// So many in a minute, and only a part of them at once, as a minute may begin at any time.
fn quota(count: NonZeroU32, parts: u32) -> Quota {
    let burst = NonZeroU32::new(count.get() / parts).unwrap_or(NonZeroU32::MIN);
    Quota::per_minute(count).allow_burst(burst)
}
