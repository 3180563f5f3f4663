//! What the words of a question stand for in the database, one line each, the most useful first.

use super::{Excerpt, Values, data, ddl};
use crate::schema::{Snapshot, words::text_words};

/// Lines at most.
const MOST_LINES: usize = 12;
/// Words of a phrase that may be a stored value.
const LONGEST_PHRASE: usize = 8;
/// Characters of a value.
const LONGEST_VALUE: usize = 80;

/// What is known of the words of a question: stored values, names, keys that join the tables.
pub fn evidence(question: &str, snapshot: &Snapshot, excerpt: &Excerpt, values: Values) -> Vec<String> {
    let mut lines = Vec::new();
    if values == Values::Send {
        let words = text_words(question);
        for start in 0..words.len() {
            for end in (start + 1..=words.len().min(start + LONGEST_PHRASE)).rev() {
                for hit in snapshot.values.find(&words[start..end]) {
                    if excerpt.tables.binary_search(&hit.column.table).is_ok()
                        && let Some(literal) = ddl::stored(&hit.stored, LONGEST_VALUE)
                    {
                        let column = ddl::column_name(&snapshot.schema, hit.column, snapshot.dialect);
                        let phrase = data::line(&words[start..end].join(" "), LONGEST_VALUE);
                        lines.push(format!("\"{phrase}\" is stored as {literal} in {column}"));
                    }
                }
            }
        }
    }
    lines.truncate(MOST_LINES);
    lines
}
