//! Statistics. Nobody counts what is read and written, so that all counts are 0; how many rows there are is known.

use std::collections::HashMap;

use crate::sqlite::catalog::{
    definitions::Relation,
    model::{Model, schema_name},
    rows::{Cell, Filling, Rows},
};

pub(super) fn tables(model: &Model, relation: &Relation) -> Rows {
    // What is told of indexes is nothing where there are none.
    let of_indexes: Vec<&str> = relation
        .columns
        .iter()
        .map(|column| column.name)
        .filter(|name| name.starts_with("idx_"))
        .collect();
    let counts_rows = relation.columns.iter().any(|column| column.name == "n_live_tup");
    let live = counts_rows.then_some("n_live_tup");
    let named = ["relid", "schemaname", "relname"];
    let columns: Vec<&str> = named
        .into_iter()
        .chain(live)
        .chain(of_indexes.iter().copied())
        .collect();
    let mut rows = Filling::counting(relation, &columns);
    let stored = model.stored.as_ref();
    let counted = stored.map_or_else(HashMap::new, |stored| stored.rows(&model.tables));
    let tables = model.tables.iter().zip(&model.oids).enumerate();
    for (at, (table, &oid)) in tables.filter(|(_, (table, _))| !table.is_view) {
        let known = table.rows.or_else(|| counted.get(&at).copied());
        let known = known.and_then(|rows| i64::try_from(rows).ok());
        let has_indexes = !model.indexes[at].is_empty();
        let named = [
            oid.into(),
            schema_name(table).to_owned().into(),
            Cell::from(&table.name),
        ];
        let live = live.map(|_| known.into());
        let indexed = of_indexes.iter().map(|_| has_indexes.then_some(0).into());
        rows.add_all(named.into_iter().chain(live).chain(indexed));
    }
    rows.done()
}

pub(super) fn indexes(model: &Model, relation: &Relation) -> Rows {
    let columns = ["relid", "indexrelid", "schemaname", "relname", "indexrelname"];
    let mut rows = Filling::counting(relation, &columns);
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

/// What a server counts of itself, in one row.
pub(super) fn server(relation: &Relation) -> Rows {
    let mut rows = Filling::counting(relation, &[]);
    rows.add([]);
    rows.done()
}
