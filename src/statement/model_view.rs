//! The views of the semantic model: where a statement reads `semantic.metrics` and its like, or
//! `semantic.contents('orders')`, as a table.

use super::{
    lexer::Token,
    literal::{name_value, text_value},
};

/// The schema in which the views stand.
pub(super) const SCHEMA: &str = "semantic";

/// The function that tells what a table holds.
const CONTENTS: &str = "contents";

/// A view of what a database means.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
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
    /// What the columns of a table hold: those that are called so, with their schema or without.
    Contents(String),
}

impl ModelView {
    /// Those that are about no table in particular.
    const ALL: [Self; 5] = [
        Self::Datasets,
        Self::Fields,
        Self::Keys,
        Self::Metrics,
        Self::Synonyms,
    ];

    /// What it is called in its schema.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Datasets => "datasets",
            Self::Fields => "fields",
            Self::Keys => "keys",
            Self::Metrics => "metrics",
            Self::Synonyms => "synonyms",
            Self::Contents(_) => CONTENTS,
        }
    }

    /// True for a function of a table's name.
    pub fn is_function(&self) -> bool {
        matches!(self, Self::Contents(_))
    }

    /// The view as a table whose name begins at a token, with its schema in front, and how many tokens it takes.
    pub(super) fn at(text: &str, tokens: &[Token], at: usize) -> Option<(Self, usize)> {
        let sign = |at: usize, sign: &str| tokens.get(at).is_some_and(|token| token.is_sign(text, sign));
        let named = |at: usize| name_value(*tokens.get(at)?, text);
        if !sign(at + 1, ".") || sign(at + 3, ".") || named(at)? != SCHEMA {
            return None;
        }
        let name = named(at + 2)?;
        if sign(at + 3, "(") {
            let is_known = name == CONTENTS && sign(at + 5, ")");
            let table = text_value(*tokens.get(at + 4)?, text).filter(|_| is_known)?;
            return Some((Self::Contents(table), 6));
        }
        let view = Self::ALL.into_iter().find(|view| view.name() == name);
        view.map(|view| (view, 3))
    }
}
