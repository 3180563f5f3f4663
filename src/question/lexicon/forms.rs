//! From forms to lemmas: WordNet's rules for regular forms (morphy(7WN)), its lists for the others, and how often a word is
//! met as each part of speech.

use std::{borrow::Cow, cmp::Reverse};

use super::table::Table;

pub(super) const WORDS: Table = Table::new(include_str!("../../../lexicon/words.txt"));
const IRREGULAR: Table = Table::new(include_str!("../../../lexicon/irregular.txt"));

/// More readings than this, no form has; the rest would be left out.
const MOST: usize = 8;
/// Longer words are in no table.
const LONGEST: usize = 40;
/// A lemma has several forms: each is met in a quarter of its uses, as a power of two.
const FORM: i8 = -2;

/// A part of speech.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Part {
    Noun,
    Verb,
    Adjective,
    Adverb,
    /// The lexicon knows the word from no dictionary: `sku`.
    Unknown,
}

/// One way to understand a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reading {
    /// As the dictionary has it: `child` for `children`.
    pub lemma: &'static str,
    /// What it is then.
    pub part: Part,
    /// How often it was met, in powers of two: one more is twice as often.
    magnitude: i8,
}

/// All the ways to understand a word, likeliest first.
#[derive(Debug, Clone, Copy)]
pub struct Readings {
    items: [Option<Reading>; MOST],
}

impl Readings {
    /// How likely the word is this part of speech, 0 to 1; 0 for all where it is not known.
    pub fn share(&self, part: Part) -> f32 {
        let sum = |part: Option<Part>| -> f32 {
            self.items
                .iter()
                .flatten()
                .filter(|reading| part.is_none_or(|part| part == reading.part))
                .map(|reading| f32::from(reading.magnitude).exp2())
                .sum()
        };
        let all = sum(None);
        if all > 0.0 { sum(Some(part)) / all } else { 0.0 }
    }

    /// The readings, likeliest first.
    pub fn iter(self) -> impl Iterator<Item = Reading> {
        self.items.into_iter().flatten()
    }

    pub(super) fn keep_first_of_each_lemma(&mut self) {
        for at in 1..MOST {
            let (before, rest) = self.items.split_at_mut(at);
            let lemma = |item: &Option<Reading>| item.map(|reading| reading.lemma);
            if before.iter().any(|item| lemma(item) == lemma(&rest[0])) {
                rest[0] = None;
            }
        }
    }

    fn add(&mut self, reading: Reading) {
        let same = |known: &Reading| (known.lemma, known.part) == (reading.lemma, reading.part);
        if self.items.iter().flatten().any(same) {
            return;
        }
        if let Some(free) = self.items.iter_mut().find(|item| item.is_none()) {
            *free = Some(reading);
        }
    }
}

/// An ending of regular forms, and what the lemma has instead.
type Rule = (&'static str, &'static str);

const RULES: [(Part, &[Rule]); 3] = [
    (
        Part::Noun,
        &[
            ("s", ""),
            ("ses", "s"),
            ("xes", "x"),
            ("zes", "z"),
            ("ches", "ch"),
            ("shes", "sh"),
            ("men", "man"),
            ("ies", "y"),
        ],
    ),
    (
        Part::Verb,
        &[
            ("s", ""),
            ("ies", "y"),
            ("es", "e"),
            ("es", ""),
            ("ed", "e"),
            ("ed", ""),
            ("ing", "e"),
            ("ing", ""),
        ],
    ),
    (
        Part::Adjective,
        &[("er", ""), ("est", ""), ("er", "e"), ("est", "e")],
    ),
];

/// The ways to understand a word, in any case and form: `left` is `leave`, or the adjective `left`.
pub fn readings(word: &str) -> Readings {
    let mut found = Readings { items: [None; MOST] };
    if let Some(word) = folded(word) {
        add_own(&mut found, (word.as_ref(), ""));
        add_forms(&mut found, word.as_ref());
        // The sort is stable: before the form of another word, a word is what it is itself.
        let likeliest = |item: &Option<Reading>| Reverse(item.map(|reading| reading.magnitude));
        found.items.sort_by_key(likeliest);
    }
    found
}

/// Adds the word that two parts make, as it stands.
fn add_own(found: &mut Readings, (stem, ending): (&str, &str)) {
    let Some((lemma, parts)) = WORDS.find_joined(stem, ending) else {
        return;
    };
    let unknown = parts.is_empty().then_some((Part::Unknown, 0));
    for (part, magnitude) in uses(parts).chain(unknown) {
        found.add(Reading {
            lemma,
            part,
            magnitude,
        });
    }
}

/// Adds the lemmas that a word is a form of.
fn add_forms(found: &mut Readings, word: &str) {
    let listed = || {
        let items = IRREGULAR.find(word).unwrap_or_default().split_ascii_whitespace();
        items.filter_map(|item| item.split_once(':'))
    };
    for (letter, lemma) in listed() {
        add_form(found, part(letter), (lemma, ""));
    }
    for (part, rules) in RULES {
        // What is listed follows no rule.
        if listed().any(|(letter, _)| self::part(letter) == part) {
            continue;
        }
        let mut plural = false;
        for (ending, instead) in rules {
            // `planes` is `plane`, not `plan`.
            if let Some(stem) = word.strip_suffix(ending)
                && !(plural && *ending == "es")
            {
                plural |= add_form(found, part, (stem, instead)) && *ending == "s";
            }
        }
    }
    // A word that no dictionary has may have a plural all the same.
    if found.items[0].is_none()
        && let Some(stem) = word.strip_suffix('s')
        && WORDS.find(stem) == Some("")
    {
        add_own(found, (stem, ""));
    }
}

/// Adds a reading as a form of a lemma, if there is such a lemma.
fn add_form(found: &mut Readings, part: Part, (stem, ending): (&str, &str)) -> bool {
    let Some((lemma, parts)) = WORDS.find_joined(stem, ending) else {
        return false;
    };
    let Some((_, magnitude)) = uses(parts).find(|(known, _)| *known == part) else {
        return false;
    };
    found.add(Reading {
        lemma,
        part,
        magnitude: magnitude + FORM,
    });
    true
}

/// `n6v1` as parts of speech and powers of two.
fn uses(mut text: &str) -> impl Iterator<Item = (Part, i8)> {
    std::iter::from_fn(move || {
        let letter = text.get(..1)?;
        let end = text[1..]
            .find(|next: char| !next.is_ascii_digit())
            .map_or(text.len(), |end| end + 1);
        let magnitude = text[1..end].parse().unwrap_or(0);
        text = &text[end..];
        Some((part(letter), magnitude))
    })
}

fn part(letter: &str) -> Part {
    match letter {
        "n" => Part::Noun,
        "v" => Part::Verb,
        "a" => Part::Adjective,
        "r" => Part::Adverb,
        _ => Part::Unknown,
    }
}

/// A word as the tables have it; None for what is in no table.
pub(super) fn folded(word: &str) -> Option<Cow<'_, str>> {
    if word.is_empty() || word.len() > LONGEST || !word.bytes().all(|byte| byte.is_ascii_alphabetic()) {
        None
    } else if word.bytes().any(|byte| byte.is_ascii_uppercase()) {
        Some(Cow::Owned(word.to_ascii_lowercase()))
    } else {
        Some(Cow::Borrowed(word))
    }
}
