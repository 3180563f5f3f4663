//! Whether the database would take what a file says: each expression as a query, through the same checks as an answer.

use std::sync::Arc;

use super::problem::Problem;
use crate::question::{
    analytic::{AnalyticQuery, List, Measure, Shown, Summary, compile},
    schema::Snapshot,
    semantic::{Metric, Provenance, Scalar, SemanticModel},
    validator::{Finding, validate},
};

/// Why SQL is none of this database, or must not run; `None` where it may.
pub fn refused(sql: &str, snapshot: &Snapshot) -> Option<String> {
    let findings = validate(sql, &snapshot.schema, snapshot.dialect).err()?;
    let first = findings.into_iter().find(Finding::is_error);
    first.map(|finding| finding.message)
}

/// Takes the metrics, filters and computed fields of files out of a model that cannot be computed, and tells why.
pub(super) fn leave_out(snapshot: &Snapshot, model: &mut SemanticModel) -> Vec<Problem> {
    let mut found = Vec::new();
    let mut works = |name: &str, source: &Provenance, query: AnalyticQuery| {
        let Provenance::File(file, line) = source else {
            return true;
        };
        let message = match compile(&query, snapshot, model) {
            Err(no_way) => Some(no_way.to_string()),
            Ok(sql) => refused(&sql, snapshot),
        };
        let Some(message) = message else { return true };
        found.push(Problem {
            file: Some(Arc::clone(file)),
            line: *line,
            column: 1,
            message: format!("{name}: {message}"),
        });
        false
    };
    let summary = |metric: &Metric| {
        AnalyticQuery::Summary(Summary {
            measures: vec![Measure {
                name: metric.name.clone(),
                formula: metric.formula.clone(),
            }],
            ..Summary::default()
        })
    };
    let list = |subject: usize, value: Scalar| List {
        subject,
        shown: vec![Shown::Value(value)],
        ..List::default()
    };
    let metrics: Vec<bool> = model
        .metrics
        .iter()
        .map(|metric| works(&metric.name, &metric.source, summary(metric)))
        .collect();
    let filters: Vec<bool> = model
        .filters
        .iter()
        .map(|filter| {
            let query = List {
                conditions: vec![filter.condition.clone()],
                ..list(filter.dataset, Scalar::Number("1".to_owned()))
            };
            works(&filter.name, &filter.source, AnalyticQuery::List(query))
        })
        .collect();
    let mut fields = Vec::new();
    for (table, dataset) in model.datasets.iter().enumerate() {
        for field in &dataset.computed {
            let query = AnalyticQuery::List(list(table, field.value.clone()));
            fields.push(works(&field.name, &field.source, query));
        }
    }
    let (mut metrics, mut filters, mut fields) =
        (metrics.into_iter(), filters.into_iter(), fields.into_iter());
    model.metrics.retain(|_| metrics.next().unwrap_or(true));
    model.filters.retain(|_| filters.next().unwrap_or(true));
    for dataset in &mut model.datasets {
        dataset.computed.retain(|_| fields.next().unwrap_or(true));
    }
    found
}
