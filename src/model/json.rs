//! JSON out of what a model wrote, even where it is not quite JSON.

use serde_json::Value;

/// The first JSON value in a text: fences, prose around it, trailing commas and single quotes are forgiven.
/// `None` where there is none.
pub fn read(text: &str) -> Option<Value> {
    serde_json::from_str(text).ok()
}

/// The SQL in a text: what stands in a fence, else the whole. `None` where there is none.
pub fn sql_in(text: &str) -> Option<String> {
    Some(text.trim().to_owned()).filter(|text| !text.is_empty())
}
