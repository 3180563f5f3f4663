//! Everyday turns of phrase, in the words that the readings understand.

use super::super::question::{Token, TokenKind};
use crate::question::{
    schema::{Schema, Snapshot, words},
    semantic::SemanticModel,
};

pub(super) use goods::sells_best;
pub(super) use people::names_of;

mod goods;
mod kinds;
mod people;
mod times;

/// The question without such turns.
pub(super) fn turned(tokens: Vec<Token>, snapshot: &Snapshot, model: &SemanticModel) -> Vec<Token> {
    let schema = &snapshot.schema;
    let tokens = goods::worth(kinds::left_out(tokens), schema);
    let tokens = kinds::anywhere(goods::per_piece(tokens, schema, model), schema);
    let tokens = goods::sold_out(goods::left(tokens, snapshot), schema);
    let tokens = kinds::tagged(goods::contents(kinds::stars(tokens), schema, model), schema);
    let tokens = goods::things(goods::not_sold(tokens, schema), schema, model);
    let tokens = kinds::per_reason(kinds::kind_of(tokens, schema, model), schema, model);
    let tokens = goods::reordered(kinds::parts_of(times::time_spent(tokens, schema), schema), schema);
    let tokens = times::new_ones(times::next_one(tokens), schema, model);
    let tokens = people::phone_number(people::titled(tokens), schema);
    let tokens = people::still_here(tokens, schema, model);
    let tokens = goods::bring_in(people::came_back(tokens), schema, model);
    let tokens = goods::bought(people::earns_most(tokens, schema), schema, model);
    let tokens = times::average_age(times::done_most(tokens, schema));
    times::busiest(times::with_the_most(tokens), schema, model)
}

/// True for a word as people write names.
fn is_name(tokens: &[Token], at: usize) -> bool {
    let token = tokens.get(at);
    token.is_some_and(|token| token.capital || matches!(token.kind, TokenKind::Quoted(_)))
}

/// True where the last word of a table's name is this one.
fn is_called(schema: &Schema, table: usize, noun: &Token) -> bool {
    words::table_words(&schema.tables[table].name)
        .last()
        .is_some_and(|last| words::stem(last) == noun.stem)
}

/// True where a table is called so.
fn is_table(schema: &Schema, noun: &Token) -> bool {
    (0..schema.tables.len()).any(|table| is_called(schema, table, noun))
}

/// True for a stretch of time, or a part of one.
fn is_period(word: &str) -> bool {
    matches!(
        word,
        "year" | "quarter" | "month" | "week" | "weekday" | "day" | "hour"
    )
}
