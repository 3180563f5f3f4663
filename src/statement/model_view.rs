//! The views of the semantic model: where a statement reads `semantic.metrics` and its like as a table.

use super::{lexer::Token, literal::name_value};

/// The schema in which the views stand.
pub(super) const SCHEMA: &str = "semantic";

/// A view of what a database means.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ModelView {
    /// The tables and views, and what a row of each stands for.
    Datasets,
    /// The columns and what is computed of them.
    Fields,
    /// Primary and foreign keys.
    Keys,
    /// What can be measured.
    Metrics,
    /// Other names of all of these.
    Synonyms,
}

impl ModelView {
    /// All of them.
    pub const ALL: [Self; 5] = [
        Self::Datasets,
        Self::Fields,
        Self::Keys,
        Self::Metrics,
        Self::Synonyms,
    ];

    /// What it is called in its schema.
    pub fn name(self) -> &'static str {
        match self {
            Self::Datasets => "datasets",
            Self::Fields => "fields",
            Self::Keys => "keys",
            Self::Metrics => "metrics",
            Self::Synonyms => "synonyms",
        }
    }

    /// The view as a table whose name begins at a token, with its schema in front.
    pub(super) fn at(text: &str, tokens: &[Token], at: usize) -> Option<Self> {
        let sign = |at: usize, sign: &str| tokens.get(at).is_some_and(|token| token.is_sign(text, sign));
        let named = |at: usize| name_value(*tokens.get(at)?, text);
        if !sign(at + 1, ".") || sign(at + 3, ".") || sign(at + 3, "(") || named(at)? != SCHEMA {
            return None;
        }
        let name = named(at + 2)?;
        Self::ALL.into_iter().find(|view| view.name() == name)
    }
}
