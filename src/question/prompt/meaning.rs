//! What people have told of a database that a question may need: metrics and filters with their SQL, other names, labels
//! of codes, instructions, and questions like it whose SQL is known. Nothing where there is no file of a model.

use std::collections::BTreeSet;

use super::{Example, Values, data};
use crate::question::{
    analytic::{condition_sql, formula_sql, scalar_sql},
    embedded::is_common,
    ossie::Understood,
    schema::{ColumnRef, words},
    semantic::{Provenance, Wording, stems},
};

/// Lines at most.
const MOST_LINES: usize = 24;
/// A model with no more metrics and filters than this is told whole: nobody asks for revenue in one wording.
const FEW: usize = 8;
/// Characters of a line.
const LONGEST: usize = 400;
/// Questions with their SQL at most.
const MOST_EXAMPLES: usize = 3;
/// How much of its words a known question must share with this one.
const LIKE: f64 = 0.34;
/// Labels of one column at most.
const MOST_LABELS: usize = 12;

/// What is told of a question beside the schema.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Meant {
    /// A line each.
    pub lines: Vec<String>,
    /// Questions like it.
    pub examples: Vec<Example>,
    /// The tables that the lines are about.
    pub tables: BTreeSet<usize>,
}

/// The part of a model that a question may need.
pub fn meant(question: &str, of: &Understood, values: Values) -> Meant {
    if !of.is_told() {
        return Meant::default();
    }
    let words: BTreeSet<String> = words::text_words(question)
        .iter()
        .filter(|word| !is_common(word))
        .flat_map(|word| stems(word))
        .collect();
    let mut teller = Teller {
        of,
        words,
        found: Vec::new(),
    };
    teller.definitions(question);
    teller.names();
    if values == Values::Send {
        teller.labels();
    }
    let mut found = teller.found;
    // The surest first; what is as sure stays in the model's order.
    found.sort_by(|one, other| other.worth.total_cmp(&one.worth));
    found.truncate(MOST_LINES);
    let instructions = &of.model.instructions;
    let instructions = instructions.iter().map(|text| data::line(text, LONGEST));
    Meant {
        tables: found.iter().map(|line| line.table).collect(),
        lines: instructions
            .chain(found.into_iter().map(|line| data::line(&line.text, LONGEST)))
            .collect(),
        examples: examples(question, of),
    }
}

/// Something that may be told.
struct Line {
    worth: f64,
    table: usize,
    text: String,
}

struct Teller<'a> {
    of: &'a Understood,
    /// Words of the question that say something.
    words: BTreeSet<String>,
    found: Vec<Line>,
}

impl Teller<'_> {
    /// How much of a name, or of the best of its synonyms, the question says, 0 to 1.
    fn said(&self, name: &str, wording: &Wording) -> f64 {
        let part = |name: &str| {
            let stems = stems(name);
            let said = stems.iter().filter(|stem| self.words.contains(*stem)).count();
            said as f64 / stems.len().max(1) as f64
        };
        let names = std::iter::once(name).chain(wording.synonyms.iter().map(String::as_str));
        names.map(part).fold(0.0, f64::max)
    }

    fn add(&mut self, worth: f64, table: usize, text: String, wording: &Wording) {
        let more = [&wording.description, &wording.instructions];
        let more: Vec<&str> = more.into_iter().flatten().map(|text| text.trim()).collect();
        let text = if more.is_empty() {
            text
        } else {
            format!("{text}. {}", more.join(" "))
        };
        self.found.push(Line { worth, table, text });
    }

    /// Metrics, filters and computed fields.
    fn definitions(&mut self, question: &str) {
        let (snapshot, model) = (&self.of.snapshot, &self.of.model);
        let told = |source: &Provenance| matches!(source, Provenance::File(..));
        let named = model.named_in(question);
        let metrics = model.metrics.iter().filter(|metric| told(&metric.source)).count();
        let filters = model.filters.iter().filter(|filter| told(&filter.source)).count();
        let few = metrics + filters <= FEW;
        for (at, metric) in model
            .metrics
            .iter()
            .enumerate()
            .filter(|(_, it)| told(&it.source))
        {
            let said = self.said(&metric.name, &metric.wording);
            let said = if named.metrics.contains(&at) { 2.0 } else { said };
            let Ok(sql) = formula_sql(&metric.formula, snapshot, model) else {
                continue;
            };
            if said > 0.0 || few {
                let text = format!("{} = {sql}", called(&metric.name, &metric.wording));
                self.add(said, metric.dataset, text, &metric.wording);
            }
        }
        for (at, filter) in model
            .filters
            .iter()
            .enumerate()
            .filter(|(_, it)| told(&it.source))
        {
            let said = self.said(&filter.name, &filter.wording);
            let said = if named.filters.contains(&at) { 2.0 } else { said };
            let Ok(sql) = condition_sql(&filter.condition, filter.dataset, snapshot, model) else {
                continue;
            };
            if said > 0.0 || few {
                let table = &snapshot.schema.tables[filter.dataset].name;
                let text = format!("{} (of {table}): {sql}", called(&filter.name, &filter.wording));
                self.add(said, filter.dataset, text, &filter.wording);
            }
        }
        for (table, dataset) in model.datasets.iter().enumerate() {
            let fields = dataset.computed.iter().enumerate();
            for (at, field) in fields.filter(|(_, field)| told(&field.source)) {
                let said = self.said(&field.name, &field.field.wording);
                let said = if named.fields.contains(&(table, at)) {
                    2.0
                } else {
                    said
                };
                let Ok(sql) = scalar_sql(&field.value, table, snapshot, model) else {
                    continue;
                };
                if said > 0.0 {
                    let name = called(&field.name, &field.field.wording);
                    let of = &snapshot.schema.tables[table].name;
                    self.add(
                        said,
                        table,
                        format!("{name} (of {of}) = {sql}"),
                        &field.field.wording,
                    );
                }
            }
        }
    }

    /// Other names of tables and columns that the question uses, and what is to be heeded with them.
    fn names(&mut self) {
        let schema = &self.of.snapshot.schema;
        for (at, (table, dataset)) in schema.tables.iter().zip(&self.of.model.datasets).enumerate() {
            let wording = &dataset.wording;
            let said = self.said(&table.name, wording);
            if said > 0.0 && *wording != Wording::default() {
                let text = format!("{} is a table", called(&table.name, wording));
                self.add(said, at, text, wording);
            }
            for (column, field) in table.columns.iter().zip(&dataset.fields) {
                let wording = &field.wording;
                let said = self.said(&column.name, wording);
                if said > 0.0 && *wording != Wording::default() {
                    let name = called(&format!("{}.{}", table.name, column.name), wording);
                    self.add(said, at, format!("{name} is a column"), wording);
                }
            }
        }
    }

    /// What codes stand for, where the question names a label or the column.
    fn labels(&mut self) {
        let schema = &self.of.snapshot.schema;
        for (at, column) in schema.columns() {
            let field = self.of.model.field(at);
            if field.labels.is_empty() {
                continue;
            }
            let label_said = |(_, label): &(String, String)| self.said(label, &Wording::default());
            let by_label = field.labels.iter().map(label_said).fold(0.0, f64::max);
            let said = by_label.max(self.said(&column.name, &field.wording));
            if said >= 1.0 {
                let text = self.labels_of(at);
                self.add(said, at.table, text, &Wording::default());
            }
        }
    }

    fn labels_of(&self, at: ColumnRef) -> String {
        let schema = &self.of.snapshot.schema;
        let labels = self.of.model.field(at).labels.iter().take(MOST_LABELS);
        let labels: Vec<String> = labels
            .map(|(code, label)| format!("'{code}' is {label}"))
            .collect();
        let (table, column) = (&schema.tables[at.table].name, &schema.column(at).name);
        format!("{table}.{column}: {}", labels.join(", "))
    }
}

/// A name with its others.
fn called(name: &str, wording: &Wording) -> String {
    match &wording.synonyms[..] {
        [] => name.to_owned(),
        synonyms => format!("{name} (also: {})", synonyms.join(", ")),
    }
}

/// The known questions that share the most words with this one.
fn examples(question: &str, of: &Understood) -> Vec<Example> {
    let words: BTreeSet<String> = stems(question).into_iter().collect();
    let mut found: Vec<(f64, &crate::question::semantic::VerifiedQuery)> = Vec::new();
    for query in &of.model.verified {
        let own: BTreeSet<String> = stems(&query.question).into_iter().collect();
        let shared = words.intersection(&own).count() as f64;
        let all = words.union(&own).count().max(1) as f64;
        if shared / all >= LIKE {
            found.push((shared / all, query));
        }
    }
    found.sort_by(|one, other| other.0.total_cmp(&one.0));
    let example = |query: &crate::question::semantic::VerifiedQuery| Example {
        question: data::line(&query.question, LONGEST),
        sql: data::text(&query.sql, LONGEST * 4),
    };
    found
        .into_iter()
        .take(MOST_EXAMPLES)
        .map(|(_, query)| example(query))
        .collect()
}
