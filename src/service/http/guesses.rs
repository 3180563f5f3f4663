//! Wrong tokens and passwords: an address that has sent too many of them within a minute is not listened to for the rest of it, so
//! that nobody finds one out by trying.

use std::{
    collections::HashMap,
    net::IpAddr,
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};

/// Wrong ones of an address.
const MOST: u32 = 30;
/// Wrong passwords of an address for one user.
const MOST_FOR_ONE: u32 = 10;
/// Within this time.
const WITHIN: Duration = Duration::from_secs(60);
/// Addresses and users that are remembered; beyond them all are one.
const REMEMBERED: usize = 4_096;
/// What stands for the others.
const OTHERS: IpAddr = IpAddr::V4(std::net::Ipv4Addr::UNSPECIFIED);

/// Who tries, and for which user; none for a token.
type Key = (IpAddr, String);

/// What was tried lately.
#[derive(Debug, Default)]
pub(super) struct Guesses(Mutex<HashMap<Key, (u32, Instant)>>);

impl Guesses {
    /// Whether this address is listened to.
    pub(super) fn allows(&self, from: IpAddr) -> bool {
        self.count(from, "") < MOST
    }

    /// Whether it is where it says to be this user.
    pub(super) fn allows_for(&self, from: IpAddr, user: &str) -> bool {
        self.allows(from) && self.count(from, user) < MOST_FOR_ONE
    }

    /// It has sent a wrong token.
    pub(super) fn wrong(&self, from: IpAddr) {
        self.add(from, "");
    }

    /// It has sent a wrong password for this user.
    pub(super) fn wrong_for(&self, from: IpAddr, user: &str) {
        self.add(from, "");
        self.add(from, user);
    }

    fn count(&self, from: IpAddr, user: &str) -> u32 {
        let tried = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match tried.get(&key(&tried, from, user)) {
            Some((count, since)) if since.elapsed() <= WITHIN => *count,
            _ => 0,
        }
    }

    fn add(&self, from: IpAddr, user: &str) {
        let mut tried = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        tried.retain(|_, (_, since)| since.elapsed() <= WITHIN);
        let key = key(&tried, from, user);
        tried.entry(key).or_insert_with(|| (0, Instant::now())).0 += 1;
    }
}

/// Names of any length cost no more than others.
fn key(tried: &HashMap<Key, (u32, Instant)>, from: IpAddr, user: &str) -> Key {
    let key = (from, user.chars().take(64).collect());
    if tried.len() >= REMEMBERED && !tried.contains_key(&key) {
        return (OTHERS, String::new());
    }
    key
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
        assert!(!guesses.allows_for(address(1), "ann"));
        for _ in 0..MOST_FOR_ONE {
            assert!(guesses.allows_for(address(2), "ann"));
            guesses.wrong_for(address(2), "ann");
        }
        assert!(!guesses.allows_for(address(2), "ann") && guesses.allows_for(address(2), "bob"));
    }
}
