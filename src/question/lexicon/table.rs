//! Sorted text as a table: a line begins with its word, and a space before what it has.

use std::cmp::Ordering;

/// A text whose lines are in the order of their first words' bytes.
#[derive(Clone, Copy)]
pub(super) struct Table(&'static str);

impl Table {
    pub(super) const fn new(text: &'static str) -> Self {
        Self(text)
    }

    /// What stands behind a word in lower case, maybe nothing; None where it has no line.
    pub(super) fn find(self, word: &str) -> Option<&'static str> {
        self.find_joined(word, "").map(|(_, rest)| rest)
    }

    /// The line of the word that two parts make, as the word and what stands behind it.
    pub(super) fn find_joined(self, stem: &str, ending: &str) -> Option<(&'static str, &'static str)> {
        let bytes = self.0.as_bytes();
        // The line is between the two, which are where lines begin.
        let (mut low, mut high) = (0, bytes.len());
        while low < high {
            let middle = low.midpoint(high);
            let start = memchr::memrchr(b'\n', &bytes[low..middle]).map_or(low, |at| low + at + 1);
            let line = self.line(start);
            let (found, rest) = split(line);
            match compare(found, stem, ending) {
                Ordering::Equal => return Some((found, rest)),
                Ordering::Less => low = start + line.len() + 1,
                Ordering::Greater => high = start,
            }
        }
        None
    }

    /// The word whose line begins at a byte.
    pub(super) fn word_at(self, start: usize) -> &'static str {
        split(self.line(start)).0
    }

    fn line(self, start: usize) -> &'static str {
        let rest = self.0.get(start..).unwrap_or_default();
        let end = memchr::memchr(b'\n', rest.as_bytes()).unwrap_or(rest.len());
        &rest[..end]
    }
}

fn split(line: &str) -> (&str, &str) {
    line.split_once(' ').unwrap_or((line, ""))
}

/// How a word of a table stands to the word that two parts make.
pub(super) fn compare(word: &str, stem: &str, ending: &str) -> Ordering {
    word.bytes().cmp(stem.bytes().chain(ending.bytes()))
}
