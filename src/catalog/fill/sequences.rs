//! The sequences of identity columns: all alike, since SQLite has but one way to number rows.

use crate::catalog::{
    definitions::Relation,
    model::{Model, Relation as Own, schema_name},
    rows::{Cell, Filling, Rows},
};

/// The type of their values.
const BIGINT: i64 = 20;

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
        let one = || Cell::Integer(1);
        rows.add([
            own.oid.into(),
            BIGINT.into(),
            one(),
            one(),
            i64::MAX.into(),
            one(),
            one(),
            false.into(),
        ]);
    }
    rows.done()
}

fn place(model: &Model, own: &Own) -> [Cell; 2] {
    let schema = schema_name(&model.tables[own.table]).to_owned();
    [schema.into(), Cell::from(&own.name)]
}

/// As in `pg_sequences`. The last value is what `pg_sequence_last_value` tells: it changes without the schema.
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
    ];
    let mut rows = Filling::new(relation, &columns);
    for own in model.sequences() {
        let one = || Cell::Integer(1);
        let [schema, name] = place(model, own);
        rows.add([
            schema,
            name,
            Cell::User,
            BIGINT.into(),
            one(),
            one(),
            i64::MAX.into(),
            one(),
            false.into(),
            one(),
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
