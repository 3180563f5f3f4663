//! Whether the database would take what a file says: each expression as a query, through the same checks as an answer.

use serde_saphyr::Location;

use super::problem::Problem;
use crate::{
    analytic::{AnalyticQuery, List, Measure, Shown, Summary, compile},
    schema::Snapshot,
    semantic::{SemanticModel, Source},
    validator::{Finding, validate},
};

/// What is wrong with the metrics, filters and fields of a model that a file tells of. `files` are its tables with their
/// places.
pub(super) fn problems(
    snapshot: &Snapshot,
    model: &SemanticModel,
    tables: &[(usize, Location)],
) -> Vec<Problem> {
    let mut found = Vec::new();
    let mut judge = |name: &str, line: u64, query: AnalyticQuery| {
        let message = match compile(&query, snapshot, model) {
            Err(no_way) => Some(no_way.to_string()),
            Ok(sql) => validate(&sql, &snapshot.schema, snapshot.dialect)
                .err()
                .and_then(|findings| findings.into_iter().find(Finding::is_error))
                .map(|finding| finding.message),
        };
        if let Some(message) = message {
            found.push(Problem {
                line,
                column: 1,
                message: format!("{name}: {message}"),
            });
        }
    };
    for metric in &model.metrics {
        let Source::File(_, line) = metric.source else {
            continue;
        };
        let summary = Summary {
            measures: vec![Measure {
                name: metric.name.clone(),
                formula: metric.formula.clone(),
            }],
            ..Summary::default()
        };
        judge(&metric.name, line, AnalyticQuery::Summary(summary));
    }
    let list = |subject: usize| List {
        subject,
        ..List::default()
    };
    for filter in &model.filters {
        let Source::File(_, line) = filter.source else {
            continue;
        };
        let mut query = list(filter.dataset);
        query.shown = vec![Shown::Value(crate::semantic::Scalar::Number("1".to_owned()))];
        query.conditions = vec![filter.condition.clone()];
        judge(&filter.name, line, AnalyticQuery::List(query));
    }
    for (table, place) in tables {
        for field in &model.datasets[*table].computed {
            let mut query = list(*table);
            query.shown = vec![Shown::Value(field.value.clone())];
            judge(&field.name, place.line(), AnalyticQuery::List(query));
        }
    }
    found
}
