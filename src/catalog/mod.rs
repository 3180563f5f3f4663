//! What PostgreSQL's clients expect of a server, on SQLite: the functions and tables of `pg_catalog` that
//! drivers ask when they connect, and the few spellings of them that SQLite's grammar lacks.

mod adapt;
mod functions;
pub(crate) mod lexical;

pub(crate) use adapt::{Adapted, adapt};

/// The PostgreSQL release whose catalogue this is; clients choose their queries by it.
pub const SERVER_VERSION: &str = "15.14";

/// The rows of `pg_catalog` that are the same in every database.
const STATIC_TABLES: &str = include_str!("../../dialects/sqlite/catalog/pg_catalog.sql");

/// Whom the session functions speak of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Client {
    /// What `current_user` answers.
    pub(crate) user: String,
    /// What `pg_backend_pid()` answers.
    pub(crate) process_id: u32,
}

/// Adds the functions to a connection.
pub(crate) fn add_functions(
    connection: &rusqlite::Connection,
    database: &str,
    client: &Client,
) -> rusqlite::Result<()> {
    functions::add(connection, database, client)
}

/// True for a statement that may read the tables.
pub(crate) fn is_asked(sql: &str) -> bool {
    sql.as_bytes()
        .windows(3)
        .any(|window| window.eq_ignore_ascii_case(b"pg_"))
}

/// True if the tables are there. A transaction that was rolled back takes those with it that it asked for first.
pub(crate) fn has_tables(connection: &rusqlite::Connection) -> bool {
    connection
        .prepare_cached("SELECT 1 FROM pg_catalog.pg_roles")
        .and_then(|mut statement| statement.exists([]))
        .unwrap_or(false)
}

/// Adds the tables to a connection, in a database in memory.
pub(crate) fn add_tables(
    connection: &rusqlite::Connection,
    database: &str,
    client: &Client,
) -> rusqlite::Result<()> {
    let attached = "SELECT 1 FROM pragma_database_list WHERE name = 'pg_catalog'";
    if !connection.prepare(attached)?.exists([])? {
        connection.execute_batch("ATTACH ':memory:' AS pg_catalog")?;
    }
    connection.execute_batch(STATIC_TABLES)?;
    connection.execute(
        "INSERT INTO pg_catalog.pg_database (oid, datname, datdba, encoding, datcollate, datctype) \
         VALUES (5, ?1, 10, 6, 'C.UTF-8', 'C.UTF-8')",
        [database],
    )?;
    connection.execute(
        "INSERT INTO pg_catalog.pg_roles (oid, rolname, rolsuper, rolcanlogin) VALUES (10, ?1, 0, 1)",
        [&client.user],
    )?;
    Ok(())
}
