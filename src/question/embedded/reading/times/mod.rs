//! Questions about time in the words that the readings understand: periods side by side, how long something takes, what holds
//! now, what has run out.

use jiff::civil::Date;

use super::{
    super::question::{Token, TokenKind},
    rewording::{said, written},
};
use crate::question::{
    schema::{ColumnRef, Schema, Snapshot, words},
    semantic::{FieldRole, SemanticModel},
};

mod aged;
mod asks;
mod awaited;
mod begun;
mod beside;
mod coincide;
mod coming;
mod durations;
mod expiry;
mod held;
mod service;
mod sides;
mod standing;

/// The question in those words.
pub(super) fn of_time(
    tokens: Vec<Token>,
    today: Date,
    snapshot: &Snapshot,
    model: &SemanticModel,
) -> Vec<Token> {
    let tokens = coming::ahead(tokens, today, |tokens, day| {
        coming::go_on_until(tokens, day, snapshot, model)
    });
    let tokens = coincide::together(tokens, &snapshot.schema, model);
    let tokens = sides::side_by_side(tokens, today);
    let tokens = held::at_a_time(tokens, today, &snapshot.schema, model);
    let tokens = service::in_service(tokens, today, &snapshot.schema, model);
    let tokens = standing::in_force(tokens, today, &snapshot.schema, model);
    let tokens = begun::by_now(tokens, today, snapshot, model);
    let tokens = expiry::run_out(tokens, today, snapshot, model);
    durations::taken(tokens, snapshot, model)
}

/// A day in a token's place.
fn day(date: Date, instead: &Token) -> Token {
    let text = date.to_string();
    Token {
        kind: TokenKind::Date(text.clone()),
        ..said(&text, instead)
    }
}

/// The words of a column in a token's place.
fn column_words(at: ColumnRef, schema: &Schema, instead: &Token) -> Vec<Token> {
    written(&words::identifier_words(&schema.column(at).name), instead)
}

/// The columns of a table that keep times.
fn times_of(table: usize, model: &SemanticModel) -> impl Iterator<Item = ColumnRef> + '_ {
    let fields = model.datasets[table].fields.iter().enumerate();
    fields
        .filter(|(_, field)| field.role == FieldRole::Time)
        .map(move |(column, _)| ColumnRef { table, column })
}

/// True where tokens name a table by the last word of its name.
fn names_table(tokens: &[Token], schema: &Schema, table: usize) -> bool {
    let name = words::table_words(&schema.tables[table].name);
    name.last().is_some_and(|last| {
        let stem = words::stem(last);
        tokens.iter().any(|token| token.stem == stem)
    })
}

/// True for two stems of one word: `insurance`, `insured`.
fn same_root(one: &str, other: &str) -> bool {
    const ROOT: usize = 5;
    let shared = one
        .chars()
        .zip(other.chars())
        .take_while(|(one, other)| one == other);
    one == other || shared.count() >= ROOT.max(one.len().min(other.len()).saturating_sub(1))
}
