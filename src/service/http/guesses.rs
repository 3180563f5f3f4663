//! Wrong tokens and passwords, so that nobody finds one out by trying: of an address that has sent too many of them within a minute,
//! no password is looked at for the rest of it, not even one that is known, and a token after a pause alone. A right token always
//! opens: whoever guesses at the same address keeps nobody out.

use std::{
    collections::HashMap,
    net::IpAddr,
    sync::{Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use tokio::time::sleep;

/// Wrong ones of an address.
const MOST: u32 = 30;
/// Wrong passwords of an address for one user.
const MOST_FOR_ONE: u32 = 10;
/// Within this time.
const WITHIN: Duration = Duration::from_secs(60);
/// What comes before a look at a token where too many were wrong.
pub(super) const PAUSE: Duration = Duration::from_secs(1);
/// Addresses and users that are remembered; beyond them all are one.
const REMEMBERED: usize = 4_096;
/// What stands for the others.
const OTHERS: IpAddr = IpAddr::V4(std::net::Ipv4Addr::UNSPECIFIED);

/// Who tries, and for which user; none for a token.
type Key = (IpAddr, String);

/// How often it was tried, and since when.
type Tried = HashMap<Key, (u32, Instant)>;

/// What was tried lately.
#[derive(Debug, Default)]
pub(super) struct Guesses(Mutex<Tried>);

/// A password that is being checked. It counts as a wrong one until it is known to be none, so that many at once are no way
/// around the limit.
#[must_use]
pub(super) struct Attempt<'g> {
    guesses: &'g Guesses,
    counted: [(Key, Instant); 2],
}

impl Guesses {
    /// Whether few tokens of this address were wrong; else time has passed before the answer. Cancel safe.
    pub(super) async fn allows(&self, from: IpAddr) -> bool {
        let allows = self.are_few(from);
        if !allows {
            sleep(PAUSE).await;
        }
        allows
    }

    fn are_few(&self, from: IpAddr) -> bool {
        let tried = self.tried();
        count(&tried, &key(&tried, from, "")) < MOST
    }

    /// It has sent a wrong token.
    pub(super) fn wrong(&self, from: IpAddr) {
        add(&mut self.tried(), from, "");
    }

    /// Whether a password of this address for this user is not even looked at. Where so many are remembered that others are
    /// counted as one, that keeps out nobody who has signed in here.
    pub(super) fn refuses(&self, from: IpAddr, user: &str) -> bool {
        let tried = self.tried();
        count(&tried, &own_key(from, "")) >= MOST || count(&tried, &own_key(from, user)) >= MOST_FOR_ONE
    }

    /// A password for this user is about to be checked; none if the address is not listened to.
    pub(super) fn attempt(&self, from: IpAddr, user: &str) -> Option<Attempt<'_>> {
        let mut tried = self.tried();
        if count(&tried, &key(&tried, from, "")) >= MOST
            || count(&tried, &key(&tried, from, user)) >= MOST_FOR_ONE
        {
            return None;
        }
        let counted = [add(&mut tried, from, ""), add(&mut tried, from, user)];
        Some(Attempt {
            guesses: self,
            counted,
        })
    }

    fn tried(&self) -> MutexGuard<'_, Tried> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Attempt<'_> {
    /// The password was not wrong.
    pub(super) fn take_back(self) {
        let mut tried = self.guesses.tried();
        for (key, counted_since) in self.counted {
            // What has been forgotten meanwhile has nothing to take back, and what came after it is not this one's.
            if let Some((count, since)) = tried.get_mut(&key)
                && *since == counted_since
            {
                *count -= 1;
            }
        }
    }
}

fn count(tried: &Tried, key: &Key) -> u32 {
    match tried.get(key) {
        Some((count, since)) if since.elapsed() <= WITHIN => *count,
        _ => 0,
    }
}

/// Counts one; what comes back finds it again.
fn add(tried: &mut Tried, from: IpAddr, user: &str) -> (Key, Instant) {
    tried.retain(|_, (_, since)| since.elapsed() <= WITHIN);
    let key = key(tried, from, user);
    let (count, since) = tried.entry(key.clone()).or_insert_with(|| (0, Instant::now()));
    *count += 1;
    (key, *since)
}

/// Names of any length cost no more than others.
fn own_key(from: IpAddr, user: &str) -> Key {
    (from, user.chars().take(64).collect())
}

/// The same, or what stands for all others.
fn key(tried: &Tried, from: IpAddr, user: &str) -> Key {
    let key = own_key(from, user);
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
            assert!(guesses.are_few(address(1)));
            guesses.wrong(address(1));
        }
        assert!(!guesses.are_few(address(1)) && guesses.are_few(address(2)));
        assert!(guesses.attempt(address(1), "ann").is_none());
        assert!(guesses.refuses(address(1), "ann") && !guesses.refuses(address(2), "ann"));
    }

    #[test]
    fn passwords_that_are_still_being_checked_count_and_right_ones_are_taken_back() {
        let guesses = Guesses::default();
        let address = |last: u8| IpAddr::from([10, 0, 0, last]);
        let attempt = |user: &str| guesses.attempt(address(2), user);
        let mut open: Vec<_> = (0..MOST_FOR_ONE).map(|_| attempt("ann").unwrap()).collect();
        assert!(attempt("ann").is_none() && attempt("bob").is_some());
        open.pop().unwrap().take_back();
        open.push(attempt("ann").unwrap());
        // Whoever goes away before the end has tried.
        drop(open);
        assert!(attempt("ann").is_none());
        let refuses = |last: u8, user: &str| guesses.refuses(address(last), user);
        assert!(refuses(2, "ann") && !refuses(2, "bob") && !refuses(3, "ann"));
        for _ in 0..2 * MOST {
            attempt("eve").unwrap().take_back();
        }
    }

    #[test]
    fn others_keep_out_nobody_who_has_signed_in() {
        let guesses = Guesses::default();
        for address in 0..REMEMBERED as u32 + 2 * MOST {
            guesses.wrong(IpAddr::from(address.to_be_bytes()));
        }
        let late = IpAddr::from([10, 0, 0, 1]);
        assert!(guesses.attempt(late, "ann").is_none());
        assert!(!guesses.refuses(late, "ann"));
    }
}
