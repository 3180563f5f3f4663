//! Metric queries against those of `MetricFlow` over the same models and rows, on both databases:
//! `tests/semantic/metricflow/queries.json` holds its results.

use std::path::PathBuf;

use querent::question::{
    analytic::compile,
    ossie::{FileModel, MetricQuery, ModelFile, Understood, analytic, apply},
    schema::Snapshot,
    validator::validate,
};
use rusqlite::types::ValueRef;
use serde::Deserialize;
use serde_json::Value;

use crate::postgres::server::PostgresServer;

const MODELS: [&str; 3] = ["shop", "subscriptions", "clinic"];
/// Queries that must be answered with the same rows; more than asked for, and not to become fewer.
const AT_LEAST: usize = 175;

/// What is different on purpose: here a count of nothing is 0, also where metrics are made of it.
const ZERO_IS_ZERO: &str = "net_subscriptions";

#[derive(Debug, Deserialize)]
struct Query {
    model: String,
    metrics: Vec<String>,
    /// `None` where it cannot be asked here.
    by: Option<Vec<String>>,
    filters: Vec<String>,
    /// The first day, and the day after the last.
    period: (Option<String>, Option<String>),
    order: Vec<String>,
    limit: Option<u64>,
    rows: Vec<Vec<Value>>,
}

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/semantic/metricflow")
}

fn text(model: &str, file: &str) -> String {
    std::fs::read_to_string(folder().join(model).join(file)).unwrap()
}

fn day(text: &str) -> jiff::civil::Date {
    text.parse().unwrap()
}

/// The tables and rows of a model, with the days that all of them count by.
fn data(model: &str) -> String {
    let days = std::fs::read_to_string(folder().join("days.sql")).unwrap();
    text(model, "data.sql") + &days
}

/// The model of a file of dbt's over a database, and the metrics that it leaves out.
fn understood(model: &str, snapshot: &Snapshot) -> (Understood, Vec<String>) {
    let file = ModelFile::read("models.yml", &text(model, "models.yml")).unwrap();
    let told = FileModel {
        file: &file.name,
        model: file.model_of("any").unwrap(),
    };
    let (understood, problems) = apply(&[told], snapshot);
    assert!(problems.is_empty(), "{model}: {problems:?}");
    let name = |told: &String| told.split(':').next().unwrap_or_default().to_owned();
    (understood, file.left_out.iter().map(name).collect())
}

/// Compares the rows of all queries over one model, and counts those that were compared.
fn compare(
    model: &str,
    snapshot: &Snapshot,
    run: &mut dyn FnMut(&str) -> Vec<Vec<Option<String>>>,
) -> (usize, Vec<String>) {
    let queries = std::fs::read_to_string(folder().join("queries.json")).unwrap();
    let queries: Vec<Query> = serde_json::from_str(&queries).unwrap();
    let (understood, left_out) = understood(model, snapshot);
    let (mut compared, mut wrong) = (0, Vec::new());
    for query in queries.iter().filter(|query| query.model == model) {
        let Some(by) = &query.by else { continue };
        let on_purpose = query.metrics.iter().any(|metric| metric == ZERO_IS_ZERO);
        if on_purpose
            || query.metrics.is_empty()
            || query.metrics.iter().any(|metric| left_out.contains(metric))
        {
            continue;
        }
        let asked = MetricQuery {
            metrics: query.metrics.clone(),
            by: by.clone(),
            filters: query.filters.clone(),
            from: query.period.0.as_deref().map(day),
            to: query.period.1.as_deref().map(day),
            order: query.order.clone(),
            limit: query.limit,
        };
        let sql = analytic(&asked, &understood).and_then(|asked| {
            compile(&asked, &understood.snapshot, &understood.model).map_err(|error| error.to_string())
        });
        let sql = match sql {
            Ok(sql) => sql,
            Err(told) => {
                wrong.push(format!("{query:?}: {told}"));
                continue;
            }
        };
        let sql = validate(&sql, &understood.snapshot.schema, understood.snapshot.dialect)
            .unwrap_or_else(|findings| panic!("{sql}: {findings:?}"));
        let grains: Vec<Option<&str>> = by
            .iter()
            .map(|by| by.split_once(':').map(|(_, grain)| grain))
            .collect();
        let found = run(sql.as_str());
        let found = found.iter().map(|row| {
            row.iter()
                .enumerate()
                .map(|(at, cell)| plain(cell.as_deref(), grain(&grains, at), at >= by.len()))
        });
        let expected = query.rows.iter().map(|row| {
            row.iter().enumerate().map(|(at, cell)| {
                let cell = match cell {
                    Value::Null => None,
                    Value::String(text) => Some(text.clone()),
                    other => Some(other.to_string()),
                };
                plain(cell.as_deref(), grain(&grains, at), at >= by.len())
            })
        });
        let mut found: Vec<Vec<String>> = found.map(Iterator::collect).collect();
        let mut expected: Vec<Vec<String>> = expected.map(Iterator::collect).collect();
        // Where an order is given it is total with a limit, and may tie, or have NULLs in it, without.
        if query.limit.is_none() || query.order.is_empty() {
            found.sort();
            expected.sort();
        }
        compared += 1;
        if found != expected {
            wrong.push(format!("{query:?}\n{}\n{found:?}\n{expected:?}", sql.as_str()));
        }
    }
    (compared, wrong)
}

fn grain<'g>(grains: &[Option<&'g str>], at: usize) -> Option<&'g str> {
    grains.get(at).copied().flatten()
}

/// A value in a form that does not depend on the database; a missing measure is 0, as a count of nothing is.
fn plain(cell: Option<&str>, grain: Option<&str>, measure: bool) -> String {
    let Some(cell) = cell else {
        return if measure { "0.00000" } else { "NULL" }.to_owned();
    };
    let number = match cell {
        "true" | "t" => Some(1.0),
        "false" | "f" => Some(0.0),
        cell => cell.parse::<f64>().ok(),
    };
    if let Some(number) = number {
        return format!("{number:.5}");
    }
    let day = cell.get(..10).unwrap_or(cell);
    match (grain, day.split('-').collect::<Vec<_>>().as_slice()) {
        (Some("month"), [year, month, ..]) => format!("{year}-{month}"),
        (Some("quarter"), [year, month, _]) => {
            format!("{year}-Q{}", month.parse::<u32>().unwrap().div_ceil(3))
        }
        (Some("year"), [year, ..]) => format!("{:.5}", year.parse::<f64>().unwrap()),
        (Some("day" | "week"), _) => day.to_owned(),
        _ => cell.to_owned(),
    }
}

fn judge(found: Vec<(usize, Vec<String>)>) {
    let compared: usize = found.iter().map(|(compared, _)| compared).sum();
    let wrong: Vec<String> = found.into_iter().flat_map(|(_, wrong)| wrong).collect();
    assert!(
        wrong.is_empty(),
        "{} of {compared} differ:\n{}",
        wrong.len(),
        wrong.join("\n\n")
    );
    assert!(compared >= AT_LEAST, "only {compared} were compared");
}

#[tokio::test]
async fn on_sqlite_metrics_are_those_of_metricflow() {
    let folder = tempfile::tempdir().unwrap();
    let mut each = Vec::new();
    for model in MODELS {
        let file = folder.path().join(format!("{model}.db"));
        let connection = rusqlite::Connection::open(&file).unwrap();
        connection.execute_batch(&data(model)).unwrap();
        let snapshot = super::sqlite_snapshot(&file).await;
        each.push(compare(model, &snapshot, &mut |sql| {
            let mut statement = connection.prepare(sql).unwrap();
            let width = statement.column_count();
            let mut rows = statement.query([]).unwrap();
            let mut found = Vec::new();
            while let Some(row) = rows.next().unwrap() {
                let cell = |at| match row.get_ref(at).unwrap() {
                    ValueRef::Null => None,
                    ValueRef::Integer(number) => Some(number.to_string()),
                    ValueRef::Real(number) => Some(number.to_string()),
                    ValueRef::Text(text) | ValueRef::Blob(text) => {
                        Some(String::from_utf8_lossy(text).into_owned())
                    }
                };
                found.push((0..width).map(cell).collect());
            }
            found
        }));
    }
    judge(each);
}

#[tokio::test(flavor = "multi_thread")]
async fn on_postgres_metrics_are_those_of_metricflow() {
    let Some(server) = PostgresServer::start() else {
        return;
    };
    let mut each = Vec::new();
    for model in MODELS {
        super::client(&server, "postgres")
            .await
            .batch_execute(&format!("CREATE DATABASE {model}"))
            .await
            .unwrap();
        let client = super::client(&server, model).await;
        client.batch_execute(&data(model)).await.unwrap();
        let snapshot = super::postgres_snapshot(&server, model).await;
        let runtime = tokio::runtime::Handle::current();
        each.push(tokio::task::block_in_place(|| {
            compare(model, &snapshot, &mut |sql| {
                let messages = runtime
                    .block_on(client.simple_query(sql))
                    .unwrap_or_else(|error| panic!("{sql}: {error:?}"));
                let row = |message| match message {
                    tokio_postgres::SimpleQueryMessage::Row(row) => {
                        Some((0..row.len()).map(|at| row.get(at).map(str::to_owned)).collect())
                    }
                    _ => None,
                };
                messages.into_iter().filter_map(row).collect()
            })
        }));
    }
    judge(each);
}
