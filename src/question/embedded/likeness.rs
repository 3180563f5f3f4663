//! Words with what tells quickly that two of them cannot name each other: a question is compared with every word of a
//! schema, and almost none is alike.

use super::lexicon::lexicon;
use crate::question::schema::words;

/// A word of a question or of a schema.
#[derive(Debug, Clone)]
pub(crate) struct Wording {
    /// Lower case.
    pub(crate) text: String,
    /// The English stem of `text`.
    pub(crate) stem: String,
    /// One bit for each letter that occurs in `text`.
    letters: u32,
    /// True if the lexicon has synonyms or abbreviations of it.
    known: bool,
}

impl Wording {
    /// A word in lower case.
    pub(crate) fn of(text: &str) -> Self {
        let stem = words::stem(text);
        Self {
            letters: letters(text),
            known: lexicon().mentions(text) || lexicon().mentions(&stem),
            text: text.to_owned(),
            stem,
        }
    }

    /// How well this word of a question names a schema's word, 0 to 1.
    pub(crate) fn likeness(&self, stored: &Self) -> f32 {
        if self.stem == stored.stem {
            return 1.0;
        }
        if !self.may_be_like(stored) {
            return 0.0;
        }
        lexicon().similarity((&self.stem, &self.text), (&stored.stem, &stored.text))
    }

    /// False where nothing in the lexicon and no likeness of letters can make them alike.
    fn may_be_like(&self, stored: &Self) -> bool {
        let first = |text: &str| text.as_bytes().first().copied();
        (self.known && stored.known)
            // One is derived from the other, or short for it.
            || first(&self.stem) == first(&stored.stem)
            || first(&self.stem) == first(&stored.text)
            // A slip of the pen changes one letter, so that two may differ.
            || (self.text.len().abs_diff(stored.text.len()) <= 4
                && (self.letters ^ stored.letters).count_ones() <= 2)
    }
}

fn letters(text: &str) -> u32 {
    text.chars().fold(0, |letters, character| {
        let bit = match character {
            'a'..='z' => u32::from(character) - u32::from('a'),
            '0'..='9' => 26,
            other => 27 + u32::from(other) % 5,
        };
        letters | 1 << bit
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_that_is_alike_is_overlooked() {
        let words = "age ages birth birthday department dept direct director dob enrolment enrollment entry lat latitude \
            name no num number phone qty quantity staff employee store score tel telephone title titre zürich zurich";
        let words: Vec<Wording> = words.split_whitespace().map(Wording::of).collect();
        for asked in &words {
            for stored in &words {
                let likeness = lexicon().similarity((&asked.stem, &asked.text), (&stored.stem, &stored.text));
                let (one, other) = (&asked.text, &stored.text);
                assert!(
                    (asked.likeness(stored) - likeness).abs() < f32::EPSILON,
                    "{one} {other}"
                );
            }
        }
    }
}
