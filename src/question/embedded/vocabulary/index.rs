//! Where each word of a schema's names stands, so that a phrase is compared with the names that it can be alone.

use std::collections::HashMap;

use super::{LEAST_ALIKE, Name, Phrase, Similarities, singular};

/// Positions of names by what is in them.
pub(super) struct NameIndex {
    /// By position in the vocabulary's words: the names and comments that have it.
    by_word: Vec<Vec<usize>>,
    /// By the identifier in lower case without signs.
    by_letters: HashMap<String, Vec<usize>>,
}

impl NameIndex {
    /// Of names with this many words in all.
    pub(super) fn new<'n>(names: impl Iterator<Item = &'n Name>, words: usize) -> Self {
        let mut index = Self {
            by_word: vec![Vec::new(); words],
            by_letters: HashMap::new(),
        };
        for (at, name) in names.enumerate() {
            let commented = name.comment.iter().copied();
            for word in name.words.iter().map(|(word, _)| *word).chain(commented) {
                index.by_word[word].push(at);
            }
            index
                .by_letters
                .entry(name.squeezed.clone())
                .or_default()
                .push(at);
        }
        index
    }

    /// All names, ascending, that a phrase can name: those with a word like its first one, or with the letters of it all.
    pub(super) fn near(
        &self,
        phrase: Phrase<'_>,
        squeezed: &str,
        like: &Similarities,
    ) -> impl Iterator<Item = usize> + use<> {
        let first = phrase.first().map_or(&[][..], |first| &like.0[*first]);
        let alike = self.by_word.iter().zip(first);
        let letters = singular(squeezed).into_iter().chain([squeezed]);
        let mut found: Vec<usize> = alike
            .filter(|(_, like)| **like >= LEAST_ALIKE)
            .flat_map(|(names, _)| names)
            .chain(
                letters
                    .filter_map(|letters| self.by_letters.get(letters))
                    .flatten(),
            )
            .copied()
            .collect();
        found.sort_unstable();
        found.dedup();
        found.into_iter()
    }
}
