//! The views of the semantic model: what a database means, as rows of text.

use serde::Serialize;

use super::{document::FieldKind, understood::Understood, write::data_type};
use crate::question::{
    analytic::{formula_sql, scalar_sql},
    schema::{ColumnRef, Dialect, Snapshot, Table},
    semantic::{ComputedField, Dataset, Field, FieldRole, Metric, Provenance, Wording},
};

/// A row of a view, a value for each column.
type ViewRow = Vec<Option<String>>;

/// What a database means, seen as a table.
#[derive(Debug)]
pub struct View {
    /// What its columns are called.
    pub columns: &'static [&'static str],
    /// The rows, each with a value for each column.
    pub rows: Vec<ViewRow>,
}

impl View {
    /// The tables and views, and what a row of each stands for.
    pub fn datasets(of: &Understood) -> Self {
        Self {
            columns: &[
                "schema",
                "name",
                "role",
                "display_columns",
                "time_column",
                "end_column",
                "description",
            ],
            rows: datasets(of),
        }
    }

    /// The columns and what is computed of them.
    pub fn fields(of: &Understood) -> Self {
        Self {
            columns: &[
                "schema",
                "dataset",
                "name",
                "type",
                "role",
                "additivity",
                "unit",
                "expression",
                "labels",
                "description",
            ],
            rows: fields(of),
        }
    }

    /// Primary and foreign keys, those that the database declares and those that were inferred.
    pub fn keys(of: &Understood) -> Self {
        Self {
            columns: &["schema", "dataset", "kind", "columns", "refers_to", "source"],
            rows: keys(of),
        }
    }

    /// What can be measured.
    pub fn metrics(of: &Understood) -> Self {
        Self {
            columns: &["schema", "dataset", "name", "expression", "description", "source"],
            rows: metrics(of),
        }
    }

    /// Other names of all of these.
    pub fn synonyms(of: &Understood) -> Self {
        Self {
            columns: &["schema", "dataset", "kind", "name", "synonym"],
            rows: synonyms(of),
        }
    }

    /// What the columns hold of the tables of this name, with their schema or without.
    pub fn contents(of: &Snapshot, name: &str) -> Self {
        Self {
            columns: &[
                "schema",
                "dataset",
                "name",
                "basis",
                "rows",
                "null_share",
                "distinct_values",
                "lowest",
                "highest",
                "common_values",
                "complete",
            ],
            rows: contents(of, name),
        }
    }
}

/// The schema and the name of a table. Where a server finds the table without a schema, none is told.
fn place(of: &Snapshot, table: usize) -> [Option<String>; 2] {
    let stored = &of.schema.tables[table];
    let file = (of.dialect == Dialect::Sqlite).then(|| "public".to_owned());
    [stored.schema.clone().or(file), Some(stored.name.clone())]
}

/// The word that the files have for something.
fn word(value: impl Serialize) -> Option<String> {
    serde_json::to_value(value).ok()?.as_str().map(str::to_owned)
}

/// Each table as it is stored and as it is understood, with its number.
fn datasets_of(of: &Understood) -> impl Iterator<Item = (usize, (&Table, &Dataset))> {
    let tables = of.snapshot.schema.tables.iter();
    tables.zip(&of.model.datasets).enumerate()
}

fn datasets(of: &Understood) -> Vec<ViewRow> {
    let row = |(table, (stored, known)): (usize, (&Table, &Dataset))| {
        let name = |at: &usize| stored.columns[*at].name.clone();
        let display: Vec<String> = known.display.iter().map(name).collect();
        let mut row = place(&of.snapshot, table).to_vec();
        row.extend([
            word(known.role),
            (!display.is_empty()).then(|| display.join(", ")),
            known.time.as_ref().map(name),
            known.end.as_ref().map(name),
            known
                .wording
                .description
                .clone()
                .or_else(|| stored.comment.clone()),
        ]);
        row
    };
    datasets_of(of).map(row).collect()
}

fn fields(of: &Understood) -> Vec<ViewRow> {
    let mut rows = vec![];
    for (table, (stored, known)) in datasets_of(of) {
        for (column, field) in stored.columns.iter().zip(&known.fields) {
            rows.push(field_row(
                of,
                table,
                (&column.name, &column.declared_type),
                field,
                (None, column.comment.as_ref()),
            ));
        }
        for ComputedField {
            name,
            value,
            kind,
            field,
            ..
        } in &known.computed
        {
            let sql = scalar_sql(value, table, &of.snapshot, &of.model).ok();
            rows.push(field_row(of, table, (name, data_type(*kind)), field, (sql, None)));
        }
    }
    rows
}

fn field_row(
    of: &Understood,
    table: usize,
    (name, kind): (&str, &str),
    field: &Field,
    (expression, comment): (Option<String>, Option<&String>),
) -> ViewRow {
    let additivity = match field.role {
        FieldRole::Measure(additivity) => Some(additivity),
        _ => None,
    };
    let labels: Vec<String> = field
        .labels
        .iter()
        .map(|(code, label)| format!("{code} = {label}"))
        .collect();
    let mut row = place(&of.snapshot, table).to_vec();
    row.extend([
        Some(name.to_owned()),
        (!kind.is_empty()).then(|| kind.to_owned()),
        word(FieldKind::from(field.role)),
        additivity.and_then(word),
        field.unit.clone(),
        expression,
        (!labels.is_empty()).then(|| labels.join(", ")),
        field.wording.description.clone().or_else(|| comment.cloned()),
    ]);
    row
}

fn keys(of: &Understood) -> Vec<ViewRow> {
    let schema = &of.snapshot.schema;
    let listed = |table: usize, columns: &[usize]| {
        let names = columns
            .iter()
            .map(|at| schema.tables[table].columns[*at].name.as_str());
        names.collect::<Vec<_>>().join(", ")
    };
    let row = |table: usize, kind: &str, told: [Option<String>; 2], declared: bool| {
        let [columns, refers_to] = told;
        let source = if declared { "declared" } else { "inferred" };
        let mut row = place(&of.snapshot, table).to_vec();
        row.extend([Some(kind.to_owned()), columns, refers_to, Some(source.to_owned())]);
        row
    };
    let primary = schema.tables.iter().enumerate();
    let primary = primary.filter(|(_, stored)| !stored.primary_key.is_empty());
    let primary = primary.map(|(table, stored)| {
        let columns = listed(table, &stored.primary_key);
        row(table, "primary", [Some(columns), None], true)
    });
    let foreign = schema.foreign_keys.iter().filter_map(|key| {
        let (from, to) = (key.from.first()?.table, key.to.first()?.table);
        let side = |columns: &[ColumnRef]| columns.iter().map(|column| column.column).collect::<Vec<_>>();
        let refers_to = format!("{} ({})", schema.tables[to].name, listed(to, &side(&key.to)));
        let columns = listed(from, &side(&key.from));
        Some(row(
            from,
            "foreign",
            [Some(columns), Some(refers_to)],
            key.declared,
        ))
    });
    primary.chain(foreign).collect()
}

fn metrics(of: &Understood) -> Vec<ViewRow> {
    let metrics = of.model.metrics.iter();
    let row = |metric: &Metric| {
        let mut row = place(&of.snapshot, metric.dataset).to_vec();
        row.extend([
            Some(metric.name.clone()),
            formula_sql(&metric.formula, &of.snapshot, &of.model).ok(),
            metric.wording.description.clone(),
            Some(match &metric.source {
                Provenance::Inferred => "inferred".to_owned(),
                Provenance::File(file, line) => format!("{file}:{line}"),
            }),
        ]);
        row
    };
    metrics.map(row).collect()
}

fn synonyms(of: &Understood) -> Vec<ViewRow> {
    let mut rows = vec![];
    let mut add = |table: usize, kind: &str, name: &str, wording: &Wording| {
        for synonym in &wording.synonyms {
            let mut row = place(&of.snapshot, table).to_vec();
            row.extend([kind, name, synonym].map(|word| Some(word.to_owned())));
            rows.push(row);
        }
    };
    for (table, (stored, known)) in datasets_of(of) {
        add(table, "dataset", &stored.name, &known.wording);
        for (column, field) in stored.columns.iter().zip(&known.fields) {
            add(table, "field", &column.name, &field.wording);
        }
        for computed in &known.computed {
            add(table, "field", &computed.name, &computed.field.wording);
        }
    }
    for metric in &of.model.metrics {
        add(metric.dataset, "metric", &metric.name, &metric.wording);
    }
    for filter in &of.model.filters {
        add(filter.dataset, "filter", &filter.name, &filter.wording);
    }
    rows
}

fn contents(of: &Snapshot, name: &str) -> Vec<ViewRow> {
    let mut rows = vec![];
    for (table, stored) in of.schema.tables.iter().enumerate() {
        let [schema, own] = place(of, table);
        if !stored.is_called(name) {
            continue;
        }
        for (column, told) in stored.columns.iter().zip(of.contents(table)) {
            let values = serde_json::to_string(&told.values).ok();
            rows.push(vec![
                schema.clone(),
                own.clone(),
                Some(column.name.clone()),
                word(told.basis),
                told.rows.map(|rows| rows.to_string()),
                told.null_share.map(|share| format!("{share:.4}")),
                told.distinct.map(|distinct| distinct.to_string()),
                told.lowest,
                told.highest,
                values.filter(|_| !told.values.is_empty()),
                Some(told.complete.to_string()),
            ]);
        }
    }
    rows
}
