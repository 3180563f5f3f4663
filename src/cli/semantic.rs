//! `querent semantic`: what a database is about, as it is inferred and as people have corrected it.

use std::{
    borrow::Cow,
    io::{self, Write},
    process::ExitCode,
};

use clap::Subcommand;
use serde_json::json;

use super::{
    Failure,
    database::Database,
    output::{plain_table, write_table},
    runtime,
    target::Target,
};
use crate::{
    analytic,
    config::Settings,
    error::visible,
    schema::{ColumnRef, Snapshot},
    semantic::{self, SemanticModel},
};

/// The semantic model: what tables and columns mean
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Show(Show),
}

/// Print the model that is inferred from a database
///
/// Reads the schema, its comments, and samples of the rows. Nothing is written.
#[derive(Debug, clap::Args)]
struct Show {
    /// The database: sqlite:PATH or postgres://[user[:password]@]host[:port][/db]
    backend: Target,
    /// The form of the output
    #[arg(long, value_enum, default_value = "table")]
    format: Format,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    /// For people
    Table,
    /// One object
    Json,
}

pub(super) fn run(arguments: &Arguments, settings: &Settings) -> Result<ExitCode, Failure> {
    let Command::Show(show) = &arguments.command;
    let snapshot = runtime()?.block_on(async {
        let database = Database::open(&show.backend, settings).await?;
        Ok::<_, Failure>(database.backend().snapshot().await?)
    })?;
    let model = semantic::infer(&semantic::Evidence {
        schema: &snapshot.schema,
        profile: &snapshot.profile,
    });
    let mut out = io::stdout().lock();
    match show.format {
        Format::Table => print(&snapshot, &model, &mut out)?,
        Format::Json => {
            serde_json::to_writer_pretty(&mut out, &object(&snapshot, &model)).map_err(io::Error::from)?;
            writeln!(out)?;
        }
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

fn print(snapshot: &Snapshot, model: &SemanticModel, out: &mut impl Write) -> io::Result<()> {
    let mut rows = plain_table();
    rows.set_header(["table", "is", "column", "serves for", "notes"]);
    for (table, dataset) in snapshot.schema.tables.iter().zip(&model.datasets) {
        for (at, (column, field)) in table.columns.iter().zip(&dataset.fields).enumerate() {
            let mut notes = Vec::new();
            if dataset.display.contains(&at) {
                notes.push("shown".to_owned());
            }
            if dataset.time == Some(at) {
                notes.push("main time".to_owned());
            }
            if dataset.end == Some(at) {
                notes.push("end".to_owned());
            }
            notes.extend(field.format.map(|format| format!("{format:?}")));
            notes.extend(field.unit.iter().map(|unit| format!("in {unit}")));
            notes.extend(
                field
                    .labels
                    .iter()
                    .map(|(code, label)| format!("{code} = {label}")),
            );
            let first = at == 0;
            rows.add_row([
                visible(if first { &table.name } else { "" }),
                Cow::Owned(if first {
                    format!("{:?}", dataset.role).to_lowercase()
                } else {
                    String::new()
                }),
                visible(&column.name),
                Cow::Owned(format!("{:?}", field.role).to_lowercase()),
                visible(&notes.join(", ")).into_owned().into(),
            ]);
        }
    }
    write_table(out, &rows)?;
    let schema = &snapshot.schema;
    let mut relationships = plain_table();
    relationships.set_header(["relationship", "to", "as", "notes"]);
    for (key, relationship) in schema.foreign_keys.iter().zip(&model.relationships) {
        let notes = [
            (!key.declared).then_some("inferred"),
            relationship.one_to_one.then_some("one to one"),
            relationship.optional.then_some("optional"),
        ];
        let notes: Vec<&str> = notes.into_iter().flatten().collect();
        relationships.add_row([
            visible(&place(snapshot, &key.from)),
            visible(&place(snapshot, &key.to)),
            visible(relationship.role.as_deref().unwrap_or_default()),
            notes.join(", ").into(),
        ]);
    }
    let mut named = plain_table();
    named.set_header(["metric or filter", "of", "is"]);
    for metric in &model.metrics {
        let sql = analytic::formula_sql(&metric.formula, snapshot, model).unwrap_or_default();
        named.add_row([&metric.name, &schema.tables[metric.dataset].name, &sql].map(|text| visible(text)));
    }
    for filter in &model.filters {
        let sql =
            analytic::condition_sql(&filter.condition, filter.dataset, snapshot, model).unwrap_or_default();
        named.add_row([&filter.name, &schema.tables[filter.dataset].name, &sql].map(|text| visible(text)));
    }
    for columns in &model.hierarchies {
        let names: Vec<&str> = columns
            .iter()
            .map(|at| schema.column(*at).name.as_str())
            .collect();
        let table = &schema.tables[columns[0].table].name;
        named.add_row([
            visible("hierarchy"),
            visible(table),
            visible(&names.join(" > ")).into_owned().into(),
        ]);
    }
    for table in [&relationships, &named] {
        writeln!(out)?;
        write_table(out, table)?;
    }
    Ok(())
}

fn place(snapshot: &Snapshot, columns: &[ColumnRef]) -> String {
    let names: Vec<&str> = columns
        .iter()
        .map(|at| snapshot.schema.column(*at).name.as_str())
        .collect();
    format!(
        "{}.{}",
        snapshot.schema.tables[columns[0].table].name,
        names.join("+")
    )
}

fn object(snapshot: &Snapshot, model: &SemanticModel) -> serde_json::Value {
    let datasets = snapshot
        .schema
        .tables
        .iter()
        .zip(&model.datasets)
        .map(|(table, dataset)| {
            let name = |at: usize| table.columns[at].name.clone();
            json!({
                "name": table.name,
                "role": format!("{:?}", dataset.role).to_lowercase(),
                "display": dataset.display.iter().map(|&at| name(at)).collect::<Vec<_>>(),
                "time": dataset.time.map(name),
                "end": dataset.end.map(name),
                "fields": table.columns.iter().zip(&dataset.fields).map(|(column, field)| {
                    json!({"name": column.name, "role": format!("{:?}", field.role).to_lowercase()})
                }).collect::<Vec<_>>(),
            })
        });
    let relationships = snapshot.schema.foreign_keys.iter().map(|key| {
        json!({"from": place(snapshot, &key.from), "to": place(snapshot, &key.to), "declared": key.declared})
    });
    json!({"datasets": datasets.collect::<Vec<_>>(), "relationships": relationships.collect::<Vec<_>>()})
}
