//! Identifiers as words, also where they are written as one.

use super::lexicon::lexicon;
use crate::question::schema::{Schema, words};

/// Splits identifiers, also those written as one lower-case word, where both halves are known words.
pub(crate) struct Splitter {
    known: std::collections::HashSet<String>,
}

impl Splitter {
    /// Reads the words that the schema itself uses.
    pub(crate) fn new(schema: &Schema) -> Self {
        let identifiers = schema.tables.iter().map(|table| &table.name).chain(
            schema
                .tables
                .iter()
                .flat_map(|table| table.columns.iter().map(|column| &column.name)),
        );
        let known = identifiers
            .flat_map(|identifier| words::identifier_words(identifier))
            .collect();
        Self { known }
    }

    /// The words of an identifier.
    pub(crate) fn split(&self, identifier: &str) -> Vec<String> {
        words::identifier_words(identifier)
            .into_iter()
            .flat_map(|word| self.split_word(word))
            .collect()
    }

    fn split_word(&self, word: String) -> Vec<String> {
        let lexicon = lexicon();
        if let Some(compound) = lexicon.compound(&word) {
            return compound.split(' ').map(str::to_owned).collect();
        }
        let prefixed_id = word.is_ascii() && (3..=5).contains(&word.len()) && word.ends_with("id");
        if prefixed_id
            && !lexicon.knows(&words::stem(&word))
            && !matches!(
                word.as_str(),
                "paid" | "said" | "void" | "grid" | "bid" | "kid" | "lid" | "acid" | "avoid"
            )
        {
            return vec![word[..word.len() - 2].to_owned(), "id".to_owned()];
        }
        // `pname`, `dname`: the initial of what has the name.
        if word.len() == 5 && word.is_ascii() && word.ends_with("name") {
            return vec![word[..1].to_owned(), "name".to_owned()];
        }
        // `vtype`, `pstatus`: the same, of what is called so everywhere.
        if word.is_ascii()
            && matches!(
                word.get(1..),
                Some("type" | "status" | "date" | "price" | "city" | "email" | "phone")
            )
        {
            return vec![word[..1].to_owned(), word[1..].to_owned()];
        }
        if word.len() < 5 || !word.is_ascii() || lexicon.knows(&words::stem(&word)) {
            return vec![word];
        }
        let is_word = |part: &str| {
            part == "id"
                || (part.len() >= 3
                    && (lexicon.knows(&words::stem(part)) || (part != word && self.known.contains(part))))
        };
        let halves = (3..=word.len().saturating_sub(2))
            .filter(|&at| is_word(&word[..at]) && is_word(&word[at..]))
            .max_by_key(|at| *at);
        let ends_in_id = word.ends_with("id") && self.known.contains(&word[..word.len() - 2]);
        match halves {
            Some(at) => vec![word[..at].to_owned(), word[at..].to_owned()],
            None if ends_in_id => vec![word[..word.len() - 2].to_owned(), "id".to_owned()],
            None => vec![word],
        }
    }
}
