//! Requests to write: a question that begins with one, or has one behind it, in words or in SQL.

use jiff::civil::Date;

use super::{
    framing,
    lexicon::lexicon,
    question::{Token, TokenKind, tokens},
};
use crate::question::schema::{Schema, words};

/// Words behind which a verb tells what somebody does, and commands nothing.
const TELLING: &[&str] = &[
    "to", "who", "that", "which", "they", "we", "you", "i", "he", "she", "it", "not", "never", "can",
    "could", "may", "might", "must", "should", "will", "would", "did", "do", "does", "have", "has", "had",
    "was", "were", "is", "are", "be", "been", "or", "of", "the", "a", "an", "ever", "users", "people",
];

/// The verb of a question that asks for a change.
pub(super) fn command(question: &str, today: Date, schema: &Schema) -> Option<String> {
    let asked = tokens(framing::core(question), today);
    if let Some(verb) = begins(&asked, schema) {
        return Some(verb.text.clone());
    }
    let said = tokens(question, today);
    let at = (1..said.len())
        .find(|&at| (is_statement(&said, at) || is_told_to(&said, at)) && !names(&said[at], schema))?;
    Some(said[at].text.clone())
}

/// The verb that a question begins with, where that asks for a change.
pub(super) fn begins<'t>(tokens: &'t [Token], schema: &Schema) -> Option<&'t Token> {
    tokens
        .iter()
        .find(|token| !lexicon().is_prelude(&token.word))
        .filter(|token| lexicon().is_write(&token.word) && !names(token, schema))
}

/// `grant applications` are asked for where there are some.
fn names(token: &Token, schema: &Schema) -> bool {
    let mut tables = schema.tables.iter();
    tables.any(|table| words::identifier_words(&table.name).contains(&token.word))
}

fn word(tokens: &[Token], at: usize) -> &str {
    tokens.get(at).map_or("", |token| token.word.as_str())
}

fn is_mark(tokens: &[Token], at: usize, marks: &[char]) -> bool {
    matches!(tokens.get(at).map(|token| &token.kind), Some(TokenKind::Mark(mark)) if marks.contains(mark))
}

/// `list the venues; delete from venues`: true where a statement of SQL begins that writes.
fn is_statement(tokens: &[Token], at: usize) -> bool {
    let word = |at: usize| word(tokens, at);
    let thing = |at: usize| {
        matches!(
            word(at),
            "table" | "view" | "index" | "database" | "schema" | "column" | "trigger"
        )
    };
    let begins = match word(at) {
        "delete" => word(at + 1) == "from",
        "insert" | "replace" => word(at + 1) == "into",
        "drop" | "alter" | "create" | "truncate" => thing(at + 1),
        "update" => word(at + 2) == "set",
        _ => false,
    };
    let apart = is_mark(tokens, at - 1, &[';']);
    let writes = lexicon().is_write(word(at));
    begins && !TELLING.contains(&word(at - 1)) || apart && writes
}

/// `list the venues and then delete them`: true for a verb that asks for a change of what was asked for before it.
fn is_told_to(tokens: &[Token], at: usize) -> bool {
    let word = |at: usize| word(tokens, at);
    let object = |at: usize| {
        matches!(
            word(at),
            "them"
                | "it"
                | "these"
                | "those"
                | "all"
                | "every"
                | "each"
                | "any"
                | "the"
                | "everything"
                | "from"
        )
    };
    let told = match word(at) {
        "delete" | "erase" | "truncate" | "purge" | "wipe" => object(at + 1),
        "update" | "insert" => object(at + 1) || word(at + 1) == "a",
        // What is left out of a list is removed from it.
        "remove" | "drop" => matches!(word(at + 1), "them" | "it"),
        _ => false,
    };
    let passing = |at: &usize| matches!(word(*at), "then" | "also" | "please" | "finally" | "afterwards");
    let joint = (0..at).rev().find(|at| !passing(at));
    let joins =
        joint.is_some_and(|joint| word(joint) == "and" || is_mark(tokens, joint, &[',', ';', '.', '?', '!']));
    let clause = tokens[..at].iter().any(|token| {
        matches!(
            token.word.as_str(),
            "who" | "that" | "which" | "to" | "did" | "do"
        )
    });
    told && joins && !clause
}
