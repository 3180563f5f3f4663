//! How much of a question is in what a reading asks for, word by word, and how much of that is in the question.

use crate::question::schema::words;

/// Words that say how something is asked for, not what.
const SHAPE: &[&str] = &[
    "a",
    "after",
    "all",
    "an",
    "and",
    "any",
    "are",
    "as",
    "at",
    "average",
    "be",
    "before",
    "by",
    "count",
    "did",
    "different",
    "do",
    "does",
    "each",
    "every",
    "first",
    "for",
    "from",
    "give",
    "had",
    "has",
    "have",
    "highest",
    "how",
    "in",
    "is",
    "it",
    "its",
    "least",
    "less",
    "list",
    "lowest",
    "many",
    "me",
    "more",
    "most",
    "much",
    "no",
    "not",
    "number",
    "of",
    "on",
    "or",
    "our",
    "per",
    "please",
    "show",
    "since",
    "sum",
    "than",
    "that",
    "the",
    "these",
    "they",
    "this",
    "those",
    "to",
    "us",
    "was",
    "we",
    "were",
    "what",
    "when",
    "where",
    "which",
    "who",
    "whom",
    "whose",
    "with",
];
/// A word that begins with another one of at least so many letters is about the same: `rental` and `rentals`, `invoiced`.
const SHARED_BEGINNING: usize = 4;

/// The words of a question or a query that tell what it is about.
#[derive(Debug)]
pub(super) struct Content(Vec<String>);

/// How far a question and a query have their words in common.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Coverage {
    /// The share of the question's words that the query has, 0 to 1.
    pub(super) of_question: f32,
    /// The share of the query's words that the question has, 0 to 1.
    pub(super) of_query: f32,
    /// How many words the query has.
    pub(super) length: usize,
}

impl Content {
    /// What a text is about.
    pub(super) fn of(text: &str) -> Self {
        let mut content: Vec<String> = words::text_words(text)
            .into_iter()
            .filter(|word| !SHAPE.contains(&word.as_str()))
            .map(|word| words::stem(&word))
            .collect();
        content.sort_unstable();
        content.dedup();
        Self(content)
    }

    /// How far this question is covered by a query, and covers it.
    pub(super) fn covered_by(&self, query: &Self) -> Coverage {
        let share = |of: &Self, by: &Self| {
            let found =
                of.0.iter()
                    .filter(|word| by.0.iter().any(|other| are_alike(word, other)));
            found.count() as f32 / of.0.len().max(1) as f32
        };
        Coverage {
            of_question: share(self, query),
            of_query: share(query, self),
            length: query.0.len(),
        }
    }
}

fn are_alike(one: &str, other: &str) -> bool {
    let shorter = one.len().min(other.len());
    one == other || shorter >= SHARED_BEGINNING && one.as_bytes()[..shorter] == other.as_bytes()[..shorter]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_covered_both_ways() {
        let question = Content::of("How many repairs were invoiced in March?");
        let coverage = question.covered_by(&Content::of("count of repair where invoice date in march 2026"));
        assert_eq!(
            coverage,
            Coverage {
                of_question: 1.0,
                of_query: 0.6,
                length: 5
            }
        );
    }
}
