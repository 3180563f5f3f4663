//! A semantic model for people.

use std::{
    borrow::Cow,
    io::{self, Write},
};

use super::super::output::{plain_table, write_table};
use crate::{
    error::visible,
    question::{
        analytic,
        ossie::Understood,
        schema::{ColumnRef, Snapshot},
        semantic::Provenance,
    },
};

pub(super) fn print(of: &Understood, out: &mut impl Write) -> io::Result<()> {
    let (snapshot, model) = (&of.snapshot, &of.model);
    let mut rows = plain_table();
    rows.set_header(["table", "is", "column", "serves for", "notes"]);
    for (of, (table, dataset)) in snapshot.schema.tables.iter().zip(&model.datasets).enumerate() {
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
        for computed in &dataset.computed {
            let sql = analytic::scalar_sql(&computed.value, of, snapshot, model).unwrap_or_default();
            rows.add_row([
                visible(""),
                "".into(),
                visible(&computed.name),
                Cow::Owned(format!("{:?}", computed.field.role).to_lowercase()),
                visible(&sql).into_owned().into(),
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
    named.set_header(["metric or filter", "of", "is", "from"]);
    for metric in &model.metrics {
        let sql = analytic::formula_sql(&metric.formula, snapshot, model).unwrap_or_default();
        named.add_row(
            [
                &metric.name,
                &schema.tables[metric.dataset].name,
                &sql,
                &source(&metric.source),
            ]
            .map(|text| visible(text)),
        );
    }
    for filter in &model.filters {
        let sql =
            analytic::condition_sql(&filter.condition, filter.dataset, snapshot, model).unwrap_or_default();
        named.add_row(
            [
                &filter.name,
                &schema.tables[filter.dataset].name,
                &sql,
                &source(&filter.source),
            ]
            .map(|text| visible(text)),
        );
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
            "".into(),
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

fn source(source: &Provenance) -> String {
    match source {
        Provenance::Inferred => "inferred".to_owned(),
        Provenance::File(file, line) => format!("{file}:{line}"),
    }
}
