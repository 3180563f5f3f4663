//! The views of `pg_catalog` that people read.

use std::collections::{HashMap, HashSet};

use crate::catalog::{
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

/// Nobody counts what is read and written; how many rows there are is known.
pub(super) fn table_statistics(model: &Model, relation: &Relation) -> Rows {
    let is_io = relation.name.starts_with("pg_statio") || relation.name.contains("xact");
    let columns: &[&str] = if is_io {
        &["relid", "schemaname", "relname", "relname"]
    } else {
        &["relid", "schemaname", "relname", "n_live_tup"]
    };
    let mut rows = Filling::new(relation, columns);
    let stored = model.stored.as_ref();
    let counted = stored.map_or_else(HashMap::new, |stored| stored.rows(&model.tables));
    let tables = model.tables.iter().zip(&model.oids).enumerate();
    for (at, (table, &oid)) in tables.filter(|(_, (table, _))| !table.is_view) {
        let name = Cell::from(&table.name);
        let known = table.rows.or_else(|| counted.get(&at).copied());
        let rows_known = known.and_then(|rows| i64::try_from(rows).ok());
        rows.add([
            oid.into(),
            schema_name(table).to_owned().into(),
            name.clone(),
            if is_io { name } else { rows_known.into() },
        ]);
    }
    rows.done()
}

pub(super) fn table_io(model: &Model, relation: &Relation) -> Rows {
    table_statistics(model, relation)
}

pub(super) fn index_statistics(model: &Model, relation: &Relation) -> Rows {
    let mut rows = Filling::new(
        relation,
        &["relid", "indexrelid", "schemaname", "relname", "indexrelname"],
    );
    for own in &model.relations {
        if let Some(keyed) = model.index(own) {
            let table = &model.tables[own.table];
            rows.add([
                model.oids[own.table].into(),
                keyed.oid.into(),
                schema_name(table).to_owned().into(),
                Cell::from(&table.name),
                Cell::from(&keyed.name),
            ]);
        }
    }
    rows.done()
}
