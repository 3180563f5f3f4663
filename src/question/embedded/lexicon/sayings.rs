//! How some say what others say in other words. The phrases stand in `sayings.toml`.

use std::{cmp::Reverse, collections::HashMap, sync::LazyLock};

use serde::Deserialize;

/// Phrases with what is said instead.
pub(crate) struct Sayings {
    /// Those that tell of a state, with the words for it that are kept; the longest first.
    pub(crate) states: Vec<(String, String)>,
    /// All others, the longest first.
    pub(crate) phrases: Vec<(String, String)>,
    rates: HashMap<String, String>,
    opposites: HashMap<String, String>,
}

#[derive(Deserialize)]
struct SayingFile {
    states: HashMap<String, String>,
    sayings: HashMap<String, String>,
    rates: HashMap<String, String>,
    opposites: HashMap<String, String>,
}

static SAYINGS: LazyLock<Sayings> = LazyLock::new(|| {
    let file: SayingFile = toml::from_str(include_str!("sayings.toml"))
        .expect("the sayings are part of the program, and a test reads them");
    Sayings {
        states: longest_first(file.states),
        phrases: longest_first(file.sayings),
        rates: file.rates,
        opposites: file.opposites,
    }
});

/// The sayings; read once.
pub(crate) fn sayings() -> &'static Sayings {
    &SAYINGS
}

impl Sayings {
    /// The state whose share a rate of this is: `cancelled` of a cancellation rate.
    pub(crate) fn rate_of(&self, noun: &str) -> Option<&str> {
        self.rates.get(noun).map(String::as_str)
    }

    /// What is not so where this is: `passed` where something failed.
    pub(crate) fn opposite(&self, word: &str) -> Option<&str> {
        self.opposites.get(word).map(String::as_str)
    }
}

fn longest_first(phrases: HashMap<String, String>) -> Vec<(String, String)> {
    let mut phrases: Vec<(String, String)> = phrases.into_iter().collect();
    phrases.sort_by_key(|(phrase, _)| (Reverse(phrase.len()), phrase.clone()));
    phrases
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_of_them_are_read() {
        let all = sayings();
        assert_eq!(all.rate_of("return"), Some("returned"));
        assert_eq!(all.opposite("failed"), Some("passed"));
        let lengths: Vec<usize> = all.phrases.iter().map(|(phrase, _)| phrase.len()).collect();
        assert!(lengths.windows(2).all(|two| two[0] >= two[1]));
    }
}
