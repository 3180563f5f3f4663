//! The part of a large schema that a question needs, chosen within a budget of tokens.
//!
//! A schema that fits goes in whole. Of a larger one come the tables whose words and stored values are nearest to the
//! question, those between them along the keys, then the next best, as far as the budget and their worth go.

mod choose;
mod index;
mod score;

use super::{Values, ddl::Writer, estimate_tokens};
use crate::question::schema::Snapshot;

/// Tokens of a column at least: its name, a comma, a line with its indentation.
const LEAST_OF_COLUMN: usize = 4;

/// The part of a schema that a question needs.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Excerpt {
    /// Positions in [`crate::question::schema::Schema::tables`], ascending.
    pub tables: Vec<usize>,
    /// For each of them the columns that are shown, ascending; `None` for all.
    pub columns: Vec<Option<Vec<usize>>>,
    /// Tokens of its text, stored values included, as [`estimate_tokens`] counts them.
    pub tokens: usize,
    /// Tables that are not in it.
    pub left_out: usize,
    /// True if not even the least that the question needs goes into the budget; that is in it then nevertheless.
    pub over_budget: bool,
}

/// How near each table is to a question, by the meaning of both: what embeddings tell.
#[derive(Debug, Clone, Default)]
pub struct Similarity {
    /// By position in [`crate::question::schema::Schema::tables`], from -1 to 1.
    pub tables: Vec<f32>,
}

impl Excerpt {
    /// All tables with all columns.
    pub fn whole(snapshot: &Snapshot) -> Self {
        Self::within(snapshot, usize::MAX).expect("everything goes into a budget without end")
    }

    /// All tables with all columns, if they go into the budget.
    fn within(snapshot: &Snapshot, budget: usize) -> Option<Self> {
        let count = snapshot.schema.tables.len();
        let columns: usize = snapshot
            .schema
            .tables
            .iter()
            .map(|table| table.columns.len())
            .sum();
        if columns * LEAST_OF_COLUMN > budget {
            return None;
        }
        let mut whole = Self {
            tables: (0..count).collect(),
            columns: vec![None; count],
            ..Self::default()
        };
        let mut text = String::new();
        let mut tokens = 0;
        let writer = Writer::new(snapshot, &whole, Values::Send);
        for at in 0..count {
            text.clear();
            writer.table(at, &mut text);
            tokens += estimate_tokens(&text);
            if tokens > budget {
                return None;
            }
        }
        whole.tokens = tokens;
        Some(whole)
    }

    /// True if no table is left out.
    pub fn is_whole(&self) -> bool {
        self.left_out == 0
    }

    /// True if a column is shown.
    pub(super) fn shows(&self, at: crate::question::schema::ColumnRef) -> bool {
        self.tables.binary_search(&at.table).is_ok_and(|position| {
            let columns = self.columns.get(position).and_then(Option::as_ref);
            columns.is_none_or(|columns| columns.binary_search(&at.column).is_ok())
        })
    }
}

/// Chooses what a question needs of the schema: all where that goes into the budget of tokens.
pub fn excerpt(question: &str, snapshot: &Snapshot, budget: usize, semantic: Option<&Similarity>) -> Excerpt {
    if let Some(whole) = Excerpt::within(snapshot, budget) {
        return whole;
    }
    let index = index::of(&snapshot.schema);
    let scores = score::score(question, &index, &snapshot.values, semantic, &score::WEIGHTS);
    choose::choose(snapshot, &index, &scores, (budget, choose::Unit::Tokens))
}

/// The tables that have to do with a question, best first and those between them, with so many columns in all: their positions,
/// ascending.
pub fn nearest_tables(question: &str, snapshot: &Snapshot, columns: usize) -> Vec<usize> {
    let index = index::of(&snapshot.schema);
    let scores = score::score(question, &index, &snapshot.values, None, &score::WEIGHTS);
    choose::choose(snapshot, &index, &scores, (columns, choose::Unit::Columns)).tables
}
