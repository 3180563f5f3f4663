//! Reads what the catalogue shows of the file: everything that SQLite's pragmas tell of tables, indexes and keys.

use std::{
    collections::HashMap,
    hash::{DefaultHasher, Hash, Hasher},
    sync::Arc,
};

use rusqlite::{Connection, Result};

use super::{Database, comments, decltype, infer, introspect, open::Guarded};
use crate::{
    backend::SqlType,
    catalog::{
        self, Model,
        source::{Column, ForeignKey, Index, Source, Table, Trigger},
    },
    schema,
};

const TABLES: &str = include_str!("../../../dialects/sqlite/catalog/tables.sql");
const COLUMNS: &str = include_str!("../../../dialects/sqlite/catalog/columns.sql");
const COLUMNS_OF: &str = include_str!("../../../dialects/sqlite/catalog/columns_of.sql");
const INDEXES: &str = include_str!("../../../dialects/sqlite/catalog/indexes.sql");
const FOREIGN_KEYS: &str = include_str!("../../../dialects/sqlite/catalog/foreign_keys.sql");
const TRIGGERS: &str = include_str!("../../../dialects/sqlite/catalog/triggers.sql");

/// Whether a statement may ask the catalogue; the guard is told what it names.
pub(super) fn is_asked(own: &Guarded, sql: &str) -> bool {
    own.guard
        .tell_information_schema(catalog::names_information_schema(sql));
    catalog::is_asked(sql)
}

/// Shows the schema as a connection sees it, in a transaction of its own or with temporary objects `alone`.
pub(super) fn show(database: &Database, own: &Guarded, identity: &impl Hash, alone: bool) -> Result<()> {
    let Some(catalogue) = &own.catalogue else {
        return Ok(());
    };
    let state = state(own, identity, alone)?;
    if catalogue.shows(state) {
        return Ok(());
    }
    let model = model(database, own, state, alone)?;
    catalogue.show(state, model);
    Ok(())
}

/// A number for the state of the schema that a connection sees. Cheap where it sees what all see; `alone`, in a
/// transaction or with temporary objects, it depends on the whole schema, since a version that was rolled back comes
/// again with something else.
fn state(own: &Guarded, identity: &impl Hash, alone: bool) -> Result<u64> {
    let connection = &own.connection;
    if !alone {
        return introspect::fingerprint(connection, identity);
    }
    let mut hasher = DefaultHasher::new();
    for sql in [
        "SELECT name, tbl_name, coalesce(sql, '') FROM main.sqlite_schema",
        "SELECT name, tbl_name, coalesce(sql, '') FROM temp.sqlite_schema",
    ] {
        let mut statement = connection.prepare_cached(sql)?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            for column in 0..3 {
                row.get_ref(column)?.as_bytes()?.hash(&mut hasher);
            }
        }
    }
    Ok(hasher.finish())
}

/// The catalogue at this state; sessions that see the same share it.
fn model(database: &Database, own: &Guarded, state: u64, alone: bool) -> Result<Arc<Model>> {
    let fresh = || source(database, &own.connection).map(|source| Arc::new(Model::new(source)));
    if alone {
        return fresh();
    }
    database.catalogue_at(state, fresh)
}

type Place = (String, String);

fn source(database: &Database, connection: &Connection) -> Result<Source> {
    let snapshot = database.last_snapshot();
    let known = |name: &str| {
        snapshot
            .as_ref()
            .and_then(|snapshot| known_table(&snapshot.schema, name))
    };
    let mut source = Source {
        database: database.name(),
        ..Source::default()
    };
    let mut places: HashMap<Place, usize> = HashMap::new();
    let mut rowids: Vec<bool> = vec![];
    each(connection, TABLES, |row| {
        let table = Table {
            schema: row.get("schema")?,
            name: row.get("name")?,
            is_view: row.get("is_view")?,
            sql: row.get("sql")?,
            ..Table::default()
        };
        rowids.push(row.get("has_rowid")?);
        places.insert((table.schema.clone(), table.name.clone()), source.tables.len());
        source.tables.push(Table {
            rows: known(&table.name).and_then(|known| known.rows),
            ..table
        });
        Ok(())
    })?;
    let place = |row: &rusqlite::Row<'_>| -> Result<Option<usize>> {
        Ok(places.get(&(row.get("schema")?, row.get("table_name")?)).copied())
    };
    let mut columns = vec![];
    each(connection, COLUMNS, |row| {
        if let Some(at) = place(row)? {
            columns.push((at, column(row, known(&source.tables[at].name))?));
        }
        Ok(())
    })?;
    for (at, column) in columns {
        source.tables[at].columns.push(column);
    }
    for table in source.tables.iter_mut().filter(|table| table.columns.is_empty()) {
        let mut statement = connection.prepare_cached(COLUMNS_OF)?;
        let seen = known(&table.name);
        let read = statement.query_map([&table.name, &table.schema], |row| column(row, seen))?;
        // A view on a dropped table has no columns that anybody could tell.
        table.columns = read.collect::<Result<_>>().unwrap_or_default();
    }
    for (table, has_rowid) in source.tables.iter_mut().zip(rowids) {
        // Only a key of one column is the rowid itself.
        let keyed = table
            .columns
            .iter()
            .filter(|column| column.key_position > 0)
            .count();
        for column in &mut table.columns {
            column.is_rowid &= has_rowid && keyed == 1;
        }
        comment(table);
    }
    each(connection, INDEXES, |row| {
        let Some(at) = place(row)? else { return Ok(()) };
        let name: String = row.get("name")?;
        let column = (row.get("column_name")?, row.get("descending")?);
        let indexes = &mut source.tables[at].indexes;
        match indexes.iter_mut().find(|index| index.name == name) {
            Some(index) => index.columns.push(column),
            None => indexes.push(Index {
                name,
                unique: row.get("is_unique")?,
                origin: row.get("origin")?,
                partial: row.get("partial")?,
                sql: row.get("sql")?,
                columns: vec![column],
            }),
        }
        Ok(())
    })?;
    // The key that SQLite made an index for is not the rowid.
    for table in &mut source.tables {
        if table.indexes.iter().any(|index| index.origin == "pk") {
            table
                .columns
                .iter_mut()
                .for_each(|column| column.is_rowid = false);
        }
    }
    let mut last: Option<(usize, i64)> = None;
    each(connection, FOREIGN_KEYS, |row| {
        let Some(at) = place(row)? else { return Ok(()) };
        let id: i64 = row.get("id")?;
        let keys = &mut source.tables[at].foreign_keys;
        if last.replace((at, id)) != Some((at, id)) {
            keys.push(ForeignKey {
                target: row.get("target")?,
                on_update: row.get("on_update")?,
                on_delete: row.get("on_delete")?,
                ..ForeignKey::default()
            });
        }
        if let Some(key) = keys.last_mut() {
            key.from.push(row.get("from_column")?);
            key.to.extend(row.get::<_, Option<String>>("to_column")?);
        }
        Ok(())
    })?;
    each(connection, TRIGGERS, |row| {
        source.triggers.push(Trigger {
            schema: row.get("schema")?,
            name: row.get("name")?,
            table: row.get("table_name")?,
            sql: row.get("sql")?,
        });
        Ok(())
    })?;
    Ok(source)
}

fn column(row: &rusqlite::Row<'_>, seen: Option<&schema::Table>) -> Result<Column> {
    let declared: String = row.get("type")?;
    let name: String = row.get("name")?;
    let seen = seen.and_then(|table| table.columns.get(table.column_named(&name)?));
    let ty = seen
        .and_then(infer::of_column)
        .or_else(|| decltype::sql_type(&declared));
    let ty = ty.unwrap_or(SqlType::Text);
    let key_position: i64 = row.get("key_position")?;
    Ok(Column {
        name,
        ty: ty.oid().into(),
        modifier: modifier(ty, &declared),
        not_null: row.get::<_, bool>("not_null")? || key_position > 0,
        default: row.get("default_value")?,
        key_position,
        is_generated: row.get::<_, i64>("hidden")? > 1,
        is_rowid: key_position > 0 && declared.eq_ignore_ascii_case("integer"),
        comment: None,
    })
}

fn each(
    connection: &Connection,
    sql: &str,
    mut take: impl FnMut(&rusqlite::Row<'_>) -> Result<()>,
) -> Result<()> {
    let mut statement = connection.prepare_cached(sql)?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        take(row)?;
    }
    Ok(())
}

fn known_table<'s>(schema: &'s schema::Schema, name: &str) -> Option<&'s schema::Table> {
    schema.table_named(name).map(|table| &schema.tables[table])
}

/// Takes the comments from the text of the table.
fn comment(table: &mut Table) {
    if table.is_view {
        return;
    }
    let mut read = schema::Table {
        columns: table
            .columns
            .iter()
            .map(|column| schema::Column {
                name: column.name.clone(),
                ..schema::Column::default()
            })
            .collect(),
        ..schema::Table::default()
    };
    comments::add(&mut read, &table.sql);
    table.comment = read.comment;
    for (column, read) in table.columns.iter_mut().zip(read.columns) {
        column.comment = read.comment;
    }
}

/// `VARCHAR(20)` and `DECIMAL(10,2)` as `pg_attribute.atttypmod` keeps them.
fn modifier(ty: SqlType, declared: &str) -> i64 {
    let numbers: Vec<i64> = declared
        .split_once('(')
        .and_then(|(_, rest)| rest.split_once(')'))
        .map(|(inner, _)| {
            inner
                .split(',')
                .filter_map(|number| number.trim().parse().ok())
                .collect()
        })
        .unwrap_or_default();
    match (ty, &numbers[..]) {
        (SqlType::Varchar | SqlType::Bpchar, [length]) => length + 4,
        (SqlType::Numeric, [precision]) => (precision << 16) + 4,
        (SqlType::Numeric, [precision, scale]) => ((precision << 16) | (scale & 0x7ff)) + 4,
        _ => -1,
    }
}
