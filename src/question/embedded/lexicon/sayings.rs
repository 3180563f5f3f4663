//! How some say what others say in other words. The phrases stand in `sayings/`.

use std::{cmp::Reverse, collections::HashMap, sync::LazyLock};

/// Phrases with what is said instead.
pub(crate) struct Sayings {
    /// Those that tell of a state, with the words for it that are kept.
    pub(crate) states: Phrases,
    /// All others.
    pub(crate) phrases: Phrases,
    rates: HashMap<String, String>,
    opposites: HashMap<String, String>,
}

/// Phrases by their first word, the longest first.
pub(crate) struct Phrases(HashMap<String, Vec<Phrase>>);

struct Phrase {
    words: Vec<String>,
    instead: Vec<String>,
}

static SAYINGS: LazyLock<Sayings> = LazyLock::new(|| {
    let read = |text: &str| -> HashMap<String, String> {
        toml::from_str(text).expect("the sayings are part of the program, and a test reads them")
    };
    Sayings {
        states: Phrases::of(&read(include_str!("sayings/states.toml"))),
        phrases: Phrases::of(&read(include_str!("sayings/phrases.toml"))),
        rates: read(include_str!("sayings/rates.toml")),
        opposites: read(include_str!("sayings/opposites.toml")),
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

impl Phrases {
    fn of(pairs: &HashMap<String, String>) -> Self {
        let split = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        let mut by_first: HashMap<String, Vec<Phrase>> = HashMap::new();
        for (phrase, instead) in pairs {
            let words = split(phrase);
            if let Some(first) = words.first() {
                let phrases = by_first.entry(first.clone()).or_default();
                phrases.push(Phrase {
                    instead: split(instead),
                    words,
                });
            }
        }
        for phrases in by_first.values_mut() {
            phrases.sort_by_key(|phrase| Reverse(phrase.words.len()));
        }
        Self(by_first)
    }

    /// The longest phrase that begins a text, which is told word by word: how many words it has, and what is said instead.
    pub(crate) fn beginning<'t>(&self, word: impl Fn(usize) -> &'t str) -> Option<(usize, &[String])> {
        let begins = |phrase: &&Phrase| {
            phrase
                .words
                .iter()
                .enumerate()
                .all(|(at, wanted)| word(at) == wanted)
        };
        let phrase = self.0.get(word(0))?.iter().find(begins)?;
        Some((phrase.words.len(), &phrase.instead))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_phrase_is_taken() {
        let all = sayings();
        assert_eq!(all.rate_of("return"), Some("returned"));
        assert_eq!(all.opposite("failed"), Some("passed"));
        let text: Vec<&str> = "still owed to us by clients".split(' ').collect();
        let found = all
            .phrases
            .beginning(|at| text.get(at).copied().unwrap_or_default());
        assert_eq!(
            found,
            Some((4, &["outstanding".to_owned(), "amount".to_owned()][..]))
        );
    }
}
