//! The views of `pg_catalog` that people read.

use std::collections::HashSet;

use crate::sqlite::catalog::{
    definitions::Relation,
    describe, indexed,
    model::{Model, schema_name},
    pretty::Shown,
    rows::{Cell, Filling, Rows},
};

pub(super) fn tables(model: &Model, relation: &Relation) -> Rows {
    let mut rows = Filling::new(
        relation,
        &[
            "schemaname",
            "tablename",
            "tableowner",
            "hasindexes",
            "hasrules",
            "hastriggers",
            "rowsecurity",
        ],
    );
    let triggered: HashSet<usize> = model.triggers.iter().map(|trigger| trigger.table).collect();
    for (position, table) in model.shown_tables().filter(|(_, table)| !table.is_view) {
        rows.add([
            schema_name(table).to_owned().into(),
            Cell::from(&table.name),
            Cell::User,
            (!model.indexes[position].is_empty()).into(),
            false.into(),
            triggered.contains(&position).into(),
            false.into(),
        ]);
    }
    rows.done()
}

pub(super) fn views(model: &Model, relation: &Relation) -> Rows {
    let mut rows = Filling::new(relation, &["schemaname", "viewname", "viewowner", "definition"]);
    for table in model.tables.iter().filter(|table| table.is_view) {
        rows.add([
            schema_name(table).to_owned().into(),
            Cell::from(&table.name),
            Cell::User,
            describe::view(table).into(),
        ]);
    }
    rows.done()
}

pub(super) fn indexes(model: &Model, relation: &Relation) -> Rows {
    let mut rows = Filling::new(relation, &["schemaname", "tablename", "indexname", "indexdef"]);
    for own in &model.relations {
        if let Some(keyed) = model.index(own) {
            let table = &model.tables[own.table];
            rows.add([
                schema_name(table).to_owned().into(),
                Cell::from(&table.name),
                Cell::from(&keyed.name),
                indexed::definition(table, keyed, Shown::Full).into(),
            ]);
        }
    }
    rows.done()
}
