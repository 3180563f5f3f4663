//! What people have told of that a question names.

use super::{Provenance, SemanticModel, Wording};
use crate::question::schema::words;

/// Metrics, named filters and computed fields, by position in the model.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Named {
    /// Positions in [`SemanticModel::metrics`].
    pub metrics: Vec<usize>,
    /// Positions in [`SemanticModel::filters`].
    pub filters: Vec<usize>,
    /// Tables, and positions in [`super::Dataset::computed`].
    pub fields: Vec<(usize, usize)>,
}

/// One of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum One {
    Metric(usize),
    Filter(usize),
    Field(usize, usize),
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
    /// The metrics, filters and computed fields of files that a question names, by a name or a synonym, word for word. A name
    /// that is only a part of a longer one there is not meant: `order` in `average order`; nor is a field that is called as a
    /// metric or a filter is.
    pub fn named_in(&self, question: &str) -> Named {
        let question = stems(question);
        let mut found: Vec<(One, Vec<Span>)> = Vec::new();
        let mut look = |one: One, source: &Provenance, (name, wording): (&str, &Wording)| {
            if matches!(source, Provenance::File(..)) {
                found.push((one, spans(&question, name, &wording.synonyms)));
            }
        };
        for (at, metric) in self.metrics.iter().enumerate() {
            look(One::Metric(at), &metric.source, (&metric.name, &metric.wording));
        }
        for (at, filter) in self.filters.iter().enumerate() {
            look(One::Filter(at), &filter.source, (&filter.name, &filter.wording));
        }
        for (table, dataset) in self.datasets.iter().enumerate() {
            for (at, field) in dataset.computed.iter().enumerate() {
                let called = (field.name.as_str(), &field.field.wording);
                look(One::Field(table, at), &field.source, called);
            }
        }
        let is_field = |one: &One| matches!(one, One::Field(..));
        let mut named = Named::default();
        for (one, spans) in &found {
            let stands_for_less = |span: &Span| {
                found.iter().any(|(other, others)| {
                    others.iter().any(|outer| {
                        let within = outer.0 <= span.0 && span.1 <= outer.1;
                        within && (span != outer || is_field(one) && !is_field(other))
                    })
                })
            };
            if spans.iter().all(stands_for_less) {
                continue;
            }
            match *one {
                One::Metric(at) => named.metrics.push(at),
                One::Filter(at) => named.filters.push(at),
                One::Field(table, at) => named.fields.push((table, at)),
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
    use crate::question::semantic::{Aggregate, Formula, Metric};

    #[test]
    fn the_longest_name_is_meant() {
        let metric = |name: &str, synonyms: &[&str], source: Provenance| Metric {
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
        let file = || Provenance::File("shop.yaml".into(), 3);
        let model = SemanticModel {
            metrics: vec![
                metric("order", &[], file()),
                metric("average_order", &["basket size"], file()),
                metric("customers", &[], Provenance::Inferred),
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
