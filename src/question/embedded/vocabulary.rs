//! The words of a schema, and how well a phrase of a question names its tables and columns.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError, Weak},
};

use quick_cache::sync::Cache;

use super::{
    left_open::{is_costing, of_one},
    lexicon::{is_short_for, lexicon},
    likeness::Wording,
    question::Token,
    splitter::Splitter,
};
use crate::question::{
    lexicon::{self as lexicon_of_english, Meaning},
    schema::{ColumnRef, Schema, words},
};

use index::NameIndex;

pub(crate) use weights::{column_weight, table_weight};

mod index;
mod weights;

/// How near a word must be in meaning to stand for another, -1 to 1.
const NEAR: f32 = 0.5;

/// How like a word of a phrase must be to one of the name that it names.
const LEAST_ALIKE: f32 = 0.6;

/// Names below this are not taken for a mention.
const MINIMUM: f32 = 0.5;

/// An identifier as its words.
struct Name {
    /// Positions in [`Vocabulary::words`], with the weight that each has for naming it.
    words: Vec<(usize, f32)>,
    /// The identifier in lower case without signs.
    squeezed: String,
    /// Words of the comment; they can name it too, but less surely.
    comment: Vec<usize>,
    /// The score below which a phrase does not name it.
    minimum: f32,
}

/// Vocabularies of the schemas that are in use, so that each is read once and not with every question.
static IN_USE: Mutex<Vec<(Weak<Schema>, Arc<Vocabulary>)>> = Mutex::new(Vec::new());

/// The vocabulary of a schema.
pub(crate) fn of(schema: &Arc<Schema>) -> Arc<Vocabulary> {
    let of_schema = |vocabularies: &[(Weak<Schema>, Arc<Vocabulary>)]| {
        vocabularies
            .iter()
            .find(|(known, _)| known.as_ptr() == Arc::as_ptr(schema))
            .map(|(_, vocabulary)| Arc::clone(vocabulary))
    };
    // A panic elsewhere leaves the list as it was.
    let known = of_schema(&IN_USE.lock().unwrap_or_else(PoisonError::into_inner));
    if let Some(vocabulary) = known {
        return vocabulary;
    }
    let vocabulary = Arc::new(Vocabulary::new(schema));
    let mut in_use = IN_USE.lock().unwrap_or_else(PoisonError::into_inner);
    // A weak reference keeps the address from being used again, so that it stands for one schema only.
    in_use.retain(|(known, _)| known.strong_count() > 0);
    in_use.push((Arc::downgrade(schema), Arc::clone(&vocabulary)));
    vocabulary
}

/// All words of one schema.
pub(crate) struct Vocabulary {
    /// The distinct words of identifiers and comments.
    words: Vec<Wording>,
    /// What each of them means, where that is known.
    meanings: Vec<Option<Meaning>>,
    tables: Vec<Name>,
    columns: Vec<Vec<Name>>,
    /// Where the columns of all tables are, one after the other.
    places: Vec<ColumnRef>,
    of_tables: NameIndex,
    of_columns: NameIndex,
    /// How like words of questions are to each of the words.
    alike: Cache<String, Arc<[f32]>>,
}

/// Words of questions whose likeness is remembered: a question is read several times, and questions share most of theirs.
const MOST_REMEMBERED: usize = 256;

/// How much a question's words are like the schema's: `[token][word]`.
pub(crate) struct Similarities(Vec<Arc<[f32]>>);

impl Similarities {
    /// How like a word of the question is to the schema's word that it is likest to.
    pub(crate) fn best(&self, token: usize) -> f32 {
        self.0[token].iter().copied().fold(0.0, f32::max)
    }
}

/// A phrase as positions of its tokens, function words left out.
pub(crate) type Phrase<'a> = &'a [usize];

impl Vocabulary {
    /// Reads every name once.
    pub(crate) fn new(schema: &Schema) -> Self {
        let mut interned = Interned::default();
        let splitter = Splitter::new(schema);
        let tables: Vec<Name> = schema
            .tables
            .iter()
            .map(|table| {
                let words = interned.name(&splitter.split(&table.name));
                let weighted = words
                    .iter()
                    .map(|&word| (word, table_weight(&interned.words[word].text)))
                    .collect();
                name(&table.name, weighted, table.comment.as_deref(), &mut interned)
            })
            .collect();
        let columns: Vec<Vec<Name>> = schema
            .tables
            .iter()
            .enumerate()
            .map(|(at, table)| {
                let owner = &tables[at];
                table
                    .columns
                    .iter()
                    .map(|column| {
                        let words = interned.name(&splitter.split(&column.name));
                        let last = words.len().saturating_sub(1);
                        let weighted = words
                            .iter()
                            .enumerate()
                            .map(|(position, &word)| {
                                let is_owner = words.len() > 1
                                    && owner
                                        .words
                                        .iter()
                                        .any(|(other, _)| same_word(&interned, word, *other));
                                let is_initial = position < last && interned.words[word].text.len() == 1;
                                let weight = if (is_owner && position < last) || is_initial {
                                    0.12
                                } else {
                                    column_weight(&interned.words[word].text, position == last && last > 0)
                                };
                                (word, weight)
                            })
                            .collect();
                        name(&column.name, weighted, column.comment.as_deref(), &mut interned)
                    })
                    .collect()
            })
            .collect();
        let meaning = |word: &Wording| Meaning::new(&[whole(word)]);
        let mut vocabulary = Self {
            places: schema.columns().map(|(at, _)| at).collect(),
            of_tables: NameIndex::new(tables.iter(), interned.words.len()),
            of_columns: NameIndex::new(columns.iter().flatten(), interned.words.len()),
            meanings: interned.words.iter().map(meaning).collect(),
            words: interned.words,
            tables,
            columns,
            alike: Cache::new(MOST_REMEMBERED),
        };
        vocabulary.prefer_tables(schema);
        vocabulary
    }

    /// Views repeat what tables hold, so they are only taken at their word.
    fn prefer_tables(&mut self, schema: &Schema) {
        for (at, _) in schema
            .tables
            .iter()
            .enumerate()
            .filter(|(_, table)| table.is_view)
        {
            self.tables[at].minimum = 0.95;
            for column in &mut self.columns[at] {
                column.minimum = 0.95;
            }
        }
    }

    /// Compares every word of the question with every word of the schema.
    pub(crate) fn similarities(&self, tokens: &[Token]) -> Similarities {
        Similarities(tokens.iter().map(|token| self.alike(&token.word)).collect())
    }

    /// How like a word is to each of the schema's.
    fn alike(&self, word: &str) -> Arc<[f32]> {
        if let Some(known) = self.alike.get(word) {
            return known;
        }
        // A filler names something only by its own letters, never by a likeness.
        let minimum = if lexicon().is_filler(word) { 0.9 } else { 0.0 };
        let asked = Wording::of(word);
        let likeness = self.words.iter().map(|word| asked.likeness(word));
        let found: Arc<[f32]> = likeness
            .map(|like| if like < minimum { 0.0 } else { like })
            .collect();
        self.alike.insert(word.to_owned(), Arc::clone(&found));
        found
    }

    /// As [`Vocabulary::similarities`], and for words that no name has also by what they mean.
    pub(crate) fn meanings(&self, tokens: &[Token]) -> Similarities {
        let mut found = self.similarities(tokens);
        for (token, row) in tokens.iter().zip(&mut found.0) {
            let known = row.iter().any(|like| *like >= 0.7);
            if known || !is_content(token) {
                continue;
            }
            let Some(asked) = Meaning::new(&[token.word.as_str()]) else {
                continue;
            };
            let derived: Vec<Wording> = lexicon_of_english::derived(&token.word)
                .map(Wording::of)
                .collect();
            let related: Vec<&str> = lexicon_of_english::synonyms(&token.word)
                .chain(lexicon_of_english::derived(&token.word))
                .chain(lexicon_of_english::attributes(&token.word))
                .collect();
            for ((meaning, word), like) in self.meanings.iter().zip(&self.words).zip(Arc::make_mut(row)) {
                // Whoever complained is in `complt`.
                if word.text.len() > 3 && derived.iter().any(|other| other.likeness(word) >= 0.8) {
                    *like = like.max(0.75);
                }
                let Some(meaning) = meaning else { continue };
                let is_related = related.iter().any(|other| *other == whole(word));
                let near = asked.similarity(meaning) + if is_related { 0.2 } else { 0.0 };
                // What is half alike may be meant; what is nearly the same mostly is.
                if near >= NEAR && word.text.len() > 2 {
                    *like = like.max((0.6 + (near - NEAR) * 0.5).min(0.85));
                }
            }
        }
        found
    }

    /// The tables that a phrase names, with how well, 0 to 1.
    pub(crate) fn tables(
        &self,
        phrase: Phrase<'_>,
        tokens: &[Token],
        like: &Similarities,
    ) -> Vec<(usize, f32)> {
        let squeezed = squeezed(phrase, tokens);
        self.of_tables
            .near(phrase, &squeezed, like)
            .filter_map(|table| Some((table, score(&self.tables[table], phrase, &squeezed, like)?)))
            .collect()
    }

    /// The columns that a phrase names, with how well, 0 to 1.
    pub(crate) fn columns(
        &self,
        phrase: Phrase<'_>,
        tokens: &[Token],
        like: &Similarities,
    ) -> Vec<(ColumnRef, f32)> {
        let squeezed = squeezed(phrase, tokens);
        let near = self.of_columns.near(phrase, &squeezed, like);
        let costs = phrase.len() == 1 && is_costing(&tokens[phrase[0]].word);
        near.filter_map(|at| {
            let at = self.places[at];
            let name = &self.columns[at.table][at.column];
            let of_one = if costs { self.of_one(name) } else { 1.0 };
            Some((at, score(name, phrase, &squeezed, like)? * of_one))
        })
        .collect()
    }

    fn of_one(&self, name: &Name) -> f32 {
        of_one(name.words.iter().map(|(word, _)| self.words[*word].text.as_str()))
    }

    /// How much of a column's name some words of a question have, wherever they stand, 0 to 1.
    pub(crate) fn column_covered(&self, at: ColumnRef, tokens: &[Token], like: &Similarities) -> f32 {
        covered(&self.columns[at.table][at.column], tokens, like)
    }

    /// How much of a table's name some words of a question have, wherever they stand, 0 to 1.
    pub(crate) fn table_covered(&self, at: usize, tokens: &[Token], like: &Similarities) -> f32 {
        covered(&self.tables[at], tokens, like)
    }

    /// As [`Vocabulary::table_covered`], by words that the names of some other tables do not have.
    pub(crate) fn table_covered_apart(
        &self,
        at: usize,
        others: &[usize],
        (tokens, like): (&[Token], &Similarities),
    ) -> f32 {
        let shared = |word: usize| {
            let others = others.iter().flat_map(|other| &self.tables[*other].words);
            others
                .into_iter()
                .any(|(other, _)| self.words[*other].likeness(&self.words[word]) >= 0.9)
        };
        let own = &self.tables[at];
        let words: Vec<(usize, f32)> = own
            .words
            .iter()
            .filter(|(word, _)| !shared(*word))
            .copied()
            .collect();
        if words.is_empty() {
            return covered(own, tokens, like);
        }
        weighed(&words, tokens, like)
    }

    /// How well a column's name answers to one of some words, 0 to 1; earlier words count more.
    pub(crate) fn column_has_word(&self, at: ColumnRef, wanted: &[String]) -> f32 {
        let name = &self.columns[at.table][at.column];
        let stems = |word: usize| &self.words[word];
        wanted
            .iter()
            .enumerate()
            .filter_map(|(rank, wanted)| {
                let wanted_stem = words::stem(wanted);
                let own_weight: f32 = name.words.iter().map(|(_, weight)| weight).sum();
                let hit = name.words.iter().find(|(word, _)| {
                    let word = stems(*word);
                    word.stem == wanted_stem || word.text == *wanted
                })?;
                let clean = (hit.1 / own_weight.max(0.01)).clamp(0.3, 1.0);
                Some((1.0 - rank as f32 * 0.06) * (0.6 + 0.4 * clean) * self.of_one(name))
            })
            .fold(0.0, f32::max)
    }
}

/// A word, or what it is short for.
fn whole(word: &Wording) -> &str {
    lexicon().in_full(&word.text).unwrap_or(&word.text)
}

/// True for a word that may name something.
fn is_content(token: &Token) -> bool {
    let word = token.word.as_str();
    let plain = word.len() > 2 && word.bytes().all(|byte| byte.is_ascii_alphabetic());
    let shapes =
        lexicon().operator(word).is_some() || lexicon().is_filler(word) || lexicon().is_decisive(word);
    plain && !shapes && (!token.capital || lexicon_of_english::is_noun(word))
}

fn same_word(interned: &Interned, one: usize, other: usize) -> bool {
    one == other || {
        let (one, other) = (&interned.words[one], &interned.words[other]);
        other.likeness(one) >= 0.9
            || (one.text.len() >= 3 && other.text.starts_with(&one.text))
            || is_short_for(&one.text, &other.text)
    }
}

fn name(identifier: &str, words: Vec<(usize, f32)>, comment: Option<&str>, interned: &mut Interned) -> Name {
    let squeezed = identifier
        .chars()
        .filter(|c| c.is_alphanumeric())
        .flat_map(char::to_lowercase)
        .collect();
    let comment = comment
        .map(|comment| interned.name(&words::text_words(comment)))
        .unwrap_or_default();
    Name {
        words,
        squeezed,
        comment,
        minimum: MINIMUM,
    }
}

fn squeezed(phrase: Phrase<'_>, tokens: &[Token]) -> String {
    phrase.iter().map(|&at| tokens[at].word.as_str()).collect()
}

/// What the letters of a phrase are in the singular, where they are a plural.
fn singular(squeezed: &str) -> Option<&str> {
    squeezed.strip_suffix('s').filter(|singular| singular.len() > 2)
}

/// Every word of the phrase must name a word of the identifier; the rest of the identifier counts against it.
fn score(name: &Name, phrase: Phrase<'_>, squeezed: &str, like: &Similarities) -> Option<f32> {
    if phrase.is_empty() {
        return None;
    }
    if name.squeezed == squeezed || singular(squeezed).is_some_and(|singular| name.squeezed == singular) {
        return Some(1.0);
    }
    let own = covering(&name.words, phrase, like).or_else(|| {
        // `phone number` is the phone.
        let (_, rest) = phrase.split_last()?;
        let is_number = !rest.is_empty() && squeezed.trim_end_matches('s').ends_with("number");
        if is_number {
            covering(&name.words, rest, like).map(|score| score * 0.92)
        } else {
            None
        }
    });
    let commented = if name.comment.is_empty() {
        None
    } else {
        let words: Vec<(usize, f32)> = name.comment.iter().map(|&word| (word, 1.0)).collect();
        let matched = phrase
            .iter()
            .all(|&token| words.iter().any(|(word, _)| like.0[token][*word] >= 0.9));
        (matched && phrase.len() * 3 >= words.len()).then_some(0.55)
    };
    let best = own.into_iter().chain(commented).reduce(f32::max)?;
    (best >= name.minimum).then_some(best)
}

fn covered(name: &Name, tokens: &[Token], like: &Similarities) -> f32 {
    let spelled = tokens.iter().any(|token| {
        token.word.len() >= name.squeezed.len()
            && token
                .word
                .chars()
                .filter(|c| c.is_alphanumeric())
                .eq(name.squeezed.chars())
    });
    if spelled {
        return 1.0;
    }
    let best = |word: usize| like.0.iter().map(|row| row[word]).fold(0.0, f32::max);
    let commented = name.comment.iter().any(|word| best(*word) >= 0.9);
    weighed(&name.words, tokens, like).max(if commented { 0.5 } else { 0.0 })
}

/// How much of some words a question has, by their weights. `all` of `list all …` names nothing.
fn weighed(words: &[(usize, f32)], tokens: &[Token], like: &Similarities) -> f32 {
    let lexicon = lexicon();
    let telling: Vec<&Arc<[f32]>> = tokens
        .iter()
        .zip(&like.0)
        .filter(|(token, _)| {
            !matches!(
                token.word.as_str(),
                "all" | "any" | "each" | "no" | "in" | "of" | "is"
            ) || lexicon.knows(&token.stem)
        })
        .map(|(_, row)| row)
        .collect();
    let best = |word: usize| telling.iter().map(|row| row[word]).fold(0.0, f32::max);
    let weight: f32 = words.iter().map(|(_, weight)| weight).sum();
    let matched: f32 = words.iter().map(|(word, weight)| weight * best(*word)).sum();
    matched / weight.max(0.01)
}

fn covering(words: &[(usize, f32)], phrase: Phrase<'_>, like: &Similarities) -> Option<f32> {
    let mut taken = vec![false; words.len()];
    let mut similarity_sum = 0.0;
    let mut matched_weight = 0.0;
    for &token in phrase {
        let row = &like.0[token];
        let (at, similarity) = words
            .iter()
            .enumerate()
            .filter(|(at, _)| !taken[*at])
            .map(|(at, (word, _))| (at, row[*word]))
            .max_by(|one, other| one.1.total_cmp(&other.1))?;
        if similarity < LEAST_ALIKE {
            return None;
        }
        taken[at] = true;
        similarity_sum += similarity;
        matched_weight += words[at].1;
    }
    let weight: f32 = words.iter().map(|(_, weight)| weight).sum();
    let coverage = (matched_weight / weight).min(1.0);
    Some(similarity_sum / phrase.len() as f32 * coverage.sqrt())
}

#[derive(Default)]
struct Interned {
    words: Vec<Wording>,
    positions: HashMap<String, usize>,
}

impl Interned {
    fn name(&mut self, words: &[String]) -> Vec<usize> {
        words.iter().map(|word| self.word(word)).collect()
    }

    fn word(&mut self, text: &str) -> usize {
        if let Some(&at) = self.positions.get(text) {
            return at;
        }
        self.words.push(Wording::of(text));
        self.positions.insert(text.to_owned(), self.words.len() - 1);
        self.words.len() - 1
    }
}
