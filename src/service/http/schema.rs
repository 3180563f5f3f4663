//! The schema and the semantic model as the user of a connection may see them: the views that every client finds in the
//! schema `semantic`.

use std::collections::BTreeMap;

use serde::Serialize;

use super::asking::{Asking, Failed, ResultTable};

/// A row with the names of its columns.
type Named = BTreeMap<String, Option<String>>;

/// What the database means.
#[derive(Debug, Serialize)]
pub(super) struct Schema {
    datasets: Vec<Named>,
    fields: Vec<Named>,
    keys: Vec<Named>,
    metrics: Vec<Named>,
    synonyms: Vec<Named>,
}

/// Reads the views.
pub(super) async fn read(asking: &Asking) -> Result<Schema, Failed> {
    let view = async |name: &str| -> Result<Vec<Named>, Failed> {
        let rows = asking.run(&format!("SELECT * FROM semantic.{name};")).await?;
        Ok(named(rows))
    };
    Ok(Schema {
        datasets: view("datasets").await?,
        fields: view("fields").await?,
        keys: view("keys").await?,
        metrics: view("metrics").await?,
        synonyms: view("synonyms").await?,
    })
}

fn named(rows: ResultTable) -> Vec<Named> {
    let ResultTable { columns, rows, .. } = rows;
    let named = rows
        .into_iter()
        .map(|row| columns.iter().cloned().zip(row).collect());
    named.collect()
}
