//! What common English words have to do with each other: lemmas, parts of speech, derived words, synonyms, antonyms, the
//! attributes of adjectives, and how near two words are in meaning. The data are the files of `lexicon/`, searched where
//! they lie in the program: nothing is built at the start. Words are looked up in any case.

mod forms;
mod table;
#[cfg(test)]
mod tests;
mod vectors;

use table::Table;

pub use forms::{Part, Reading, Readings, readings};
pub use vectors::{Meaning, nearest, phrase_similarity, similarity};

const DERIVED: Table = Table::new(include_str!("../../../lexicon/derived.txt"));
const SYNONYMS: Table = Table::new(include_str!("../../../lexicon/synonyms.txt"));
const ANTONYMS: Table = Table::new(include_str!("../../../lexicon/antonyms.txt"));
const ATTRIBUTES: Table = Table::new(include_str!("../../../lexicon/attributes.txt"));

/// The lemmas of a word, likeliest first: `sold` is `sell`, then `sold`. None for a word that the lexicon lacks.
pub fn lemmas(word: &str) -> impl Iterator<Item = &'static str> {
    let mut readings = readings(word);
    readings.keep_first_of_each_lemma();
    readings.iter().map(|reading| reading.lemma)
}

/// True for a word that is a noun at least as often as in three of ten uses.
pub fn is_noun(word: &str) -> bool {
    is_often(word, Part::Noun)
}

/// True for a word that is a verb, in any form, at least as often as in three of ten uses.
pub fn is_verb(word: &str) -> bool {
    is_often(word, Part::Verb)
}

/// True for a word that is an adjective at least as often as in three of ten uses.
pub fn is_adjective(word: &str) -> bool {
    is_often(word, Part::Adjective)
}

fn is_often(word: &str, part: Part) -> bool {
    readings(word).share(part) >= 0.3
}

/// Words made from the same root: `spender` and `spending` for `spend` or `spent`, `france` for `french`. From the
/// likeliest sense down, at most twelve for each lemma.
pub fn derived(word: &str) -> impl Iterator<Item = &'static str> {
    of_each_lemma(DERIVED, word)
}

/// Words that mean the same in the commonest senses. `_` parts the words of a phrase: `given_name` for `forename`.
pub fn synonyms(word: &str) -> impl Iterator<Item = &'static str> {
    of_each_lemma(SYNONYMS, word)
}

/// Words that mean the opposite: `low` for `high`, `cheap` for `expensive` or `costly`, `arrive` for `depart`.
pub fn antonyms(word: &str) -> impl Iterator<Item = &'static str> {
    of_each_lemma(ANTONYMS, word)
}

/// The nouns whose value an adjective tells: `weight` for `heavy` and `heaviest`. Few adjectives have one; where there
/// is none, [`nearest`] among the names at hand is a guess.
pub fn attributes(adjective: &str) -> impl Iterator<Item = &'static str> {
    of_each_lemma(ATTRIBUTES, adjective)
}

/// What a table has for the lemmas of a word, the likeliest lemma's first.
fn of_each_lemma(table: Table, word: &str) -> impl Iterator<Item = &'static str> {
    lemmas(word).flat_map(move |lemma| table.find(lemma).unwrap_or_default().split_ascii_whitespace())
}
