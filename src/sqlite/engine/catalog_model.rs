//! The catalogue that a connection shows: of which state of which schemas, and whether others see the same.

use std::{
    collections::HashMap,
    hash::{DefaultHasher, Hash, Hasher},
    sync::Arc,
};

use rusqlite::{Connection, DEFAULT_NAME, Result, TransactionState};

use super::{Database, open::Guarded};
use crate::{
    question::schema::Snapshot,
    sqlite::catalog::{self, Model, Named, source::CatalogContents},
    statement::sqlite_lexer,
};

mod source;

const OBJECTS: &str = include_str!("../../../dialects/sqlite/catalog/objects.sql");

/// Whether a statement may ask the catalogue; the guard is told what it names.
pub(super) fn is_asked(own: &Guarded, sql: &str) -> bool {
    let is_asked = catalog::is_asked(sql);
    own.guard
        .tell_information_schema(is_asked && catalog::names_information_schema(sql));
    is_asked
}

/// The schema by which the types of a statement's columns are told. `settled` is true outside transactions.
pub(super) fn snapshot_for(database: &Database, sql: &str, settled: bool) -> Option<Snapshot> {
    if catalog::is_read(sql) {
        // The catalogue is asked before anything else is, and does not wait for the stored values to be looked at.
        Some(database.last_snapshot().unwrap_or_default())
    } else if settled {
        database.read_snapshot().ok()
    } else {
        // Our own locks could be in the way of a fresh look.
        database.last_snapshot()
    }
}

/// Shows the schema as a connection sees it. `alone` is false where it is known to see what all see.
pub(super) fn show(database: &Arc<Database>, own: &Guarded, identity: &impl Hash, alone: bool) -> Result<()> {
    let Some(catalog) = &own.catalog else {
        return Ok(());
    };
    let connection = &own.connection;
    let alone = alone && sees_its_own(connection)?;
    let schemas = schemas(connection)?;
    let state = state(connection, &schemas, identity, alone)?;
    if catalog.shows(state) {
        return Ok(());
    }
    let fresh = || -> Result<Arc<Model>> {
        Ok(Arc::new(Model::new(CatalogContents {
            database: database.name(),
            stored: Some(Box::new(source::Seen {
                database: Arc::downgrade(database),
                fresh: !alone,
            })),
            ..source::read(connection, &schemas)?
        })))
    };
    let model = if alone {
        fresh()?
    } else {
        database.catalog_at(state, fresh)?
    };
    catalog.show(state, model);
    Ok(())
}

/// The numbers of the tables and views that a connection sees, by schema and name in lower case.
pub(super) fn table_numbers(connection: &Connection) -> Result<HashMap<(String, String), u32>> {
    let tables = source::tables(connection, &schemas(connection)?)?;
    let named = || {
        tables
            .iter()
            .map(|table| (table.schema.as_str(), table.name.as_str()))
    };
    let numbers = catalog::table_numbers(named());
    let places = named().map(|(schema, name)| (schema.to_owned(), name.to_lowercase()));
    Ok(places
        .zip(numbers)
        .filter_map(|(place, number)| Some((place, u32::try_from(number).ok()?)))
        .collect())
}

/// The constraints that a connection sees.
pub(super) fn constraints(connection: &Connection) -> Result<Vec<Named>> {
    let source = source::read(connection, &schemas(connection)?)?;
    Ok(Model::new(source).named_constraints())
}

/// True for a connection that may see what no other does: temporary objects, or what it has not committed.
fn sees_its_own(connection: &Connection) -> Result<bool> {
    let writes = connection.transaction_state(DEFAULT_NAME)? == TransactionState::Write;
    Ok(writes
        || connection
            .prepare_cached("SELECT EXISTS (SELECT 1 FROM temp.sqlite_schema)")?
            .query_row([], |row| row.get(0))?)
}

/// A schema of a connection and its file.
struct Schema {
    name: String,
    file: Option<String>,
}

/// The schemas that a connection has beside the catalogue's own, in the order in which SQLite looks for names.
fn schemas(connection: &Connection) -> Result<Vec<Schema>> {
    let sql = "SELECT name, file FROM pg_catalog.pragma_database_list WHERE name NOT IN ('pg_catalog', 'information_schema')";
    let mut statement = connection.prepare_cached(sql)?;
    let rows = statement.query_map([], |row| {
        Ok(Schema {
            name: row.get(0)?,
            file: row.get(1)?,
        })
    })?;
    rows.collect()
}

/// A number for the state of the schemas that a connection sees. Cheap where it sees what all see; `alone` it depends on
/// every object, since a version that was rolled back comes again with something else.
fn state(connection: &Connection, schemas: &[Schema], identity: &impl Hash, alone: bool) -> Result<u64> {
    let mut hasher = DefaultHasher::new();
    identity.hash(&mut hasher);
    // They are rows, of which the schema's version tells nothing.
    source::sequences(connection)?.hash(&mut hasher);
    source::extensions(connection)?.hash(&mut hasher);
    for schema in schemas {
        schema.name.hash(&mut hasher);
        schema.file.hash(&mut hasher);
        if !alone {
            // Nothing in it counts, since there is nothing.
            if schema.name != "temp" {
                let version: i64 =
                    connection
                        .pragma_query_value(Some(schema.name.as_str()), "schema_version", |row| row.get(0))?;
                version.hash(&mut hasher);
            }
            continue;
        }
        let mut statement = connection.prepare(&in_schema(OBJECTS, &schema.name))?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            for column in ["name", "table_name", "sql"] {
                row.get_ref(column)?.as_bytes()?.hash(&mut hasher);
            }
        }
    }
    Ok(hasher.finish())
}

/// A query about one schema.
fn in_schema(sql: &str, schema: &str) -> String {
    sql.replace("{schema}", &sqlite_lexer::quote(schema))
}
