//! The part of a large schema that a question needs, chosen within a budget of tokens.

use super::{Values, ddl::schema_text, estimate_tokens};
use crate::schema::Snapshot;

/// The part of a schema that a question needs.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Excerpt {
    /// Positions in [`crate::schema::Schema::tables`], ascending.
    pub tables: Vec<usize>,
    /// For each of them the columns that are shown, ascending; `None` for all.
    pub columns: Vec<Option<Vec<usize>>>,
    /// Tokens of its text, as [`estimate_tokens`] counts them.
    pub tokens: usize,
    /// Tables that are not in it.
    pub left_out: usize,
    /// True if not even the least that a question needs goes into the budget.
    pub over_budget: bool,
}

/// How near each table is to a question, by the meaning of both: what embeddings tell.
#[derive(Debug, Clone, Default)]
pub struct Similarity {
    /// By position in [`crate::schema::Schema::tables`], from -1 to 1.
    pub tables: Vec<f32>,
}

impl Excerpt {
    /// All tables with all columns.
    pub fn whole(snapshot: &Snapshot) -> Self {
        let count = snapshot.schema.tables.len();
        let mut whole = Self {
            tables: (0..count).collect(),
            columns: vec![None; count],
            ..Self::default()
        };
        whole.tokens = estimate_tokens(&schema_text(snapshot, &whole, Values::Send));
        whole
    }
}

/// Chooses what a question needs of the schema: all where that goes into the budget.
pub fn excerpt(question: &str, snapshot: &Snapshot, budget: usize, semantic: Option<&Similarity>) -> Excerpt {
    let _ = (question, semantic);
    let mut whole = Excerpt::whole(snapshot);
    whole.over_budget = whole.tokens > budget;
    whole
}
