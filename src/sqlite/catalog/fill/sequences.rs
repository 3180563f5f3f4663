//! Sequences: those that are kept, and those of identity columns, which SQLite numbers by itself.

use crate::sqlite::catalog::{
    definitions::Relation,
    model::{Model, Relation as Own, schema_name},
    rows::{Cell, Filling, Rows},
};

/// As in `pg_sequence`.
pub(super) fn sequence(model: &Model, relation: &Relation) -> Rows {
    let columns = [
        "seqrelid",
        "seqtypid",
        "seqstart",
        "seqincrement",
        "seqmax",
        "seqmin",
        "seqcache",
        "seqcycle",
    ];
    let mut rows = Filling::new(relation, &columns);
    for own in model.sequences() {
        let facts = model.sequence_facts(own);
        rows.add([
            own.oid.into(),
            facts.ty.into(),
            facts.start.into(),
            facts.increment.into(),
            facts.max.into(),
            facts.min.into(),
            1.into(),
            facts.cycle.into(),
        ]);
    }
    rows.done()
}

fn type_name(number: i64) -> &'static str {
    match number {
        21 => "smallint",
        23 => "integer",
        _ => "bigint",
    }
}

fn place(model: &Model, own: &Own) -> [Cell; 2] {
    let schema = schema_name(&model.tables[own.table]).to_owned();
    [schema.into(), Cell::from(&own.name)]
}

/// As in `pg_sequences`.
pub(super) fn sequences(model: &Model, relation: &Relation) -> Rows {
    let columns = [
        "schemaname",
        "sequencename",
        "sequenceowner",
        "data_type",
        "start_value",
        "min_value",
        "max_value",
        "increment_by",
        "cycle",
        "cache_size",
        "last_value",
    ];
    let mut rows = Filling::new(relation, &columns);
    for own in model.sequences() {
        let facts = model.sequence_facts(own);
        let [schema, name] = place(model, own);
        rows.add([
            schema,
            name,
            Cell::User,
            type_name(facts.ty).into(),
            facts.start.into(),
            facts.min.into(),
            facts.max.into(),
            facts.increment.into(),
            facts.cycle.into(),
            1.into(),
            Cell::LastValue(own.oid),
        ]);
    }
    rows.done()
}

/// As in `information_schema.sequences`, which leaves out those of identity columns.
pub(super) fn information(model: &Model, relation: &Relation) -> Rows {
    let columns = [
        "sequence_catalog",
        "sequence_schema",
        "sequence_name",
        "data_type",
        "numeric_precision",
        "numeric_precision_radix",
        "numeric_scale",
        "start_value",
        "minimum_value",
        "maximum_value",
        "increment",
        "cycle_option",
    ];
    let mut rows = Filling::new(relation, &columns);
    let of_identity = |own: &&Own| {
        own.sequence
            .is_some_and(|column| !model.tables[own.table].columns[column].identity.is_empty())
    };
    for own in model.sequences().filter(|own| !of_identity(own)) {
        let facts = model.sequence_facts(own);
        let [schema, name] = place(model, own);
        let bits = match facts.ty {
            21 => 16,
            23 => 32,
            _ => 64,
        };
        rows.add([
            Cell::from(&model.database),
            schema,
            name,
            type_name(facts.ty).into(),
            bits.into(),
            2.into(),
            0.into(),
            facts.start.to_string().into(),
            facts.min.to_string().into(),
            facts.max.to_string().into(),
            facts.increment.to_string().into(),
            (if facts.cycle { "YES" } else { "NO" }).into(),
        ]);
    }
    rows.done()
}

pub(super) fn io(model: &Model, relation: &Relation) -> Rows {
    let mut rows = Filling::new(relation, &["relid", "schemaname", "relname"]);
    for own in model.sequences() {
        let [schema, name] = place(model, own);
        rows.add([own.oid.into(), schema, name]);
    }
    rows.done()
}
