//! How much each table and column has to do with a question: words and stored values, and what the keys lead to.

use std::collections::HashMap;

use super::{
    Similarity,
    index::{Index, Place},
};
use crate::{
    embedded::{Wording, is_filler},
    schema::{ValueIndex, words},
};

/// Words of a question that are looked at.
const MOST_WORDS: usize = 200;
/// Words of the longest phrase that may be a stored value.
const LONGEST_VALUE: usize = 8;

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
    /// What names or holds something of the question, by table and column.
    pub(super) columns: HashMap<(u32, u32), f32>,
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
        own: HashMap::new(),
        columns: HashMap::new(),
    };
    let mut seen: Vec<&str> = Vec::new();
    for (at, word) in asked.iter().enumerate() {
        if !seen.contains(&word.text.as_str()) {
            seen.push(&word.text);
            scorer.word(at, word);
        }
    }
    scorer.values(&asked, values);
    let mut tables = scorer.spread_along_keys();
    if let Some(semantic) = semantic {
        add_meaning(&mut tables, semantic, weights.semantic);
    }
    Scores {
        tables,
        columns: scorer.columns,
    }
}

struct Scorer<'a> {
    index: &'a Index,
    weights: &'a Weights,
    /// By word of the question and table: the best match of its own.
    own: HashMap<(u32, u32), f32>,
    columns: HashMap<(u32, u32), f32>,
}

impl Scorer<'_> {
    fn word(&mut self, at: usize, asked: &Wording) {
        let filler = is_filler(&asked.text);
        for (word, stored) in self.index.words.iter().enumerate() {
            let mut likeness = asked.likeness(stored);
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
                    Place::Table => self.weights.table + self.weights.whole_name * posting.share,
                    Place::Column(_) => self.weights.column,
                    Place::TableComment | Place::ColumnComment(_) => self.weights.comment,
                };
                let worth = likeness * rarity * weight * posting.share.sqrt();
                keep_best(&mut self.own, (at as u32, posting.table), worth);
                if let Place::Column(column) | Place::ColumnComment(column) = posting.place {
                    *self.columns.entry((posting.table, column)).or_default() += worth;
                }
            }
        }
    }

    /// Phrases that are stored somewhere, the longest first.
    fn values(&mut self, asked: &[Wording], values: &ValueIndex) {
        let mut start = 0;
        while start < asked.len() {
            let longest = LONGEST_VALUE.min(asked.len() - start);
            let found = (1..=longest).rev().find_map(|length| {
                let phrase = &asked[start..start + length];
                if phrase
                    .iter()
                    .all(|word| is_filler(&word.text) || word.text.len() < 2)
                {
                    return None;
                }
                let stems: Vec<&str> = phrase.iter().map(|word| word.stem.as_str()).collect();
                let hits = values.find_key(&stems.join(" "));
                (!hits.is_empty()).then_some((length, hits))
            });
            let Some((length, hits)) = found else {
                start += 1;
                continue;
            };
            let mut tables: Vec<usize> = hits.iter().map(|hit| hit.column.table).collect();
            tables.sort_unstable();
            tables.dedup();
            let rarity = self.rarity(tables.len() as u32);
            for hit in hits {
                let (table, column) = (hit.column.table as u32, hit.column.column as u32);
                let worth = rarity * self.weights.value;
                for at in start..start + length {
                    keep_best(&mut self.own, (at as u32, table), worth);
                }
                *self.columns.entry((table, column)).or_default() += worth;
            }
            start += length;
        }
    }

    /// How much a word tells that stands in so many tables.
    fn rarity(&self, spread: u32) -> f32 {
        let (all, spread) = (self.index.tables() as f32, spread as f32);
        (1.0 + (all - spread + 0.5) / (spread + 0.5)).ln()
    }

    /// The sum over the words of the question of each one's best match in a table or, worth less, around it: what a
    /// question asks for stands together.
    fn spread_along_keys(&self) -> Vec<f32> {
        let step = self.weights.step;
        let mut best = self.own.clone();
        for (&(word, table), &worth) in &self.own {
            for &near in &self.index.neighbours[table as usize] {
                keep_best(&mut best, (word, near), worth * step);
                for &far in &self.index.neighbours[near as usize] {
                    keep_best(&mut best, (word, far), worth * step * step);
                }
            }
        }
        // In one order, so that the sums are the same each time.
        let mut best: Vec<((u32, u32), f32)> = best.into_iter().collect();
        best.sort_unstable_by_key(|(place, _)| *place);
        let mut tables = vec![0.0; self.index.tables()];
        for ((_, table), worth) in best {
            tables[table as usize] += worth;
        }
        tables
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

fn keep_best(best: &mut HashMap<(u32, u32), f32>, place: (u32, u32), worth: f32) {
    let kept = best.entry(place).or_insert(0.0);
    *kept = kept.max(worth);
}
