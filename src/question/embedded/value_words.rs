//! Words of a question that a stored value is looked up by, and what they count for as one.

use super::{lexicon::lexicon, question::Token, reading::is_past};
use crate::question::schema::{ColumnRef, Schema, words};

/// Different values at most of a column that says what kind of rows there are.
pub(super) const KINDS: usize = 50;
/// A word that any question may have says nothing of rows where it is as short as this.
const SHORT: usize = 3;

/// The words as the question has them.
pub(super) fn text_of(tokens: &[Token]) -> String {
    let text: Vec<&str> = tokens.iter().map(|token| token.text.as_str()).collect();
    text.join(" ").replace(" 's", "'s")
}

/// True for words that any question has.
pub(super) fn is_common(tokens: &[Token]) -> bool {
    tokens.iter().all(|token| {
        lexicon().is_filler(&token.word) || lexicon().operator(&token.word).is_some() || token.word.len() == 1
    })
}

/// True where a word that any question may have says of what kind the rows of a table are, or in what state: `individual donors`,
/// `jobs done`, `were done`, `with status done`.
pub(super) fn is_said_of_rows(tokens: &[Token], at: usize, column: ColumnRef, schema: &Schema) -> bool {
    let table = words::table_words(&schema.tables[column.table].name);
    let column = words::identifier_words(&schema.column(column).name);
    let is_last = |name: &[String], token: Option<&Token>| {
        let last = name.last().map(|last| words::stem(last));
        token.is_some_and(|token| last.is_some_and(|last| last == token.stem))
    };
    let before = at.checked_sub(1).map(|before| &tokens[before]);
    let is = before.is_some_and(|before| {
        matches!(
            before.word.as_str(),
            "is" | "are" | "was" | "were" | "been" | "not" | "already" | "still"
        )
    });
    let word = &tokens[at].word;
    word.len() > SHORT
        && (is
            || is_last(&table, tokens.get(at + 1))
            || is_last(&column, before)
            || is_past(word) && is_last(&table, before))
}

/// What they count for: more than the same words apart, and more where they are spelled as the value is.
pub(super) fn weight_of_value(tokens: &[Token], same_spelling: bool, capital: bool) -> f32 {
    let length = tokens.len() as f32;
    let base = if tokens.len() == 1 { 0.9 } else { 1.15 * length };
    let spelled = if same_spelling { 0.15 } else { 0.0 };
    let capitals = if capital { 0.25 * length } else { 0.0 };
    base + spelled + capitals
}
