//! The words of a schema and where they stand, so that a question finds its tables without reading the others.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError, Weak},
};

use crate::question::{
    embedded::{Splitter, Wording, column_weight, table_weight},
    schema::{Schema, words},
};

/// Schemas whose index is kept at most.
const MOST_KEPT: usize = 8;
/// Words of a comment that are looked at.
const COMMENT_WORDS: usize = 40;

/// Indexes of the schemas that are in use, the last used last.
static KEPT: Mutex<Vec<(Weak<Schema>, Arc<Index>)>> = Mutex::new(Vec::new());

/// Where a word stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum MatchSite {
    Table,
    Column(u32),
    TableComment,
    ColumnComment(u32),
}

/// One place of a word.
#[derive(Debug, Clone, Copy)]
pub(super) struct Posting {
    pub(super) table: u32,
    pub(super) place: MatchSite,
    /// How much of the name the word is, 0 to 1.
    pub(super) share: f32,
}

/// The keys of one table.
#[derive(Debug, Clone, Default)]
pub(super) struct Keys {
    pub(super) from: Vec<usize>,
    pub(super) to: Vec<usize>,
}

/// The words of one schema.
#[derive(Debug)]
pub(super) struct Index {
    pub(super) words: Vec<Wording>,
    /// By word, in the order of tables.
    pub(super) postings: Vec<Vec<Posting>>,
    /// By word: in how many tables it stands.
    pub(super) spread: Vec<u32>,
    /// By table: the number of its first column, counted over all tables; at the end, how many columns there are.
    first_column: Vec<usize>,
    /// By table: the keys from it, as positions in [`Schema::foreign_keys`], and those to it.
    pub(super) keys: Vec<Keys>,
    /// By table: the tables that a key leads to or from, ascending.
    pub(super) neighbours: Vec<Vec<u32>>,
}

/// The index of a schema; read once while the schema is in use.
pub(super) fn of(schema: &Arc<Schema>) -> Arc<Index> {
    let find = |kept: &mut Vec<(Weak<Schema>, Arc<Index>)>| {
        // A weak reference keeps the address from being used again, so that it stands for one schema only.
        let at = kept
            .iter()
            .position(|(known, _)| known.as_ptr() == Arc::as_ptr(schema))?;
        let found = kept.remove(at);
        let index = Arc::clone(&found.1);
        kept.push(found);
        Some(index)
    };
    // A panic elsewhere leaves the list usable.
    if let Some(index) = find(&mut KEPT.lock().unwrap_or_else(PoisonError::into_inner)) {
        return index;
    }
    let index = Arc::new(Index::new(schema));
    let mut kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
    kept.retain(|(known, _)| known.strong_count() > 0);
    if kept.len() >= MOST_KEPT {
        kept.remove(0);
    }
    kept.push((Arc::downgrade(schema), Arc::clone(&index)));
    index
}

impl Index {
    fn new(schema: &Schema) -> Self {
        let mut builder = Builder {
            splitter: Splitter::new(schema),
            names: HashMap::new(),
            positions: HashMap::new(),
            index: Self {
                words: Vec::new(),
                postings: Vec::new(),
                spread: Vec::new(),
                first_column: vec![0],
                keys: vec![Keys::default(); schema.tables.len()],
                neighbours: vec![Vec::new(); schema.tables.len()],
            },
        };
        for (at, table) in schema.tables.iter().enumerate() {
            builder.name(at, MatchSite::Table, &table.name, |word, _| table_weight(word));
            builder.comment(at, MatchSite::TableComment, table.comment.as_deref());
            for (position, column) in table.columns.iter().enumerate() {
                builder.name(
                    at,
                    MatchSite::Column(position as u32),
                    &column.name,
                    column_weight,
                );
                builder.comment(
                    at,
                    MatchSite::ColumnComment(position as u32),
                    column.comment.as_deref(),
                );
            }
        }
        let mut index = builder.index;
        for table in &schema.tables {
            index.first_column.push(index.columns() + table.columns.len());
        }
        for postings in &index.postings {
            let mut tables: Vec<u32> = postings.iter().map(|posting| posting.table).collect();
            tables.dedup();
            index.spread.push(tables.len() as u32);
        }
        for (at, key) in schema.foreign_keys.iter().enumerate() {
            let (Some(from), Some(to)) = (key.from.first(), key.to.first()) else {
                continue;
            };
            index.keys[from.table].from.push(at);
            index.keys[to.table].to.push(at);
            if from.table != to.table {
                index.neighbours[from.table].push(to.table as u32);
                index.neighbours[to.table].push(from.table as u32);
            }
        }
        for neighbours in &mut index.neighbours {
            neighbours.sort_unstable();
            neighbours.dedup();
        }
        index
    }

    /// The number of a column, counted over all tables.
    pub(super) fn column(&self, table: usize, column: usize) -> usize {
        self.first_column[table] + column
    }

    /// How many columns there are.
    pub(super) fn columns(&self) -> usize {
        self.first_column.last().copied().unwrap_or_default()
    }

    /// How many tables there are.
    pub(super) fn tables(&self) -> usize {
        self.neighbours.len()
    }
}

struct Builder {
    splitter: Splitter,
    /// Names that were split already: many tables have the same columns.
    names: HashMap<String, Vec<usize>>,
    positions: HashMap<String, usize>,
    index: Index,
}

impl Builder {
    fn name(&mut self, table: usize, place: MatchSite, name: &str, weight: impl Fn(&str, bool) -> f32) {
        let words = if let Some(words) = self.names.get(name) {
            words.clone()
        } else {
            let split = self.splitter.split(name);
            let words: Vec<usize> = split.iter().map(|word| self.word(word)).collect();
            self.names.insert(name.to_owned(), words.clone());
            words
        };
        let last = words.len().saturating_sub(1);
        let weights: Vec<f32> = words
            .iter()
            .enumerate()
            .map(|(at, word)| weight(&self.index.words[*word].text, at == last && last > 0))
            .collect();
        let all: f32 = weights.iter().sum();
        for (word, weight) in words.into_iter().zip(weights) {
            let share = weight / all.max(0.01);
            self.index.postings[word].push(Posting {
                table: table as u32,
                place,
                share,
            });
        }
    }

    fn comment(&mut self, table: usize, place: MatchSite, comment: Option<&str>) {
        let Some(comment) = comment else {
            return;
        };
        let mut words: Vec<usize> = words::text_words(comment)
            .iter()
            .take(COMMENT_WORDS)
            .map(|word| self.word(word))
            .collect();
        words.sort_unstable();
        words.dedup();
        for word in words {
            self.index.postings[word].push(Posting {
                table: table as u32,
                place,
                share: 1.0,
            });
        }
    }

    fn word(&mut self, text: &str) -> usize {
        if let Some(at) = self.positions.get(text) {
            return *at;
        }
        let at = self.index.words.len();
        self.positions.insert(text.to_owned(), at);
        self.index.words.push(Wording::of(text));
        self.index.postings.push(Vec::new());
        at
    }
}
