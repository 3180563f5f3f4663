//! How long something took: between two times whose names belong together, or from when it happened to its end.

use super::{
    Evidence, in_and_out,
    lexicon::{stems, words_of},
    metrics::{metric, own, table_words},
};
use crate::question::{
    schema::ColumnRef,
    semantic::{Additivity, Aggregate, Dataset, FieldRole, Metric, Scalar, Unit},
};

/// Words for a beginning and the end that belongs to it.
const SPANS: [(&str, &str); 26] = [
    ("checkin", "checkout"),
    ("check in", "check out"),
    ("arrival", "departure"),
    ("arrived", "departed"),
    ("start", "end"),
    ("started", "ended"),
    ("from", "to"),
    ("begin", "end"),
    ("opened", "closed"),
    ("shipped", "delivered"),
    ("admitted", "discharged"),
    ("pickup", "return"),
    ("pickup", "dropoff"),
    ("picked", "returned"),
    ("borrowed", "returned"),
    ("loaned", "returned"),
    ("started", "finished"),
    ("reported", "resolved"),
    ("checked in", "checked out"),
    ("st", "end"),
    ("strt", "end"),
    ("beg", "end"),
    ("in", "out"),
    ("first", "last"),
    ("created", "resolved"),
    ("created", "solved"),
];

/// How long something lasted: between two times whose names belong together, else from when it happened to its end.
pub(super) fn durations(of: &Evidence<'_>, table: usize, dataset: &Dataset) -> Vec<Metric> {
    // `days` that are kept tell how long it was, whatever lies between.
    let is_kept = |column: usize| {
        let name = stems(&of.schema.column(ColumnRef { table, column }).name);
        let is_length = |word: &String| {
            matches!(
                word.as_str(),
                "day" | "night" | "hour" | "minut" | "min" | "hr" | "mins" | "durat" | "duration" | "length"
            )
        };
        dataset.fields[column].role == FieldRole::Measure(Additivity::Sum) && name.iter().all(is_length)
    };
    if (0..dataset.fields.len()).any(is_kept) {
        return Vec::new();
    }
    let times: Vec<(usize, String)> = (0..dataset.fields.len())
        .filter(|&column| dataset.fields[column].role == FieldRole::Time)
        .map(|column| {
            (
                column,
                format!(
                    " {} ",
                    words_of(&of.schema.column(ColumnRef { table, column }).name)
                ),
            )
        })
        .collect();
    let called = |wanted: &str| {
        let mut fitting = times
            .iter()
            .filter(|(_, name)| name.contains(&format!(" {wanted} ")));
        fitting.next().map(|(column, _)| *column)
    };
    // What is lent goes out first.
    let comes_back = |from: &str| {
        let back = |(column, _): &(usize, String)| in_and_out::comes_back(of, (table, *column), dataset.time);
        from == "in" && times.iter().any(back)
    };
    let paired = SPANS
        .iter()
        .filter(|(from, _)| !comes_back(from))
        .find_map(|(from, to)| Some((called(from)?, called(to)?, *from)));
    let is_cancelled = |column: usize| {
        let name = &of.schema.column(ColumnRef { table, column }).name;
        stems(name).iter().any(|word| word == "cancel")
    };
    let ends = || Some((dataset.time?, dataset.end.filter(|end| !is_cancelled(*end))?, ""));
    let Some((from, to, called)) = paired.or_else(ends) else {
        return Vec::new();
    };
    let at = |column: usize| Box::new(own(ColumnRef { table, column }));
    let span = || Scalar::Span(at(from), at(to), Unit::Day);
    let table_words = table_words(of, table);
    let mut lasts = metric(
        format!("{table_words} duration"),
        table,
        Aggregate::Average(span()),
    );
    lasts.wording.synonyms = vec![format!("{table_words} length")];
    let mut found = vec![lasts];
    if called.starts_with("check") {
        found[0].wording.synonyms.push("stay length".to_owned());
        let mut nights = metric("nights".to_owned(), table, Aggregate::Sum(span()));
        nights.wording.synonyms = vec!["room nights".to_owned(), "nights sold".to_owned()];
        found.push(nights);
    }
    found
}
