//! What people have told of that a question names.

use super::{SemanticModel, Source};
use crate::question::schema::words;

/// Metrics and named filters, by position in the model.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Named {
    /// Positions in [`SemanticModel::metrics`].
    pub metrics: Vec<usize>,
    /// Positions in [`SemanticModel::filters`].
    pub filters: Vec<usize>,
}

/// From the first word of a name in a question to the one behind its last.
type Span = (usize, usize);

/// The words of a name or a question, as they are compared.
pub fn stems(text: &str) -> Vec<String> {
    let words = words::text_words(text);
    words
        .iter()
        .flat_map(|word| words::identifier_words(word))
        .map(|word| words::stem(&word))
        .collect()
}

/// What a label says before it explains itself: `Water quality` of `Water quality (colour, taste, smell)`.
pub fn heading(label: &str) -> &str {
    let end = label
        .find(['(', ',', ';', ':'])
        .into_iter()
        .chain(label.find(" - "));
    let head = label[..end.min().unwrap_or(label.len())].trim();
    if head.is_empty() { label.trim() } else { head }
}

impl SemanticModel {
    /// The metrics and filters of files that a question names, by a name or a synonym, word for word. A name that is only
    /// a part of a longer one there is not meant: `order` in `average order`.
    pub fn named_in(&self, question: &str) -> Named {
        let question = stems(question);
        let told = |source: &Source| matches!(source, Source::File(..));
        let mut found: Vec<(bool, usize, Vec<Span>)> = Vec::new();
        for (at, metric) in self.metrics.iter().enumerate().filter(|(_, it)| told(&it.source)) {
            found.push((true, at, spans(&question, &metric.name, &metric.wording.synonyms)));
        }
        for (at, filter) in self.filters.iter().enumerate().filter(|(_, it)| told(&it.source)) {
            found.push((
                false,
                at,
                spans(&question, &filter.name, &filter.wording.synonyms),
            ));
        }
        let within = |inner: &Span, outer: &Span| outer.0 <= inner.0 && inner.1 <= outer.1 && inner != outer;
        let all: Vec<Span> = found.iter().flat_map(|(_, _, spans)| spans.clone()).collect();
        let mut named = Named::default();
        for (is_metric, at, spans) in found {
            if !spans
                .iter()
                .any(|span| !all.iter().any(|other| within(span, other)))
            {
                continue;
            }
            if is_metric {
                named.metrics.push(at);
            } else {
                named.filters.push(at);
            }
        }
        named
    }
}

/// Where a name or one of its synonyms stands in a question.
fn spans(question: &[String], name: &str, synonyms: &[String]) -> Vec<Span> {
    let mut found = Vec::new();
    for name in std::iter::once(name).chain(synonyms.iter().map(String::as_str)) {
        let name = stems(name);
        if name.is_empty() {
            continue;
        }
        let places = question.windows(name.len()).enumerate();
        let places = places.filter(|(_, part)| *part == name.as_slice());
        found.extend(places.map(|(at, _)| (at, at + name.len())));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::question::semantic::{Aggregate, Formula, Metric, Wording};

    #[test]
    fn the_longest_name_is_meant() {
        let metric = |name: &str, synonyms: &[&str], source: Source| Metric {
            name: name.into(),
            dataset: 0,
            formula: Formula::Rows {
                table: 0,
                aggregate: Aggregate::Count,
                conditions: Vec::new(),
                time: None,
            },
            wording: Wording {
                synonyms: synonyms.iter().map(|word| (*word).to_owned()).collect(),
                ..Wording::default()
            },
            source,
        };
        let file = || Source::File("shop.yaml".into(), 3);
        let model = SemanticModel {
            metrics: vec![
                metric("order", &[], file()),
                metric("average_order", &["basket size"], file()),
                metric("customers", &[], Source::Inferred),
            ],
            ..SemanticModel::default()
        };
        for (question, expected) in [
            ("What is the average order of each customer?", &[1][..]),
            ("the Basket Sizes by month", &[1]),
            ("average order of the orders", &[0, 1]),
            ("how many customers are there", &[]),
        ] {
            assert_eq!(model.named_in(question).metrics, expected, "{question}");
        }
    }
}
