//! `boolean`: the words that PostgreSQL's `boolin` takes.

use super::ValueError;

/// A text as a truth value.
pub(crate) fn read(text: &str) -> Result<bool, ValueError> {
    let lower = text.trim_ascii().to_ascii_lowercase();
    let is = |word: &str, least: usize| lower.len() >= least && word.starts_with(&lower);
    if is("true", 1) || is("yes", 1) || lower == "on" || lower == "1" {
        Ok(true)
    } else if is("false", 1) || is("no", 1) || is("off", 2) || lower == "0" {
        Ok(false)
    } else {
        Err(ValueError::syntax("boolean", text))
    }
}
