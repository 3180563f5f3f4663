//! How near words are in meaning: the cosine of their vectors, which all-MiniLM-L6-v2 gave for each word alone.

use std::cmp::Ordering;

use super::{
    forms::{self, WORDS, folded},
    table::compare,
};

/// A record for each line of `words.txt`: where the line begins (four bytes, little end first), and the numbers.
const RECORDS: &[u8] = include_bytes!("../../../lexicon/vectors.bin");
const DIMENSIONS: usize = 128;
const RECORD: usize = 4 + DIMENSIONS / 2;

/// What a word or a phrase means, for who compares it with many: 132 bytes for each word that the lexicon has.
#[derive(Debug, Clone)]
pub struct Meaning {
    /// Never empty.
    words: Vec<Vector>,
    /// How long the sum of the words' vectors is, where each of them is 1.
    length: f32,
}

impl Meaning {
    /// The meaning of the words that the lexicon has; None where it has none of them.
    pub fn new(words: &[&str]) -> Option<Self> {
        let words: Vec<_> = words.iter().filter_map(|word| vector(word)).collect();
        let length = all_pairs(&words, &words).sqrt();
        (!words.is_empty()).then_some(Self { words, length })
    }

    /// How near another meaning is, as [`phrase_similarity`] has it.
    pub fn similarity(&self, other: &Self) -> f32 {
        let lengths = self.length * other.length;
        // Words may point in opposite directions, so that nothing is left of their sum.
        let overall = if lengths > 0.0 {
            all_pairs(&self.words, &other.words) / lengths
        } else {
            0.0
        };
        let (short, long) = if self.words.len() <= other.words.len() {
            (self, other)
        } else {
            (other, self)
        };
        let best = |one: &Vector| long.words.iter().map(|two| one.cosine(two)).fold(-1.0, f32::max);
        let each = short.words.iter().map(best).sum::<f32>() / short.words.len() as f32;
        f32::midpoint(overall.clamp(-1.0, 1.0), each)
    }
}

/// How near two words are in meaning: the cosine of their vectors, -1 to 1, 1 for the same word. Above 0.6 they mostly
/// name the same or much alike; words without anything in common are about 0. A form without a vector takes its likeliest
/// lemma's. None where the lexicon lacks one of the words.
pub fn similarity(a: &str, b: &str) -> Option<f32> {
    Some(vector(a)?.cosine(&vector(b)?))
}

/// How near two phrases are in meaning, -1 to 1: the middle between the cosine of what their words mean on average and the
/// average of what each word of the shorter phrase finds best in the other. Words that the lexicon lacks are left out;
/// None where a phrase has no other.
pub fn phrase_similarity(a: &[&str], b: &[&str]) -> Option<f32> {
    Some(Meaning::new(a)?.similarity(&Meaning::new(b)?))
}

/// The candidate that is nearest in meaning and how near, as [`similarity`] has it; the first of equals. None where the
/// lexicon lacks the word or all of the candidates.
pub fn nearest(word: &str, candidates: &[&str]) -> Option<(usize, f32)> {
    let word = vector(word)?;
    let mut known = candidates
        .iter()
        .enumerate()
        .filter_map(|(at, other)| Some((at, word.cosine(&vector(other)?))));
    let first = known.next()?;
    Some(known.fold(first, |best, next| if next.1 > best.1 { next } else { best }))
}

/// The direction in which a word points.
#[derive(Debug, Clone, Copy)]
struct Vector {
    /// -7 to 7.
    numbers: [i8; DIMENSIONS],
    /// Never 0.
    length: f32,
}

impl Vector {
    /// Two numbers in a byte, the first in the low half, each plus 8.
    fn unpacked(bytes: &[u8]) -> Self {
        let mut numbers = [0; DIMENSIONS];
        for (pair, byte) in numbers.chunks_exact_mut(2).zip(bytes) {
            pair[0] = (byte & 15) as i8 - 8;
            pair[1] = (byte >> 4) as i8 - 8;
        }
        Self {
            numbers,
            length: (dot(&numbers, &numbers) as f32).sqrt(),
        }
    }

    fn cosine(&self, other: &Self) -> f32 {
        let cosine = dot(&self.numbers, &other.numbers) as f32 / (self.length * other.length);
        cosine.clamp(-1.0, 1.0)
    }
}

/// The vector of a word, or of the likeliest of its lemmas.
fn vector(word: &str) -> Option<Vector> {
    let own = record(folded(word)?.as_ref());
    own.or_else(|| {
        forms::readings(word)
            .iter()
            .find_map(|reading| record(reading.lemma))
    })
}

fn record(word: &str) -> Option<Vector> {
    let (mut low, mut high) = (0, RECORDS.len() / RECORD);
    while low < high {
        let middle = low.midpoint(high);
        let (start, numbers) = RECORDS[middle * RECORD..][..RECORD].split_first_chunk()?;
        match compare(WORDS.word_at(u32::from_le_bytes(*start) as usize), word, "") {
            Ordering::Equal => return Some(Vector::unpacked(numbers)),
            Ordering::Less => low = middle + 1,
            Ordering::Greater => high = middle,
        }
    }
    None
}

/// The product of the sums of two lists of vectors of length 1.
fn all_pairs(one: &[Vector], two: &[Vector]) -> f32 {
    one.iter()
        .flat_map(|a| two.iter().map(|b| a.cosine(b)))
        .sum::<f32>()
}

fn dot(a: &[i8; DIMENSIONS], b: &[i8; DIMENSIONS]) -> i32 {
    a.iter().zip(b).map(|(a, b)| i32::from(*a) * i32::from(*b)).sum()
}
