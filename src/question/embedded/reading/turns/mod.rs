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
pub(super) use in_state::{as_one_word, mark_of, stands_for};
pub(super) use people::names_of;
pub(super) use quotients::in_brackets;
pub(super) use verbs::told_by;

mod ages;
mod all_shown;
mod amounts;
mod assigned;
mod averages;
mod belongings;
mod bounds;
mod counts;
mod days_late;
mod denials;
mod doings;
mod elsewhere;
mod exceeds;
mod extremes;
mod fees;
mod gaps;
mod goods;
mod gratis;
mod hours;
mod how_many_too;
mod in_state;
mod kinds;
mod left;
mod lengths;
mod limits;
mod living;
mod none_too;
mod not_again;
mod of_each;
mod opposite;
mod outcomes;
mod parent;
mod people;
mod periods;
mod places;
mod present;
mod quotients;
mod rows;
mod running;
mod sales;
mod several;
mod spelled;
mod staff;
mod stays;
mod stock;
mod superiors;
mod than_average;
mod then;
mod verbs;
mod versus;
mod when;

/// Words of the longest stored value that is looked for.
const LONGEST_VALUE: usize = 4;

/// The question without such turns: each of these sees what those before it have put into other words.
pub(super) fn turned(tokens: Vec<Token>, snapshot: &Snapshot, model: &SemanticModel) -> Vec<Token> {
    let schema = &snapshot.schema;
    let turns: &[&dyn Fn(Vec<Token>) -> Vec<Token>] = &[
        &|tokens| belongings::with_their_own(tokens, schema),
        &than_average::without_own,
        &|tokens| superiors::of_persons(tokens, snapshot),
        &|tokens| gratis::free(tokens, snapshot),
        &days_late::beside,
        &not_again::came_back,
        &not_again::or_later,
        &all_shown::all_of_them,
        &of_each::first_of_each,
        &how_many_too::at_the_end,
        &|tokens| running::running(tokens, snapshot),
        &|tokens| hours::of_the_day(tokens, snapshot),
        &|tokens| extremes::apart(tokens, schema, model),
        &none_too::none_too,
        &elsewhere::outside,
        &elsewhere::not_located,
        &elsewhere::neither_in,
        &spelled::letters,
        &quotients::explained,
        &|tokens| fees::per_counted(tokens, schema),
        &|tokens| quotients::divided(tokens, schema),
        &then::than_then,
        &than_average::above_average_number,
        &|tokens| than_average::more_than_average(tokens, schema),
        &|tokens| amounts::non(tokens, schema),
        &|tokens| amounts::at_least(tokens, schema),
        &|tokens| amounts::not_known(tokens, schema),
        &amounts::unknown,
        &stock::that_are_in_stock,
        &elsewhere::other_than,
        &bounds::denied,
        &|tokens| denials::not_yet_done(tokens, schema, model),
        &|tokens| denials::not_done_in(tokens, schema, model),
        &|tokens| outcomes::on_time(tokens, schema, model),
        &|tokens| denials::did_not(tokens, snapshot, model),
        &|tokens| outcomes::of_what_it_has(tokens, snapshot, model),
        &|tokens| ages::of_persons(tokens, schema),
        &|tokens| fees::how_much_of(tokens, schema, model),
        &|tokens| bounds::two(tokens, schema),
        &|tokens| verbs::never(tokens, schema, model),
        &|tokens| verbs::paid_by(tokens, schema),
        &|tokens| stock::first_in_stock(tokens, schema),
        &|tokens| amounts::yearly_pay(tokens, schema),
        &|tokens| places::where_they_are(tokens, schema, model),
        &limits::plus,
        &|tokens| limits::in_kept_unit(tokens, schema),
        &|tokens| lengths::in_kept_unit(tokens, schema),
        &|tokens| exceeds::more_than_own(tokens, schema),
        &|tokens| exceeds::exceeds(tokens, schema),
        &|tokens| several::figures_first(tokens, schema),
        &|tokens| several::number_and_value(tokens, schema, model),
        &several::share_of_each,
        &several::and_what_share,
        &|tokens| several::how_often_each(tokens, schema),
        &|tokens| averages::sizes(tokens, schema, model),
        &|tokens| averages::of_any(tokens, schema),
        &opposite::neither_by,
        &|tokens| counts::much_or_many(tokens, schema),
        &|tokens| doings::anyone(tokens, schema),
        &|tokens| doings::pay_for(tokens, schema),
        &|tokens| doings::sold_there(tokens, snapshot, model),
        &|tokens| doings::left_one(tokens, schema),
        &|tokens| doings::so_many(tokens, schema),
        &|tokens| doings::subscribers(tokens, schema),
        &|tokens| counts::told_behind(tokens, schema, model),
        &|tokens| counts::each_on_average(tokens, schema),
        &counts::days_between,
        &|tokens| counts::spread(tokens, schema, model),
        &|tokens| counts::kinds_alone(tokens, schema, model),
        &|tokens| counts::and_in_total(tokens, schema, model),
        &|tokens| limits::only_those(tokens, schema),
        &|tokens| kinds::that_is(tokens, schema),
        &sales::made_here,
        &sales::sold_best,
        &periods::over_time,
        &opposite::and_how_many_not,
        &|tokens| assigned::unassigned(tokens, schema),
        &|tokens| fees::yearly_figure(tokens, schema),
        &|tokens| fees::per_period(tokens, schema),
        &|tokens| fees::per_unit(tokens, schema),
        &|tokens| stays::nights(tokens, schema),
        &stays::worst,
        &gaps::missing,
        &gaps::share_of,
        &|tokens| versus::of_each(tokens, snapshot),
        &|tokens| places::where_most_are(tokens, schema),
        &kinds::top_reasons,
        &periods::trailing_year,
        &gaps::share_that_has,
        &|tokens| left::leaves(tokens, schema, model),
        &|tokens| left::has_left(tokens, schema, model),
        &|tokens| verbs::irregular(tokens, snapshot),
        &|tokens| living::died(tokens, schema),
        &|tokens| living::alive(tokens, schema, model),
        &|tokens| present::reached(tokens, schema, model),
        &|tokens| living::live(tokens, schema),
        &|tokens| staff::who_works(tokens, schema, model),
        &|tokens| staff::ways_to_pay(tokens, schema, model),
        &|tokens| kinds::topmost(tokens, schema),
        &|tokens| sales::how_many_sold(tokens, snapshot, model),
        &|tokens| sales::costs(tokens, schema),
        &|tokens| sales::own_price(tokens, schema, model),
        &|tokens| sales::unpaid(tokens, schema),
        &|tokens| sales::why(tokens, schema),
        &|tokens| sales::revenue(tokens, snapshot),
        &|tokens| sales::how_much_money(tokens, schema),
        &|tokens| sales::totals(tokens, schema),
        &people::spent_more,
        &|tokens| stock::low(tokens, schema),
        &|tokens| goods::by_units(tokens, schema),
        &|tokens| kinds::by_child(tokens, schema, model),
        &|tokens| kinds::undone(tokens, schema),
        &|tokens| goods::sold_most_of(tokens, schema, model),
        &|tokens| goods::bought_something(tokens, schema),
        &|tokens| rows::state(tokens, schema),
        &|tokens| people::done_the_most(tokens, schema),
        &|tokens| people::and_where(tokens, schema),
        &|tokens| people::at_the_top(tokens, schema),
        &periods::best_period,
        &when::not_for,
        &kinds::left_out,
        &|tokens| stock::worth(tokens, schema),
        &|tokens| goods::per_piece(tokens, schema, model),
        &|tokens| kinds::anywhere(tokens, schema),
        &|tokens| stock::left(tokens, snapshot),
        &|tokens| stock::kept(tokens, schema),
        &|tokens| stock::sold_out(tokens, schema),
        &kinds::stars,
        &|tokens| rows::contents(tokens, schema, model),
        &|tokens| kinds::tagged(tokens, schema),
        &|tokens| goods::not_sold(tokens, schema),
        &|tokens| goods::things(tokens, schema, model),
        &|tokens| goods::priced(tokens, schema, model),
        &|tokens| people::buyers(tokens, schema),
        &|tokens| kinds::kind_of(tokens, schema, model),
        &|tokens| kinds::per_reason(tokens, schema, model),
        &|tokens| when::time_spent(tokens, schema),
        &|tokens| kinds::parts_of(tokens, schema),
        &|tokens| stock::reordered(tokens, schema),
        &when::next_one,
        &|tokens| when::new_ones(tokens, snapshot, model),
        &people::titled,
        &|tokens| people::phone_number(tokens, schema),
        &|tokens| people::email_address(tokens, schema),
        &|tokens| present::given(tokens, schema, model),
        &|tokens| people::still_here(tokens, schema, model),
        &people::came_back,
        &|tokens| goods::bring_in(tokens, schema, model),
        &|tokens| people::earns_most(tokens, schema),
        &|tokens| goods::bought(tokens, schema, model),
        &people::but_not,
        &|tokens| sales::units_sold(tokens, snapshot, model),
        &|tokens| parent::with_and_without(tokens, schema, model),
        &|tokens| periods::done_most(tokens, schema),
        &when::average_age,
        &|tokens| when::last_time(tokens, schema, model),
        &|tokens| when::periods_alone(tokens, schema, model),
        &periods::with_the_most,
        &|tokens| periods::busiest(tokens, schema, model),
    ];
    turns.iter().fold(tokens, |tokens, turn| turn(tokens))
}

/// True for a word as people write names.
fn is_name(tokens: &[Token], at: usize) -> bool {
    let token = tokens.get(at);
    token.is_some_and(|token| token.capital || matches!(token.kind, TokenKind::Quoted(_)))
}

/// True where several words from here on are a stored value: `sales assistants`.
fn begins_value(tokens: &[Token], at: usize, snapshot: &Snapshot) -> bool {
    (2..=LONGEST_VALUE).any(|length| {
        let text: Vec<&str> = tokens
            .iter()
            .skip(at)
            .take(length)
            .map(|token| token.text.as_str())
            .collect();
        text.len() == length
            && !snapshot
                .values
                .find(&words::text_words(&text.join(" ")))
                .is_empty()
    })
}

/// True where the last word of a table's name is this one.
pub(super) fn is_called(schema: &Schema, table: usize, noun: &Token) -> bool {
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

/// True for a word that tells when something was.
fn tells_when(token: &Token) -> bool {
    matches!(token.kind, TokenKind::Date(_) | TokenKind::Month(_))
        || matches!(&token.kind, TokenKind::Number(number) if number.len() == 4)
        || is_period(token.word.trim_end_matches('s'))
        || matches!(
            token.word.as_str(),
            "last" | "this" | "since" | "yesterday" | "today"
        )
}
