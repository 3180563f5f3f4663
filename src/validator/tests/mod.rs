//! Tables of statements against the schema of a small clinic.

use super::*;
use crate::schema::{Column, ColumnKind, ForeignKey, Table};

mod accepted;
mod findings;
mod hostile;
mod limits;
mod repaired;

/// A clinic: people with a supervisor among themselves, visits, and what was prescribed.
fn clinic() -> Schema {
    use ColumnKind::{Date, Integer, Number, Text, Timestamp};
    let tables = vec![
        table(
            "department",
            &[("id", Integer), ("name", Text), ("floor", Integer)],
        ),
        table(
            "doctor",
            &[
                ("id", Integer),
                ("name", Text),
                ("department_id", Integer),
                ("salary", Number),
                ("chief_id", Integer),
            ],
        ),
        table(
            "patient",
            &[
                ("id", Integer),
                ("name", Text),
                ("born", Date),
                ("city", Text),
                ("phone number", Text),
                ("weight", Number),
            ],
        ),
        table(
            "visit",
            &[
                ("id", Integer),
                ("patient_id", Integer),
                ("doctor_id", Integer),
                ("at", Timestamp),
                ("fee", Number),
            ],
        ),
        table("drug", &[("code", Text), ("title", Text), ("price", Number)]),
        table(
            "prescription",
            &[("visit_id", Integer), ("drug_code", Text), ("amount", Integer)],
        ),
        table("order", &[("id", Integer), ("group", Text), ("drug_code", Text)]),
    ];
    let mut schema = Schema {
        tables,
        foreign_keys: vec![],
    };
    schema.tables[5].primary_key = vec![0, 1];
    schema.tables[5].columns[0].unique = false;
    for (from, to) in [
        ("doctor.department_id", "department.id"),
        ("doctor.chief_id", "doctor.id"),
        ("visit.patient_id", "patient.id"),
        ("visit.doctor_id", "doctor.id"),
        ("prescription.visit_id", "visit.id"),
        ("prescription.drug_code", "drug.code"),
        ("order.drug_code", "drug.code"),
    ] {
        let key = ForeignKey {
            from: vec![column(&schema, from)],
            to: vec![column(&schema, to)],
            declared: true,
        };
        schema.foreign_keys.push(key);
    }
    schema
}

fn table(name: &str, columns: &[(&str, ColumnKind)]) -> Table {
    let mut columns: Vec<_> = columns
        .iter()
        .map(|(name, kind)| Column {
            name: (*name).into(),
            kind: *kind,
            ..Column::default()
        })
        .collect();
    columns[0].unique = true;
    columns[0].not_null = true;
    Table {
        name: name.into(),
        columns,
        primary_key: vec![0],
        ..Table::default()
    }
}

/// `table.column` of the schema.
fn column(schema: &Schema, name: &str) -> ColumnRef {
    let (table, column) = name.split_once('.').unwrap();
    let table = schema.table_named(table).unwrap();
    ColumnRef {
        table,
        column: schema.tables[table].column_named(column).unwrap(),
    }
}

/// The codes found, errors first, each with a `!` behind it if it is an error.
fn codes(sql: &str) -> Vec<String> {
    let findings = inspect(sql, &clinic(), Dialect::Sqlite).findings;
    findings
        .iter()
        .map(|finding| format!("{}{}", finding.code, if finding.is_error() { "!" } else { "" }))
        .collect()
}
