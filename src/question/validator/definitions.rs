//! What a question names that people have defined, and whether a statement follows the definition.

use std::collections::BTreeSet;

use super::{Resolved, inspect};
use crate::question::{
    analytic::{
        AnalyticQuery, List, Measure, Shown, Summary, compile, condition_sql, formula_sql, scalar_sql,
    },
    schema::{ColumnRef, Snapshot},
    semantic::{Provenance, Scalar, SemanticModel, Wording},
};

/// A metric, a named filter or a computed field of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Definition {
    /// What it is called.
    pub name: String,
    /// What it is, as SQL.
    pub sql: String,
    /// What people say of it.
    pub description: Option<String>,
    /// The file and the line that says so.
    pub source: Provenance,
    /// True for a condition, false for what is computed.
    pub is_filter: bool,
    /// True if the statement reads all that the definition is made of.
    pub followed: bool,
}

/// The definitions that a question names, beside a statement that should answer it.
pub fn definitions(
    question: &str,
    resolved: &Resolved,
    snapshot: &Snapshot,
    model: &SemanticModel,
) -> Vec<Definition> {
    let named = model.named_in(question);
    let metrics = named.metrics.iter().filter_map(|at| {
        let metric = model.metrics.get(*at)?;
        let query = AnalyticQuery::Summary(Summary {
            measures: vec![Measure {
                name: metric.name.clone(),
                formula: metric.formula.clone(),
            }],
            ..Summary::default()
        });
        Some(Definition {
            sql: formula_sql(&metric.formula, snapshot, model).ok()?,
            followed: reads(resolved, &query, snapshot, model)?,
            is_filter: false,
            ..definition(&metric.name, &metric.wording, &metric.source)
        })
    });
    let filters = named.filters.iter().filter_map(|at| {
        let filter = model.filters.get(*at)?;
        let query = AnalyticQuery::List(List {
            subject: filter.dataset,
            shown: vec![Shown::Value(Scalar::Number("1".to_owned()))],
            conditions: vec![filter.condition.clone()],
            ..List::default()
        });
        Some(Definition {
            sql: condition_sql(&filter.condition, filter.dataset, snapshot, model).ok()?,
            followed: reads(resolved, &query, snapshot, model)?,
            is_filter: true,
            ..definition(&filter.name, &filter.wording, &filter.source)
        })
    });
    let fields = named.fields.iter().filter_map(|(table, at)| {
        let field = model.datasets.get(*table)?.computed.get(*at)?;
        let query = AnalyticQuery::List(List {
            subject: *table,
            shown: vec![Shown::Value(field.value.clone())],
            ..List::default()
        });
        Some(Definition {
            sql: scalar_sql(&field.value, *table, snapshot, model).ok()?,
            followed: reads(resolved, &query, snapshot, model)?,
            is_filter: false,
            ..definition(&field.name, &field.field.wording, &field.source)
        })
    });
    metrics.chain(filters).chain(fields).collect()
}

fn definition(name: &str, wording: &Wording, source: &Provenance) -> Definition {
    Definition {
        name: name.to_owned(),
        sql: String::new(),
        description: wording.description.clone(),
        source: source.clone(),
        is_filter: false,
        followed: false,
    }
}

/// True if a statement reads every table and every column that a query reads, but for columns of keys: there is more
/// than one way to join. `None` for a query that is none.
fn reads(
    resolved: &Resolved,
    query: &AnalyticQuery,
    snapshot: &Snapshot,
    model: &SemanticModel,
) -> Option<bool> {
    let schema = &snapshot.schema;
    let sql = compile(query, snapshot, model).ok()?;
    let defined = inspect(&sql, schema, snapshot.dialect).resolved?;
    let read: BTreeSet<ColumnRef> = resolved.columns.iter().copied().collect();
    let is_key = |at: &ColumnRef| {
        schema.tables[at.table].primary_key.contains(&at.column)
            || schema
                .foreign_keys
                .iter()
                .any(|key| key.from.contains(at) || key.to.contains(at))
    };
    let mut columns = defined.columns.iter().filter(|at| !is_key(at));
    let tables = || defined.tables.iter().all(|table| resolved.tables.contains(table));
    Some(tables() && columns.all(|at| read.contains(at)))
}

impl Definition {
    /// The name of the file that it is from, without its folder.
    pub fn file(&self) -> &str {
        match &self.source {
            Provenance::File(file, _) => file.rsplit('/').next().unwrap_or(file),
            Provenance::Inferred => "the database",
        }
    }
}
