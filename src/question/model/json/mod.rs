//! JSON and SQL out of what a model wrote, even where it is not quite JSON.

use serde_json::{Deserializer, Value};

mod fences;
mod lenient;
mod sql;
#[cfg(test)]
mod tests;

pub use sql::sql_in;

/// Places where JSON may begin that are tried. Prose has brackets too.
const MOST_PLACES: usize = 32;
/// The same where it has to be repaired.
const MOST_REPAIRS: usize = 4;

/// The first JSON object or list in a text: fences, prose around it, trailing commas, single quotes, raw line ends in
/// texts and a missing end are forgiven. A text that is JSON as it stands is read whatever it is. `None` where there is
/// none.
pub fn read(text: &str) -> Option<Value> {
    let text = text.trim();
    if let Ok(value) = serde_json::from_str(text) {
        return Some(value);
    }
    let fenced: Vec<_> = fences::of(text).map(|fence| fence.body).collect();
    let parts = || fenced.iter().copied().chain([text]);
    parts().find_map(strict).or_else(|| parts().find_map(meant))
}

/// The first JSON in a text that needs no repair.
fn strict(text: &str) -> Option<Value> {
    places(text).find_map(|at| {
        let mut values = Deserializer::from_str(&text[at..]).into_iter::<Value>();
        values.next()?.ok().filter(says_something)
    })
}

/// The first that was meant as JSON.
fn meant(text: &str) -> Option<Value> {
    places(text)
        .take(MOST_REPAIRS)
        .filter_map(|at| lenient::read(&text[at..]))
        // A word in braces is prose.
        .find(|value| {
            says_something(value)
                && value
                    .as_object()
                    .is_none_or(|all| !all.values().all(Value::is_null))
        })
}

/// Where JSON may begin.
fn places(text: &str) -> impl Iterator<Item = usize> {
    text.match_indices(['{', '[']).map(|(at, _)| at).take(MOST_PLACES)
}

/// Whether it is an answer rather than a bracket in prose, such as `[1]`.
fn says_something(value: &Value) -> bool {
    match value {
        Value::Object(object) => !object.is_empty(),
        Value::Array(list) => matches!(list.first(), Some(Value::Object(_) | Value::String(_))),
        _ => false,
    }
}
