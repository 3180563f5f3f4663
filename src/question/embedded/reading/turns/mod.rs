//! Everyday turns of phrase, in the words that the readings understand.

use super::{
    super::question::{Token, TokenKind},
    rewording::written,
};
use crate::question::{
    schema::{Schema, Snapshot, words},
    semantic::SemanticModel,
};

pub(super) use goods::sells_best;
pub(super) use people::names_of;

mod goods;
mod kinds;
mod parent;
mod people;
mod rows;
mod stock;
mod when;

/// The question without such turns.
pub(super) fn turned(tokens: Vec<Token>, snapshot: &Snapshot, model: &SemanticModel) -> Vec<Token> {
    let schema = &snapshot.schema;
    let tokens = kinds::undone(
        kinds::by_child(goods::by_units(tokens, schema), schema, model),
        schema,
    );
    let tokens = rows::state(
        goods::bought_something(goods::sold_most_of(tokens, schema, model), schema),
        schema,
    );
    let tokens = people::and_where(people::done_the_most(tokens, schema), schema);
    let tokens = when::not_for(when::best_period(people::at_the_top(tokens, schema)));
    let tokens = stock::worth(kinds::left_out(tokens), schema);
    let tokens = kinds::anywhere(goods::per_piece(tokens, schema, model), schema);
    let tokens = stock::or_more(stock::sold_out(stock::left(tokens, snapshot), schema), schema);
    let tokens = kinds::tagged(rows::contents(kinds::stars(tokens), schema, model), schema);
    let tokens = goods::things(goods::not_sold(tokens, schema), schema, model);
    let tokens = kinds::per_reason(kinds::kind_of(tokens, schema, model), schema, model);
    let tokens = stock::reordered(kinds::parts_of(when::time_spent(tokens, schema), schema), schema);
    let tokens = when::new_ones(when::next_one(tokens), schema, model);
    let tokens = people::phone_number(people::titled(tokens), schema);
    let tokens = people::still_here(tokens, schema, model);
    let tokens = goods::bring_in(people::came_back(tokens), schema, model);
    let tokens = goods::bought(people::earns_most(tokens, schema), schema, model);
    let tokens = goods::units_sold(people::but_not(tokens), snapshot, model);
    let tokens = parent::with_and_without(tokens, schema, model);
    let tokens = when::average_age(when::done_most(tokens, schema));
    let tokens = when::periods_alone(when::last_time(tokens, schema, model), schema, model);
    when::busiest(when::with_the_most(tokens), schema, model)
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

/// The table that is called so.
fn called(schema: &Schema, noun: &Token) -> Option<usize> {
    (0..schema.tables.len()).find(|&table| is_called(schema, table, noun))
}

/// What a table is called, in a token's place.
fn name_of(schema: &Schema, table: usize, instead: &Token) -> Vec<Token> {
    written(&words::table_words(&schema.tables[table].name), instead)
}

/// True where a column has one of these words in its name.
fn has_word(column: &str, wanted: &[&str]) -> bool {
    let name = words::identifier_words(column);
    name.iter().any(|word| wanted.contains(&word.as_str()))
}

/// True for a stretch of time, or a part of one.
fn is_period(word: &str) -> bool {
    matches!(
        word,
        "year" | "quarter" | "month" | "week" | "weekday" | "day" | "hour"
    )
}
