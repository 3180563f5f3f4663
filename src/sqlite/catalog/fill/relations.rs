//! Schemas, relations, columns and types.

use std::collections::HashMap;

use crate::sqlite::catalog::{
    definitions::{self, Relation, find},
    describe::Types,
    model::{
        BTREE, HEAP, INFORMATION_SCHEMA, Model, OWNER, PG_CATALOG, PUBLIC, Relation as Own, TEMPORARY, schema,
    },
    rows::{Cell, Filling, Key, Rows},
};

pub(super) fn namespaces(model: &Model, relation: &Relation) -> Rows {
    let mut rows = Filling::new(relation, &["oid", "nspname", "nspowner", "nspacl"]);
    for (oid, name) in [
        (PG_CATALOG, "pg_catalog"),
        (INFORMATION_SCHEMA, "information_schema"),
    ] {
        rows.add([oid.into(), name.into(), OWNER.into(), Cell::Null]);
    }
    for (oid, name) in model.schemas() {
        // As PostgreSQL makes it: whoever owns the database owns `public`.
        let (owner, granted) = if oid == PUBLIC {
            (
                DATABASE_OWNER,
                Some("{pg_database_owner=UC/pg_database_owner,=U/pg_database_owner}"),
            )
        } else {
            (OWNER, None)
        };
        rows.add([oid.into(), name.to_owned().into(), owner.into(), granted.into()]);
    }
    rows.done()
}

/// The role `pg_database_owner`.
const DATABASE_OWNER: i64 = 6171;

/// The number of the schema that one of PostgreSQL's own relations is in.
fn schema_of(relation: &Relation) -> i64 {
    if relation.schema == "pg_catalog" {
        PG_CATALOG
    } else {
        INFORMATION_SCHEMA
    }
}

pub(super) fn classes(model: &Model, relation: &Relation) -> Rows {
    let mut rows = Filling::new(
        relation,
        &[
            "oid",
            "relname",
            "relnamespace",
            "reltype",
            "relowner",
            "relam",
            "relfilenode",
            "relpages",
            "reltuples",
            "relhasindex",
            "relpersistence",
            "relkind",
            "relnatts",
            "relchecks",
            "relhasrules",
            "relhastriggers",
            "relispopulated",
            "relreplident",
        ],
    );
    // PostgreSQL keeps a foreign key by triggers on both tables.
    let (mut checks, mut keyed) = (vec![0_i64; model.tables.len()], vec![false; model.tables.len()]);
    for constraint in model.shown_constraints() {
        checks[constraint.table] += i64::from(constraint.kind == 'c');
        if let Some(target) = constraint.target {
            keyed[constraint.table] = true;
            keyed[target] = true;
        }
    }
    for trigger in &model.triggers {
        keyed[trigger.table] = true;
    }
    let stored = model.stored.as_ref();
    let counted = stored.map_or_else(HashMap::new, |stored| stored.rows(&model.tables));
    for own in &model.relations {
        let table = &model.tables[own.table];
        let indexes = &model.indexes[own.table];
        let (access, columns) = match (own.kind, model.index(own)) {
            ('i', Some(keyed)) => (BTREE, keyed.columns.len()),
            ('S', _) => (0, SEQUENCE.len()),
            ('r', _) => (HEAP, table.columns.len()),
            _ => (0, table.columns.len()),
        };
        rows.add([
            own.oid.into(),
            Cell::from(&own.name),
            own.schema.into(),
            own.row_type.into(),
            OWNER.into(),
            access.into(),
            (if own.kind == 'v' { 0 } else { own.oid }).into(),
            0.into(),
            table
                .rows
                .or_else(|| counted.get(&own.table).copied())
                .filter(|_| !matches!(own.kind, 'v' | 'S'))
                .map_or(Cell::Integer(-1), |rows| Cell::Real(rows as f64)),
            (own.kind == 'r' && !indexes.is_empty()).into(),
            (if own.schema == TEMPORARY { "t" } else { "p" }).into(),
            own.kind.to_string().into(),
            (columns as i64).into(),
            (if own.kind == 'r' { checks[own.table] } else { 0 }).into(),
            (own.kind == 'v').into(),
            (own.is_table() && keyed[own.table]).into(),
            true.into(),
            (if own.kind == 'r' { "d" } else { "n" }).into(),
        ]);
    }
    for known in definitions::relations().iter().filter(|known| known.kind != "f") {
        rows.add([
            known.oid.into(),
            known.name.into(),
            schema_of(known).into(),
            known.row_type.into(),
            OWNER.into(),
            (if known.kind == "r" { HEAP } else { 0 }).into(),
            (if known.kind == "r" { known.oid } else { 0 }).into(),
            0.into(),
            Cell::Integer(-1),
            false.into(),
            "p".into(),
            known.kind.into(),
            (known.columns.len() as i64).into(),
            0.into(),
            (known.kind == "v").into(),
            false.into(),
            true.into(),
            "n".into(),
        ]);
    }
    rows.done()
}

/// The columns of a sequence, with their types.
const SEQUENCE: [(&str, i64); 3] = [("last_value", 20), ("log_cnt", 20), ("is_called", 16)];

pub(super) fn attributes(model: &Model, relation: &Relation) -> Rows {
    let mut rows = Filling::new(
        relation,
        &[
            "attrelid",
            "attname",
            "atttypid",
            "attstattarget",
            "attlen",
            "attnum",
            "attcacheoff",
            "atttypmod",
            "attbyval",
            "attalign",
            "attstorage",
            "attnotnull",
            "atthasdef",
            "attidentity",
            "attgenerated",
            "attislocal",
            "attcollation",
            "attndims",
        ],
    );
    let types = Types::new();
    let mut add = |of: i64, name: Cell, position: i64, ty: (i64, i64), facts: [Cell; 4]| {
        let [not_null, has_default, identity, generated] = facts;
        let stored = types.stored(ty.0);
        rows.add([
            of.into(),
            name,
            ty.0.into(),
            Cell::Integer(-1),
            stored.length.into(),
            position.into(),
            Cell::Integer(-1),
            ty.1.into(),
            stored.by_value.into(),
            stored.align,
            stored.storage,
            not_null,
            has_default,
            identity,
            generated,
            true.into(),
            stored.collation.into(),
            stored.dimensions.into(),
        ]);
    };
    for own in &model.relations {
        let table = &model.tables[own.table];
        if let Some(keyed) = model.index(own) {
            for (position, &column) in (1..).zip(&keyed.columns) {
                let (name, ty) = match usize::try_from(column - 1) {
                    Ok(at) => (
                        Cell::from(&table.columns[at].name),
                        model.column_type(own.table, at),
                    ),
                    Err(_) => (Cell::from("expr"), (25, -1)),
                };
                add(
                    own.oid,
                    name,
                    position,
                    ty,
                    [false.into(), false.into(), "".into(), "".into()],
                );
            }
            continue;
        }
        if own.kind == 'S' {
            for (position, (name, ty)) in (1..).zip(SEQUENCE) {
                add(
                    own.oid,
                    name.into(),
                    position,
                    (ty, -1),
                    [true.into(), false.into(), "".into(), "".into()],
                );
            }
            continue;
        }
        for (position, column) in (1..).zip(&table.columns) {
            let at = position as usize - 1;
            let facts = [
                column.not_null.into(),
                model.default_of(own.table, at).is_some().into(),
                column.identity.into(),
                (if model.is_computed(own.table, at) { "s" } else { "" }).into(),
            ];
            add(
                own.oid,
                Cell::from(&column.name),
                position,
                model.column_type(own.table, at),
                facts,
            );
        }
    }
    for known in definitions::relations().iter().filter(|known| known.kind != "f") {
        for (position, column) in (1..).zip(&known.columns) {
            let facts = [column.not_null.into(), false.into(), "".into(), "".into()];
            add(
                known.oid,
                column.name.into(),
                position,
                (types.number(column.ty), -1),
                facts,
            );
        }
    }
    rows.done()
}

/// The types of tables' rows.
pub(super) fn types(model: &Model, relation: &'static Relation) -> Rows {
    let mut rows = Filling::new(
        relation,
        &[
            "oid",
            "typname",
            "typnamespace",
            "typowner",
            "typlen",
            "typtype",
            "typcategory",
            "typisdefined",
            "typdelim",
            "typrelid",
            "typarray",
            "typinput",
            "typoutput",
            "typreceive",
            "typsend",
            "typalign",
            "typstorage",
            "typtypmod",
        ],
    );
    let own = model.relations.iter();
    let own = own.map(|own| (own.row_type, Cell::from(&own.name), own.schema, own.oid));
    let known = definitions::relations().iter();
    let known = known.map(|known| (known.row_type, known.name.into(), schema_of(known), known.oid));
    let arrays = definitions::fixed_rows(relation);
    let place = |name: &str| relation.columns.iter().position(|column| column.name == name);
    let array_of = |number: i64| {
        let found = *arrays.find(place("typelem")?, &Key::Integer(number)).first()?;
        arrays.row(found)[place("oid")?].integer()
    };
    for (number, name, schema, of) in own.chain(known).filter(|(number, ..)| *number != 0) {
        rows.add([
            number.into(),
            name,
            schema.into(),
            OWNER.into(),
            Cell::Integer(-1),
            "c".into(),
            "C".into(),
            true.into(),
            ",".into(),
            of.into(),
            array_of(number).unwrap_or(0).into(),
            "record_in".into(),
            "record_out".into(),
            "record_recv".into(),
            "record_send".into(),
            "d".into(),
            "x".into(),
            Cell::Integer(-1),
        ]);
    }
    rows.done()
}

/// A number for what belongs to a column: as stable as its table's.
pub(super) fn belonging(own: &Own, position: i64) -> i64 {
    16_384 + (own.oid.wrapping_mul(31) + position * 7_919).rem_euclid((1 << 31) - 16_384)
}

pub(super) fn defaults(model: &Model, relation: &Relation) -> Rows {
    let mut rows = Filling::new(relation, &["oid", "adrelid", "adnum", "adbin"]);
    for own in model.relations.iter().filter(|own| own.is_table()) {
        for (position, at) in (1..).zip(0..model.tables[own.table].columns.len()) {
            let text = model.default_of(own.table, at);
            if let Some(text) = text {
                rows.add([
                    belonging(own, position).into(),
                    own.oid.into(),
                    position.into(),
                    text.into(),
                ]);
            }
        }
    }
    rows.done()
}

pub(super) fn descriptions(model: &Model, relation: &Relation) -> Rows {
    let mut rows = Filling::new(relation, &["objoid", "classoid", "objsubid", "description"]);
    let class = find("pg_catalog", "pg_class").map_or(0, |class| class.oid);
    for (table, &oid) in model.tables.iter().zip(&model.oids) {
        if let Some(comment) = &table.comment {
            rows.add([oid.into(), class.into(), 0.into(), comment.into()]);
        }
        for (position, column) in (1..).zip(&table.columns) {
            if let Some(comment) = &column.comment {
                rows.add([oid.into(), class.into(), Cell::Integer(position), comment.into()]);
            }
        }
    }
    let namespace = find("pg_catalog", "pg_namespace").map_or(0, |namespace| namespace.oid);
    if model.tables.iter().any(|table| schema(table) == PUBLIC) {
        rows.add([
            PUBLIC.into(),
            namespace.into(),
            0.into(),
            "standard public schema".into(),
        ]);
    }
    rows.done()
}
