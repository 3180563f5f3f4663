//! States that a column is called by in several words, the first of which says where: `out_of_service`, `in_use`, `on_leave`.

use super::{
    super::{
        super::question::Token,
        rewording::{is_number, said, word},
    },
    has_word,
};
use crate::question::{
    schema::{ColumnRef, Schema, words},
    semantic::{Attribute, Comparison, Condition, NamedFilter, Scalar, SemanticModel},
};

/// What joins the words of such a state in one token, as in the name of its column.
const JOINT: char = '_';

/// `boats that are out of service` with the state as one word, where a mark or a count of a table is called so: no part of it
/// says anything else then.
pub(in super::super) fn as_one_word(
    mut tokens: Vec<Token>,
    schema: &Schema,
    model: &SemanticModel,
) -> Vec<Token> {
    let mut states: Vec<(Vec<String>, bool)> = model
        .filters
        .iter()
        .filter_map(|filter| {
            let counts = keeps_number(filter, schema)?;
            let name = words::identifier_words(&filter.name);
            let leads = name.len() > 1 && name.first().is_some_and(|first| says_where(first));
            leads.then_some((name, counts))
        })
        .collect();
    states.sort_by_key(|(name, _)| std::cmp::Reverse(name.len()));
    let mut at = 0;
    while at < tokens.len() {
        let found = states.iter().find_map(|(name, counts)| {
            let end = end_of(&tokens, at, name)?;
            (!counts || is_said_of_things(&tokens, at, end)).then_some((name, end))
        });
        if let Some((name, end)) = found {
            let joined = name.join(&JOINT.to_string());
            let text = tokens[at..end].iter().map(|token| token.text.as_str());
            let text = text.collect::<Vec<&str>>().join(" ");
            let state = Token {
                text,
                ..said(&joined, &tokens[at])
            };
            tokens.splice(at..end, [state]);
        }
        at += 1;
    }
    tokens
}

/// The name of the state that such a word stands for.
pub(in super::super) fn stands_for(word: &str) -> Option<String> {
    word.contains(JOINT).then(|| word.replace(JOINT, " "))
}

/// The mark that says whether a row is so.
pub(in super::super) fn mark_of(filter: &NamedFilter) -> Option<ColumnRef> {
    match &filter.condition {
        Condition::Flag(of, true) if of.way.hops.is_empty() => Some(ColumnRef {
            table: filter.dataset,
            column: of.column,
        }),
        _ => None,
    }
}

/// True for a word that says where or how something is, before the noun that it goes with.
fn says_where(word: &str) -> bool {
    matches!(
        word,
        "at" | "away" | "behind" | "for" | "in" | "off" | "on" | "out" | "over" | "under" | "up"
    )
}

/// Whether a number is kept by which rows are so, rather than a mark; `None` for any other condition.
fn keeps_number(filter: &NamedFilter, schema: &Schema) -> Option<bool> {
    if mark_of(filter).is_some() {
        return Some(false);
    }
    let Condition::Compare(Scalar::Column(Attribute { way, column }), Comparison::Greater, _) =
        &filter.condition
    else {
        return None;
    };
    let column = &schema.tables[filter.dataset].columns[*column];
    let own = words::identifier_words(&column.name) == words::identifier_words(&filter.name);
    (way.hops.is_empty() && own).then_some(true)
}

/// Where such a name ends that begins here, with an article in it or not: `on a trailer`.
fn end_of(tokens: &[Token], at: usize, name: &[String]) -> Option<usize> {
    let mut next = at;
    for (place, wanted) in name.iter().enumerate() {
        if place > 0 && matches!(word(tokens, next), "a" | "an" | "the") {
            next += 1;
        }
        let token = tokens.get(next)?;
        if token.word != *wanted && (place == 0 || token.stem != words::stem(wanted)) {
            return None;
        }
        next += 1;
    }
    Some(next)
}

/// True where a number of something is not asked for, and only whether there is any: `tools in stock`, and not `how many are in
/// stock`, `the most in stock`, `more than 5 in stock`.
fn is_said_of_things(tokens: &[Token], at: usize, end: usize) -> bool {
    let reckons = tokens.iter().any(|token| {
        let asks = [
            "many", "much", "total", "sum", "average", "most", "least", "more", "fewer", "less", "number",
            "value", "worth", "by", "per", "each", "show", "units", "pieces",
        ];
        has_word(&token.word, &asks) || is_number(token)
    });
    let shown = matches!(word(tokens, end), "of" | "for");
    at > 0 && !reckons && !shown
}
