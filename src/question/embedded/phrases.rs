//! What the phrases of a linked question stand for, for those who tell others of it.

use super::{Linked, lexicon::lexicon, question::Token, resolve::ItemKind};
use crate::question::schema::{ColumnRef, Snapshot, ValueHit};

/// A phrase of a question and what it was linked to.
#[derive(Debug, Clone)]
pub(crate) struct Phrase {
    /// As the question has it.
    pub(crate) text: String,
    /// What it stands for.
    pub(crate) reading: Reading,
    /// How sure that is, 0 to 1.
    pub(crate) certainty: f32,
    /// True for a name or a quotation: what is likely stored somewhere, be it in another spelling.
    pub(crate) is_name: bool,
}

/// What a phrase stands for.
#[derive(Debug, Clone)]
pub(crate) enum Reading {
    /// A table.
    Table(usize),
    /// A column, and others that the words would also fit, best first.
    Column(ColumnRef, Vec<ColumnRef>),
    /// Stored values, with their places.
    Value(Vec<ValueHit>),
    /// A day, month or year that is written otherwise than the database has it.
    Date(String),
    /// Nothing of the database: it shapes the query.
    Shape,
    /// Nothing that is known.
    Unknown,
}

impl Linked {
    /// The phrases in order, but for fillers, marks and digits.
    pub(crate) fn phrases(&self, snapshot: &Snapshot) -> Vec<Phrase> {
        let phrase = |item: &super::resolve::Item| {
            let tokens = &self.tokens[item.span.clone()];
            let text: Vec<&str> = tokens.iter().map(|token| token.text.as_str()).collect();
            let text = text.join(" ").replace(" 's", "'s");
            let mut is_name = item.span.start > 0 && tokens.iter().any(|token| token.capital);
            let reading = match &item.kind {
                ItemKind::Table(table) => Reading::Table(*table),
                ItemKind::Column(column, others) => Reading::Column(*column, others.clone()),
                ItemKind::Value { hits, quoted, .. } => {
                    is_name |= quoted;
                    if hits.is_empty() {
                        Reading::Unknown
                    } else {
                        Reading::Value(hits.clone())
                    }
                }
                ItemKind::Unknown => match self.coded(&tokens[0], snapshot) {
                    hits if hits.is_empty() => Reading::Unknown,
                    hits => Reading::Value(hits),
                },
                ItemKind::Date(date) | ItemKind::Number(date) if *date != text && text.contains(' ') => {
                    Reading::Date(date.clone())
                }
                ItemKind::Number(_) if text.starts_with(|first: char| first.is_ascii_digit()) => return None,
                ItemKind::Operator(_) | ItemKind::Adjective { .. } | ItemKind::Number(_) => Reading::Shape,
                _ => return None,
            };
            Some(Phrase {
                text,
                reading,
                certainty: item.certainty,
                is_name,
            })
        };
        self.items.iter().filter_map(phrase).collect()
    }

    /// The places that hold the code that a word stands for: `female` is `F`.
    fn coded(&self, token: &Token, snapshot: &Snapshot) -> Vec<ValueHit> {
        let word = token.word.as_str();
        let singular = word.trim_end_matches('s');
        let Some(code) = [word, singular, &token.stem]
            .iter()
            .find_map(|word| lexicon().code(word))
        else {
            return Vec::new();
        };
        let columns = snapshot.schema.columns().map(|(column, _)| column);
        columns
            .filter(|column| self.vocabulary.column_has_word(*column, &code.columns) > 0.0)
            .filter_map(|column| {
                let values = snapshot.values.values_of(column);
                let held = |code: &String| values.iter().find(|value| value.eq_ignore_ascii_case(code));
                let stored = code.codes.iter().find_map(held)?;
                Some(ValueHit {
                    column,
                    stored: stored.clone(),
                })
            })
            .collect()
    }
}
