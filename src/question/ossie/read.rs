//! The text of a file as a document.

use serde::de::DeserializeOwned;
use serde_saphyr::Location;

use super::{document::Document, problem::Problem};

/// The largest file that is read, in bytes.
const LARGEST: usize = 4 << 20;

/// The document that a text is.
pub fn read(text: &str) -> Result<Document, Problem> {
    let document: Document = parse(text)?;
    if document.semantic_model.is_empty() {
        return Err(Problem::at(
            Location::UNKNOWN,
            "the file has no model: it must list one under semantic_model",
        ));
    }
    Ok(document)
}

/// YAML as what it is expected to be, within bounds.
pub(super) fn parse<T: DeserializeOwned>(text: &str) -> Result<T, Problem> {
    if text.len() > LARGEST {
        return Err(Problem::at(
            Location::UNKNOWN,
            format!("the file is larger than {} MiB", LARGEST >> 20),
        ));
    }
    let budget = serde_saphyr::budget! {
        max_depth: 32,
        max_aliases: 0,
        max_nodes: 500_000,
    };
    let options = serde_saphyr::options! { budget: budget, with_snippet: false };
    serde_saphyr::from_str_with_options(text, options).map_err(|error| {
        let location = error.location().unwrap_or(Location::UNKNOWN);
        Problem::at(location, first_line(&error.to_string()))
    })
}

fn first_line(text: &str) -> String {
    text.lines().next().unwrap_or_default().to_owned()
}
