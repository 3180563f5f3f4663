//! How much each table and column has to do with a question: words and stored values, and what the keys lead to.

use std::ops::Range;

use super::{
    Similarity,
    index::{Index, MatchSite},
};
use crate::question::{
    embedded::{Wording, is_common, is_filler},
    schema::{ValueHit, ValueIndex, words},
};

/// Words of a question that are looked at.
const MOST_WORDS: usize = 200;
/// Words of the longest phrase that may be a stored value.
const LONGEST_VALUE: usize = 8;

/// Keys along which a match counts for the tables around it.
const STEPS: usize = 2;

/// What a match is worth. The figures were tuned on questions over a hundred databases put into one.
#[derive(Debug, Clone, Copy)]
pub(super) struct Weights {
    pub(super) table: f32,
    pub(super) column: f32,
    pub(super) comment: f32,
    pub(super) value: f32,
    /// Of a filler word that happens to stand in a name.
    pub(super) filler: f32,
    /// What one step along a key leaves of a match.
    pub(super) step: f32,
    /// The least likeness of two words.
    pub(super) likeness: f32,
    /// Of the nearness by meaning, in shares of the best score.
    pub(super) semantic: f32,
    /// How much having all of a table's name counts on top.
    pub(super) whole_name: f32,
}

pub(super) const WEIGHTS: Weights = Weights {
    table: 1.0,
    column: 0.9,
    comment: 0.3,
    value: 0.5,
    filler: 0.1,
    step: 0.55,
    likeness: 0.7,
    semantic: 0.5,
    whole_name: 0.5,
};

/// What a question is worth to the tables of a schema.
#[derive(Debug, Default)]
pub(super) struct Scores {
    /// By table; 0 where nothing leads there.
    pub(super) tables: Vec<f32>,
    /// By column, as [`Index::column`] counts them: what names or holds something of the question.
    pub(super) columns: Vec<f32>,
}

/// Compares a question with a schema.
pub(super) fn score(
    question: &str,
    index: &Index,
    values: &ValueIndex,
    semantic: Option<&Similarity>,
    weights: &Weights,
) -> Scores {
    let asked: Vec<Wording> = words::text_words(question)
        .iter()
        .take(MOST_WORDS)
        .map(|word| Wording::of(word))
        .collect();
    let mut scorer = Scorer {
        index,
        weights,
        scores: Scores {
            tables: vec![0.0; index.tables()],
            columns: vec![0.0; index.columns()],
        },
        own: Vec::new(),
        around: Vec::new(),
    };
    let stored = scorer.stored(&asked, values);
    for (at, word) in asked.iter().enumerate() {
        let again = asked[..at].iter().any(|before| before.text == word.text);
        let stored = stored.iter().filter(|found| found.phrase.contains(&at));
        scorer.word(word, again, stored);
    }
    let Scores { mut tables, columns } = scorer.scores;
    if let Some(semantic) = semantic {
        add_meaning(&mut tables, semantic, weights.semantic);
    }
    Scores { tables, columns }
}

/// A phrase of the question that is stored somewhere.
struct Stored {
    phrase: Range<usize>,
    hits: Vec<ValueHit>,
    worth: f32,
}

struct Scorer<'a> {
    index: &'a Index,
    weights: &'a Weights,
    scores: Scores,
    /// By table: the best match of the word at hand.
    own: Vec<f32>,
    /// The same of the tables around it.
    around: Vec<f32>,
}

impl Scorer<'_> {
    /// Adds what one word of the question is worth to each table: its best match there or, worth less, around it. What
    /// a question asks for stands together.
    fn word<'s>(&mut self, asked: &Wording, again: bool, stored: impl Iterator<Item = &'s Stored>) {
        self.own.clear();
        self.own.resize(self.index.tables(), 0.0);
        if !again {
            self.names(asked);
        }
        for found in stored {
            for hit in &found.hits {
                keep_best(&mut self.own, hit.column.table, found.worth);
            }
        }
        if self.own.iter().all(|worth| *worth == 0.0) {
            return;
        }
        self.around.clone_from(&self.own);
        for _ in 0..STEPS {
            self.step();
        }
        for (table, worth) in self.scores.tables.iter_mut().zip(&self.around) {
            *table += worth;
        }
    }

    /// What is called by the word.
    fn names(&mut self, asked: &Wording) {
        let filler = is_filler(&asked.text);
        for (word, known) in self.index.words.iter().enumerate() {
            let mut likeness = asked.likeness(known);
            // A filler names something only by its own letters.
            if likeness < if filler { 1.0 } else { self.weights.likeness } {
                continue;
            }
            if filler {
                likeness *= self.weights.filler;
            }
            let rarity = self.rarity(self.index.spread[word]);
            for posting in &self.index.postings[word] {
                let weight = match posting.place {
                    MatchSite::Table => self.weights.table + self.weights.whole_name * posting.share,
                    MatchSite::Column(_) => self.weights.column,
                    MatchSite::TableComment | MatchSite::ColumnComment(_) => self.weights.comment,
                };
                let worth = likeness * rarity * weight * posting.share.sqrt();
                let table = posting.table as usize;
                keep_best(&mut self.own, table, worth);
                if let MatchSite::Column(column) | MatchSite::ColumnComment(column) = posting.place {
                    self.scores.columns[self.index.column(table, column as usize)] += worth;
                }
            }
        }
    }

    /// The longest phrases that are stored somewhere.
    fn stored(&mut self, asked: &[Wording], values: &ValueIndex) -> Vec<Stored> {
        let mut found = Vec::new();
        let mut start = 0;
        while start < asked.len() {
            let longest = LONGEST_VALUE.min(asked.len() - start);
            let hit = (1..=longest).rev().find_map(|length| {
                let phrase = &asked[start..start + length];
                if phrase
                    .iter()
                    .all(|word| is_common(&word.text) || word.text.len() < 2)
                {
                    return None;
                }
                let stems: Vec<&str> = phrase.iter().map(|word| word.stem.as_str()).collect();
                let hits = values.find_key(&stems.join(" "));
                (!hits.is_empty()).then_some((length, hits))
            });
            let Some((length, hits)) = hit else {
                start += 1;
                continue;
            };
            let mut tables: Vec<usize> = hits.iter().map(|hit| hit.column.table).collect();
            tables.sort_unstable();
            tables.dedup();
            let worth = self.rarity(tables.len() as u32) * self.weights.value;
            for hit in &hits {
                let column = self.index.column(hit.column.table, hit.column.column);
                self.scores.columns[column] += worth;
            }
            found.push(Stored {
                phrase: start..start + length,
                hits,
                worth,
            });
            start += length;
        }
        found
    }

    /// How much a word tells that stands in so many tables.
    fn rarity(&self, spread: u32) -> f32 {
        let (all, spread) = (self.index.tables() as f32, spread as f32);
        (1.0 + (all - spread + 0.5) / (spread + 0.5)).ln()
    }

    /// One step along every key.
    fn step(&mut self) {
        let before = self.around.clone();
        for (table, worth) in before.iter().enumerate().filter(|(_, worth)| **worth > 0.0) {
            for near in &self.index.neighbours[table] {
                keep_best(&mut self.around, *near as usize, worth * self.weights.step);
            }
        }
    }
}

/// Tables that are nearer in meaning than most gain up to a share of the best score.
fn add_meaning(tables: &mut [f32], semantic: &Similarity, share: f32) {
    let near = &semantic.tables[..semantic.tables.len().min(tables.len())];
    let mean = near.iter().sum::<f32>() / near.len().max(1) as f32;
    let most = near.iter().copied().fold(f32::MIN, f32::max);
    if most - mean < 1e-4 {
        return;
    }
    let top = tables.iter().copied().fold(0.0, f32::max).max(1.0);
    for (table, near) in tables.iter_mut().zip(near) {
        *table += share * top * ((near - mean) / (most - mean)).max(0.0);
    }
}

fn keep_best(best: &mut [f32], at: usize, worth: f32) {
    best[at] = best[at].max(worth);
}
