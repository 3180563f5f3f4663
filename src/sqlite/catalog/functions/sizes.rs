//! How much room things take.

use std::sync::Arc;

use rusqlite::{
    Connection, Result,
    functions::{Context, FunctionFlags},
};

use super::{names::relation_number, number, scalar, text};
use crate::sqlite::catalog::{content::Catalog, model::Model};

/// Units, each 1024 of the one before.
const UNITS: [&str; 6] = ["bytes", "kB", "MB", "GB", "TB", "PB"];

/// As PostgreSQL rounds: up to 10,240 of a unit are told in it.
fn pretty(bytes: i64) -> String {
    let (mut size, mut unit) = (bytes as f64, 0);
    while size.abs() >= 10_240.0 && unit + 1 < UNITS.len() {
        size /= 1024.0;
        unit += 1;
    }
    format!("{} {}", size.round(), UNITS[unit])
}

/// Files up to this size are read to see how much of them is whose, in bytes. Whoever lists tables only wants to look.
const LARGEST: i64 = 256 << 20;

/// Adds them.
pub(super) fn add(connection: &Connection, catalog: &Arc<Catalog>) -> Result<()> {
    scalar(connection, "pg_size_pretty", &[1], |context| {
        Ok(number(context, 0)?.map(pretty))
    })?;
    let any = FunctionFlags::SQLITE_UTF8;
    for name in ["pg_database_size", "pg_tablespace_size"] {
        connection.create_scalar_function(name, 1, any, database_size)?;
    }
    let shown = Arc::clone(catalog);
    scalar(connection, "pg_stat_get_live_tuples", &[1], move |context| {
        Ok(number(context, 0)?.map(|oid| live_rows(&shown.model(), oid)))
    })?;
    for (name, arguments, own, indexes) in [
        ("pg_table_size", 1, true, false),
        ("pg_relation_size", 1, true, false),
        ("pg_relation_size", 2, true, false),
        ("pg_total_relation_size", 1, true, true),
        ("pg_indexes_size", 1, false, true),
    ] {
        let catalog = Arc::clone(catalog);
        connection.create_scalar_function(name, arguments, any, move |context| {
            relation_size(&catalog.model(), context, (own, indexes))
        })?;
    }
    Ok(())
}

/// How many rows a table has, as far as that is known.
fn live_rows(model: &Model, oid: i64) -> i64 {
    let Some(own) = model.relation(oid).filter(|own| own.kind == 'r') else {
        return 0;
    };
    let counted = || {
        let stored = model.stored.as_ref()?;
        stored.rows(&model.tables).get(&own.table).copied()
    };
    let rows = model.tables[own.table].rows.or_else(counted);
    rows.and_then(|rows| i64::try_from(rows).ok()).unwrap_or_default()
}

/// What a relation takes: itself, its indexes, or both; `None` for one that is not there, and in a large file.
fn relation_size(model: &Model, context: &Context<'_>, (own, indexes): (bool, bool)) -> Result<Option<i64>> {
    let named = text(context, 0)?.unwrap_or_default();
    let oid = match number(context, 0)? {
        Some(oid) => Some(oid),
        None => relation_number(model, &named),
    };
    let Some(relation) = oid.and_then(|oid| model.relation(oid)) else {
        return Ok(None);
    };
    let table = &model.tables[relation.table];
    let mut names: Vec<&str> = vec![];
    if own {
        match model.index(relation) {
            Some(keyed) => names.push(&keyed.index.name),
            None if relation.is_table() && !table.is_view => names.push(&table.name),
            None => {}
        }
    }
    if indexes && relation.is_table() {
        let all = model.indexes[relation.table].iter();
        names.extend(all.map(|keyed| keyed.index.name.as_str()));
    }
    #[allow(unsafe_code, reason = "the size is the connection's to tell")]
    // SAFETY: the connection outlives the call, and nothing of it is kept.
    let connection = unsafe { context.get_connection()? };
    if size_of(&connection, &table.schema)? > LARGEST {
        return Ok(None);
    }
    let sql =
        "SELECT coalesce(sum(pgsize), 0) FROM dbstat WHERE schema = ?1 AND name = ?2 AND aggregate = TRUE";
    let mut statement = connection.prepare(sql)?;
    let mut size = 0;
    // The index of a key that is the rowid has no name, and takes no room.
    for name in names.into_iter().filter(|name| !name.is_empty()) {
        size += statement.query_row([&table.schema, name], |row| row.get::<_, i64>(0))?;
    }
    Ok(Some(size))
}

fn size_of(connection: &Connection, schema: &str) -> Result<i64> {
    let sql = "SELECT page_count * page_size FROM pg_catalog.pragma_page_count(?1), pg_catalog.pragma_page_size(?1)";
    connection.query_row(sql, [schema], |row| row.get(0))
}

/// The file and those that are attached.
fn database_size(context: &Context<'_>) -> Result<i64> {
    #[allow(unsafe_code, reason = "the size is the connection's to tell")]
    // SAFETY: the connection outlives the call, and nothing of it is kept.
    let connection = unsafe { context.get_connection()? };
    let sql = "SELECT name FROM pg_catalog.pragma_database_list WHERE name NOT IN ('temp', 'pg_catalog', 'information_schema')";
    let mut statement = connection.prepare(sql)?;
    let names = statement.query_map([], |row| row.get::<_, String>(0))?;
    names.map(|name| size_of(&connection, &name?)).sum()
}

#[cfg(test)]
mod tests {
    #[test]
    fn sizes_as_postgresql_tells_them() {
        for (bytes, told) in [
            (0, "0 bytes"),
            (8192, "8192 bytes"),
            (10_240, "10 kB"),
            (3_145_728, "3072 kB"),
            (20 << 20, "20 MB"),
        ] {
            assert_eq!(super::pretty(bytes), told);
        }
    }
}
