//! Which stored values occur in which text columns: filled in the background, bounded in size.

use std::{
    collections::{HashMap, HashSet},
    sync::{Arc, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard},
};

use super::{
    ColumnRef, Kept,
    words::{stem, text_words},
};

/// Bytes of stored text that one index holds at most; keys and tables come on top of it.
const MAX_BYTES: usize = 32 << 20;
/// Distinct values of one column at most.
const MAX_VALUES_PER_COLUMN: usize = 20_000;
/// Words of a value at most; longer text is not something that a question names.
const MAX_WORDS: usize = 12;
/// Places that one folded spelling may point to at most.
const MAX_PLACES: usize = 64;
/// Words of a value at most that is named by some of them: a name, not a sentence.
const MAX_NAME_WORDS: usize = 6;
/// Values of one column at most that one word of theirs points to.
const MAX_WITH_WORD: usize = 64;

/// Stored values by their folded spelling. Filled by [`ValueIndex::insert`] while others read.
#[derive(Debug, Default)]
pub struct ValueIndex {
    inner: RwLock<Inner>,
    /// Where this is only a view of some columns of another index: that index, and where they are in it.
    part_of: Option<(Arc<ValueIndex>, Vec<PartTable>)>,
}

/// A table of a part, in the whole.
#[derive(Debug)]
struct PartTable {
    table: usize,
    /// Positions of its columns; `None` for one whose values must not be looked up.
    columns: Vec<Option<usize>>,
}

#[derive(Debug, Default)]
struct Inner {
    by_stems: HashMap<Box<str>, Vec<ValueHit>>,
    /// Values of several words by each of their stems.
    by_word: HashMap<Box<str>, Vec<ValueHit>>,
    by_column: HashMap<ColumnRef, Vec<Arc<str>>>,
    /// Columns of which every value is held that a question can name.
    whole: HashSet<ColumnRef>,
    /// Columns with values that are too long to be held.
    long: HashSet<ColumnRef>,
    bytes: usize,
    columns_done: usize,
    columns_total: usize,
    values: usize,
    truncated: bool,
}

/// A stored value that matches a phrase.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ValueHit {
    /// Where it is stored.
    pub column: ColumnRef,
    /// How it is spelled there.
    pub stored: Arc<str>,
}

/// How far the index is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct IndexProgress {
    /// Columns read so far.
    pub columns_done: usize,
    /// Columns to read.
    pub columns_total: usize,
    /// Values held.
    pub values: usize,
    /// True if a bound cut the index short.
    pub truncated: bool,
}

impl IndexProgress {
    /// True once every column was read.
    pub fn is_done(self) -> bool {
        self.columns_done >= self.columns_total
    }
}

impl ValueIndex {
    /// The values of some tables, which count from 0 here. It is read only, and grows with the whole.
    pub(super) fn part(whole: &Arc<Self>, kept: &[Kept]) -> Self {
        let places = kept.iter().map(|kept| PartTable {
            table: kept.table,
            columns: kept
                .columns
                .iter()
                .zip(&kept.values)
                .map(|(column, values)| values.then_some(*column))
                .collect(),
        });
        Self {
            inner: RwLock::default(),
            part_of: Some((Arc::clone(whole), places.collect())),
        }
    }

    /// Tells how many columns will be read; called once, first.
    pub fn begin(&self, columns: usize) {
        self.write().columns_total = columns;
    }

    /// Adds one distinct stored value. Returns false once a bound is reached and the column should be given up.
    pub fn insert(&self, column: ColumnRef, stored: &str) -> bool {
        let words = text_words(stored);
        if words.len() > MAX_WORDS {
            self.column_long(column);
        }
        if words.is_empty() || words.len() > MAX_WORDS {
            return true;
        }
        let key: Box<str> = stem_key(&words).into();
        let parts = if (2..=MAX_NAME_WORDS).contains(&words.len()) {
            key.split(' ').map(Box::from).collect()
        } else {
            Vec::new()
        };
        let mut inner = self.write();
        let held = inner.by_column.get(&column).map_or(0, Vec::len);
        if inner.bytes + stored.len() > MAX_BYTES || held >= MAX_VALUES_PER_COLUMN {
            inner.truncated = true;
            return false;
        }
        inner.bytes += stored.len();
        inner.values += 1;
        let stored: Arc<str> = stored.into();
        inner
            .by_column
            .entry(column)
            .or_default()
            .push(Arc::clone(&stored));
        for part in parts {
            let places = inner.by_word.entry(part).or_default();
            let own = places.iter().filter(|place| place.column == column);
            if own.count() < MAX_WITH_WORD {
                places.push(ValueHit {
                    column,
                    stored: Arc::clone(&stored),
                });
            }
        }
        let places = inner.by_stems.entry(key).or_default();
        if places.len() < MAX_PLACES {
            places.push(ValueHit { column, stored });
        }
        true
    }

    /// Tells that one more column was read to its end or given up.
    pub fn column_done(&self, _column: ColumnRef) {
        self.write().columns_done += 1;
    }

    /// Tells that a column was read to its end: what is not held of it is not stored, but for long text.
    pub fn column_whole(&self, column: ColumnRef) {
        self.write().whole.insert(column);
    }

    /// Tells that a column has values that are too long to be held.
    pub fn column_long(&self, column: ColumnRef) {
        self.write().long.insert(column);
    }

    /// True for a column of which every value is held, be it short or long.
    pub fn holds_all(&self, column: ColumnRef) -> bool {
        if let Some((whole, tables)) = &self.part_of {
            return outside(column, tables).is_some_and(|column| whole.holds_all(column));
        }
        let inner = self.read();
        inner.whole.contains(&column) && !inner.long.contains(&column)
    }

    /// True for a column that was read to its end.
    pub fn is_whole(&self, column: ColumnRef) -> bool {
        if let Some((whole, tables)) = &self.part_of {
            return outside(column, tables).is_some_and(|column| whole.is_whole(column));
        }
        self.read().whole.contains(&column)
    }

    /// True for a value that is held of a column, by the letter.
    pub fn holds(&self, column: ColumnRef, value: &str) -> bool {
        if let Some((whole, tables)) = &self.part_of {
            return outside(column, tables).is_some_and(|column| whole.holds(column, value));
        }
        let inner = self.read();
        let held = inner.by_column.get(&column);
        held.is_some_and(|values| values.iter().any(|held| **held == *value))
    }

    /// How far it is.
    pub fn progress(&self) -> IndexProgress {
        if let Some((whole, _)) = &self.part_of {
            return whole.progress();
        }
        let inner = self.read();
        IndexProgress {
            columns_done: inner.columns_done,
            columns_total: inner.columns_total,
            values: inner.values,
            truncated: inner.truncated,
        }
    }

    /// The places where a phrase is stored, however it is cased and inflected. `words` as [`text_words`] gives them.
    pub fn find(&self, words: &[String]) -> Vec<ValueHit> {
        self.find_key(&stem_key(words))
    }

    /// As [`ValueIndex::find`], from stems joined by single spaces.
    pub fn find_key(&self, key: &str) -> Vec<ValueHit> {
        if let Some((whole, tables)) = &self.part_of {
            return inside(whole.find_key(key), tables);
        }
        self.read().by_stems.get(key).cloned().unwrap_or_default()
    }

    /// Some of the names that have a phrase in them, word beside word, and more than that.
    pub fn find_part(&self, words: &[String]) -> Vec<ValueHit> {
        if let Some((whole, tables)) = &self.part_of {
            return inside(whole.find_part(words), tables);
        }
        let inner = self.read();
        let places = words.iter().map(|word| inner.by_word.get(stem(word).as_str()));
        let rarest = places.min_by_key(|places| places.map_or(0, Vec::len));
        let Some(Some(places)) = rarest else {
            return Vec::new();
        };
        let phrase = format!(" {} ", stem_key(words));
        let has_part = |hit: &&ValueHit| {
            let name = format!(" {} ", stem_key(&text_words(&hit.stored)));
            name.contains(&phrase) && name.len() > phrase.len()
        };
        places.iter().filter(has_part).cloned().collect()
    }

    /// The distinct values held of one column; empty where it is not indexed.
    pub fn values_of(&self, column: ColumnRef) -> Vec<Arc<str>> {
        self.first_of(column, usize::MAX)
    }

    /// As [`ValueIndex::values_of`], the first `most` of them.
    pub fn first_of(&self, column: ColumnRef, most: usize) -> Vec<Arc<str>> {
        if let Some((whole, tables)) = &self.part_of {
            return outside(column, tables).map_or_else(Vec::new, |column| whole.first_of(column, most));
        }
        let inner = self.read();
        let held = inner.by_column.get(&column).map_or(&[][..], Vec::as_slice);
        held[..held.len().min(most)].to_vec()
    }

    /// How many distinct values of one column are held.
    pub fn distinct_of(&self, column: ColumnRef) -> usize {
        if let Some((whole, tables)) = &self.part_of {
            return outside(column, tables).map_or(0, |column| whole.distinct_of(column));
        }
        self.read().by_column.get(&column).map_or(0, Vec::len)
    }

    /// The stored value nearest to a misspelt phrase: similarity at least `minimum` (0 to 1, Jaro-Winkler on the
    /// folded spelling), same first letter.
    pub fn nearest(&self, words: &[String], minimum: f64) -> Vec<ValueHit> {
        if let Some((whole, tables)) = &self.part_of {
            return inside(whole.nearest(words, minimum), tables);
        }
        let key = stem_key(words);
        let Some(first) = key.chars().next() else {
            return Vec::new();
        };
        let inner = self.read();
        let mut best = minimum;
        let mut hits: Vec<ValueHit> = Vec::new();
        for (candidate, places) in &inner.by_stems {
            if candidate.len().abs_diff(key.len()) > 2 || !candidate.starts_with(first) {
                continue;
            }
            let similarity = strsim::jaro_winkler(candidate, &key);
            if similarity > best {
                best = similarity;
                hits.clone_from(places);
            }
        }
        hits
    }

    fn read(&self) -> RwLockReadGuard<'_, Inner> {
        // Every write leaves the maps consistent, so a panicking writer does not spoil them.
        self.inner.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self) -> RwLockWriteGuard<'_, Inner> {
        self.inner.write().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The hits in a part, by their positions there.
fn inside(mut hits: Vec<ValueHit>, places: &[PartTable]) -> Vec<ValueHit> {
    hits.retain_mut(|hit| {
        let found = places.iter().enumerate().find_map(|(table, place)| {
            let same = place.table == hit.column.table;
            let column = same.then(|| place.columns.iter().position(|at| *at == Some(hit.column.column)));
            Some(ColumnRef {
                table,
                column: column??,
            })
        });
        if let Some(column) = found {
            hit.column = column;
        }
        found.is_some()
    });
    hits
}

/// A column of a part, by its position in the whole.
fn outside(column: ColumnRef, places: &[PartTable]) -> Option<ColumnRef> {
    let place = places.get(column.table)?;
    Some(ColumnRef {
        table: place.table,
        column: (*place.columns.get(column.column)?)?,
    })
}

fn stem_key(words: &[String]) -> String {
    let stems: Vec<String> = words.iter().map(|word| stem(word)).collect();
    stems.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    const CITY: ColumnRef = ColumnRef { table: 0, column: 1 };

    fn index(values: &[&str]) -> ValueIndex {
        let index = ValueIndex::default();
        index.begin(1);
        for value in values {
            assert!(index.insert(CITY, value));
        }
        index.column_done(CITY);
        index
    }

    #[test]
    fn finds_names_by_a_part_of_them() {
        let index = index(&[
            "Kestrel Gravel Bike",
            "Zenith Gravel Bike",
            "Gravel Bike",
            "Gravel",
        ]);
        let found = |phrase: &str| index.find_part(&text_words(phrase)).len();
        assert_eq!(found("gravel bikes"), 2);
        assert_eq!(found("bike"), 3);
        assert_eq!(found("kestrel bike"), 0);
        assert_eq!(found("kestrel gravel bike"), 0);
    }

    #[test]
    fn finds_values_in_any_case_and_number() {
        let index = index(&["New York", "Garden Tools"]);
        for phrase in ["new york", "NEW YORK", "garden tool"] {
            assert_eq!(index.find(&text_words(phrase)).len(), 1, "{phrase}");
        }
        assert!(index.find(&text_words("york")).is_empty());
        assert!(index.progress().is_done());
    }

    #[test]
    fn only_a_column_read_to_its_end_is_whole() {
        let index = index(&["Oslo"]);
        assert!(index.holds(CITY, "Oslo") && !index.holds(CITY, "oslo"));
        assert!(!index.is_whole(CITY));
        index.column_whole(CITY);
        assert!(index.is_whole(CITY));
    }

    #[test]
    fn finds_a_misspelt_value() {
        let index = index(&["Philadelphia", "Phoenix"]);
        let hits = index.nearest(&text_words("Philadelfia"), 0.9);
        assert_eq!(
            hits.iter().map(|hit| &*hit.stored).collect::<Vec<_>>(),
            ["Philadelphia"]
        );
        assert!(index.nearest(&text_words("Oslo"), 0.9).is_empty());
    }

    #[test]
    fn a_column_is_given_up_at_its_bound() {
        let index = ValueIndex::default();
        assert!((0..MAX_VALUES_PER_COLUMN).all(|n| index.insert(CITY, &format!("city {n}"))));
        assert!(!index.insert(CITY, "one too many"));
        assert!(index.progress().truncated);
    }
}
