//! What columns are called that an adjective compares.

use super::super::lexicon::lexicon;
use crate::question::schema::words;

/// True for a column that is called so, be it by a short form: `PRC` for a price.
pub(super) fn is_attribute(column: &str, wanted: &str) -> bool {
    let stem = words::stem(wanted);
    words::identifier_words(column).iter().any(|word| {
        // Short forms of days stand in too many names to tell anything.
        let short = lexicon()
            .in_full(word)
            .filter(|_| !matches!(word.as_str(), "dt" | "tm" | "ts" | "yr"));
        words::stem(word) == stem || short.is_some_and(|long| words::stem(long) == stem)
    })
}
