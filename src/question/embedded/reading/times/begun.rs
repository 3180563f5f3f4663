//! What has begun or ended by now, where days ahead are kept too: `projects that have started` by a planned day.

use jiff::civil::Date;

use super::{
    super::{
        super::question::Token,
        anchor::date_of,
        rewording::{said, word},
    },
    column_words, day, names_table, times_of,
};
use crate::question::{
    schema::{ColumnRef, Snapshot, words},
    semantic::SemanticModel,
};

/// Words for it, each with that of the columns.
const PASSED: &[(&str, &str)] = &[
    ("started", "start"),
    ("begun", "begin"),
    ("begun", "start"),
    ("ended", "end"),
];

/// The question with the day of it before tomorrow.
pub(super) fn by_now(
    mut tokens: Vec<Token>,
    today: Date,
    snapshot: &Snapshot,
    model: &SemanticModel,
) -> Vec<Token> {
    let schema = &snapshot.schema;
    // Of a column without days ahead, that it has a day says as much.
    let goes_ahead = |at: ColumnRef| {
        let latest = snapshot.profile.column(at).and_then(|profile| profile.latest);
        latest.and_then(date_of).is_some_and(|latest| latest > today)
    };
    let leads = |word: &str| matches!(word, "have" | "has" | "already" | "that" | "who" | "which");
    let found = (2..tokens.len()).find_map(|at| {
        let over = matches!(word(&tokens, at + 1), "" | "?" | "." | "but" | "and" | "already");
        if !leads(word(&tokens, at - 1)) || !over {
            return None;
        }
        let passed = PASSED.iter().filter(|(said, _)| *said == word(&tokens, at));
        let mut columns = passed.flat_map(|(_, name)| {
            let tables = (0..schema.tables.len()).filter(|&table| names_table(&tokens[..at], schema, table));
            tables
                .flat_map(|table| times_of(table, model))
                .filter(move |time| {
                    let named = words::identifier_words(&schema.column(*time).name);
                    named.iter().any(|word| words::stem(word) == *name)
                })
        });
        Some((at, columns.find(|time| goes_ahead(*time))?))
    });
    let (Some((at, column)), Ok(tomorrow)) = (found, today.tomorrow()) else {
        return tokens;
    };
    let mut from = at;
    while from > 1 && leads(word(&tokens, from - 1)) {
        from -= 1;
    }
    let already = usize::from(word(&tokens, at + 1) == "already");
    let mut told = vec![said("with", &tokens[at])];
    told.extend(column_words(column, schema, &tokens[at]));
    told.push(said("before", &tokens[at]));
    told.push(day(tomorrow, &tokens[at]));
    tokens.splice(from..=at + already, told);
    tokens
}
