//! Which stored values occur in which text columns: filled in the background, bounded in size.

use super::ColumnRef;

/// Stored values by their folded spelling. Filled by [`ValueIndex::insert`] while others read.
#[derive(Debug, Default)]
pub struct ValueIndex {}

/// A stored value that matches a phrase.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ValueHit {
    /// Where it is stored.
    pub column: ColumnRef,
    /// How it is spelled there.
    pub stored: String,
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

impl ValueIndex {
    /// Tells how many columns will be read; called once, first.
    pub fn begin(&self, _columns: usize) {}

    /// Adds one distinct stored value. Returns false once a bound is reached and the column should be given up.
    pub fn insert(&self, _column: ColumnRef, _stored: &str) -> bool {
        true
    }

    /// Tells that one more column was read to its end or given up.
    pub fn column_done(&self, _column: ColumnRef) {}

    /// How far it is.
    pub fn progress(&self) -> IndexProgress {
        IndexProgress {
            columns_done: 0,
            columns_total: 0,
            values: 0,
            truncated: false,
        }
    }
}
