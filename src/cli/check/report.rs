//! What `querent check` found, as JSON for programs.

use std::{
    io::{self, Write},
    process::ExitCode,
};

use serde_json::{Value, json};

use super::{Failure, Looked};
use crate::{
    cli::{output::written, target::Target, try_models::Tried},
    config::Settings,
    question::schema::{ColumnRef, Schema},
    service::access,
};

/// Prints one object. Exits with 1 if there is a problem.
pub(super) fn print(
    target: &Target,
    settings: &Settings,
    (seen, tried, mut problems): (Looked, Result<Tried, Failure>, Vec<String>),
) -> Result<ExitCode, Failure> {
    let mut report = json!({ "backend": target.to_string() });
    match seen {
        Ok((seen, meant)) => {
            report["semantic_model"] = meant.json();
            problems.extend(meant.problems);
            problems.extend(seen.problems);
            problems.extend(access::problems(settings, &seen.snapshot));
            let schema = &seen.snapshot.schema;
            if schema.tables.is_empty() {
                problems.push("there is no table that can be read: there is nothing to ask about".into());
            }
            let facts = seen
                .facts
                .into_iter()
                .map(|(name, told)| (name.to_owned(), told.into()));
            report["facts"] = Value::Object(facts.collect());
            report["tables"] = tables(schema);
            report["keys"] = keys(schema);
            report["value_index"] = json!({
                "values": seen.index.values,
                "columns_done": seen.index.columns_done,
                "columns": seen.index.columns_total,
                "truncated": seen.index.truncated,
            });
        }
        Err(failure) => problems.push(failure.in_one_line()),
    }
    match tried {
        Ok(tried) => {
            report["models"] = tried.told.into();
            problems.extend(tried.problems);
        }
        Err(failure) => problems.push(failure.in_one_line()),
    }
    let code = if problems.is_empty() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    };
    report["problems"] = problems.into();
    writeln!(io::stdout().lock(), "{}", written(&format!("{report:#}")))?;
    Ok(code)
}

fn tables(schema: &Schema) -> Value {
    let tables = schema.tables.iter().map(|table| {
        let columns = table.columns.iter().enumerate().map(|(at, column)| {
            json!({
                "name": column.name,
                "type": column.declared_type,
                "holds": format!("{:?}", column.kind).to_lowercase(),
                "not_null": column.not_null,
                "primary_key": table.primary_key.contains(&at),
                "unique": column.unique,
                "comment": column.comment,
                "private": column.private,
            })
        });
        json!({
            "schema": table.schema,
            "name": table.name,
            "view": table.is_view,
            "rows": table.rows,
            "rows_counted": table.counted,
            "comment": table.comment,
            "forbidden": table.forbidden,
            "row_security": table.row_security,
            "columns": columns.collect::<Vec<_>>(),
        })
    });
    tables.collect()
}

fn keys(schema: &Schema) -> Value {
    let place = |at: &ColumnRef| {
        let table = &schema.tables[at.table];
        json!({ "table": table.name, "column": table.columns[at.column].name })
    };
    let keys = schema.foreign_keys.iter().map(|key| {
        json!({
            "from": key.from.iter().map(place).collect::<Vec<_>>(),
            "to": key.to.iter().map(place).collect::<Vec<_>>(),
            "declared": key.declared,
        })
    });
    keys.collect()
}
