//! What is told beside an answer that is a name and no more: when the newest was made, how tall the tallest is.

use super::super::question::Token;
use crate::question::{
    analytic::{AnalyticQuery, List, Shown},
    schema::{
        Snapshot,
        words::{identifier_words, stem},
    },
    semantic::{Scalar, SemanticModel},
};

/// The query that shows by what the first are the first, where a question asks for these and for nothing of them by name:
/// `what's the tallest tower?`, `newest tenant`, `which clerk earns the most`.
pub(super) fn fuller(
    query: &AnalyticQuery,
    tokens: &[Token],
    (snapshot, model): (&Snapshot, &SemanticModel),
) -> Option<AnalyticQuery> {
    let AnalyticQuery::List(list) = query else {
        return None;
    };
    let of_all = list.rank.limit.is_some() && list.rank.within.is_empty();
    // A figure says itself how much it is.
    let display = &model.datasets[list.subject].display;
    let names = |shown: &Shown| matches!(shown, Shown::Value(Scalar::Column(at)) if at.way.hops.is_empty() && display.contains(&at.column));
    let mut seen = list.shown.iter().enumerate();
    let named = seen.all(|(at, shown)| list.hidden.contains(&at) || names(shown));
    let hides = named && of_all && !list.hidden.is_empty() && !list.distinct;
    let table = &snapshot.schema.tables[list.subject];
    let of_table: Vec<_> = identifier_words(&table.name)
        .iter()
        .map(|word| stem(word))
        .collect();
    let asks_by_name = display
        .iter()
        .flat_map(|column| identifier_words(&table.columns[*column].name))
        .chain(["name".to_owned()])
        .map(|word| stem(&word))
        .any(|part| !of_table.contains(&part) && tokens.iter().any(|token| token.stem == part));
    (hides && !asks_by_name).then(|| {
        AnalyticQuery::List(List {
            hidden: Vec::new(),
            ..list.clone()
        })
    })
}
