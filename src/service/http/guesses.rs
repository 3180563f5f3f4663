//! Wrong tokens of programs: an address that has sent too many of them within a minute is not listened to for the rest of it, so
//! that nobody finds a token out by trying.

use std::{
    collections::HashMap,
    net::IpAddr,
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};

/// Wrong tokens of an address.
const MOST: u32 = 30;
/// Within this time.
const WITHIN: Duration = Duration::from_secs(60);
/// Addresses that are remembered; beyond them all are one.
const ADDRESSES: usize = 1_024;
/// What stands for the others.
const OTHERS: IpAddr = IpAddr::V4(std::net::Ipv4Addr::UNSPECIFIED);

/// What was tried lately.
#[derive(Debug, Default)]
pub(super) struct Guesses(Mutex<HashMap<IpAddr, (u32, Instant)>>);

impl Guesses {
    /// Whether this address is listened to.
    pub(super) fn allows(&self, from: IpAddr) -> bool {
        let tried = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let is_full = tried.len() >= ADDRESSES && !tried.contains_key(&from);
        let key = if is_full { OTHERS } else { from };
        tried
            .get(&key)
            .is_none_or(|(count, since)| *count < MOST || since.elapsed() > WITHIN)
    }

    /// It has sent a wrong one.
    pub(super) fn wrong(&self, from: IpAddr) {
        let mut tried = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        tried.retain(|_, (_, since)| since.elapsed() <= WITHIN);
        let is_full = tried.len() >= ADDRESSES && !tried.contains_key(&from);
        let key = if is_full { OTHERS } else { from };
        tried.entry(key).or_insert_with(|| (0, Instant::now())).0 += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_that_guesses_is_not_listened_to_and_others_are() {
        let guesses = Guesses::default();
        let address = |last: u8| IpAddr::from([10, 0, 0, last]);
        for _ in 0..MOST {
            assert!(guesses.allows(address(1)));
            guesses.wrong(address(1));
        }
        assert!(!guesses.allows(address(1)) && guesses.allows(address(2)));
    }
}
