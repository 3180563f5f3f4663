//! What metrics, filters, labels and other names of the model are called.

use super::{
    super::likeness::Wording,
    items::{Linker, Meaning, Sense},
    names::KEPT_AS,
};
use crate::question::{
    schema::{ColumnRef, words},
    semantic::{
        Aggregate, Comparison, Condition, Formula, NamedFilter, Operand, Provenance, Scalar, SemanticModel,
        heading,
    },
};

/// What metrics and filters are called. A count of a table's rows is called as the table is.
pub(super) fn called(model: &SemanticModel) -> Vec<(Meaning, Vec<Wording>)> {
    let words = |name: &str| -> Vec<Wording> {
        words::identifier_words(name)
            .iter()
            .map(|word| Wording::of(word))
            .collect()
    };
    let mut found = Vec::new();
    for (at, metric) in model.metrics.iter().enumerate() {
        let counts = matches!(
            &metric.formula,
            Formula::Rows { aggregate: Aggregate::Count, conditions, .. } if conditions.is_empty()
        );
        let meaning = if counts {
            Meaning::Dataset(metric.dataset)
        } else {
            Meaning::Metric(at)
        };
        for name in std::iter::once(&metric.name).chain(&metric.wording.synonyms) {
            found.push((meaning.clone(), words(name)));
        }
    }
    for (at, filter) in model.filters.iter().enumerate() {
        if says_label(model, filter) {
            continue;
        }
        for name in std::iter::once(&filter.name).chain(&filter.wording.synonyms) {
            found.push((Meaning::Filter(at), words(name)));
        }
    }
    for (table, dataset) in model.datasets.iter().enumerate() {
        for name in &dataset.wording.synonyms {
            found.push((Meaning::Dataset(table), words(name)));
        }
        for (column, field) in dataset.fields.iter().enumerate() {
            let at = ColumnRef { table, column };
            for name in &field.wording.synonyms {
                found.push((Meaning::Field(at), words(name)));
            }
            // A label stands for the code that is stored.
            for (code, label) in &field.labels {
                found.push((Meaning::Value(at, code.as_str().into()), words(heading(label))));
            }
        }
    }
    found
}

/// True for a filter that was made of a code's label.
fn says_label(model: &SemanticModel, filter: &NamedFilter) -> bool {
    let Condition::Compare(Scalar::Column(of), Comparison::Equal, code) = &filter.condition else {
        return false;
    };
    let (Operand::Text(code) | Operand::Number(code)) = code else {
        return false;
    };
    let labels = &model.datasets[filter.dataset].fields[of.column].labels;
    filter.source == Provenance::Inferred
        && of.way.hops.is_empty()
        && labels.iter().any(|(known, _)| known == code)
}

impl Linker<'_> {
    /// `quotes` are no leads that were quoted, where quotes are kept: a thing is no state that something got by it.
    pub(super) fn not_done(&self, word: usize, senses: &mut Vec<Sense>) {
        let is_thing = |sense: &Sense| matches!(sense.meaning, Meaning::Dataset(_)) && sense.score >= KEPT_AS;
        if is_done(&self.tokens[word].word) || !senses.iter().any(is_thing) {
            return;
        }
        let says_done = |meaning: &Meaning| {
            let mut own = self.called.iter().filter(|(known, _)| known == meaning);
            own.any(|(_, name)| matches!(&name[..], [only] if is_done(&only.text)))
        };
        senses.retain(|sense| match sense.meaning {
            Meaning::Filter(_) | Meaning::Value(..) => !says_done(&sense.meaning),
            _ => true,
        });
    }
}

/// True for a word of what was done.
fn is_done(word: &str) -> bool {
    word.len() > 4 && word.ends_with("ed")
}
