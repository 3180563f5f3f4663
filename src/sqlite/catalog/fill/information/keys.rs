//! Constraints, keys and triggers in `information_schema`.

use std::collections::HashMap;

use super::{place, yes};
use crate::sqlite::catalog::{
    definitions::Relation,
    describe,
    model::{Constraint, Model},
    rows::{Cell, Filling, Rows},
    source::Table,
};

fn kind(constraint: &Constraint) -> &'static str {
    match constraint.kind {
        'p' => "PRIMARY KEY",
        'u' => "UNIQUE",
        'f' => "FOREIGN KEY",
        _ => "CHECK",
    }
}

pub(super) fn table_constraints(model: &Model, relation: &Relation) -> Rows {
    let mut rows = Filling::new(
        relation,
        &[
            "constraint_catalog",
            "constraint_schema",
            "constraint_name",
            "table_catalog",
            "table_schema",
            "table_name",
            "constraint_type",
            "is_deferrable",
            "initially_deferred",
            "enforced",
            "nulls_distinct",
        ],
    );
    let mut add = |table: &Table, name: Cell, kind: &'static str, deferrable: bool, deferred: bool| {
        let [catalog, schema, table] = place(model, table);
        rows.add([
            catalog.clone(),
            schema.clone(),
            name,
            catalog,
            schema,
            table,
            kind.into(),
            yes(deferrable),
            yes(deferred),
            yes(true),
            (kind == "UNIQUE").then_some("YES").into(),
        ]);
    };
    for own in model.shown_constraints() {
        add(
            &model.tables[own.table],
            Cell::from(&own.name),
            kind(own),
            own.written.deferrable,
            own.written.deferred,
        );
    }
    for (table, oid) in model
        .tables
        .iter()
        .zip(&model.oids)
        .filter(|(table, _)| !table.is_view)
    {
        for (position, column) in (1..).zip(&table.columns) {
            if column.not_null {
                add(table, not_null(*oid, position), "CHECK", false, false);
            }
        }
    }
    rows.done()
}

/// The name by which PostgreSQL lists NOT NULL here.
fn not_null(table: i64, position: i64) -> Cell {
    format!("2200_{table}_{position}_not_null").into()
}

pub(super) fn key_columns(model: &Model, relation: &Relation) -> Rows {
    let mut rows = Filling::new(
        relation,
        &[
            "constraint_catalog",
            "constraint_schema",
            "constraint_name",
            "table_catalog",
            "table_schema",
            "table_name",
            "column_name",
            "ordinal_position",
            "position_in_unique_constraint",
        ],
    );
    for own in model.constraints.iter().filter(|own| own.kind != 'c') {
        let table = &model.tables[own.table];
        for (position, column) in (1_i64..).zip(&own.columns) {
            let [catalog, schema, name] = place(model, table);
            rows.add([
                catalog.clone(),
                schema.clone(),
                Cell::from(&own.name),
                catalog,
                schema,
                name,
                column_name(table, *column),
                position.into(),
                (own.kind == 'f').then_some(position).into(),
            ]);
        }
    }
    rows.done()
}

fn column_name(table: &Table, position: i64) -> Cell {
    table
        .columns
        .get((position - 1) as usize)
        .map_or(Cell::Null, |column| Cell::from(&column.name))
}

/// The columns that a constraint speaks of; for a foreign key, those that it refers to.
fn used(own: &Constraint) -> (usize, &[i64]) {
    own.target.map_or((own.table, &own.columns[..]), |target| {
        (target, &own.target_columns[..])
    })
}

pub(super) fn constraint_columns(model: &Model, relation: &Relation) -> Rows {
    let mut rows = Filling::new(
        relation,
        &[
            "table_catalog",
            "table_schema",
            "table_name",
            "column_name",
            "constraint_catalog",
            "constraint_schema",
            "constraint_name",
        ],
    );
    for own in model.shown_constraints() {
        let (used, columns) = used(own);
        for column in columns {
            let [catalog, schema, name] = place(model, &model.tables[used]);
            let column = column_name(&model.tables[used], *column);
            rows.add([
                catalog.clone(),
                schema.clone(),
                name,
                column,
                catalog,
                schema,
                Cell::from(&own.name),
            ]);
        }
    }
    rows.done()
}

pub(super) fn constraint_tables(model: &Model, relation: &Relation) -> Rows {
    let mut rows = Filling::new(
        relation,
        &[
            "table_catalog",
            "table_schema",
            "table_name",
            "constraint_catalog",
            "constraint_schema",
            "constraint_name",
        ],
    );
    for own in model.constraints.iter().filter(|own| own.kind != 'c') {
        let [catalog, schema, name] = place(model, &model.tables[used(own).0]);
        rows.add([
            catalog.clone(),
            schema.clone(),
            name,
            catalog,
            schema,
            Cell::from(&own.name),
        ]);
    }
    rows.done()
}

pub(super) fn references(model: &Model, relation: &Relation) -> Rows {
    let mut rows = Filling::new(
        relation,
        &[
            "constraint_catalog",
            "constraint_schema",
            "constraint_name",
            "unique_constraint_catalog",
            "unique_constraint_schema",
            "unique_constraint_name",
            "match_option",
            "update_rule",
            "delete_rule",
        ],
    );
    let keys = model
        .constraints
        .iter()
        .filter(|key| matches!(key.kind, 'p' | 'u'));
    let keys: HashMap<i64, &Constraint> = keys.map(|key| (key.index, key)).collect();
    for own in model.constraints.iter().filter(|own| own.target.is_some()) {
        let [catalog, schema, _] = place(model, &model.tables[own.table]);
        let key = keys.get(&own.index);
        rows.add([
            catalog.clone(),
            schema.clone(),
            Cell::from(&own.name),
            catalog,
            schema,
            key.map(|key| &key.name).into(),
            "NONE".into(),
            describe::action(own.on_update).into(),
            describe::action(own.on_delete).into(),
        ]);
    }
    rows.done()
}

pub(super) fn checks(model: &Model, relation: &Relation) -> Rows {
    let columns = [
        "constraint_catalog",
        "constraint_schema",
        "constraint_name",
        "check_clause",
    ];
    let mut rows = Filling::new(relation, &columns);
    let checks = model.constraints.iter().filter(|own| own.kind == 'c');
    for (own, condition) in checks.filter_map(|own| Some((own, model.condition_of(own)?))) {
        let [catalog, schema, _] = place(model, &model.tables[own.table]);
        rows.add([
            catalog,
            schema,
            Cell::from(&own.name),
            format!("({condition})").into(),
        ]);
    }
    for (table, oid) in model
        .tables
        .iter()
        .zip(&model.oids)
        .filter(|(table, _)| !table.is_view)
    {
        for (position, column) in (1..).zip(&table.columns) {
            if column.not_null {
                let [catalog, schema, _] = place(model, table);
                let told = format!("{} IS NOT NULL", describe::quote_identifier(&column.name));
                rows.add([catalog, schema, not_null(*oid, position), told.into()]);
            }
        }
    }
    rows.done()
}

pub(super) fn triggers(model: &Model, relation: &Relation) -> Rows {
    let mut rows = Filling::new(
        relation,
        &[
            "trigger_catalog",
            "trigger_schema",
            "trigger_name",
            "event_manipulation",
            "event_object_catalog",
            "event_object_schema",
            "event_object_table",
            "action_order",
            "action_statement",
            "action_orientation",
            "action_timing",
        ],
    );
    for trigger in &model.triggers {
        let told = describe::trigger(trigger);
        let [catalog, schema, table] = place(model, &model.tables[trigger.table]);
        rows.add([
            catalog.clone(),
            schema.clone(),
            Cell::from(&trigger.name),
            told.event.into(),
            catalog,
            schema,
            table,
            1.into(),
            told.body.into(),
            "ROW".into(),
            told.timing.into(),
        ]);
    }
    rows.done()
}
