//! Whether something works that is tried again and again, such as a file on a disk that may be full. What changes is worth a
//! line in the log; what stays as it was is counted.

use std::{
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};

/// What fails again so soon after it worked has not worked: a full disk has room for a short line now and then.
const RELAPSE: Duration = Duration::from_secs(60);
/// How long it has to work after that before it counts.
const SETTLED: Duration = Duration::from_secs(10);

/// What is known of it. It works until it is said to have failed.
#[derive(Debug, Default)]
pub struct Outage(Mutex<State>);

#[derive(Debug, Default)]
struct State {
    /// What was lost since it fails; `None` while it works.
    lost: Option<u64>,
    failed: Option<Instant>,
    worked: Option<Instant>,
    /// It failed again soon after it had worked.
    relapsed: bool,
}

impl Outage {
    /// It failed, and so much was lost by it. True if it worked before.
    pub fn begins(&self, lost: u64) -> bool {
        self.begins_at(lost, Instant::now())
    }

    /// It works. If it did not before, what was lost meanwhile.
    pub fn ends(&self) -> Option<u64> {
        self.ends_at(Instant::now())
    }

    fn begins_at(&self, lost: u64, now: Instant) -> bool {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        state.failed = Some(now);
        if let Some(before) = &mut state.lost {
            *before = before.saturating_add(lost);
            return false;
        }
        state.lost = Some(lost);
        state.relapsed = state.worked.is_some_and(|worked| now - worked < RELAPSE);
        true
    }

    fn ends_at(&self, now: Instant) -> Option<u64> {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if state.relapsed && state.failed.is_some_and(|failed| now - failed < SETTLED) {
            return None;
        }
        let lost = state.lost.take()?;
        state.worked = Some(now);
        Some(lost)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_change_is_told_once() {
        let outage = Outage::default();
        assert_eq!(outage.ends(), None);
        assert!(outage.begins(2));
        assert!(!outage.begins(0));
        assert!(!outage.begins(3));
        assert_eq!(outage.ends(), Some(5));
        assert_eq!(outage.ends(), None);
    }

    #[test]
    fn what_works_now_and_then_is_told_of_a_few_times() {
        let (outage, begun) = (Outage::default(), Instant::now());
        let mut told = 0;
        for second in 0..600 {
            let now = begun + Duration::from_secs(second);
            told += usize::from(outage.begins_at(1, now));
            told += usize::from(outage.ends_at(now + Duration::from_millis(500)).is_some());
        }
        assert_eq!(told, 3);
        let later = begun + Duration::from_secs(700);
        assert_eq!(outage.ends_at(later), Some(599));
        assert!(outage.begins_at(0, later + RELAPSE));
        assert_eq!(outage.ends_at(later + RELAPSE), Some(0));
    }
}
