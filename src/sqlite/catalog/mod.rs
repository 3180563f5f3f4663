//! What PostgreSQL's clients expect of a server, on SQLite: `pg_catalog` and `information_schema` as virtual tables over
//! the file's own schema, so that SQLite itself answers their queries, with the functions that tools call.

mod adapt;
mod asked;
mod constraints;
mod content;
mod ddl;
mod definitions;
mod describe;
pub(crate) mod failure;
mod fill;
mod functions;
mod holdings;
mod indexed;
mod model;
mod named;
mod numbers;
mod pretty;
mod rows;
pub(crate) mod source;
mod spelled;
mod surroundings;
mod table;
mod told;
mod words;

use std::sync::Arc;

use crate::statement::sqlite_lexer::{of_client, unquote};

pub(crate) use adapt::{Adapted, adapt};
pub(crate) use asked::included;
pub(crate) use content::Catalog;
pub(crate) use functions::{function_called, usual_setting};
pub(crate) use holdings::{Holding, Kept};
pub(crate) use indexed::{index_parts, shown_column, shown_key, told_key};
pub(crate) use model::{Model, shown_schema};
pub(crate) use named::Named;
pub(crate) use numbers::table_numbers;
pub(crate) use surroundings::{Activity, Doing, Surroundings, may_set};
pub(crate) use table::MODULE;
pub(crate) use words::default as default_words;

/// The PostgreSQL release whose catalogue this is; clients choose their queries by it.
pub const SERVER_VERSION: &str = "15.14";
/// The same as `server_version_num`.
pub(crate) const SERVER_VERSION_NUMBER: &str = "150014";

/// The schemas that are PostgreSQL's own.
const SCHEMAS: [&str; 2] = ["pg_catalog", "information_schema"];
/// Words by which a statement may ask the catalogue. A word of three letters is found fast, and is rare in data.
const WORDS: [&[u8]; 6] = [
    b"pg_",
    b"information_schema",
    b"reg",
    b"_description",
    b"_privilege",
    b"format_type",
];
/// Longer statements carry data.
const LONGEST: usize = 256 << 10;

/// Whom the session functions speak of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Client {
    /// What `current_user` answers.
    pub(crate) user: String,
    /// What `pg_backend_pid()` answers.
    pub(crate) process_id: u32,
}

/// Adds the functions and the module of the tables to a connection. Costs nothing that grows with the schema.
pub(crate) fn add(
    connection: &rusqlite::Connection,
    database: &str,
    client: &Client,
    surroundings: Arc<dyn Surroundings>,
) -> rusqlite::Result<Arc<Catalog>> {
    let catalog = Catalog::new(database, client, surroundings);
    functions::add(connection, &catalog)?;
    table::register(connection, &catalog)?;
    Ok(catalog)
}

/// True for a statement that may read the tables or call the functions that need them.
pub(crate) fn is_asked(sql: &str) -> bool {
    let bytes = sql.as_bytes();
    bytes.len() <= LONGEST
        && bytes.iter().enumerate().any(|(at, byte)| {
            matches!(byte.to_ascii_lowercase(), b'p' | b'i' | b'r' | b'_' | b'f')
                && WORDS.iter().any(|word| {
                    bytes
                        .get(at..at + word.len())
                        .is_some_and(|found| found.eq_ignore_ascii_case(word))
                })
        })
}

/// True for a statement that reads the tables.
pub(crate) fn is_read(sql: &str) -> bool {
    is_asked(sql) && !named(sql).is_empty()
}

/// True for the name of a schema that is PostgreSQL's own.
pub(crate) fn is_schema(name: &str) -> bool {
    SCHEMAS.contains(&name)
}

/// True for the name of a relation of `pg_catalog`.
pub(crate) fn is_relation(name: &str) -> bool {
    let found = definitions::find(SCHEMAS[0], &name.to_ascii_lowercase());
    found.is_some_and(|relation| relation.kind != "f")
}

/// The columns of a relation of the catalogue: name, type as in `pg_type`, and whether they are never NULL.
pub(crate) fn columns(
    schema: &str,
    name: &str,
) -> Option<impl Iterator<Item = (&'static str, &'static str, bool)>> {
    let relation = definitions::find(&schema.to_ascii_lowercase(), &name.to_ascii_lowercase())?;
    let columns = relation.columns.iter().filter(|column| !column.argument);
    Some(columns.map(|column| (column.name, column.ty, column.not_null)))
}

/// The number of a relation of the catalogue; 0 for a function that gives rows.
pub(crate) fn relation_number(schema: &str, name: &str) -> u32 {
    definitions::find(&schema.to_ascii_lowercase(), &name.to_ascii_lowercase())
        .filter(|relation| relation.kind != "f")
        .and_then(|relation| u32::try_from(relation.oid).ok())
        .unwrap_or(0)
}

/// True for a statement that names `information_schema`: its tables have common names, which mean nothing by themselves.
pub(crate) fn names_information_schema(sql: &str) -> bool {
    let name = SCHEMAS[1].as_bytes();
    let text = sql.as_bytes();
    text.get(..LONGEST)
        .unwrap_or(text)
        .windows(name.len())
        .any(|window| window.eq_ignore_ascii_case(name))
}

/// Creates the tables of the catalogue that a statement names, in databases in memory. SQLite keeps nothing of them but
/// their names; a transaction that is rolled back takes those with it that it named first.
pub(crate) fn create_tables(connection: &rusqlite::Connection, sql: &str) -> rusqlite::Result<()> {
    let wanted = named(sql);
    for schema in SCHEMAS {
        let mut wanted = wanted
            .iter()
            .filter(|relation| relation.schema == schema)
            .peekable();
        let mentioned = wanted.peek().is_some()
            || of_client(sql).any(|token| unquote(token).eq_ignore_ascii_case(schema));
        if !mentioned {
            continue;
        }
        let attached = "SELECT 1 FROM pg_catalog.pragma_database_list WHERE name = ?1";
        if !connection.prepare_cached(attached)?.exists([schema])? {
            connection.execute_batch(&format!("ATTACH ':memory:' AS {schema}"))?;
        }
        let mut is_there =
            connection.prepare_cached(&format!("SELECT 1 FROM {schema}.sqlite_schema WHERE name = ?1"))?;
        for relation in wanted {
            if !is_there.exists([relation.name])? {
                connection.execute_batch(&format!(
                    "CREATE VIRTUAL TABLE {schema}.\"{}\" USING {MODULE}",
                    relation.name
                ))?;
            }
        }
    }
    Ok(())
}

/// The relations that a statement names, each once.
fn named(sql: &str) -> Vec<&'static definitions::Relation> {
    let tokens: Vec<&str> = of_client(sql).collect();
    let mut found: Vec<&'static definitions::Relation> = vec![];
    for (at, token) in tokens.iter().enumerate() {
        let name = unquote(token).to_ascii_lowercase();
        let qualified =
            at >= 2 && tokens[at - 1] == "." && unquote(tokens[at - 2]).eq_ignore_ascii_case(SCHEMAS[1]);
        let schema = if qualified { SCHEMAS[1] } else { SCHEMAS[0] };
        if let Some(relation) = definitions::find(schema, &name)
            && !found.iter().any(|other| std::ptr::eq(*other, relation))
        {
            found.push(relation);
        }
    }
    found
}
